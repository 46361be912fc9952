/** Facets: which fields are counted, and how the engine's counts are converted for the reply. */
import type { Facet, FacetGroup, Infer, Search } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import type { DocumentField } from '../../core/outbox/documents.ts'
import { Problem } from '../../errors.ts'
import type { FacetRequest, FacetResult, NamedBucket, RangedBucket } from '@kontor/search-engine'
import { valueLabel } from './labels.ts'
import { findWhole, visibilityOf, type Scope } from './query.ts'
import { readableOf } from './readable.ts'
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
  const limit = limitOf(search)
  if (limit < 1 || limit > mostBuckets) {
    throw new Problem('invalid', `/search/aggregationMaxResults: expected 1 to ${mostBuckets}`)
  }
  return namesOf(scopes, search, locale).map((name, i) => {
    const { field, within } = findCounted(scopes, name, locale, `/search/aggregationAttributes[${i + 1}]`)
    return {
      field: name,
      // Values that the caller may not see are removed afterwards.
      limit: scopes.some(({ view }) => view.limits(field)) ? mostBuckets : limit,
      ...(locale !== undefined && { locale }),
      ...(field.ranges && { ranges: field.ranges }),
      ...(search.aggregateEmptyValueEnabled && { countEmpty: true }),
      ...(within !== everything && { within }),
    }
  })
}

const limitOf = ({ aggregationMaxResults }: Search) => aggregationMaxResults ?? defaultBuckets

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
  db: Db,
  scopes: readonly Scope[],
  search: Search,
  results: readonly FacetResult[],
  locale: string | undefined,
): Promise<Infer<typeof FacetGroup>[]> {
  return Promise.all(
    results.map(async (result) => {
      const scope = scopes.find(({ entry }) => entry.fields.has(result.field))!
      const field = scope.entry.fields.get(result.field)!
      if (result.facetType === 'RANGED') {
        return { name: field.name, facets: result.buckets.map((bucket) => toRanged(field, bucket)) }
      }
      const buckets = scope.view.limits(field)
        ? await readableBuckets(db, scope, field, result.buckets, limitOf(search))
        : result.buckets
      const labelOf = labeller(scope, field, locale)
      return { name: field.name, facets: buckets.map((bucket) => toNamed(field, bucket, labelOf)) }
    }),
  )
}

/** The most frequent values that the caller may see. Values below one that is hidden take its place. */
async function readableBuckets(
  db: Db,
  scope: Scope,
  field: DocumentField,
  buckets: readonly NamedBucket[],
  limit: number,
): Promise<NamedBucket[]> {
  const isReadable = await readableOf(db, scope, field, () => flat(buckets).map(({ value }) => value))
  const readable = flat(buckets).filter(({ value }) => value !== null && isReadable(value))
  const kept = new Set(readable.toSorted((a, b) => b.count - a.count).slice(0, limit))
  const keep = (level: readonly NamedBucket[]): NamedBucket[] =>
    level.flatMap((bucket) => {
      const below = keep(bucket.children ?? [])
      return kept.has(bucket) ? [{ ...bucket, children: below }] : below
    })
  return keep(buckets).toSorted((a, b) => b.count - a.count)
}

/** Each before those below it. */
const flat = (buckets: readonly NamedBucket[]): NamedBucket[] =>
  buckets.flatMap((bucket) => [bucket, ...flat(bucket.children ?? [])])

type LabelOf = (value: string) => string

function labeller({ view }: Scope, field: DocumentField, locale: string | undefined): LabelOf {
  const isLabelled = view.labels(field)
  const { values: _values, ...unlabelled } = field
  return (value) => valueLabel(isLabelled(value) ? field : unlabelled, value, locale)
}

/** Keys are in the order of the contract, so that serialization need not sort them. */
function toNamed(field: DocumentField, { value, count, children }: NamedBucket, labelOf: LabelOf): Facet {
  const { name: attribute, type } = field
  const facet: Facet =
    value === null
      ? { facetType: 'NAMED', attribute, type, count }
      : { facetType: 'NAMED', attribute, label: labelOf(String(value)), type, value, count }
  if (children?.length) facet.children = children.map((child) => toNamed(field, child, labelOf))
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
