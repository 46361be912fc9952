/**
 * Which indexes are being rebuilt, one after the other, and how far each has come. What fails while the index needs it (it
 * finds nothing, or was made in another way) is tried again, after longer and longer: a database was away, or a disk full.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../adapters/postgres/db.ts'
import type { IndexName } from '../../core/outbox/documents.ts'
import type { Feed } from './feed.ts'
import { type IndexEvent, type Plan, type Progress, rebuildIndex } from './rebuild.ts'

export interface Rebuilds {
  /** PREPARE, or BUSY when the index is being rebuilt already. */
  start(name: IndexName, feed: Feed): IndexEvent
  /** What became of the last rebuild, or how far the present one is. */
  progress(name: IndexName): Progress
  isRunning(name: IndexName): boolean
  /** Waits for the rebuild of an index, if there is one, for so many milliseconds at most. */
  wait(name: IndexName, patience: number): Promise<void>
  /** Gives up those under way: the generations before them stay. */
  stop(): Promise<void>
}

export interface RebuildNeeds {
  readonly database: Database
  planOf(name: IndexName): Promise<Plan>
  failed(error: unknown, what: string): void
}

/** Milliseconds. */
const firstPause = 10_000
const longestPause = 600_000

export function createRebuilds({ database, planOf, failed }: RebuildNeeds): Rebuilds {
  const states = new Map<IndexName, Progress>()
  const running = new Map<IndexName, Promise<void>>()
  const stopping = new AbortController()
  const { signal } = stopping
  const pauses = new Map<IndexName, number>()
  let turn: Promise<void> = Promise.resolve()

  function tryAgain(name: IndexName, feed: Feed): void {
    const after = pauses.get(name) ?? firstPause
    pauses.set(name, Math.min(after * 2, longestPause))
    setTimeout(() => {
      if (!signal.aborted && feed.index.status().state !== 'ready') start(name, feed)
    }, after).unref()
  }
  async function run(name: IndexName, feed: Feed): Promise<void> {
    try {
      signal.throwIfAborted()
      const plan = () => planOf(name)
      await rebuildIndex({ database, feed, plan, signal, report: (state) => states.set(name, state) })
      pauses.delete(name)
    } catch (error) {
      if (signal.aborted) return
      failed(error, `index ${name} could not be rebuilt`)
      tryAgain(name, feed)
    } finally {
      running.delete(name)
    }
  }
  function start(name: IndexName, feed: Feed): IndexEvent {
    if (running.has(name)) return 'BUSY'
    states.set(name, { event: 'PREPARE', documentsProcessed: 0, totalDocuments: 0 })
    turn = turn.then(() => run(name, feed))
    running.set(name, turn)
    return 'PREPARE'
  }
  return {
    start,
    progress: (name) => states.get(name) ?? { event: 'END', documentsProcessed: 0, totalDocuments: 0 },
    isRunning: (name) => running.has(name),
    async wait(name, patience) {
      const done = running.get(name)
      if (done) await Promise.race([done, pause(patience, undefined, { ref: false })])
    },
    async stop() {
      stopping.abort()
      await turn
    },
  }
}
