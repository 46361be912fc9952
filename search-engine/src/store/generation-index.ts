/**
 * One generation of an index: applies changes, answers queries and keeps the number of segments small. Implements the
 * `SearchEngine` port. It owns the state and decides; workers do everything that takes time.
 */
import { emptyLexicon, type Lexicon } from '../analysis/compounds.ts'
import { createLocalWorkers, type Workers } from '../workers/workers.ts'
import type { Changes, IndexSchema, LogicalQuery, Position, SearchEngine, TypeAheadRequest } from '../port.ts'
import { joinDeltas, openDelta, writeDelta } from '../segment/delta.ts'
import { openSegmentFile } from '../segment/segment-file.ts'
import { openSegment, type Segment } from '../segment/segment.ts'
import { createLocaleTools, createSegmentTools } from '../segment/segment-tools.ts'
import { createChangeQueue } from './change-queue.ts'
import type { IndexFiles } from './files.ts'
import { isOutdated, mappingOf, withFieldsOf } from './mapping.ts'
import { inFiles, inMemory, maxInMemory, deltasToJoin, partsToMerge, sealAt } from './merge-policy.ts'
import { isDeleted, liveIn, partOf, replaceParts, withoutDocuments, type Part, type Snapshot } from './snapshot.ts'

export interface EmbeddedIndex extends SearchEngine {
  readonly lexicon: Lexicon
  readonly createdAt?: Date | undefined
  snapshot(): Snapshot
  /** The files of its segments. */
  paths(): readonly string[]
  /** The position at which a restart continues. */
  sealedPosition(): Position
  /** Uses these fields from now on. Older segments have no values for new fields. */
  useSchema(schema: IndexSchema): void
  /** Whether the schema differs from the one its segments were built with. */
  isOutdated(): boolean
  /** Serves under another name from now on. */
  moveTo(name: string): void
  /** Stops publishing to the workers, and waits for pending writes. */
  retire(): Promise<void>
  /** Writes the delta into a segment of its own, together with the position. */
  seal(): Promise<void>
  /** Seals and merges as the merge policy requires, unless already running. Merges less while a rebuild is running. */
  maintain(isRebuilding?: () => boolean): Promise<void>
}

interface IndexOptions {
  readonly schema: IndexSchema
  /** The name by which workers know the index. */
  readonly name?: string
  /** Without workers, all work is done in the calling thread. */
  readonly workers?: Workers
  /** Without files, the index lives in memory only. */
  readonly files?: IndexFiles | undefined
  readonly lexicon?: Lexicon
}

export function createIndex(options: IndexOptions): EmbeddedIndex {
  const { workers = createLocalWorkers() } = options
  const start = options.files?.start
  // Drop the initial snapshot, so that segments merged later do not stay in memory.
  const files = options.files && { ...options.files, start: undefined }
  const lexicon = files?.lexicon ?? options.lexicon ?? emptyLexicon
  const localeTools = createLocaleTools()
  let { name = 'index', schema } = options
  let tools = createSegmentTools(localeTools, schema, lexicon)
  let isRetired = false
  let current: Snapshot = start?.snapshot ?? { parts: [], position: '' }
  let mapping = withFieldsOf(start?.mapping ?? mappingOf(schema), schema)
  let outdated = isOutdated(mapping, schema)
  /** The position at which a restart continues. */
  let committed = current.position
  let lastWrite: Promise<void> = Promise.resolve()
  /** Parts of the delta that are being sealed and must not be joined with others. */
  let sealing: ReadonlySet<Segment> = new Set()
  const deltaPart = (buffer: SharedArrayBuffer) => partOf(openDelta(buffer, tools))

  function publish(next: Snapshot): void {
    current = next
    if (!isRetired) workers.publish(name, { schema, lexicon, parts: current.parts })
  }
  const replace = (merged: readonly Part[], part: Part) =>
    publish({ ...current, parts: replaceParts(current.parts, merged, part) })

  async function applyNow({ put, remove }: Changes, position: Position): Promise<void> {
    if (put.length + remove.length === 0) {
      current = { ...current, position }
      return
    }
    // `maintain` retries a failed seal and reports it.
    if (files && liveIn(inMemory(current.parts)) > maxInMemory) await serialise(seal).catch(() => {})
    const added = put.length ? [deltaPart(writeDelta(put))] : []
    const kept = withoutDocuments(current.parts, [...remove, ...put.map(({ id }) => id)])
    publish({ parts: joined([...kept.filter(({ live }) => live > 0), ...added]), position })
  }
  /** Keeps the number of delta parts small. */
  function joined(parts: readonly Part[]): readonly Part[] {
    const joinable = deltasToJoin(parts.filter(({ segment }) => !sealing.has(segment)))
    if (joinable.length === 0) return parts
    const sources = joinable.map((part) => ({
      buffer: part.segment.buffer,
      isDeleted: (doc: number) => isDeleted(part, doc),
    }))
    return joined(replaceParts(parts, joinable, deltaPart(joinDeltas(sources))))
  }
  /** Writes a part to a new file. The file does not count until a commit lists it. */
  async function intoFile(write: (path: string) => Promise<void>, use: (part: Part) => Promise<void>): Promise<void> {
    const { file, path } = files!.reserveSegment()
    try {
      await write(path)
      await use(partOf(openSegment(openSegmentFile(path)), file))
    } finally {
      files!.releaseSegment(file)
    }
  }
  const sealInto = (delta: readonly Part[]) => (path: string) =>
    workers.run(
      'sealer',
      'seal',
      name,
      delta.map(({ segment, deleted }) => ({ documents: new Uint8Array(segment.buffer), deleted })),
      path,
    )
  const writeMerged = (parts: readonly Part[]) => (path: string) =>
    workers.run(
      'builder',
      'merge',
      name,
      parts.map(({ file, deleted }) => ({ path: files!.pathOf(file!), deleted })),
      path,
    )
  /** Serialises all writers of files. */
  function serialise(work: () => Promise<void>): Promise<void> {
    const done = lastWrite.then(() => (isRetired ? undefined : work()))
    lastWrite = done.catch(() => {})
    return done
  }
  /**
   * Writes the delta to a file, together with the position. Changes that arrive meanwhile go to a new delta, and
   * `replaceParts` carries over their deletions. A restart finds the state before them.
   */
  async function seal(): Promise<void> {
    const before = current
    const delta = inMemory(before.parts)
    if (delta.length === 0) return commit(before)
    sealing = new Set(delta.map(({ segment }) => segment))
    try {
      await intoFile(sealInto(delta), async (part) => {
        await commit({ ...before, parts: replaceParts(before.parts, delta, part) })
        replace(delta, part)
      })
    } finally {
      sealing = new Set()
    }
  }
  async function commit(snapshot: Snapshot): Promise<void> {
    await files!.commit(snapshot, mapping)
    committed = snapshot.position
  }

  async function sealIfDue(): Promise<void> {
    if (liveIn(inMemory(current.parts)) >= sealAt) await serialise(seal)
  }
  /** A merge may take minutes, during which the delta is still sealed. A restart always finds the state of a seal. */
  async function mergeIfDue(isRebuilding: () => boolean): Promise<void> {
    const due = () => partsToMerge(inFiles(current.parts), isRebuilding())
    for (let parts = due(); parts.length; parts = due()) {
      await intoFile(writeMerged(parts), (part) =>
        serialise(async () => {
          replace(parts, part)
          await seal()
        }),
      )
      if (isRetired) return
    }
  }
  const maintenance = [oneAtATime(sealIfDue), oneAtATime(mergeIfDue)]

  const changes = createChangeQueue(applyNow)
  publish(current)
  return {
    lexicon,
    createdAt: start?.createdAt,
    snapshot: () => current,
    paths: () => inFiles(current.parts).map(({ file }) => files!.pathOf(file!)),
    sealedPosition: () => committed,
    useSchema(next: IndexSchema) {
      schema = next
      tools = createSegmentTools(localeTools, schema, lexicon)
      mapping = withFieldsOf(mapping, schema)
      outdated = isOutdated(mapping, schema)
      publish(current)
    },
    isOutdated: () => outdated,
    moveTo(next: string) {
      workers.withdraw(name)
      name = next
      publish(current)
    },
    async retire() {
      isRetired = true
      await lastWrite
    },
    search: (query: LogicalQuery) => workers.run('searcher', 'search', name, query),
    typeAhead: (request: TypeAheadRequest) => workers.run('searcher', 'typeAhead', name, request),
    apply: changes.add,
    appliedPosition: () => current.position,
    seal: () => serialise(seal),
    async maintain(isRebuilding = () => false) {
      if (files) await Promise.all(maintenance.map((work) => work(isRebuilding)))
    },
  }
}

function oneAtATime<T extends unknown[]>(work: (...args: T) => Promise<void>): (...args: T) => Promise<void> {
  let isRunning = false
  return async (...args) => {
    if (isRunning) return
    isRunning = true
    try {
      await work(...args)
    } finally {
      isRunning = false
    }
  }
}
