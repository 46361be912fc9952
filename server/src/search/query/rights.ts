/**
 * Expresses a caller's permissions as a predicate that is part of every query. Totals, facets and suggestions therefore
 * count only visible documents, and cost the same for every caller.
 *
 * Grants are limited to subtrees, and may hide attributes and locales in one subtree and show them in another. So each
 * field has its own predicate: the documents in which the caller may see its value. In all others the field counts as
 * empty.
 *
 * A locale may be given by another name, such as `en` or `en_NZ` for en_GB. Permissions apply to the locale it resolves
 * to.
 */
import type { Caller } from '../../core/context.ts'
import type { DocumentField } from '../../core/outbox/documents.ts'
import { type Filter, filterOf, type Rights, rightsAt, type Rule } from '../../core/access/permissions.ts'
import { type IndexSchema, type Predicate, resolveLocale } from '@kontor/search-engine'
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
  /** The caller's rights to a document with these paths; undefined if everything is visible. */
  rights(scopes: Readonly<Record<string, readonly string[]>>): Rights | undefined
}

/** Documents in which the same fields and locales are visible. */
export interface Part {
  readonly where: Predicate
  allowsField(field: DocumentField): boolean
  allowsLocale(locale: string): boolean
}

type Clause = Filter['any'][number]

export function viewOf({ permissions, userName, roles }: Caller, { source, schema }: Entry): View {
  const [kind = ''] = source.kinds
  const clausesOf = (of: string) => filterOf(permissions, of).any
  /** One list of digests, regardless of the number of roles. */
  const where = (of: string, clauses: readonly Clause[]) => {
    if (clauses.some(({ paths }) => !paths)) return everything
    const paths = new Set(clauses.flatMap((clause) => clause.paths!))
    return paths.size > 0 ? marked(Array.from(paths, (path) => scopeMark(of, path))) : nothing
  }
  const own = clausesOf(kind)
  const isNarrow = own.some(({ attributes, locales }) => attributes ?? locales)
  const audience =
    source.audience && !roles.has('admin')
      ? [marked([scopeMark('user', userName), ...[...roles].map((role) => scopeMark('role', role))])]
      : []
  return {
    within: both([...source.kinds.map((of) => where(of, clausesOf(of))), ...audience]),
    visible(field, locale) {
      if (!isNarrow || field.attribute === undefined) return everything
      const open = own.filter(
        ({ attributes, locales }) =>
          fits(attributes, field.attribute!) && (locale === undefined || fits(locales, resolveLocale(schema, locale))),
      )
      return open.length === own.length ? everything : where(kind, open)
    },
    ...(isNarrow && { parts: alike(own).map((clauses) => toPart(schema, where(kind, clauses), clauses[0]!)) }),
    rights: (scopes) => (isNarrow ? rightsAt(permissions, kind, scopes[kind] ?? []) : undefined),
  }
}

/** Groups clauses that differ only in their subtrees, because there are many roles and few different rules. */
const alike = (clauses: readonly Clause[]) => [
  ...Map.groupBy(clauses, ({ attributes, locales }) => JSON.stringify([attributes, locales])).values(),
]

const toPart = (schema: IndexSchema, where: Predicate, { attributes, locales }: Clause): Part => ({
  where,
  allowsField: ({ attribute }) => attribute === undefined || fits(attributes, attribute),
  allowsLocale: (locale) => fits(locales, resolveLocale(schema, locale)),
})

const fits = (rule: Rule | undefined, name: string) =>
  rule === undefined || ((rule.only?.includes(name) ?? true) && !rule.except?.includes(name))

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
