/**
 * Merges several segments into one, without deleted documents and without reading the original documents: columns are
 * merged by value, posting lists by term.
 *
 * Documents keep the order of their IDs, so within each source the new numbers ascend and posting lists stay sorted:
 *
 *   source 0   ids 3 5 9       ->   ids 3 4 5 7 9     moved[0] = 0 2 4
 *   source 1   ids 4 7                                moved[1] = 1 3
 */
import { createKeywordBuilder, createNumberBuilder, writeIds } from './column-builders.ts'
import { collationOfColumn, metaOf, type SegmentTools } from './build.ts'
import { skipVarints } from './bytes.ts'
import type { Draft, Sections } from './container.ts'
import { unrankedKeywords } from './keyword-column.ts'
import { numbersByDocument } from './number-column.ts'
import { createBlock } from './postings-block.ts'
import { blocksOf, noMoreDocs, readPostings } from './postings.ts'
import { fieldOf, presentName, wordsName, type PackedSegment, type SegmentMeta } from './segment.ts'
import { compareTexts, isEmptyAt, textAt } from './strings.ts'
import { occurrences, surfaceForm, profileOf, type TextIndex } from './text-index.ts'
import { createTextWriter, decodeLength, type TextWriter } from './text-writer.ts'

interface Source {
  readonly segment: PackedSegment
  isDeleted(doc: number): boolean
}

const deletedDoc = noMoreDocs

interface Merge {
  readonly sources: readonly Source[]
  /** By source, the new number of each document, or `deletedDoc`. */
  readonly moved: readonly Uint32Array[]
  /** The new documents in order: source, and document number there. */
  readonly order: readonly { readonly source: number; readonly doc: number }[]
}

export function mergeSegments(tools: SegmentTools, sources: readonly Source[]): Draft<SegmentMeta> {
  const merge = plan(sources)
  const maxDoc = merge.order.length
  const fields = [
    ...new Map(sources.flatMap(({ segment }) => segment.fields).map((field) => [field.name, field])).values(),
  ]
  const names = (of: 'keywords' | 'numbers' | 'present' | 'words') =>
    new Map(sources.flatMap(({ segment }) => segment.meta[of]).map((name) => [name, name]))
  const columns = {
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
  for (const name of columns.keywords.keys()) mergeKeywords(out, tools, merge, name, texts.has(fieldOf(name)))
  for (const name of columns.numbers.keys()) mergeNumbers(out, merge, name)
  for (const name of columns.present.keys()) mergePresent(out, merge, name)
  const codes = new Map(fields.map(({ name }, code) => [name, code]))
  for (const locale of columns.words.keys()) mergeWords(out, tools, merge, locale, codes)
  return { meta: metaOf({ fields }, maxDoc, columns), sections: out }
}

function plan(sources: readonly Source[]): Merge {
  const order = sources.flatMap(({ segment, isDeleted }, source) =>
    Array.from(segment.ids, (id, doc) => ({ source, doc, id })).filter(({ doc }) => !isDeleted(doc)),
  )
  order.sort((a, b) => a.id - b.id)
  const moved = sources.map(({ segment }) => new Uint32Array(segment.maxDoc).fill(deletedDoc))
  order.forEach(({ source, doc }, at) => (moved[source]![doc] = at))
  return { sources, moved, order }
}

function mergeKeywords(
  out: Sections,
  tools: SegmentTools,
  { sources, order }: Merge,
  name: string,
  isText: boolean,
): void {
  const builder = createKeywordBuilder(isText)
  const raws = sources.map(({ segment }) => {
    const column = segment.keywords.get(name)
    if (!column) return undefined
    const raw = unrankedKeywords(column)
    /** By source ordinal, the new value number + 1; 0 until a document has the value. */
    const numbers = new Uint32Array(raw.values.length)
    const idOf = (ordinal: number) => (numbers[ordinal] ||= builder.idOf(raw.values[ordinal]!) + 1) - 1
    return { ...raw, idOf }
  })
  order.forEach(({ source, doc }, at) => {
    const raw = raws[source]
    if (!raw) return
    for (let i = raw.offsets[doc]!; i < raw.offsets[doc + 1]!; i++) builder.add(at, raw.idOf(raw.ids[i]!))
  })
  builder.write(out, name, order.length, collationOfColumn(tools, name))
}

function mergeNumbers(out: Sections, { sources, order }: Merge, name: string): void {
  const builder = createNumberBuilder()
  const raws = sources.map(({ segment }) => {
    const column = segment.numbers.get(name)
    return column && numbersByDocument(column, segment.maxDoc)
  })
  order.forEach(({ source, doc }, at) => {
    const raw = raws[source]
    if (!raw) return
    for (let i = raw.offsets[doc]!; i < raw.offsets[doc + 1]!; i++) builder.add(at, raw.values[i]!)
  })
  builder.write(out, name, order.length)
}

function mergePresent(out: Sections, { sources, order }: Merge, name: string): void {
  const present = sources.map(({ segment }) => segment.present.get(name))
  out.set(
    presentName(name),
    Uint8Array.from(order, ({ source, doc }) => present[source]?.[doc] ?? 0),
  )
}

function mergeWords(
  out: Sections,
  tools: SegmentTools,
  merge: Merge,
  locale: string,
  codes: Map<string, number>,
): void {
  const { sources, moved, order } = merge
  const writer = createTextWriter(tools.analyserOf(locale), tools.lexicon)
  const walks = sources.flatMap(({ segment }, source) => {
    const text = segment.words.get(locale)
    if (!text) return []
    return [createWalk(text, moved[source]!, renumberProfiles(segment, text, codes, writer.profile))]
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

/** The iterators positioned at the smallest term; empty at the end. */
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

/** Field numbers differ between segments, so profiles are renumbered. */
function renumberProfiles(
  { fields }: PackedSegment,
  text: TextIndex,
  codes: Map<string, number>,
  numberOf: (pairs: readonly number[]) => number,
): Uint32Array {
  return Uint32Array.from({ length: text.profileStarts.length - 1 }, (_, profile) =>
    numberOf(Array.from(profileOf(text, profile), (n, i) => (i % 2 ? n : codes.get(fields[n]!.name)!))),
  )
}

/** Skips terms that only deleted documents contained. */
function mergePostings(writer: TextWriter, having: readonly Walk[]): void {
  const walks = having.filter((walk) => walk.begin() !== deletedDoc)
  if (walks.length === 0) return
  const { text, term } = having.find((walk) => !isEmptyAt(walk.text.surface, walk.term)) ?? having[0]!
  writer.beginTerm(textAt(text.terms, term), surfaceForm(text, term))
  while (walks.length) {
    let first = walks[0]!
    for (const walk of walks) if (walk.doc < first.doc) first = walk
    writer.posting(first.doc, first.profile, first.positions, first.from, first.to)
    if (first.next() === deletedDoc) walks.splice(walks.indexOf(first), 1)
  }
}

/** Iterates over the terms of a source and, for each, over the live postings under their new document numbers. */
interface Walk {
  readonly text: TextIndex
  term: number
  /** Moves to the first posting of the term; returns its document, or `deletedDoc`. */
  begin(): number
  next(): number
  readonly doc: number
  readonly profile: number
  readonly positions: Uint8Array
  readonly from: number
  readonly to: number
}

function createWalk(text: TextIndex, moved: Uint32Array, profiles: Uint32Array): Walk {
  const { bytes, at } = text.positions
  const sizes = profiles.map((_, profile) => occurrences(text, profile))
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
    doc: deletedDoc,
    profile: 0,
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
        const profile = block.profiles[index]!
        walk.doc = moved[block.docs[index++]!]!
        walk.from = walk.to
        walk.to = skipVarints(bytes, walk.from, sizes[profile]!)
        walk.profile = profiles[profile]!
        if (walk.doc !== deletedDoc) return walk.doc
      }
      return (walk.doc = deletedDoc)
    },
  }
  return walk
}

/** Document counts of the stems of a language, for the compound lexicon. */
export function* stemStatistics(text: TextIndex): Generator<{ stem: string; documents: number }> {
  const { terms, stems, selfStems, counts } = text
  for (let word = 0; word < selfStems.length; word++)
    if (selfStems[word]) yield { stem: textAt(terms, word), documents: counts[word]! }
  const { names, at, words } = stems
  for (let group = 0; group < names.count; group++) {
    let documents = 0
    for (const word of words.subarray(at[group], at[group + 1])) documents += counts[word]!
    yield { stem: textAt(names, group), documents }
  }
}
