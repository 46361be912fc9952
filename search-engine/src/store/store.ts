/**
 * One generation of an index: applies changes, answers queries, and keeps its segments few. It is the embedded
 * implementation of the `SearchEngine` port. It owns the state and decides; the crew does what takes time.
 */
import { emptyLexicon, type Lexicon } from '../analysis/compounds.ts'
import { createLocalCrew, type Crew } from '../crew/crew.ts'
import type { Changes, IndexSchema, LogicalQuery, Position, SearchEngine, TypeAheadRequest } from '../port.ts'
import { joinFresh, openFresh, writeFresh } from '../segment/fresh.ts'
import { openSegmentFile } from '../segment/segment-file.ts'
import { openSegment, type Segment } from '../segment/segment.ts'
import { createTools, workshopFor } from '../segment/tools.ts'
import { createChangeQueue } from './change-queue.ts'
import type { IndexFiles } from './files.ts'
import { isOutdated, mappingOf, withFieldsOf } from './mapping.ts'
import { inFiles, inMemory, mostInMemory, partsToJoinInMemory, partsToMerge, sealAt } from './policy.ts'
import { isDeleted, liveIn, partOf, replaceParts, withoutDocuments, type Part, type Snapshot } from './snapshot.ts'

export interface EmbeddedIndex extends SearchEngine {
  readonly lexicon: Lexicon
  readonly createdAt?: Date
  snapshot(): Snapshot
  /** The files that its segments are in. */
  paths(): readonly string[]
  /** The position that a restart begins at. */
  sealedPosition(): Position
  /** Answers by these fields from now on. What older segments lack is empty there. */
  useSchema(schema: IndexSchema): void
  /** Whether fields are now defined in another way than its segments were made by. */
  isOutdated(): boolean
  /** Answers under another name of the crew from now on. */
  moveTo(name: string): void
  /** Shows the crew nothing any more, and waits for what is being written. */
  retire(): Promise<void>
  /** Writes the delta into a segment of its own, and the position with it. */
  seal(): Promise<void>
  /** Seals and merges what the policy asks for, unless that is under way; less while another generation is made. */
  maintain(isReplaced?: () => boolean): Promise<void>
}

export interface IndexOptions {
  readonly schema: IndexSchema
  /** What the crew knows it by. */
  readonly name?: string
  /** Without one all work is done in the calling thread. */
  readonly crew?: Crew
  /** Without files the index lives in memory only. */
  readonly files?: IndexFiles
  readonly lexicon?: Lexicon
}

export function createIndex(options: IndexOptions): EmbeddedIndex {
  const { crew = createLocalCrew() } = options
  const start = options.files?.start
  // Segments that were there at the start, and are merged later, must not stay in memory for as long as the index.
  const files = options.files && { ...options.files, start: undefined }
  const lexicon = files?.lexicon ?? options.lexicon ?? emptyLexicon
  const tools = createTools()
  let { name = 'index', schema } = options
  let workshop = workshopFor(tools, schema, lexicon)
  let isRetired = false
  let current: Snapshot = start?.snapshot ?? { parts: [], position: '' }
  let mapping = withFieldsOf(start?.mapping ?? mappingOf(schema), schema)
  let outdated = isOutdated(mapping, schema)
  /** The position that a restart begins at. */
  let committed = current.position
  let turn: Promise<void> = Promise.resolve()
  /** Parts of the delta that are being written into a file, which must not be joined with others. */
  let sealing: ReadonlySet<Segment> = new Set()
  const freshPart = (buffer: SharedArrayBuffer) => partOf(openFresh(buffer, workshop))

  function become(next: Snapshot): void {
    current = next
    if (!isRetired) crew.show(name, { schema, lexicon, parts: current.parts })
  }
  const replace = (merged: readonly Part[], made: Part) =>
    become({ ...current, parts: replaceParts(current.parts, merged, made) })

  async function applyNow({ put, remove }: Changes, position: Position): Promise<void> {
    if (put.length + remove.length === 0) {
      current = { ...current, position }
      return
    }
    // One that fails is tried again, and told of, by `maintain`.
    if (files && liveIn(inMemory(current.parts)) > mostInMemory) await inTurn(seal).catch(() => {})
    const added = put.length ? [freshPart(writeFresh(put))] : []
    const kept = withoutDocuments(current.parts, [...remove, ...put.map(({ id }) => id)])
    become({ parts: joined([...kept.filter(({ live }) => live > 0), ...added]), position })
  }
  /** Keeps the delta to a few parts. */
  function joined(parts: readonly Part[]): readonly Part[] {
    const some = partsToJoinInMemory(parts.filter(({ segment }) => !sealing.has(segment)))
    if (some.length === 0) return parts
    const sources = some.map((part) => ({
      buffer: part.segment.buffer,
      isDeleted: (doc: number) => isDeleted(part, doc),
    }))
    return joined(replaceParts(parts, some, freshPart(joinFresh(sources))))
  }
  /** A part in a new file. Until a commit names it, nothing depends on it. */
  async function intoFile(write: (path: string) => Promise<void>, use: (made: Part) => Promise<void>): Promise<void> {
    const { file, path } = files!.reserveSegment()
    try {
      await write(path)
      await use(partOf(openSegment(openSegmentFile(path)), file))
    } finally {
      files!.releaseSegment(file)
    }
  }
  const writeDelta = (delta: readonly Part[]) => (path: string) =>
    crew.ask(
      'sealer',
      'seal',
      name,
      delta.map(({ segment, deleted }) => ({ documents: new Uint8Array(segment.buffer), deleted })),
      path,
    )
  const writeMerged = (parts: readonly Part[]) => (path: string) =>
    crew.ask(
      'builder',
      'merge',
      name,
      parts.map(({ file, deleted }) => ({ path: files!.pathOf(file!), deleted })),
      path,
    )
  /** Writers of files come one after the other. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = turn.then(() => (isRetired ? undefined : work()))
    turn = done.catch(() => {})
    return done
  }
  /**
   * The delta into a file of its own, and the position with it. Changes may arrive while it is written: they go to the
   * delta, and to deletions that `replaceParts` carries over. A restart finds the state from before them.
   */
  async function seal(): Promise<void> {
    const before = current
    const delta = inMemory(before.parts)
    if (delta.length === 0) return commit(before)
    sealing = new Set(delta.map(({ segment }) => segment))
    try {
      await intoFile(writeDelta(delta), async (made) => {
        await commit({ ...before, parts: replaceParts(before.parts, delta, made) })
        replace(delta, made)
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
    if (liveIn(inMemory(current.parts)) >= sealAt) await inTurn(seal)
  }
  /** May take minutes, in which the delta goes on being sealed. What a restart finds is always the state of a seal. */
  async function mergeIfDue(isReplaced: () => boolean): Promise<void> {
    const due = () => partsToMerge(inFiles(current.parts), isReplaced())
    for (let parts = due(); parts.length; parts = due()) {
      await intoFile(writeMerged(parts), (made) =>
        inTurn(async () => {
          replace(parts, made)
          await seal()
        }),
      )
      if (isRetired) return
    }
  }
  const upkeep = [oneAtATime(sealIfDue), oneAtATime(mergeIfDue)]

  const changes = createChangeQueue(applyNow)
  become(current)
  return {
    lexicon,
    createdAt: start?.createdAt,
    snapshot: () => current,
    paths: () => inFiles(current.parts).map(({ file }) => files!.pathOf(file!)),
    sealedPosition: () => committed,
    useSchema(next: IndexSchema) {
      schema = next
      workshop = workshopFor(tools, schema, lexicon)
      mapping = withFieldsOf(mapping, schema)
      outdated = isOutdated(mapping, schema)
      become(current)
    },
    isOutdated: () => outdated,
    moveTo(next: string) {
      crew.hide(name)
      name = next
      become(current)
    },
    async retire() {
      isRetired = true
      await turn
    },
    search: (query: LogicalQuery) => crew.ask('searcher', 'search', name, query),
    typeAhead: (request: TypeAheadRequest) => crew.ask('searcher', 'typeAhead', name, request),
    apply: changes.add,
    appliedPosition: () => current.position,
    seal: () => inTurn(seal),
    async maintain(isReplaced = () => false) {
      if (files) await Promise.all(upkeep.map((work) => work(isReplaced)))
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
