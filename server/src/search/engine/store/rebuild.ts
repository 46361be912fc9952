/**
 * Builds the next generation of an index beside the one that serves: documents of the source into segments, several at
 * a time, then the changes since, then the switch.
 */
import type { Crew } from '../crew/crew.ts'
import { writeDocuments } from '../crew/documents.ts'
import type { Changes, IndexSchema, Position, SearchDocument } from '../port.ts'
import type { NextGeneration } from './generations.ts'
import { createIndex, type EmbeddedIndex } from './store.ts'

export interface Rebuild {
  /** Adds documents of the source, each once, best in the order of their ids. Waits while the builders are behind. */
  add(documents: readonly SearchDocument[]): Promise<void>
  /** No more documents come; they are those of the source at this position. */
  finish(position: Position): Promise<void>
  /** What has changed since. */
  apply(changes: Changes, position: Position): Promise<void>
  /** Searches see the new generation from now on, and so does a start. */
  activate(): Promise<void>
  /** Gives it up. */
  drop(): Promise<void>
}

/** Documents of one segment. */
const segmentSize = 25_000

export interface RebuildOptions {
  readonly name: string
  readonly schema: IndexSchema
  readonly crew: Crew
  readonly builders: number
  readonly next: NextGeneration
  /** Puts the new index in the place of the one that serves; called when it is the one that a start finds. */
  replace(index: EmbeddedIndex): Promise<void>
  /** Called at its end, whatever that is. */
  ended(): void
}

export function createRebuild({ name, schema, crew, builders, next, replace, ended }: RebuildOptions): Rebuild {
  const temporary = `${name}, next`
  const index = createIndex({ name: temporary, schema, crew, files: next.files })
  const building = new Set<Promise<void>>()
  let failure: { readonly error: unknown } | undefined
  let gathered: string[] = []
  let count = 0
  let lastId = -Infinity

  function startSegment(): void {
    const batches = gathered
    gathered = []
    count = 0
    lastId = -Infinity
    if (batches.length === 0) return
    const done: Promise<void> = crew
      .ask('builder', 'build', temporary, batches, 'file')
      .then((buffer) => index.addSegment(buffer))
      .catch((error: unknown) => void (failure ??= { error }))
      .finally(() => building.delete(done))
    building.add(done)
  }
  /** Until fewer than so many segments are being built. */
  async function waitFor(fewer: number): Promise<void> {
    while (building.size >= fewer) await Promise.race(building)
    if (failure) throw failure.error
  }
  return {
    async add(documents) {
      if (documents.length === 0) return
      const sorted = documents.toSorted((a, b) => a.id - b.id)
      // Within a segment ids only grow; a source that is read in another order gets smaller segments.
      if (sorted[0]!.id <= lastId) startSegment()
      lastId = sorted.at(-1)!.id
      gathered.push(writeDocuments(sorted))
      count += documents.length
      if (count < segmentSize) return
      await waitFor(builders)
      startSegment()
    },
    async finish(position) {
      startSegment()
      await waitFor(1)
      await index.maintain()
      await index.apply({ put: [], remove: [] }, position)
      await index.seal()
    },
    apply: index.apply,
    async activate() {
      await index.seal()
      await next.activate()
      await replace(index)
      await next.removeOthers()
      ended()
    },
    async drop() {
      await Promise.allSettled(building)
      await index.retire()
      crew.hide(temporary)
      await next.removeOthers()
      ended()
    },
  }
}
