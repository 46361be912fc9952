/**
 * A table of strings by number: consecutive UTF-8 bytes with a NUL after each, and the start of each.
 *
 *   bytes    a b c 0 a b d 0 x 0          starts   0  4  8  10
 *
 * The table is not compressed on purpose. Substrings are searched in the plain bytes, `needle` for contains and
 * `needle NUL` for ends-with; in a large table only in candidates from the trigram index (trigram-index.ts).
 *
 * Binary search requires a table sorted by its bytes.
 */
import { sortedIndexes } from '../text-sort.ts'
import { byCodeUnit } from '../values.ts'
import type { Sections, Reader } from './container.ts'
import { createTrigramIndex, type TrigramIndex } from './trigram-index.ts'

export interface Strings {
  readonly bytes: Buffer
  readonly starts: Uint32Array
  readonly count: number
  trigrams(): TrigramIndex
}

export function writeStrings(out: Sections, name: string, texts: readonly string[]): void {
  const starts = new Uint32Array(texts.length + 1)
  const chunks = [...joined(texts)]
  const bytes = Buffer.from(new ArrayBuffer(chunks.reduce((sum, { length }) => sum + length, 0)))
  for (let i = 0, at = 0; i < chunks.length; at += chunks[i++]!.length) bytes.set(chunks[i]!, at)
  for (let i = 0, at = 0; i < texts.length; i++) {
    at = bytes.indexOf(0, at) + 1
    starts[i + 1] = at
  }
  out.set(`${name}.bytes`, new Uint8Array(bytes.buffer))
  out.set(`${name}.starts`, starts)
}

/** In batches: the values of some million documents exceed the maximum length of a JavaScript string. */
function* joined(texts: readonly string[]): Generator<Buffer> {
  for (let from = 0; from < texts.length; from += batchSize)
    yield Buffer.from(`${texts.slice(from, from + batchSize).join('\0')}\0`)
}
const batchSize = 1 << 16

export function readStrings(from: Reader, name: string): Strings {
  const { buffer, byteOffset, byteLength } = from.bytes(`${name}.bytes`)
  const starts = from.u32(`${name}.starts`)
  const bytes = Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
  let trigrams: TrigramIndex | undefined
  return {
    bytes,
    starts,
    count: starts.length - 1,
    trigrams: () => (trigrams ??= createTrigramIndex(bytes, starts)),
  }
}

export function textAt({ bytes, starts }: Strings, i: number): string {
  return bytes.toString('utf8', starts[i]!, starts[i + 1]! - 1)
}

/** The first string for which `isBefore` is false. The strings must be sorted accordingly. */
export function lowerBound(strings: Strings, isBefore: (text: string) => boolean): number {
  return firstNot(strings.count, (i) => isBefore(textAt(strings, i)))
}

/** The first number for which `isBefore` is false. */
export function firstNot(count: number, isBefore: (i: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** The first string, from `from` on, that is not less than the given bytes. The table must be sorted. */
export function firstFrom(strings: Strings, from: number, target: Uint8Array, length: number): number {
  let low = from
  let high = strings.count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(strings, middle, target, length)) low = middle + 1
    else high = middle
  }
  return low
}

/** A shorter string ends with NUL, which sorts before all letters. */
function isBefore({ bytes, starts }: Strings, i: number, target: Uint8Array, length: number): boolean {
  const start = starts[i]!
  let at = 0
  while (at < length && bytes[start + at] === target[at]) at++
  return at < length && bytes[start + at]! < target[at]!
}

/** Whether a string has exactly these bytes. */
export function equalAt(strings: Strings, i: number, target: Uint8Array): boolean {
  const { bytes, starts } = strings
  const start = starts[i]!
  if (starts[i + 1]! - 1 - start !== target.length) return false
  for (let k = 0; k < target.length; k++) if (bytes[start + k] !== target[k]) return false
  return true
}

/** Compares strings of two tables by their bytes. The NUL at the end sorts before all letters. */
export function compareTexts(a: Strings, i: number, b: Strings, j: number): number {
  let [at, to, other] = [a.starts[i]!, a.starts[i + 1]!, b.starts[j]!]
  while (at < to && a.bytes[at] === b.bytes[other]) {
    at++
    other++
  }
  return at === to ? 0 : a.bytes[at]! - b.bytes[other]!
}

export function isEmptyAt({ starts }: Strings, i: number): boolean {
  return starts[i]! + 1 === starts[i + 1]
}

/** The number of a string in a sorted table, or -1. */
export function find(strings: Strings, text: string): number {
  const target = Buffer.from(text)
  const at = firstFrom(strings, 0, target, target.length)
  return at < strings.count && equalAt(strings, at, target) ? at : -1
}

/** The range of equal strings in a sorted table. */
export function equalRange(strings: Strings, target: Uint8Array): [from: number, to: number] {
  const from = firstFrom(strings, 0, target, target.length)
  let to = from
  while (to < strings.count && equalAt(strings, to, target)) to++
  return [from, to]
}

/** The range of strings with a prefix in a sorted table. */
export function prefixRange(strings: Strings, prefix: string): [from: number, to: number] {
  if (prefix === '') return [0, strings.count]
  const target = Buffer.from(prefix)
  const from = firstFrom(strings, 0, target, target.length)
  target[target.length - 1]!++ // 0xff never occurs in UTF-8
  return [from, firstFrom(strings, from, target, target.length)]
}

/** Sorts texts like sorted tables, by their bytes; returns their indexes in order. */
export function byteOrder(texts: readonly string[]): Uint32Array {
  if (!texts.some((text) => lateLetters.test(text))) return sortedIndexes(texts)
  return Uint32Array.from(texts.keys()).sort((a, b) => inBytes(texts[a]!, texts[b]!))
}
/** Compares two strings like sorted tables do. */
export function compareInBytes(a: string, b: string): number {
  return lateLetters.test(a) || lateLetters.test(b) ? inBytes(a, b) : byCodeUnit(a, b)
}
const lateLetters = /[\ud800-\uffff]/
function inBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** The numbers of all strings that contain the needle or, with `atEnd`, end with it. */
export function containing(strings: Strings, needle: string, atEnd = false): number[] {
  if (needle === '') return Array.from({ length: strings.count }, (_, i) => i)
  const target = Buffer.from(atEnd ? needle + '\0' : needle)
  if (target.length < 3 || strings.count <= maxScannedTexts) return byBytes(strings, target)
  const found: number[] = []
  strings.trigrams().eachCandidate(target, (i) => {
    if (containsAt(strings, i, target)) found.push(i)
  })
  return found
}
const maxScannedTexts = 256

function byBytes({ bytes, starts, count }: Strings, target: Buffer): number[] {
  const found: number[] = []
  for (let at = bytes.indexOf(target); at >= 0;) {
    const i = stringAt(starts, at, count)
    found.push(i)
    at = bytes.indexOf(target, starts[i + 1])
  }
  return found
}

function containsAt({ bytes, starts }: Strings, i: number, target: Buffer): boolean {
  const last = starts[i + 1]! - target.length
  for (let start = starts[i]!; start <= last; start++) {
    if (bytes[start] !== target[0]) continue
    let at = 1
    while (at < target.length && bytes[start + at] === target[at]) at++
    if (at === target.length) return true
  }
  return false
}

function stringAt(starts: Uint32Array, at: number, count: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (starts[middle + 1]! <= at) low = middle + 1
    else high = middle
  }
  return low
}
