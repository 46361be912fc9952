/**
 * Reads the outbox: every committed change, without gaps.
 *
 * Sequence numbers are not in commit order, so a reader cannot remember "the last number". It remembers a transaction
 * instead: the horizon is the oldest transaction that is still running; all before it have ended.
 *
 *          position             horizon
 *   ----------|--------------------|---------------------->  transactions
 *      processed      settled         running, or ended while an older one runs
 *
 * Rows are ordered by (xid, seq). A row has the xid of its writer, or of the newest transaction that had ended when it was
 * written, if that is later. If a writer waited for another one to change an object, that one had ended, so the changes of
 * an object are in their order. No row is before its writer, so nothing can be added before the horizon.
 *
 *   readSettled   reads up to the horizon, in an order that never changes: for clients that continue from a position
 *   follow        also reads beyond it, as soon as a row is committed: for idempotent consumers. It reads the part beyond
 *                 the horizon again, skips rows it has passed on before, and reports the horizon as its position
 *
 * notifier.ts wakes a reader. For commits of this process it passes the rows: followers process them at once, and read
 * them later only to advance their position.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Db } from '../../adapters/postgres/db.ts'
import { dropPartitions } from '../partitions/partitions.ts'
import type { OutboxNotifier } from './notifier.ts'
import * as rows from './outbox.sql.ts'

export type { Gone, OutboxRow, SettledRow } from './outbox.sql.ts'

/** A place in the outbox, opaque outside of this file. Check text from clients with `isPosition`. */
export type Position = string

const toPosition = (xid: string, seq = 0): Position => `${xid}.${seq}`
const fromPosition = (position: Position) => {
  const [xid, seq] = position.split('.')
  return { xid: xid!, seq: Number(seq) }
}
/** The earlier of two positions. */
export const earlier = (a: Position, b: Position): Position =>
  BigInt(fromPosition(a).xid) <= BigInt(fromPosition(b).xid) ? a : b
/** Whether a change was committed before the position was taken, so that later reads see its effects. */
export const isBefore = ({ xid }: rows.OutboxRow, position: Position): boolean =>
  BigInt(xid) < BigInt(fromPosition(position).xid)
/** The position right after a change; it is unique per change. */
export const positionOf = ({ xid, seq }: rows.OutboxRow): Position => toPosition(xid, seq)
export const isPosition = (text: string) => /^\d{1,19}\.\d{1,15}$/.test(text)

/** A position as the transaction that it begins with, for a column of type xid8. */
export const transactionOf = (position: Position): string => fromPosition(position).xid
export const positionAt = (xid: string): Position => toPosition(xid)

/** A position from which every later commit will be read, and possibly some earlier ones. */
export const currentPosition = async (db: Db): Promise<Position> => toPosition(await rows.findHorizon(db))

/** The position before the oldest change that is kept. */
export const oldestPosition = async (db: Db): Promise<Position> => toPosition((await rows.findBounds(db)).floor)

/** Whether the position belongs to this database and nothing after it has been removed. */
export const isKept = async (db: Db, position: Position): Promise<boolean> =>
  isWithin(fromPosition(position).xid, await rows.findBounds(db))
const isWithin = (xid: string, { floor, next }: rows.Bounds) =>
  BigInt(xid) >= BigInt(floor) && BigInt(xid) <= BigInt(next)

/** The changes after a position in their final order. The next call continues at the returned position. */
export async function readSettled(db: Db, after: Position, limit: number) {
  const { xid, seq } = fromPosition(after)
  const { rows: changes } = await rows.readSettledFrom(db, xid, seq, limit)
  const last = changes.at(-1)
  return { changes, position: last ? toPosition(last.xid, last.seq) : after }
}

/** The same of some data types alone. `isEnd`: there are no more for now. */
export async function readSettledOf(db: Db, dataTypes: readonly string[], after: Position, limit: number) {
  const { xid, seq } = fromPosition(after)
  const { rows: changes, horizon } = await rows.readSettledFrom(db, xid, seq, limit, dataTypes)
  const isEnd = changes.length < limit
  // Rows of other types are passed too: the position must not become older than the rows that are kept.
  const last = isEnd ? await rows.lastBefore(db, xid, seq, horizon) : changes.at(-1)
  return { changes, isEnd, position: last ? toPosition(last.xid, last.seq) : after }
}

/** All changes after a position that are visible now, in pages; those beyond the horizon may be read again later. */
export async function* readCommitted(db: Db, after: Position): AsyncGenerator<readonly rows.OutboxRow[]> {
  for (let last: { xid: string; seq: number } | undefined = fromPosition(after); last;) {
    const { rows: page }: rows.Page = await rows.readFrom(db, last.xid, last.seq, pageSize)
    if (page.length > 0) yield page
    last = page.length < pageSize ? undefined : page.at(-1)
  }
}

// Following

export interface Follower {
  /** Every change before it has been accepted. */
  position(): Position
  /** Resolves when every change committed before the call has been accepted; rejects while `accept` keeps throwing. */
  catchUp(): Promise<void>
  stop(): Promise<void>
}
interface Following {
  readonly database: Database
  readonly notifier: OutboxNotifier
  readonly from: Position
  /** If it throws, the same changes are passed again. Also called without changes when only the position moved. */
  accept(changes: readonly rows.OutboxRow[], position: Position): Promise<void>
  failed(error: unknown): void
}

const pauseAfterFault = 500
/** How long catchUp() waits for changes that are not accepted (ms). It may be hours until they are. */
const longestFault = 3000
/** How often announced rows are also read, so that the position advances (ms). */
const readEvery = 100
/** How long catchUp() waits for an in-process announcement before it polls (ms). */
const announcedWithin = 10

export function follow({ database, notifier, from, accept, failed }: Following): Follower {
  const reader = createReader(from)
  const stopping = new AbortController()
  const { signal } = stopping
  const waiting = createWaiting(reader.hasSeen)
  let wake = Promise.withResolvers<void>()
  let announced: rows.OutboxRow[] = []
  let mustRead = true
  let failingSince: number | undefined
  let readAt = -Infinity
  const requestRead = () => {
    mustRead = true
    wake.resolve()
  }
  const unsubscribe = notifier.subscribe((committed) => {
    if (!committed || announced.length >= pageSize) return requestRead()
    announced = [...announced, ...committed]
    wake.resolve()
  })
  const acceptAnnounced = async () => {
    const some = announced
    announced = []
    await reader.take(some, accept)
    waiting.resolveSeen()
  }
  const read = async () => {
    mustRead = false
    readAt = performance.now()
    await reader.read(database, accept, waiting.any())
    waiting.resolveSeen()
  }
  const run = async () => {
    while (!signal.aborted) {
      wake = Promise.withResolvers<void>()
      try {
        if (announced.length > 0) await acceptAnnounced()
        if (mustRead || performance.now() - readAt > readEvery) await read()
        failingSince = undefined
        // No Promise.race with a long-lived promise: it would keep a reaction for every iteration.
        await wake.promise
      } catch (error) {
        mustRead = true // announced rows that were not accepted are read again
        if (signal.aborted) return
        failed(error)
        failingSince ??= performance.now()
        if (performance.now() - failingSince > longestFault) waiting.reject(error)
        await pause(pauseAfterFault, undefined, { signal, ref: false }).catch(() => {})
      }
    }
  }
  const running = run()
  return {
    position: reader.position,
    async catchUp() {
      const present = await reader.peek(database)
      signal.throwIfAborted() // stop() during the peek would leave this call waiting for ever
      const missing = present.filter((row) => !reader.hasSeen(row))
      if (missing.length === 0) return
      const timer = setTimeout(requestRead, announcedWithin).unref()
      await waiting.forAll(missing).finally(() => clearTimeout(timer))
    },
    async stop() {
      unsubscribe()
      stopping.abort(new Error('the outbox follower was stopped'))
      wake.resolve()
      await running
      waiting.reject(signal.reason)
    },
  }
}

/** The calls of catchUp() that wait for rows to be accepted. */
function createWaiting(hasSeen: (row: rows.OutboxRow) => boolean) {
  const calls = new Set<{ missing: readonly rows.OutboxRow[]; resolve(): void; reject(error: unknown): void }>()
  return {
    any: () => calls.size > 0,
    forAll(missing: readonly rows.OutboxRow[]): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      calls.add({ missing, resolve, reject })
      return promise
    },
    resolveSeen() {
      for (const call of calls) {
        call.missing = call.missing.filter((row) => !hasSeen(row))
        if (call.missing.length > 0) continue
        calls.delete(call)
        call.resolve()
      }
    },
    reject(error: unknown) {
      for (const { reject } of calls) reject(error)
      calls.clear()
    },
  }
}

const pageSize = 5000
/** With more rows than this beyond the horizon, they are read again at intervals (ms) instead of at every commit. */
const largeWindow = 1000
const windowEvery = 250

/** Remembers which rows one follower has seen. A row counts as seen once it was accepted. */
function createReader(from: Position) {
  let horizon = fromPosition(from).xid
  /** Accepted rows at or beyond the horizon, with their transactions. */
  const seen = new Map<number, string>()
  let newest = 0
  let wholeAt = -Infinity

  const hasSeen = ({ seq, xid }: rows.OutboxRow) => seen.has(seq) || BigInt(xid) < BigInt(horizon)

  async function passOn(page: readonly rows.OutboxRow[], reached: string, accept: Following['accept']) {
    const fresh = page.filter(({ seq }) => !seen.has(seq))
    if (fresh.length > 0 || reached !== horizon) await accept(fresh, toPosition(reached))
    for (const { seq, xid } of fresh) {
      seen.set(seq, xid)
      newest = Math.max(newest, seq)
    }
    if (reached === horizon) return
    horizon = reached
    for (const [seq, xid] of seen) if (BigInt(xid) < BigInt(horizon)) seen.delete(seq)
  }

  /** Reads page by page. The new horizon is that of the first page, whatever is committed meanwhile. */
  async function readWindow(db: Db, accept: Following['accept']) {
    wholeAt = performance.now()
    let page = await rows.readFrom(db, horizon, 0, pageSize)
    const reached = page.horizon
    while (page.rows.length === pageSize) {
      const last = page.rows.at(-1)!
      const passed = BigInt(last.xid) < BigInt(reached) ? last.xid : horizon
      await passOn(page.rows, passed, accept)
      page = await rows.readFrom(db, last.xid, last.seq, pageSize)
    }
    await passOn(page.rows, reached, accept)
  }

  return {
    position: () => toPosition(horizon),
    hasSeen,
    /** Passes on rows that are known to be committed. */
    take: (committed: readonly rows.OutboxRow[], accept: Following['accept']) =>
      passOn(
        committed.filter((row) => !hasSeen(row)),
        horizon,
        accept,
      ),
    /** All rows from the horizon on, seen or not. */
    async peek(db: Db): Promise<rows.OutboxRow[]> {
      const present: rows.OutboxRow[] = []
      let last = { xid: horizon, seq: 0 }
      for (;;) {
        const page = await rows.readFrom(db, last.xid, last.seq, pageSize)
        present.push(...page.rows)
        if (page.rows.length < pageSize) return present
        last = page.rows.at(-1)!
      }
    },
    /** `all`: also find rows that were numbered early and committed late, however many must be looked through. */
    async read(db: Db, accept: Following['accept'], all: boolean) {
      if (all || seen.size < largeWindow || performance.now() - wholeAt > windowEvery) return readWindow(db, accept)
      const page = await rows.readNewest(db, newest, pageSize)
      return passOn(page.rows, horizon, accept)
    },
  }
}

// Keeping and removing

/**
 * Stores the position of a consumer; rows before it may be removed. Returns whether every row after the position still
 * exists. If not, the consumer was away for too long and must start from scratch.
 */
export async function keepFrom(db: Db, consumer: string, position: Position): Promise<boolean> {
  const { xid } = fromPosition(position)
  return isWithin(xid, await rows.upsertConsumer(db, consumer, xid))
}
export const forgetConsumer = (db: Db, consumer: string) => rows.deleteConsumer(db, consumer)

/** After so many days without a sign of life a consumer no longer keeps rows from being removed. */
const silentDays = 7
const portion = 10_000

/**
 * Removes rows that are older than the hours and that every consumer has passed: whole partitions, and in portions from
 * partitions that cannot be dropped yet because they have no beginning.
 */
export async function trimOutbox(db: Db, hours: number): Promise<void> {
  await rows.deleteSilentConsumers(db, silentDays)
  const before = new Date(Date.now() - hours * 3_600_000)
  const left = await dropPartitions(db, 'outbox', before, rows.passPartition)
  for (const partition of left) while ((await rows.deletePassed(db, partition, hours, portion)) === portion);
}
