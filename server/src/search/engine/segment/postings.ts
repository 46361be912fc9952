/** Reads the postings that text-writer.ts wrote: a block at a time, or by a cursor that leaps ahead. */
import { readVarint, skipVarints, type VarintReader } from './bytes.ts'
import { blockSize } from './packed.ts'
import { DensePlaces } from './dense.ts'
import {
  blockSpread,
  createBlock,
  denseAt,
  isDense,
  readBlockDocs,
  readBlockSpreads,
  type Block,
} from './postings-block.ts'
import { readTailDocs, readTailSpreads, tailSpread } from './tail.ts'
import { occurrences, spreadOf, type TextIndex } from './text-index.ts'

/** How many blocks a term has; the last may be less than full. */
export function blocksOf(text: TextIndex, term: number): number {
  return Math.ceil(text.counts[term]! / blockSize)
}

/** Reads the documents of a block of a term and returns how many there are. */
export function readDocs(text: TextIndex, term: number, block: number, into: Block): number {
  const left = text.counts[term]! - block * blockSize
  const skip = text.skipsAt[term]! + block
  const base = block > 0 ? text.skipDocs[skip - 1]! : 0
  if (left >= blockSize) readBlockDocs(text.blocks, text.skipBlocks[skip]!, base, into.docs)
  else readTailDocs(text.blocks, text.tailsAt[term]!, base, left, into.docs)
  return Math.min(left, blockSize)
}

/** The same of the spreads. */
export function readSpreads(text: TextIndex, term: number, block: number, into: Block): number {
  const left = text.counts[term]! - block * blockSize
  const skip = text.skipsAt[term]! + block
  if (left >= blockSize) readBlockSpreads(text.blocks, text.skipBlocks[skip]!, into.spreads)
  else readTailSpreads(text.blocks, text.tailsAt[term]!, left, into.spreads)
  return Math.min(left, blockSize)
}

export const noMoreDocs = 0xffffffff

/** Stands at one document of a term after the other, either at all of them or at those that are sought. */
export class Cursor {
  readonly text: TextIndex
  readonly #term: number
  /** Made when documents are read, which those of dense blocks never are. */
  #room: Block | undefined
  /** The block it is in, how many documents this has, and where it begins. */
  #number = -1
  #inBlock = 0
  #at = 0
  /** The last document of the block before, and of this one. */
  #base = 0
  #last = -1
  #isRead = false
  #isDense = false
  readonly #places = new DensePlaces()
  #index = -1

  constructor(text: TextIndex, term: number) {
    this.text = text
    this.#term = term
  }

  next(): number {
    if (++this.#index >= this.#inBlock && !this.#enter(this.#number + 1)) return noMoreDocs
    return this.#docs()[this.#index]!
  }

  /** Whether the word is in a document, at which it then stands. Documents must be sought in ascending order. */
  seek(doc: number): boolean {
    if (doc > this.#last && !this.#enter(this.#blockOf(doc))) return false
    if (!this.#isDense) return this.#search(doc)
    const place = this.#places.placeOf(doc - this.#base)
    if (place < 0) return false
    this.#index = place
    return true
  }

  /** The same of where it will not stand: only whether the word is there. */
  has(doc: number): boolean {
    if (doc > this.#last && !this.#enter(this.#blockOf(doc))) return false
    return this.#isDense ? this.#places.has(doc - this.#base) : this.#search(doc)
  }

  /** How the word is spread over the fields of the document it stands at. */
  get spread(): number {
    return this.#spreadAt(this.#index)
  }

  /** The positions at the document it stands at, by field. */
  positions(): Map<number, number[]> {
    const { text } = this
    const { bytes, at: starts, skips } = text.positions
    let at = this.#number > 0 ? skips[text.skipsAt[this.#term]! + this.#number - 1]! : starts[this.#term]!
    for (let i = 0; i < this.#index; i++) at = skipVarints(bytes, at, occurrences(text, this.#spreadAt(i)))
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

  #isFull(): boolean {
    return this.#inBlock === blockSize
  }
  #docs(): Uint32Array {
    const room = (this.#room ??= createBlock())
    if (!this.#isRead) readDocs(this.text, this.#term, this.#number, room)
    this.#isRead = true
    return room.docs
  }
  #spreadAt(index: number): number {
    const { blocks } = this.text
    return this.#isFull() ? blockSpread(blocks, this.#at, index) : tailSpread(blocks, this.#at, index)
  }

  /** Goes on to the first document of the block that is not before another, which is mostly not far ahead. */
  #search(doc: number): boolean {
    const docs = this.#docs()
    let low = this.#index
    let step = 1
    while (low + step < this.#inBlock && docs[low + step]! < doc) {
      low += step
      step *= 2
    }
    let high = Math.min(low + step, this.#inBlock)
    while (low < high) {
      const middle = (low + high) >>> 1
      if (docs[middle]! < doc) low = middle + 1
      else high = middle
    }
    this.#index = low
    return low < this.#inBlock && docs[low] === doc
  }

  /** The first block that can hold a document: those before it end earlier. */
  #blockOf(doc: number): number {
    const { skipsAt, skipDocs } = this.text
    const first = skipsAt[this.#term]!
    let low = first + this.#number + 1
    let high = skipsAt[this.#term + 1]!
    for (let step = 1; low + step <= high; step *= 2) {
      if (skipDocs[low + step - 1]! >= doc) {
        high = low + step - 1
        break
      }
      low += step
    }
    while (low < high) {
      const middle = (low + high) >>> 1
      if (skipDocs[middle]! < doc) low = middle + 1
      else high = middle
    }
    return low - first
  }

  /** Goes into a block, without reading it; false when there is none. */
  #enter(number: number): boolean {
    const { counts, tailsAt, skipsAt, skipDocs, skipBlocks } = this.text
    const left = counts[this.#term]! - number * blockSize
    this.#index = 0
    this.#inBlock = Math.max(0, Math.min(left, blockSize))
    this.#isRead = this.#inBlock === 0
    if (this.#inBlock === 0) {
      this.#last = noMoreDocs
      this.#isDense = false // the bits are those of the block before
      return false
    }
    const skip = skipsAt[this.#term]! + number
    this.#number = number
    this.#base = number > 0 ? skipDocs[skip - 1]! : 0
    this.#at = this.#isFull() ? skipBlocks[skip]! : tailsAt[this.#term]!
    this.#isDense = this.#isFull() && isDense(this.text.blocks, this.#at)
    if (this.#isDense) this.#places.begin(this.text.blocks, denseAt(this.#at))
    this.#last = this.#isFull() ? skipDocs[skip]! : this.#docs()[left - 1]!
    return true
  }
}
