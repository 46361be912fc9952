/** The search engine on OpenSearch: indexes that several processes share. One of them writes at a time. */
import {
  type Changes,
  type CommonQuery,
  type Indexes,
  type IndexSchema,
  type Position,
  type Rebuild,
  RebuildRunning,
  type SearchDocument,
  type SearchIndex,
  SearchUnavailable,
} from '@kontor/search-engine'
import {
  compoundLanguages,
  createAnalyser,
  createHighlighter,
  emptyLexicon,
  keyOf,
  learnLexicon,
  type Lexicon,
} from '@kontor/search-engine/analysis'
import { type Cluster, partFault } from './client.ts'
import { createCollationKeys } from './collation-keys.ts'
import { type Analysis, completedIn, initials, readCompleted, toSource, wholeValue } from './documents.ts'
import { memoized } from './memoized.ts'
import { everything } from './query.ts'
import { idsOf, searchAll, type Searched, valuesOf } from './search.ts'
import {
  createState,
  type Generation,
  type Generations,
  needsRebuild,
  openGenerations,
  withSchema,
  writeAlias,
} from './state.ts'
import { typeAhead } from './suggest.ts'
import { searchTolerantly } from './tolerant.ts'

export interface SharedIndex extends SearchIndex {
  /** Reads the state again, which another process may have changed. */
  reload(): Promise<void>
}
export interface SharedIndexes extends Indexes {
  open(name: string, schema: IndexSchema): Promise<SharedIndex>
  /** Reads the state of all open indexes again. */
  reload(): Promise<void>
}

export async function openSharedIndexes(cluster: Cluster, prefix: string): Promise<SharedIndexes> {
  await createState(cluster, prefix)
  const opened = new Map<string, Promise<Opened>>()
  const searched = new Map<string, Searched>()
  const tools = createTools()
  async function open(name: string, schema: IndexSchema): Promise<Opened> {
    const generations = openGenerations(cluster, prefix, name)
    const other = (each: string) => searched.get(each)
    const index = await openIndex({ cluster, name, schema, generations, tools, other })
    searched.set(name, index.searched)
    return index
  }
  const all = () => Promise.all(opened.values())
  return {
    async open(name, schema) {
      const index = opened.get(name) ?? open(name, schema)
      opened.set(name, index)
      // Let the next call try again.
      index.catch(() => opened.delete(name))
      return (await index).index
    },
    async search({ members, ...query }: CommonQuery) {
      await all()
      const found = members.map(({ index, predicate }) => ({ index: searched.get(index)!, predicate }))
      return searchAll(found, query)
    },
    async reload() {
      await Promise.all((await all()).map(({ index }) => index.reload()))
    },
    close: () => cluster.close(),
  }
}

/** Analysers and sort keys, each made once. */
type Tools = Pick<Analysis, 'analyserOf' | 'collationOf'>

const createTools = (): Tools => ({ analyserOf: memoized(createAnalyser), collationOf: memoized(createCollationKeys) })

interface Opened {
  readonly index: SharedIndex
  readonly searched: Searched
}

interface IndexOptions {
  readonly cluster: Cluster
  readonly name: string
  readonly schema: IndexSchema
  readonly generations: Generations
  readonly tools: Tools
  other(name: string): Searched | undefined
}

async function openIndex(options: IndexOptions): Promise<Opened> {
  const { cluster, name, generations, other } = options
  const active = await openActive(options)
  const searched: Searched = {
    cluster,
    name,
    alias: generations.alias,
    get analysis() {
      return active.analysis()
    },
    other,
  }
  const rebuilder = createRebuilder(options, active, searched)
  const index: SharedIndex = {
    search: (query) => searchTolerantly(searched, query),
    typeAhead: (request) => typeAhead(searched, request),
    appliedPosition: () => active.generation()?.position ?? '',
    apply: active.apply,
    useSchema(schema) {
      active.useSchema(schema)
      rebuilder.useSchema(schema)
    },
    async idsWithValue(field, values) {
      const terms = values.map((value) => wholeValue(field, '', keyOf(value)))
      return idsOf(cluster, generations.alias, { terms: { k: terms } })
    },
    async missingIds(ids) {
      const there = new Set(await idsOf(cluster, generations.alias, { terms: { id: ids } }))
      return ids.filter((id) => !there.has(id))
    },
    highlighter: (predicate) => createHighlighter(active.analysis(), predicate),
    seal: active.seal,
    rebuild: rebuilder.rebuild,
    reload: active.reload,
    status() {
      const generation = active.generation()
      const { schema } = active.analysis()
      return {
        state: !generation ? 'missing' : needsRebuild(generation, schema) ? 'outdated' : 'ready',
        position: generation?.position ?? '',
        createdAt: generation?.createdAt,
        rebuilding: rebuilder.isRunning(),
      }
    },
  }
  return { index, searched }
}

/** The generation that serves, and the fields that documents have now. */
interface Active {
  generation(): Generation | undefined
  analysis(): Analysis
  use(generation: Generation | undefined): void
  useSchema(schema: IndexSchema): void
  reload(): Promise<void>
  apply(changes: Changes, position: Position): Promise<void>
  seal(): Promise<void>
}

const analysisOf = (tools: Tools, schema: IndexSchema, lexicon: Lexicon): Analysis => ({
  ...tools,
  schema,
  fields: new Map(schema.fields.map((field) => [field.name, field])),
  lexicon,
})

async function openActive({ cluster, name, generations, tools, schema }: IndexOptions): Promise<Active> {
  const write = createWriter(cluster, name)
  let generation = await generations.load()
  let analysis = analysisOf(tools, schema, generation?.lexicon ?? emptyLexicon)
  let hasChanged = false
  function use(next: Generation | undefined): void {
    generation = next
    analysis = analysisOf(tools, analysis.schema, next?.lexicon ?? emptyLexicon)
  }
  const reload = async () => use(await generations.load())
  return {
    generation: () => generation,
    analysis: () => analysis,
    use,
    useSchema: (changed) => (analysis = analysisOf(tools, changed, analysis.lexicon)),
    reload,
    async apply(changes, position) {
      const target = generation
      if (!target) throw new Error(`index ${name} is missing: rebuild it before changes are applied`)
      await write(target, analysis, changes).catch(async (error: unknown) => {
        if (error instanceof GenerationGone) await reload()
        throw error
      })
      if (generation?.index === target.index) {
        generation = { ...withSchema(generation, analysis.schema), position }
      }
      hasChanged = true
    },
    async seal() {
      if (!generation || !hasChanged) return
      hasChanged = false
      await generations.store(generation)
    },
  }
}

/** Builds the next generation, one at a time. */
function createRebuilder({ cluster, name, generations, tools }: IndexOptions, active: Active, searched: Searched) {
  let running = false
  /** Passes a changed schema to a running rebuild. */
  let useSchema = (_schema: IndexSchema) => {}
  async function start(schema: IndexSchema): Promise<Rebuild> {
    await active.seal()
    await generations.removeOthers(active.generation())
    const lexicon = active.generation() ? await learn(searched) : emptyLexicon
    const next = await generations.create(schema, lexicon)
    const rebuild = createRebuild({
      cluster,
      name,
      next,
      write: createWriter(cluster, name),
      generations,
      analysis: analysisOf(tools, schema, lexicon),
      previous: active.generation,
      replace: active.use,
      onEnd: () => (running = false),
    })
    useSchema = rebuild.useSchema
    return rebuild
  }
  return {
    isRunning: () => running,
    useSchema: (schema: IndexSchema) => useSchema(schema),
    async rebuild(schema: IndexSchema): Promise<Rebuild> {
      if (running) throw new RebuildRunning(name)
      running = true
      try {
        return await start(schema)
      } catch (error) {
        running = false
        throw error
      }
    },
  }
}

// Writing

/** The generation was replaced by another process. */
class GenerationGone extends SearchUnavailable {
  override readonly name = 'GenerationGone'
}

type Writer = (target: Generation, analysis: Analysis, changes: Changes) => Promise<void>

interface BulkReply {
  readonly errors: boolean
  readonly items: readonly Record<string, { readonly status: number; readonly error?: { readonly reason: string } }>[]
}

/**
 * Writes documents. A version, where given, was drawn before the documents were read; so a late write, also of a process
 * that was believed to be dead, never replaces a newer state.
 */
function createWriter(cluster: Cluster, name: string): Writer {
  let last = Date.now() * 1000
  return async (target, analysis, { put, remove, version: number = ++last }) => {
    await sendBulk(cluster, target, { refresh: true }, [
      ...remove.map((id) => ({ delete: { _id: String(id), version: number, version_type: 'external' } })),
      ...put.flatMap((document) => putLines(name, analysis, document, number)),
    ])
  }
}

const putLines = (name: string, analysis: Analysis, document: SearchDocument, version: number) => [
  { index: { _id: String(document.id), version, version_type: 'external' } },
  toSource(name, analysis, document),
]

const conflict = 409
const notFound = 404

async function sendBulk(
  cluster: Cluster,
  target: Generation,
  query: Record<string, boolean>,
  lines: readonly object[],
  timeout?: number,
): Promise<void> {
  if (lines.length === 0) return
  const { errors, items } = await cluster.call<BulkReply>('POST', `/${writeAlias(target)}/_bulk`, {
    query: { require_alias: true, ...query },
    lines,
    ...(timeout !== undefined && { timeout }),
  })
  if (!errors) return
  for (const item of items) {
    const [{ status, error } = { status: 0 }] = Object.values(item)
    if (status < 300 || status === conflict || (status === notFound && !error)) continue
    if (status === notFound) throw new GenerationGone(`generation ${target.index} was removed`)
    throw partFault(status, `OpenSearch refused a document: ${error?.reason ?? status}`)
  }
}

// Rebuilds

/** Learns the compound lexicon of the next generation from the words of the one that serves. */
async function learn({ cluster, alias, analysis }: Searched): Promise<Lexicon> {
  const statistics: { language: string; stem: string; documents: number }[] = []
  for (const locale of analysis.schema.locales) {
    const language = locale.slice(0, 2).toLowerCase()
    if (!compoundLanguages.includes(language)) continue
    /** A term may occur in several fields and spellings. */
    const counts = new Map<string, number>()
    for (const initial of initials) {
      for await (const { value, documents } of valuesOf(cluster, alias, completedIn(locale, initial), everything)) {
        const [term] = readCompleted(String(value))
        counts.set(term, Math.max(counts.get(term) ?? 0, documents))
      }
    }
    const { stem } = analysis.analyserOf(locale)
    for (const [term, documents] of counts) statistics.push({ language, stem: stem(term), documents })
  }
  return learnLexicon(statistics)
}

interface RebuildOptions {
  readonly cluster: Cluster
  readonly name: string
  readonly next: Generation
  readonly write: Writer
  readonly generations: Generations
  readonly analysis: Analysis
  previous(): Generation | undefined
  replace(generation: Generation): void
  onEnd(): void
}

/** Bulk requests that may be under way. */
const mostPending = 3
/** Milliseconds. A cluster that is busy writing and merging must not fail a rebuild. */
const addTimeout = 300_000
/** Documents that are added lose against any change that is applied later. */
const lowestVersion = 1

function createRebuild({
  cluster,
  name,
  write,
  generations,
  previous,
  replace,
  onEnd,
  ...options
}: RebuildOptions): Rebuild {
  let { next, analysis } = options
  const pending = new Set<Promise<void>>()
  let failure: { readonly error: unknown } | undefined
  const throwFailure = () => {
    if (failure) throw failure.error
  }
  function track(work: Promise<void>): void {
    const done: Promise<void> = work
      .catch((error: unknown) => void (failure ??= { error }))
      .finally(() => pending.delete(done))
    pending.add(done)
  }
  const refresh = () => cluster.call('POST', `/${next.index}/_refresh`)
  return {
    async add(documents) {
      const lines = documents.flatMap((document) => putLines(name, analysis, document, lowestVersion))
      track(sendBulk(cluster, next, {}, lines, addTimeout))
      while (pending.size >= mostPending) await Promise.race(pending)
      throwFailure()
    },
    async finish(position) {
      await Promise.all(pending)
      throwFailure()
      await refresh()
      next = { ...next, position }
      await generations.store(next)
    },
    useSchema(schema) {
      analysis = { ...analysis, schema, fields: new Map(schema.fields.map((field) => [field.name, field])) }
      next = withSchema(next, schema)
    },
    async apply(changes, position) {
      await write(next, analysis, changes)
      next = { ...next, position }
    },
    async activate() {
      next = { ...next, createdAt: new Date() }
      await generations.store(next)
      await generations.activate(next, previous())
      replace(next)
      onEnd()
      // The new generation serves. If the old one cannot be removed now, the next rebuild removes it.
      await generations.removeOthers(next).catch(() => {})
    },
    async drop() {
      await Promise.all(pending)
      onEnd()
      await generations.removeOthers(previous())
    },
  }
}
