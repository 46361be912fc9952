/** Large sets of documents that one change affects. They are read again in batches, so that other changes get in between. */
import type { Position } from '../../core/outbox/outbox.ts'

export interface Backlog {
  /** Adds documents by id; `position` is before the change that affects them. */
  add(ids: readonly number[], position: Position): void
  /** The position before the first change of the backlog; undefined if everything is applied. */
  before(): Position | undefined
  isEmpty(): boolean
  /** Starts to work off the backlog unless it is empty. */
  start(): void
  /** Resolves when the work that was started is done; rejects if it failed. */
  settled(): Promise<void>
}

interface BacklogNeeds {
  readonly batchSize: number
  apply(ids: readonly number[]): Promise<void>
  /** Called when the backlog is empty. */
  finish(): Promise<void>
  failed(error: unknown): void
}

export function createBacklog({ batchSize, apply, finish, failed }: BacklogNeeds): Backlog {
  const sets: (readonly number[])[] = []
  let before: Position | undefined
  let working: Promise<void> = Promise.resolve()

  async function workOff(): Promise<void> {
    for (let ids = sets[0]; ids; ids = sets[0]) {
      for (let at = 0; at < ids.length; at += batchSize) await apply(ids.slice(at, at + batchSize))
      sets.shift()
    }
    before = undefined
    await finish()
  }

  return {
    add(ids, position) {
      sets.push(ids)
      before ??= position
    },
    before: () => before,
    isEmpty: () => sets.length === 0,
    start() {
      if (sets.length === 0) return
      working = working.catch(() => {}).then(workOff)
      working.catch(failed)
    },
    settled: () => working,
  }
}
