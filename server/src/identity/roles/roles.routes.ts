/** /identity/roles: roles and the permissions that they grant. */
import type { identity, Infer, RoleTrialResult, UserRole } from '@kontor/contract'
import type { StoredGrant } from '../../core/access/permissions.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { auditBy } from '../../core/access/audit.ts'
import * as rules from './roles.ts'
import { tryRole } from './trials.ts'
import type { IdentityServices } from '../routes.shared.ts'

type Routes = Pick<typeof identity.routes, 'listRoles' | 'putRole' | 'tryRole' | 'deleteRole'>

type RoleValue = Infer<typeof UserRole>

export const roles = (services: IdentityServices): RouteHandlers<Routes> => ({
  async listRoles({ db }) {
    return { roles: (await rules.listRoles(db)) as RoleValue[] }
  },

  async putRole({ db }, { caller, params: { name = '' }, body: { description = '', grants = [] } }) {
    await db.transaction(async (db) => {
      await rules.putRole(db, { name, description, grants: grants as StoredGrant[] })
      await auditBy(db, caller, { action: 'role.put', object: `role ${name}`, detail: { grants } })
    })
    return { name, description, grants }
  },

  async tryRole({ db }, { body: { name, user, grants = [] } }) {
    const tried = await tryRole(db, services.users, { name, user, grants: grants as StoredGrant[] })
    return tried as Infer<typeof RoleTrialResult>
  },

  async deleteRole({ db }, { caller, params: { name = '' } }) {
    await db.transaction(async (db) => {
      await rules.removeRole(db, name)
      await auditBy(db, caller, { action: 'role.delete', object: `role ${name}` })
    })
  },
})
