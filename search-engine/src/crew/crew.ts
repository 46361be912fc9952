/**
 * Who does the work on segments. The state of an index stays with its owner; what is costly is asked of the crew, so
 * that it can be other threads (threads.ts) or, for tests and tools, the calling one.
 */
import { createWorker, type Tasks, type View } from './tasks.ts'

/**
 *   searcher   answers queries; as many as there are cores
 *   sealer     writes recent documents into files, a little behind the others: changes wait when it cannot keep up
 *   builder    merges files, behind all others
 *   inspector  looks through files: whether they are whole, and what can be learned from them
 *   lane n     a builder that keeps what it gathers from task to task; several rebuild an index together
 */
export type Role = 'searcher' | 'sealer' | 'builder' | 'inspector' | Lane
export type Lane = `lane ${number}`

export type Answer<K extends keyof Tasks> = Awaited<ReturnType<Tasks[K]>>

export interface Crew {
  readonly lanes: readonly Lane[]
  /** Tasks on this index that are asked for from now on see this view of it, or a later one. */
  show(name: string, view: View): void
  hide(name: string): void
  ask<K extends keyof Tasks>(role: Role, task: K, ...args: Parameters<Tasks[K]>): Promise<Answer<K>>
  /** The lanes are needed no more, for now. */
  rest(): Promise<void>
  close(): Promise<void>
}

/** All work in the calling thread. */
export function createLocalCrew(): Crew {
  const { show, hide, tasks } = createWorker()
  return {
    lanes: ['lane 0'],
    show,
    hide,
    async ask<K extends keyof Tasks>(_role: Role, task: K, ...args: Parameters<Tasks[K]>): Promise<Answer<K>> {
      const work = tasks[task] as (...args: Parameters<Tasks[K]>) => Answer<K> | Promise<Answer<K>>
      return work(...args)
    },
    rest: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}
