/** The progress of rebuilds, which the feeding process stores for the processes that share its indexes. */
import type { IndexName } from '../../core/outbox/documents.ts'
import type { Shared } from './engine.ts'
import type { Feed } from './feed.ts'
import type { IndexEvent, Progress } from './rebuild.ts'

export const isRunning = (progress: Progress | undefined) =>
  progress !== undefined && !['END', 'ERROR'].includes(progress.event)

/** In the feeding process: stores every event at once, and the number of documents when `store` is called. */
export function keepProgress({ storeProgress }: Shared) {
  const stored = new Map<IndexName, Progress>()
  const changed = new Map<IndexName, Progress>()
  let working: Promise<void> | undefined
  /** One write after the other, so that an older state never replaces a newer one. */
  async function storeChanged(): Promise<void> {
    for (let [first] = changed; first; [first] = changed) {
      const [name, progress] = first
      await storeProgress(name, progress)
      stored.set(name, progress)
      if (changed.get(name) === progress) changed.delete(name)
    }
  }
  const store = () => (working ??= storeChanged().finally(() => (working = undefined)))
  return {
    store,
    report(name: IndexName, progress: Progress): void {
      const isEvent = (changed.get(name) ?? stored.get(name))?.event !== progress.event
      changed.set(name, progress)
      if (isEvent) store().catch(() => {}) // `store` is called again
    },
    /** Another process may feed from now on. */
    async end(): Promise<void> {
      changed.clear()
      stored.clear()
      await working?.catch(() => {})
    },
  }
}

/** Milliseconds within which the feeding process begins a rebuild, also if it has to be replaced. */
const beginsWithin = 10_000
const ended: Progress = { event: 'END', documentsProcessed: 0, totalDocuments: 0 }

/** In the other processes. */
export function followProgress({ readProgress }: Shared, feeds: ReadonlyMap<IndexName, Feed>) {
  const known = new Map<IndexName, Progress>()
  /** Rebuilds that this process has asked for, and the generation that was active then. */
  const requested = new Map<IndexName, { readonly generation: Date | undefined; readonly at: number }>()
  const generationOf = (name: IndexName) => feeds.get(name)?.index.status().createdAt
  /** The stored progress is still that of an earlier rebuild. */
  const isEarlier = (name: IndexName) => {
    const request = requested.get(name)
    if (!request || performance.now() - request.at > beginsWithin) return false
    return request.generation?.getTime() === generationOf(name)?.getTime()
  }
  const progressOf = (name: IndexName) => known.get(name) ?? ended
  return {
    progress: progressOf,
    async reload(): Promise<void> {
      for (const name of feeds.keys()) {
        const stored = await readProgress(name)
        if (stored && (isRunning(stored) || !isEarlier(name))) known.set(name, stored)
      }
    },
    rebuild(name: IndexName): IndexEvent {
      if (isRunning(progressOf(name))) return 'BUSY'
      requested.set(name, { generation: generationOf(name), at: performance.now() })
      known.set(name, { ...ended, event: 'PREPARE' })
      return 'PREPARE'
    },
  }
}
