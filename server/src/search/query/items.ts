/**
 * Converts hits to search items. Documents are read from the database, not from the index, and reduced to the values
 * that the caller may see. Documents deleted since the search are left out.
 */
import type { Highlight, Infer, SearchAttribute, SearchItem } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import {
  type DocumentField,
  type FieldScalar,
  type FieldValues,
  type IndexName,
  type PassedOver,
  type SourceDocument,
  withFallback,
} from '../../core/outbox/documents.ts'
import { inTurns } from '../../core/batch/turns.ts'
import type { Highlighter } from '@kontor/search-engine'
import { fieldLabel } from './labels.ts'
import type { Scope } from './query.ts'
import { type IsReadable, readableOf } from './readable.ts'
import type { Shows } from './rights.ts'

interface ItemView {
  readonly scope: Scope
  readonly columns: readonly Column[]
  /** Locale of values; all locales if absent. */
  readonly locale: string | undefined
  readonly highlighter: Highlighter
  /** The fields to highlight. */
  readonly marked: ReadonlySet<string>
  /** Fields and locales that need not be read, because they are neither returned nor highlighted. */
  readonly passed: PassedOver | undefined
}

/** An attribute of every hit, with the properties that are equal in all hits. */
export interface Column {
  readonly field: DocumentField
  readonly head: Pick<Infer<typeof SearchAttribute>, 'name' | 'label' | 'type'>
}

export function columnsOf({ entry }: Scope, names: readonly string[], labelLocale: string | undefined): Column[] {
  return names.flatMap((name) => {
    const field = entry.fields.get(name)
    if (!field || field.inner) return []
    return [{ field, head: { name, label: fieldLabel(field, labelLocale), type: field.type } }]
  })
}

export interface Found {
  readonly id: number
  readonly index: IndexName
}

/** Maximum number of highlighted fields per hit. */
const mostHighlights = 5

export async function toItems(
  db: Db,
  hits: readonly Found[],
  viewIn: (index: IndexName) => ItemView,
): Promise<Infer<typeof SearchItem>[]> {
  const groups = [...Map.groupBy(hits, ({ index }) => index)]
  const documents = new Map<number, SourceDocument>()
  for (const [index, some] of groups) {
    const { scope, columns, marked, passed } = viewIn(index)
    const ids = some.map(({ id }) => id)
    const names = new Set([...columns.map(({ field }) => field.name), ...marked])
    for (const document of await scope.entry.source.read(db, ids, names, passed)) documents.set(document.id, document)
  }
  const readable = new Map<IndexName, ReadonlyMap<string, IsReadable>>()
  for (const [index, some] of groups) readable.set(index, await readableIn(db, viewIn(index), some, documents))
  const items = await inTurns(hits, ({ id, index }) => {
    const document = documents.get(id)
    // The index may not have followed a move of the object yet.
    if (!document || !viewIn(index).scope.view.mayFind(document.scopes)) return []
    return [toItem(viewIn(index), withReadable(document, readable.get(index)!))]
  })
  return items.flat()
}

/** For each returned field that names other objects, which of them the caller may read. */
async function readableIn(
  db: Db,
  { scope, columns, marked }: ItemView,
  hits: readonly Found[],
  documents: ReadonlyMap<number, SourceDocument>,
) {
  const names = new Set([...columns.map(({ field }) => field.name), ...marked])
  const limited = [...names].map((name) => scope.entry.fields.get(name)!).filter((field) => scope.view.limits(field))
  const valuesOf = (name: string) =>
    hits.flatMap(({ id }) => [...(documents.get(id)?.fields.get(name)?.values() ?? [])].flat())
  return new Map<string, IsReadable>(
    await Promise.all(
      limited.map(
        async (field) => [field.name, await readableOf(db, scope, field, () => valuesOf(field.name))] as const,
      ),
    ),
  )
}

function withReadable(document: SourceDocument, readable: ReadonlyMap<string, IsReadable>): SourceDocument {
  for (const [name, isReadable] of readable) {
    const values = document.fields.get(name)
    if (!values) continue
    const kept = [...values].map(([locale, some]) => [locale, some.filter(isReadable)] as const)
    document.fields.set(name, new Map(kept.filter(([, some]) => some.length > 0)))
  }
  return document
}

function toItem(itemView: ItemView, { id, fields, scopes }: SourceDocument): Infer<typeof SearchItem> {
  const { entry, view } = itemView.scope
  const shows = view.shows(scopes)
  const attributes = itemView.columns.flatMap((column) => {
    const { field } = column
    const values = fields.get(field.name)
    if (!values) return []
    const withDefaults = field.hasFallback ? withFallback(entry.schema.locales, values) : values
    return toAttribute(itemView, column, visibleIn(field, withDefaults, shows)) ?? []
  })
  const highlights: Infer<typeof Highlight>[] = []
  for (const [name, values] of fields) {
    const field = entry.fields.get(name)
    if (!field || !itemView.marked.has(name) || highlights.length >= mostHighlights) continue
    const marked = markIn(itemView, field, visibleIn(field, values, shows))
    if (marked.value.length > 0) highlights.push({ name, ...marked })
  }
  return { id, ...(attributes.length > 0 && { attributes }), ...(highlights.length > 0 && { highlights }) }
}

const toReplyValue = ({ type }: DocumentField, value: FieldScalar) =>
  type === 'date' ? new Date(value as number).toISOString() : value

/** A single value as is, several as a list. If no language was requested, an object by locale. */
function toAttribute(
  { scope, locale }: ItemView,
  { field, head }: Column,
  visible: FieldValues,
): Infer<typeof SearchAttribute> | undefined {
  const toReply = (some: readonly FieldScalar[]) =>
    some.length === 1 ? toReplyValue(field, some[0]!) : some.map((value) => toReplyValue(field, value))
  if (visible.size === 0) return undefined
  if (!field.localized) return { ...head, value: toReply(visible.get('') ?? []) }
  if (locale === undefined)
    return { ...head, value: Object.fromEntries([...visible].map(([loc, some]) => [loc, toReply(some)])) }
  const resolved = resolveLocale(scope, visible, locale)
  return resolved === undefined ? undefined : { ...head, value: toReply(visible.get(resolved)!) }
}

const visibleIn = (field: DocumentField, values: FieldValues, shows: Shows | undefined): FieldValues =>
  shows ? new Map([...values].filter(([locale]) => shows(field, locale))) : values

/**
 * The requested locale, else one of the same language, else the default locale; undefined if the values have none of
 * them.
 */
function resolveLocale({ entry }: Scope, values: FieldValues, locale: string): string | undefined {
  if (values.has(locale)) return locale
  const near = [...values.keys()].find((each) => each.slice(0, 2) === locale.slice(0, 2))
  return near ?? (values.has(entry.schema.defaultLocale) ? entry.schema.defaultLocale : undefined)
}

const mostFragments = 3

/** With the page of each fragment in the text of a document, which is read only as far as needed. */
function markIn({ highlighter, scope }: ItemView, field: DocumentField, visible: FieldValues) {
  const definition = scope.entry.definitions.get(field.name)
  const pages = new Map<string, number>()
  for (const [locale, some] of definition ? visible : []) {
    for (let at = 0; at < some.length && pages.size < mostFragments; at++) {
      for (const each of highlighter.highlight(definition!, locale, String(some[at]!)))
        if (!pages.has(each)) pages.set(each, at + 1)
    }
  }
  const value = [...pages.keys()].slice(0, mostFragments)
  return { value, ...(field.paged && { pages: [...pages.values()].slice(0, mostFragments) }) }
}
