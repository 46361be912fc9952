/** POST /search: converts the message to a query of the engine, and hits to the reply. */
import { indexes as indexNames, type Infer, type Query, type Search, type SearchResult } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { inSpan } from '../../adapters/tracing/tracing.ts'
import type { Caller } from '../../core/context.ts'
import type { IndexName, PassedOver } from '../../core/outbox/documents.ts'
import { Problem } from '../../errors.ts'
import type { Highlighter, Predicate, SearchHits, SortKey } from '@kontor/search-engine'
import type { Running } from '../feed/service.ts'
import { timedHead } from '../reply-head.ts'
import { orUnavailable } from './unavailable.ts'
import { toFacetGroups, toFacets } from './facets.ts'
import { searchMembers, searchOne } from './tolerant.ts'
import { columnsOf, toItems } from './items.ts'
import { createReader, findField, findWhole, isHidden, localeOf, type Scope } from './query.ts'
import { both, everything, joinOf, viewOf, withinOf } from './rights.ts'

export interface Searching {
  readonly running: Running
  readonly db: Db
  readonly caller: Caller
}
/** Settings that a search configuration adds to a search. */
export interface Configured {
  readonly index: IndexName
  readonly filter?: Query
  readonly defaults: Partial<Search>
}

/** The member indexes of GLOBAL. */
const globalMembers: readonly IndexName[] = ['PRODUCT', 'ASSET', 'CHANNEL']
const defaultAttributes = ['tid', 'name', 'itemType', 'text', 'channel', 'product']
const defaultPage = 20
const largestPage = 1000
const defaultMaxResults = 10_000
/** Sorting takes eight bytes per hit for each of them. */
const mostSortOptions = 16

/** The search as the caller may run it: its indexes, and the predicate for each of them. */
function prepare(searching: Searching, sent: Search, configured?: Configured) {
  const index = configured?.index ?? indexOf(sent, '/search')
  const scopes = scopesOf(searching, index)
  const search: Search = { ...visibleDefaults(scopes, configured?.defaults ?? {}), ...sent }
  demandVisible(scopes, configured?.filter)
  const membersOf = (query: Search['query']) =>
    scopes.map((scope) => ({
      index: scope.index,
      predicate: predicateOf(scope, { ...search, ...(query && { query }) }, configured?.filter),
    }))
  return { index, scopes, search, membersOf }
}

/** Reads the query of a search without running it. `place`: where the caller sent the query. */
export function checkSearch(searching: Searching, sent: Search, place: string): void {
  for (const scope of scopesOf(searching, indexOf(sent, place)))
    createReader(scope, localeOf(sent.language))(sent.query, place)
}

const areComplete = async (running: Running, scopes: readonly Scope[]) =>
  (await Promise.all(scopes.map((scope) => running.isComplete(scope.index)))).every(Boolean)

/** The ids of the objects that a search finds, up to a number, as it is written: spelling is not corrected. */
export async function findIds(searching: Searching, sent: Search, configured: Configured | undefined, most: number) {
  const { scopes, search, membersOf } = prepare(searching, sent, configured)
  const { running } = searching
  const isComplete = await areComplete(running, scopes)
  const members = membersOf(search.query)
  const page = { offset: 0, limit: most }
  const { hits, total } = await orUnavailable(
    members.length === 1
      ? running.feed(members[0]!.index).index.search({ predicate: members[0]!.predicate, ...page })
      : running.indexes.search({ members, ...page }),
  )
  return { ids: hits.map(({ id }) => id), total, isComplete }
}

export async function runSearch(searching: Searching, sent: Search, configured?: Configured) {
  const head = timedHead()
  const { running, db } = searching
  const { index, scopes, search, membersOf } = prepare(searching, sent, configured)
  const locale = localeOf(search.language)
  const page = pageOf(search)
  const query = { ...page, sort: sortOf(scopes, search), facets: toFacets(scopes, search, locale) }
  const isExact = await areComplete(running, scopes)
  const { found, members } = await inSpan(`search ${index}`, 'internal', {}, () =>
    orUnavailable(
      scopes.length === 1
        ? searchOne(running, query, membersOf(search.query))
        : searchMembers(running, query, search.query, membersOf),
    ),
  )
  const labelLocale = localeOf(search.context?.labelLocalization) ?? locale
  const viewIn = createItemViews({ scopes, members, running, search, locale, labelLocale })
  const items = await toItems(
    db,
    found.hits.map((hit) => ({ id: hit.id, index: (hit.index ?? index) as IndexName })),
    viewIn,
  )
  return toResult(head, found, {
    items,
    isExact,
    facets: await toFacetGroups(db, scopes, search, found.facets, labelLocale),
  })
}

function toResult(
  head: ReturnType<typeof timedHead>,
  found: SearchHits,
  content: {
    items: NonNullable<Infer<typeof SearchResult>['items']>
    facets: NonNullable<Infer<typeof SearchResult>['facets']>
    isExact: boolean
  },
): Infer<typeof SearchResult> {
  const { items, facets, isExact } = content
  return {
    ...head(),
    resultCount: items.length,
    totalHitCount: found.total,
    exactHitCount: found.exact && isExact,
    items,
    facets,
    ...(found.corrected !== undefined && { suggest: [found.corrected] }),
  }
}

export function indexOf({ context }: Search, place: string): IndexName {
  const index = context?.index
  if (index !== undefined && indexNames.includes(index)) return index
  throw new Problem('invalid', `${place}/context/index: is missing; expected one of ${indexNames.join(', ')}`)
}

/** An index as the caller sees it; GLOBAL has several. */
export function scopesOf({ running, caller }: Pick<Searching, 'running' | 'caller'>, index: IndexName): Scope[] {
  const catalogue = running.catalogue()
  const known = new Map<IndexName, Predicate>()
  const withinOther = (name: IndexName) => {
    const within = known.get(name) ?? withinOf(caller, scopeOf(name, false).entry.source)
    known.set(name, within)
    return within
  }
  const scopeOf = (name: IndexName, isPart: boolean): Scope => {
    const entry = catalogue.get(name)
    if (!entry) throw new Problem('notFound', `index ${name} has no documents in this installation`)
    return {
      index: name,
      entry,
      view: viewOf(caller, entry, withinOther),
      other: (other) => scopeOf(other, false),
      ...(isPart && { isPart }),
    }
  }
  return index === 'GLOBAL' ? globalMembers.map((name) => scopeOf(name, true)) : [scopeOf(index, false)]
}

/** The defaults of a configuration without fields that the caller may not see. */
export function visibleDefaults<D extends Partial<Search>>(scopes: readonly Scope[], defaults: D): D {
  const { resultAttributes, aggregationAttributes, sortOptions } = defaults
  const isVisible = (name: string) => !isHidden(scopes, name)
  return {
    ...defaults,
    ...(resultAttributes && { resultAttributes: resultAttributes.filter(isVisible) }),
    ...(aggregationAttributes && { aggregationAttributes: aggregationAttributes.filter(isVisible) }),
    ...(sortOptions && { sortOptions: sortOptions.filter(({ attribute }) => isVisible(attribute)) }),
  }
}

/** Refuses the filter of a configuration without naming the hidden field, which the caller did not write. */
function demandVisible(scopes: readonly Scope[], filter: Query | undefined): void {
  const namesIn = ({ name, queries = [] }: Query): string[] => [...(name ? [name] : []), ...queries.flatMap(namesIn)]
  if (!filter || !namesIn(filter).some((name) => isHidden(scopes, name))) return
  throw new Problem(
    'invalid',
    '/search/context: your roles do not let you see all fields that this search configuration filters by; use another',
  )
}

export const filterPlace = '/searchConfiguration/filter'

/** Combines the query, the filter of the configuration, the caller's permissions and the joins. */
function predicateOf(scope: Scope, search: Search, filter?: Query, place = '/search', depth = 0): Predicate {
  const read = createReader(scope, localeOf(search.language))
  return both([
    read(search.query, `${place}/query`),
    read(filter, filterPlace),
    scope.view.within,
    ...joinsOf(scope, search, place, depth),
  ])
}

const mostJoins = 5

function joinsOf(scope: Scope, { join }: Search, place: string, depth: number): Predicate[] {
  if (!join) return []
  if (depth >= mostJoins) throw new Problem('invalid', `${place}/join: at most ${mostJoins} nested joins`)
  if (scope.isPart && !scope.entry.fields.get(join.joinOn)?.link) return [{ kind: 'or', of: [] }]
  const { link } = findField(scope, join.joinOn, `${place}/join/joinOn`)
  if (!link)
    throw new Problem('invalid', `${place}/join/joinOn: ${join.joinOn} is not a link; see /api/v1/search/fields`)
  const index = join.search.context?.index ?? link.index
  if (index !== link.index) {
    throw new Problem(
      'invalid',
      `${place}/join/search/context/index: ${join.joinOn} leads to ${link.index}, not to ${index}`,
    )
  }
  const inner = predicateOf(scope.other(link.index), join.search, undefined, `${place}/join/search`, depth + 1)
  return [joinOf(link, inner)]
}

/** Throws a Problem if the numbers are out of range. */
export function pageOf(
  { pageIndex = 0, pageSize = defaultPage, maxResults = defaultMaxResults }: Search,
  place = '/search',
) {
  if (pageIndex < 0) throw new Problem('invalid', `${place}/pageIndex: expected 0 or more`)
  if (pageSize < 0 || pageSize > largestPage)
    throw new Problem('invalid', `${place}/pageSize: expected 0 to ${largestPage}`)
  if (maxResults < 0) throw new Problem('invalid', `${place}/maxResults: expected 0 or more`)
  const offset = pageIndex * pageSize
  if (offset > 0 && offset >= maxResults) {
    throw new Problem('invalid', `${place}/pageIndex: the page is beyond ${maxResults} hits; raise maxResults`)
  }
  return { offset, limit: Math.min(pageSize, maxResults - offset) }
}

function sortOf(scopes: readonly Scope[], { sortOptions = [], language }: Search): SortKey[] {
  if (sortOptions.length > mostSortOptions)
    throw new Problem('invalid', `/search/sortOptions: at most ${mostSortOptions} attributes`)
  return sortOptions.map(({ attribute, direction, language: own }, i) => {
    const place = `/search/sortOptions[${i + 1}]/attribute`
    const locale = localeOf(own ?? language)
    const { field, visible } = findWhole(scopes, attribute, locale, place)
    if (field.long || field.link?.elsewhere) throw new Problem('invalid', `${place}: cannot sort by ${attribute}`)
    if (visible.some((each) => each !== everything)) {
      throw new Problem(
        'invalid',
        `${place}: your roles let you see ${attribute} of some objects or in some languages only; sort by another, or name a language`,
      )
    }
    return {
      field: attribute,
      ...(direction === 'DESC' && { descending: true }),
      ...(locale !== undefined && { locale }),
    }
  })
}

interface ItemViewNeeds {
  readonly scopes: readonly Scope[]
  readonly members: readonly { index: IndexName; predicate: Predicate }[]
  readonly running: Running
  readonly search: Search
  readonly locale: string | undefined
  readonly labelLocale: string | undefined
}

function createItemViews({ scopes, members, running, search, locale, labelLocale }: ItemViewNeeds) {
  const requested = [...(search.resultAttributes ?? []), ...(search.storedFields ?? [])]
  const attributes = requested.length > 0 ? [...new Set(requested)] : defaultAttributes
  requested.forEach((name, i) => {
    if (!scopes.some(({ entry }) => entry.fields.has(name)))
      findField(scopes[0]!, name, `/search/resultAttributes[${i + 1}]`)
  })
  const all = new Map(
    scopes.map((scope, i) => {
      const highlighter = running.feed(scope.index).index.highlighter(members[i]!.predicate)
      const columns = columnsOf(scope, attributes, labelLocale)
      const marked = markedFields(scope, highlighter)
      const passed = passedOver(
        scope,
        marked.filter((name) => !attributes.includes(name)),
        highlighter,
      )
      return [scope.index, { scope, columns, locale, highlighter, marked: new Set(marked), passed }]
    }),
  )
  return (index: IndexName) => all.get(index)!
}

const markedFields = ({ entry }: Scope, highlighter: Highlighter) =>
  entry.searched
    .filter(({ name, inner }) => !inner && highlighter.looksAt(entry.definitions.get(name)!))
    .map(({ name }) => name)

/** Fields that are only highlighted need not be read in locales that the query does not search. */
function passedOver({ entry }: Scope, marked: readonly string[], highlighter: Highlighter): PassedOver | undefined {
  const fields = marked.map((name) => entry.definitions.get(name)!).filter(({ localized }) => localized)
  const locales = entry.schema.locales.filter((locale) => !fields.some((field) => highlighter.looksAt(field, locale)))
  return fields.length > 0 && locales.length > 0 ? { fields: fields.map(({ name }) => name), locales } : undefined
}
