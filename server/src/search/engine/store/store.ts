/**
 * One generation of an index: applies changes, answers queries, and keeps its segments few. It is the embedded
 * implementation of the `SearchEngine` port. It owns the state and decides; the crew does what takes time.
 */
import { emptyLexicon, type Lexicon } from '../analysis/compounds.ts'
import { createLocalCrew, type Crew, type Role } from '../crew/crew.ts'
import { writeDocuments } from '../crew/documents.ts'
import type { Use } from '../crew/tasks.ts'
import type { Changes, IndexSchema, LogicalQuery, Position, SearchEngine, TypeAheadRequest } from '../port.ts'
import { openSegment, type Segment } from '../segment/segment.ts'
import { createChangeQueue } from './change-queue.ts'
import type { IndexFiles } from './files.ts'
import { isOutdated, mappingOf, withFieldsOf } from './mapping.ts'
import { inFiles, inMemory, mergerOf, mostInMemory, partsToMerge, sealAt } from './policy.ts'
import { partOf, replaceParts, withoutDocuments, type Part, type Snapshot } from './snapshot.ts'

export interface EmbeddedIndex extends SearchEngine {
  readonly lexicon: Lexicon
  readonly createdAt?: Date
  snapshot(): Snapshot
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
  /** Seals and merges what the policy asks for. */
  maintain(): Promise<void>
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
  const { crew = createLocalCrew(), files } = options
  const lexicon = files?.lexicon ?? options.lexicon ?? emptyLexicon
  let { name = 'index', schema } = options
  let isRetired = false
  let current: Snapshot = files?.start.snapshot ?? { parts: [], position: '' }
  let mapping = withFieldsOf(files?.start.mapping ?? mappingOf(schema), schema)
  let outdated = isOutdated(mapping, schema)
  /** The position that a restart begins at. */
  let committed = current.position
  let turn: Promise<void> = Promise.resolve()
  const tidying = new Map<Role, Promise<void>>()
  /** Segments that are about to be replaced, which no other merge may take. */
  const taken = new Set<Segment>()
  const partFrom = (buffer: SharedArrayBuffer, file?: string) => partOf(openSegment(buffer, lexicon), file)

  function become(next: Snapshot): void {
    current = next
    if (!isRetired) crew.show(name, { schema, lexicon, parts: current.parts })
  }
  async function merging(
    parts: readonly Part[],
    role: Role,
    purpose: Use,
    use: (buffer: SharedArrayBuffer) => Promise<void>,
  ) {
    for (const { segment } of parts) taken.add(segment)
    try {
      const sources = parts.map(({ segment, deleted }) => ({ buffer: segment.buffer, deleted }))
      await use(await crew.ask(role, 'merge', name, sources, purpose))
    } finally {
      for (const { segment } of parts) taken.delete(segment)
    }
  }
  const replace = (merged: readonly Part[], made: Part) =>
    become({ ...current, parts: replaceParts(current.parts, merged, made) })

  /** Keeps the delta to a few small segments, beside what goes on. */
  async function tidy(role: Role): Promise<void> {
    const isFree = (part: Part) => mergerOf(part) === role && !taken.has(part.segment)
    const free = () => partsToMerge(inMemory(current.parts).filter(isFree))
    for (let some = free(); some.length; some = free()) {
      const merged = some
      await merging(merged, role, 'memory', async (buffer) => replace(merged, partFrom(buffer)))
      if (role === 'writer') tidyBeside('builder')
    }
  }
  /** A merge that failed is tried again after the next change. */
  function tidyBeside(role: Role): void {
    if (tidying.has(role)) return
    const ended = () => void tidying.delete(role)
    tidying.set(role, tidy(role).then(ended, ended))
  }
  const tidied = () => Promise.all(tidying.values())
  async function applyNow({ put, remove }: Changes, position: Position): Promise<void> {
    if (put.length + remove.length === 0) {
      current = { ...current, position }
      return
    }
    if (inMemory(current.parts).length > mostInMemory) await tidied()
    const added = put.length ? [partFrom(await crew.ask('writer', 'build', name, writeDocuments(put)))] : []
    const kept = withoutDocuments(current.parts, [...remove, ...put.map(({ id }) => id)])
    become({ parts: [...kept.filter(({ live }) => live > 0), ...added], position })
    tidyBeside('writer')
    tidyBeside('builder')
  }
  /**
   * Puts a segment into a file, in place of others; with what stays, it must hold all that is there. Changes may arrive
   * while it is written: they go to the delta, and to deletions that `replaceParts` carries over. A restart finds the
   * state from before them, with its position.
   */
  async function intoFile(merged: readonly Part[], buffer: SharedArrayBuffer, before: Snapshot): Promise<void> {
    const made = partFrom(buffer, await files!.writeSegment(buffer))
    await files!.commit({ ...before, parts: replaceParts(before.parts, merged, made) }, mapping)
    committed = before.position
    replace(merged, made)
  }
  /**
   * The delta always goes into the file too: without it a restart would find documents deleted whose new versions it
   * does not have.
   */
  async function mergeIntoFile(alsoMerge: (parts: readonly Part[]) => readonly Part[]): Promise<void> {
    while (tidying.size > 0) await tidied()
    const before = current
    const merged = [...inMemory(before.parts), ...alsoMerge(inFiles(before.parts))]
    if (merged.length) await merging(merged, 'builder', 'file', (buffer) => intoFile(merged, buffer, before))
  }
  /** Writers of files come one after the other. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = turn.then(() => (isRetired ? undefined : work()))
    turn = done.catch(() => {})
    return done
  }
  async function seal(): Promise<void> {
    if (inMemory(current.parts).length) return mergeIntoFile(() => [])
    const before = current
    await files!.commit(before, mapping)
    committed = before.position
  }
  async function maintain(): Promise<void> {
    const delta = inMemory(current.parts)
    if (delta.reduce((sum, { live }) => sum + live, 0) >= sealAt) await seal()
    if (partsToMerge(inFiles(current.parts)).length === 0) return
    await mergeIntoFile(partsToMerge)
    await maintain()
  }

  const changes = createChangeQueue(applyNow)
  become(current)
  return {
    lexicon,
    createdAt: files?.start.createdAt,
    snapshot: () => current,
    sealedPosition: () => committed,
    useSchema(next: IndexSchema) {
      schema = next
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
    maintain: () => (files ? inTurn(maintain) : Promise.resolve()),
  }
}
