/** Makes a segment of documents. */
import { valueGap, type Analyser } from '../analysis/analyse.ts'
import { runsOf } from '../analysis/tokenize.ts'
import { analysisVersion } from '../analysis/stem.ts'
import type { Collation } from '../collation.ts'
import { hasWords, isNumeric, isWhole } from '../comparators.ts'
import type { FieldDefinition, IndexSchema, Scalar, SearchDocument } from '../port.ts'
import { numbersOf, wholeValues, wordValues } from '../values.ts'
import {
  gatherKeywords,
  gatherNumbers,
  gatherWords,
  type KeywordGatherer,
  type NumberGatherer,
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
  readonly present: Map<string, Uint8Array>
  readonly words: Map<string, WordGatherer>
}

export function buildSegment(workshop: Workshop, documents: readonly SearchDocument[]): Draft<SegmentMeta> {
  const sorted = [...new Map(documents.map((document) => [document.id, document])).values()]
  sorted.sort((a, b) => a.id - b.id)
  const { schema } = workshop
  const gathered: Gathered = { keywords: new Map(), numbers: new Map(), present: new Map(), words: new Map() }
  sorted.forEach((document, doc) => {
    schema.fields.forEach((field, code) => {
      const byLocale = document.fields.get(field.name)
      for (const locale of byLocale ? (field.localized ? schema.locales : ['']) : []) {
        const values = byLocale!.get(locale)
        if (values?.length) gatherField(workshop, gathered, { field, code, locale, doc, maxDoc: sorted.length }, values)
      }
    })
    for (const words of gathered.words.values()) words.endDocument(doc)
  })
  return packSegment(
    workshop,
    Float64Array.from(sorted, ({ id }) => id),
    gathered,
  )
}

interface Place {
  readonly field: FieldDefinition
  readonly code: number
  readonly locale: string
  readonly doc: number
  readonly maxDoc: number
}

function gatherField(workshop: Workshop, gathered: Gathered, place: Place, values: readonly Scalar[]): void {
  const { field, locale, doc, maxDoc } = place
  const name = placeName(field.name, locale)
  if (isNumeric(field)) {
    for (const value of numbersOf(values)) getOrMake(gathered.numbers, name, gatherNumbers).add(doc, value)
    return
  }
  const whole = wholeValues(field, values)
  if (whole.length && !isWhole(field)) getOrMake(gathered.present, name, () => new Uint8Array(maxDoc))[doc] = 1
  if (isWhole(field)) {
    for (const value of whole) {
      const column = getOrMake(gathered.keywords, name, gatherKeywords)
      column.add(doc, column.idOf(value))
    }
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
  for (const [name, present] of gathered.present) out.set(`${name}.present`, present)
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
