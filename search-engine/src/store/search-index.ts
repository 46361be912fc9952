/** An index across its generations: every call goes to the active one. */
import { createAnalyser, type Analyser } from '../analysis/analyse.ts'
import { emptyLexicon, type Lexicon } from '../analysis/compounds.ts'
import type { Workers } from '../workers/workers.ts'
import { createGarbageCollector } from '../workers/garbage-collection.ts'
import type { IndexSchema, Position, Predicate, SearchEngine } from '../port.ts'
import { DamagedSegment, isDamage } from '../segment/container.ts'
import { createHighlighter, type Highlighter } from '../suggest/highlight.ts'
import { openGenerations } from './generations.ts'
import { idsWithValue } from './value-lookup.ts'
import { mappingOf } from './mapping.ts'
import { createRebuild, type Rebuild } from './rebuild.ts'
import { hasDocument } from './snapshot.ts'
import { createIndex, type EmbeddedIndex } from './generation-index.ts'

export interface IndexStatus {
  /** missing and damaged find nothing; outdated and ready serve. All but ready require a rebuild. */
  readonly state: 'missing' | 'damaged' | 'outdated' | 'ready'
  readonly documents: number
  readonly segments: number
  readonly bytes: number
  readonly position: Position
  /** The position at which a restart continues. The source may discard changes up to it. */
  readonly sealed: Position
  /** When the active generation was created. */
  readonly createdAt?: Date | undefined
  readonly rebuilding: boolean
}

/** A rebuild is already running. */
export class RebuildRunning extends Error {
  constructor(name: string) {
    super(`index ${name} is being rebuilt; wait until it is done`)
    this.name = 'RebuildRunning'
  }
}

export interface SearchIndex extends SearchEngine {
  status(): IndexStatus
  /** New fields can be used at once. Changed field definitions make the index outdated. */
  useSchema(schema: IndexSchema): void
  /** The IDs, ascending, of the documents with one of the values in a keyword field that is not localized. */
  idsWithValue(field: string, values: readonly string[]): Promise<readonly number[]>
  /** The given IDs for which the index has no document. */
  missingIds(ids: readonly number[]): Promise<readonly number[]>
  /** Highlights matches of a predicate in texts of the primary store. */
  highlighter(predicate: Predicate): Highlighter
  /** Verifies all files in the background, because a search found damage that may be in this index. */
  inspect(): void
  /** Writes all applied changes and the position to files. */
  seal(): Promise<void>
  /** Starts building the next generation. Only one rebuild can run at a time. */
  rebuild(schema: IndexSchema): Promise<Rebuild>
}

interface SearchIndexOptions {
  readonly name: string
  readonly schema: IndexSchema
  readonly workers: Workers
  readonly folder: string
  onFailure(error: unknown): void
}

export async function createSearchIndex(options: SearchIndexOptions): Promise<SearchIndex> {
  const { name, workers, folder, onFailure } = options
  let { schema } = options
  let unusable: 'missing' | 'damaged' | undefined
  let rebuilding = false
  /** Passes a changed schema to a running rebuild. */
  let updateRebuild = (_schema: IndexSchema) => {}
  const generations = await openGenerations(folder, (path) => workers.run('inspector', 'findDamage', path))
  const files = await generations.open().catch((error: unknown) => {
    if (!(error instanceof DamagedSegment)) throw error
    onFailure(error)
    unusable = 'damaged'
  })
  if (!files) unusable ??= 'missing'
  /** Without files this is an empty placeholder. */
  let index = createIndex({ name, schema, workers, files: files ?? undefined })
  const analyserOf = memoize(createAnalyser)

  /** Handles an error of background work. A damaged index cannot be trusted any more and is replaced by an empty one. */
  function handleFailure(error: unknown, failing: EmbeddedIndex): void {
    if (isDamage(error)) {
      if (index !== failing || unusable) return
      unusable = 'damaged'
      void failing.retire()
      index = createIndex({ name, schema, workers })
    }
    onFailure(error)
  }
  async function onActive<T>(run: (index: EmbeddedIndex) => Promise<T>): Promise<T> {
    const target = index
    return run(target).catch((error: unknown) => {
      if (isDamage(error)) handleFailure(error, target)
      throw error
    })
  }
  let inspecting: Promise<void> | undefined
  /** Sections are verified when a search reads them; this verifies the rest in the background. */
  function inspect(): void {
    const opened = index
    inspecting ??= generations
      .inspect()
      .catch((error: unknown) => handleFailure(error, opened))
      .finally(() => (inspecting = undefined))
  }
  if (files) inspect()
  const collectGarbage = createGarbageCollector()

  /** Learns the compound lexicon of the next generation. */
  async function learn(): Promise<Lexicon> {
    const paths = index.paths()
    if (paths.length === 0) return emptyLexicon
    return workers.run('inspector', 'learn', paths).catch((error: unknown) => {
      // A file may have been merged away in the meantime.
      const there = new Set(index.paths())
      if (paths.every((path) => there.has(path))) throw error
      return learn()
    })
  }

  async function replace(next: EmbeddedIndex): Promise<void> {
    const previous = index
    index = next
    unusable = undefined
    const retired = previous.retire()
    next.moveTo(name)
    await retired
    // By then no worker references the old segments any more.
    setTimeout(collectGarbage, collectAfter, bytesOf(previous)).unref()
  }
  return {
    search: (query) => onActive((target) => target.search(query)),
    typeAhead: (request) => onActive((target) => target.typeAhead(request)),
    appliedPosition: () => index.appliedPosition(),
    async apply(changes, position) {
      if (unusable) throw new Error(`index ${name} is ${unusable}: rebuild it previous changes are applied`)
      const applied = index
      await applied.apply(changes, position)
      void applied.maintain(() => rebuilding).catch((error: unknown) => handleFailure(error, applied))
    },
    useSchema(next) {
      schema = next
      index.useSchema(next)
      updateRebuild(next)
    },
    idsWithValue: (field, values) => onActive(async (target) => idsWithValue(target.snapshot().parts, field, values)),
    async missingIds(ids) {
      const { parts } = index.snapshot()
      return ids.filter((id) => !parts.some((part) => hasDocument(part, id)))
    },
    highlighter: (predicate) => createHighlighter({ schema, lexicon: index.lexicon, analyserOf }, predicate),
    inspect,
    seal: () => (unusable ? Promise.resolve() : index.seal()),
    async rebuild(newSchema) {
      if (rebuilding) throw new RebuildRunning(name)
      rebuilding = true
      let latest = newSchema
      updateRebuild = (changed) => (latest = changed)
      const onEnd = () => {
        rebuilding = false
        updateRebuild = () => {}
      }
      try {
        if (!unusable) await index.seal()
        const lexicon = await learn()
        const next = await generations.create(mappingOf(newSchema), lexicon)
        const rebuild = createRebuild({ name, schema: latest, workers, next, replace, onEnd })
        updateRebuild = rebuild.useSchema
        return rebuild
      } catch (error) {
        onEnd()
        throw error
      }
    },
    status() {
      const { parts, position } = index.snapshot()
      return {
        state: unusable ?? (index.isOutdated() ? 'outdated' : 'ready'),
        documents: parts.reduce((sum, { live }) => sum + live, 0),
        segments: parts.length,
        bytes: bytesOf(index),
        position,
        sealed: index.sealedPosition(),
        createdAt: index.createdAt,
        rebuilding,
      }
    },
  }
}

/** Milliseconds. */
const collectAfter = 3000

function bytesOf(index: EmbeddedIndex): number {
  return index.snapshot().parts.reduce((sum, { segment }) => sum + segment.size, 0)
}

function memoize(make: (locale: string) => Analyser): (locale: string) => Analyser {
  const made = new Map<string, Analyser>()
  return (locale) => {
    const known = made.get(locale) ?? make(locale)
    made.set(locale, known)
    return known
  }
}
