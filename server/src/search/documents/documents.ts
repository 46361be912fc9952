/** Documents of an index: request that they are read again, and wait until a search finds them. */
import type { DocumentUpdate, DocumentWait, Infer, Long } from '@kontor/contract'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../adapters/postgres/db.ts'
import type { IndexName, SourceDocument } from '../../core/outbox/documents.ts'
import { Problem } from '../../errors.ts'
import { documentType, type Feed } from '../feed/feed.ts'
import type { Running } from '../feed/service.ts'
import { everything, type View } from '../query/rights.ts'
import { scopesOf, type Searching } from '../query/search.ts'
import { demandDocuments } from '../indexes/indexes.ts'
import * as rows from '../indexes/indexes.sql.ts'

const mostDocuments = 10_000

/**
 * Queues documents to be read again. The indexer reads the current state; the event in the request is only informative.
 */
export async function updateDocuments(db: Db, running: Running, sent: Infer<typeof DocumentUpdate>): Promise<void> {
  const { index, documents } = sent
  demandDocuments(documents, '/documentUpdate/documents', mostDocuments)
  const { source } = running.feed(index)
  const tids = documents.flatMap(({ id, guid }) => (id === undefined && guid !== undefined ? [guid] : []))
  const byTid = new Map((tids.length > 0 ? await source.find(db, tids) : []).map(({ id, tid }) => [tid, id]))
  const changes = documents.map(({ id, guid, event }, i) => {
    const known = id === undefined ? byTid.get(guid ?? '') : toId(id)
    if (known !== undefined) return { id: known, event }
    const reason = guid === undefined ? 'id or guid is missing' : `no document has the guid ${guid.slice(0, 100)}`
    throw new Problem('invalid', `/documentUpdate/documents[${i + 1}]: ${reason}`)
  })
  await rows.announceDocuments(db, documentType(index), changes)
}

const defaultTimeoutMs = 10_000
const maxTimeoutMs = 120_000
const mostWaited = 1000

/**
 * Resolves as soon as searches find all the documents in their current state, that is, when every change committed
 * before the call is applied. With `modifiedAt`, each document must also have changed since that time. Documents that the
 * caller may not read are unknown. When the server stops, the caller is asked to try again.
 */
export async function waitForDocuments(
  searching: Searching,
  sent: Infer<typeof DocumentWait>,
  closing: AbortSignal,
): Promise<void> {
  const { running, db } = searching
  const { index, documents } = sent
  demandDocuments(documents, '/documentWait/documents', mostWaited)
  const timeoutMs = Math.min(Number(sent.maxWait ?? defaultTimeoutMs), maxTimeoutMs)
  if (!(timeoutMs >= 0)) throw new Problem('invalid', '/documentWait/maxWait: expected 0 or more milliseconds')
  const deadline = performance.now() + timeoutMs
  const feed = running.feed(index)
  const ids = [...new Set(documents.map((id) => toId(id) ?? -1))]
  const since = sent.modifiedAt === undefined ? undefined : Number(sent.modifiedAt)
  const over = new AbortController()
  const ends = AbortSignal.any([over.signal, closing])
  const timeout = pause(timeoutMs, 'late' as const, { ref: false, signal: ends }).catch(() => 'closing' as const)
  try {
    for (;;) {
      const work = catchUp(running, index, over.signal)
      work.catch(() => {})
      const outcome = await Promise.race([work, timeout])
      if (outcome === 'closing') throw new Problem('unavailable', 'the server is stopping; try again')
      if (outcome === 'late') {
        await feed.index.missingIds(ids) // throws if the engine is away
        throw timedOut(ids)
      }
      const late = await lateOf(db, feed, scopesOf(searching, index)[0]!.view, ids, since)
      if (late.length === 0) return
      if (performance.now() + pollPause > deadline) throw timedOut(late)
      await pause(pollPause)
    }
  } finally {
    over.abort() // stop polling once the request is answered
  }
}

/** Milliseconds between two checks. Nothing notifies this code when an awaited object is written, so it polls. */
const pollPause = 20

async function catchUp(running: Running, index: IndexName, over: AbortSignal): Promise<void> {
  while (!(await running.isComplete(index))) await pause(pollPause, undefined, { signal: over })
  await running.catchUp(index)
}

const timedOut = (ids: readonly number[]) =>
  new Problem(
    'notFound',
    `the documents ${ids.slice(0, 10).join(', ')} could not be found in time; raise maxWait or try again`,
  )

const dates = new Set(['modificationDate', 'creationDate'])

/**
 * The documents that a search does not find yet or that have not changed since the given time. Throws for ids that
 * never existed. Deleted documents are not waited for, because they cannot change any more.
 */
async function lateOf(
  db: Db,
  { source, index, isPaused }: Feed,
  view: View,
  ids: readonly number[],
  since: number | undefined,
) {
  if (isPaused()) return ids
  const absent = since === undefined ? await index.missingIds(ids) : ids
  // The index knows which documents exist; only the database knows when they changed and who may read them now.
  const unconfirmed = view.within === everything ? absent : ids
  if (unconfirmed.length === 0) return []
  const found = new Map(Array.from(await source.read(db, unconfirmed, dates), (document) => [document.id, document]))
  const missing = unconfirmed.filter((id) => !found.has(id))
  const gone = new Set(missing.length > 0 ? await rows.findRemembered(db, missing) : [])
  const isHidden = (id: number) => found.has(id) && !view.mayFind(found.get(id)!.scopes)
  const never = unconfirmed.filter((id) => isHidden(id) || (!found.has(id) && !gone.has(id)))
  if (never.length > 0) throw new Problem('notFound', `no document has the id ${never.slice(0, 10).join(', ')}`)
  return absent.filter((id) => found.has(id) && (since === undefined || modified(found.get(id)!) < since))
}

function modified({ fields }: SourceDocument): number {
  const date = fields.get('modificationDate') ?? fields.get('creationDate')
  return Number(date?.get('')?.[0] ?? 0)
}

/** Undefined for numbers beyond 2^53: no object has such an id. */
const toId = (id: Long) => (typeof id === 'number' && Number.isSafeInteger(id) ? id : undefined)
