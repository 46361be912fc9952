/** Stored searches. Every user has their own and cannot see those of others. */
import type { Infer, Search, StoredSearch, StoredSearchInsert } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import type { Caller } from '../../core/context.ts'
import { newName } from '../../core/batch/names.ts'
import { storable } from '../../core/storable.ts'
import { Problem } from '../../errors.ts'
import { findConfigured } from '../configurations/configurations.ts'
import { setAlert } from '../alerts/alerts.ts'
import { pageOf, type Searching } from '../query/search.ts'
import { timedHead } from '../reply-head.ts'
import { demandIndex } from '../fields/fields.ts'
import * as rows from './storedsearch.sql.ts'

const mostSearches = 1000
const maxSize = 64 * 1024

/** Opens the search engine, which is needed only for a search that notifies. */
type Open = (db: Db) => Promise<Searching>

export async function storeSearch(db: Db, { userName }: Caller, open: Open, sent: Infer<typeof StoredSearchInsert>) {
  const head = timedHead()
  const name = newName('/storedSearchInsert/name', sent.name)
  const search = stored('/storedSearchInsert/searchObject', sent.searchObject)
  const row = { name, search, ...(await placeOf(db, search)) }
  if ((await rows.countSearches(db, userName)) >= mostSearches) {
    throw new Problem('invalid', `at most ${mostSearches} searches can be stored; remove some first`)
  }
  const id = await rows.insertSearch(db, userName, row)
  if (sent.notify !== undefined && sent.notify !== 'never') await setAlert(await open(db), id, search, sent.notify)
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
  const storedSearchEntries = found.map(({ id, name, index, configId, identifier, frequency }) => ({
    id,
    name,
    ...(index !== null && { index }),
    ...(configId !== null && { pluginConfigurationId: configId }),
    ...(identifier !== null && { pluginIdentifier: identifier }),
    ...(frequency !== null && { notify: frequency }),
  }))
  return { ...head(), storedSearchEntries }
}

export async function changeSearch(
  db: Db,
  { userName }: Caller,
  open: Open,
  id: string,
  sent: Infer<typeof StoredSearch>,
) {
  const head = timedHead()
  const { name, searchObject: search, notify } = sent
  if (name === undefined && search === undefined && notify === undefined) {
    throw new Problem('invalid', '/storedSearch: changes nothing; send name, searchObject or notify')
  }
  const changed = await rows.updateSearch(db, userName, toId(id), {
    ...(name !== undefined && { name: newName('/storedSearch/name', name) }),
    ...(search && { search: stored('/storedSearch/searchObject', search), ...(await placeOf(db, search)) }),
  })
  const now = changed === undefined ? undefined : await rows.findSearch(db, userName, toId(id))
  if (changed === undefined || !now) throw notFound(id)
  // another search has other matches, which are not new
  const frequency = notify ?? (search ? (now.frequency ?? undefined) : undefined)
  if (frequency !== undefined) await setAlert(await open(db), toId(id), now.search, frequency)
  return { ...head(), id: toId(id), name: changed }
}

export async function deleteSearch(db: Db, { userName }: Caller, id: string): Promise<void> {
  if ((await rows.deleteSearch(db, userName, toId(id))) === 0) throw notFound(id)
}

/** Fields and conditions are checked when the search is used, because its index may have changed. */
function stored(place: string, search: Search): Search {
  pageOf(search, place)
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
