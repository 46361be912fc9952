/** /identity/groups: the groups of users and the roles that each group gives. */
import type { identity } from '@kontor/contract'
import { auditBy } from '../../core/access/audit.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import type { IdentityServices } from '../routes.shared.ts'
import * as rules from './groups.ts'

type Routes = Pick<typeof identity.routes, 'listGroups' | 'putGroup' | 'deleteGroup'>

export const groups = (_services: IdentityServices): RouteHandlers<Routes> => ({
  async listGroups({ db }) {
    return { groups: (await rules.listGroups(db)).map((group) => ({ ...group, roles: [...group.roles] })) }
  },

  async putGroup({ db }, { caller, params: { name = '' }, body: { description = '', roles = [] } }) {
    await db.transaction(async (db) => {
      await rules.putGroup(db, name, description, roles)
      await auditBy(db, caller, { action: 'group.put', object: `group ${name}`, detail: { roles } })
    })
    const { members } = (await rules.listGroups(db)).find((group) => group.name === name)!
    return { name, description, roles, members }
  },

  async deleteGroup({ db }, { caller, params: { name = '' } }) {
    await db.transaction(async (db) => {
      await rules.removeGroup(db, name)
      await auditBy(db, caller, { action: 'group.delete', object: `group ${name}` })
    })
  },
})
