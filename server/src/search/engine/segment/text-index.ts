/** Reads what text-writer.ts wrote: words, groups of words, postings and positions. */
import { readVarint, skipVarints, type VarintReader } from './bytes.ts'
import type { Reader } from './container.ts'
import { find, readStrings, textAt, type Strings } from './strings.ts'
import { blockSize, manySpreads } from './text-writer.ts'

export interface TextIndex {
  readonly terms: Strings
  readonly shown: Strings
  readonly stems: Strings
  readonly stemAt: Uint32Array
  readonly stemWords: Uint32Array
  readonly spreadStarts: Uint32Array
  readonly spreadPairs: Uint32Array
  readonly counts: Uint32Array
  readonly postings: Uint8Array
  readonly positions: Positions
  readonly postingsAt: Uint32Array
  readonly skipsAt: Uint32Array
  readonly skipDocs: Uint32Array
  readonly skipPostings: Uint32Array
  readonly lengths: Uint8Array
  readonly totalLength: number
}

/** Where words stand: by term, and after every block of postings. */
export interface Positions {
  readonly bytes: Uint8Array
  readonly at: Uint32Array
  readonly skips: Uint32Array
}

/** What only phrases and completion look at is read when it is asked for. */
export function readTextIndex(from: Reader, name: string): TextIndex {
  let shown: Strings | undefined
  let positions: Positions | undefined
  return {
    terms: readStrings(from, `${name}.terms`),
    get shown() {
      return (shown ??= readStrings(from, `${name}.shown`))
    },
    stems: readStrings(from, `${name}.stems`),
    stemAt: from.u32(`${name}.stems.at`),
    stemWords: from.u32(`${name}.stems.words`),
    spreadStarts: from.u32(`${name}.spreads.starts`),
    spreadPairs: from.u32(`${name}.spreads.pairs`),
    counts: from.u32(`${name}.counts`),
    postings: from.bytes(`${name}.postings`),
    get positions() {
      return (positions ??= {
        bytes: from.bytes(`${name}.positions`),
        at: from.u32(`${name}.at.positions`),
        skips: from.u32(`${name}.skips.positions`),
      })
    },
    postingsAt: from.u32(`${name}.at.postings`),
    skipsAt: from.u32(`${name}.at.skips`),
    skipDocs: from.u32(`${name}.skips.docs`),
    skipPostings: from.u32(`${name}.skips.postings`),
    lengths: from.bytes(`${name}.lengths`),
    totalLength: from.f64(`${name}.total`)[0]!,
  }
}

/** The numbers of the words that have a stem. */
export function wordsOfStem(text: TextIndex, stem: string): Uint32Array {
  const group = find(text.stems, stem)
  return group < 0 ? new Uint32Array() : text.stemWords.subarray(text.stemAt[group], text.stemAt[group + 1])
}

export function shownTerm(text: TextIndex, term: number): string {
  return textAt(text.shown, term) || textAt(text.terms, term)
}

/** Field, count, field, count … */
export function spreadOf(text: TextIndex, spread: number): Uint32Array {
  return text.spreadPairs.subarray(text.spreadStarts[spread], text.spreadStarts[spread + 1])
}

/** By spread, the sum of what `weigh` gives for its fields and how often the word stands there. */
export function weighSpreads(text: TextIndex, weigh: (field: number, count: number) => number): Float32Array {
  const weights = new Float32Array(text.spreadStarts.length - 1)
  for (let spread = 0; spread < weights.length; spread++) {
    const pairs = spreadOf(text, spread)
    for (let i = 0; i < pairs.length; i += 2) weights[spread]! += weigh(pairs[i]!, pairs[i + 1]!)
  }
  return weights
}

/** All postings of a term at once, for who needs no cursor; until `isEnough` is true. */
export function eachPosting(text: TextIndex, term: number, isEnough: (doc: number, spread: number) => boolean): void {
  const data = text.postings
  let at = text.postingsAt[term]!
  let doc = 0
  for (let left = text.counts[term]!; left > 0; left--) {
    let byte = data[at++]!
    let posting = byte & 127
    for (let shift = 7; byte > 127; shift += 7) posting |= ((byte = data[at++]!) & 127) << shift
    doc += posting >>> 3
    let spread = posting & manySpreads
    if (spread === manySpreads) {
      byte = data[at++]!
      spread += byte & 127
      for (let shift = 7; byte > 127; shift += 7) spread += ((byte = data[at++]!) & 127) << shift
    }
    if (isEnough(doc, spread)) return
  }
}

export const noMoreDocs = 0xffffffff

/** Walks the documents of a term, a block of 128 at a time. */
export class Cursor {
  readonly text: TextIndex
  readonly count: number
  /** The document it stands at; before the first `next` there is none. */
  doc = noMoreDocs
  spread = 0
  readonly #term: number
  /** The block it stands in, for loops that take whole blocks by `nextBlock`. */
  readonly docs: Uint32Array
  readonly spreads: Uint32Array
  inBlock = 0
  #block = -1
  #index = 0

  constructor(text: TextIndex, term: number) {
    this.text = text
    this.#term = term
    this.count = text.counts[term]!
    this.docs = new Uint32Array(Math.min(blockSize, this.count))
    this.spreads = new Uint32Array(this.docs.length)
  }

  next(): number {
    if (++this.#index >= this.inBlock && !this.#load(this.#block + 1)) return (this.doc = noMoreDocs)
    this.spread = this.spreads[this.#index]!
    return (this.doc = this.docs[this.#index]!)
  }

  nextBlock(): boolean {
    return this.#load(this.#block + 1)
  }

  /** Goes on to the first document at or after the target, which must not be before the one it stands at. */
  advance(target: number): number {
    if (this.#block < 0 || this.docs[this.inBlock - 1]! < target) {
      const block = this.#blockOf(target)
      if (block !== this.#block && !this.#load(block)) return (this.doc = noMoreDocs)
    }
    let index = this.#index
    while (index < this.inBlock && this.docs[index]! < target) index++
    this.#index = index
    if (index >= this.inBlock) return this.#exhausted()
    this.spread = this.spreads[index]!
    return (this.doc = this.docs[index]!)
  }

  /** The positions at the document it stands at, by field. */
  positions(): Map<number, number[]> {
    const { text } = this
    const { bytes, at: starts, skips } = text.positions
    let at = this.#block > 0 ? skips[this.#skip(this.#block)]! : starts[this.#term]!
    for (let i = 0; i < this.#index; i++) at = skipVarints(bytes, at, occurrences(text, this.spreads[i]!))
    const reader: VarintReader = { data: bytes, at }
    const pairs = spreadOf(text, this.spread)
    const found = new Map<number, number[]>()
    for (let i = 0; i < pairs.length; i += 2) {
      let position = 0
      found.set(
        pairs[i]!,
        Array.from({ length: pairs[i + 1]! }, () => (position += readVarint(reader))),
      )
    }
    return found
  }

  #exhausted(): number {
    this.#index = this.inBlock
    return (this.doc = noMoreDocs)
  }

  #skip(block: number): number {
    return this.text.skipsAt[this.#term]! + block - 1
  }

  /** The last block that can hold the target: the documents before it all come earlier. It is mostly not far ahead. */
  #blockOf(target: number): number {
    const { skipsAt, skipDocs } = this.text
    const first = skipsAt[this.#term]!
    let low = first + Math.max(0, this.#block)
    let high = skipsAt[this.#term + 1]!
    for (let step = 1; low + step <= high; step *= 2) {
      if (skipDocs[low + step - 1]! >= target) {
        high = low + step - 1
        break
      }
      low += step
    }
    while (low < high) {
      const middle = (low + high) >>> 1
      if (skipDocs[middle]! < target) low = middle + 1
      else high = middle
    }
    return low - first
  }

  #load(block: number): boolean {
    const left = this.count - block * blockSize
    if (left <= 0) {
      this.#index = this.inBlock
      return false
    }
    const { text, docs, spreads } = this
    const data = text.postings
    let doc = block > 0 ? text.skipDocs[this.#skip(block)]! : 0
    let at = block > 0 ? text.skipPostings[this.#skip(block)]! : text.postingsAt[this.#term]!
    const inBlock = Math.min(blockSize, left)
    for (let i = 0; i < inBlock; i++) {
      let byte = data[at++]!
      let posting = byte & 127
      for (let shift = 7; byte > 127; shift += 7) posting |= ((byte = data[at++]!) & 127) << shift
      docs[i] = doc += posting >>> 3
      let spread = posting & manySpreads
      if (spread === manySpreads) {
        byte = data[at++]!
        spread += byte & 127
        for (let shift = 7; byte > 127; shift += 7) spread += ((byte = data[at++]!) & 127) << shift
      }
      spreads[i] = spread
    }
    this.#block = block
    this.inBlock = inBlock
    this.#index = 0
    return true
  }
}

/** How often a word with this spread stands in the document. */
export function occurrences(text: TextIndex, spread: number): number {
  const pairs = spreadOf(text, spread)
  let sum = 0
  for (let i = 1; i < pairs.length; i += 2) sum += pairs[i]!
  return sum
}
