/**
 * One generation of an index: applies changes, answers queries and keeps the number of segments small. Implements the
 * `SearchEngine` port. It owns the state and decides; workers do everything that takes time.
 */
import { emptyLexicon, type Lexicon } from '../analysis/compounds.ts'
import { createLocalWorkers, type Workers } from '../workers/workers.ts'
import type {
  Changes,
  IndexSchema,
  LogicalQuery,
  Position,
  SearchEngine,
  SearchHits,
  TypeAheadAnswer,
  TypeAheadRequest,
} from '../port.ts'
import type { SegmentTools } from '../segment/build.ts'
import { joinDeltas, openDelta, writeDelta } from '../segment/delta.ts'
import { openSegmentFile } from '../segment/segment-file.ts'
import { openSegment, type Segment } from '../segment/segment.ts'
import { createLocaleTools, createSegmentTools } from '../segment/segment-tools.ts'
import { createChangeQueue } from './change-queue.ts'
import type { IndexFiles } from './files.ts'
import { isOutdated, mappingOf, withFieldsOf, type Mapping } from './mapping.ts'
import { inFiles, inMemory, maxInMemory, deltasToJoin, partsToMerge, sealAt } from './merge-policy.ts'
import { isDeleted, liveIn, partOf, replaceParts, withoutDocuments, type Part, type Snapshot } from './snapshot.ts'

export interface EmbeddedIndex extends SearchEngine {
  readonly lexicon: Lexicon
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
  return new GenerationIndex(options)
}

class GenerationIndex implements EmbeddedIndex {
  readonly lexicon: Lexicon
  readonly #workers: Workers
  readonly #files: (Omit<IndexFiles, 'start'> & { readonly start: undefined }) | undefined
  readonly #localeTools = createLocaleTools()
  #name: string
  #schema: IndexSchema
  #tools: SegmentTools
  #mapping: Mapping
  #outdated: boolean
  #current: Snapshot
  /** The position at which a restart continues. */
  #committed: Position
  #isRetired = false
  #lastWrite: Promise<void> = Promise.resolve()
  /** Parts of the delta that are being sealed and must not be joined with others. */
  #sealing: ReadonlySet<Segment> = new Set()
  readonly #changes = createChangeQueue((changes, position) => this.#applyNow(changes, position))
  readonly #sealIfDue = oneAtATime(async () => {
    if (liveIn(inMemory(this.#current.parts)) >= sealAt) await this.seal()
  })
  readonly #mergeIfDue = oneAtATime((isRebuilding: () => boolean) => this.#merge(isRebuilding))

  constructor({ schema, name = 'index', workers = createLocalWorkers(), files, lexicon }: IndexOptions) {
    this.#name = name
    this.#schema = schema
    this.#workers = workers
    // Do not keep the initial snapshot, so that segments merged later do not stay in memory.
    this.#files = files && { ...files, start: undefined }
    this.lexicon = files?.lexicon ?? lexicon ?? emptyLexicon
    this.#tools = createSegmentTools(this.#localeTools, schema, this.lexicon)
    this.#mapping = withFieldsOf(files?.start.mapping ?? mappingOf(schema), schema)
    this.#outdated = isOutdated(this.#mapping, schema)
    this.#current = files?.start.snapshot ?? { parts: [], position: '' }
    this.#committed = this.#current.position
    this.#publish(this.#current)
  }

  snapshot(): Snapshot {
    return this.#current
  }
  paths(): readonly string[] {
    return inFiles(this.#current.parts).map(({ file }) => this.#files!.pathOf(file!))
  }
  sealedPosition(): Position {
    return this.#committed
  }
  appliedPosition(): Position {
    return this.#current.position
  }
  isOutdated(): boolean {
    return this.#outdated
  }

  useSchema(schema: IndexSchema): void {
    this.#schema = schema
    this.#tools = createSegmentTools(this.#localeTools, schema, this.lexicon)
    this.#mapping = withFieldsOf(this.#mapping, schema)
    this.#outdated = isOutdated(this.#mapping, schema)
    this.#publish(this.#current)
  }
  moveTo(name: string): void {
    this.#workers.withdraw(this.#name)
    this.#name = name
    this.#publish(this.#current)
  }
  async retire(): Promise<void> {
    this.#isRetired = true
    await this.#lastWrite
  }

  search(query: LogicalQuery): Promise<SearchHits> {
    return this.#workers.run('searcher', 'search', this.#name, query)
  }
  typeAhead(request: TypeAheadRequest): Promise<TypeAheadAnswer> {
    return this.#workers.run('searcher', 'typeAhead', this.#name, request)
  }

  apply(changes: Changes, position: Position): Promise<void> {
    return this.#changes.add(changes, position)
  }
  seal(): Promise<void> {
    return this.#serialise(() => this.#seal())
  }
  async maintain(isRebuilding = () => false): Promise<void> {
    if (this.#files) await Promise.all([this.#sealIfDue(), this.#mergeIfDue(isRebuilding)])
  }

  #publish(next: Snapshot): void {
    this.#current = next
    const { lexicon } = this
    if (!this.#isRetired) this.#workers.publish(this.#name, { schema: this.#schema, lexicon, parts: next.parts })
  }
  #replace(merged: readonly Part[], part: Part): void {
    this.#publish({ ...this.#current, parts: replaceParts(this.#current.parts, merged, part) })
  }

  async #applyNow({ put, remove }: Changes, position: Position): Promise<void> {
    if (put.length + remove.length === 0) {
      this.#current = { ...this.#current, position }
      return
    }
    // `maintain` retries a failed seal and reports it.
    if (this.#files && liveIn(inMemory(this.#current.parts)) > maxInMemory) await this.seal().catch(() => {})
    const added = put.length ? [this.#deltaPart(writeDelta(put))] : []
    const kept = withoutDocuments(this.#current.parts, [...remove, ...put.map(({ id }) => id)])
    this.#publish({ parts: this.#joined([...kept.filter(({ live }) => live > 0), ...added]), position })
  }
  #deltaPart(buffer: SharedArrayBuffer): Part {
    return partOf(openDelta(buffer, this.#tools))
  }
  /** Keeps the number of delta parts small. */
  #joined(parts: readonly Part[]): readonly Part[] {
    const joinable = deltasToJoin(parts.filter(({ segment }) => !this.#sealing.has(segment)))
    if (joinable.length === 0) return parts
    const sources = joinable.map((part) => ({
      buffer: part.segment.buffer,
      isDeleted: (doc: number) => isDeleted(part, doc),
    }))
    return this.#joined(replaceParts(parts, joinable, this.#deltaPart(joinDeltas(sources))))
  }

  /** Serialises all writers of files. */
  #serialise(work: () => Promise<void>): Promise<void> {
    const done = this.#lastWrite.then(() => (this.#isRetired ? undefined : work()))
    this.#lastWrite = done.catch(() => {})
    return done
  }
  /** Writes a part to a new file. The file does not count until a commit lists it. */
  async #intoFile(write: (path: string) => Promise<void>, use: (part: Part) => Promise<void>): Promise<void> {
    const { file, path } = this.#files!.reserveSegment()
    try {
      await write(path)
      await use(partOf(openSegment(openSegmentFile(path)), file))
    } finally {
      this.#files!.releaseSegment(file)
    }
  }
  async #commit(snapshot: Snapshot): Promise<void> {
    await this.#files!.commit(snapshot, this.#mapping)
    this.#committed = snapshot.position
  }

  /**
   * Writes the delta to a file, together with the position. Changes that arrive meanwhile go to a new delta, and
   * `replaceParts` carries over their deletions. A restart finds the state before them.
   */
  async #seal(): Promise<void> {
    const before = this.#current
    const delta = inMemory(before.parts)
    if (delta.length === 0) return this.#commit(before)
    const sources = delta.map(({ segment, deleted }) => ({ documents: new Uint8Array(segment.buffer), deleted }))
    this.#sealing = new Set(delta.map(({ segment }) => segment))
    try {
      await this.#intoFile(
        (path) => this.#workers.run('sealer', 'seal', this.#name, sources, path),
        async (part) => {
          await this.#commit({ ...before, parts: replaceParts(before.parts, delta, part) })
          this.#replace(delta, part)
        },
      )
    } finally {
      this.#sealing = new Set()
    }
  }
  /** A merge may take minutes, during which the delta is still sealed. A restart always finds the state of a seal. */
  async #merge(isRebuilding: () => boolean): Promise<void> {
    const due = () => partsToMerge(inFiles(this.#current.parts), isRebuilding())
    for (let parts = due(); parts.length && !this.#isRetired; parts = due()) {
      const sources = parts.map(({ file, deleted }) => ({ path: this.#files!.pathOf(file!), deleted }))
      await this.#intoFile(
        (path) => this.#workers.run('builder', 'merge', this.#name, sources, path),
        (part) =>
          this.#serialise(async () => {
            this.#replace(parts, part)
            await this.#seal()
          }),
      )
    }
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
