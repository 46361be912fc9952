/**
 * The bell: tells those who follow the outbox that something was committed.
 *
 *   batch --committed--> followers in this process, with the rows, at once
 *                   \--> NOTIFY, after the commit --> bells of other processes, which read the outbox
 *   any other statement that writes to the outbox --> NOTIFY by a trigger, with the commit --> all bells
 *
 * NOTIFY inside a transaction makes commits wait for each other until each is on the disk, so whoever changes much tells
 * of it afterwards, for many at once. What is said while a connection is down, or not said because a process was killed, is
 * lost; therefore the bell rings every second by itself.
 */
import { randomUUID } from 'node:crypto'
import type { Database } from '../../adapters/postgres/db.ts'
import { listen } from '../../adapters/postgres/listen.ts'
import { notifyOutbox, type OutboxRow } from './outbox.sql.ts'

/** Tells of commits. One for the process; any number of readers share it. */
export interface OutboxBell {
  /** Resolves at the next commit, or after a second at the latest. */
  next(): Promise<void>
  /** Calls `heard` at every commit and every second, with the rows of a commit that was told. Returns how to end it. */
  subscribe(heard: Heard): () => void
  stop(): Promise<void>
}
type Heard = (told?: readonly OutboxRow[]) => void

export interface Bells {
  /** The bell of this process, hung up when the first asks for it. */
  bell(): Promise<OutboxBell>
  /** Hears what this process has committed and its statement has kept from the trigger, see `writeChanges`. */
  committed(rows: readonly OutboxRow[]): void
  stop(): Promise<void>
}

export function openBells(database: Database): Bells {
  const self = randomUUID()
  const announcer = createAnnouncer(() => notifyOutbox(database, self))
  let hung: ReturnType<typeof hangBell> | undefined
  return {
    bell: () =>
      (hung ??= hangBell(database, self).catch((error: unknown) => {
        hung = undefined // the next one tries again
        throw error
      })),
    committed(rows) {
      announcer.announce()
      void hung?.then(
        ({ ring }) => ring(rows),
        () => {}, // told to whoever asked for it
      )
    },
    async stop() {
      announcer.stop()
      await (await hung)?.stop()
    },
  }
}

const patience = 1000

async function hangBell(database: Database, self: string): Promise<OutboxBell & { ring: Heard }> {
  const subscribers = new Set<Heard>()
  let bell = Promise.withResolvers<void>()
  const ring: Heard = (told) => {
    bell.resolve()
    bell = Promise.withResolvers<void>()
    for (const heard of subscribers) heard(told)
  }
  const heard = (teller: string) => {
    if (teller !== self) ring()
  }
  const listener = await listen(database, 'outbox', { heard, missed: ring })
  const clock = setInterval(ring, patience)
  clock.unref()
  return {
    ring,
    next: () => bell.promise,
    subscribe(heard) {
      subscribers.add(heard)
      return () => subscribers.delete(heard)
    },
    async stop() {
      clearInterval(clock)
      ring()
      await listener.stop()
    },
  }
}

/** Milliseconds; a change after a pause is told at once. */
const announceEvery = 20

/** Tells other processes, however many commits there are, at most so often. */
function createAnnouncer(tell: () => Promise<unknown>) {
  let resting: NodeJS.Timeout | undefined
  let isDue = false
  const say = () => {
    isDue = false
    resting = setTimeout(() => {
      resting = undefined
      if (isDue) say()
    }, announceEvery).unref()
    tell().catch(() => {}) // others look by themselves
  }
  return {
    announce() {
      if (resting) isDue = true
      else say()
    },
    stop: () => clearTimeout(resting),
  }
}
