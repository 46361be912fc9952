/**
 * One index and its source: reads again what changed, and applies it.
 *
 * Reading and applying come in turn, so that an older state never replaces a newer one. A change that concerns thousands
 * of documents (a node with all its products is moved) is worked off in portions between the others; until then the
 * position stays before it, so that a crash begins with it again.
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
  /** Changes are kept waiting, or let through again. */
  pause(paused: boolean): Promise<void>
  isPaused(): boolean
  /** Milliseconds since the oldest change that cannot be found yet; 0 when there is none. */
  lag(): number
  /** Resolves when nothing that was accepted by now is still to be worked off; rejects when that failed, and comes again. */
  settled(): Promise<void>
  /** Hears of every change from now on, for a generation that is being built of what is there at a position. */
  listen(): Listening
  /** Runs `work` while no change is applied. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
}

/** What has changed since somebody began to listen. */
export interface Listening {
  /** What was committed before this position is of no interest: documents are read after it was told. */
  since(position: Position): void
  /**
   * Applies to a generation that is being built what the present one had to apply; `from` is where the new one began, and
   * where a crash begins again. Returns how many documents.
   */
  replay(next: Rebuild, from: Position): Promise<number>
  /**
   * Everything is to be applied again, by what the index that now serves knows of who refers to whom: before anything else.
   * In turn with the switch.
   */
  handOver(): void
  /** Applies it, if nobody has. */
  settle(): Promise<void>
  end(): void
}

/** Documents that are read and applied in one go: few enough that they die young. */
const portion = 200
/** Milliseconds between two moves of the position of an index that has nothing to apply. */
const moveEvery = 1000

export interface FeedNeeds {
  readonly db: Db
  readonly index: SearchIndex
  /** What the index is made of, as it is now. */
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
  const listeners = new Set<Heard>()
  let paused = false
  /** What came and was not taken yet: it is paused, or could not read. All before `reached` is here, or was taken. */
  const waiting = new Map<string, OutboxRow>()
  let reached: Position = ''
  /** Large sets of documents to be read again, by id, and the position before the first of them. */
  const backlog: (readonly number[])[] = []
  let before: Position | undefined
  /** Everything before it was taken, but for what is in the backlog. */
  let latest: Position = ''
  let movedAt = -Infinity
  let working: Promise<void> = Promise.resolve()
  /** When the oldest change was made that is not applied yet. */
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

  /** The documents that changes concern; referring documents that are too many go to the backlog. */
  async function concerned(changes: readonly OutboxRow[], position: Position): Promise<number[]> {
    const ids = new Set<number>()
    for (const { dataType, objectId } of changes) {
      if (source.dataTypes.has(dataType) || dataType === documentType(source.index)) ids.add(objectId)
    }
    for (const id of (await source.related?.(db, changes)) ?? []) ids.add(id)
    const referred = serves() ? await source.referred(db, changes) : []
    const referring = referred.length > 0 ? await index.idsWithValue('_refs', referred.map(String)) : []
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
    for (const heard of listeners) if (newTo(heard, changes).length > 0) for (const id of ids) heard.ids.add(id)
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

  /** Portion after portion, with others in between. */
  async function workOff(): Promise<void> {
    for (let referring = backlog[0]; referring; referring = backlog[0]) {
      for (let at = 0; at < referring.length; at += portion) {
        const ids = referring.slice(at, at + portion)
        await inTurn(async () => {
          for (const { ids: heard } of listeners) for (const id of ids) heard.add(id)
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
        for (const heard of listeners) note(heard.changes, newTo(heard, changes))
        note(waiting, changes)
        reached = position
        await takeWaiting()
      }),
    pause: (wanted) =>
      inTurn(async () => {
        paused = wanted
        if (waiting.size > 0) await takeWaiting()
      }),
    settled: () => working,
    listen() {
      const heard: Heard = { changes: new Map(), ids: new Set(), from: undefined }
      listeners.add(heard)
      return {
        since(position) {
          heard.from = position
          for (const [key, change] of heard.changes) if (isBefore(change, position)) heard.changes.delete(key)
        },
        async replay(next, from) {
          const ids = [...heard.ids]
          heard.ids.clear()
          await refresh(ids, next, from)
          return ids.length
        },
        handOver() {
          note(waiting, [...heard.changes.values()])
          reached ||= index.appliedPosition()
        },
        settle: () => inTurn(takeWaiting),
        end: () => void listeners.delete(heard),
      }
    },
  }
}

/** What somebody listens to. */
interface Heard {
  readonly changes: Map<string, OutboxRow>
  readonly ids: Set<number>
  from: Position | undefined
}
const newTo = ({ from }: Heard, changes: readonly OutboxRow[]) =>
  from === undefined ? changes : changes.filter((change) => !isBefore(change, from))

/** The outbox's word for a document that shall be read again, whatever it is made of. */
export const documentType = (index: string) => `search.${index}`

/** Of equal changes of one object one is enough. */
function note(into: Map<string, OutboxRow>, changes: readonly OutboxRow[]): void {
  for (const change of changes) {
    into.set(`${change.dataType} ${change.objectId} ${change.event} ${change.action ?? ''}`, change)
  }
}
