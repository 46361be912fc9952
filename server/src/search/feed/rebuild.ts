/**
 * Rebuilds an index while the current one keeps serving searches and taking changes.
 *
 *   PREPARE            start recording changes, then read the position and the fields. No change falls between the two:
 *                      everything committed before the position is part of the documents read after it
 *   CREATE_INDEX       a separate generation that searches do not use yet
 *   ADD_DOCUMENTS      every document in its current state, then the changes made meanwhile, until few are left
 *   SET_ALIAS          the remaining changes and the switch, while no change is applied: searches never go back in time
 *   PROCESS_DELTA      every change since PREPARE once more, with the references that the new index knows
 *   DELETE_OLD_INDEX   the old generation is removed when its last search ends
 *   END
 *
 * A crash before the switch keeps the old generation, a crash after it the new one. ERROR keeps the old one.
 */
import type { indexEvents } from '@kontor/contract'
import type { Database } from '../../adapters/postgres/db.ts'
import { currentPosition } from '../../core/outbox/outbox.ts'
import type { IndexSchema, DocumentReader, Rebuild } from '@kontor/search-engine'
import type { Feed } from './feed.ts'
import type { Recording } from './recording.ts'

export type IndexEvent = (typeof indexEvents)[number]

export interface Progress {
  readonly event: IndexEvent
  readonly documentsProcessed: number
  readonly totalDocuments: number
}

/** Ids per page. If this process builds the documents, a page of this size blocks searches for a few milliseconds. */
const pageSize = 200
/** With this many changed documents or fewer, the rebuild stops catching up and switches. */
const fewLeft = 50

/** How to build an index with the fields it has now. */
export interface Plan {
  readonly schema: IndexSchema
  /** Lets the builders read documents themselves. Without it, this process reads them and passes them on. */
  readonly reader?: DocumentReader | undefined
}

interface Rebuilding {
  readonly database: Database
  readonly feed: Feed
  plan(): Promise<Plan>
  /** Aborts the rebuild. */
  readonly signal: AbortSignal
  report(progress: Progress): void
}

export async function rebuildIndex(rebuilding: Rebuilding): Promise<void> {
  const { database, feed, plan, report } = rebuilding
  const { source, index } = feed
  const recording = feed.record()
  let progress: Progress = { event: 'PREPARE', documentsProcessed: 0, totalDocuments: 0 }
  const step = (next: Partial<Progress>) => report((progress = { ...progress, ...next }))
  let next: Rebuild | undefined
  try {
    const from = await currentPosition(database)
    recording.since(from)
    step({ totalDocuments: await source.count(database) })
    // Read the fields right after the position: a field added between the two would be missed.
    const { schema, reader } = await plan()
    step({ event: 'CREATE_INDEX' })
    next = await index.rebuild(schema)
    step({ event: 'ADD_DOCUMENTS' })
    await addAll(rebuilding, reader, next, (count) => step({ documentsProcessed: progress.documentsProcessed + count }))
    await next.finish(from)
    while ((await recording.replay(next, from)) > fewLeft);
    step({ event: 'SET_ALIAS', totalDocuments: progress.documentsProcessed })
    await activate(feed, recording, next, from)
    next = undefined
    step({ event: 'PROCESS_DELTA' })
    await recording.settle()
    step({ event: 'DELETE_OLD_INDEX' })
    await index.seal()
    step({ event: 'END' })
  } catch (error) {
    step({ event: 'ERROR' })
    await next?.drop().catch(() => {})
    throw error
  } finally {
    recording.end()
  }
}

const activate = (feed: Feed, recording: Recording, next: Rebuild, from: string) =>
  feed.inTurn(async () => {
    await recording.replay(next, from)
    await next.activate()
    recording.handOver()
  })

/** Adds all documents, page by page. This process reads them unless the engine can read them itself. */
async function addAll(
  { database, feed: { source, toDocument }, signal }: Rebuilding,
  reader: DocumentReader | undefined,
  next: Rebuild,
  added: (count: number) => void,
): Promise<void> {
  const add = async (ids: readonly number[]) =>
    reader && next.collect
      ? next.collect(reader, ids)
      : next.add(Array.from(await source.read(database, ids), toDocument))
  let ids = await source.list(database, 0, pageSize)
  while (ids.length > 0) {
    signal.throwIfAborted()
    const [following] = await Promise.all([source.list(database, ids.at(-1)!, pageSize), add(ids)])
    added(ids.length)
    ids = following
  }
}
