/**
 * All tasks that workers can do. Their only state is the published views and tools that are expensive to create.
 */
import { analysedLanguage } from '../analysis/analyse.ts'
import { compoundLanguages, learnLexicon, type Lexicon } from '../analysis/compounds.ts'
import type { FilterCache } from '../execute/filter-cache.ts'
import type { Bits } from '../execute/hits.ts'
import type { OrdinalMaps } from '../execute/global-ordinals.ts'
import { queryContext, searchCommon, type IndexContext, type LiveSegment } from '../execute/search.ts'
import { searchTolerantly } from '../execute/tolerant.ts'
import { getOrMake } from '../memoize.ts'
import type {
  CommonQuery,
  DocumentReader,
  IndexSchema,
  LogicalQuery,
  SearchHits,
  TypeAheadAnswer,
  TypeAheadRequest,
} from '../port.ts'
import { createSegmentBuilder, type SegmentBuilder, type SegmentTools } from '../segment/build.ts'
import { checksummedChunks, type Draft } from '../segment/container.ts'
import { putDocument, readDocuments } from '../segment/documents.ts'
import { buildFromDeltas, sharedCopy } from '../segment/delta.ts'
import { mergeSegments, stemStatistics } from '../segment/merge.ts'
import { findDamage, openSegmentFile } from '../segment/segment-file.ts'
import { openSegment, type Segment, type SegmentMeta } from '../segment/segment.ts'
import { createLocaleTools, openEither, createSegmentTools } from '../segment/segment-tools.ts'
import { isDeleted } from '../store/snapshot.ts'
import { writeChunksAtomically } from '../store/atomic-file.ts'
import { typeAhead } from '../suggest/type-ahead.ts'
import { openReader, type ReadDocuments } from './document-reader.ts'

/** The immutable state of an index that a query reads. */
export interface View {
  readonly schema: IndexSchema
  readonly lexicon: Lexicon
  readonly parts: readonly LiveSegment[]
}

/** Documents of the delta (segment/delta.ts), sent to another process. */
interface DeltaSource {
  readonly documents: Uint8Array
  readonly deleted?: Bits | undefined
}
/** A segment that another process opens from its file. */
interface FileSource {
  readonly path: string
  readonly deleted?: Bits | undefined
}

export interface Tasks {
  search(name: string, query: LogicalQuery): SearchHits
  searchCommon(query: CommonQuery): SearchHits
  typeAhead(name: string, request: TypeAheadRequest): TypeAheadAnswer
  /** Adds documents to a segment that `complete` writes. IDs ascend, and batches are numbered from 0. */
  gather(name: string, segment: string, batch: number, documents: string): void
  /** Like `gather`, for documents that the worker reads itself. */
  collect(name: string, segment: string, batch: number, reader: DocumentReader, ids: readonly number[]): Promise<void>
  complete(segment: string, path: string): Promise<void>
  /** Writes documents of the delta as a segment file. */
  seal(name: string, sources: readonly DeltaSource[], path: string): void
  /** Merges several segments into one file. */
  merge(name: string, sources: readonly FileSource[], path: string): void
  /** Describes the damage of a segment file, or returns undefined. */
  findDamage(path: string): string | undefined
  /** Learns the compound lexicon for the next generation. */
  learn(paths: readonly string[]): Lexicon
}

interface TaskWorker {
  readonly tasks: Tasks
  /** Opens a segment for views with this schema and lexicon. */
  open(buffer: SharedArrayBuffer, of: Pick<View, 'schema' | 'lexicon'>): Segment
  /** Tasks on this index use this view from now on. */
  publish(name: string, view: View): void
  withdraw(name: string): void
}

export function createTaskWorker(): TaskWorker {
  const localeTools = createLocaleTools()
  const contexts = new Map<string, IndexContext>()
  const ordinalMaps: OrdinalMaps = new WeakMap()
  const filterCache: FilterCache = new WeakMap()
  const indexOf = (name: string) => contexts.get(name)
  const toolsBySchema = new WeakMap<IndexSchema, SegmentTools>()
  function toolsFor({ schema, lexicon }: Pick<View, 'schema' | 'lexicon'>): SegmentTools {
    const known = toolsBySchema.get(schema)
    if (known?.lexicon === lexicon) return known
    const tools = createSegmentTools(localeTools, schema, lexicon)
    toolsBySchema.set(schema, tools)
    return tools
  }
  function contextOf(name: string): IndexContext {
    const context = contexts.get(name)
    if (!context) throw new Error(`no view of index ${name}`)
    return context
  }
  return {
    open: (buffer, of) => openEither(buffer, toolsFor(of)),
    publish(name, view) {
      const { parts } = view
      const segments = parts.map(({ segment }) => segment)
      contexts.set(name, { ...toolsFor(view), ordinalMaps, filterCache, parts, segments, indexOf })
    },
    withdraw: (name) => void contexts.delete(name),
    tasks: {
      search: (name, query) => searchTolerantly(contextOf(name), query),
      searchCommon: (query) =>
        searchCommon(
          query.members.map(({ index }) => contextOf(index)),
          query,
        ),
      typeAhead: (name, request) => typeAhead(queryContext(contextOf(name)), contextOf(name).parts, request),
      ...segmentTasks((name) => createSegmentBuilder(contextOf(name))),
      seal: (name, sources, path) => write(path, seal(contextOf(name), sources)),
      merge: (name, sources, path) => write(path, merge(contextOf(name), sources)),
      findDamage,
      learn,
    },
  }
}

/** Tasks for segments that grow batch by batch. A missing batch means that earlier batches were lost, so it fails. */
function segmentTasks(begin: (name: string) => SegmentBuilder): Pick<Tasks, 'gather' | 'collect' | 'complete'> {
  const builders = new Map<string, { readonly builder: SegmentBuilder; batches: number }>()
  const readers = new Map<string, Promise<ReadDocuments>>()
  let lastTask: Promise<unknown> = Promise.resolve()
  const serialise = <T>(work: () => T | Promise<T>): Promise<T> => {
    const done = lastTask.then(work)
    lastTask = done.catch(() => {})
    return done
  }
  function grow(name: string, segment: string, batch: number): SegmentBuilder {
    if (batch === 0) builders.set(segment, { builder: begin(name), batches: 0 })
    const current = builders.get(segment)
    if (current?.batches !== batch) throw lost(segment)
    current.batches++
    return current.builder
  }
  return {
    gather: (name, segment, batch, documents) => readDocuments(documents, grow(name, segment, batch)),
    collect(name, segment, batch, reader, ids) {
      const opened = getOrMake(readers, JSON.stringify(reader), () => openReader(reader))
      // Read the next documents while the current ones are indexed.
      const documents = opened.then((read) => read(ids))
      documents.catch(() => {}) // reported when its turn comes
      return serialise(async () => {
        const builder = grow(name, segment, batch)
        for (const document of await documents) putDocument(document, builder)
      })
    },
    complete: (segment, path) =>
      serialise(() => {
        const current = builders.get(segment)
        builders.delete(segment)
        if (!current) throw lost(segment)
        write(path, current.builder.finish())
      }),
  }
}
const lost = (segment: string) => new Error(`documents of ${segment} were lost; begin again`)

const write = (path: string, draft: Draft<SegmentMeta>) => writeChunksAtomically(path, checksummedChunks(draft))

const deletedFrom =
  ({ deleted }: Pick<FileSource, 'deleted'>) =>
  (doc: number) =>
    isDeleted({ deleted }, doc)

function seal(context: IndexContext, sources: readonly DeltaSource[]): Draft<SegmentMeta> {
  return buildFromDeltas(
    context,
    sources.map((source) => ({ buffer: sharedCopy(source.documents), isDeleted: deletedFrom(source) })),
  )
}

function merge(context: IndexContext, sources: readonly FileSource[]): Draft<SegmentMeta> {
  return mergeSegments(
    context,
    sources.map((source) => ({
      segment: openSegment(openSegmentFile(source.path)),
      isDeleted: deletedFrom(source),
    })),
  )
}

function learn(paths: readonly string[]): Lexicon {
  return learnLexicon(partStatistics(paths))
}

/** Only for languages with compounds; the stems of others are not read. */
function* partStatistics(paths: readonly string[]) {
  for (const path of paths) {
    const { meta, words } = openSegment(openSegmentFile(path))
    for (const locale of meta.words) {
      const language = analysedLanguage(locale)
      if (!compoundLanguages.includes(language)) continue
      for (const each of stemStatistics(words.get(locale)!)) yield { ...each, language }
    }
  }
}
