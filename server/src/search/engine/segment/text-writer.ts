/**
 * Writes the words of all fields in one locale. Who feeds it brings terms in the order of their bytes, and of each
 * term the documents in their order.
 *
 *   terms       the words, folded; `shown` how a word was written where that differs
 *   stems       the stems, and of each the words it groups: a query for one word is a query for its group
 *   spreads     how a word is spread over the fields of a document: {name: 1}, {name: 1, body: 2} ...; there are few of
 *               them, so one number per posting tells the fields, the counts and, by weight, the score
 *   blocks      by term, 128 postings each: a word that tells how (postings-block.ts), the documents, as gaps (packed.ts) or
 *               as bits (dense.ts), and the spreads
 *   postings    by term, the less than 128 that are left, by document: one varint of the gap, and in its last three bits
 *               the spread; 7 there says that the rest of the spread follows as a varint
 *   positions   by term, by document, by field of the spread, by occurrence: varint gap to the position before
 *   skips       one entry for every block: its last document, where it begins, where the positions go on behind it
 *   lengths     by document: how many words, in steps of a sixteenth of an octave
 */
import { createBytes, createNumbers, finish, finishNumbers, push, putBytes, putVarint, type Bytes } from './bytes.ts'
import type { Sections } from './container.ts'
import { blockSize } from './packed.ts'
import { putBlock } from './postings-block.ts'
import { byteOrder, writeStrings } from './strings.ts'

/** From this number on spreads do not fit beside the gap. */
export const manySpreads = 7

export interface TextWriter {
  /** The number of a spread, given as field, count, field, count … with fields ascending. */
  spread(pairs: readonly number[]): number
  /** The number of the commonest spread: once, in one field. */
  single(field: number): number
  /** How often a word with this spread stands in the document. */
  occurrencesOf(spread: number): number
  beginTerm(term: string, shown: string): void
  posting(doc: number, spread: number, positions: Uint8Array, from: number, to: number): void
  /** `lengths`: words by document. */
  finish(out: Sections, name: string, lengths: Uint32Array, stem: (term: string) => string): void
}

export function createTextWriter(): TextWriter {
  const terms: string[] = []
  const shown: string[] = []
  const spreads = createSpreads()
  const blocks = createNumbers()
  const postings = createBytes()
  const positions = createBytes()
  const at = { postings: createNumbers(), positions: createNumbers(), skips: createNumbers() }
  const counts = createNumbers()
  const skips = { docs: createNumbers(), blocks: createNumbers(), positions: createNumbers() }
  /** The postings that fill no block yet. */
  const gaps = new Uint32Array(blockSize)
  const waiting = new Uint32Array(blockSize)
  let previous = 0
  let inTerm = 0

  function endBlock(): void {
    push(skips.blocks, blocks.length)
    putBlock(blocks, gaps, waiting)
    push(skips.docs, previous)
    push(skips.positions, positions.length)
  }
  function endTerm(): void {
    if (terms.length === 0) return
    for (let i = 0; i < inTerm % blockSize; i++) putPosting(postings, gaps[i]!, waiting[i]!)
    push(counts, inTerm)
  }
  return {
    spread: spreads.numberOf,
    single: spreads.single,
    occurrencesOf: spreads.occurrencesOf,
    beginTerm(term, written) {
      endTerm()
      terms.push(term)
      shown.push(written === term ? '' : written)
      push(at.postings, postings.length)
      push(at.positions, positions.length)
      push(at.skips, skips.docs.length)
      previous = 0
      inTerm = 0
    },
    posting(doc, spread, source, from, to) {
      const place = inTerm++ % blockSize
      gaps[place] = doc - previous
      waiting[place] = spread
      previous = doc
      putBytes(positions, source, from, to)
      if (place === blockSize - 1) endBlock()
    },
    finish(out, name, lengths, stem) {
      endTerm()
      push(at.skips, skips.docs.length)
      writeStrings(out, `${name}.terms`, terms)
      writeStrings(out, `${name}.shown`, shown)
      writeStems(out, name, terms, stem)
      spreads.write(out, name)
      out.set(`${name}.counts`, finishNumbers(counts))
      out.set(`${name}.blocks`, finishNumbers(blocks))
      out.set(`${name}.postings`, finish(postings))
      out.set(`${name}.positions`, finish(positions))
      for (const [stream, starts] of Object.entries(at)) out.set(`${name}.at.${stream}`, finishNumbers(starts))
      for (const [stream, entries] of Object.entries(skips)) out.set(`${name}.skips.${stream}`, finishNumbers(entries))
      out.set(`${name}.lengths`, Uint8Array.from(lengths, encodeLength))
      out.set(`${name}.total`, Float64Array.of(lengths.reduce((sum, length) => sum + length, 0)))
    },
  }
}

function putPosting(postings: Bytes, gap: number, spread: number): void {
  putVarint(postings, gap * 8 + Math.min(spread, manySpreads))
  if (spread >= manySpreads) putVarint(postings, spread - manySpreads)
}

function createSpreads() {
  const numbers = new Map<string, number>()
  /** Most words stand once in one field: found without making a key. */
  const single: number[] = []
  const starts = createNumbers()
  const pairs = createNumbers()
  const occurrences: number[] = []
  push(starts, 0)
  function add(spread: readonly number[]): number {
    for (const number of spread) push(pairs, number)
    push(starts, pairs.length)
    return occurrences.push(spread.reduce((sum, number, i) => (i % 2 ? sum + number : sum), 0)) - 1
  }
  const once = (field: number) => (single[field] ??= add([field, 1]))
  return {
    single: once,
    occurrencesOf: (spread: number) => occurrences[spread]!,
    numberOf(spread: readonly number[]): number {
      if (spread.length === 2 && spread[1] === 1) return once(spread[0]!)
      const key = spread.join()
      const number = numbers.get(key) ?? add(spread)
      numbers.set(key, number)
      return number
    },
    write(out: Sections, name: string): void {
      out.set(`${name}.spreads.starts`, finishNumbers(starts))
      out.set(`${name}.spreads.pairs`, finishNumbers(pairs))
    },
  }
}

function writeStems(out: Sections, name: string, terms: readonly string[], stem: (term: string) => string): void {
  const groups = new Map<string, number[]>()
  terms.forEach((term, i) => {
    const key = stem(term)
    const group = groups.get(key)
    if (group) group.push(i)
    else groups.set(key, [i])
  })
  const known = [...groups.keys()]
  const stems = Array.from(byteOrder(known), (place) => known[place]!)
  const starts = createNumbers()
  const words = createNumbers()
  for (const key of stems) {
    push(starts, words.length)
    for (const word of groups.get(key)!) push(words, word)
  }
  push(starts, words.length)
  writeStrings(out, `${name}.stems`, stems)
  out.set(`${name}.stems.at`, finishNumbers(starts))
  out.set(`${name}.stems.words`, finishNumbers(words))
}

function encodeLength(words: number): number {
  return Math.min(255, Math.round(Math.log2(words + 1) * 16))
}
export function decodeLength(code: number): number {
  return 2 ** (code / 16) - 1
}
