/** Documents that have one of some words, and documents where words follow each other. */
import { type Block, blocksOf, createBlock, Cursor, readDocs, readSpreads } from '../segment/postings.ts'
import { type Bits, createBits, hitsOfBits, restrictTo, setBit, unite, type Hits } from './hits.ts'
import { marking, nothing, restrictBy, type Matcher } from './matcher.ts'
import type { Scored, Scratch } from './words.ts'

/** With more words than this, walking all of them for every document costs more than reading them once. */
const manyWords = 12

/** So few are sooner united one by one than added up by document. */
const fewWords = 3

/** Documents that have any of the words; the scores of the words add up. */
export function wordMatcher(maxDoc: number, scratch: Scratch, words: readonly Scored[]): Matcher {
  if (words.length === 0) return nothing()
  const postings = words.reduce((sum, { text, word }) => sum + text.counts[word]!, 0)
  const collect = () =>
    words.length > fewWords ? collectWords(maxDoc, scratch, words) : words.map(collectWord).reduce(unite)
  return {
    cost: Math.min(postings, maxDoc),
    scores: true,
    collect,
    restrict(hits, keep) {
      if (words.length > manyWords || hits.count * words.length > postings) restrictTo(hits, collect(), keep)
      else followWords(hits, words, keep)
    },
  }
}

/** Documents that have any of the words, in a field that counts; there may be very many words, and they do not score. */
export function termMatcher(maxDoc: number, words: readonly Scored[]): Matcher {
  const postings = words.reduce((sum, { text, word }) => sum + text.counts[word]!, 0)
  return marking(maxDoc, postings, (bits) => {
    const block = createBlock()
    const { docs, spreads } = block
    for (const { text, word, weights } of words) {
      for (let number = 0; number < blocksOf(text, word); number++) {
        const found = readDocs(text, word, number, block)
        readSpreads(text, word, number, block)
        // Without a branch: whether a word counts changes from document to document.
        for (let i = 0; i < found; i++) bits[docs[i]! >>> 5]! |= Number(weights[spreads[i]!]! > 0) << (docs[i]! & 31)
      }
    }
  })
}

/** A word scores by what it is worth, by the field it is in and by the length of the text. */
function collectWord({ text, word, weights, norms, worth }: Scored): Hits {
  const block = createBlock()
  const { docs: found, spreads } = block
  const { lengths } = text
  const docs = new Uint32Array(text.counts[word]!)
  const scores = new Float32Array(docs.length)
  let count = 0
  for (let number = 0; number < blocksOf(text, word); number++) {
    const inBlock = readDocs(text, word, number, block)
    readSpreads(text, word, number, block)
    for (let i = 0; i < inBlock; i++) {
      const weight = weights[spreads[i]!]!
      const doc = found[i]!
      // What does not count is written over by the next.
      docs[count] = doc
      scores[count] = worth * weight * norms[lengths[doc]!]!
      if (weight !== 0) count++
    }
  }
  return { docs, scores, count }
}

function collectWords(maxDoc: number, scratch: Scratch, words: readonly Scored[]): Hits {
  const sums = scratch.scores(maxDoc)
  const bits = createBits(maxDoc)
  const block = createBlock()
  for (const word of words) addPostings(word, block, sums, bits)
  const hits = hitsOfBits(bits)
  const scores = new Float32Array(hits.count)
  for (let i = 0; i < hits.count; i++) {
    scores[i] = sums[hits.docs[i]!]!
    sums[hits.docs[i]!] = 0
  }
  return { ...hits, scores }
}

/** What a word adds, wherever it is; rounded as where it is kept for itself. */
function addPostings(
  { text, word, weights, norms, worth }: Scored,
  block: Block,
  sums: Float32Array,
  bits: Bits,
): void {
  const { docs, spreads } = block
  const { lengths } = text
  for (let number = 0; number < blocksOf(text, word); number++) {
    const found = readDocs(text, word, number, block)
    readSpreads(text, word, number, block)
    for (let i = 0; i < found; i++) {
      const weight = weights[spreads[i]!]!
      if (weight === 0) continue
      const doc = docs[i]!
      sums[doc]! += Math.fround(worth * weight * norms[lengths[doc]!]!)
      setBit(bits, doc)
    }
  }
}

/** So many documents are followed at a time: what is noted of them stays in the cache. */
const atOnce = 1024

/** Word by word: a loop over the documents of one word is a short one, and what comes next in it can be foreseen. */
function followWords(hits: Hits, words: readonly Scored[], keep: boolean): void {
  const { docs, count } = hits
  const scores = keep ? (hits.scores ?? new Float32Array(docs.length)) : hits.scores
  const cursors = words.map(({ text, word }) => new Cursor(text, word))
  const room = Math.min(count, atOnce)
  const sums = new Float64Array(room)
  const found = new Uint8Array(room)
  let kept = 0
  for (let from = 0; from < count; from += atOnce) {
    const some = docs.subarray(from, Math.min(from + atOnce, count))
    sums.fill(0)
    found.fill(0)
    for (let w = 0; w < words.length; w++) addWord(words[w]!, cursors[w]!, some, sums, found)
    for (let i = 0; i < some.length; i++) {
      if ((found[i] === 1) !== keep) continue
      if (scores) scores[kept] = scores[from + i]! + sums[i]!
      docs[kept++] = some[i]!
    }
  }
  hits.count = kept
  if (scores) hits.scores = scores
}

/** What a word adds to documents that were found already. */
function addWord(
  { text, weights, norms, worth }: Scored,
  cursor: Cursor,
  docs: Uint32Array,
  sums: Float64Array,
  found: Uint8Array,
): void {
  const { lengths } = text
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i]!
    if (!cursor.seek(doc)) continue
    const weight = weights[cursor.spread]!
    if (weight === 0) continue
    found[i] = 1
    sums[i]! += worth * weight * norms[lengths[doc]!]!
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
  return { cost: all.cost, scores: true, collect, restrict: (hits, keep) => restrictTo(hits, collect(), keep) }
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
