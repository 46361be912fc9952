/**
 * Sets of documents of one segment: sorted numbers, with scores where text was searched; bits, to sort numbers by
 * setting them; and sets that can be counted and asked without listing what is in them.
 */
import { bitsIn } from '../segment/dense.ts'

export interface Hits {
  docs: Uint32Array
  /** By place in `docs`; absent while nothing has scored. */
  scores?: Float32Array
  count: number
}

export function noHits(): Hits {
  return { docs: new Uint32Array(0), count: 0 }
}

export function allHits(maxDoc: number): Hits {
  const docs = new Uint32Array(maxDoc)
  for (let doc = 0; doc < maxDoc; doc++) docs[doc] = doc
  return { docs, count: maxDoc }
}

/** Documents that are not listed yet: a page by a sort column needs no more than to ask about some of them. */
export interface DocumentSet {
  readonly count: number
  has(doc: number): boolean
  list(): Hits
  /** Where it is kept as bits. */
  readonly bits?: Bits
}

export function setOfBits(bits: Bits): DocumentSet {
  return { count: countBits(bits), has: (doc) => hasBit(bits, doc), list: () => hitsOfBits(bits), bits }
}

/** The set without what is among some bits, which are few; `restrict` leaves of hits those that are in the set. */
export function without(set: DocumentSet, some: Bits, restrict: (hits: Hits, keep: boolean) => void): DocumentSet {
  if (set.bits) return setOfBits(bitsWithout(set.bits, some))
  const inSet = hitsOfBits(some)
  restrict(inSet, true)
  return {
    count: set.count - inSet.count,
    has: (doc) => !hasBit(some, doc) && set.has(doc),
    list() {
      const hits = set.list()
      leaveOut(hits, some)
      return hits
    },
  }
}

function bitsWithout(bits: Bits, some: Bits): Bits {
  const left = new Uint32Array(bits.length)
  for (let i = 0; i < left.length; i++) left[i] = bits[i]! & ~some[i]!
  return left
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
export function countBits(bits: Bits): number {
  let count = 0
  for (let i = 0; i < bits.length; i++) count += bitsIn(bits[i]!)
  return count
}

export function hitsOfBits(bits: Bits): Hits {
  const docs = new Uint32Array(countBits(bits))
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

/** Keeps what is (or, with `keep` false, is not) among the others; scores add up. */
export function restrictTo(hits: Hits, others: Hits, keep: boolean): void {
  const { docs, scores } = hits
  const added = keep ? others.scores : undefined
  const sums = added && (scores ?? new Float32Array(docs.length))
  let kept = 0
  for (let i = 0, j = 0; i < hits.count; i++) {
    const doc = docs[i]!
    while (j < others.count && others.docs[j]! < doc) j++
    if ((j < others.count && others.docs[j] === doc) !== keep) continue
    if (sums) sums[kept] = (scores ? scores[i]! : 0) + added![j]!
    else if (scores) scores[kept] = scores[i]!
    docs[kept++] = doc
  }
  hits.count = kept
  if (sums) hits.scores = sums
}

/**
 * The same by bits. Every document is written, and the next one over it unless it is kept: the processor cannot guess
 * which will be, and a wrong guess costs more than a write.
 */
export function restrictToBits(hits: Hits, bits: Bits, keep: boolean): void {
  const { docs, scores, count } = hits
  const flip = keep ? 0 : 1
  let kept = 0
  for (let i = 0; i < count; i++) {
    const doc = docs[i]!
    docs[kept] = doc
    if (scores) scores[kept] = scores[i]!
    kept += ((bits[doc >>> 5]! >>> (doc & 31)) & 1) ^ flip
  }
  hits.count = kept
}

/** Leaves out what is among some bits, which are few: mostly nothing moves. */
export function leaveOut(hits: Hits, bits: Bits): void {
  const { docs, scores, count } = hits
  let kept = 0
  for (let i = 0; i < count; i++) {
    const doc = docs[i]!
    if ((bits[doc >>> 5]! & (1 << (doc & 31))) !== 0) continue
    if (kept !== i) {
      docs[kept] = doc
      if (scores) scores[kept] = scores[i]!
    }
    kept++
  }
  hits.count = kept
}

/** All documents of either; scores add up. */
export function unite(a: Hits, b: Hits): Hits {
  const docs = new Uint32Array(a.count + b.count)
  const scores = new Float32Array(docs.length)
  const ofA = scoresOf(a)
  const ofB = scoresOf(b)
  let i = 0
  let j = 0
  let count = 0
  while (i < a.count && j < b.count) {
    const left = a.docs[i]!
    const right = b.docs[j]!
    docs[count] = Math.min(left, right)
    if (left < right) scores[count++] = ofA[i++]!
    else if (right < left) scores[count++] = ofB[j++]!
    else scores[count++] = ofA[i++]! + ofB[j++]!
  }
  docs.set(a.docs.subarray(i, a.count), count)
  scores.set(ofA.subarray(i, a.count), count)
  docs.set(b.docs.subarray(j, b.count), count + a.count - i)
  scores.set(ofB.subarray(j, b.count), count + a.count - i)
  count += a.count - i + b.count - j
  return a.scores || b.scores ? { docs, scores, count } : { docs, count }
}
function scoresOf({ scores, count }: Hits): Float32Array {
  return scores ?? new Float32Array(count)
}

/** All documents of either; the better score counts. */
export function uniteBest(a: Hits, b: Hits): Hits {
  const sum = unite(a, b)
  for (let i = 0, j = 0, k = 0; k < sum.count; k++) {
    const doc = sum.docs[k]!
    const left = i < a.count && a.docs[i] === doc ? (a.scores?.[i++] ?? 0) : 0
    const right = j < b.count && b.docs[j] === doc ? (b.scores?.[j++] ?? 0) : 0
    if (sum.scores) sum.scores[k] = Math.max(left, right)
  }
  return sum
}
