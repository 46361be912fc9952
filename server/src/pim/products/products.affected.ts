/**
 * Which products can look different after changes, for readers that keep copies of products. The answer may contain too
 * many products, but never too few: the reader compares them.
 */
import type { DataType } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import type { OutboxRow } from '../../core/outbox/outbox.ts'
import * as rows from './products.affected.sql.ts'

interface Affected {
  /** The tids of products, or all products. */
  readonly tids: readonly string[] | 'all'
  /** Every product with links may be affected too. */
  readonly linked: boolean
}

/**
 * - object: its product, and the products that link to it
 * - links: every product with links, because the object's own links are gone, or because paths below it changed
 * - all: every product, because of inherited values, defaults, labels or paths
 */
type Effect = 'object' | 'links' | 'all' | 'none'
type Effects = Effect | Readonly<Record<OutboxRow['event'], Effect>> | ((change: OutboxRow) => Effect)

const whenChanged: Effects = { CREATE: 'none', UPDATE: 'all', DELETE: 'all' }
const whenThere: Effects = { CREATE: 'object', UPDATE: 'object', DELETE: 'links' }

const effects: Readonly<Record<DataType, Effects>> = {
  product: whenThere,
  // Articles and variations are deleted with their product only.
  article: 'object',
  variant: 'object',
  // Products do not show the groups of attributes.
  attrDefinition: ({ event, action }) => (event === 'CREATE' || action === 'group' ? 'none' : 'all'),
  attrGroup: 'none',
  classification: whenChanged,
  node: whenChanged,
  attribute: 'all',
  // Its path, its file, and whether it is in the trash.
  asset: whenThere,
  dir: { CREATE: 'none', UPDATE: 'links', DELETE: 'links' },
  version: 'none',
  rnc: { CREATE: 'none', UPDATE: 'links', DELETE: 'links' },
  // If it moves, so do the channels below it, and with them the right to see their links.
  project: ({ event, action }) => (event === 'DELETE' || (event === 'UPDATE' && action === null) ? 'links' : 'object'),
  projectTypes: 'none',
  peo: 'none',
  template: 'none',
  keyword: 'none',
  glossary: 'none',
  glossaryEntry: 'none',
  link: 'links',
  locale: 'all',
  message: 'none',
  workflow: 'none',
  feed: 'none',
  rule: 'none',
  collection: 'none',
  share: 'none',
  searchHistory: 'none',
}

function effectOf(change: OutboxRow): Effect {
  const { dataType, event } = change
  // Other names are commands to search indexes.
  const found = Object.hasOwn(effects, dataType) ? effects[dataType as DataType] : 'none'
  if (typeof found === 'string') return found
  return typeof found === 'function' ? found(change) : found[event]
}

export async function affectedProducts(db: Db, changes: readonly OutboxRow[]): Promise<Affected> {
  const found = new Map<Effect, Set<number>>()
  for (const change of changes) {
    const effect = effectOf(change)
    found.set(effect, (found.get(effect) ?? new Set()).add(change.objectId))
  }
  if (found.has('all')) return { tids: 'all', linked: true }
  const objects = found.get('object')
  return { tids: objects ? await rows.findConcerned(db, [...objects]) : [], linked: found.has('links') }
}
