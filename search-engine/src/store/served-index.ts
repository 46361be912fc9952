/** An index over its generations: whoever asks always gets the one that serves. */
import { createAnalyser, type Analyser } from '../analysis/analyse.ts'
import { emptyLexicon, type Lexicon } from '../analysis/compounds.ts'
import type { Crew } from '../crew/crew.ts'
import { createTidying } from '../crew/tidying.ts'
import type { IndexSchema, Position, Predicate, SearchEngine } from '../port.ts'
import { DamagedSegment, isDamage } from '../segment/container.ts'
import { createHighlighter, type Highlighter } from '../suggest/highlight.ts'
import { openGenerations } from './generations.ts'
import { holdersOf } from './holders.ts'
import { mappingOf } from './mapping.ts'
import { createRebuild, type Rebuild } from './rebuild.ts'
import { hasDocument } from './snapshot.ts'
import { createIndex, type EmbeddedIndex } from './store.ts'

export interface IndexStatus {
  /** missing and damaged find nothing, outdated and ready serve; all but ready ask for a rebuild. */
  readonly state: 'missing' | 'damaged' | 'outdated' | 'ready'
  readonly documents: number
  readonly segments: number
  readonly bytes: number
  readonly position: Position
  /** The position that a restart begins at: what the source has up to it may be forgotten. */
  readonly sealed: Position
  /** When the generation that serves was begun. */
  readonly createdAt?: Date
  readonly rebuilding: boolean
}

/** A rebuild is under way already. */
export class RebuildRunning extends Error {
  constructor(name: string) {
    super(`index ${name} is being rebuilt; wait until it is done`)
    this.name = 'RebuildRunning'
  }
}

export interface SearchIndex extends SearchEngine {
  status(): IndexStatus
  /** Fields that are new are there at once; fields that are now defined in another way make the index outdated. */
  useSchema(schema: IndexSchema): void
  /** The ids of the documents that have one of the values in a keyword field without locales, ascending. */
  holders(field: string, values: readonly string[]): Promise<readonly number[]>
  /** Of these ids, those that it has no document with. */
  lacking(ids: readonly number[]): Promise<readonly number[]>
  /** Marks what a predicate finds in texts of the primary store. */
  highlighter(predicate: Predicate): Highlighter
  /** Looks through all of it, in the background: some search has come upon damage, and it may be here. */
  inspect(): void
  /** Brings everything that was applied, and its position, into files. */
  seal(): Promise<void>
  /** Begins the next generation; one at a time. */
  rebuild(schema: IndexSchema): Promise<Rebuild>
}

export interface ServedOptions {
  readonly name: string
  readonly schema: IndexSchema
  readonly crew: Crew
  readonly folder: string
  onFailure(error: unknown): void
}

export async function createServedIndex(options: ServedOptions): Promise<SearchIndex> {
  const { name, crew, folder, onFailure } = options
  let { schema } = options
  let lost: 'missing' | 'damaged' | undefined
  let rebuilding = false
  /** Tells the next generation, while one is made, of another schema. */
  let tellNext = (_schema: IndexSchema) => {}
  const generations = await openGenerations(folder, (path) => crew.ask('inspector', 'faultOf', path))
  const files = await generations.open().catch((error: unknown) => {
    if (!(error instanceof DamagedSegment)) throw error
    onFailure(error)
    lost = 'damaged'
  })
  if (!files) lost ??= 'missing'
  /** Without files it is empty, and only stands in. */
  let index = createIndex({ name, schema, crew, files: files ?? undefined })
  const analyserOf = remembering(createAnalyser)

  /** What fails in the background. Where it is damage, nothing of the index can be trusted any more. */
  function failed(error: unknown, failing: EmbeddedIndex): void {
    if (isDamage(error)) {
      if (index !== failing || lost) return
      lost = 'damaged'
      void failing.retire()
      index = createIndex({ name, schema, crew })
    }
    onFailure(error)
  }
  async function answered<T>(ask: (index: EmbeddedIndex) => Promise<T>): Promise<T> {
    const asked = index
    return ask(asked).catch((error: unknown) => {
      if (isDamage(error)) failed(error, asked)
      throw error
    })
  }
  let inspecting: Promise<void> | undefined
  /** What is searched is verified when it is read; all of it in the background. */
  function inspect(): void {
    const opened = index
    inspecting ??= generations
      .inspect()
      .catch((error: unknown) => failed(error, opened))
      .finally(() => (inspecting = undefined))
  }
  if (files) inspect()
  const tidy = createTidying()

  /** How the next generation splits compounds. */
  async function learn(): Promise<Lexicon> {
    const paths = index.paths()
    if (paths.length === 0) return emptyLexicon
    return crew.ask('inspector', 'learn', paths).catch((error: unknown) => {
      // A file may have been merged into another one meanwhile, and be gone.
      const there = new Set(index.paths())
      if (paths.every((path) => there.has(path))) throw error
      return learn()
    })
  }

  async function replace(next: EmbeddedIndex): Promise<void> {
    const before = index
    index = next
    lost = undefined
    const retired = before.retire()
    next.moveTo(name)
    await retired
    // By then nobody holds on to it, here or in the crew.
    setTimeout(tidy, tidyAfter, bytesOf(before)).unref()
  }
  return {
    search: (query) => answered((asked) => asked.search(query)),
    typeAhead: (request) => answered((asked) => asked.typeAhead(request)),
    appliedPosition: () => index.appliedPosition(),
    async apply(changes, position) {
      if (lost) throw new Error(`index ${name} is ${lost}: rebuild it before changes are applied`)
      const applied = index
      await applied.apply(changes, position)
      void applied.maintain(() => rebuilding).catch((error: unknown) => failed(error, applied))
    },
    useSchema(next) {
      schema = next
      index.useSchema(next)
      tellNext(next)
    },
    holders: (field, values) => answered(async (asked) => holdersOf(asked.snapshot().parts, field, values)),
    async lacking(ids) {
      const { parts } = index.snapshot()
      return ids.filter((id) => !parts.some((part) => hasDocument(part, id)))
    },
    highlighter: (predicate) => createHighlighter({ schema, lexicon: index.lexicon, analyserOf }, predicate),
    inspect,
    seal: () => (lost ? Promise.resolve() : index.seal()),
    async rebuild(wanted) {
      if (rebuilding) throw new RebuildRunning(name)
      rebuilding = true
      let latest = wanted
      tellNext = (told) => (latest = told)
      const ended = () => {
        rebuilding = false
        tellNext = () => {}
      }
      try {
        if (!lost) await index.seal()
        const lexicon = await learn()
        const next = await generations.create(mappingOf(wanted), lexicon)
        const rebuild = createRebuild({ name, schema: latest, crew, next, replace, ended })
        tellNext = rebuild.useSchema
        return rebuild
      } catch (error) {
        ended()
        throw error
      }
    },
    status() {
      const { parts, position } = index.snapshot()
      return {
        state: lost ?? (index.isOutdated() ? 'outdated' : 'ready'),
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
const tidyAfter = 3000

function bytesOf(index: EmbeddedIndex): number {
  return index.snapshot().parts.reduce((sum, { segment }) => sum + segment.size, 0)
}

function remembering(make: (locale: string) => Analyser): (locale: string) => Analyser {
  const made = new Map<string, Analyser>()
  return (locale) => {
    const known = made.get(locale) ?? make(locale)
    made.set(locale, known)
    return known
  }
}
