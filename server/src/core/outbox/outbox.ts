/**
 * Reading the outbox: what was committed, without gaps, for whoever must follow.
 *
 * A number of the sequence says nothing about the order of commits, so no reader may remember "the last number". It
 * remembers a transaction instead: all before the horizon, the oldest transaction that is still running, have ended.
 *
 *          position             horizon
 *   ----------|--------------------|---------------------->  transactions
 *     dealt with     settled          running, or ended beside one that runs
 *
 *   readSettled   up to the horizon, in an order that never changes: for clients that continue from a position
 *   follow        beyond it too, the moment a row is committed: for those to whom a repeat does no harm. It comes back
 *                 to what lies beyond, leaves out what it has handed over, and tells the horizon as its position
 *
 * The bell wakes a reader, see bell.ts. What this very process commits it tells with the rows: followers deal with them at
 * once, and read them later only to move their position.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Db } from '../../adapters/postgres/db.ts'
import type { OutboxBell } from './notifier.ts'
import * as rows from './outbox.sql.ts'

export type { OutboxRow } from './outbox.sql.ts'

/** A place in the outbox; only this file knows what it means. Texts from outside must pass `isPosition`. */
export type Position = string

const toPosition = (xid: string, seq = 0): Position => `${xid}.${seq}`
const fromPosition = (position: Position) => {
  const [xid, seq] = position.split('.')
  return { xid: xid!, seq: Number(seq) }
}
/** The one that comes first. */
export const earlier = (a: Position, b: Position): Position =>
  BigInt(fromPosition(a).xid) <= BigInt(fromPosition(b).xid) ? a : b
/** Whether a change was committed before a position was told: whoever reads after that sees it. */
export const isBefore = ({ xid }: rows.OutboxRow, position: Position): boolean =>
  BigInt(xid) < BigInt(fromPosition(position).xid)
/** The place right behind a change; no two changes have the same. */
export const positionOf = ({ xid, seq }: rows.OutboxRow): Position => toPosition(xid, seq)
export const isPosition = (text: string) => /^\d{1,19}\.\d{1,15}$/.test(text)

/** The place from which everything that is committed later will be read, and perhaps some of what is there now. */
export const currentPosition = async (db: Db): Promise<Position> => toPosition(await rows.findHorizon(db))

/** Whether nothing after the position has been removed, and the position is one of this database. */
export const isKept = async (db: Db, position: Position): Promise<boolean> =>
  isWithin(fromPosition(position).xid, await rows.findBounds(db))
const isWithin = (xid: string, { floor, next }: rows.Bounds) =>
  BigInt(xid) >= BigInt(floor) && BigInt(xid) <= BigInt(next)

/** What comes after a position in its final order; `position` is where the next call continues. */
export async function readSettled(db: Db, after: Position, limit: number) {
  const { xid, seq } = fromPosition(after)
  const { rows: changes } = await rows.readSettledFrom(db, xid, seq, limit)
  const last = changes.at(-1)
  return { changes, position: last ? toPosition(last.xid, last.seq) : after }
}

// Following

export interface Follower {
  /** Everything before it has been handed over and accepted. */
  position(): Position
  /** Resolves when everything that is committed by now has been accepted. */
  catchUp(): Promise<void>
  stop(): Promise<void>
}
export interface Following {
  readonly database: Database
  readonly bell: OutboxBell
  readonly from: Position
  /** Accepts changes; when it throws, they come again. Called also without changes, when only the position moved. */
  accept(changes: readonly rows.OutboxRow[], position: Position): Promise<void>
  failed(error: unknown): void
}

const pauseAfterFault = 500
/** Milliseconds after which what was told is read too, so that the position does not stay behind. */
const readEvery = 100
/** Milliseconds that whoever catches up waits to be told, before he has it read. */
const toldWithin = 10

export function follow({ database, bell, from, accept, failed }: Following): Follower {
  const reader = createReader(from)
  const stopping = new AbortController()
  const { signal } = stopping
  const waiting = new Set<Waiting>()
  let wake = Promise.withResolvers<void>()
  let told: rows.OutboxRow[] = []
  let isRung = true
  let readAt = -Infinity
  const ring = () => {
    isRung = true
    wake.resolve()
  }
  const unsubscribe = bell.subscribe((some) => {
    if (!some || told.length >= pageSize) return ring()
    told = [...told, ...some]
    wake.resolve()
  })
  const answer = () => {
    for (const one of waiting) {
      one.missing = one.missing.filter((row) => !reader.hasSeen(row))
      if (one.missing.length > 0) continue
      waiting.delete(one)
      one.resolve()
    }
  }
  const takeTold = async () => {
    const some = told
    told = []
    await reader.take(some, accept)
    answer()
  }
  const read = async () => {
    isRung = false
    readAt = performance.now()
    await reader.read(database, accept, waiting.size > 0)
    answer()
  }
  const run = async () => {
    while (!signal.aborted) {
      wake = Promise.withResolvers<void>()
      try {
        if (told.length > 0) await takeTold()
        if (isRung || performance.now() - readAt > readEvery) await read()
        // Not a race with a promise that lives as long as this: it would remember every one of them.
        await wake.promise
      } catch (error) {
        isRung = true // what was told comes again, too
        if (signal.aborted) return
        failed(error)
        await pause(pauseAfterFault, undefined, { signal, ref: false }).catch(() => {})
      }
    }
  }
  const running = run()
  return {
    position: reader.position,
    async catchUp() {
      const there = await reader.peek(database)
      signal.throwIfAborted() // it may have been stopped meanwhile, and nobody would tell
      const missing = there.filter((row) => !reader.hasSeen(row))
      if (missing.length === 0) return
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.add({ missing, resolve, reject })
      // What this process committed is told in a moment.
      const late = setTimeout(ring, toldWithin).unref()
      await promise.finally(() => clearTimeout(late))
    },
    async stop() {
      unsubscribe()
      stopping.abort(new Error('nobody follows the outbox any more'))
      wake.resolve()
      await running
      for (const { reject } of waiting) reject(signal.reason)
    },
  }
}

/** Somebody who waits for rows to be accepted. */
interface Waiting {
  missing: readonly rows.OutboxRow[]
  resolve(): void
  reject(error: unknown): void
}

const pageSize = 5000
/** More rows than this beyond the horizon are not read again at each commit, but by the clock. */
const largeWindow = 1000
const windowEvery = 250

/** What one follower has seen. Nothing counts as seen before it was accepted. */
function createReader(from: Position) {
  let horizon = fromPosition(from).xid
  /** Rows at or beyond the horizon that were handed over, with their transactions. */
  const seen = new Map<number, string>()
  let newest = 0
  let wholeAt = -Infinity

  const hasSeen = ({ seq, xid }: rows.OutboxRow) => seen.has(seq) || BigInt(xid) < BigInt(horizon)

  async function handOver(page: readonly rows.OutboxRow[], reached: string, accept: Following['accept']) {
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

  /** Page by page; where it may stop next time is what the first page said, whatever is committed meanwhile. */
  async function readWindow(db: Db, accept: Following['accept']) {
    wholeAt = performance.now()
    let page = await rows.readFrom(db, horizon, 0, pageSize)
    const reached = page.horizon
    while (page.rows.length === pageSize) {
      const last = page.rows.at(-1)!
      const passed = BigInt(last.xid) < BigInt(reached) ? last.xid : horizon
      await handOver(page.rows, passed, accept)
      page = await rows.readFrom(db, last.xid, last.seq, pageSize)
    }
    await handOver(page.rows, reached, accept)
  }

  return {
    position: () => toPosition(horizon),
    hasSeen,
    /** Hands over rows that are known to be committed. */
    take: (told: readonly rows.OutboxRow[], accept: Following['accept']) =>
      handOver(
        told.filter((row) => !hasSeen(row)),
        horizon,
        accept,
      ),
    /** All that is there to be handed over, or has been since the horizon was told. */
    async peek(db: Db): Promise<rows.OutboxRow[]> {
      const there: rows.OutboxRow[] = []
      let last = { xid: horizon, seq: 0 }
      for (;;) {
        const page = await rows.readFrom(db, last.xid, last.seq, pageSize)
        there.push(...page.rows)
        if (page.rows.length < pageSize) return there
        last = page.rows.at(-1)!
      }
    },
    /** `all`: also what was numbered early and committed late, however much there is to look through. */
    async read(db: Db, accept: Following['accept'], all: boolean) {
      if (all || seen.size < largeWindow || performance.now() - wholeAt > windowEvery) return readWindow(db, accept)
      const page = await rows.readNewest(db, newest, pageSize)
      return handOver(page.rows, horizon, accept)
    },
  }
}

// Keeping and removing

/**
 * Notes how far a consumer has come: what lies before may be removed. Returns whether everything after the position is
 * still there; a consumer that was away for too long is told false and must begin anew.
 */
export async function keepFrom(db: Db, consumer: string, position: Position): Promise<boolean> {
  const { xid } = fromPosition(position)
  return isWithin(xid, await rows.upsertConsumer(db, consumer, xid))
}
export const forgetConsumer = (db: Db, consumer: string) => rows.deleteConsumer(db, consumer)

/** Days after which a consumer that says nothing does not hold anything back any more. */
const silentDays = 7
const portion = 10_000

/** Removes what everybody has passed and is older than the hours, in portions. */
export async function trimOutbox(db: Db, hours: number): Promise<void> {
  await rows.deleteSilentConsumers(db, silentDays)
  while ((await rows.deletePassed(db, hours, portion)) === portion);
}
