/**
 * Expresses a caller's permissions as a predicate that is part of every query. Totals, facets and suggestions therefore
 * count only visible documents, and cost the same for every caller.
 *
 * Grants are limited to subtrees, and may hide attributes and locales in one subtree and show them in another. So each
 * field has its own predicate: the documents in which the caller may see its value. In all others the field counts as
 * empty.
 *
 * A field may name other objects: linked products, keywords, the objects of a process. Names of objects that the caller
 * may not read count as absent, so each such field has limits, too.
 *
 * A locale may be given by another name, such as `en` or `en_NZ` for en_GB. Permissions apply to the locale it resolves
 * to.
 */
import type { Caller } from '../../core/context.ts'
import {
  type DocumentField,
  type DocumentSource,
  type IndexName,
  type Link,
  pathsAbove,
  type SourceDocument,
} from '../../core/outbox/documents.ts'
import {
  type Filter,
  filterOf,
  isBelow,
  pathsFor,
  type Permissions,
  readsAll,
  type Rule,
} from '../../core/access/permissions.ts'
import { type Predicate, resolveLocale } from '@kontor/search-engine'
import { type Entry, scopeMark } from '../feed/catalogue.ts'

export const everything: Predicate = { kind: 'all' }
export const nothing: Predicate = { kind: 'or', of: [] }

export interface View {
  /** The documents that the caller may find. */
  readonly within: Predicate
  /** The documents in which the caller may see a field, in the given locale if there is one. */
  visible(field: DocumentField, locale?: string): Predicate
  /** Set if any attributes or locales are hidden: groups of documents with equal visibility. */
  readonly parts?: readonly Part[]
  /** The values that the caller may see in a document with these paths; undefined if all are visible. */
  shows(scopes: Scopes): Shows | undefined
  /** Whether the caller may find a document with these paths. */
  mayFind(scopes: Scopes): boolean
  /** Whether the caller may see the labels of a field's values. */
  labels(field: DocumentField): (value: string) => boolean
  /** Set if a field names other objects and the caller may not read all of them. */
  limits(field: DocumentField): Limits | undefined
}

type Scopes = SourceDocument['scopes']
/** Whether the value of a field is visible in a locale; '' for a value without one. */
export type Shows = (field: DocumentField, locale: string) => boolean

/**
 * The objects that a caller may read, of those that a field names: the matching documents of another index, or all in
 * some subtrees.
 */
export type Limits =
  | { readonly link: Link; readonly of: Predicate; readonly paths?: undefined }
  | { readonly paths: readonly string[]; readonly link?: undefined }

/** Documents in which the same fields and locales are visible. */
export interface Part {
  readonly where: Predicate
  allowsField(field: DocumentField): boolean
  allowsLocale(locale: string): boolean
}

type Clause = Filter['any'][number]

export function viewOf(
  caller: Caller,
  { source, schema, searched }: Entry,
  /** The documents of another index that the caller may find. */
  withinOther: (index: IndexName) => Predicate,
): View {
  const { permissions } = caller
  const [kind = ''] = source.kinds
  const own = filterOf(permissions, kind).any
  const isNarrow = own.some(({ attributes, locales }) => attributes ?? locales)
  const limits = limitsOf(caller, kind, withinOther)
  const visibleAs = (field: DocumentField, locale: string | undefined) => {
    if (!isNarrow || (field.attribute === undefined && !field.localized)) return everything
    const open = own.filter(
      ({ attributes, locales }) =>
        fitsField(attributes, field) && (locale === undefined || fits(locales, resolveLocale(schema, locale))),
    )
    return open.length === own.length ? everything : where(kind, open)
  }
  const hidesSome = isNarrow || searched.some((field) => limits(field) !== undefined)
  const toPart = (clauses: readonly Clause[]): Part => ({
    where: where(kind, clauses),
    allowsField: (field) => fitsField(clauses[0]!.attributes, field) && !limits(field),
    allowsLocale: (locale) => fits(clauses[0]!.locales, resolveLocale(schema, locale)),
  })
  return {
    within: withinOf(caller, source),
    visible: (field, locale) => both([visibleAs(field, locale), withAnyOf(field, limits(field))]),
    ...(hidesSome && { parts: alike(own).map(toPart) }),
    shows(scopes) {
      if (!isNarrow) return undefined
      const isHere = ({ paths }: Clause) =>
        !paths || scopes[kind]?.some((path) => paths.some((top) => isBelow(path, top)))
      const here = own.filter(isHere)
      return (field, locale) =>
        here.some(({ attributes, locales }) => fitsField(attributes, field) && (locale === '' || fits(locales, locale)))
    },
    mayFind: finderOf(caller, source),
    labels({ labelled }) {
      const paths = labelled === undefined ? 'all' : pathsFor(permissions, 'read', labelled)
      return (value) => paths === 'all' || paths.some((top) => isBelow(value, top))
    },
    limits,
  }
}

/** One list of digests, regardless of the number of roles. */
function where(kind: string, clauses: readonly Clause[]): Predicate {
  if (clauses.some(({ paths }) => !paths)) return everything
  const paths = new Set(clauses.flatMap((clause) => clause.paths!))
  return paths.size > 0 ? marked(Array.from(paths, (path) => scopeMark(kind, path))) : nothing
}

const isAudience = ({ roles }: Caller, { audience }: DocumentSource) => !audience || roles.has('admin')

/** The documents of a source that the caller may find. */
export function withinOf(caller: Caller, source: DocumentSource): Predicate {
  const { permissions, userName, roles } = caller
  const audience = isAudience(caller, source)
    ? everything
    : marked([scopeMark('user', userName), ...[...roles].map((role) => scopeMark('role', role))])
  return both([...source.kinds.map((kind) => where(kind, filterOf(permissions, kind).any)), audience])
}

/** The same for a document of the database, which may have changed since it was indexed. */
function finderOf(caller: Caller, source: DocumentSource): View['mayFind'] {
  const { permissions, userName, roles } = caller
  const tops = source.kinds.flatMap((kind) => {
    const clauses = filterOf(permissions, kind).any
    if (clauses.some(({ paths }) => !paths)) return []
    return [{ kind, paths: new Set(clauses.flatMap(({ paths }) => paths!)) }]
  })
  const isInside = (path: string, paths: ReadonlySet<string>) => pathsAbove(path).some((above) => paths.has(above))
  return (scopes) =>
    tops.every(({ kind, paths }) => scopes[kind]?.some((path) => isInside(path, paths))) &&
    (isAudience(caller, source) ||
      scopes['user']?.includes(userName) === true ||
      scopes['role']?.some((role) => roles.has(role)) === true)
}

const limitsOf =
  ({ permissions }: Caller, kind: string, withinOther: (index: IndexName) => Predicate): View['limits'] =>
  ({ link, names, path, whole }) => {
    if (whole?.some((one) => !readsWhole(permissions, one))) return { paths: [] }
    if (link && !link.elsewhere) {
      const of = withinOther(link.index)
      return of === everything ? undefined : { link, of }
    }
    if (names === undefined) return undefined
    if (names === '*') return readsAll(permissions) ? undefined : { paths: [] }
    const paths = pathsFor(permissions, 'read', names)
    if (path) return paths === 'all' ? undefined : { paths }
    // Names have the locales of their own kind, while the query applies the locales of the document's kind.
    const [theirs, own] = [names, kind].map((of) => localeRules(permissions, of))
    return paths === 'all' && theirs === own ? undefined : { paths: [] }
  }

/** Whether one grant shows all objects of the kind with everything in them. */
const readsWhole = (permissions: Permissions, kind: string) =>
  filterOf(permissions, kind).any.some((clause) => Object.keys(clause).length === 0)

const localeRules = (permissions: Permissions, kind: string) =>
  [...new Set(filterOf(permissions, kind).any.map(({ locales = {} }) => JSON.stringify(locales)))].sort().join()

/** No document. Unlike `nothing`, it leaves a field known to the caller. */
const none: Predicate = { kind: 'or', of: [] }

/** The documents in which a field names an object within the limits. */
export function withAnyOf({ name }: DocumentField, limits: Limits | undefined): Predicate {
  if (!limits) return everything
  if (limits.link) return joinOf(limits.link, limits.of)
  return limits.paths.length > 0 ? { kind: 'field', field: name, comparator: 'IN', operands: limits.paths } : none
}

/** The documents linked to the matching documents of another index. */
export function joinOf({ index, from, to }: Link, of: Predicate): Predicate {
  return { kind: 'join', index, of, from, to }
}

/** Groups clauses that differ only in their subtrees, because there are many roles and few different rules. */
const alike = (clauses: readonly Clause[]) => [
  ...Map.groupBy(clauses, ({ attributes, locales }) => JSON.stringify([attributes, locales])).values(),
]

const fits = (rule: Rule | undefined, name: string) =>
  rule === undefined || ((rule.only?.includes(name) ?? true) && !rule.except?.includes(name))

/** A column of a table is hidden with the table, and if its own attribute is excluded. */
function fitsField(rule: Rule | undefined, { name, attribute, table }: DocumentField): boolean {
  if (attribute === undefined) return true
  const [column] = table === undefined ? [] : name.slice(table.length + 1).split('/', 1)
  return fits(rule, attribute) && !(column !== undefined && rule?.except?.includes(column))
}

const marked = (operands: readonly string[]): Predicate => ({
  kind: 'field',
  field: '_scope',
  comparator: 'IN',
  operands,
})

export function either(of: readonly Predicate[]): Predicate {
  if (of.includes(everything)) return everything
  const some = of.filter((each) => each !== nothing)
  return some.length === 0 ? nothing : some.length === 1 ? some[0]! : { kind: 'or', of: some }
}

export function both(of: readonly Predicate[]): Predicate {
  if (of.includes(nothing)) return nothing
  const some = of.filter((each) => each !== everything)
  return some.length === 0 ? everything : some.length === 1 ? some[0]! : { kind: 'and', of: some }
}

/** Applies the predicate where the value is visible, and a constant where it is hidden. */
export function guarded(visible: Predicate, predicate: Predicate, onEmpty: boolean): Predicate {
  if (visible === everything) return predicate
  const hidden: Predicate = visible === nothing ? everything : { kind: 'not', of: visible }
  return either([both([visible, predicate]), onEmpty ? hidden : nothing])
}
