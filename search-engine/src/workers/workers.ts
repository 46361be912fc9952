/**
 * The workers that do all expensive work on segments. The owner of an index keeps its state and gives tasks to workers:
 * threads and processes (thread-workers.ts) or, in tests and tools, the calling thread.
 */
import { createTaskWorker, type Tasks, type View } from './tasks.ts'

/**
 *   searcher       answers queries; as many as there are cores
 *   sealer         writes the delta to a file, at low priority; changes wait if it falls behind
 *   builder        merges files, at low priority
 *   inspector      reads files: verifies them, and learns the compound lexicon
 *   build queue n  builds segments in a rebuild and keeps unfinished segments between tasks; there are several
 */
export type Role = 'searcher' | 'sealer' | 'builder' | 'inspector' | BuildQueue
export type BuildQueue = `build queue ${number}`

export type Answer<K extends keyof Tasks> = Awaited<ReturnType<Tasks[K]>>

export interface Workers {
  readonly buildQueues: readonly BuildQueue[]
  /** Tasks that are started from now on see this view of the index, or a later one. */
  publish(name: string, view: View): void
  withdraw(name: string): void
  run<K extends keyof Tasks>(role: Role, task: K, ...args: Parameters<Tasks[K]>): Promise<Answer<K>>
  /** Ends idle rebuild workers. */
  stopIdle(): Promise<void>
  close(): Promise<void>
}

/** Does all work in the calling thread. */
export function createLocalWorkers(): Workers {
  const { publish, withdraw, tasks } = createTaskWorker()
  return {
    buildQueues: ['build queue 0'],
    publish,
    withdraw,
    async run<K extends keyof Tasks>(_role: Role, task: K, ...args: Parameters<Tasks[K]>): Promise<Answer<K>> {
      const work = tasks[task] as (...args: Parameters<Tasks[K]>) => Answer<K> | Promise<Answer<K>>
      return work(...args)
    },
    stopIdle: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}
