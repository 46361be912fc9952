/**
 * Makes one segment of several, without what was deleted and without the documents themselves: columns are joined by
 * value, postings by term.
 *
 * Documents keep the order of their ids, so within each source numbers only grow, and lists stay sorted by merging:
 *
 *   source 0   ids 3 5 9       ->   ids 3 4 5 7 9     moved[0] = 0 2 4
 *   source 1   ids 4 7                                moved[1] = 1 3
 */
import { gatherKeywords, gatherNumbers, writeIds } from './accumulate.ts'
import { collationOfPlace, metaOf, type Workshop } from './build.ts'
import { skipVarints } from './bytes.ts'
import type { Draft, Sections } from './container.ts'
import { rawKeywords } from './keyword-column.ts'
import { rawNumbers } from './number-column.ts'
import { createBlock } from './postings-block.ts'
import { blocksOf, noMoreDocs, readPostings } from './postings.ts'
import { fieldOf, presentName, wordsName, type PackedSegment, type SegmentMeta } from './segment.ts'
import { compareTexts, isEmptyAt, textAt } from './strings.ts'
import { occurrences, shownTerm, spreadOf, type TextIndex } from './text-index.ts'
import { createTextWriter, decodeLength, type TextWriter } from './text-writer.ts'

export interface Source {
  readonly segment: PackedSegment
  isDeleted(doc: number): boolean
}

const gone = noMoreDocs

interface Merge {
  readonly sources: readonly Source[]
  /** By source, the new number of each document, or `gone`. */
  readonly moved: readonly Uint32Array[]
  /** The new documents in order: source and document there. */
  readonly order: readonly { readonly source: number; readonly doc: number }[]
}

export function mergeSegments(workshop: Workshop, sources: readonly Source[]): Draft<SegmentMeta> {
  const merge = plan(sources)
  const maxDoc = merge.order.length
  const fields = [
    ...new Map(sources.flatMap(({ segment }) => segment.fields).map((field) => [field.name, field])).values(),
  ]
  const names = (of: 'keywords' | 'numbers' | 'present' | 'words') =>
    new Map(sources.flatMap(({ segment }) => segment.meta[of]).map((name) => [name, name]))
  const made = {
    keywords: names('keywords'),
    numbers: names('numbers'),
    present: names('present'),
    words: names('words'),
  }
  const out: Sections = new Map()
  writeIds(
    out,
    Float64Array.from(merge.order, ({ source, doc }) => sources[source]!.segment.ids[doc]!),
  )
  const texts = new Set(fields.filter(({ type }) => type === 'text').map(({ name }) => name))
  for (const name of made.keywords.keys()) mergeKeywords(out, workshop, merge, name, texts.has(fieldOf(name)))
  for (const name of made.numbers.keys()) mergeNumbers(out, merge, name)
  for (const name of made.present.keys()) mergePresent(out, merge, name)
  const codes = new Map(fields.map(({ name }, code) => [name, code]))
  for (const locale of made.words.keys()) mergeWords(out, workshop, merge, locale, codes)
  return { meta: metaOf({ fields }, maxDoc, made), sections: out }
}

function plan(sources: readonly Source[]): Merge {
  const order = sources.flatMap(({ segment, isDeleted }, source) =>
    Array.from(segment.ids, (id, doc) => ({ source, doc, id })).filter(({ doc }) => !isDeleted(doc)),
  )
  order.sort((a, b) => a.id - b.id)
  const moved = sources.map(({ segment }) => new Uint32Array(segment.maxDoc).fill(gone))
  order.forEach(({ source, doc }, at) => (moved[source]![doc] = at))
  return { sources, moved, order }
}

function mergeKeywords(
  out: Sections,
  workshop: Workshop,
  { sources, order }: Merge,
  name: string,
  isText: boolean,
): void {
  const gatherer = gatherKeywords(isText)
  const raws = sources.map(({ segment }) => {
    const column = segment.keywords.get(name)
    if (!column) return undefined
    const raw = rawKeywords(column)
    /** By ordinal there, the new number of a value and one more; 0 until a document has it. */
    const numbers = new Uint32Array(raw.values.length)
    const idOf = (ordinal: number) => (numbers[ordinal] ||= gatherer.idOf(raw.values[ordinal]!) + 1) - 1
    return { ...raw, idOf }
  })
  order.forEach(({ source, doc }, at) => {
    const raw = raws[source]
    if (!raw) return
    for (let i = raw.offsets[doc]!; i < raw.offsets[doc + 1]!; i++) gatherer.add(at, raw.idOf(raw.ids[i]!))
  })
  gatherer.write(out, name, order.length, collationOfPlace(workshop, name))
}

function mergeNumbers(out: Sections, { sources, order }: Merge, name: string): void {
  const gatherer = gatherNumbers()
  const raws = sources.map(({ segment }) => {
    const column = segment.numbers.get(name)
    return column && rawNumbers(column, segment.maxDoc)
  })
  order.forEach(({ source, doc }, at) => {
    const raw = raws[source]
    if (!raw) return
    for (let i = raw.offsets[doc]!; i < raw.offsets[doc + 1]!; i++) gatherer.add(at, raw.values[i]!)
  })
  gatherer.write(out, name, order.length)
}

function mergePresent(out: Sections, { sources, order }: Merge, name: string): void {
  const present = sources.map(({ segment }) => segment.present.get(name))
  out.set(
    presentName(name),
    Uint8Array.from(order, ({ source, doc }) => present[source]?.[doc] ?? 0),
  )
}

function mergeWords(out: Sections, workshop: Workshop, merge: Merge, locale: string, codes: Map<string, number>): void {
  const { sources, moved, order } = merge
  const writer = createTextWriter(workshop.analyserOf(locale), workshop.lexicon)
  const walks = sources.flatMap(({ segment }, source) => {
    const text = segment.words.get(locale)
    if (!text) return []
    return [createWalk(text, moved[source]!, renumberSpreads(segment, text, codes, writer.spread))]
  })
  for (let having = firstTerms(walks); having.length; having = firstTerms(walks)) {
    mergePostings(writer, having)
    for (const walk of having) walk.term++
  }
  const lengths = Uint32Array.from(order, ({ source, doc }) =>
    Math.round(decodeLength(sources[source]!.segment.words.get(locale)?.lengths[doc] ?? 0)),
  )
  writer.finish(out, wordsName(locale), lengths)
}

/** Those that stand at the first term of all; none when there is none left. */
function firstTerms(walks: readonly Walk[]): Walk[] {
  let first: Walk[] = []
  for (const walk of walks) {
    if (walk.term >= walk.text.terms.count) continue
    const order = first[0] ? compareTexts(walk.text.terms, walk.term, first[0].text.terms, first[0].term) : -1
    if (order < 0) first = [walk]
    else if (order === 0) first.push(walk)
  }
  return first
}

/** Fields have other numbers in the new segment, so spreads have too. */
function renumberSpreads(
  { fields }: PackedSegment,
  text: TextIndex,
  codes: Map<string, number>,
  numberOf: (pairs: readonly number[]) => number,
): Uint32Array {
  return Uint32Array.from({ length: text.spreadStarts.length - 1 }, (_, spread) =>
    numberOf(Array.from(spreadOf(text, spread), (n, i) => (i % 2 ? n : codes.get(fields[n]!.name)!))),
  )
}

/** Terms that only deleted documents had are left out. */
function mergePostings(writer: TextWriter, having: readonly Walk[]): void {
  const walks = having.filter((walk) => walk.begin() !== gone)
  if (walks.length === 0) return
  const { text, term } = having.find((walk) => !isEmptyAt(walk.text.shown, walk.term)) ?? having[0]!
  writer.beginTerm(textAt(text.terms, term), shownTerm(text, term))
  while (walks.length) {
    let first = walks[0]!
    for (const walk of walks) if (walk.doc < first.doc) first = walk
    writer.posting(first.doc, first.spread, first.positions, first.from, first.to)
    if (first.next() === gone) walks.splice(walks.indexOf(first), 1)
  }
}

/** Goes through the terms of a source, and of each through the surviving postings under their new numbers. */
interface Walk {
  readonly text: TextIndex
  term: number
  /** The first posting of the term: its document, or `gone`. */
  begin(): number
  next(): number
  readonly doc: number
  readonly spread: number
  readonly positions: Uint8Array
  readonly from: number
  readonly to: number
}

function createWalk(text: TextIndex, moved: Uint32Array, spreads: Uint32Array): Walk {
  const { bytes, at } = text.positions
  const sizes = spreads.map((_, spread) => occurrences(text, spread))
  const block = createBlock()
  let number = 0
  let inBlock = 0
  let index = 0

  function read(): boolean {
    if (number === blocksOf(text, walk.term)) return false
    inBlock = readPostings(text, walk.term, number++, block)
    index = 0
    return true
  }
  const walk = {
    text,
    term: 0,
    doc: gone,
    spread: 0,
    positions: bytes,
    from: 0,
    to: 0,
    begin(): number {
      number = inBlock = index = 0
      walk.to = at[walk.term]!
      return walk.next()
    },
    next(): number {
      while (index < inBlock || read()) {
        const spread = block.spreads[index]!
        walk.doc = moved[block.docs[index++]!]!
        walk.from = walk.to
        walk.to = skipVarints(bytes, walk.from, sizes[spread]!)
        walk.spread = spreads[spread]!
        if (walk.doc !== gone) return walk.doc
      }
      return (walk.doc = gone)
    },
  }
  return walk
}

/** How many documents the stems of a language have, for the lexicon of compounds. */
export function* stemStatistics(text: TextIndex): Generator<{ stem: string; documents: number }> {
  const { terms, stems, alone, counts } = text
  for (let word = 0; word < alone.length; word++)
    if (alone[word]) yield { stem: textAt(terms, word), documents: counts[word]! }
  const { names, at, words } = stems
  for (let group = 0; group < names.count; group++) {
    let documents = 0
    for (const word of words.subarray(at[group], at[group + 1])) documents += counts[word]!
    yield { stem: textAt(names, group), documents }
  }
}
