/**
 * Feeds one index from its source: reads changed documents again and applies them.
 *
 * Reading and applying run strictly one after the other, so that an older state never replaces a newer one. A change
 * that affects thousands of documents (for example, a node is moved with all its products) is applied in batches,
 * between other changes. Until it is complete the applied position stays before it, so a restart after a crash repeats
 * it.
 */
import type { Db } from '../../adapters/postgres/db.ts'
import type { DocumentSource } from '../../core/outbox/documents.ts'
import type { OutboxRow, Position } from '../../core/outbox/outbox.ts'
import type { SearchIndex } from '@kontor/search-engine'
import { type Backlog, createBacklog } from './backlog.ts'
import type { Entry, ToDocument } from './catalogue.ts'
import { newTo, note, type Recorded, type Recording, startRecording } from './recording.ts'

export interface Feed {
  readonly source: DocumentSource
  toDocument: ToDocument
  readonly index: SearchIndex
  accept(changes: readonly OutboxRow[], position: Position): Promise<void>
  /** Holds changes back, or lets them through again. */
  pause(paused: boolean): Promise<void>
  isPaused(): boolean
  /** Milliseconds since the oldest change that searches do not find yet; 0 if there is none. */
  lag(): number
  /** Resolves when everything accepted so far has been applied. Rejects if that failed; the change is then retried. */
  settled(): Promise<void>
  /** Records every change from now on, for a new generation that is being built. */
  record(): Recording
  /** Runs `work` while no change is applied. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
}

/** Documents read and applied at once. Few enough that they stay in the young generation of the heap. */
const portion = 200
/** Milliseconds between two updates of the position of an index without changes. */
const moveEvery = 1000

interface FeedNeeds {
  readonly db: Db
  readonly index: SearchIndex
  /** The current catalogue entry of the index. */
  entry(): Entry
  failed(error: unknown): void
  /** Draws the version of a change, if several processes may write to the index. */
  version?(): Promise<number>
}

export function createFeed(needs: FeedNeeds): Feed {
  const { index, entry, failed } = needs
  const { source } = entry()
  const inTurn = createTurns()
  const recordings = new Set<Recorded>()
  let paused = false
  /**
   * Changes that are accepted but not applied, because the feed is paused or a read failed. Every change before `reached`
   * is in this map or has been applied.
   */
  const waiting = new Map<string, OutboxRow>()
  let reached: Position = ''
  /** Every change before this position is applied, except the backlog. */
  let latest: Position = ''
  /** When the oldest unapplied change was made. */
  let behindSince: number | undefined

  const backlog = createBacklog({
    batchSize: portion,
    failed,
    apply: (ids) =>
      inTurn(async () => {
        for (const recorded of recordings) for (const id of ids) recorded.ids.add(id)
        await refresh(needs, ids, index, backlog.before() ?? latest)
      }),
    async finish() {
      await inTurn(() => index.apply({ put: [], remove: [] }, backlog.before() ?? latest))
      noteCaughtUp()
    },
  })

  function noteCaughtUp(): void {
    if (!paused && backlog.isEmpty() && serves(index)) behindSince = undefined
  }

  const take = createTake(needs, recordings, backlog)

  async function takeWaiting(): Promise<void> {
    if (paused) return
    await take([...waiting.values()], reached)
    waiting.clear()
    latest = reached
    noteCaughtUp()
  }

  return {
    source,
    toDocument: (document) => entry().toDocument(document),
    index,
    inTurn,
    isPaused: () => paused,
    lag: () => (behindSince === undefined ? 0 : Math.max(0, Date.now() - behindSince)),
    accept: (changes, position) =>
      inTurn(async () => {
        for (const { at } of changes) behindSince = Math.min(behindSince ?? Infinity, at.getTime())
        for (const recorded of recordings) note(recorded.changes, newTo(recorded, changes))
        note(waiting, changes)
        reached = position
        await takeWaiting()
      }),
    pause: (isPaused) =>
      inTurn(async () => {
        paused = isPaused
        if (waiting.size > 0) await takeWaiting()
      }),
    settled: () => backlog.settled(),
    record: () =>
      startRecording({
        recordings,
        apply: (ids, next, position) => refresh(needs, ids, next, position),
        handOver(changes) {
          note(waiting, changes)
          reached ||= index.appliedPosition()
        },
        settle: () => inTurn(takeWaiting),
      }),
  }
}

/** Returns a function that applies changes to the index, and adds the affected documents to the recordings. */
function createTake(needs: FeedNeeds, recordings: ReadonlySet<Recorded>, backlog: Backlog) {
  const { index } = needs
  let movedAt = -Infinity
  return async (changes: readonly OutboxRow[], position: Position): Promise<void> => {
    const old = index.appliedPosition()
    const { ids, referring } = await affectedBy(needs, changes)
    if (referring.length > 0) backlog.add(referring, old)
    for (const recorded of recordings) {
      if (newTo(recorded, changes).length > 0) for (const id of ids) recorded.ids.add(id)
    }
    if (!serves(index)) return
    if (ids.length > 0) await refresh(needs, ids, index, backlog.before() ?? position)
    else if (performance.now() - movedAt > moveEvery) {
      movedAt = performance.now()
      await index.apply({ put: [], remove: [] }, backlog.before() ?? position)
    }
    backlog.start()
  }
}

const serves = (index: SearchIndex) => ['ready', 'outdated'].includes(index.status().state)

/** Returns a function that runs pieces of work one after the other. */
function createTurns() {
  let turn: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }
}

/** Reads documents again and applies them, in batches. */
async function refresh(
  { db, index, entry, version: drawVersion }: FeedNeeds,
  ids: readonly number[],
  target: Pick<SearchIndex, 'apply'>,
  position: Position,
): Promise<void> {
  const version = await drawVersion?.()
  for (let at = 0; at < ids.length; at += portion) {
    const some = ids.slice(at, at + portion)
    const put = Array.from(await entry().source.read(db, some), entry().toDocument)
    const there = new Set(put.map(({ id }) => id))
    const changes = { put, remove: some.filter((id) => !there.has(id)), version }
    const isLast = at + portion >= ids.length
    await target.apply(changes, isLast || target !== index ? position : index.appliedPosition())
  }
}

/** The ids of the documents that changes affect. Referring documents are separate if they are too many to apply at once. */
async function affectedBy({ db, index, entry }: FeedNeeds, changes: readonly OutboxRow[]) {
  const { source } = entry()
  const ids = new Set<number>()
  for (const { dataType, objectId } of changes) {
    if (source.dataTypes.has(dataType) || dataType === documentType(source.index)) ids.add(objectId)
  }
  for (const id of (await source.related?.(db, changes)) ?? []) ids.add(id)
  const referred = serves(index) ? await source.referred(db, changes) : []
  const referring = referred.length > 0 ? await index.idsWithValue('_refs', referred.map(String)) : []
  if (referring.length > portion) return { ids: [...ids], referring }
  return { ids: [...ids, ...referring.filter((id) => !ids.has(id))], referring: [] }
}

/** The outbox data type of a request to read a document again. */
export const documentType = (index: string) => `search.${index}`
