/**
 * All the work there is on segments, as functions that any thread can do. They keep no state but what they are shown:
 * the views that queries run on, and tools that are costly to make.
 */
import { analysedLanguage } from '../analysis/analyse.ts'
import { compoundLanguages, learnLexicon, type Lexicon } from '../analysis/compounds.ts'
import type { Deletions } from '../execute/deletions.ts'
import type { Filters } from '../execute/filters.ts'
import type { Bits } from '../execute/hits.ts'
import type { Translations } from '../execute/ordinals.ts'
import { queryContext, searchCommon, type IndexContext, type LiveSegment } from '../execute/search.ts'
import { searchTolerantly } from '../execute/tolerant.ts'
import { createScratch } from '../execute/words.ts'
import type { CommonQuery, IndexSchema, LogicalQuery, SearchHits, TypeAheadAnswer, TypeAheadRequest } from '../port.ts'
import { createSegmentBuilder, getOrMake, type SegmentBuilder, type Workshop } from '../segment/build.ts'
import { signedPieces, type Draft } from '../segment/container.ts'
import { putDocument, readDocuments } from '../segment/documents.ts'
import { buildFresh, sharedCopy } from '../segment/fresh.ts'
import { mergeSegments, stemStatistics } from '../segment/merge.ts'
import { faultOf, openSegmentFile } from '../segment/segment-file.ts'
import { openSegment, type Segment, type SegmentMeta } from '../segment/segment.ts'
import { createTools, openAny, workshopFor } from '../segment/tools.ts'
import { isDeleted } from '../store/snapshot.ts'
import { writePieces } from '../store/whole-file.ts'
import { typeAhead } from '../suggest/type-ahead.ts'
import { openReader, type ReadDocuments, type ReaderPlace } from './reader.ts'

/** What a query on an index sees: one state of it, which never changes. */
export interface View {
  readonly schema: IndexSchema
  readonly lexicon: Lexicon
  readonly parts: readonly LiveSegment[]
}

/** Documents that have just come (segment/fresh.ts), on their way to another process. */
export interface FreshSource {
  readonly documents: Uint8Array
  readonly deleted?: Bits
}
/** A segment that another process opens by its file. */
export interface FileSource {
  readonly path: string
  readonly deleted?: Bits
}

export interface Tasks {
  search(name: string, query: LogicalQuery): SearchHits
  searchCommon(query: CommonQuery): SearchHits
  typeAhead(name: string, request: TypeAheadRequest): TypeAheadAnswer
  /** Adds documents to a segment for a file, which `complete` writes. Ids only grow, and batches come in turn from 0. */
  gather(name: string, segment: string, batch: number, documents: string): void
  /** The same, of documents that it reads by itself. */
  collect(name: string, segment: string, batch: number, place: ReaderPlace, ids: readonly number[]): Promise<void>
  complete(segment: string, path: string): Promise<void>
  /** Writes recent documents as a segment into a file. */
  seal(name: string, sources: readonly FreshSource[], path: string): void
  /** Writes one segment in place of several into a file. */
  merge(name: string, sources: readonly FileSource[], path: string): void
  /** What is wrong with the file of a segment. */
  faultOf(path: string): string | undefined
  /** How the next generation of an index splits compounds. */
  learn(paths: readonly string[]): Lexicon
}

export interface Worker {
  readonly tasks: Tasks
  /** Opens a segment for views with this schema and lexicon. */
  open(buffer: SharedArrayBuffer, of: Pick<View, 'schema' | 'lexicon'>): Segment
  /** From now on tasks on this index work on this view. */
  show(name: string, view: View): void
  hide(name: string): void
}

export function createWorker(): Worker {
  const tools = createTools()
  const contexts = new Map<string, IndexContext>()
  const scratch = createScratch()
  const translations: Translations = new WeakMap()
  const filters: Filters = new WeakMap()
  const deletions: Deletions = new WeakMap()
  const indexOf = (name: string) => contexts.get(name)
  const workshops = new WeakMap<IndexSchema, Workshop>()
  function workshopOf({ schema, lexicon }: Pick<View, 'schema' | 'lexicon'>): Workshop {
    const known = workshops.get(schema)
    if (known?.lexicon === lexicon) return known
    const workshop = workshopFor(tools, schema, lexicon)
    workshops.set(schema, workshop)
    return workshop
  }
  function seen(name: string): IndexContext {
    const context = contexts.get(name)
    if (!context) throw new Error(`no view of index ${name}`)
    return context
  }
  return {
    open: (buffer, of) => openAny(buffer, workshopOf(of)),
    show(name, view) {
      const { parts } = view
      const segments = parts.map(({ segment }) => segment)
      contexts.set(name, { ...workshopOf(view), scratch, translations, filters, deletions, parts, segments, indexOf })
    },
    hide: (name) => void contexts.delete(name),
    tasks: {
      search: (name, query) => searchTolerantly(seen(name), query),
      searchCommon: (query) =>
        searchCommon(
          query.members.map(({ index }) => seen(index)),
          query,
        ),
      typeAhead: (name, request) => typeAhead(queryContext(seen(name)), seen(name).parts, request),
      ...gathering((name) => createSegmentBuilder(seen(name))),
      seal: (name, sources, path) => write(path, seal(seen(name), sources)),
      merge: (name, sources, path) => write(path, merge(seen(name), sources)),
      faultOf,
      learn,
    },
  }
}

/** Segments that grow. Whoever lacks a batch has lost what came before, and must not go on. */
function gathering(begin: (name: string) => SegmentBuilder): Pick<Tasks, 'gather' | 'collect' | 'complete'> {
  const growing = new Map<string, { readonly builder: SegmentBuilder; batches: number }>()
  const readers = new Map<string, Promise<ReadDocuments>>()
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => T | Promise<T>): Promise<T> => {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }
  function grow(name: string, segment: string, batch: number): SegmentBuilder {
    if (batch === 0) growing.set(segment, { builder: begin(name), batches: 0 })
    const grown = growing.get(segment)
    if (grown?.batches !== batch) throw lost(segment)
    grown.batches++
    return grown.builder
  }
  return {
    gather: (name, segment, batch, documents) => readDocuments(documents, grow(name, segment, batch)),
    collect(name, segment, batch, place, ids) {
      const reader = getOrMake(readers, JSON.stringify(place), () => openReader(place))
      // The next documents are read while the present ones are built.
      const documents = reader.then((read) => read(ids))
      documents.catch(() => {}) // is told when its turn comes
      return inTurn(async () => {
        const builder = grow(name, segment, batch)
        for (const document of await documents) putDocument(document, builder)
      })
    },
    complete: (segment, path) =>
      inTurn(() => {
        const grown = growing.get(segment)
        growing.delete(segment)
        if (!grown) throw lost(segment)
        write(path, grown.builder.finish())
      }),
  }
}
const lost = (segment: string) => new Error(`documents of ${segment} were lost; begin again`)

const write = (path: string, draft: Draft<SegmentMeta>) => writePieces(path, signedPieces(draft))

const deletedFrom =
  ({ deleted }: { readonly deleted?: Bits }) =>
  (doc: number) =>
    isDeleted({ deleted }, doc)

function seal(context: IndexContext, sources: readonly FreshSource[]): Draft<SegmentMeta> {
  return buildFresh(
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

/** Of the languages that have compounds; the stems of all others, codes among them, are left where they are. */
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
