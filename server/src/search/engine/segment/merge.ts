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
import { Cursor, noMoreDocs } from './postings.ts'
import { fieldOf, presentName, wordsName, type PackedSegment, type SegmentMeta } from './segment.ts'
import { compareTexts, textAt } from './strings.ts'
import { occurrences, spreadOf, type TextIndex } from './text-index.ts'
import { createTextWriter, decodeLength } from './text-writer.ts'

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
    return column && rawKeywords(column)
  })
  order.forEach(({ source, doc }, at) => {
    const raw = raws[source]
    if (!raw) return
    for (let i = raw.offsets[doc]!; i < raw.offsets[doc + 1]!; i++)
      gatherer.add(at, gatherer.idOf(raw.values[raw.ids[i]!]!))
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
  const writer = createTextWriter()
  const inputs = sources.flatMap(({ segment }, source) => {
    const text = segment.words.get(locale)
    if (!text) return []
    const spreads = renumberSpreads(segment, text, codes, writer.spread)
    return [{ text, moved: moved[source]!, spreads, term: 0 }]
  })
  for (let having = firstTerms(inputs); having.length; having = firstTerms(inputs)) {
    mergePostings(writer, having)
    for (const input of having) input.term++
  }
  const lengths = Uint32Array.from(order, ({ source, doc }) =>
    Math.round(decodeLength(sources[source]!.segment.words.get(locale)?.lengths[doc] ?? 0)),
  )
  writer.finish(out, wordsName(locale), lengths, workshop.analyserOf(locale).stem)
}

interface Input {
  readonly text: TextIndex
  readonly moved: Uint32Array
  readonly spreads: Uint32Array
  /** The term it stands at. */
  term: number
}

/** Those that stand at the first term of all; none when there is none left. */
function firstTerms(inputs: readonly Input[]): Input[] {
  let first: Input[] = []
  for (const input of inputs) {
    if (input.term >= input.text.terms.count) continue
    const order = first[0] ? compareTexts(input.text.terms, input.term, first[0].text.terms, first[0].term) : -1
    if (order < 0) first = [input]
    else if (order === 0) first.push(input)
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
function mergePostings(writer: ReturnType<typeof createTextWriter>, having: readonly Input[]): void {
  const walks = having.map((input) => createWalk(input)).filter((walk) => walk.next() !== gone)
  if (walks.length === 0) return
  const term = textAt(having[0]!.text.terms, having[0]!.term)
  const shown = having.map(({ text, term: at }) => textAt(text.shown, at)).find((form) => form !== '')
  writer.beginTerm(term, shown ?? term)
  while (walks.length) {
    let first = walks[0]!
    for (const walk of walks) if (walk.doc < first.doc) first = walk
    writer.posting(first.doc, first.spread, first.positions, first.from, first.to)
    if (first.next() === gone) walks.splice(walks.indexOf(first), 1)
  }
}

/** The surviving postings of a term under their new numbers. */
function createWalk({ text, moved, spreads, term }: Input) {
  const cursor = new Cursor(text, term)
  const { bytes, at } = text.positions
  const walk = { doc: gone, spread: 0, positions: bytes, from: 0, to: at[term]!, next }
  function next(): number {
    for (let doc = cursor.next(); doc !== noMoreDocs; doc = cursor.next()) {
      const { spread } = cursor
      walk.from = walk.to
      walk.to = skipVarints(bytes, walk.from, occurrences(text, spread))
      walk.spread = spreads[spread]!
      if (moved[doc] !== gone) return (walk.doc = moved[doc]!)
    }
    return (walk.doc = gone)
  }
  return walk
}

/** How many documents the stems of a language have, for the lexicon of compounds. */
export function* stemStatistics(text: TextIndex): Generator<{ stem: string; documents: number }> {
  for (let group = 0; group < text.stems.count; group++) {
    let documents = 0
    for (const word of text.stemWords.subarray(text.stemAt[group], text.stemAt[group + 1]))
      documents += text.counts[word]!
    yield { stem: textAt(text.stems, group), documents }
  }
}
