/**
 * Builds the next generation of an index while the active one serves: documents of the source become segments, in
 * several build queues at once; then later changes are applied; then the generations are switched.
 *
 * Segments are written to files as they are built, and opened after all of them are complete and the build workers have
 * ended. Building therefore needs no more memory than searching will.
 */
import type { Workers, BuildQueue } from '../workers/workers.ts'
import { writeDocuments } from '../segment/documents.ts'
import type { IndexSchema, Rebuild } from '../port.ts'
import type { NextGeneration } from './generations.ts'
import { mappingOf } from './mapping.ts'
import { segmentSize } from './merge-policy.ts'
import { createIndex, type EmbeddedIndex } from './generation-index.ts'

/** Batches that may wait in a build queue, so that its worker never runs idle. */
const maxPending = 3

interface RebuildOptions {
  readonly name: string
  readonly schema: IndexSchema
  readonly workers: Workers
  readonly next: NextGeneration
  /** Replaces the serving index. Called after the new generation has become the active one on disk. */
  replace(index: EmbeddedIndex): Promise<void>
  /** Called when the rebuild has ended, successfully or not. */
  onEnd(): void
}

export function createRebuild({
  name,
  schema: initialSchema,
  workers,
  next,
  replace,
  onEnd,
}: RebuildOptions): Required<Rebuild> {
  const temporary = `${name}, next`
  const completedFiles: string[] = []
  let schema = initialSchema
  let index = createIndex({ name: temporary, schema, workers, files: next.files })
  // The first segments differ in size, so that the queues do not all need their peak memory at the same time.
  const queues = workers.buildQueues.map((queue, i, { length }) =>
    createSegmentQueue(workers, queue, temporary, Math.ceil((segmentSize * (i + 1)) / length), completed),
  )

  /** Reserves a file for the next segment. The segment counts once it is complete. */
  function completed(write: (path: string) => Promise<void>): Promise<void> {
    const { file, path } = next.files.reserveSegment()
    return write(path).then(() => void completedFiles.push(file))
  }
  const leastBusy = () => queues.reduce((a, b) => (b.pendingCount() < a.pendingCount() ? b : a))
  /** Passes a batch to the least busy queue, then waits while all queues are full. Writing a segment blocks only its queue. */
  async function dispatch(ids: readonly number[], addBatch: AddBatch): Promise<void> {
    leastBusy().take(ids, addBatch)
    while (leastBusy().pendingCount() >= maxPending) await Promise.race(queues.map((queue) => queue.oneDone()))
    queues.forEach((queue) => queue.throwFailure())
  }
  const drainAll = () => Promise.all(queues.map((queue) => queue.drain()))
  return {
    async add(documents) {
      if (documents.length === 0) return
      const ids = documents.map(({ id }) => id)
      await dispatch(ids, (queue, ...at) => workers.run(queue, 'gather', temporary, ...at, writeDocuments(documents)))
    },
    collect: (reader, ids) =>
      dispatch(ids, (queue, ...at) => workers.run(queue, 'collect', temporary, ...at, reader, ids)),
    async finish(position) {
      await drainAll()
      await workers.stopIdle()
      await next.files.adopt(completedFiles.toSorted(), mappingOf(initialSchema))
      const files = await next.reopen()
      index = createIndex({ name: temporary, schema, workers, files }) // with schema changes that arrived meanwhile
      await index.maintain()
      await index.apply({ put: [], remove: [] }, position)
      await index.seal()
    },
    useSchema(changed) {
      schema = changed
      index.useSchema(changed)
    },
    apply: (changes, position) => index.apply(changes, position),
    async activate() {
      await index.seal()
      await next.activate()
      await replace(index)
      // The new generation is active. If the old one cannot be removed now, the next start removes it.
      await next.removeOthers().catch(() => {})
      await workers.stopIdle()
      onEnd()
    },
    async drop() {
      await Promise.allSettled(queues.map((queue) => queue.drain()))
      await index.retire()
      workers.withdraw(temporary)
      await next.removeOthers()
      await workers.stopIdle()
      onEnd()
    },
  }
}

/** Adds a batch of documents to a segment through a build queue. */
type AddBatch = (queue: BuildQueue, segment: string, batch: number) => Promise<void>

/** Builds segments one after the other in one build queue. */
function createSegmentQueue(
  workers: Workers,
  queue: BuildQueue,
  name: string,
  firstSize: number,
  completed: (write: (path: string) => Promise<void>) => Promise<void>,
) {
  const pending = new Set<Promise<void>>()
  let failure: { readonly error: unknown } | undefined
  let segments = 0
  let batches = 0
  let count = 0
  let size = firstSize
  let lastId = -Infinity

  function track(work: Promise<void>): void {
    const done: Promise<void> = work
      .catch((error: unknown) => void (failure ??= { error }))
      .finally(() => pending.delete(done))
    pending.add(done)
  }
  function complete(): void {
    if (batches === 0) return
    const segment = `${name}, ${queue}, ${segments++}`
    track(completed((path) => workers.run(queue, 'complete', segment, path)))
    batches = 0
    count = 0
    size = segmentSize
    lastId = -Infinity
  }
  function throwFailure(): void {
    if (failure) throw failure.error
  }
  return {
    pendingCount: () => pending.size,
    /** Resolves when one of the pending tasks is done. */
    oneDone: () => Promise.race(pending),
    throwFailure,
    take(ids: readonly number[], addBatch: AddBatch): void {
      // IDs must ascend within a segment. If the source is read in another order, there are more segments.
      if (Math.min(...ids) <= lastId || count >= size) complete()
      lastId = Math.max(...ids)
      count += ids.length
      track(addBatch(queue, `${name}, ${queue}, ${segments}`, batches++))
    },
    async drain(): Promise<void> {
      complete()
      await Promise.all(pending)
      throwFailure()
    },
  }
}
