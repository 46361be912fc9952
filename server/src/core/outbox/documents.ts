/**
 * What an area offers to be searched: its fields, and its objects as documents. Search knows no area; it takes what the
 * modules declare here, reads documents by id after every change, and lists them all for a rebuild.
 *
 *   outbox row ---> own data type? ------------> read the object with that id
 *              '--> somebody may refer to it? -> read the documents whose `refs` name it
 *              '--> related documents? --------> read those too
 *
 * `read` always gives the present state; an object that is not there any more is left out, and so leaves the index.
 * Reading twice does no harm, reading too little does.
 */
import type { indexes } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { Entries, OnlyEntry } from './entries.ts'
import type { OutboxRow } from './outbox.ts'

export type IndexName = (typeof indexes)[number]

/** A text per locale; the one under '' is for all others. */
export type Labels = Readonly<Record<string, string>>

export interface DocumentField {
  readonly name: string
  readonly type: 'text' | 'keyword' | 'number' | 'date' | 'boolean'
  /** Has values per locale; otherwise they stand under ''. */
  readonly localized?: boolean
  /** localized: what stands under '' holds in every locale that says nothing itself. */
  readonly spread?: true
  /** Weight in full-text search; absent keeps the field out of it. */
  readonly weight?: number
  /** keyword: a path such as /a/b, which is found by its ancestors too. */
  readonly path?: boolean
  /** text: searched by words only, never compared, sorted or counted as a whole. */
  readonly long?: boolean
  readonly label: Labels
  /** The attribute it is made of: only who may see the attribute can use the field. */
  readonly attribute?: string
  /** The table that it is a column of. */
  readonly table?: string
  /** The labels of its values, by value. */
  readonly values?: ReadonlyMap<string, Labels>
  /** The field that has the words of these labels. */
  readonly words?: string
  /** number: how its values are counted, instead of by round ranges. */
  readonly ranges?: readonly { readonly from?: number; readonly to?: number }[]
  /** Serves other fields and is shown to nobody. */
  readonly inner?: true
  /** Holds the tids of objects of another index. */
  readonly link?: Link
}

/** How documents of two indexes belong together: `from` there has a value that `to` has here. */
export interface Link {
  readonly index: IndexName
  readonly from: string
  readonly to: string
  /** The other index has the values; this one only looks them up there. */
  readonly elsewhere?: true
  /** The field there that is meant when values are compared; tid by default. */
  readonly named?: string
}

export type FieldScalar = string | number | boolean
/** Values by locale, '' where there is none. */
export type FieldValues = ReadonlyMap<string, readonly FieldScalar[]>

export interface SourceDocument {
  readonly id: number
  /** The taker's own, who may add to them. */
  readonly fields: Entries<FieldValues>
  /** Where the object stands, by the kinds of the source: the paths that grants are narrowed by. */
  readonly scopes: Readonly<Record<string, readonly string[]>>
  /** Ids of other objects that the document says something of. */
  readonly refs: readonly number[]
}

/** Localized fields of which nobody looks at the values in some locales. */
export interface PassedOver {
  readonly fields: readonly string[]
  readonly locales: readonly string[]
}

export interface DocumentSource {
  readonly index: IndexName
  /** The kinds of objects that one must be allowed to read to find a document: all of them. */
  readonly kinds: readonly string[]
  /** Besides, a document is for those users and roles only that its scopes name under `user` and `role`. */
  readonly audience?: true
  /** Data types of the outbox whose objects are documents of this source. */
  readonly dataTypes: ReadonlySet<string>
  fields(db: Db): Promise<readonly DocumentField[]>
  /**
   * In the order of their ids. `wanted`: the fields that are needed; without it all are. `passed`: what of these is not.
   * A source may give more. It may make each document when it is asked for: of many, the last are then gone before the
   * next are made.
   */
  read(
    db: Db,
    ids: readonly number[],
    wanted?: ReadonlySet<string>,
    passed?: PassedOver,
  ): Promise<Iterable<SourceDocument>>
  /** The ids after one, in ascending order. */
  list(db: Db, after: number, limit: number): Promise<readonly number[]>
  count(db: Db): Promise<number>
  /** Ids by tid. */
  find(db: Db, tids: readonly string[]): Promise<readonly { readonly id: number; readonly tid: string }[]>
  /** Of these changes, the objects whose referring documents say something else now. */
  referred(db: Db, changes: readonly OutboxRow[]): Promise<readonly number[]>
  /** Documents that these changes bring about otherwise. */
  related?(db: Db, changes: readonly OutboxRow[]): Promise<readonly number[]>
}

type Fact = FieldScalar | readonly FieldScalar[] | Date | null | undefined

/** Values without a locale, for the standard fields of a document; what is null or empty is left out. */
export function plainFields(facts: Readonly<Record<string, Fact>>): Entries<FieldValues> {
  const fields = new Entries<FieldValues>()
  for (const name in facts) {
    const values = plainValues(facts[name])
    if (values) fields.add(name, values)
  }
  return fields
}

export function plainValues(fact: Fact): FieldValues | undefined {
  if (fact === null || fact === undefined || fact === '') return undefined
  const values = fact instanceof Date ? [fact.getTime()] : typeof fact === 'object' ? fact : [fact]
  return values.length > 0 ? withoutLocale(values) : undefined
}

export const withoutLocale = <V>(values: V): ReadonlyMap<string, V> => new OnlyEntry('', values)

/** `/a/b/c` -> /a, /a/b, /a/b/c */
export function pathsAbove(path: string): string[] {
  const paths: string[] = []
  for (let at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1)) paths.push(path.slice(0, at))
  return [...paths, path]
}

/** Fields that every kind of object has. */
// prettier-ignore
export const commonFields: readonly DocumentField[] = [
  { name: 'id',               type: 'number',                 label: { '': 'Id' } },
  { name: 'tid',              type: 'keyword', weight: 10,    label: { '': 'Identifier', de_DE: 'Kennung', fr_FR: 'Identifiant' } },
  { name: 'name',             type: 'text',    weight: 3,     label: { '': 'Name', fr_FR: 'Nom' } },
  { name: 'itemType',         type: 'keyword',                label: { '': 'Kind', de_DE: 'Art', fr_FR: 'Genre' } },
  { name: 'creationDate',     type: 'date',                   label: { '': 'Created', de_DE: 'Angelegt', fr_FR: 'Créé le' } },
  { name: 'creationUser',     type: 'keyword',                label: { '': 'Created by', de_DE: 'Angelegt von', fr_FR: 'Créé par' } },
  { name: 'modificationDate', type: 'date',                   label: { '': 'Modified', de_DE: 'Geändert', fr_FR: 'Modifié le' } },
  { name: 'modificationUser', type: 'keyword',                label: { '': 'Modified by', de_DE: 'Geändert von', fr_FR: 'Modifié par' } },
]

/** How much of what is required is there, in percent. */
export const completenessField: DocumentField = {
  name: 'completeness',
  type: 'number',
  localized: true,
  spread: true,
  ranges: [{ to: 25 }, { from: 25, to: 50 }, { from: 50, to: 75 }, { from: 75, to: 100 }, { from: 100 }],
  label: { '': 'Completeness', de_DE: 'Vollständigkeit', fr_FR: 'Complétude' },
}

/** Of a field that spreads, the values in each of the locales. */
export function spreadTo(locales: readonly string[], values: FieldValues): FieldValues {
  const others = values.get('') ?? []
  const spread = new Entries<readonly FieldScalar[]>()
  for (const locale of locales) spread.add(locale, values.get(locale) ?? others)
  return spread
}

/** Whether documents of what was changed at the other end of a link must be read again: it brings a row of its own. */
export const isLinking = ({ action }: OutboxRow) => action === 'link' || action === 'unlink'
