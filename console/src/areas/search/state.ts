/**
 * Translates the URL state of the search page into a search request.
 *
 *   q         text
 *   index     tab
 *   sort      order
 *   f.<name>  selected values of a facet
 *   build     conditions of the query builder, as JSON
 *   join      a search on the other side of a link, as JSON
 */
import type { Infer, Query, Search } from '@kontor/contract'
import { boundOf, completeOf, type Group, groupQuery } from '../../object/conditions/conditions.ts'
import type { UrlState } from '../../ui/url-state.ts'

export type SearchMessage = Infer<typeof Search>
type QueryMessage = Infer<typeof Query>
export const tabs = ['GLOBAL', 'PRODUCT', 'ASSET', 'CHANNEL', 'CHANNEL_2_PRODUCT', 'FS_TABLE_WFL'] as const
export type Tab = (typeof tabs)[number]

const noConditions: Group = { operator: 'AND', of: [] }

interface JoinTo {
  readonly on: string
  readonly index: string
  readonly text: string
}
/** The links of each index, and the indexes that they lead to. */
export const joins: Partial<Record<Tab, readonly { readonly on: string; readonly index: string }[]>> = {
  PRODUCT: [
    { on: 'channels', index: 'CHANNEL' },
    { on: 'assets', index: 'ASSET' },
  ],
  ASSET: [
    { on: 'products', index: 'PRODUCT' },
    { on: 'channels', index: 'CHANNEL' },
  ],
  CHANNEL: [
    { on: 'products', index: 'PRODUCT' },
    { on: 'assets', index: 'ASSET' },
  ],
}

/** The fields of each index that are counted as facets. */
const facetFields: Record<Tab, readonly string[]> = {
  GLOBAL: ['itemType', 'modificationUser'],
  PRODUCT: ['itemType', 'classificationPath', 'modificationUser', 'modificationDate'],
  ASSET: ['fileType', 'dominantColours', 'orientation', 'directoryPath', 'keywords', 'fileSize', 'modificationDate'],
  CHANNEL: ['channelType', 'modificationUser'],
  CHANNEL_2_PRODUCT: ['quality', 'qualityFaults', 'completeness', 'channelPath'],
  FS_TABLE_WFL: ['itemType'],
}
/** The fields that each hit shows. Places in channels have fields of their own. */
const standardResults = ['id', 'tid', 'name', 'itemType', 'modificationDate']
const results: Partial<Record<Tab, readonly string[]>> = {
  PRODUCT: [...standardResults, 'classificationPath'],
  ASSET: [...standardResults, 'path'],
  CHANNEL: [...standardResults, 'channelPath'],
  CHANNEL_2_PRODUCT: ['id', 'product', 'productName', 'channelPath', 'creationDate', 'quality'],
}
/** Per field, over all levels of a tree. */
const maxFacets = 20
const sorts: Record<string, { attribute: string; direction: 'ASC' | 'DESC' }> = {
  newest: { attribute: 'modificationDate', direction: 'DESC' },
  name: { attribute: 'name', direction: 'ASC' },
}

const sortsOfPlaces: typeof sorts = {
  newest: { attribute: 'creationDate', direction: 'DESC' },
  name: { attribute: 'productName', direction: 'ASC' },
}

export interface SearchState {
  readonly text: string
  readonly tab: Tab
  readonly sort: string
  readonly facets: ReadonlyMap<string, readonly string[]>
  readonly conditions: Group
  readonly join: JoinTo | undefined
}

export function readState(fields: UrlState): SearchState {
  const facets = Object.entries(fields).flatMap(([name, value]) =>
    name.startsWith('f.') && value ? [[name.slice(2), value.split('|')] as const] : [],
  )
  return {
    text: fields['q'] ?? '',
    tab: tabs.find((tab) => tab === fields['index']) ?? 'GLOBAL',
    sort: fields['sort'] ?? '',
    facets: new Map(facets),
    conditions: parsed<Group>(fields['build']) ?? noConditions,
    join: parsed<JoinTo>(fields['join']),
  }
}

/** Undefined when the JSON is invalid, because a URL can be edited by hand. */
function parsed<T>(text: string | undefined): T | undefined {
  if (!text) return undefined
  try {
    return JSON.parse(text) as T
  } catch {
    return undefined
  }
}

export const isIdle = ({ text, facets, conditions, join, tab }: SearchState) =>
  text.trim() === '' && facets.size === 0 && conditions.of.length === 0 && !join && tab === 'GLOBAL'

export function toSearch(state: SearchState, locale: string, pageIndex: number, pageSize: number): SearchMessage {
  const { tab, join } = state
  const query = queryOf(state)
  const sort = (tab === 'CHANNEL_2_PRODUCT' ? sortsOfPlaces : sorts)[state.sort]
  return {
    context: { searchType: 'INDEX', index: tab, labelLocalization: locale },
    ...(query && { query }),
    ...(sort && { sortOptions: [sort] }),
    ...(join && {
      join: {
        joinOn: join.on,
        search: {
          context: { searchType: 'INDEX' as const, index: join.index as Tab },
          ...(join.text && { query: { queryType: 'FULLTEXT' as const, value: join.text } }),
        },
      },
    }),
    aggregationEnabled: true,
    aggregationAttributes: [...facetFields[tab]],
    aggregationMaxResults: maxFacets,
    resultAttributes: [...(results[tab] ?? standardResults)],
    language: locale,
    pageIndex,
    pageSize,
    maxResults: (pageIndex + 1) * pageSize,
  }
}

function queryOf({ text, facets, ...state }: SearchState): QueryMessage | undefined {
  const conditions = completeOf(state.conditions)
  const parts: QueryMessage[] = [
    ...(text.trim() ? [{ queryType: 'FULLTEXT' as const, value: text }] : []),
    ...[...facets].map(([name, values]) => facetQuery(name, values)),
    ...(conditions.of.length > 0 ? [groupQuery(conditions)] : []),
  ]
  return parts.length < 2 ? parts[0] : { queryType: 'COMBINED', operator: 'AND', queries: parts }
}

/** A range is written `from..to`. */
function facetQuery(name: string, values: readonly string[]): QueryMessage {
  const queries = values.map((value): QueryMessage => {
    const range = /^(.*)\.\.(.*)$/.exec(value)
    if (!range) return { queryType: 'FIELD', name, comparator: 'EQ', value, keyword: true }
    const [, from, to] = range
    const bounds: QueryMessage[] = [
      ...(from ? [{ queryType: 'FIELD' as const, name, comparator: 'GE' as const, value: boundOf(from) }] : []),
      ...(to ? [{ queryType: 'FIELD' as const, name, comparator: 'LT' as const, value: boundOf(to) }] : []),
    ]
    return bounds.length === 1 ? bounds[0]! : { queryType: 'COMBINED', operator: 'AND', queries: bounds }
  })
  return queries.length === 1 ? queries[0]! : { queryType: 'COMBINED', operator: 'OR', queries }
}
