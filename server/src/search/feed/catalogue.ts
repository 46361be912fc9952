/**
 * Which fields each index has at present: those its area declares, and two inner ones that every index has.
 *
 *   _scope   who may find a document: digests of the paths it stands at, because grants are case-sensitive, and of any
 *            length, which compared values are not
 *   _refs    the ids of the objects it says something of, by which a change of one of them finds it
 */
import { hash } from 'node:crypto'
import type { Db } from '../../adapters/postgres/db.ts'
import {
  type DocumentField,
  type DocumentSource,
  type IndexName,
  pathsAbove,
  type SourceDocument,
  withFallback,
  withoutLocale,
} from '../../core/outbox/documents.ts'
import type { FieldDefinition, IndexSchema, SearchDocument } from '@kontor/search-engine'
import { findContentLocales } from './catalogue.sql.ts'

export interface Entry {
  readonly source: DocumentSource
  readonly fields: ReadonlyMap<string, DocumentField>
  readonly schema: IndexSchema
  /** Of the fields that the index has itself, as the engine knows them. */
  readonly definitions: ReadonlyMap<string, FieldDefinition>
  /** The fields that are found by their words. */
  readonly searched: readonly DocumentField[]
  readonly making: Making
  toDocument: ToDocument
}
export type Catalogue = ReadonlyMap<IndexName, Entry>

/** Documents are made in another way than before: raise it, and indexes of older ones are rebuilt at the next start. */
const revision = '3'
const preferredLocale = 'en_GB'

const innerFields: readonly DocumentField[] = [
  { name: '_scope', type: 'keyword', inner: true, label: {} },
  { name: '_refs', type: 'keyword', inner: true, label: {} },
]

export async function loadCatalogue(db: Db, sources: readonly DocumentSource[]): Promise<Catalogue> {
  const locales = await findContentLocales(db)
  const defaultLocale = locales.includes(preferredLocale) ? preferredLocale : (locales[0] ?? preferredLocale)
  const entries = sources.map(async (source): Promise<[IndexName, Entry]> => {
    const fields = [...(await source.fields(db)), ...innerFields]
    const stored = fields.filter(({ link }) => !link?.elsewhere).map(toDefinition)
    const schema = { fields: stored, locales, defaultLocale, revision }
    const spread = fields.filter((field) => field.hasFallback).map(({ name }) => name)
    const making = { spread, locales }
    const byName = <F extends { readonly name: string }>(some: readonly F[]) =>
      new Map(some.map((one) => [one.name, one]))
    return [
      source.index,
      {
        source,
        fields: byName(fields),
        schema,
        definitions: byName(stored),
        searched: fields.filter(({ weight }) => weight),
        making,
        toDocument: documentMaker(making),
      },
    ]
  })
  return new Map(await Promise.all(entries))
}

const toDefinition = ({ name, type, localized, weight, path, long }: DocumentField): FieldDefinition => ({
  name,
  type,
  ...(localized && { localized }),
  ...(weight && { weight }),
  ...(path && { path }),
  ...(long && { long }),
})

/** What a change of these is about may be a field: the catalogue is read again. */
export const fieldTypes: ReadonlySet<string> = new Set([
  'attrDefinition',
  'projectTypes',
  'locale',
  'node',
  'classification',
])

/** What documents of a source are made by, as plain data: builders in other processes are told it. */
export interface Making {
  /** Fields whose values hold in every locale that says nothing itself. */
  readonly spread: readonly string[]
  readonly locales: readonly string[]
}
/** A document as the index takes it. */
export type ToDocument = (document: SourceDocument) => SearchDocument

export function documentMaker({ spread, locales }: Making): ToDocument {
  const marksOf = rememberMarks()
  return ({ id, fields, scopes, refs }) => {
    for (const name of spread) {
      const values = fields.get(name)
      if (values) fields.set(name, withFallback(locales, values))
    }
    const marks: string[] = []
    for (const kind in scopes) for (const path of scopes[kind]!) marks.push(...marksOf(kind, path))
    fields.add('_scope', withoutLocale(marks))
    if (refs.length > 0) fields.add('_refs', withoutLocale([...new Set(refs)].map(String)))
    return { id, fields }
  }
}

/** Stands for everything at or below a path, of a kind of objects. */
export const scopeMark = (kind: string, path: string) => hash('sha256', `${kind} ${path}`, 'hex').slice(0, 32)

/** Users and roles stand in no tree, whatever they are called: /sales is not above /sales/north. */
const isPath = (kind: string) => kind !== 'user' && kind !== 'role'

const mostRemembered = 10_000

/** The marks of a path and of all above it. A few paths have many documents. */
function rememberMarks(): (kind: string, path: string) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  return (kind, path) => {
    const key = `${kind} ${path}`
    const remembered = known.get(key)
    if (remembered) return remembered
    if (known.size >= mostRemembered) known.clear()
    const marks = (isPath(kind) ? pathsAbove(path) : [path]).map((each) => scopeMark(kind, each))
    known.set(key, marks)
    return marks
  }
}
