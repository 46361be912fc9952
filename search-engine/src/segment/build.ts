/** Builds a segment from documents, which must arrive in the order of their IDs. */
import { valueGap, type Analyser } from '../analysis/analyse.ts'
import type { Lexicon } from '../analysis/compounds.ts'
import { analysisVersion } from '../analysis/stem.ts'
import type { Collation } from '../collation.ts'
import { hasWords, isNumeric, hasKeywordColumn } from '../comparators.ts'
import { getOrMake } from '../memoize.ts'
import type { FieldDefinition, IndexSchema, Scalar } from '../port.ts'
import { numbersOf, keywordValues, textValues } from '../values.ts'
import {
  createKeywordBuilder,
  createNumberBuilder,
  createPresenceBuilder,
  writeIds,
  type KeywordBuilder,
  type NumberBuilder,
  type PresenceBuilder,
} from './column-builders.ts'
import { createDoubles, pushDouble } from './bytes.ts'
import type { Draft, Sections } from './container.ts'
import { createTermBuilder, type TermBuilder } from './term-builder.ts'
import { localeOf, columnName, wordsName, type SegmentMeta } from './segment.ts'

/** Everything needed to build or open a segment, apart from its documents. */
export interface SegmentTools {
  readonly schema: IndexSchema
  /** The fields of the schema by name. */
  readonly fields: ReadonlyMap<string, FieldDefinition>
  /** Splits compounds. */
  readonly lexicon: Lexicon
  collationOf(locale: string): Collation
  analyserOf(locale: string): Analyser
}

interface ColumnBuilders {
  readonly keywords: Map<string, KeywordBuilder>
  readonly numbers: Map<string, NumberBuilder>
  readonly present: Map<string, PresenceBuilder>
  readonly words: Map<string, TermBuilder>
}

export interface SegmentBuilder {
  /** Starts a document. IDs must ascend. */
  begin(id: number): void
  /** Adds values to the current document. Fields that the schema does not contain are ignored. */
  add(field: string, locale: string, values: readonly Scalar[]): void
  finish(): Draft<SegmentMeta>
}

/** Selects the columns to build. */
export interface Choice {
  hasColumn(buffer: string): boolean
  hasWords(locale: string): boolean
}
const everything: Choice = { hasColumn: () => true, hasWords: () => true }

export function createSegmentBuilder(tools: SegmentTools, choice = everything): SegmentBuilder {
  const builders: ColumnBuilders = { keywords: new Map(), numbers: new Map(), present: new Map(), words: new Map() }
  const buffers = new Map<string, Map<string, FieldBuffer>>()
  const ids = createDoubles()

  function createSink(name: string, locale: string): Sink {
    const field = fieldAt(tools, name, locale)
    if (!field) return () => {}
    const columnKey = columnName(name, locale)
    const addToColumn = choice.hasColumn(columnKey) ? columnSink(builders, field, columnKey) : () => {}
    if (!hasWords(field) || !choice.hasWords(locale)) return addToColumn
    const terms = getOrMake(builders.words, locale, () => createTermBuilder(tools.analyserOf(locale), tools.lexicon))
    const addTerms = termSink(terms, field, tools.schema.fields.indexOf(field))
    return (doc, values) => {
      addToColumn(doc, values)
      addTerms(doc, values)
    }
  }
  function bufferOf(name: string, locale: string): FieldBuffer {
    const byLocale = getOrMake(buffers, name, () => new Map<string, FieldBuffer>())
    return getOrMake(byLocale, locale, () => ({ sink: createSink(name, locale), docs: [], values: [], count: 0 }))
  }
  function flushAll(): void {
    for (const byLocale of buffers.values()) for (const buffer of byLocale.values()) flush(buffer)
  }
  return {
    begin(id) {
      const last = ids.length > 0 ? ids.data[ids.length - 1]! : -Infinity
      // Documents are found by binary search.
      if (id <= last) throw new Error(`document ${id} came after document ${last}: IDs must ascend`)
      if (ids.length % batchSize === 0) flushAll()
      pushDouble(ids, id)
    },
    add(name, locale, values) {
      const buffer = bufferOf(name, locale)
      buffer.docs[buffer.count] = ids.length - 1
      buffer.values[buffer.count++] = values
    },
    finish() {
      flushAll()
      // The builders are not needed any more; keeping them would hold a large segment in memory twice.
      buffers.clear()
      return packSegment(tools, ids.data.slice(0, ids.length), builders)
    },
  }
}

/**
 * Documents arrive one by one but are processed field by field, a batch at a time. The terms and values of one field
 * fit into the CPU cache while they are looked up; those of all fields would not.
 */
const batchSize = 256

/** A field in one locale, with its buffered values. The arrays are reused, not shrunk, from batch to batch. */
interface FieldBuffer {
  readonly sink: Sink
  readonly docs: number[]
  readonly values: (readonly Scalar[])[]
  count: number
}
const nothing: readonly Scalar[] = []
function flush(buffer: FieldBuffer): void {
  const { sink, docs, values, count } = buffer
  for (let i = 0; i < count; i++) {
    sink(docs[i]!, values[i]!)
    values[i] = nothing
  }
  buffer.count = 0
}

/** Receives the values of one field in one locale. */
type Sink = (doc: number, values: readonly Scalar[]) => void

/** The field stored in a column; undefined if the schema has no such field and locale. */
export function fieldAt({ schema, fields }: SegmentTools, name: string, locale: string): FieldDefinition | undefined {
  const field = fields.get(name)
  return field && (field.localized ? schema.locales.includes(locale) : locale === '') ? field : undefined
}

function termSink(words: TermBuilder, field: FieldDefinition, code: number): Sink {
  return (doc, values) => {
    let position = 0
    for (const text of textValues(field, values)) position = words.add(doc, code, position, text) + valueGap
  }
}

function columnSink(builders: ColumnBuilders, field: FieldDefinition, name: string): Sink {
  if (isNumeric(field)) {
    const column = getOrMake(builders.numbers, name, createNumberBuilder)
    return (doc, values) => {
      for (const value of numbersOf(values)) column.add(doc, value)
    }
  }
  if (hasKeywordColumn(field)) {
    const column = getOrMake(builders.keywords, name, () => createKeywordBuilder(field.type === 'text'))
    return (doc, values) => {
      for (const value of keywordValues(field, values)) column.add(doc, column.idOf(value))
    }
  }
  const present = getOrMake(builders.present, name, createPresenceBuilder)
  return (doc, values) => {
    if (keywordValues(field, values).length) present.add(doc)
  }
}

function packSegment(tools: SegmentTools, ids: Float64Array, builders: ColumnBuilders): Draft<SegmentMeta> {
  const maxDoc = ids.length
  const meta = metaOf(tools.schema, maxDoc, builders)
  const out: Sections = new Map()
  writeIds(out, ids)
  // Words first, because their builders take the most memory.
  for (const [locale, words] of emptying(builders.words)) words.write(out, wordsName(locale), maxDoc)
  for (const [name, column] of emptying(builders.keywords))
    column.write(out, name, maxDoc, collationOfColumn(tools, name))
  for (const [name, column] of emptying(builders.numbers)) column.write(out, name, maxDoc)
  for (const [name, column] of emptying(builders.present)) column.write(out, name, maxDoc)
  return { meta, sections: out }
}

function* emptying<K, V>(map: Map<K, V>): Generator<[K, V]> {
  for (const entry of map) {
    map.delete(entry[0])
    yield entry
  }
}

/** The collation of a column's locale. */
export function collationOfColumn({ schema, collationOf }: SegmentTools, name: string): Collation {
  return collationOf(localeOf(name) || schema.defaultLocale)
}

export function metaOf(
  { fields }: Pick<IndexSchema, 'fields'>,
  maxDoc: number,
  columns: { readonly [K in keyof ColumnBuilders]: { keys(): Iterable<string> } },
): SegmentMeta {
  return {
    analysis: analysisVersion,
    maxDoc,
    fields: fields.map(({ name, type }) => ({ name, type })),
    keywords: [...columns.keywords.keys()],
    numbers: [...columns.numbers.keys()],
    present: [...columns.present.keys()],
    words: [...columns.words.keys()],
  }
}
