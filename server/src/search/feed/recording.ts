/**
 * Changes recorded while a new generation of an index is being built, so that they can be applied to it before it
 * replaces the current one.
 */
import { isBefore, type OutboxRow, type Position } from '../../core/outbox/outbox.ts'
import type { Rebuild } from '@kontor/search-engine'

/** The changes recorded since a rebuild began. */
export interface Recording {
  /** Ignores changes committed before this position: the rebuild reads its documents after that position. */
  since(position: Position): void
  /**
   * Applies the recorded changes to the generation that is being built. `from` is the position at which that generation
   * began, and from which it continues after a crash. Returns the number of documents.
   */
  replay(next: Rebuild, from: Position): Promise<number>
  /**
   * Queues all recorded changes again, before any others, because the new index may know different references between
   * documents. Call it inside `inTurn`, together with the switch of generations.
   */
  handOver(): void
  /** Applies the queued changes unless that has happened already. */
  settle(): Promise<void>
  end(): void
}

/** The changes and document ids that a recording holds. */
export interface Recorded {
  readonly changes: Map<string, OutboxRow>
  readonly ids: Set<number>
  from: Position | undefined
}

interface RecordingNeeds {
  /** The recordings of the feed, which adds changes and ids to them. */
  readonly recordings: Set<Recorded>
  apply(ids: readonly number[], next: Rebuild, position: Position): Promise<void>
  handOver(changes: readonly OutboxRow[]): void
  settle(): Promise<void>
}

export function startRecording({ recordings, apply, handOver, settle }: RecordingNeeds): Recording {
  const recorded: Recorded = { changes: new Map(), ids: new Set(), from: undefined }
  recordings.add(recorded)
  return {
    since(position) {
      recorded.from = position
      for (const [key, change] of recorded.changes) if (isBefore(change, position)) recorded.changes.delete(key)
    },
    async replay(next, from) {
      const ids = [...recorded.ids]
      recorded.ids.clear()
      await apply(ids, next, from)
      return ids.length
    },
    handOver: () => handOver([...recorded.changes.values()]),
    settle,
    end: () => void recordings.delete(recorded),
  }
}

/** The changes that are not before the position of a recording. */
export const newTo = ({ from }: Recorded, changes: readonly OutboxRow[]) =>
  from === undefined ? changes : changes.filter((change) => !isBefore(change, from))

/** Adds changes, keeping one of several equal changes of an object. */
export function note(into: Map<string, OutboxRow>, changes: readonly OutboxRow[]): void {
  for (const change of changes) {
    into.set(`${change.dataType} ${change.objectId} ${change.event} ${change.action ?? ''}`, change)
  }
}
