/** /identity/clients: other systems that sign users in through Kontor, or call the API themselves. */
import type { identity } from '@kontor/contract'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { auditBy } from '../../core/access/audit.ts'
import * as registry from './client-registry.ts'
import { type Client, findClient, listClients } from './clients.sql.ts'
import { findUserById } from '../users/users.sql.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { type IdentityServices, requireBundledProvider } from '../routes.shared.ts'

type Routes = Pick<typeof identity.routes, 'listClients' | 'createClient' | 'changeClient' | 'deleteClient'>

export const clients = (services: IdentityServices): RouteHandlers<Routes> => ({
  async listClients({ db }) {
    const found = []
    for (const client of await listClients(db)) found.push(await toAccount(db, client))
    return { clients: found }
  },

  async createClient({ db }, { caller, body }) {
    requireBundledProvider(services)
    const { secret } = await registry.createClient(db, body, (db) =>
      auditBy(db, caller, { action: 'client.create', object: `client ${body.id}` }),
    )
    return { ...(await toAccount(db, (await findClient(db, body.id))!)), secret }
  },

  async changeClient({ db }, { caller, params: { id = '' }, body: { roles, ...change } }) {
    const { serviceUser } = await registry.findConfidential(db, id)
    if (roles) await services.users.setRoles(serviceUser, roles)
    const { secret } = await db.transaction(async (db) => {
      const changed = await registry.changeClient(db, id, change)
      await auditBy(db, caller, { action: 'client.change', object: `client ${id}`, detail: { roles, ...change } })
      return changed
    })
    return { ...(await toAccount(db, (await findClient(db, id))!)), ...(secret !== undefined && { secret }) }
  },

  async deleteClient({ db }, { caller, params: { id = '' } }) {
    requireBundledProvider(services)
    await db.transaction(async (db) => {
      await registry.removeClient(db, id)
      await auditBy(db, caller, { action: 'client.delete', object: `client ${id}` })
    })
  },
})

async function toAccount(db: Db, client: Client) {
  const { id, name, secretHash, redirectUris, serviceUser, enabled, createdAt } = client
  const user = serviceUser === null ? undefined : await findUserById(db, serviceUser)
  return {
    id,
    ...(name && { name }),
    confidential: secretHash !== null,
    redirectUris: [...redirectUris],
    roles: [...(user?.roles ?? [])],
    enabled,
    createdAt: createdAt.toISOString(),
  }
}
