/**
 * Notifies readers of the outbox that something was committed.
 *
 *   batch --committed--> subscribers in this process, with the rows, at once
 *                   \--> NOTIFY, after the commit --> notifiers of other processes, which read the outbox
 *   any other statement that writes to the outbox --> NOTIFY by a trigger, with the commit --> all notifiers
 *
 * NOTIFY inside a transaction makes commits wait for each other until each is on disk. Batches therefore send it after the
 * commit, and once for many commits. A notification is lost while a connection is down or when a process is killed before
 * it sends one, so the notifier also fires every second.
 */
import { randomUUID } from 'node:crypto'
import type { Database } from '../../adapters/postgres/db.ts'
import { listen } from '../../adapters/postgres/listen.ts'
import { notifyOutbox, type OutboxRow } from './outbox.sql.ts'

/** There is one per process; any number of readers share it. */
export interface OutboxNotifier {
  /** Resolves at the next commit, or after a second at the latest. */
  next(): Promise<void>
  /**
   * Calls `notify` at every commit and every second, with the rows if this process committed them and without if they must
   * be read. Returns a function that ends the subscription.
   */
  subscribe(notify: Notify): () => void
  stop(): Promise<void>
}
type Notify = (committed?: readonly OutboxRow[]) => void

interface NotifierSource {
  /** The notifier of this process. It connects on the first call; a failed connection is retried on the next one. */
  notifier(): Promise<OutboxNotifier>
  /** Announces rows that this process committed without the trigger's NOTIFY, see `writeChanges`. */
  committed(rows: readonly OutboxRow[]): void
  /** Lets readers look again although nothing was committed, because the rights of their users may have changed. */
  wake(): void
  stop(): Promise<void>
}

export function openNotifier(database: Database): NotifierSource {
  const processId = randomUUID()
  const announcer = createAnnouncer(() => notifyOutbox(database, processId))
  let connected: ReturnType<typeof connectNotifier> | undefined
  return {
    notifier: () =>
      (connected ??= connectNotifier(database, processId).catch((error: unknown) => {
        connected = undefined
        throw error
      })),
    committed(rows) {
      announcer.announce()
      void connected?.then(
        ({ notify }) => notify(rows),
        () => {}, // the caller of notifier() gets the error
      )
    },
    wake: () =>
      void connected?.then(
        ({ notify }) => notify(),
        () => {},
      ),
    async stop() {
      announcer.stop()
      await (await connected)?.stop()
    },
  }
}

const intervalMs = 1000

async function connectNotifier(database: Database, processId: string): Promise<OutboxNotifier & { notify: Notify }> {
  const subscribers = new Set<Notify>()
  let next = Promise.withResolvers<void>()
  const notify: Notify = (committed) => {
    next.resolve()
    next = Promise.withResolvers<void>()
    for (const subscriber of subscribers) subscriber(committed)
  }
  const received = (sender: string) => {
    if (sender !== processId) notify() // our own commits were announced with their rows
  }
  const listener = await listen(database, 'outbox', { received, missed: notify })
  const timer = setInterval(notify, intervalMs)
  timer.unref()
  return {
    notify,
    next: () => next.promise,
    subscribe(subscriber) {
      subscribers.add(subscriber)
      return () => subscribers.delete(subscriber)
    },
    async stop() {
      clearInterval(timer)
      notify()
      await listener.stop()
    },
  }
}

/** Milliseconds. The first commit after a pause is announced at once. */
const announceEvery = 20

/** Notifies other processes at most once per interval, however many commits there are. */
function createAnnouncer(send: () => Promise<unknown>) {
  let waiting: NodeJS.Timeout | undefined
  let isDue = false
  const sendNow = () => {
    isDue = false
    waiting = setTimeout(() => {
      waiting = undefined
      if (isDue) sendNow()
    }, announceEvery).unref()
    send().catch(() => {}) // the others poll every second
  }
  return {
    announce() {
      if (waiting) isDue = true
      else sendNow()
    },
    stop: () => clearTimeout(waiting),
  }
}
