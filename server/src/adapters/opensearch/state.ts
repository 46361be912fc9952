/**
 * Generations of an index in OpenSearch, and what is stored about them.
 *
 *   kontor-product             alias of the generation that serves
 *   kontor-product-000003      a generation
 *   kontor-product-000003-w    its alias for writing: a generation that was removed is not created again by a late write
 *   kontor-state               a document per generation: fields, compound lexicon, position
 */
import type { IndexSchema, Position } from '@kontor/search-engine'
import { isOutdated, type Lexicon, type Mapping, mappingOf, withFieldsOf } from '@kontor/search-engine/analysis'
import type { Cluster } from './client.ts'
import { indexDefinition, servingSettings } from './documents.ts'

/** Raise it when documents are stored differently; older indexes are then rebuilt. */
const format = 2

export interface Generation {
  readonly index: string
  readonly mapping: Mapping
  readonly weights: Weights
  readonly format: number
  readonly lexicon: Lexicon
  readonly position: Position
  readonly createdAt?: Date | undefined
}
/** Weight by field. Documents are stored by weight. */
type Weights = Readonly<Record<string, number>>

const weightsOf = ({ fields }: IndexSchema): Weights =>
  Object.fromEntries(fields.map(({ name, weight = 0 }) => [name, weight]))

export function needsRebuild(generation: Generation, schema: IndexSchema): boolean {
  const weights = weightsOf(schema)
  return (
    generation.format !== format ||
    isOutdated(generation.mapping, schema) ||
    Object.entries(generation.weights).some(([name, weight]) => (weights[name] ?? weight) !== weight)
  )
}

/** The generation after documents with new fields were added. */
export const withSchema = (generation: Generation, schema: IndexSchema): Generation => ({
  ...generation,
  mapping: withFieldsOf(generation.mapping, schema),
  weights: { ...weightsOf(schema), ...generation.weights },
})

/** A generation as JSON. */
interface Stored extends Omit<Generation, 'index' | 'lexicon' | 'createdAt'> {
  readonly lexicon: readonly (readonly [string, readonly string[]])[]
  readonly createdAt?: string
}

export interface Generations {
  readonly alias: string
  /** The generation that serves; undefined if there is none. */
  load(): Promise<Generation | undefined>
  create(schema: IndexSchema, lexicon: Lexicon): Promise<Generation>
  /**
   * Stores a generation. Its position may be older than a stored one, if another process took over meanwhile. That is
   * harmless: changes since then are applied again.
   */
  store(generation: Generation): Promise<void>
  /** Lets searches use the generation instead of the previous one. */
  activate(generation: Generation, previous: Generation | undefined): Promise<void>
  /** Removes all generations but this one. */
  removeOthers(than: Generation | undefined): Promise<void>
}

export const writeAlias = (generation: Generation) => `${generation.index}-w`

export function openGenerations(cluster: Cluster, prefix: string, name: string): Generations {
  const alias = `${prefix}-${name.toLowerCase()}`
  const state = `/${prefix}-state/_doc`
  const isGeneration = (index: string) => index.startsWith(`${alias}-`) && /^\d{6}$/.test(index.slice(alias.length + 1))
  const names = async () => {
    const found = await cluster.call<Record<string, unknown> | undefined>('GET', `/${alias}-*/_alias`, {
      optional: true,
    })
    return Object.keys(found ?? {}).filter(isGeneration)
  }
  return {
    alias,
    async load() {
      const found = await cluster.call<Record<string, unknown> | undefined>('GET', `/_alias/${alias}`, {
        optional: true,
      })
      const [index] = Object.keys(found ?? {})
      if (index === undefined) return undefined
      const stored = await cluster.call<{ _source: Stored } | undefined>('GET', `${state}/${index}`, { optional: true })
      if (!stored) return undefined
      const { lexicon, createdAt, ...rest } = stored._source
      return {
        ...rest,
        index,
        lexicon: new Map(lexicon.map(([language, stems]) => [language, new Set(stems)])),
        ...(createdAt !== undefined && { createdAt: new Date(createdAt) }),
      }
    },
    async create(schema, lexicon) {
      const last = Math.max(0, ...(await names()).map((index) => Number(index.slice(-6))))
      const index = `${alias}-${String(last + 1).padStart(6, '0')}`
      const generation = {
        index,
        mapping: mappingOf(schema),
        weights: weightsOf(schema),
        format,
        lexicon,
        position: '',
      }
      await cluster.call('PUT', `/${index}`, {
        body: { ...indexDefinition(schema), aliases: { [writeAlias(generation)]: {} } },
      })
      return generation
    },
    async store({ index, lexicon, createdAt, ...rest }) {
      const stored: Stored = {
        ...rest,
        lexicon: [...lexicon].map(([language, stems]) => [language, [...stems]]),
        ...(createdAt && { createdAt: createdAt.toISOString() }),
      }
      await cluster.call('PUT', `${state}/${index}`, { body: stored })
    },
    async activate(generation, previous) {
      const remove = previous && { remove: { index: previous.index, alias, must_exist: true } }
      const add = { add: { index: generation.index, alias } }
      await cluster.call('PUT', `/${generation.index}/_settings`, { body: servingSettings })
      await cluster.call('POST', '/_aliases', { body: { actions: [...(remove ? [remove] : []), add] } })
    },
    async removeOthers(than) {
      for (const index of await names()) {
        if (index === than?.index) continue
        await cluster.call('DELETE', `/${index}`, { optional: true })
        await cluster.call('DELETE', `${state}/${index}`, { optional: true })
      }
    },
  }
}

/** Creates the index for the state of all indexes, unless it exists. */
export async function createState(cluster: Cluster, prefix: string): Promise<void> {
  const body = {
    settings: { index: { number_of_shards: 1, auto_expand_replicas: '0-1' } },
    mappings: { dynamic: false },
  }
  await cluster.call('PUT', `/${prefix}-state`, { body }).catch((error: unknown) => {
    if (!String((error as Error).message).includes('resource_already_exists')) throw error
  })
}

/** Notes about indexes that processes leave for each other. */
export function openNotes<T extends object>(cluster: Cluster, prefix: string) {
  const path = (index: string) => `/${prefix}-state/_doc/note-${index.toLowerCase()}`
  return {
    read: async (index: string): Promise<T | undefined> =>
      (await cluster.call<{ _source: T } | undefined>('GET', path(index), { optional: true }))?._source,
    store: (index: string, note: T): Promise<void> => cluster.call('PUT', path(index), { body: note }),
  }
}
