/** The facets of the reference implementation. */
import type { Collation } from './collation.ts'
import { isNumeric, hasKeywordColumn } from './comparators.ts'
import type { FacetRequest, FacetResult, FieldDefinition, IndexSchema, NamedBucket, SearchDocument } from './port.ts'
import { roundRanges } from './ranges.ts'
import { inRange, numbersOf, pathSeparator, columnLocale, valuesIn, keywordValues } from './values.ts'

export function facetOf(
  schema: IndexSchema,
  found: readonly SearchDocument[],
  request: FacetRequest,
  collations: (locale: string) => Collation,
): FacetResult[] {
  const field = schema.fields.find(({ name }) => name === request.field)
  if (!field || (!isNumeric(field) && !hasKeywordColumn(field))) return []
  const locale = columnLocale(schema, field, request.locale)
  const values = found.map((document) => valuesIn(document, field, locale))
  if (isNumeric(field)) return [rangedFacet(field, values.map(numbersOf), request)]
  const { compare } = collations(locale || schema.defaultLocale)
  return [
    namedFacet(
      field,
      values.map((each) => keywordValues(field, each)),
      request,
      compare,
    ),
  ]
}

function rangedFacet(
  field: FieldDefinition,
  values: readonly (readonly number[])[],
  request: FacetRequest,
): FacetResult {
  const all = values.flat()
  const extreme = (pick: (a: number, b: number) => number, start: number) => all.reduce((a, b) => pick(a, b), start)
  const ranges =
    request.ranges ?? roundRanges(field.type, extreme(Math.min, Infinity), extreme(Math.max, -Infinity), request.limit)
  const buckets = ranges.map((range) => ({
    ...range,
    count: values.filter((each) => each.some((value) => inRange(range, value))).length,
  }))
  const empty = values.filter((each) => each.length === 0).length
  const emptyBucket = request.countEmpty && empty > 0 ? [{ empty: true as const, count: empty }] : []
  return { field: field.name, facetType: 'RANGED', buckets: [...buckets, ...emptyBucket] }
}

function namedFacet(
  field: FieldDefinition,
  values: readonly (readonly string[])[],
  { limit, countEmpty }: FacetRequest,
  compare: (a: string, b: string) => number,
): FacetResult {
  const counts = new Map<string, number>()
  for (const value of values.flat()) counts.set(value, (counts.get(value) ?? 0) + 1)
  const first = [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)! || compare(a, b)).slice(0, limit)
  const level = (parent: string | undefined): NamedBucket[] =>
    first
      .filter((value) => !field.path || parentOf(value) === parent)
      .map((value) => {
        const children = field.path ? level(value) : []
        const named = field.type === 'boolean' ? value === 'true' : value
        return { value: named, count: counts.get(value)!, ...(children.length ? { children } : {}) }
      })
  const empty = values.filter((each) => each.length === 0).length
  const emptyBucket = countEmpty && empty > 0 ? [{ value: null, count: empty }] : []
  return { field: field.name, facetType: 'NAMED', buckets: [...level(undefined), ...emptyBucket] }
}

function parentOf(path: string): string | undefined {
  const at = path.lastIndexOf(pathSeparator)
  return at <= 0 ? undefined : path.slice(0, at)
}
