/** An index across its generations: every call goes to the active one. */
import { createAnalyser } from '../analysis/analyse.ts'
import { emptyLexicon, type Lexicon } from '../analysis/compounds.ts'
import type { Workers } from '../workers/workers.ts'
import { createGarbageCollector } from '../workers/garbage-collection.ts'
import { memoize } from '../memoize.ts'
import {
  RebuildRunning,
  type Changes,
  type IndexSchema,
  type IndexStatus,
  type Position,
  type Rebuild,
  type SearchIndex,
} from '../port.ts'
import { DamagedSegment, isDamage } from '../segment/container.ts'
import { createHighlighter } from '../suggest/highlight.ts'
import { openGenerations, type Generations } from './generations.ts'
import { idsWithValue } from './value-lookup.ts'
import { mappingOf } from './mapping.ts'
import { createRebuild } from './rebuild.ts'
import { hasDocument } from './snapshot.ts'
import { createIndex, type EmbeddedIndex } from './generation-index.ts'

/** The status with figures of the files. */
interface EmbeddedStatus extends IndexStatus {
  readonly documents: number
  readonly segments: number
  readonly bytes: number
  /** The position at which a restart continues. The source may discard changes up to it. */
  readonly sealed: Position
}

export interface EmbeddedSearchIndex extends SearchIndex {
  status(): EmbeddedStatus
  rebuild(schema: IndexSchema): Promise<Required<Rebuild>>
  /** Verifies all files in the background, because a search found damage that may be in this index. */
  inspect(): void
}

interface SearchIndexOptions {
  readonly name: string
  readonly schema: IndexSchema
  readonly workers: Workers
  readonly folder: string
  onFailure(error: unknown): void
}

export async function createSearchIndex(options: SearchIndexOptions): Promise<EmbeddedSearchIndex> {
  const { name, workers, folder } = options
  const generations = await openGenerations(folder, (path) => workers.run('inspector', 'findDamage', path))
  const active = await openActive(options, generations)
  const analyserOf = memoize(createAnalyser)
  let rebuilding = false
  /** Passes a changed schema to a running rebuild. */
  let updateRebuild = (_schema: IndexSchema) => {}

  async function rebuild(newSchema: IndexSchema): Promise<Required<Rebuild>> {
    if (rebuilding) throw new RebuildRunning(name)
    rebuilding = true
    let latest = newSchema
    updateRebuild = (changed) => (latest = changed)
    const onEnd = () => {
      rebuilding = false
      updateRebuild = () => {}
    }
    try {
      await active.seal()
      const lexicon = await learnLexicon(workers, () => active.index().paths())
      const next = await generations.create(mappingOf(newSchema), lexicon)
      const started = createRebuild({ name, schema: latest, workers, next, replace: active.replace, onEnd })
      updateRebuild = started.useSchema
      return started
    } catch (error) {
      onEnd()
      throw error
    }
  }
  return {
    search: (query) => active.run((index) => index.search(query)),
    typeAhead: (request) => active.run((index) => index.typeAhead(request)),
    appliedPosition: () => active.index().appliedPosition(),
    apply: (changes, position) => active.apply(changes, position, () => rebuilding),
    useSchema(schema) {
      active.useSchema(schema)
      updateRebuild(schema)
    },
    idsWithValue: (field, values) => active.run(async (index) => idsWithValue(index.snapshot().parts, field, values)),
    async missingIds(ids) {
      const { parts } = active.index().snapshot()
      return ids.filter((id) => !parts.some((part) => hasDocument(part, id)))
    },
    highlighter: (predicate) =>
      createHighlighter({ schema: active.schema(), lexicon: active.index().lexicon, analyserOf }, predicate),
    inspect: active.inspect,
    seal: active.seal,
    rebuild,
    status: () => ({
      ...statusOf(active.index()),
      state: active.state(),
      createdAt: active.activatedAt(),
      rebuilding,
    }),
  }
}

function statusOf(index: EmbeddedIndex): Omit<EmbeddedStatus, 'state' | 'rebuilding'> {
  const { parts, position } = index.snapshot()
  return {
    documents: parts.reduce((sum, { live }) => sum + live, 0),
    segments: parts.length,
    bytes: bytesOf(index),
    position,
    sealed: index.sealedPosition(),
  }
}

/** Opens the active generation and replaces it: by the next one after a rebuild, or by an empty index after damage. */
async function openActive({ name, workers, onFailure, ...options }: SearchIndexOptions, generations: Generations) {
  let { schema } = options
  let unusable: 'missing' | 'damaged' | undefined
  const files = await generations.open().catch((error: unknown) => {
    if (!(error instanceof DamagedSegment)) throw error
    onFailure(error)
    unusable = 'damaged'
  })
  if (!files) unusable ??= 'missing'
  let activatedAt = await generations.activatedAt()
  /** Without files this is an empty placeholder. */
  let active = createIndex({ name, schema, workers, files: files ?? undefined })
  const collectGarbage = createGarbageCollector()

  /** A damaged index cannot be trusted any more and is replaced by an empty one. */
  function handleFailure(error: unknown, failing: EmbeddedIndex): void {
    if (isDamage(error)) {
      if (active !== failing || unusable) return
      unusable = 'damaged'
      void failing.retire()
      active = createIndex({ name, schema, workers })
    }
    onFailure(error)
  }
  let inspecting: Promise<void> | undefined
  /** Sections are verified when a search reads them; this verifies the rest in the background. */
  function inspect(): void {
    const opened = active
    inspecting ??= generations
      .inspect()
      .catch((error: unknown) => handleFailure(error, opened))
      .finally(() => (inspecting = undefined))
  }
  if (files) inspect()
  return {
    inspect,
    index: () => active,
    schema: () => schema,
    activatedAt: () => activatedAt,
    state: () => unusable ?? (active.isOutdated() ? 'outdated' : 'ready'),
    seal: () => (unusable ? Promise.resolve() : active.seal()),
    useSchema(next: IndexSchema) {
      schema = next
      active.useSchema(next)
    },
    async run<T>(work: (index: EmbeddedIndex) => Promise<T>): Promise<T> {
      const index = active
      return work(index).catch((error: unknown) => {
        if (isDamage(error)) handleFailure(error, index)
        throw error
      })
    },
    async apply(changes: Changes, position: Position, isRebuilding: () => boolean): Promise<void> {
      if (unusable) throw new Error(`index ${name} is ${unusable}: rebuild it before changes are applied`)
      const index = active
      await index.apply(changes, position)
      void index.maintain(isRebuilding).catch((error: unknown) => handleFailure(error, index))
    },
    async replace(next: EmbeddedIndex): Promise<void> {
      activatedAt = await generations.activatedAt()
      const previous = active
      active = next
      unusable = undefined
      const retired = previous.retire()
      next.moveTo(name)
      await retired
      // By then no worker references the old segments any more.
      setTimeout(collectGarbage, collectAfter, bytesOf(previous)).unref()
    },
  }
}

/** Learns the compound lexicon of the next generation. */
async function learnLexicon(workers: Workers, pathsOf: () => readonly string[]): Promise<Lexicon> {
  const paths = pathsOf()
  if (paths.length === 0) return emptyLexicon
  return workers.run('inspector', 'learn', paths).catch((error: unknown) => {
    // A file may have been merged away in the meantime.
    const current = new Set(pathsOf())
    if (paths.every((path) => current.has(path))) throw error
    return learnLexicon(workers, pathsOf)
  })
}

/** Milliseconds. */
const collectAfter = 3000

function bytesOf(index: EmbeddedIndex): number {
  return index.snapshot().parts.reduce((sum, { segment }) => sum + segment.size, 0)
}
