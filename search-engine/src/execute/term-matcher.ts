/** Matches documents with any of several terms, and phrases. */
import { markContaining, readProfilesOf, notFound } from '../segment/postings-lookup.ts'
import { blockSize } from '../segment/bit-packing.ts'
import { blocksOf, Cursor, markPostings, readDocs, readPostings, readProfiles } from '../segment/postings.ts'
import type { Segment } from '../segment/segment.ts'
import type { TextIndex } from '../segment/text-index.ts'
import { addHits, type Score, type TopHits } from './top-hits.ts'
import {
  bitsOfHits,
  copyOf,
  hasBit,
  noHits,
  restrictTo,
  unite,
  type Bits,
  type DocumentSet,
  type Hits,
} from './hits.ts'
import { marking, nothing, restrictBy, type Matcher } from './matcher.ts'
import type { ScoredTerm } from './term-scoring.ts'

/** With more terms than this, looking up each term costs more than decoding all posting lists once. */
const maxLookups = 12

/** So few posting lists are merged pairwise instead of through a bitmap. */
const maxMergedLists = 3

/** Documents with any of the terms. The scores of the terms add up. */
export function wordMatcher(maxDoc: number, words: readonly ScoredTerm[]): Matcher {
  if (words.length === 0) return nothing()
  const postings = words.reduce((sum, word) => sum + postingsOf(word), 0)
  const all = markedWords(maxDoc, postings, words)
  const [most, ...others] = words.toSorted((a, b) => postingsOf(b) - postingsOf(a))
  const scoreBy =
    (some: readonly ScoredTerm[]): Score =>
    (hits, sums) =>
      some.forEach((word) => addScores(word, hits, sums))
  let known: Overlap | undefined
  const overlap = () => (known ??= overlapOf(most!, listWords(maxDoc, others)))
  return {
    cost: all.cost,
    collect: () => listWords(maxDoc, words),
    ...(most!.isEverywhere && { set: () => setOfWords(maxDoc, most!, overlap(), () => listWords(maxDoc, words)) }),
    restrict(hits, keep) {
      if (words.length > maxLookups || hits.count * words.length > postings) all.restrict(hits, keep)
      else followWords(hits, words, keep)
    },
    score: scoreBy(words),
    best(topHits, segment, isHit) {
      const { inBoth, onlyOthers } = overlap()
      function addSome(some: Hits, by: readonly ScoredTerm[]): void {
        const hits = copyOf(some)
        restrictBy(hits, true, isHit)
        addHits(topHits, segment, hits, scoreBy(by))
      }
      // The frequent term first: its compounds hardly ever score higher.
      addFrequent(topHits, segment, most!, inBoth, isHit)
      addSome(inBoth, words)
      addSome(onlyOthers, others)
    },
  }
}

function markedWords(maxDoc: number, postings: number, words: readonly ScoredTerm[]): Matcher {
  return marking(maxDoc, postings, (bits) => {
    for (const { text, word, weights } of words) markPostings(text, word, acceptedProfiles(weights), bits)
  })
}

function listWords(maxDoc: number, words: readonly ScoredTerm[]): Hits {
  if (words.length > maxMergedLists) return markedWords(maxDoc, maxDoc, words).collect()
  return words.length ? words.map(documentsOf).reduce(unite) : noHits()
}

/** Documents with any of the terms in an accepted field. There may be very many terms; they do not score. */
export function termMatcher(maxDoc: number, text: TextIndex, weights: Float32Array, words: readonly number[]): Matcher {
  let postings = 0
  for (const word of words) postings += text.counts[word]!
  const counts = acceptedProfiles(weights)
  return marking(maxDoc, postings, (bits) => {
    for (const word of words) markPostings(text, word, counts, bits)
  })
}

const accepted = new WeakMap<Float32Array, Uint8Array>()

/**
 * By profile, 1 if the term occurs in an accepted field. Kept with the weights, which the segment keeps: a wide catalogue
 * has ten thousand profiles per segment, and every term of every query needs them.
 */
function acceptedProfiles(weights: Float32Array): Uint8Array {
  let known = accepted.get(weights)
  if (!known) {
    known = new Uint8Array(weights.length)
    for (let profile = 0; profile < weights.length; profile++) known[profile] = Number(weights[profile]! > 0)
    accepted.set(weights, known)
  }
  return known
}

function postingsOf({ text, word }: ScoredTerm): number {
  return text.counts[word]!
}

function documentsOf({ text, word, weights, isEverywhere }: ScoredTerm): Hits {
  const docs = new Uint32Array(text.counts[word]!)
  let count = 0
  if (isEverywhere) {
    for (let number = 0; number < blocksOf(text, word); number++) count += readDocs(text, word, number, docs, count)
    return { docs, count }
  }
  const { docs: found, profiles } = text.scratch
  for (let number = 0; number < blocksOf(text, word); number++) {
    const inBlock = readPostings(text, word, number, text.scratch)
    // Rejected documents are overwritten by the next.
    for (let i = 0; i < inBlock; i++) {
      docs[count] = found[i]!
      count += Number(weights[profiles[i]!] !== 0)
    }
  }
  return { docs, count }
}

/** The documents of some terms, split by whether they also contain the most frequent term. */
interface Overlap {
  readonly inBoth: Hits
  readonly onlyOthers: Hits
}
function overlapOf(most: ScoredTerm, others: Hits): Overlap {
  const inBoth = copyOf(others)
  followWords(inBoth, [most], true)
  restrictTo(others, inBoth, false)
  return { inBoth, onlyOthers: others }
}

/** One term with all its documents, and rarer ones: the total is known without decoding the frequent term. */
function setOfWords(maxDoc: number, most: ScoredTerm, { onlyOthers }: Overlap, list: () => Hits): DocumentSet {
  let bits: Bits | undefined
  return {
    count: postingsOf(most) + onlyOthers.count,
    has: (doc) => hasBit((bits ??= bitsOfHits(list(), maxDoc)), doc),
    list,
  }
}

/** Tolerance for rounding when scores are compared with the minimum score. */
const scoreTolerance = 1 - 2 ** -20

/**
 * Adds documents with a term and none of the others. A document is scored only if its profile would be competitive in
 * the shortest document, so soon only documents with the term in the highest weighted fields are scored.
 */
function addFrequent(
  topHits: TopHits,
  segment: Segment,
  { text, word, weights, norms, weight }: ScoredTerm,
  others: Hits,
  isHit: (doc: number) => boolean,
): void {
  const { lengths, scratch } = text
  const { docs, profiles } = scratch
  const highest = weight * norms[text.shortest]!
  const indexes = new Uint8Array(blockSize)
  let { minScore } = topHits
  for (let number = 0, next = 0; number < blocksOf(text, word); number++) {
    const least = Math.max(Number.MIN_VALUE, (minScore / highest) * scoreTolerance)
    const found = indexesWeighing(weights, least, profiles, readProfiles(text, word, number, profiles), indexes)
    if (found > 0) readDocs(text, word, number, docs)
    for (let i = 0; i < found; i++) {
      const doc = docs[indexes[i]!]!
      const score = Math.fround(weight * norms[lengths[doc]!]! * weights[profiles[indexes[i]!]!]!)
      if (score < minScore || !isHit(doc)) continue
      while (next < others.count && others.docs[next]! < doc) next++
      if (next < others.count && others.docs[next] === doc) continue
      topHits.add(segment, doc, score)
      minScore = topHits.minScore
    }
  }
}

/** Branch-free, because a branch on the profile would be mispredicted. Returns the number of indexes. */
function indexesWeighing(
  weights: Float32Array,
  least: number,
  profiles: Uint32Array,
  count: number,
  indexes: Uint8Array,
): number {
  let found = 0
  for (let i = 0; i < count; i++) {
    indexes[found] = i
    found += Number(weights[profiles[i]!]! >= least)
  }
  return found
}

/** Term by term: the loop over the documents of one term is short and predictable. */
function followWords(hits: Hits, words: readonly ScoredTerm[], keep: boolean): void {
  const { docs, count } = hits
  const found = new Uint8Array(count)
  for (const word of words) markAccepted(word, hits, found)
  const wanted = Number(keep)
  let kept = 0
  for (let i = 0; i < count; i++) {
    docs[kept] = docs[i]!
    kept += Number(found[i] === wanted)
  }
  hits.count = kept
}

/** Marks the documents that contain a term in an accepted field. */
function markAccepted({ text, word, weights, isEverywhere }: ScoredTerm, hits: Hits, found: Uint8Array): void {
  if (isEverywhere) return markContaining(text, word, hits, found)
  const profiles = new Int32Array(hits.count)
  readProfilesOf(text, word, hits, profiles)
  for (let i = 0; i < profiles.length; i++) if (profiles[i] !== notFound && weights[profiles[i]!] !== 0) found[i] = 1
}

/** BM25 score: weight of the term, its profile and the document length. */
function addScores({ text, word, weights, norms, weight }: ScoredTerm, hits: Hits, sums: Float32Array): void {
  const { lengths } = text
  const { docs, count } = hits
  const profiles = new Int32Array(count)
  readProfilesOf(text, word, hits, profiles)
  for (let i = 0; i < count; i++) {
    if (profiles[i] !== notFound) sums[i]! += weight * norms[lengths[docs[i]!]!]! * weights[profiles[i]!]!
  }
}

/** Of the documents that contain all terms, those where they are adjacent in one field. */
export function phraseMatcher(all: Matcher, words: readonly (readonly ScoredTerm[])[]): Matcher {
  function verify(hits: Hits): Hits {
    const readers = words.map(positionsReader)
    restrictBy(hits, true, (doc) => follow(readers.map((positionsAt) => positionsAt(doc))))
    return hits
  }
  const collect = () => verify(all.collect())
  return {
    cost: all.cost,
    collect,
    restrict: (hits, keep) => restrictTo(hits, collect(), keep),
    score: all.score,
  }
}

type Positions = ReadonlyMap<number, ReadonlySet<number>>

/** Positions of any of the terms in a document, by field. Documents must be requested in ascending order. */
export function positionsReader(words: readonly ScoredTerm[]): (doc: number) => Positions {
  const cursors = words.map(({ text, word }) => new Cursor(text, word))
  return (doc) => {
    const found = new Map<number, Set<number>>()
    for (let w = 0; w < cursors.length; w++) {
      const cursor = cursors[w]!
      if (!cursor.seek(doc) || words[w]!.weights[cursor.profile] === 0) continue
      for (const [field, positions] of cursor.positions()) {
        if (!words[w]!.isSearched(field)) continue
        const known = found.get(field)
        if (known) for (const position of positions) known.add(position)
        else found.set(field, new Set(positions))
      }
    }
    return found
  }
}

function follow([first, ...others]: readonly Positions[]): boolean {
  for (const [field, starts] of first!) {
    for (const start of starts) {
      if (others.every((positions, i) => positions.get(field)?.has(start + i + 1))) return true
    }
  }
  return false
}
