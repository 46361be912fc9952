/**
 * Sets of documents of one segment: sorted arrays, bitmaps, and lazy sets that know their size and can test membership
 * without listing their documents.
 */
export interface Hits {
  docs: Uint32Array
  count: number
}

export function noHits(): Hits {
  return { docs: new Uint32Array(0), count: 0 }
}

export function copyOf({ docs, count }: Hits): Hits {
  return { docs: docs.slice(0, count), count }
}

export function allHits(maxDoc: number): Hits {
  const docs = new Uint32Array(maxDoc)
  for (let doc = 0; doc < maxDoc; doc++) docs[doc] = doc
  return { docs, count: maxDoc }
}

/** A set that has not been listed. A page in sort order only needs to test some documents. */
export interface DocumentSet {
  readonly count: number
  has(doc: number): boolean
  list(): Hits
  /** The bitmap, if there is one. */
  readonly bits?: Bits
}

export function setOfBits(bits: Bits): DocumentSet {
  const count = countBits(bits)
  return { count, has: (doc) => hasBit(bits, doc), list: () => hitsOfBits(bits, count), bits }
}

/** The set without deleted documents, given as a bitmap and as the list of those in the set. */
export function without(set: DocumentSet, removed: Bits, inSet: Hits): DocumentSet {
  return {
    count: set.count - inSet.count,
    has: (doc) => !hasBit(removed, doc) && set.has(doc),
    list() {
      const hits = set.list()
      leaveOut(hits, removed)
      return hits
    },
  }
}

export type Bits = Uint32Array
export function createBits(maxDoc: number): Bits {
  return new Uint32Array((maxDoc + 31) >>> 5)
}
export function allBits(maxDoc: number): Bits {
  const bits = createBits(maxDoc).fill(0xffffffff)
  if (maxDoc & 31) bits[bits.length - 1] = 2 ** (maxDoc & 31) - 1
  return bits
}
export function setBit(bits: Bits, doc: number): void {
  bits[doc >>> 5]! |= 1 << (doc & 31)
}
export function hasBit(bits: Bits, doc: number): boolean {
  return (bits[doc >>> 5]! & (1 << (doc & 31))) !== 0
}
/** The number of bits set in a word. */
function popCount(word: number): number {
  let rest = word - ((word >>> 1) & 0x55555555)
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333)
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
export function countBits(bits: Bits): number {
  let count = 0
  for (let i = 0; i < bits.length; i++) count += popCount(bits[i]!)
  return count
}

export function hitsOfBits(bits: Bits, all = countBits(bits)): Hits {
  const docs = new Uint32Array(all)
  let count = 0
  for (let i = 0; i < bits.length; i++) {
    for (let word = bits[i]!; word !== 0; word &= word - 1) docs[count++] = (i << 5) + 31 - Math.clz32(word & -word)
  }
  return { docs, count }
}

export function bitsOfHits({ docs, count }: Hits, maxDoc: number): Bits {
  const bits = createBits(maxDoc)
  for (let i = 0; i < count; i++) setBit(bits, docs[i]!)
  return bits
}

/** Keeps documents that are among the others or, if `keep` is false, those that are not. */
export function restrictTo(hits: Hits, others: Hits, keep: boolean): void {
  const { docs } = hits
  let kept = 0
  for (let i = 0, j = 0; i < hits.count; i++) {
    const doc = docs[i]!
    while (j < others.count && others.docs[j]! < doc) j++
    if ((j < others.count && others.docs[j] === doc) === keep) docs[kept++] = doc
  }
  hits.count = kept
}

/**
 * The same with a bitmap. Branch-free: every document is written, and overwritten by the next unless it is kept. Branches
 * would be mispredicted, which costs more than a write.
 */
export function restrictToBits(hits: Hits, bits: Bits, keep: boolean): void {
  const { docs, count } = hits
  const flip = keep ? 0 : 1
  let kept = 0
  for (let i = 0; i < count; i++) {
    const doc = docs[i]!
    docs[kept] = doc
    kept += ((bits[doc >>> 5]! >>> (doc & 31)) & 1) ^ flip
  }
  hits.count = kept
}

/** Removes the documents of a bitmap with few bits; usually nothing moves. */
export function leaveOut(hits: Hits, bits: Bits): void {
  const { docs, count } = hits
  let kept = 0
  for (let i = 0; i < count; i++) {
    const doc = docs[i]!
    if ((bits[doc >>> 5]! & (1 << (doc & 31))) !== 0) continue
    if (kept !== i) docs[kept] = doc
    kept++
  }
  hits.count = kept
}

/** The union of two sets. */
export function unite(a: Hits, b: Hits): Hits {
  const docs = new Uint32Array(a.count + b.count)
  let i = 0
  let j = 0
  let count = 0
  while (i < a.count && j < b.count) {
    const left = a.docs[i]!
    const right = b.docs[j]!
    docs[count++] = Math.min(left, right)
    if (left <= right) i++
    if (right <= left) j++
  }
  docs.set(a.docs.subarray(i, a.count), count)
  docs.set(b.docs.subarray(j, b.count), count + a.count - i)
  return { docs, count: count + a.count - i + b.count - j }
}
