/**
 * One index: applies changes, answers queries, and keeps its segments few. It is the embedded implementation of the
 * `SearchEngine` port, for one thread.
 */
import { createHash } from 'node:crypto'
import { emptyLexicon, learnLexicon, type Lexicon } from '../analysis/compounds.ts'
import { analysedLanguage } from '../analysis/analyse.ts'
import { analysisVersion } from '../analysis/stem.ts'
import { createCollations } from '../collation.ts'
import { search } from '../execute/search.ts'
import { createScratch, type QueryContext } from '../execute/words.ts'
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
import { buildSegment, createWorkshop } from '../segment/build.ts'
import { pack, unpack, type Draft } from '../segment/container.ts'
import { mergeSegments, stemStatistics } from '../segment/merge.ts'
import { openSegment, type Segment, type SegmentMeta } from '../segment/segment.ts'
import { typeAhead } from '../suggest/type-ahead.ts'
import type { IndexFiles } from './files.ts'
import { inFiles, inMemory, partsToMerge, sealAt } from './policy.ts'
import { isDeleted, partOf, replaceParts, withoutDocuments, type Part, type Snapshot } from './snapshot.ts'

export interface EmbeddedIndex extends SearchEngine {
  snapshot(): Snapshot
  /** Writes the delta into a segment of its own, and the position with it. */
  seal(): Promise<void>
  /** Seals and merges what the policy asks for. */
  maintain(): Promise<void>
}

export interface IndexOptions {
  readonly schema: IndexSchema
  /** Without files the index lives in memory only. */
  readonly files?: IndexFiles
  readonly lexicon?: Lexicon
  readonly start?: Snapshot
}

export async function openIndex(schema: IndexSchema, files: IndexFiles): Promise<EmbeddedIndex> {
  return createIndex({ schema, files, lexicon: files.lexicon, start: await files.readSnapshot() })
}

export function createIndex({ schema, files, lexicon = emptyLexicon, start }: IndexOptions): EmbeddedIndex {
  let current: Snapshot = start ?? { parts: [], position: '' }
  /** The position that a restart begins at. */
  let committed = current.position
  let turn: Promise<void> = Promise.resolve()
  const beingWritten = new Set<Segment>()
  const workshop = createWorkshop(schema, createCollations())
  const scratch = createScratch()
  const fields = new Map(schema.fields.map((field) => [field.name, field]))
  const contextOf = ({ parts }: Snapshot): QueryContext => ({
    ...workshop,
    fields,
    scratch,
    lexicon,
    segments: parts.map(({ segment }) => segment),
  })

  function merge(parts: readonly Part[]): Draft<SegmentMeta> {
    return mergeSegments(
      workshop,
      parts.map((part) => ({ segment: part.segment, isDeleted: (doc) => isDeleted(part, doc) })),
    )
  }
  function replace(merged: readonly Part[], made: Part): void {
    current = { ...current, parts: replaceParts(current.parts, merged, made) }
  }
  /** Keeps the delta to a few small segments. */
  function tidyDelta(): void {
    const free = () => partsToMerge(inMemory(current.parts).filter(({ segment }) => !beingWritten.has(segment)))
    for (let some = free(); some.length; some = free()) replace(some, partOf(openSegment(merge(some), lexicon)))
  }
  /**
   * Merges parts into a file. Changes may arrive while it is written: they go to the delta, and to deletions that
   * `replaceParts` carries over. The position on disk moves only when no delta is left behind; what a restart then
   * reads from the source again is applied again, which changes nothing.
   */
  async function mergeIntoFile(merged: readonly Part[]): Promise<void> {
    const { parts, position } = current
    for (const { segment } of merged) beingWritten.add(segment)
    try {
      const buffer = pack(merge(merged))
      const made = partOf(openSegment(unpack(buffer), lexicon), await files!.writeSegment(buffer))
      const kept = replaceParts(parts, merged, made)
      const reached = inMemory(kept).length === 0 ? position : committed
      await files!.commit({ parts: kept, position: reached })
      committed = reached
      replace(merged, made)
    } finally {
      for (const { segment } of merged) beingWritten.delete(segment)
    }
  }
  /** Writers come one after the other. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }
  async function seal(): Promise<void> {
    const delta = inMemory(current.parts)
    if (delta.length) return mergeIntoFile(delta)
    const { position } = current
    await files!.commit(current)
    committed = position
  }
  async function maintain(): Promise<void> {
    const delta = inMemory(current.parts)
    if (delta.reduce((sum, { live }) => sum + live, 0) >= sealAt) await seal()
    const some = partsToMerge(inFiles(current.parts))
    if (some.length === 0) return
    await mergeIntoFile(some)
    await maintain()
  }

  return {
    snapshot: () => current,
    async search(query: LogicalQuery): Promise<SearchHits> {
      const snapshot = current
      return search(contextOf(snapshot), snapshot.parts, query)
    },
    async typeAhead(request: TypeAheadRequest): Promise<TypeAheadAnswer> {
      const snapshot = current
      return typeAhead(contextOf(snapshot), snapshot.parts, request)
    },
    async apply({ put, remove }: Changes, position: Position): Promise<void> {
      const kept = withoutDocuments(current.parts, [...remove, ...put.map(({ id }) => id)]).filter(
        ({ live }) => live > 0,
      )
      const added = put.length ? [partOf(openSegment(buildSegment(workshop, put), lexicon))] : []
      current = { parts: [...kept, ...added], position }
      tidyDelta()
    },
    appliedPosition: () => current.position,
    seal: () => inTurn(seal),
    maintain: () => (files ? inTurn(maintain) : Promise.resolve()),
  }
}

/** What an index was made by; when it differs from what is wanted, the index is outdated. */
export function mappingHash({ fields, locales, defaultLocale }: IndexSchema): string {
  const mapping = fields.map(({ name, type, localized, weight, path, long }) => [
    name,
    type,
    !!localized,
    !!weight,
    !!path,
    !!long,
  ])
  return createHash('sha256')
    .update(JSON.stringify([analysisVersion, mapping, locales, defaultLocale]))
    .digest('hex')
    .slice(0, 32)
}

/** Learns from an index how the compounds of its next generation are split. */
export function lexiconOf({ parts }: Snapshot): Lexicon {
  return learnLexicon(
    parts.flatMap(({ segment }) =>
      [...segment.words].flatMap(([locale, text]) =>
        [...stemStatistics(text)].map((each) => ({ ...each, language: analysedLanguage(locale) })),
      ),
    ),
  )
}
