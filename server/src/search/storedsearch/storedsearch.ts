/** Stored searches. Every user has their own and cannot see those of others. */
import type { Infer, Search, StoredSearch, StoredSearchInsert } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import type { Caller } from '../../core/context.ts'
import { newName } from '../../core/batch/names.ts'
import { storable } from '../../core/storable.ts'
import { Problem } from '../../errors.ts'
import { findConfigured } from '../configurations/configurations.ts'
import { timedHead } from '../reply-head.ts'
import { demandIndex } from '../fields/fields.ts'
import * as rows from './storedsearch.sql.ts'

const mostSearches = 1000
const maxSize = 64 * 1024

export async function storeSearch(db: Db, { userName }: Caller, sent: Infer<typeof StoredSearchInsert>) {
  const head = timedHead()
  const name = newName('/storedSearchInsert/name', sent.name)
  const search = stored('/storedSearchInsert/searchObject', sent.searchObject)
  const row = { name, search, ...(await placeOf(db, search)) }
  if ((await rows.countSearches(db, userName)) >= mostSearches) {
    throw new Problem('invalid', `at most ${mostSearches} searches can be stored; remove some first`)
  }
  const id = await rows.insertSearch(db, userName, row)
  return { ...head(), id, name }
}

export async function loadSearch(db: Db, { userName }: Caller, id: string): Promise<Search> {
  const found = await rows.findSearch(db, userName, toId(id))
  if (!found) throw notFound(id)
  return found.search
}

export async function listSearches(db: Db, { userName }: Caller, filter: { index?: string; configId?: string }) {
  const head = timedHead()
  const found = await rows.listSearches(db, userName, {
    ...(filter.index !== undefined && { index: demandIndex(filter.index, 'index') }),
    ...(filter.configId !== undefined && { configId: toId(filter.configId) }),
  })
  const storedSearchEntries = found.map(({ id, name, index, configId, identifier }) => ({
    id,
    name,
    ...(index !== null && { index }),
    ...(configId !== null && { pluginConfigurationId: configId }),
    ...(identifier !== null && { pluginIdentifier: identifier }),
  }))
  return { ...head(), storedSearchEntries }
}

export async function changeSearch(db: Db, { userName }: Caller, id: string, sent: Infer<typeof StoredSearch>) {
  const head = timedHead()
  const { name, searchObject: search } = sent
  if (name === undefined && search === undefined) {
    throw new Problem('invalid', '/storedSearch: changes nothing; send name or searchObject')
  }
  const changed = await rows.updateSearch(db, userName, toId(id), {
    ...(name !== undefined && { name: newName('/storedSearch/name', name) }),
    ...(search && { search: stored('/storedSearch/searchObject', search), ...(await placeOf(db, search)) }),
  })
  if (changed === undefined) throw notFound(id)
  return { ...head(), id: toId(id), name: changed }
}

export async function deleteSearch(db: Db, { userName }: Caller, id: string): Promise<void> {
  if ((await rows.deleteSearch(db, userName, toId(id))) === 0) throw notFound(id)
}

function stored(place: string, search: Search): Search {
  const size = Buffer.byteLength(JSON.stringify(storable(place, search)))
  if (size > maxSize)
    throw new Problem('invalid', `${place}: has ${size} bytes as JSON; at most ${maxSize} can be stored`)
  return search
}

const notFound = (id: string) => new Problem('notFound', `no stored search of yours has the id ${id.slice(0, 40)}`)

/** The index and configuration that a search uses, for lists. */
async function placeOf(db: Db, search: Search) {
  const { context } = search
  const isConfigured = context?.searchType === 'CONFIG'
  const configured = isConfigured ? await findConfigured(db, search, '/searchObject') : undefined
  return { index: configured?.index ?? context?.index ?? null, configId: configured?.id ?? null }
}

/** Longer numbers match nothing: no object has an id of 16 digits or more. */
function toId(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : -1
}
