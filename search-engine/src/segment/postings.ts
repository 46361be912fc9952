/** Reads the posting lists that text-writer.ts wrote, block by block or with a cursor. */
import { readVarint, skipVarints, type VarintReader } from './bytes.ts'
import { blockBits, blockSize } from './bit-packing.ts'
import { blockProfile, readBlockDocs, readBlockProfiles, type Block } from './postings-block.ts'
import { markTail, readTail, readTailDocs, readTailProfiles, tailProfile } from './postings-tail.ts'
import { occurrences, profileOf, type TextIndex } from './text-index.ts'

/** The number of blocks of a term; the last may be partial. */
export function blocksOf(text: TextIndex, term: number): number {
  return (text.counts[term]! + blockSize - 1) >>> blockBits
}

/** Decodes the documents of a block into `into`, from index `start`; returns their number. */
export function readDocs(text: TextIndex, term: number, block: number, into: Uint32Array, start = 0): number {
  const left = text.counts[term]! - block * blockSize
  const base = baseOf(text, term, block)
  if (left >= blockSize) readBlockDocs(text.blocks, fullAt(text, term, block), base, into, start)
  else readTailDocs(text.blocks, text.tailsAt[term]!, base, left, into, start)
  return Math.min(left, blockSize)
}

/** Decodes the profiles of a block. */
export function readProfiles(text: TextIndex, term: number, block: number, into: Uint32Array): number {
  const left = text.counts[term]! - block * blockSize
  if (left >= blockSize) readBlockProfiles(text.blocks, fullAt(text, term, block), into)
  else readTailProfiles(text.blocks, text.tailsAt[term]!, left, into)
  return Math.min(left, blockSize)
}

/** Decodes both. */
export function readPostings(text: TextIndex, term: number, block: number, into: Block): number {
  const left = text.counts[term]! - block * blockSize
  if (left < blockSize) readTail(text.blocks, text.tailsAt[term]!, baseOf(text, term, block), left, into)
  else {
    readDocs(text, term, block, into.docs)
    readProfiles(text, term, block, into.profiles)
  }
  return Math.min(left, blockSize)
}

/**
 * Sets the bit of each document whose profile is accepted, by a table of 0 and 1. Branch-free, because a branch on the
 * profile would be mispredicted often.
 */
export function markPostings(text: TextIndex, term: number, counts: Uint8Array, bits: Uint32Array): void {
  const { docs, profiles } = text.scratch
  const all = text.counts[term]!
  const full = all >>> blockBits
  for (let block = 0; block < full; block++) {
    readPostings(text, term, block, text.scratch)
    for (let i = 0; i < blockSize; i++) bits[docs[i]! >>> 5]! |= counts[profiles[i]!]! << (docs[i]! & 31)
  }
  const left = all - full * blockSize
  if (left > 0) markTail(text.blocks, text.tailsAt[term]!, baseOf(text, term, full), left, counts, bits)
}

/** The last document of the previous block. */
function baseOf({ skipsAt, skipDocs }: TextIndex, term: number, block: number): number {
  return block > 0 ? skipDocs[skipsAt[term]! + block - 1]! : 0
}
function fullAt({ skipsAt, skipBlocks }: TextIndex, term: number, block: number): number {
  return skipBlocks[skipsAt[term]! + block]!
}

export const noMoreDocs = 0xffffffff

/** Iterates over the blocks of a term using the skip data. Skipped blocks are not decoded. */
export class BlockIterator {
  readonly text: TextIndex
  readonly term: number
  /** Number, document count and offset of the current block. */
  number = -1
  count = 0
  at = 0
  /** The last document of the previous block, and an upper bound for the documents of this block. */
  base = 0
  last = -1

  constructor(text: TextIndex, term: number) {
    this.text = text
    this.term = term
  }

  /** Advances to the first block that can contain the document. Returns false if there is none. */
  advanceTo(doc: number): boolean {
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
    const { counts, tailsAt, skipsAt, skipDocs, skipBlocks } = this.text
    const left = counts[this.term]! - number * blockSize
    this.count = Math.max(0, Math.min(left, blockSize))
    this.last = noMoreDocs
    if (this.count === 0) return false
    const skip = skipsAt[this.term]! + number
    this.number = number
    this.base = number > 0 ? skipDocs[skip - 1]! : 0
    if (this.isFull) {
      this.at = skipBlocks[skip]!
      this.last = skipDocs[skip]!
    } else this.at = tailsAt[this.term]!
    return true
  }

  get isFull(): boolean {
    return this.count === blockSize
  }

  /** Decodes the documents of the block. */
  read(into: Uint32Array): void {
    const { blocks } = this.text
    if (this.isFull) readBlockDocs(blocks, this.at, this.base, into)
    else readTailDocs(blocks, this.at, this.base, this.count, into)
  }

  /** The profile of the document at an index of the block. */
  profileAt(index: number): number {
    const { blocks } = this.text
    return this.isFull ? blockProfile(blocks, this.at, index) : tailProfile(blocks, this.at, index)
  }
}

/** Iterates over the documents of a term, either all of them or those that are sought. */
export class Cursor {
  readonly #block: BlockIterator
  readonly #docs = new Uint32Array(blockSize)
  #isRead = false
  #index = -1

  constructor(text: TextIndex, term: number) {
    this.#block = new BlockIterator(text, term)
  }

  next(): number {
    const block = this.#block
    if (++this.#index >= block.count && !this.#begin(block.enter(block.number + 1))) return noMoreDocs
    return this.#read()[this.#index]!
  }

  /** Whether the term occurs in a document; moves there if so. Documents must be sought in ascending order. */
  seek(doc: number): boolean {
    const block = this.#block
    if (doc > block.last && !this.#begin(block.advanceTo(doc))) return false
    return this.#search(doc)
  }

  /** The profile at the current document. */
  get profile(): number {
    return this.#block.profileAt(this.#index)
  }

  /** Term positions in the current document, by field. */
  positions(): Map<number, number[]> {
    const { text, term, number } = this.#block
    const { bytes, at: starts, skips } = text.positions
    let at = number > 0 ? skips[text.skipsAt[term]! + number - 1]! : starts[term]!
    for (let i = 0; i < this.#index; i++) at = skipVarints(bytes, at, occurrences(text, this.#block.profileAt(i)))
    const reader: VarintReader = { data: bytes, at }
    const pairs = profileOf(text, this.profile)
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

  /** Starts a new block, if there is one. */
  #begin(exists: boolean): boolean {
    this.#index = 0
    this.#isRead = false
    return exists
  }
  #read(): Uint32Array {
    if (!this.#isRead) this.#block.read(this.#docs)
    this.#isRead = true
    return this.#docs
  }

  /** Advances to the first document of the block that is not less than `doc`. Gallops, because it is usually near. */
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
