/**
 * The running rebuilds, one at a time, and their progress. If a rebuild fails and the index still needs it (because it
 * is missing or outdated), it is retried with exponential back-off: the database may have been down, or a disk full.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../adapters/postgres/db.ts'
import type { IndexName } from '../../core/outbox/documents.ts'
import type { Feed } from './feed.ts'
import { type IndexEvent, type Plan, type Progress, rebuildIndex } from './rebuild.ts'

export interface Rebuilds {
  /** Returns PREPARE, or BUSY if a rebuild of the index is running or queued. */
  start(name: IndexName, feed: Feed): IndexEvent
  /** Progress of the current rebuild, or the outcome of the last one. */
  progress(name: IndexName): Progress
  isRunning(name: IndexName): boolean
  /** Waits for a rebuild of the index, if there is one, at most `timeoutMs` milliseconds. */
  wait(name: IndexName, timeoutMs: number): Promise<void>
  /** Aborts the running rebuilds; the current generations stay in use. */
  stop(): Promise<void>
}

interface RebuildNeeds {
  readonly database: Database
  planOf(name: IndexName): Promise<Plan>
  failed(error: unknown, what: string): void
  /** Called with every state, for other processes; not while stopping, so that the next one to feed rebuilds again. */
  report?(name: IndexName, progress: Progress): void
}

/** Milliseconds of back-off. */
const firstPause = 10_000
const longestPause = 600_000

export function createRebuilds({ database, planOf, failed, report }: RebuildNeeds): Rebuilds {
  const states = new Map<IndexName, Progress>()
  const running = new Map<IndexName, Promise<void>>()
  const stopping = new AbortController()
  const { signal } = stopping
  const pauses = new Map<IndexName, number>()
  let turn: Promise<void> = Promise.resolve()

  function setState(name: IndexName, state: Progress): void {
    states.set(name, state)
    if (!signal.aborted) report?.(name, state)
  }
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
      await rebuildIndex({ database, feed, plan, signal, report: (state) => setState(name, state) })
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
    setState(name, { event: 'PREPARE', documentsProcessed: 0, totalDocuments: 0 })
    turn = turn.then(() => run(name, feed))
    running.set(name, turn)
    return 'PREPARE'
  }
  return {
    start,
    progress: (name) => states.get(name) ?? { event: 'END', documentsProcessed: 0, totalDocuments: 0 },
    isRunning: (name) => running.has(name),
    async wait(name, timeoutMs) {
      const done = running.get(name)
      if (done) await Promise.race([done, pause(timeoutMs, undefined, { ref: false })])
    },
    async stop() {
      stopping.abort()
      await turn
    },
  }
}
