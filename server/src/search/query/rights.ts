/**
 * What a caller may find, as a predicate that becomes part of every query: totals, facets and suggestions then count only
 * what they may see, and cost the same for everybody.
 *
 * Grants narrow by subtree, and may hide attributes and locales in one subtree and show them in another. So a field has
 * a predicate of its own: the documents whose value of it the caller may see. Elsewhere it is as if it were empty.
 *
 * A locale may be asked for by any name, `en` or `en_NZ` for en_GB: rights are judged by the one that it comes to.
 */
import type { Caller } from '../../core/context.ts'
import type { DocumentField } from '../../core/outbox/documents.ts'
import { type Filter, filterOf, type Rights, rightsAt, type Rule } from '../../core/access/permissions.ts'
import { type IndexSchema, type Predicate, resolveLocale } from '@kontor/search-engine'
import { type Entry, scopeMark } from '../feed/catalogue.ts'

export const everything: Predicate = { kind: 'all' }
export const nothing: Predicate = { kind: 'or', of: [] }

export interface View {
  /** The documents that may be found. */
  readonly within: Predicate
  /** Those of them whose value of a field may be seen, in a locale if one is given. */
  seen(field: DocumentField, locale?: string): Predicate
  /** Where attributes or locales are hidden: what may be seen, subtree by subtree. */
  readonly parts?: readonly Part[]
  /** What of a document that stands at these paths may be shown; undefined for everything. */
  rights(scopes: Readonly<Record<string, readonly string[]>>): Rights | undefined
}

/** Documents of which the same fields and locales may be seen. */
export interface Part {
  readonly where: Predicate
  sees(field: DocumentField): boolean
  speaks(locale: string): boolean
}

type Clause = Filter['any'][number]

export function viewOf({ permissions, userName, roles }: Caller, { source, schema }: Entry): View {
  const [kind = ''] = source.kinds
  const clausesOf = (of: string) => filterOf(permissions, of).any
  /** One list of marks, however many roles somebody has. */
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
    seen(field, locale) {
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

/** Those by which the same may be seen, in other subtrees: roles are many, and rules few. */
const alike = (clauses: readonly Clause[]) => [
  ...Map.groupBy(clauses, ({ attributes, locales }) => JSON.stringify([attributes, locales])).values(),
]

const toPart = (schema: IndexSchema, where: Predicate, { attributes, locales }: Clause): Part => ({
  where,
  sees: ({ attribute }) => attribute === undefined || fits(attributes, attribute),
  speaks: (locale) => fits(locales, resolveLocale(schema, locale)),
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

/** The predicate where it may be asked, and a constant where the value is hidden. */
export function guarded(seen: Predicate, predicate: Predicate, onEmpty: boolean): Predicate {
  if (seen === everything) return predicate
  const hidden: Predicate = seen === nothing ? everything : { kind: 'not', of: seen }
  return either([both([seen, predicate]), onEmpty ? hidden : nothing])
}
