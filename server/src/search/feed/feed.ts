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
import { isBefore, type OutboxRow, type Position } from '../../core/outbox/outbox.ts'
import type { Rebuild, SearchIndex } from '@kontor/search-engine'
import type { Entry, ToDocument } from './catalogue.ts'

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

/** The changes recorded since a rebuild began. */
export interface Recording {
  /** Ignores changes committed before this position: the rebuild reads its documents after that position. */
  since(position: Position): void
  /**
   * Applies the recorded changes to the generation that is being built. `from` is the position at which that generation
   * began, and from which it continues after a crash. Returns the number of documents.
   */
  replay(next: Rebuild, from: Position): Promise<number>
  /**
   * Queues all recorded changes again, before any others, because the new index may know different references between
   * documents. Call it inside `inTurn`, together with the switch of generations.
   */
  handOver(): void
  /** Applies the queued changes unless that has happened already. */
  settle(): Promise<void>
  end(): void
}

/** Documents read and applied at once. Few enough that they stay in the young generation of the heap. */
const portion = 200
/** Milliseconds between two updates of the position of an index without changes. */
const moveEvery = 1000

export interface FeedNeeds {
  readonly db: Db
  readonly index: SearchIndex
  /** The current catalogue entry of the index. */
  entry(): Entry
  failed(error: unknown): void
}

export function createFeed({ db, index, entry, failed }: FeedNeeds): Feed {
  const { source } = entry()
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }
  const recordings = new Set<Recorded>()
  let paused = false
  /**
   * Changes that are accepted but not applied, because the feed is paused or a read failed. Every change before
   * `reached` is in this map or has been applied.
   */
  const waiting = new Map<string, OutboxRow>()
  let reached: Position = ''
  /** Large sets of documents to be read again, by id. `before` is the position before the first of them. */
  const backlog: (readonly number[])[] = []
  let before: Position | undefined
  /** Every change before this position is applied, except the backlog. */
  let latest: Position = ''
  let movedAt = -Infinity
  let working: Promise<void> = Promise.resolve()
  /** When the oldest unapplied change was made. */
  let behindSince: number | undefined

  const serves = () => ['ready', 'outdated'].includes(index.status().state)

  const noteCaughtUp = () => {
    if (!paused && backlog.length === 0 && serves()) behindSince = undefined
  }

  async function refresh(ids: readonly number[], target: Pick<SearchIndex, 'apply'>, position: Position) {
    for (let at = 0; at < ids.length; at += portion) {
      const some = ids.slice(at, at + portion)
      const put = Array.from(await source.read(db, some), entry().toDocument)
      const there = new Set(put.map(({ id }) => id))
      const changes = { put, remove: some.filter((id) => !there.has(id)) }
      const isLast = at + portion >= ids.length
      await target.apply(changes, isLast || target !== index ? position : index.appliedPosition())
    }
  }

  /** The ids of the documents that changes affect. Too many referring documents are put on the backlog. */
  async function concerned(changes: readonly OutboxRow[], position: Position): Promise<number[]> {
    const ids = new Set<number>()
    for (const { dataType, objectId } of changes) {
      if (source.dataTypes.has(dataType) || dataType === documentType(source.index)) ids.add(objectId)
    }
    for (const id of (await source.related?.(db, changes)) ?? []) ids.add(id)
    const referred = serves() ? await source.referred(db, changes) : []
    const referring = referred.length > 0 ? await index.holders('_refs', referred.map(String)) : []
    if (referring.length <= portion) for (const id of referring) ids.add(id)
    else {
      backlog.push(referring)
      before ??= position
    }
    return [...ids]
  }

  async function take(changes: readonly OutboxRow[], position: Position): Promise<void> {
    const old = index.appliedPosition()
    const ids = await concerned(changes, old)
    for (const recorded of recordings)
      if (newTo(recorded, changes).length > 0) for (const id of ids) recorded.ids.add(id)
    if (!serves()) return
    if (ids.length > 0) await refresh(ids, index, before ?? position)
    else if (performance.now() - movedAt > moveEvery) {
      movedAt = performance.now()
      await index.apply({ put: [], remove: [] }, before ?? position)
    }
    if (backlog.length > 0) {
      working = working.catch(() => {}).then(workOff)
      working.catch(failed)
    }
  }

  async function takeWaiting(): Promise<void> {
    if (paused) return
    await take([...waiting.values()], reached)
    waiting.clear()
    latest = reached
    noteCaughtUp()
  }

  /** Works off the backlog in batches, so that other changes are applied in between. */
  async function workOff(): Promise<void> {
    for (let referring = backlog[0]; referring; referring = backlog[0]) {
      for (let at = 0; at < referring.length; at += portion) {
        const ids = referring.slice(at, at + portion)
        await inTurn(async () => {
          for (const { ids: recorded } of recordings) for (const id of ids) recorded.add(id)
          await refresh(ids, index, before ?? latest)
        })
      }
      backlog.shift()
    }
    before = undefined
    await inTurn(() => index.apply({ put: [], remove: [] }, before ?? latest))
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
    settled: () => working,
    record() {
      const recorded: Recorded = { changes: new Map(), ids: new Set(), from: undefined }
      recordings.add(recorded)
      return {
        since(position) {
          recorded.from = position
          for (const [key, change] of recorded.changes) if (isBefore(change, position)) recorded.changes.delete(key)
        },
        async replay(next, from) {
          const ids = [...recorded.ids]
          recorded.ids.clear()
          await refresh(ids, next, from)
          return ids.length
        },
        handOver() {
          note(waiting, [...recorded.changes.values()])
          reached ||= index.appliedPosition()
        },
        settle: () => inTurn(takeWaiting),
        end: () => void recordings.delete(recorded),
      }
    },
  }
}

/** The changes and document ids that a recording holds. */
interface Recorded {
  readonly changes: Map<string, OutboxRow>
  readonly ids: Set<number>
  from: Position | undefined
}
const newTo = ({ from }: Recorded, changes: readonly OutboxRow[]) =>
  from === undefined ? changes : changes.filter((change) => !isBefore(change, from))

/** The outbox data type of a request to read a document again. */
export const documentType = (index: string) => `search.${index}`

/** Adds changes, keeping one of several equal changes of an object. */
function note(into: Map<string, OutboxRow>, changes: readonly OutboxRow[]): void {
  for (const change of changes) {
    into.set(`${change.dataType} ${change.objectId} ${change.event} ${change.action ?? ''}`, change)
  }
}
