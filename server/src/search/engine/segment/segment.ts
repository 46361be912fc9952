/**
 * An immutable part of an index: documents numbered from 0 in the order of their ids, columns and words. What a segment
 * has no column for is empty in all its documents, so a field can be new without touching older segments.
 *
 *   ids                     by document, ascending; 4 bytes where that is enough, otherwise 8
 *   <field>/<locale>        whole values (keyword-column.ts) or numbers (number-column.ts)
 *   <field>/<locale>.present   long texts: 1 where there is a value
 *   words/<locale>          words of all fields in a locale (text-index.ts); '' for fields that are not localized
 */
import { analysisVersion } from '../analysis/stem.ts'
import { compoundLanguages, partsOf, type Lexicon } from '../analysis/compounds.ts'
import { analysedLanguage } from '../analysis/analyse.ts'
import type { FieldType } from '../port.ts'
import { DamagedSegment, unpack } from './container.ts'
import { readKeywordColumn, type KeywordColumn } from './keyword-column.ts'
import { readNumberColumn, type NumberColumn } from './number-column.ts'
import { textAt } from './strings.ts'
import { readTextIndex, type TextIndex } from './text-index.ts'

export interface SegmentMeta {
  readonly analysis: number
  readonly maxDoc: number
  /** The fields by number, as spreads count them. */
  readonly fields: readonly { readonly name: string; readonly type: FieldType }[]
  readonly keywords: readonly string[]
  readonly numbers: readonly string[]
  readonly present: readonly string[]
  readonly words: readonly string[]
}

export interface Segment {
  /** What it reads, the same bytes as in its file. */
  readonly buffer: SharedArrayBuffer
  readonly meta: SegmentMeta
  readonly maxDoc: number
  readonly ids: Float64Array | Uint32Array
  readonly keywords: Columns<KeywordColumn>
  readonly numbers: Columns<NumberColumn>
  readonly present: Columns<Uint8Array>
  readonly words: Columns<TextIndex>
  /** The words whose parts have a stem: by locale, by stem. Found when it is first asked for. */
  compoundsOf(locale: string, stem: string): readonly number[]
}

/** Columns by name, read when they are first asked for. */
export interface Columns<T> {
  get(name: string): T | undefined
}
export function lazily<T>(has: (name: string) => boolean, read: (name: string) => T): Columns<T> {
  const columns = new Map<string, T>()
  return {
    get(name) {
      const column = columns.get(name)
      if (column !== undefined || !has(name)) return column
      const made = read(name)
      columns.set(name, made)
      return made
    },
  }
}

/** The name of a column. */
export function placeName(field: string, locale: string): string {
  return `${field}/${locale}`
}
/** The name of the words of a locale. */
export function wordsName(locale: string): string {
  return `words/${locale}`
}
/** The field and the locale that a column belongs to. */
export function fieldOf(place: string): string {
  return place.slice(0, place.lastIndexOf('/'))
}
export function localeOf(place: string): string {
  return place.slice(place.lastIndexOf('/') + 1)
}

export function openSegment(buffer: SharedArrayBuffer, lexicon: Lexicon): Segment {
  const { meta, sections } = unpack<SegmentMeta>(buffer)
  if (meta.analysis !== analysisVersion) throw new DamagedSegment('it was made by another analysis')
  const has = (names: readonly string[]) => {
    const known = new Set(names)
    return (name: string) => known.has(name)
  }
  const words = lazily(has(meta.words), (locale) => readTextIndex(sections, wordsName(locale)))
  return {
    buffer,
    meta,
    maxDoc: meta.maxDoc,
    ids: sections.numbers('ids'),
    keywords: lazily(has(meta.keywords), (name) => readKeywordColumn(sections, name)),
    numbers: lazily(has(meta.numbers), (name) => readNumberColumn(sections, name)),
    present: lazily(has(meta.present), (name) => sections.bytes(`${name}.present`)),
    words,
    compoundsOf: compoundsIn(words, lexicon),
  }
}

export function compoundsIn(words: Columns<TextIndex>, lexicon: Lexicon): Segment['compoundsOf'] {
  const compounds = new Map<string, ReadonlyMap<string, readonly number[]>>()
  return (locale, stem) => {
    const text = words.get(locale)
    const language = analysedLanguage(locale)
    if (!text || !compoundLanguages.includes(language) || !lexicon.get(language)?.size) return []
    const known = compounds.get(locale) ?? findCompounds(text, language, lexicon)
    compounds.set(locale, known)
    return known.get(stem) ?? []
  }
}

function findCompounds(text: TextIndex, language: string, lexicon: Lexicon): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (let term = 0; term < text.terms.count; term++) {
    for (const part of new Set(partsOf(textAt(text.terms, term), language, lexicon))) {
      const words = found.get(part)
      if (words) words.push(term)
      else found.set(part, [term])
    }
  }
  return found
}

/** The number of the document with an id, or -1. */
export function documentOf({ ids }: Segment, id: number): number {
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ids[middle]! < id) low = middle + 1
    else high = middle
  }
  return ids[low] === id ? low : -1
}
