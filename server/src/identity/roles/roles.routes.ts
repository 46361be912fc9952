/** /identity/groups and /identity/roles: what people may do, and what brings it to them. */
import type { identity, Infer, UserRole } from '@kontor/contract'
import type { Grant } from '../../core/access/permissions.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { auditBy } from '../../core/access/audit.ts'
import * as rules from './roles.ts'
import type { AreaParts } from '../routes.shared.ts'

type GroupRoutes = Pick<typeof identity.routes, 'listGroups' | 'putGroup' | 'deleteGroup'>
type RoleRoutes = Pick<typeof identity.routes, 'listRoles' | 'putRole' | 'deleteRole'>

export const groups = (_parts: AreaParts): RouteHandlers<GroupRoutes> => ({
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

type RoleValue = Infer<typeof UserRole>

export const roles = (_parts: AreaParts): RouteHandlers<RoleRoutes> => ({
  async listRoles({ db }) {
    return { roles: (await rules.listRoles(db)) as RoleValue[] }
  },

  async putRole({ db }, { caller, params: { name = '' }, body: { description = '', grants = [] } }) {
    await db.transaction(async (db) => {
      await rules.putRole(db, { name, description, grants: grants as Grant[] })
      await auditBy(db, caller, { action: 'role.put', object: `role ${name}`, detail: { grants } })
    })
    return { name, description, grants }
  },

  async deleteRole({ db }, { caller, params: { name = '' } }) {
    await db.transaction(async (db) => {
      await rules.removeRole(db, name)
      await auditBy(db, caller, { action: 'role.delete', object: `role ${name}` })
    })
  },
})
