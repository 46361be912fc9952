/**
 * The fields that each index currently has: those its area declares, and two internal ones in every index.
 *
 *   _scope   who may find a document: digests of the document's paths. Digests, because grants are case-sensitive and
 *            paths of any length, while compared values are neither
 *   _refs    the ids of the objects that the document mentions, so that a change of one of them finds the document
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
  /** Engine definitions of the fields that the index stores itself. */
  readonly definitions: ReadonlyMap<string, FieldDefinition>
  /** The fields that full-text search covers. */
  readonly searched: readonly DocumentField[]
  readonly making: Making
  toDocument: ToDocument
}
export type Catalogue = ReadonlyMap<IndexName, Entry>

/**
 * Version of the document format. Raise it when documents are built differently; older indexes are then rebuilt at the
 * next start.
 */
const revision = '4'
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

/** Objects of these types define fields, so a change of one reloads the catalogue. */
export const fieldTypes: ReadonlySet<string> = new Set([
  'attrDefinition',
  'projectTypes',
  'locale',
  'node',
  'classification',
  'pim.relationType',
])

/** Settings for building the documents of a source, as plain data, because builder processes receive them too. */
export interface Making {
  /** Fields whose value applies to every locale that has none of its own. */
  readonly spread: readonly string[]
  readonly locales: readonly string[]
}
/** Converts a document of a source into the form that the index stores. */
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

/** A digest for "everything at or below this path", for one kind of object. */
export const scopeMark = (kind: string, path: string) => hash('sha256', `${kind} ${path}`, 'hex').slice(0, 32)

/** Names of users and roles are not paths: the role /sales is not above /sales/north. */
const isPath = (kind: string) => kind !== 'user' && kind !== 'role'

const mostRemembered = 10_000

/** Returns the digests of a path and of all paths above it. Cached, because many documents share few paths. */
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
