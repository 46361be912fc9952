/** Documents that have one of some words, and documents where words follow each other. */
import { noteHaving, noteSpreads, notThere } from '../segment/lookup.ts'
import { blockSize } from '../segment/packed.ts'
import { blocksOf, Cursor, markPostings, readDocs, readPostings, readSpreads } from '../segment/postings.ts'
import type { Segment } from '../segment/segment.ts'
import type { TextIndex } from '../segment/text-index.ts'
import { addScored, type Score, type Selection } from './best.ts'
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
import type { Scored } from './words.ts'

/** With more words than this, walking all of them for every document costs more than reading them once. */
const manyWords = 12

/** So few are sooner united one by one than marked by document. */
const fewWords = 3

/** Documents that have any of the words; the scores of the words add up. */
export function wordMatcher(maxDoc: number, words: readonly Scored[]): Matcher {
  if (words.length === 0) return nothing()
  const postings = words.reduce((sum, word) => sum + postingsOf(word), 0)
  const all = markedWords(maxDoc, postings, words)
  const [most, ...others] = words.toSorted((a, b) => postingsOf(b) - postingsOf(a))
  const scoreBy =
    (some: readonly Scored[]): Score =>
    (hits, sums) =>
      some.forEach((word) => addScores(word, hits, sums))
  let known: Overlap | undefined
  const overlap = () => (known ??= overlapOf(most!, listWords(maxDoc, others)))
  return {
    cost: all.cost,
    collect: () => listWords(maxDoc, words),
    ...(most!.isEverywhere && { set: () => setOfWords(maxDoc, most!, overlap(), () => listWords(maxDoc, words)) }),
    restrict(hits, keep) {
      if (words.length > manyWords || hits.count * words.length > postings) all.restrict(hits, keep)
      else followWords(hits, words, keep)
    },
    score: scoreBy(words),
    best(selection, segment, isHit) {
      const { inBoth, onlyOthers } = overlap()
      function addSome(some: Hits, by: readonly Scored[]): void {
        const hits = copyOf(some)
        restrictBy(hits, true, isHit)
        addScored(selection, segment, hits, scoreBy(by))
      }
      // The frequent word first: what it is worth, its compounds hardly reach.
      addFrequent(selection, segment, most!, inBoth, isHit)
      addSome(inBoth, words)
      addSome(onlyOthers, others)
    },
  }
}

function markedWords(maxDoc: number, postings: number, words: readonly Scored[]): Matcher {
  return marking(maxDoc, postings, (bits) => {
    for (const { text, word, weights } of words) markPostings(text, word, countingSpreads(weights), bits)
  })
}

function listWords(maxDoc: number, words: readonly Scored[]): Hits {
  if (words.length > fewWords) return markedWords(maxDoc, maxDoc, words).collect()
  return words.length ? words.map(documentsOf).reduce(unite) : noHits()
}

/** Documents that have any of the words, in a field that counts; there may be very many words, and they do not score. */
export function termMatcher(maxDoc: number, text: TextIndex, weights: Float32Array, words: readonly number[]): Matcher {
  let postings = 0
  for (const word of words) postings += text.counts[word]!
  const counts = countingSpreads(weights)
  return marking(maxDoc, postings, (bits) => {
    for (const word of words) markPostings(text, word, counts, bits)
  })
}

/** By spread, 1 where the word stands in a field that counts. */
function countingSpreads(weights: Float32Array): Uint8Array {
  return Uint8Array.from(weights, (weight) => Number(weight > 0))
}

function postingsOf({ text, word }: Scored): number {
  return text.counts[word]!
}

function documentsOf({ text, word, weights, isEverywhere }: Scored): Hits {
  const docs = new Uint32Array(text.counts[word]!)
  let count = 0
  if (isEverywhere) {
    for (let number = 0; number < blocksOf(text, word); number++) count += readDocs(text, word, number, docs, count)
    return { docs, count }
  }
  const { docs: found, spreads } = text.room
  for (let number = 0; number < blocksOf(text, word); number++) {
    const inBlock = readPostings(text, word, number, text.room)
    // What does not count is written over by the next.
    for (let i = 0; i < inBlock; i++) {
      docs[count] = found[i]!
      count += Number(weights[spreads[i]!] !== 0)
    }
  }
  return { docs, count }
}

/** What some words have in common with one that has more documents, and what they have not. */
interface Overlap {
  readonly inBoth: Hits
  readonly onlyOthers: Hits
}
function overlapOf(most: Scored, others: Hits): Overlap {
  const inBoth = copyOf(others)
  followWords(inBoth, [most], true)
  restrictTo(others, inBoth, false)
  return { inBoth, onlyOthers: others }
}

/** One word with all its documents and others with fewer: how many there are is known without reading the one. */
function setOfWords(maxDoc: number, most: Scored, { onlyOthers }: Overlap, list: () => Hits): DocumentSet {
  let bits: Bits | undefined
  return {
    count: postingsOf(most) + onlyOthers.count,
    has: (doc) => hasBit((bits ??= bitsOfHits(list(), maxDoc)), doc),
    list,
  }
}

/** Scores are rounded: what is about as high as the bar may still come onto the page. */
const aLittleLess = 1 - 2 ** -20

/**
 * Adds documents that have a word and none of the others. One is looked at when its spread, in the shortest text there
 * is, would bring it onto the page: soon only where the word stands in the fields that weigh most.
 */
function addFrequent(
  selection: Selection,
  segment: Segment,
  { text, word, weights, norms, worth }: Scored,
  others: Hits,
  isHit: (doc: number) => boolean,
): void {
  const { lengths, room } = text
  const { docs, spreads } = room
  const highest = worth * norms[text.shortest]!
  const places = new Uint8Array(blockSize)
  let { bar } = selection
  for (let number = 0, next = 0; number < blocksOf(text, word); number++) {
    const least = Math.max(Number.MIN_VALUE, (bar / highest) * aLittleLess)
    const found = placesWeighing(weights, least, spreads, readSpreads(text, word, number, spreads), places)
    if (found > 0) readDocs(text, word, number, docs)
    for (let i = 0; i < found; i++) {
      const doc = docs[places[i]!]!
      const score = Math.fround(worth * norms[lengths[doc]!]! * weights[spreads[places[i]!]!]!)
      if (score < bar || !isHit(doc)) continue
      while (next < others.count && others.docs[next]! < doc) next++
      if (next < others.count && others.docs[next] === doc) continue
      selection.add(segment, doc, score)
      bar = selection.bar
    }
  }
}

/** Without a branch: where a word stands changes from document to document. Returns how many places there are. */
function placesWeighing(
  weights: Float32Array,
  least: number,
  spreads: Uint32Array,
  count: number,
  places: Uint8Array,
): number {
  let found = 0
  for (let i = 0; i < count; i++) {
    places[found] = i
    found += Number(weights[spreads[i]!]! >= least)
  }
  return found
}

/** Word by word: a loop over the documents of one word is a short one, and what comes next in it can be foreseen. */
function followWords(hits: Hits, words: readonly Scored[], keep: boolean): void {
  const { docs, count } = hits
  const found = new Uint8Array(count)
  for (const word of words) noteCounting(word, hits, found)
  const wanted = Number(keep)
  let kept = 0
  for (let i = 0; i < count; i++) {
    docs[kept] = docs[i]!
    kept += Number(found[i] === wanted)
  }
  hits.count = kept
}

/** Notes which documents have a word in a field that counts. */
function noteCounting({ text, word, weights, isEverywhere }: Scored, hits: Hits, found: Uint8Array): void {
  if (isEverywhere) return noteHaving(text, word, hits, found)
  const spreads = new Int32Array(hits.count)
  noteSpreads(text, word, hits, spreads)
  for (let i = 0; i < spreads.length; i++) if (spreads[i] !== notThere && weights[spreads[i]!] !== 0) found[i] = 1
}

/** A word scores by what it is worth, by the field it is in and by the length of the text. */
function addScores({ text, word, weights, norms, worth }: Scored, hits: Hits, sums: Float32Array): void {
  const { lengths } = text
  const { docs, count } = hits
  const spreads = new Int32Array(count)
  noteSpreads(text, word, hits, spreads)
  for (let i = 0; i < count; i++) {
    if (spreads[i] !== notThere) sums[i]! += worth * norms[lengths[docs[i]!]!]! * weights[spreads[i]!]!
  }
}

/** Of the documents that have all the words, those where they follow each other in one field. */
export function phraseMatcher(all: Matcher, words: readonly (readonly Scored[])[]): Matcher {
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

/** Where any of the words stand in a document, by field. Documents must be asked for in ascending order. */
export function positionsReader(words: readonly Scored[]): (doc: number) => Positions {
  const cursors = words.map(({ text, word }) => new Cursor(text, word))
  return (doc) => {
    const found = new Map<number, Set<number>>()
    for (let w = 0; w < cursors.length; w++) {
      const cursor = cursors[w]!
      if (!cursor.seek(doc) || words[w]!.weights[cursor.spread] === 0) continue
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
