/**
 * Builds the next generation of an index beside the one that serves: documents of the source into segments, several at
 * a time, then the changes since, then the switch.
 *
 * Segments go to files as they are made, and are read when all of them are there and their makers are gone: so making
 * them takes no more memory than searching them will.
 */
import type { Crew, Lane } from '../crew/crew.ts'
import type { ReaderPlace } from '../crew/reader.ts'
import { writeDocuments } from '../segment/documents.ts'
import type { Changes, IndexSchema, Position, SearchDocument } from '../port.ts'
import type { NextGeneration } from './generations.ts'
import { mappingOf } from './mapping.ts'
import { segmentSize } from './policy.ts'
import { createIndex, type EmbeddedIndex } from './store.ts'

export interface Rebuild {
  /** Adds documents of the source, each once, best in the order of their ids. Waits while the builders are behind. */
  add(documents: readonly SearchDocument[]): Promise<void>
  /** The same for documents that the builders read by themselves; without those that are not there any more. */
  collect(place: ReaderPlace, ids: readonly number[]): Promise<void>
  /** No more documents come; they are those of the source at this position. */
  finish(position: Position): Promise<void>
  /** Documents may have new fields from now on. */
  useSchema(schema: IndexSchema): void
  /** What has changed since. */
  apply(changes: Changes, position: Position): Promise<void>
  /** Searches see the new generation from now on, and so does a start. */
  activate(): Promise<void>
  /** Gives it up. */
  drop(): Promise<void>
}

/** Batches that may wait for a builder, so that it never waits itself. */
const mostAhead = 3

export interface RebuildOptions {
  readonly name: string
  readonly schema: IndexSchema
  readonly crew: Crew
  readonly next: NextGeneration
  /** Puts the new index in the place of the one that serves; called when it is the one that a start finds. */
  replace(index: EmbeddedIndex): Promise<void>
  /** Called at its end, whatever that is. */
  ended(): void
}

export function createRebuild({ name, schema: begun, crew, next, replace, ended }: RebuildOptions): Rebuild {
  const temporary = `${name}, next`
  const made: string[] = []
  let schema = begun
  let index = createIndex({ name: temporary, schema, crew, files: next.files })
  // Each lane begins with a segment of another size, so that they do not all have one at its largest at the same time.
  const makers = crew.lanes.map((lane, i, { length }) =>
    createMaker(crew, lane, temporary, Math.ceil((segmentSize * (i + 1)) / length), completed),
  )

  /** Where the next segment goes; it counts when it is there. */
  function completed(write: (path: string) => Promise<void>): Promise<void> {
    const { file, path } = next.files.reserveSegment()
    return write(path).then(() => void made.push(file))
  }
  const freest = () => makers.reduce((a, b) => (b.waiting() < a.waiting() ? b : a))
  /** To whoever has the least to do; then waits while all have enough. One that writes a large segment stops no other. */
  async function give(ids: readonly number[], hand: Hand): Promise<void> {
    freest().take(ids, hand)
    while (freest().waiting() >= mostAhead) await Promise.race(makers.map((maker) => maker.eased()))
    makers.forEach((maker) => maker.throwFailure())
  }
  const drainAll = () => Promise.all(makers.map((maker) => maker.drain()))
  return {
    async add(documents) {
      if (documents.length === 0) return
      const ids = documents.map(({ id }) => id)
      await give(ids, (lane, ...at) => crew.ask(lane, 'gather', temporary, ...at, writeDocuments(documents)))
    },
    collect: (place, ids) => give(ids, (lane, ...at) => crew.ask(lane, 'collect', temporary, ...at, place, ids)),
    async finish(position) {
      await drainAll()
      await crew.rest()
      await next.files.adopt(made.toSorted(), mappingOf(begun))
      const files = await next.reopen()
      index = createIndex({ name: temporary, schema, crew, files }) // by what it was told meanwhile, too
      await index.maintain()
      await index.apply({ put: [], remove: [] }, position)
      await index.seal()
    },
    useSchema(wanted) {
      schema = wanted
      index.useSchema(wanted)
    },
    apply: (changes, position) => index.apply(changes, position),
    async activate() {
      await index.seal()
      await next.activate()
      await replace(index)
      // It serves, whatever becomes of the old one: what cannot be removed now is at the next start.
      await next.removeOthers().catch(() => {})
      await crew.rest()
      ended()
    },
    async drop() {
      await Promise.allSettled(makers.map((maker) => maker.drain()))
      await index.retire()
      crew.hide(temporary)
      await next.removeOthers()
      await crew.rest()
      ended()
    },
  }
}

/** Has a lane add documents to a segment, as its batch of a number. */
type Hand = (lane: Lane, segment: string, batch: number) => Promise<void>

/** Makes segments in one lane, one after the other. */
function createMaker(
  crew: Crew,
  lane: Lane,
  name: string,
  firstSize: number,
  completed: (write: (path: string) => Promise<void>) => Promise<void>,
) {
  const asked = new Set<Promise<void>>()
  let failure: { readonly error: unknown } | undefined
  let segments = 0
  let batches = 0
  let count = 0
  let size = firstSize
  let lastId = -Infinity

  function follow(work: Promise<void>): void {
    const done: Promise<void> = work
      .catch((error: unknown) => void (failure ??= { error }))
      .finally(() => asked.delete(done))
    asked.add(done)
  }
  function complete(): void {
    if (batches === 0) return
    const segment = `${name}, ${lane}, ${segments++}`
    follow(completed((path) => crew.ask(lane, 'complete', segment, path)))
    batches = 0
    count = 0
    size = segmentSize
    lastId = -Infinity
  }
  function throwFailure(): void {
    if (failure) throw failure.error
  }
  return {
    waiting: () => asked.size,
    /** Waits for one of the tasks that it was asked for. */
    eased: () => Promise.race(asked),
    throwFailure,
    take(ids: readonly number[], hand: Hand): void {
      // Within a segment ids only grow; a source that is read in another order gets more segments.
      if (Math.min(...ids) <= lastId || count >= size) complete()
      lastId = Math.max(...ids)
      count += ids.length
      follow(hand(lane, `${name}, ${lane}, ${segments}`, batches++))
    },
    async drain(): Promise<void> {
      complete()
      await Promise.all(asked)
      throwFailure()
    },
  }
}
