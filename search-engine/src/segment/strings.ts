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
import { buildTrigramIndex, readTrigramIndex, type TrigramIndex } from './trigram-index.ts'

export interface Strings {
  readonly bytes: Buffer
  readonly starts: Uint32Array
  readonly count: number
  trigrams(): TrigramIndex
  /** The first four bytes of every 64th string as a number. Narrows a binary search without reading any string. */
  heads(): Uint32Array
}
const headStep = 64

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
  let heads: Uint32Array | undefined
  return {
    bytes,
    starts,
    count: starts.length - 1,
    trigrams: () => (trigrams ??= readTrigramIndex(from.made(`${name}.bytes`, () => buildTrigramIndex(bytes, starts)))),
    heads: () => (heads ??= headsOf(bytes, starts)),
  }
}

function headsOf(bytes: Uint8Array, starts: Uint32Array): Uint32Array {
  const heads = new Uint32Array(Math.ceil((starts.length - 1) / headStep))
  for (let i = 0; i < heads.length; i++) {
    const start = starts[i * headStep]!
    heads[i] = headOf(bytes.subarray(start, start + 4), starts[i * headStep + 1]! - 1 - start)
  }
  return heads
}

/** Of a string with `length` bytes; shorter ones are padded with zeros. */
function headOf(bytes: Uint8Array, length: number): number {
  let head = 0
  for (let i = 0; i < 4; i++) head = (head << 8) | (i < length ? bytes[i]! : 0)
  return head >>> 0
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
export function firstFrom(strings: Strings, from: number, wanted: Uint8Array, length: number): number {
  const heads = strings.heads()
  const head = headOf(wanted, length)
  const before = firstHead(heads, Math.ceil(from / headStep), head)
  const after = length <= 4 ? before : firstHead(heads, before, head + 1)
  let low = Math.max(from, (before - 1) * headStep)
  let high = Math.min(strings.count, after * headStep)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(strings, middle, wanted, length)) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The first head, from `from` on, that is not less than `least`. Gallops, because it is usually near. Inlined like
 * `firstFrom`, because every term of every query is looked up here.
 */
function firstHead(heads: Uint32Array, from: number, least: number): number {
  let low = from
  let step = 1
  for (; low + step <= heads.length && heads[low + step - 1]! < least; step *= 2) low += step
  let high = Math.min(low + step - 1, heads.length)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (heads[middle]! < least) low = middle + 1
    else high = middle
  }
  return low
}

/** A shorter string ends with NUL, which sorts before all letters. */
function isBefore({ bytes, starts }: Strings, i: number, wanted: Uint8Array, length: number): boolean {
  const start = starts[i]!
  let at = 0
  while (at < length && bytes[start + at] === wanted[at]) at++
  return at < length && bytes[start + at]! < wanted[at]!
}

/** Whether a string has exactly these bytes. */
export function equalAt(strings: Strings, i: number, wanted: Uint8Array): boolean {
  const { bytes, starts } = strings
  const start = starts[i]!
  if (starts[i + 1]! - 1 - start !== wanted.length) return false
  for (let k = 0; k < wanted.length; k++) if (bytes[start + k] !== wanted[k]) return false
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
  const wanted = Buffer.from(text)
  const at = firstFrom(strings, 0, wanted, wanted.length)
  return at < strings.count && equalAt(strings, at, wanted) ? at : -1
}

/** The range of equal strings in a sorted table. */
export function equalRange(strings: Strings, wanted: Uint8Array): [from: number, to: number] {
  const from = firstFrom(strings, 0, wanted, wanted.length)
  let to = from
  while (to < strings.count && equalAt(strings, to, wanted)) to++
  return [from, to]
}

/** The range of strings with a prefix in a sorted table. */
export function prefixRange(strings: Strings, prefix: string): [from: number, to: number] {
  if (prefix === '') return [0, strings.count]
  const wanted = Buffer.from(prefix)
  const from = firstFrom(strings, 0, wanted, wanted.length)
  wanted[wanted.length - 1]!++ // 0xff never occurs in UTF-8
  return [from, firstFrom(strings, from, wanted, wanted.length)]
}

/** Sorts items like sorted tables, by their bytes. */
export function sortTexts<T>(items: T[], textOf: (item: T) => string): T[] {
  // JavaScript compares UTF-16 code units, which differs from UTF-8 byte order from the surrogates on.
  const compare = items.some((item) => lateLetters.test(textOf(item))) ? inBytes : byCodeUnit
  return items.sort((a, b) => compare(textOf(a), textOf(b)))
}
/** The same for many texts; returns their indexes in order. */
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
  const wanted = Buffer.from(atEnd ? needle + '\0' : needle)
  if (wanted.length < 3 || strings.count <= maxScannedTexts) return byBytes(strings, wanted)
  const found: number[] = []
  strings.trigrams().eachCandidate(wanted, (i) => {
    if (containsAt(strings, i, wanted)) found.push(i)
  })
  return found
}
const maxScannedTexts = 256

function byBytes({ bytes, starts, count }: Strings, wanted: Buffer): number[] {
  const found: number[] = []
  for (let at = bytes.indexOf(wanted); at >= 0;) {
    const i = stringAt(starts, at, count)
    found.push(i)
    at = bytes.indexOf(wanted, starts[i + 1])
  }
  return found
}

function containsAt({ bytes, starts }: Strings, i: number, wanted: Buffer): boolean {
  const last = starts[i + 1]! - wanted.length
  for (let start = starts[i]!; start <= last; start++) {
    if (bytes[start] !== wanted[0]) continue
    let at = 1
    while (at < wanted.length && bytes[start + at] === wanted[at]) at++
    if (at === wanted.length) return true
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
