/**
 * Applies changes in batches: changes that arrive while a batch is being applied form the next batch. Under load, the
 * cost of a segment is shared by many changes; without load, a change is applied at once.
 */
import type { Changes, Position, SearchDocument } from '../port.ts'

interface Waiting {
  readonly changes: Changes
  readonly position: Position
  resolve(): void
  reject(error: unknown): void
}

export function createChangeQueue(apply: (changes: Changes, position: Position) => Promise<void>) {
  let waiting: Waiting[] = []
  let isApplying = false

  async function applyWaiting(): Promise<void> {
    if (isApplying) return
    isApplying = true
    while (waiting.length) {
      const batch = waiting
      waiting = []
      await apply(merged(batch), batch.at(-1)!.position).then(
        () => batch.forEach(({ resolve }) => resolve()),
        (error: unknown) => batch.forEach(({ reject }) => reject(error)),
      )
    }
    isApplying = false
  }
  return {
    add(changes: Changes, position: Position): Promise<void> {
      return new Promise((resolve, reject) => {
        waiting.push({ changes, position, resolve, reject })
        void applyWaiting()
      })
    },
  }
}

/** Merges the changes of a batch. The last change of a document wins. */
function merged(batch: readonly Waiting[]): Changes {
  if (batch.length === 1) return batch[0]!.changes
  const last = new Map<number, SearchDocument | undefined>()
  for (const { changes } of batch) {
    for (const id of changes.remove) last.set(id, undefined)
    for (const document of changes.put) last.set(document.id, document)
  }
  return {
    put: [...last.values()].filter((document) => document !== undefined),
    remove: [...last.keys()].filter((id) => last.get(id) === undefined),
  }
}
