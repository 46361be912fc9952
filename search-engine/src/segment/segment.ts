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
import type { FieldType } from '../port.ts'
import { DamagedSegment, sizeOf, unpack, type Reader } from './container.ts'
import { readKeywordColumn, type KeywordColumn } from './keyword-column.ts'
import { readNumberColumn, type NumberColumn } from './number-column.ts'
import { readTextIndex, type TextIndex } from './text-index.ts'

export interface SegmentMeta {
  readonly analysis: number
  readonly maxDoc: number
  readonly fields: readonly { readonly name: string; readonly type: FieldType }[]
  readonly keywords: readonly string[]
  readonly numbers: readonly string[]
  readonly present: readonly string[]
  readonly words: readonly string[]
}

export interface Segment {
  /** What it reads, the same bytes as in its file. */
  readonly buffer: SharedArrayBuffer
  /** In bytes; the buffer may be larger (made.ts). */
  readonly size: number
  /** By number, as spreads count them. */
  readonly fields: SegmentMeta['fields']
  readonly maxDoc: number
  readonly ids: Float64Array | Uint32Array
  readonly keywords: Columns<KeywordColumn>
  readonly numbers: Columns<NumberColumn>
  readonly present: Columns<Uint8Array>
  readonly words: Columns<TextIndex>
  /** Which documents have a key at a place, where that is known for less than a column costs. */
  readonly holders?: Columns<ReadonlyMap<string, readonly number[]>>
}

/** One that is in a file, or will be. */
export interface PackedSegment extends Segment {
  readonly meta: SegmentMeta
}

/** Columns by name, read when they are first asked for. */
export interface Columns<T> {
  get(name: string): T | undefined
}
export function lazily<T>(read: (name: string) => T | undefined): Columns<T> {
  const columns = new Map<string, T | undefined>()
  return {
    get(name) {
      if (!columns.has(name)) columns.set(name, read(name))
      return columns.get(name)
    },
  }
}

/** The name of a column. */
export function placeName(field: string, locale: string): string {
  return `${field}/${locale}`
}
/** What long texts leave of themselves at a place. */
export function presentName(place: string): string {
  return `${place}.present`
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

export function openSegment(buffer: SharedArrayBuffer): PackedSegment {
  const { meta, sections } = unpack<SegmentMeta>(buffer)
  if (meta.analysis !== analysisVersion) throw new DamagedSegment('it was made by another analysis')
  const columns = <T>(names: readonly string[], read: (from: Reader, name: string) => T) => {
    const known = new Set(names)
    return lazily((name) => (known.has(name) ? read(sections, name) : undefined))
  }
  return {
    buffer,
    size: sizeOf(buffer),
    meta,
    fields: meta.fields,
    maxDoc: meta.maxDoc,
    ids: sections.numbers('ids'),
    keywords: columns(meta.keywords, readKeywordColumn),
    numbers: columns(meta.numbers, readNumberColumn),
    present: columns(meta.present, (from, name) => from.bytes(presentName(name))),
    words: columns(meta.words, (from, locale) => readTextIndex(from, wordsName(locale))),
  }
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
