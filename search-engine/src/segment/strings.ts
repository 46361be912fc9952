/**
 * A table of texts by number: UTF-8 bytes one after the other, a NUL after each, and where each begins.
 *
 *   bytes    a b c 0 a b d 0 x 0          starts   0  4  8  10
 *
 * It is not compressed on purpose. A needle is looked for in plain bytes, `needle` for contains and `needle NUL` for
 * ends; in a large table only in the texts that may have it (pieces.ts).
 *
 * Lookups by binary search ask for a table that is sorted by its bytes.
 */
import { placesInOrder } from '../text-order.ts'
import { byCodeUnit } from '../values.ts'
import type { Sections, Reader } from './container.ts'
import { makePieces, readPieces, type Pieces } from './pieces.ts'

export interface Strings {
  readonly bytes: Buffer
  readonly starts: Uint32Array
  readonly count: number
  pieces(): Pieces
  /** The first four bytes of every 64th text, as a number: about where a text stands is told without reading any. */
  heads(): Uint32Array
}
const headStep = 64

export function writeStrings(out: Sections, name: string, texts: readonly string[]): void {
  const starts = new Uint32Array(texts.length + 1)
  const pieces = [...joined(texts)]
  const bytes = Buffer.from(new ArrayBuffer(pieces.reduce((sum, { length }) => sum + length, 0)))
  for (let i = 0, at = 0; i < pieces.length; at += pieces[i++]!.length) bytes.set(pieces[i]!, at)
  for (let i = 0, at = 0; i < texts.length; i++) {
    at = bytes.indexOf(0, at) + 1
    starts[i + 1] = at
  }
  out.set(`${name}.bytes`, new Uint8Array(bytes.buffer))
  out.set(`${name}.starts`, starts)
}

/** Some at a time: all values of some million documents are longer than a string can be. */
function* joined(texts: readonly string[]): Generator<Buffer> {
  for (let from = 0; from < texts.length; from += joinedAtOnce)
    yield Buffer.from(`${texts.slice(from, from + joinedAtOnce).join('\0')}\0`)
}
const joinedAtOnce = 1 << 16

export function readStrings(from: Reader, name: string): Strings {
  const { buffer, byteOffset, byteLength } = from.bytes(`${name}.bytes`)
  const starts = from.u32(`${name}.starts`)
  const bytes = Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
  let pieces: Pieces | undefined
  let heads: Uint32Array | undefined
  return {
    bytes,
    starts,
    count: starts.length - 1,
    pieces: () => (pieces ??= readPieces(from.made(`${name}.bytes`, () => makePieces(bytes, starts)))),
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

/** Of a text of so many bytes; what is shorter has zeros. */
function headOf(bytes: Uint8Array, length: number): number {
  let head = 0
  for (let i = 0; i < 4; i++) head = (head << 8) | (i < length ? bytes[i]! : 0)
  return head >>> 0
}

export function textAt({ bytes, starts }: Strings, i: number): string {
  return bytes.toString('utf8', starts[i]!, starts[i + 1]! - 1)
}

/** The first text for which `isBefore` is no longer true; the texts must be in the order that it asks about. */
export function lowerBound(strings: Strings, isBefore: (text: string) => boolean): number {
  return firstNot(strings.count, (i) => isBefore(textAt(strings, i)))
}

/** The first number for which `isBefore` is no longer true. */
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

/** The first text, from one on, that is not before some bytes, so many of them; the table must be sorted. */
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
 * The first head, from one on, that is no less than some number: mostly it is near, so longer and longer steps go there.
 * A loop of its own, as in `firstFrom`: every word of every search is looked up by it.
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

/** A text that ends earlier ends with a NUL, which is before all letters. */
function isBefore({ bytes, starts }: Strings, i: number, wanted: Uint8Array, length: number): boolean {
  const start = starts[i]!
  let at = 0
  while (at < length && bytes[start + at] === wanted[at]) at++
  return at < length && bytes[start + at]! < wanted[at]!
}

/** Whether a text of a table has these bytes. */
export function equalAt(strings: Strings, i: number, wanted: Uint8Array): boolean {
  const { bytes, starts } = strings
  const start = starts[i]!
  if (starts[i + 1]! - 1 - start !== wanted.length) return false
  for (let k = 0; k < wanted.length; k++) if (bytes[start + k] !== wanted[k]) return false
  return true
}

/** Compares texts of two tables by their bytes; the NUL at the end of one is before all others. */
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

/** The number of a text in a sorted table, or -1. */
export function find(strings: Strings, text: string): number {
  const wanted = Buffer.from(text)
  const at = firstFrom(strings, 0, wanted, wanted.length)
  return at < strings.count && equalAt(strings, at, wanted) ? at : -1
}

/** Where the texts that are equal to one stand in a sorted table. */
export function equalRange(strings: Strings, wanted: Uint8Array): [from: number, to: number] {
  const from = firstFrom(strings, 0, wanted, wanted.length)
  let to = from
  while (to < strings.count && equalAt(strings, to, wanted)) to++
  return [from, to]
}

/** Where the texts that begin with the prefix stand in a sorted table. */
export function prefixRange(strings: Strings, prefix: string): [from: number, to: number] {
  if (prefix === '') return [0, strings.count]
  const wanted = Buffer.from(prefix)
  const from = firstFrom(strings, 0, wanted, wanted.length)
  wanted[wanted.length - 1]!++ // no text has a byte that is the last one there is
  return [from, firstFrom(strings, from, wanted, wanted.length)]
}

/** The order of sorted tables, that of their bytes. */
export function sortTexts<T>(items: T[], textOf: (item: T) => string): T[] {
  // JavaScript compares UTF-16, which has another order than UTF-8 from the surrogates on.
  const compare = items.some((item) => lateLetters.test(textOf(item))) ? inBytes : byCodeUnit
  return items.sort((a, b) => compare(textOf(a), textOf(b)))
}
/** The same as places, of texts that are many. */
export function byteOrder(texts: readonly string[]): Uint32Array {
  if (!texts.some((text) => lateLetters.test(text))) return placesInOrder(texts)
  return Uint32Array.from(texts.keys()).sort((a, b) => inBytes(texts[a]!, texts[b]!))
}
/** Compares two texts as sorted tables do. */
export function compareInBytes(a: string, b: string): number {
  return lateLetters.test(a) || lateLetters.test(b) ? inBytes(a, b) : byCodeUnit(a, b)
}
const lateLetters = /[\ud800-\uffff]/
function inBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** The numbers of all texts that contain the needle; `atEnd` asks for texts that end with it. */
export function containing(strings: Strings, needle: string, atEnd = false): number[] {
  if (needle === '') return Array.from({ length: strings.count }, (_, i) => i)
  const wanted = Buffer.from(atEnd ? needle + '\0' : needle)
  if (wanted.length < 3 || strings.count <= fewTexts) return byBytes(strings, wanted)
  const found: number[] = []
  strings.pieces().eachCandidate(wanted, (i) => {
    if (holds(strings, i, wanted)) found.push(i)
  })
  return found
}
const fewTexts = 256

function byBytes({ bytes, starts, count }: Strings, wanted: Buffer): number[] {
  const found: number[] = []
  for (let at = bytes.indexOf(wanted); at >= 0;) {
    const i = holderOf(starts, at, count)
    found.push(i)
    at = bytes.indexOf(wanted, starts[i + 1])
  }
  return found
}

function holds({ bytes, starts }: Strings, i: number, wanted: Buffer): boolean {
  const last = starts[i + 1]! - wanted.length
  for (let start = starts[i]!; start <= last; start++) {
    if (bytes[start] !== wanted[0]) continue
    let at = 1
    while (at < wanted.length && bytes[start + at] === wanted[at]) at++
    if (at === wanted.length) return true
  }
  return false
}

function holderOf(starts: Uint32Array, at: number, count: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (starts[middle + 1]! <= at) low = middle + 1
    else high = middle
  }
  return low
}
