/**
 * An immutable part of an index: documents numbered from 0 in the order of their IDs, columns and terms. A missing column
 * means that no document has a value, so new fields need no change to older segments.
 *
 *   ids                     by document, ascending; 4 bytes if they fit, otherwise 8
 *   <field>/<locale>        keyword values (keyword-column.ts) or numbers (number-column.ts)
 *   <field>/<locale>.present   long texts: 1 if the document has a value
 *   words/<locale>          terms of all fields in a locale (text-index.ts); '' for fields that are not localized
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
  /** The same bytes as in its file. */
  readonly buffer: SharedArrayBuffer
  /** In bytes. */
  readonly size: number
  /** By field number, as used in profiles. */
  readonly fields: SegmentMeta['fields']
  readonly maxDoc: number
  readonly ids: Float64Array | Uint32Array
  readonly keywords: Columns<KeywordColumn>
  readonly numbers: Columns<NumberColumn>
  readonly present: Columns<Uint8Array>
  readonly words: Columns<TextIndex>
  /** Documents by key. Only for segments where this is cheaper than building a column. */
  readonly docsByKey?: Columns<ReadonlyMap<string, readonly number[]>>
}

/** A segment that is stored in a file, or will be. */
export interface PackedSegment extends Segment {
  readonly meta: SegmentMeta
}

/** Columns by name, read at first access. */
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
export function columnName(field: string, locale: string): string {
  return `${field}/${locale}`
}
/** The section name of the presence flags of long texts. */
export function presentName(column: string): string {
  return `${column}.present`
}
/** The section name of the terms of a locale. */
export function wordsName(locale: string): string {
  return `words/${locale}`
}
/** The field and the locale of a column. */
export function fieldOf(column: string): string {
  return column.slice(0, column.lastIndexOf('/'))
}
export function localeOf(column: string): string {
  return column.slice(column.lastIndexOf('/') + 1)
}

export function openSegment(buffer: SharedArrayBuffer): PackedSegment {
  const { meta, sections } = unpack<SegmentMeta>(buffer)
  if (meta.analysis !== analysisVersion)
    throw new DamagedSegment('it was built by another version of the text analysis')
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

/** The number of the document with an ID, or -1. */
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
