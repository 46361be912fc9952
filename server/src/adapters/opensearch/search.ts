/** Runs queries: totals, pages at any depth, facets and joins. */
import type {
  FacetRequest,
  Hit,
  JoinPredicate,
  LogicalQuery,
  Predicate,
  SearchHits,
  SortKey,
} from '@kontor/search-engine'
import { columnLocale, isNumeric, keyOf, localesOf } from '@kontor/search-engine/analysis'
import type { Cluster } from './client.ts'
import { textOfKey } from './collation-keys.ts'
import { type Analysis, columnOf, deepestPage, numbersIn } from './documents.ts'
import { type Aggregations, toFacets } from './facets.ts'
import { all, any, type Dsl, type QueryContext, textsIn, toFilter, toScores } from './query.ts'

/** An index that can be searched. */
export interface Searched {
  readonly cluster: Cluster
  readonly name: string
  /** The alias of the generation that serves. */
  readonly alias: string
  readonly analysis: Analysis
  /** Finds other indexes, for joins. */
  other(name: string): Searched | undefined
}

interface Reply {
  readonly hits: {
    readonly total?: { readonly value: number }
    readonly hits: readonly FoundHit[]
  }
  readonly aggregations?: Aggregations
}
interface FoundHit {
  readonly _score: number | null
  readonly sort: readonly (string | number | null)[]
}

export const contextOf = (index: Searched): QueryContext => ({
  ...index.analysis,
  joinKeys: (join) => findKeys(index.other(join.index), join),
})

/** An index that does not exist finds nothing. */
const lenient = { ignore_unavailable: true, allow_no_indices: true }
/** Sort values identify a hit, so nothing is read from stored fields. */
const withoutStored = { _source: false, stored_fields: '_none_' }

/** Searches one or more aliases. */
export const runQuery = (cluster: Cluster, aliases: readonly string[], body: Dsl) =>
  cluster.call<Reply & { readonly suggest?: unknown }>('POST', `/${aliases.join(',')}/_search`, {
    query: lenient,
    body: { ...withoutStored, ...body },
  })

type PageQuery = Omit<LogicalQuery, 'predicate' | 'tolerant'>

export async function searchIndex(index: Searched, { predicate, ...query }: LogicalQuery): Promise<SearchHits> {
  const context = contextOf(index)
  const filter = await toFilter(context, predicate)
  const scores = () => (textsIn(predicate).length > 0 ? toScores(context, predicate) : [])
  return answer({ context, cluster: index.cluster, aliases: [index.alias], filter, scores }, query)
}

export async function searchAll(
  members: readonly { readonly index: Searched; readonly predicate: Predicate }[],
  query: PageQuery,
): Promise<SearchHits> {
  const found = await Promise.all(
    members.map(async ({ index, predicate }) => {
      const context = contextOf(index)
      const own = { term: { i: index.name } }
      const scores = toScores(context, predicate).map((score) => ({ bool: { filter: [own], must: [score] } }))
      return { filter: all([own, await toFilter(context, predicate)]), scores }
    }),
  )
  return answer(
    {
      context: commonContext(members.map(({ index }) => index)),
      cluster: members[0]!.index.cluster,
      aliases: members.map(({ index }) => index.alias),
      filter: any(found.map(({ filter }) => filter)),
      scores: () => found.flatMap(({ scores }) => scores),
    },
    query,
  )
}

/** Fields with the same name are treated as one field. */
function commonContext(indexes: readonly Searched[]): QueryContext {
  const fields = new Map(indexes.flatMap(({ analysis }) => [...analysis.fields]).toReversed())
  const locales = [...new Set(indexes.flatMap(({ analysis }) => analysis.schema.locales))]
  const context = contextOf(indexes[0]!)
  return { ...context, fields, schema: { ...context.schema, fields: [...fields.values()], locales } }
}

interface Prepared {
  readonly context: QueryContext
  readonly cluster: Cluster
  readonly aliases: readonly string[]
  readonly filter: Dsl
  scores(): readonly Dsl[]
}

async function answer(prepared: Prepared, { sort = [], offset, limit, facets = [] }: PageQuery): Promise<SearchHits> {
  const { context, cluster, aliases, filter } = prepared
  const orders = sort.flatMap((key) => toOrder(context, key))
  const scores = orders.length === 0 ? prepared.scores() : []
  const query = { bool: { filter: [filter], ...(scores.length > 0 && { should: scores, minimum_should_match: 0 }) } }
  const isCommon = aliases.length > 1
  const ties = [{ id: 'asc' }, ...(isCommon ? [{ i: 'asc' }] : [])]
  const ordered = [...(scores.length > 0 ? [{ _score: 'desc' }] : orders), ...ties]
  const counts = await toCounts(prepared, facets)
  const isDeep = offset + limit > deepestPage || limit > window
  const body = { query, sort: ordered, track_total_hits: true, aggs: counts.aggregations }
  const page = isDeep ? { size: 0 } : { from: offset, size: limit }
  const reply = await runQuery(cluster, aliases, { ...body, ...page })
  const total = reply.hits.total?.value ?? 0
  const hits =
    isDeep && limit > 0 && total > offset
      ? await walkTo(cluster, aliases, { query, sort: ordered }, offset, limit)
      : reply.hits.hits
  return {
    total,
    exact: true,
    hits: hits.map((hit) => toHit(hit, isCommon)),
    facets: counts.read(reply.aggregations ?? {}),
  }
}

/** The aggregations of the facets, after what they depend on was asked. */
async function toCounts({ context, cluster, aliases, filter }: Prepared, requests: readonly FacetRequest[]) {
  const facets = await toFacets(context, requests, aliases.length === 1)
  const first = facets.extremes
    ? ((await runQuery(cluster, aliases, { query: filter, size: 0, aggs: facets.extremes })).aggregations ?? {})
    : {}
  return {
    aggregations: facets.aggregations(first),
    read: (found: Aggregations) => facets.read(found, first),
  }
}

/** The last sort values are the id and, of several indexes, the name of the index. */
function toHit({ _score, sort }: FoundHit, isCommon: boolean): Hit {
  const hit = { id: Number(sort.at(isCommon ? -2 : -1)), score: _score ?? 0 }
  return isCommon ? { ...hit, index: String(sort.at(-1)) } : hit
}

function toOrder({ fields, schema }: QueryContext, { field: name, descending, locale }: SortKey): Dsl[] {
  const field = fields.get(name)
  if (!field || field.long) return []
  const stored = (isNumeric(field) ? numbersIn : columnOf)(name, columnLocale(schema, field, locale))
  return [
    {
      [stored]: {
        order: descending ? 'desc' : 'asc',
        mode: descending ? 'max' : 'min',
        missing: '_last',
        unmapped_type: isNumeric(field) ? 'double' : 'keyword',
      },
    },
  ]
}

// Many hits

/** Hits that one reply contains at most. */
const window = 10_000
const keepAlive = '2m'

/** The page behind so many hits that OpenSearch cannot skip them: walks over them in one state of the index. */
async function walkTo(
  cluster: Cluster,
  aliases: readonly string[],
  body: Dsl,
  offset: number,
  limit: number,
): Promise<readonly FoundHit[]> {
  const page: FoundHit[] = []
  let at = 0
  for await (const hits of walk(cluster, aliases, body, () => Math.min(window, offset + limit - at))) {
    page.push(...hits.slice(Math.max(0, offset - at)))
    at += hits.length
    if (at >= offset + limit) break
  }
  return page.slice(0, limit)
}

/** All hits of a query, in pages. */
export async function* walk(
  cluster: Cluster,
  aliases: readonly string[],
  body: Dsl,
  sizeOf = () => window,
): AsyncGenerator<readonly FoundHit[]> {
  const opened = await cluster.call<{ pit_id: string } | undefined>(
    'POST',
    `/${aliases.join(',')}/_search/point_in_time`,
    { query: { keep_alive: keepAlive }, optional: true },
  )
  if (!opened) return
  try {
    let after: FoundHit['sort'] | undefined
    for (;;) {
      const size = sizeOf()
      const { hits } = await cluster.call<Reply>('POST', '/_search', {
        body: {
          ...withoutStored,
          track_total_hits: false,
          ...body,
          size,
          pit: { id: opened.pit_id, keep_alive: keepAlive },
          ...(after && { search_after: after }),
        },
      })
      yield hits.hits
      if (hits.hits.length < size) return
      after = hits.hits.at(-1)!.sort
    }
  } finally {
    await cluster.call('DELETE', '/_search/point_in_time', { body: { pit_id: [opened.pit_id] }, optional: true })
  }
}

/** The ids, ascending, of all documents that match. */
export async function idsOf(cluster: Cluster, alias: string, filter: Dsl): Promise<number[]> {
  const body = { query: filter, sort: [{ id: 'asc' }], size: window }
  const first = (await runQuery(cluster, [alias], body)).hits.hits
  if (first.length < window) return first.map(({ sort }) => Number(sort[0]))
  const ids: number[] = []
  for await (const hits of walk(cluster, [alias], body)) for (const { sort } of hits) ids.push(Number(sort[0]))
  return ids
}

// Joins

/** The values that the matching documents have in a field, or their ids. */
async function findKeys(other: Searched | undefined, { of, from }: JoinPredicate): Promise<ReadonlySet<string>> {
  if (!other) return new Set()
  const { cluster, alias, analysis } = other
  const filter = await toFilter(contextOf(other), of)
  if (from === 'id') return new Set((await idsOf(cluster, alias, filter)).map(String))
  const field = analysis.fields.get(from)
  const keys = new Set<string>()
  if (!field) return keys
  for (const locale of localesOf(analysis.schema, field)) {
    const stored = (isNumeric(field) ? numbersIn : columnOf)(from, locale)
    for await (const { value } of valuesOf(cluster, alias, stored, filter)) {
      keys.add(isNumeric(field) ? String(value) : keyOf(textOfKey(String(value))))
    }
  }
  return keys
}

/** The distinct values of a stored field and their number of documents, however many there are. */
export async function* valuesOf(cluster: Cluster, alias: string, field: string, filter: Dsl) {
  let after: unknown
  for (;;) {
    const composite = { size: window, sources: [{ value: { terms: { field } } }], ...(after ? { after } : {}) }
    const aggs = { values: { composite } }
    const found = (await runQuery(cluster, [alias], { query: filter, size: 0, aggs })).aggregations?.['values'] as
      { after_key?: unknown; buckets: { key: { value: string | number }; doc_count: number }[] } | undefined
    for (const { key, doc_count: documents } of found?.buckets ?? []) yield { value: key.value, documents }
    after = found?.after_key
    if (!after) return
  }
}
