/** Search configurations. An administrator creates them; a search with searchType CONFIG names one. */
import type { Infer, Search, SearchConfiguration } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { newName } from '../../core/batch/names.ts'
import { storable } from '../../core/storable.ts'
import { Problem } from '../../errors.ts'
import { timedHead } from '../reply-head.ts'
import { readsAll } from '../../core/access/permissions.ts'
import { createReader } from '../query/query.ts'
import { type Configured, filterPlace, scopesOf, type Searching, visibleDefaults } from '../query/search.ts'
import * as rows from './configurations.sql.ts'

const toMessage = ({ id, identifier, index, content }: rows.ConfigurationRow): Infer<typeof SearchConfiguration> => ({
  id,
  identifier,
  index,
  ...content,
})

/** A caller with limited rights sees neither the filters nor the names of hidden fields. */
export async function listConfigurations(searching: Searching) {
  const head = timedHead()
  const { db, caller } = searching
  const configurations = (await rows.listConfigurations(db)).map((row) => {
    const { filter, ...content } = row.content
    const scopes = scopesOf(searching, row.index)
    const seesAll = readsAll(caller.permissions) && scopes.every(({ view }) => !view.parts)
    return toMessage({ ...row, content: { ...visibleDefaults(scopes, content), ...(seesAll && filter && { filter }) } })
  })
  return { ...head(), configurations }
}

export async function putConfiguration(
  searching: Searching,
  identifier: string,
  sent: Infer<typeof SearchConfiguration>,
): Promise<Infer<typeof SearchConfiguration>> {
  const { id: _id, identifier: _identifier, index, ...content } = storable('/searchConfiguration', sent)
  // Reject an invalid filter when it is stored, not on every search.
  for (const scope of scopesOf(searching, index)) createReader(scope, undefined)(content.filter, filterPlace)
  const name = newName('identifier', identifier)
  const { db, caller } = searching
  return toMessage(await rows.upsertConfiguration(db, { identifier: name, index, content }, caller.userName))
}

export async function deleteConfiguration(db: Db, identifier: string): Promise<void> {
  if ((await rows.deleteConfiguration(db, identifier)) > 0) return
  throw new Problem('notFound', `no search configuration is called ${identifier.slice(0, 100)}`)
}

/** The settings of the configuration that a search names. Undefined for a search that addresses an index directly. */
export async function findConfigured(
  db: Db,
  { context = {} }: Search,
  place: string,
): Promise<(Configured & { id: number }) | undefined> {
  const { searchType, configId, configIdentifier } = context
  if (searchType !== 'CONFIG') return undefined
  if (configId === undefined && configIdentifier === undefined) {
    throw new Problem('invalid', `${place}/context: CONFIG needs configId or configIdentifier`)
  }
  const by = configIdentifier !== undefined ? { identifier: configIdentifier } : { id: configId! }
  const row = await rows.findConfiguration(db, by)
  if (!row)
    throw new Problem('notFound', `${place}/context: no search configuration is called ${configIdentifier ?? configId}`)
  const { filter, label: _label, ...defaults } = row.content
  return { id: row.id, index: row.index, defaults, ...(filter && { filter }) }
}
