/**
 * The search sources of an area: its fields, and its objects as documents. Search knows no area; it uses the sources that the
 * modules declare, reads documents by id after every change, and lists them all for a rebuild.
 *
 *   outbox row ---> own data type? --------------> read the object with that id
 *              '--> may be referred to? ---------> read the documents whose `refs` contain it
 *              '--> related documents? ----------> read those too
 *
 * `read` always returns the current state. An object that no longer exists is omitted and so removed from the index. Reading
 * too much does no harm, reading too little does.
 */
import type { indexes, UnitSize } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { Entries, OnlyEntry } from './entries.ts'
import type { OutboxRow } from './outbox.ts'

export type IndexName = (typeof indexes)[number]

/** A text per locale; '' is the fallback for all others. */
export type Labels = Readonly<Record<string, string>>

export interface DocumentField {
  readonly name: string
  readonly type: 'text' | 'keyword' | 'number' | 'date' | 'boolean'
  /** Has values per locale; otherwise they are stored under ''. */
  readonly localized?: boolean
  /** localized: a value under '' applies to every locale without a value of its own. */
  readonly hasFallback?: true
  /** Weight in full-text search; the field is not part of it when absent. */
  readonly weight?: number
  /** keyword: a path such as /a/b, which also matches its ancestors. */
  readonly path?: boolean
  /** text: searched by words only; never compared, sorted or counted as a whole. */
  readonly long?: boolean
  /** text: its values are the pages of a document in order; page 1 first, '' for a page without text. */
  readonly paged?: true
  readonly label: Labels
  /** The attribute of the field. Only callers who may see the attribute can use the field. */
  readonly attribute?: string
  /** The table attribute that has the field as a column. */
  readonly table?: string
  /** The labels of its values, by value. */
  readonly values?: ReadonlyMap<string, Labels>
  /** The kind of the objects whose names these labels are, if grants can hide them. The values are their paths. */
  readonly labelled?: string
  /** The full-text field with the words of these labels. */
  readonly words?: string
  /** number: the units in which queries may give it, the base unit first. Values are in the base unit. */
  readonly units?: readonly UnitSize[]
  /** number: how its values are counted, instead of in round ranges. */
  readonly ranges?: readonly { readonly from?: number; readonly to?: number }[]
  /** Internal: serves other fields and is not visible in the interface. */
  readonly inner?: true
  /** Holds the tids of objects of another index. Callers see only the objects that they may read. */
  readonly link?: Link
  /**
   * Holds paths or names of objects of this kind, which have no index; `*` for objects of several kinds. Callers see
   * only the paths that they may read, and names only if they may read all objects of the kind.
   */
  readonly names?: string
  /**
   * Computed from all values of objects of these kinds. Only callers who may read every one of them with all attributes and
   * locales can use the field.
   */
  readonly whole?: readonly string[]
}

/** A join of two indexes: a value of `from` there equals a value of `to` here. */
export interface Link {
  readonly index: IndexName
  readonly from: string
  readonly to: string
  /** The other index stores the values; this one looks them up there. */
  readonly elsewhere?: true
  /** The field of the other index that values are compared with; tid by default. */
  readonly named?: string
}

export type FieldScalar = string | number | boolean
/** Values by locale; '' for values without one. */
export type FieldValues = ReadonlyMap<string, readonly FieldScalar[]>

export interface SourceDocument {
  readonly id: number
  /** Owned by the receiver, who may add to them. */
  readonly fields: Entries<FieldValues>
  /** The paths of the object by kind of the source, which grants are narrowed by. */
  readonly scopes: Readonly<Record<string, readonly string[]>>
  /** Ids of other objects whose data the document contains. */
  readonly refs: readonly number[]
}

export interface FoundObject extends Pick<SourceDocument, 'id' | 'scopes'> {
  readonly tid: string
}

/** Localized fields whose values are not needed in some locales. */
export interface PassedOver {
  readonly fields: readonly string[]
  readonly locales: readonly string[]
}

export interface DocumentSource {
  readonly index: IndexName
  /** A caller must be allowed to read all of these kinds to find a document. */
  readonly kinds: readonly string[]
  /** In addition, only the users and roles in its scopes `user` and `role` find a document. */
  readonly audience?: true
  /** Data types of outbox rows whose objects are documents of this source. */
  readonly dataTypes: ReadonlySet<string>
  fields(db: Db): Promise<readonly DocumentField[]>
  /**
   * In order of id. `wanted`: the needed fields, all when absent. `passed`: the part of them that is not needed.
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
  /** Objects by tid, with the paths that grants are narrowed by. */
  find(db: Db, tids: readonly string[]): Promise<readonly FoundObject[]>
  /** The changed objects whose referring documents are out of date now. */
  referred(db: Db, changes: readonly OutboxRow[]): Promise<readonly number[]>
  /** Other documents that these changes affect. */
  related?(db: Db, changes: readonly OutboxRow[]): Promise<readonly number[]>
}

type Fact = FieldScalar | readonly FieldScalar[] | Date | null | undefined

/** Values without a locale, for the standard fields of a document; null and empty values are omitted. */
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

/** The percentage of required values that are present. */
export const completenessField: DocumentField = {
  name: 'completeness',
  type: 'number',
  localized: true,
  hasFallback: true,
  ranges: [{ to: 25 }, { from: 25, to: 50 }, { from: 50, to: 75 }, { from: 75, to: 100 }, { from: 100 }],
  label: { '': 'Completeness', de_DE: 'Vollständigkeit', fr_FR: 'Complétude' },
}

/** The values of a field in each locale, with the fallback applied. */
export function withFallback(locales: readonly string[], values: FieldValues): FieldValues {
  const others = values.get('') ?? []
  const all = new Entries<readonly FieldScalar[]>()
  for (const locale of locales) all.add(locale, values.get(locale) ?? others)
  return all
}

/** Whether the documents at the other end of a link must be read again. If not, they have an outbox row of their own. */
export const isLinking = ({ action }: OutboxRow) => action === 'link' || action === 'unlink'
