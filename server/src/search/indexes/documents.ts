/** Documents of an index: having them read again, and waiting until they can be found. */
import type { DocumentUpdate, DocumentWait, Infer, Long } from '@kontor/contract'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../adapters/postgres/db.ts'
import type { IndexName, SourceDocument } from '../../core/outbox/documents.ts'
import { Problem } from '../../errors.ts'
import { documentType, type Feed } from '../feed/feed.ts'
import type { Running } from '../feed/service.ts'
import { demandDocuments } from './indexes.ts'
import * as rows from './indexes.sql.ts'

const mostDocuments = 10_000

/** The present state is what counts; the event only says what the sender believes. */
export async function updateDocuments(db: Db, running: Running, sent: Infer<typeof DocumentUpdate>): Promise<void> {
  const { index, documents } = sent
  demandDocuments(documents, '/documentUpdate/documents', mostDocuments)
  const { source } = running.feed(index)
  const tids = documents.flatMap(({ id, guid }) => (id === undefined && guid !== undefined ? [guid] : []))
  const byTid = new Map((tids.length > 0 ? await source.find(db, tids) : []).map(({ id, tid }) => [tid, id]))
  const changes = documents.map(({ id, guid, event }, i) => {
    const known = id === undefined ? byTid.get(guid ?? '') : toId(id)
    if (known !== undefined) return { id: known, event }
    const said = guid === undefined ? 'id or guid is missing' : `no document has the guid ${guid.slice(0, 100)}`
    throw new Problem('invalid', `/documentUpdate/documents[${i + 1}]: ${said}`)
  })
  await rows.tellDocuments(db, documentType(index), changes)
}

const usualPatience = 10_000
const mostPatience = 120_000
const mostWaited = 1000

/**
 * Returns the moment that all documents can be found as they are: everything that was committed before the call has then
 * been applied. With `modifiedAt`, only when each has been changed since.
 */
export async function waitForDocuments(db: Db, running: Running, sent: Infer<typeof DocumentWait>): Promise<void> {
  const { index, documents } = sent
  demandDocuments(documents, '/documentWait/documents', mostWaited)
  const patience = Math.min(Number(sent.maxWait ?? usualPatience), mostPatience)
  if (!(patience >= 0)) throw new Problem('invalid', '/documentWait/maxWait: expected 0 or more milliseconds')
  const deadline = performance.now() + patience
  const feed = running.feed(index)
  const ids = [...new Set(documents.map((id) => toId(id) ?? -1))]
  const since = sent.modifiedAt === undefined ? undefined : Number(sent.modifiedAt)
  const over = new AbortController()
  const timeout = pause(patience, 'late' as const, { ref: false, signal: over.signal })
  timeout.catch(() => {}) // over before
  try {
    for (;;) {
      const work = catchUp(running, index, over.signal)
      work.catch(() => {})
      if ((await Promise.race([work, timeout])) === 'late') throw timedOut(ids)
      const late = await lateOf(db, feed, ids, since)
      if (late.length === 0) return
      if (performance.now() + pollPause > deadline) throw timedOut(late)
      await pause(pollPause)
    }
  } finally {
    over.abort() // nothing goes on for somebody who has been answered
  }
}

/** Until an object is written that is being waited for, nothing can tell. */
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

/** Those that cannot be found yet, or have not changed since. One that never was is refused; one that is gone cannot change any more. */
async function lateOf(db: Db, { source, index, isPaused }: Feed, ids: readonly number[], since: number | undefined) {
  if (isPaused()) return ids
  // What the index has is there; when it was changed, only the record says.
  const asked = since === undefined ? await index.missingIds(ids) : ids
  if (asked.length === 0) return []
  const read = await source.read(db, asked, dates)
  const found = new Map(Array.from(read, (document) => [document.id, document]))
  const missing = asked.filter((id) => !found.has(id))
  const gone = new Set(missing.length > 0 ? await rows.findRemembered(db, missing) : [])
  const never = missing.filter((id) => !gone.has(id))
  if (never.length > 0) throw new Problem('notFound', `no document has the id ${never.slice(0, 10).join(', ')}`)
  const isLate = (document: SourceDocument) => since === undefined || modified(document) < since
  return [...found.values()].filter(isLate).map(({ id }) => id)
}

function modified({ fields }: SourceDocument): number {
  const date = fields.get('modificationDate') ?? fields.get('creationDate')
  return Number(date?.get('')?.[0] ?? 0)
}

/** No object has an id of 16 digits or more. */
const toId = (id: Long) => (typeof id === 'number' && Number.isSafeInteger(id) ? id : undefined)
