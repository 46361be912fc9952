/**
 * Processes that share search indexes: one of them feeds, the others ask it to catch up.
 *
 * The feeding process holds a lock of PostgreSQL. When its connection ends, because it stopped, died or lost the network,
 * another process gets the lock within a second and continues where the stored position is. Should the first one still
 * write, its writes lose: they have lower versions.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { SearchUnavailable } from '@kontor/search-engine'
import type { Database } from '../../adapters/postgres/db.ts'
import { listen } from '../../adapters/postgres/listen.ts'
import { createSessionLocks } from '../../adapters/postgres/session-locks.ts'
import { channel, sendMessage } from './turns.sql.ts'

interface Turns {
  /** Resolves when the process that feeds has caught up. */
  ask(index: string): Promise<void>
  stop(): Promise<void>
}
interface TurnOptions {
  readonly database: Database
  readonly key: string
  /** This process feeds from now on. */
  begin(): Promise<void>
  /** Another process may feed from now on. */
  end(): Promise<void>
  /** Called in the process that feeds. */
  catchUp(index: string): Promise<void>
  failed(error: unknown): void
}

/** Milliseconds between attempts to get the lock, and between checks that it is still held. */
const tryEvery = 1000
const lockSpace = 21

/** Resolves after the first attempt to get the lock. */
export async function takeTurns(options: TurnOptions): Promise<Turns> {
  const { database, catchUp } = options
  const stopping = new AbortController()
  const waiting: Waiting = new Map()
  const listener = await listen(database, channel, {
    missed: () => {},
    received(message) {
      const [kind, id = '', index = ''] = message.split(' ')
      if (kind !== 'ask') waiting.get(id)?.(kind as Answer)
      else if (isFeeding) {
        const answer = (kind: Answer) => sendMessage(database, `${kind} ${id}`)
        const orAway = (error: unknown) => (error instanceof SearchUnavailable ? answer('away') : undefined)
        catchUp(index)
          .then(() => answer('done'), orAway)
          .catch(() => {}) // the other process asks again
      }
    },
  })
  let isFeeding = false
  const attempted = Promise.withResolvers<void>()
  const running = compete(options, stopping.signal, (now) => (isFeeding = now), attempted.resolve)
  await attempted.promise
  return {
    ask: (index) => askUntilDone(database, waiting, index, stopping.signal),
    async stop() {
      stopping.abort()
      await running
      await listener.stop()
    },
  }
}

/** `away`: the process that feeds does not reach the engine. */
type Answer = 'done' | 'away'
type Waiting = Map<string, (answer: Answer) => void>

/** Milliseconds. */
const askEvery = 500
const askedAtMost = 120_000

async function askUntilDone(database: Database, waiting: Waiting, index: string, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const from = performance.now()
  const id = randomUUID()
  waiting.set(id, resolve)
  try {
    while (performance.now() - from < askedAtMost) {
      signal.throwIfAborted()
      await sendMessage(database, `ask ${id} ${index}`)
      const answer = await Promise.race([promise, pause(askEvery, undefined, { ref: false })])
      if (answer === 'done') return
      if (answer === 'away') throw new SearchUnavailable('the process that feeds the indexes does not reach the engine')
    }
    throw new SearchUnavailable(`no process feeds the search index ${index}; see the log of the others`)
  } finally {
    waiting.delete(id)
  }
}

/** Tries to get the lock, feeds while it is held, and starts again. */
async function compete(
  { database, key, begin, end, failed }: TurnOptions,
  signal: AbortSignal,
  feeding: (now: boolean) => void,
  attempted: () => void,
): Promise<void> {
  const locks = createSessionLocks(database.pool.options, lockSpace)
  while (!signal.aborted) {
    let isMine = false
    try {
      isMine = (await locks.take([key])).length > 0
      if (isMine) {
        await begin()
        feeding(true)
        attempted()
        while (!signal.aborted && locks.holds(key)) await rest(signal)
      }
    } catch (error) {
      if (!signal.aborted) failed(error)
    } finally {
      feeding(false)
      if (isMine) await end().catch(failed)
      await locks.release(key)
      attempted()
    }
    await rest(signal)
  }
  await locks.close()
}

const rest = (signal: AbortSignal) => pause(tryEvery, undefined, { signal, ref: false }).catch(() => {})
