/**
 * Searches that forgive typing errors. In several indexes, each one corrects the text with its own words when nothing is
 * found, and the correction with the most hits is searched in all of them.
 */
import type { Infer, Query } from '@kontor/contract'
import type { LogicalQuery, Predicate, SearchHits } from '@kontor/search-engine'
import type { IndexName } from '../../core/outbox/documents.ts'
import type { Running } from '../feed/service.ts'

type QueryMessage = Infer<typeof Query>
type Paged = Omit<LogicalQuery, 'predicate' | 'tolerant'>
interface Member {
  readonly index: IndexName
  readonly predicate: Predicate
}

/** The hits, and the members that found them, for highlighting. */
interface Found {
  readonly found: SearchHits
  readonly members: readonly Member[]
}

export async function searchOne({ feed }: Running, query: Paged, members: readonly Member[]): Promise<Found> {
  const [{ index, predicate }] = members as [Member]
  return { found: await feed(index).index.search({ predicate, ...query, tolerant: true }), members }
}

export async function searchMembers(
  { feed, indexes }: Running,
  query: Paged,
  sent: QueryMessage | undefined,
  membersOf: (query: QueryMessage | undefined) => readonly Member[],
): Promise<Found> {
  const members = membersOf(sent)
  const found = await indexes.search({ members, ...query })
  if (found.total > 0 || fullTextsIn(sent) !== 1) return { found, members }
  const counting = { offset: 0, limit: 0, tolerant: true }
  const tried = await Promise.all(
    members.map(({ index, predicate }) => feed(index).index.search({ predicate, ...counting })),
  )
  const [best] = tried.filter(({ corrected }) => corrected !== undefined).toSorted((a, b) => b.total - a.total)
  if (!best) return { found, members }
  const again = membersOf(withText(sent!, best.corrected!))
  return {
    found: { ...(await indexes.search({ members: again, ...query })), corrected: best.corrected! },
    members: again,
  }
}

const fullTextsIn = (query: QueryMessage | undefined): number =>
  query === undefined
    ? 0
    : (query.queries ?? []).reduce((sum, part) => sum + fullTextsIn(part), query.queryType === 'FULLTEXT' ? 1 : 0)

const withText = (query: QueryMessage, text: string): QueryMessage => ({
  ...query,
  ...(query.queryType === 'FULLTEXT' && { value: text }),
  ...(query.queries && { queries: query.queries.map((part) => withText(part, text)) }),
})
