/** Makes a segment of documents, one after the other in the order of their ids. */
import { valueGap, type Analyser } from '../analysis/analyse.ts'
import type { Lexicon } from '../analysis/compounds.ts'
import { analysisVersion } from '../analysis/stem.ts'
import type { Collation } from '../collation.ts'
import { hasWords, isNumeric, isWhole } from '../comparators.ts'
import type { FieldDefinition, IndexSchema, Scalar } from '../port.ts'
import { numbersOf, wholeValues, wordValues } from '../values.ts'
import {
  gatherKeywords,
  gatherNumbers,
  gatherPresence,
  writeIds,
  type KeywordGatherer,
  type NumberGatherer,
  type PresenceGatherer,
} from './accumulate.ts'
import { createDoubles, pushDouble } from './bytes.ts'
import type { Draft, Sections } from './container.ts'
import { gatherWords, type WordGatherer } from './gather-words.ts'
import { localeOf, placeName, wordsName, type SegmentMeta } from './segment.ts'

/** What making segments takes, beyond the documents. */
export interface Workshop {
  readonly schema: IndexSchema
  /** Those of the schema by name. */
  readonly fields: ReadonlyMap<string, FieldDefinition>
  /** By which words are split. */
  readonly lexicon: Lexicon
  collationOf(locale: string): Collation
  analyserOf(locale: string): Analyser
}

export interface Gathered {
  readonly keywords: Map<string, KeywordGatherer>
  readonly numbers: Map<string, NumberGatherer>
  readonly present: Map<string, PresenceGatherer>
  readonly words: Map<string, WordGatherer>
}

export interface SegmentBuilder {
  /** Begins a document; ids only grow. */
  begin(id: number): void
  /** Values of a field of the document; what the schema does not have is left out. */
  add(field: string, locale: string, values: readonly Scalar[]): void
  finish(): Draft<SegmentMeta>
}

/** Which columns are made. */
export interface Choice {
  hasColumn(place: string): boolean
  hasWords(locale: string): boolean
}
const everything: Choice = { hasColumn: () => true, hasWords: () => true }

export function createSegmentBuilder(workshop: Workshop, choice = everything): SegmentBuilder {
  const gathered: Gathered = { keywords: new Map(), numbers: new Map(), present: new Map(), words: new Map() }
  const places = new Map<string, Map<string, Place>>()
  const ids = createDoubles()

  function makeSink(name: string, locale: string): Sink {
    const field = fieldAt(workshop, name, locale)
    if (!field) return () => {}
    const place = placeName(name, locale)
    const column = choice.hasColumn(place) ? columnSink(gathered, field, place) : () => {}
    if (!hasWords(field) || !choice.hasWords(locale)) return column
    const texts = getOrMake(gathered.words, locale, () => gatherWords(workshop.analyserOf(locale), workshop.lexicon))
    const worded = wordSink(texts, field, workshop.schema.fields.indexOf(field))
    return (doc, values) => {
      column(doc, values)
      worded(doc, values)
    }
  }
  function placeOf(name: string, locale: string): Place {
    let byLocale = places.get(name)
    if (!byLocale) places.set(name, (byLocale = new Map()))
    let place = byLocale.get(locale)
    if (!place) byLocale.set(locale, (place = { sink: makeSink(name, locale), docs: [], values: [], count: 0 }))
    return place
  }
  function takeWaiting(): void {
    for (const byLocale of places.values()) for (const place of byLocale.values()) takeFrom(place)
  }
  return {
    begin(id) {
      const last = ids.length > 0 ? ids.data[ids.length - 1]! : -Infinity
      if (id <= last) throw new Error(`document ${id} came after document ${last}: ids must grow`) // they are searched
      if (ids.length % documentsAtOnce === 0) takeWaiting()
      pushDouble(ids, id)
    },
    add(name, locale, values) {
      const place = placeOf(name, locale)
      place.docs[place.count] = ids.length - 1
      place.values[place.count++] = values
    },
    finish() {
      takeWaiting()
      // What is written is needed no more; a large segment would be in memory twice.
      places.clear()
      return packSegment(workshop, ids.data.slice(0, ids.length), gathered)
    },
  }
}

/**
 * Documents come one by one and are taken field by field, some of them at a time: the words and values of one field
 * stay in the cache of the processor while they are looked up, those of all fields would not.
 */
const documentsAtOnce = 256

/** A field in one locale, and what is waiting to be taken there, in lists that do not shrink, to grow again each time. */
interface Place {
  readonly sink: Sink
  readonly docs: number[]
  readonly values: (readonly Scalar[])[]
  count: number
}
const nothing: readonly Scalar[] = []
function takeFrom(place: Place): void {
  const { sink, docs, values, count } = place
  for (let i = 0; i < count; i++) {
    sink(docs[i]!, values[i]!)
    values[i] = nothing
  }
  place.count = 0
}

/** Takes the values of one field in one locale. */
type Sink = (doc: number, values: readonly Scalar[]) => void

/** The field that has values at a place; none when the schema does not have it there. */
export function fieldAt({ schema, fields }: Workshop, name: string, locale: string): FieldDefinition | undefined {
  const field = fields.get(name)
  return field && (field.localized ? schema.locales.includes(locale) : locale === '') ? field : undefined
}

function wordSink(words: WordGatherer, field: FieldDefinition, code: number): Sink {
  return (doc, values) => {
    let position = 0
    for (const text of wordValues(field, values)) position = words.add(doc, code, position, text) + valueGap
  }
}

function columnSink(gathered: Gathered, field: FieldDefinition, name: string): Sink {
  if (isNumeric(field)) {
    const column = getOrMake(gathered.numbers, name, gatherNumbers)
    return (doc, values) => {
      for (const value of numbersOf(values)) column.add(doc, value)
    }
  }
  if (isWhole(field)) {
    const column = getOrMake(gathered.keywords, name, () => gatherKeywords(field.type === 'text'))
    return (doc, values) => {
      for (const value of wholeValues(field, values)) column.add(doc, column.idOf(value))
    }
  }
  const present = getOrMake(gathered.present, name, gatherPresence)
  return (doc, values) => {
    if (wholeValues(field, values).length) present.add(doc)
  }
}

function packSegment(workshop: Workshop, ids: Float64Array, gathered: Gathered): Draft<SegmentMeta> {
  const maxDoc = ids.length
  const meta = metaOf(workshop.schema, maxDoc, gathered)
  const out: Sections = new Map()
  writeIds(out, ids)
  // Words first: what was gathered of them takes the most room.
  for (const [locale, words] of emptying(gathered.words)) words.write(out, wordsName(locale), maxDoc)
  for (const [name, column] of emptying(gathered.keywords))
    column.write(out, name, maxDoc, collationOfPlace(workshop, name))
  for (const [name, column] of emptying(gathered.numbers)) column.write(out, name, maxDoc)
  for (const [name, column] of emptying(gathered.present)) column.write(out, name, maxDoc)
  return { meta, sections: out }
}

function* emptying<K, V>(map: Map<K, V>): Generator<[K, V]> {
  for (const entry of map) {
    map.delete(entry[0])
    yield entry
  }
}

/** The collation of a column: that of its locale. */
export function collationOfPlace({ schema, collationOf }: Workshop, name: string): Collation {
  return collationOf(localeOf(name) || schema.defaultLocale)
}

export function metaOf(
  { fields }: Pick<IndexSchema, 'fields'>,
  maxDoc: number,
  made: { readonly [K in keyof Gathered]: { keys(): Iterable<string> } },
): SegmentMeta {
  return {
    analysis: analysisVersion,
    maxDoc,
    fields: fields.map(({ name, type }) => ({ name, type })),
    keywords: [...made.keywords.keys()],
    numbers: [...made.numbers.keys()],
    present: [...made.present.keys()],
    words: [...made.words.keys()],
  }
}

export function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
