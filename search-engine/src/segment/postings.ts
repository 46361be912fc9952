/** Reads the postings that text-writer.ts wrote: a block at a time, or by a cursor that stands at one after the other. */
import { readVarint, skipVarints, type VarintReader } from './bytes.ts'
import { blockBits, blockSize } from './packed.ts'
import { DensePlaces } from './dense.ts'
import { blockSpread, denseAt, isDense, readBlockDocs, readBlockSpreads, type Block } from './postings-block.ts'
import { markTail, readTail, readTailDocs, readTailSpreads, tailSpread } from './tail.ts'
import { occurrences, spreadOf, type TextIndex } from './text-index.ts'

/** How many blocks a term has; the last may be less than full. */
export function blocksOf(text: TextIndex, term: number): number {
  return (text.counts[term]! + blockSize - 1) >>> blockBits
}

/** Reads the documents of a block of a term, writes them from a place on, and returns how many there are. */
export function readDocs(text: TextIndex, term: number, block: number, into: Uint32Array, start = 0): number {
  const left = text.counts[term]! - block * blockSize
  const base = baseOf(text, term, block)
  if (left >= blockSize) readBlockDocs(text.blocks, fullAt(text, term, block), base, into, start)
  else readTailDocs(text.blocks, text.tailsAt[term]!, base, left, into, start)
  return Math.min(left, blockSize)
}

/** The same of the spreads. */
export function readSpreads(text: TextIndex, term: number, block: number, into: Uint32Array): number {
  const left = text.counts[term]! - block * blockSize
  if (left >= blockSize) readBlockSpreads(text.blocks, fullAt(text, term, block), into)
  else readTailSpreads(text.blocks, text.tailsAt[term]!, left, into)
  return Math.min(left, blockSize)
}

/** Both. */
export function readPostings(text: TextIndex, term: number, block: number, into: Block): number {
  const left = text.counts[term]! - block * blockSize
  if (left < blockSize) readTail(text.blocks, text.tailsAt[term]!, baseOf(text, term, block), left, into)
  else {
    readDocs(text, term, block, into.docs)
    readSpreads(text, term, block, into.spreads)
  }
  return Math.min(left, blockSize)
}

/**
 * Marks the documents of a term where its spread counts, by a table of 0 and 1. Without a branch: where a word stands
 * changes from document to document.
 */
export function markPostings(text: TextIndex, term: number, counts: Uint8Array, bits: Uint32Array): void {
  const { docs, spreads } = text.room
  const all = text.counts[term]!
  const full = all >>> blockBits
  for (let block = 0; block < full; block++) {
    readPostings(text, term, block, text.room)
    for (let i = 0; i < blockSize; i++) bits[docs[i]! >>> 5]! |= counts[spreads[i]!]! << (docs[i]! & 31)
  }
  const left = all - full * blockSize
  if (left > 0) markTail(text.blocks, text.tailsAt[term]!, baseOf(text, term, full), left, counts, bits)
}

/** The last document of the block before. */
function baseOf({ skipsAt, skipDocs }: TextIndex, term: number, block: number): number {
  return block > 0 ? skipDocs[skipsAt[term]! + block - 1]! : 0
}
function fullAt({ skipsAt, skipBlocks }: TextIndex, term: number, block: number): number {
  return skipBlocks[skipsAt[term]! + block]!
}

export const noMoreDocs = 0xffffffff

/** Goes along the blocks of a term, and passes over those that nobody asks for; none is read by that. */
export class BlockWalk {
  readonly text: TextIndex
  readonly term: number
  /** The block it is in, how many documents this has, and where it begins. */
  number = -1
  count = 0
  at = 0
  /** The last document of the block before, and one that none of this block is behind. */
  base = 0
  last = -1
  isDense = false

  constructor(text: TextIndex, term: number) {
    this.text = text
    this.term = term
  }

  /** Goes into the first block that can hold a document: those before it end earlier. False when there is none. */
  enterFor(doc: number): boolean {
    const { skipsAt, skipDocs } = this.text
    const first = skipsAt[this.term]!
    let low = first + this.number + 1
    let high = skipsAt[this.term + 1]!
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
    return this.enter(low - first)
  }

  enter(number: number): boolean {
    const { blocks, counts, tailsAt, skipsAt, skipDocs, skipBlocks } = this.text
    const left = counts[this.term]! - number * blockSize
    this.count = Math.max(0, Math.min(left, blockSize))
    this.isDense = false
    this.last = noMoreDocs
    if (this.count === 0) return false
    const skip = skipsAt[this.term]! + number
    this.number = number
    this.base = number > 0 ? skipDocs[skip - 1]! : 0
    if (this.isFull) {
      this.at = skipBlocks[skip]!
      this.last = skipDocs[skip]!
      this.isDense = isDense(blocks, this.at)
    } else this.at = tailsAt[this.term]!
    return true
  }

  get isFull(): boolean {
    return this.count === blockSize
  }

  /** Reads the documents of the block. */
  read(into: Uint32Array): void {
    const { blocks } = this.text
    if (this.isFull) readBlockDocs(blocks, this.at, this.base, into)
    else readTailDocs(blocks, this.at, this.base, this.count, into)
  }

  /** How the word is spread over the fields of the document at a place of the block. */
  spreadAt(place: number): number {
    const { blocks } = this.text
    return this.isFull ? blockSpread(blocks, this.at, place) : tailSpread(blocks, this.at, place)
  }
}

/** Stands at one document of a term after the other, either at all of them or at those that are sought. */
export class Cursor {
  readonly #block: BlockWalk
  /** Made when documents are read, which those of dense blocks never are. */
  #docs: Uint32Array | undefined
  #isRead = false
  readonly #places: DensePlaces
  #index = -1

  constructor(text: TextIndex, term: number) {
    this.#block = new BlockWalk(text, term)
    this.#places = new DensePlaces(text.blocks)
  }

  next(): number {
    const block = this.#block
    if (++this.#index >= block.count && !this.#begin(block.enter(block.number + 1))) return noMoreDocs
    return this.#read()[this.#index]!
  }

  /** Whether the word is in a document, at which it then stands. Documents must be sought in ascending order. */
  seek(doc: number): boolean {
    const block = this.#block
    if (doc > block.last && !this.#begin(block.enterFor(doc))) return false
    if (!block.isDense) return this.#search(doc)
    const place = this.#places.placeOf(doc - block.base)
    if (place < 0) return false
    this.#index = place
    return true
  }

  /** How the word is spread over the fields of the document it stands at. */
  get spread(): number {
    return this.#block.spreadAt(this.#index)
  }

  /** The positions at the document it stands at, by field. */
  positions(): Map<number, number[]> {
    const { text, term, number } = this.#block
    const { bytes, at: starts, skips } = text.positions
    let at = number > 0 ? skips[text.skipsAt[term]! + number - 1]! : starts[term]!
    for (let i = 0; i < this.#index; i++) at = skipVarints(bytes, at, occurrences(text, this.#block.spreadAt(i)))
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

  /** At the beginning of a block, if there is one. */
  #begin(isThere: boolean): boolean {
    const { at, isDense } = this.#block
    this.#index = 0
    this.#isRead = false
    if (isThere && isDense) this.#places.begin(denseAt(at))
    return isThere
  }
  #read(): Uint32Array {
    const docs = (this.#docs ??= new Uint32Array(blockSize))
    if (!this.#isRead) this.#block.read(docs)
    this.#isRead = true
    return docs
  }

  /** Goes on to the first document of the block that is not before another, which is mostly not far ahead. */
  #search(doc: number): boolean {
    const { count } = this.#block
    if (count === 0) return false
    const docs = this.#read()
    let low = this.#index
    let step = 1
    while (low + step < count && docs[low + step]! < doc) {
      low += step
      step *= 2
    }
    let high = Math.min(low + step, count)
    while (low < high) {
      const middle = (low + high) >>> 1
      if (docs[middle]! < doc) low = middle + 1
      else high = middle
    }
    this.#index = low
    return low < count && docs[low] === doc
  }
}
