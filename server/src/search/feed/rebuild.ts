/**
 * Makes an index anew while the present one is searched and goes on changing.
 *
 *   PREPARE            listen to changes, then note the position and the fields: nothing falls between the two, and what
 *                      was committed before the position is in what is read after it
 *   CREATE_INDEX       a generation of its own, which nobody sees
 *   ADD_DOCUMENTS      every document as it is when it is read; then what changed meanwhile, until little is left
 *   SET_ALIAS          the rest, and the switch, while no change is applied: searches never go back in time
 *   PROCESS_DELTA      everything that changed since PREPARE once more, by what the new index knows
 *   DELETE_OLD_INDEX   the old one went with its last search
 *   END
 *
 * A crash before the switch leaves the old generation, one after it the new one. ERROR leaves the old one in place.
 */
import type { indexEvents } from '@kontor/contract'
import type { Database } from '../../adapters/postgres/db.ts'
import { currentPosition } from '../../core/outbox/outbox.ts'
import type { IndexSchema, DocumentReader, Rebuild } from '@kontor/search-engine'
import type { Feed, Listening } from './feed.ts'

export type IndexEvent = (typeof indexEvents)[number]

export interface Progress {
  readonly event: IndexEvent
  readonly documentsProcessed: number
  readonly totalDocuments: number
}

/** Where a page is read here, making its documents holds up searches: for a few milliseconds. */
const pageSize = 200
/** So few documents are caught up with while no change is applied. */
const fewLeft = 50

/** How an index is made, by the fields as they are now. */
export interface Plan {
  readonly schema: IndexSchema
  /** By which the builders read documents; without it they are handed them. */
  readonly reader?: DocumentReader | undefined
}

export interface Rebuilding {
  readonly database: Database
  readonly feed: Feed
  plan(): Promise<Plan>
  /** Gives it up. */
  readonly signal: AbortSignal
  report(progress: Progress): void
}

export async function rebuildIndex(rebuilding: Rebuilding): Promise<void> {
  const { database, feed, plan, report } = rebuilding
  const { source, index } = feed
  const listening = feed.listen()
  let progress: Progress = { event: 'PREPARE', documentsProcessed: 0, totalDocuments: 0 }
  const step = (next: Partial<Progress>) => report((progress = { ...progress, ...next }))
  let next: Rebuild | undefined
  try {
    const from = await currentPosition(database)
    listening.since(from)
    step({ totalDocuments: await source.count(database) })
    // At once: fields that come between the two would be told to nobody.
    const { schema, reader } = await plan()
    step({ event: 'CREATE_INDEX' })
    next = await index.rebuild(schema)
    step({ event: 'ADD_DOCUMENTS' })
    await addAll(rebuilding, reader, next, (count) => step({ documentsProcessed: progress.documentsProcessed + count }))
    await next.finish(from)
    while ((await listening.replay(next, from)) > fewLeft);
    step({ event: 'SET_ALIAS', totalDocuments: progress.documentsProcessed })
    await activate(feed, listening, next, from)
    next = undefined
    step({ event: 'PROCESS_DELTA' })
    await listening.settle()
    step({ event: 'DELETE_OLD_INDEX' })
    await index.seal()
    step({ event: 'END' })
  } catch (error) {
    step({ event: 'ERROR' })
    await next?.drop().catch(() => {})
    throw error
  } finally {
    listening.end()
  }
}

const activate = (feed: Feed, listening: Listening, next: Rebuild, from: string) =>
  feed.inTurn(async () => {
    await listening.replay(next, from)
    await next.activate()
    listening.handOver()
  })

/** Page after page of ids. Where builders cannot read by themselves, the documents are read here. */
async function addAll(
  { database, feed: { source, toDocument }, signal }: Rebuilding,
  reader: DocumentReader | undefined,
  next: Rebuild,
  added: (count: number) => void,
): Promise<void> {
  const add = async (ids: readonly number[]) =>
    reader ? next.collect(reader, ids) : next.add(Array.from(await source.read(database, ids), toDocument))
  let ids = await source.list(database, 0, pageSize)
  while (ids.length > 0) {
    signal.throwIfAborted()
    const [following] = await Promise.all([source.list(database, ids.at(-1)!, pageSize), add(ids)])
    added(ids.length)
    ids = following
  }
}
