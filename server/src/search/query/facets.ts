/** Facets: which fields are counted, and how the engine's counts are converted for the reply. */
import type { Facet, FacetGroup, Infer, Search } from '@kontor/contract'
import type { DocumentField } from '../../core/outbox/documents.ts'
import { Problem } from '../../errors.ts'
import type { FacetRequest, FacetResult, NamedBucket, RangedBucket } from '@kontor/search-engine'
import { valueLabel } from './labels.ts'
import { findWhole, visibilityOf, type Scope } from './query.ts'
import { everything } from './rights.ts'

const mostGroups = 20
const mostBuckets = 1000
const defaultBuckets = 10

/** Whether a field can be counted: it holds whole values and stores them in this index. */
export const isCountable = ({ long, link, name }: DocumentField) => !long && !link?.elsewhere && name !== 'id'

/** Facets of a search that names none: kinds of objects, paths, and lists of values. */
const isDefaultFacet = ({ name, path, values, type }: DocumentField) =>
  type === 'keyword' && (path || values || ['itemType', 'fileType', 'channelType'].includes(name))

export function toFacets(scopes: readonly Scope[], search: Search, locale: string | undefined): FacetRequest[] {
  if (search.aggregationEnabled !== true) return []
  const limit = search.aggregationMaxResults ?? defaultBuckets
  if (limit < 1 || limit > mostBuckets) {
    throw new Problem('invalid', `/search/aggregationMaxResults: expected 1 to ${mostBuckets}`)
  }
  return namesOf(scopes, search, locale).map((name, i) => {
    const { field, within } = findCounted(scopes, name, locale, `/search/aggregationAttributes[${i + 1}]`)
    return {
      field: name,
      limit,
      ...(locale !== undefined && { locale }),
      ...(field.ranges && { ranges: field.ranges }),
      ...(search.aggregateEmptyValueEnabled && { countEmpty: true }),
      ...(within !== everything && { within }),
    }
  })
}

function namesOf(scopes: readonly Scope[], { aggregationAttributes }: Search, locale: string | undefined): string[] {
  const isVisible = (name: string) => visibilityOf(scopes, name, locale).every((visible) => visible === everything)
  const defaults = () =>
    scopes
      .flatMap(({ entry }) => [...entry.fields.values()])
      .filter((field) => !field.inner && isDefaultFacet(field) && isCountable(field) && isVisible(field.name))
      .map(({ name }) => name)
  const names = aggregationAttributes ?? defaults()
  if (aggregationAttributes && names.length > mostGroups) {
    throw new Problem('invalid', `/search/aggregationAttributes: at most ${mostGroups} fields can be counted at once`)
  }
  return [...new Set(names)].slice(0, mostGroups)
}

function findCounted(scopes: readonly Scope[], name: string, locale: string | undefined, place: string) {
  const { field, visible } = findWhole(scopes, name, locale, place)
  if (!isCountable(field)) throw new Problem('invalid', `${place}: the values of ${name} cannot be counted`)
  const [within = everything, ...others] = visible
  // The engine takes one predicate per facet, and visibility in one index does not apply to documents of another.
  if (others.length > 0 && visible.some((each) => each !== everything)) {
    throw new Problem(
      'invalid',
      `${place}: your roles let you see ${name} of some objects or in some languages only; count it in one index at a time`,
    )
  }
  return { field, within }
}

export function toFacetGroups(
  results: readonly FacetResult[],
  fieldOf: (name: string) => DocumentField,
  locale: string | undefined,
): Infer<typeof FacetGroup>[] {
  return results.map((result) => {
    const field = fieldOf(result.field)
    const facets =
      result.facetType === 'NAMED'
        ? result.buckets.map((bucket) => toNamed(field, bucket, locale))
        : result.buckets.map((bucket) => toRanged(field, bucket))
    return { name: result.field, facets }
  })
}

/** Keys are in the order of the contract, so that serialization need not sort them. */
function toNamed(field: DocumentField, { value, count, children }: NamedBucket, locale: string | undefined): Facet {
  const { name: attribute, type } = field
  const facet: Facet =
    value === null
      ? { facetType: 'NAMED', attribute, type, count }
      : { facetType: 'NAMED', attribute, label: valueLabel(field, String(value), locale), type, value, count }
  if (children?.length) facet.children = children.map((child) => toNamed(field, child, locale))
  return facet
}

function toRanged(field: DocumentField, { from, to, count }: RangedBucket): Facet {
  const toBound = (bound: number) => (field.type === 'date' ? new Date(bound).toISOString() : bound)
  return {
    facetType: 'RANGED',
    attribute: field.name,
    type: field.type,
    count,
    ...(from !== undefined && { from: toBound(from) }),
    ...(to !== undefined && { to: toBound(to) }),
  }
}
