/** Makes a segment of documents, one after the other in the order of their ids. */
import { valueGap, type Analyser } from '../analysis/analyse.ts'
import { runsOf } from '../analysis/tokenize.ts'
import { analysisVersion } from '../analysis/stem.ts'
import type { Collation } from '../collation.ts'
import { hasWords, isNumeric, isWhole } from '../comparators.ts'
import type { FieldDefinition, IndexSchema, Scalar } from '../port.ts'
import { numbersOf, wholeValues, wordValues } from '../values.ts'
import {
  gatherKeywords,
  gatherNumbers,
  gatherPresence,
  gatherWords,
  type KeywordGatherer,
  type NumberGatherer,
  type PresenceGatherer,
  type WordGatherer,
} from './accumulate.ts'
import type { Draft, Sections } from './container.ts'
import { placeName, type SegmentMeta } from './segment.ts'

/** What making segments takes, beyond the documents. */
export interface Workshop {
  readonly schema: IndexSchema
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

export function createSegmentBuilder(workshop: Workshop): SegmentBuilder {
  const { schema } = workshop
  const fields = new Map(schema.fields.map((field, code) => [field.name, { field, code }]))
  const locales = new Set(schema.locales)
  const gathered: Gathered = { keywords: new Map(), numbers: new Map(), present: new Map(), words: new Map() }
  const ids: number[] = []
  function end(): void {
    if (ids.length) for (const words of gathered.words.values()) words.endDocument(ids.length - 1)
  }
  return {
    begin(id) {
      end()
      ids.push(id)
    },
    add(name, locale, values) {
      const known = fields.get(name)
      if (!known || !(known.field.localized ? locales.has(locale) : locale === '')) return
      gatherField(workshop, gathered, { ...known, locale, doc: ids.length - 1 }, values)
    },
    finish() {
      end()
      return packSegment(workshop, Float64Array.from(ids), gathered)
    },
  }
}

interface Place {
  readonly field: FieldDefinition
  readonly code: number
  readonly locale: string
  readonly doc: number
}

function gatherField(workshop: Workshop, gathered: Gathered, place: Place, values: readonly Scalar[]): void {
  const { field, locale, doc } = place
  const name = placeName(field.name, locale)
  if (isNumeric(field)) {
    for (const value of numbersOf(values)) getOrMake(gathered.numbers, name, gatherNumbers).add(doc, value)
    return
  }
  const whole = wholeValues(field, values)
  if (isWhole(field)) {
    for (const value of whole) {
      const column = getOrMake(gathered.keywords, name, gatherKeywords)
      column.add(doc, column.idOf(value))
    }
  } else if (whole.length) {
    getOrMake(gathered.present, name, gatherPresence).add(doc)
  }
  if (hasWords(field)) gatherText(workshop, gathered, place, values)
}

function gatherText(
  workshop: Workshop,
  gathered: Gathered,
  { field, code, locale }: Place,
  values: readonly Scalar[],
): void {
  const words = getOrMake(gathered.words, locale, () => gatherWords(workshop.analyserOf(locale)))
  let position = 0
  for (const value of wordValues(field, values)) {
    for (const run of runsOf(value)) position = words.add(run, code, position)
    position += valueGap
  }
}

function packSegment(workshop: Workshop, ids: Float64Array, gathered: Gathered): Draft<SegmentMeta> {
  const maxDoc = ids.length
  const out: Sections = new Map([['ids', ids]])
  for (const [name, column] of gathered.keywords) column.write(out, name, maxDoc, collationOfPlace(workshop, name))
  for (const [name, column] of gathered.numbers) column.write(out, name, maxDoc)
  for (const [name, column] of gathered.present) column.write(out, name, maxDoc)
  for (const [locale, words] of gathered.words) {
    words.write(out, `words/${locale}`, maxDoc)
  }
  return { meta: metaOf(workshop.schema, maxDoc, gathered), sections: out }
}

/** The collation of a column: that of its locale. */
export function collationOfPlace({ schema, collationOf }: Workshop, name: string): Collation {
  return collationOf(name.slice(name.lastIndexOf('/') + 1) || schema.defaultLocale)
}

export function metaOf(
  { fields }: Pick<IndexSchema, 'fields'>,
  maxDoc: number,
  made: { [K in keyof Gathered]: ReadonlyMap<string, unknown> },
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
