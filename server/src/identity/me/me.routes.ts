/** /identity/me: the caller's own profile, permissions and password. */
import type { identity, Infer, Person } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import type { Grant, Permissions } from '../../core/access/permissions.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { auditBy } from '../../core/access/audit.ts'
import { listRoles } from '../roles/roles.ts'
import type { User } from '../users/users.ts'
import { updateProfile } from '../users/users.sql.ts'
import { type IdentityServices, findUser, requireBundledProvider } from '../routes.shared.ts'

type Routes = Pick<typeof identity.routes, 'me' | 'changeMe' | 'changePassword'>

export const me = (services: IdentityServices): RouteHandlers<Routes> => ({
  async me(_ctx, { caller }) {
    return toPerson(await findUser(services, caller.userId), [...caller.roles], caller.permissions.map(withoutHidden))
  },

  async changeMe({ db }, { caller, body: { displayName, email } }) {
    const profile = { displayName, email }
    await db.transaction(async (db) => {
      await updateProfile(db, caller.userId, profile)
      const object = `user ${caller.userName}`
      await auditBy(db, caller, { action: 'user.update', object, detail: profile })
    })
    return toPerson(await findUser(services, caller.userId), [...caller.roles], caller.permissions.map(withoutHidden))
  },

  async changePassword(_ctx, { caller, body: { current, password } }) {
    requireBundledProvider(services)
    const { userName: name, address = '', clientId: client } = caller
    const attempt = { name, password: current, address, signedIn: true, ...(client !== undefined && { client }) }
    // The caller has already proven the second factor at sign-in, so `needsCode` counts as success.
    if (!(await services.signIn.byPassword(attempt))) {
      throw new Problem('invalid', '/passwordChange/current: this is not the current password')
    }
    await services.users.setPassword(caller.userId, password, {
      note: (db) => auditBy(db, caller, { action: 'user.password', object: `user ${caller.userName}` }),
    })
  },
})

/** The grant as its owner may see it: it does not name the attributes that it hides. */
function withoutHidden({ visibleAttributes, editableAttributes, ...grant }: Grant): Grant {
  const hidden = new Set(visibleAttributes?.except)
  const editable = editableAttributes?.except?.filter((tid) => !hidden.has(tid))
  return {
    ...grant,
    ...(visibleAttributes?.only && { visibleAttributes: { only: visibleAttributes.only } }),
    ...(editableAttributes && { editableAttributes: { ...editableAttributes, ...(editable && { except: editable }) } }),
  }
}

/** A user with the permissions of their stored roles. Tokens of an external provider may carry other roles. */
export async function personOf(db: Db, user: User): Promise<Infer<typeof Person>> {
  const roles = (await listRoles(db)).filter(({ name }) => user.roles.includes(name))
  return toPerson(
    user,
    user.roles,
    roles.flatMap(({ grants }) => grants),
  )
}

function toPerson({ id, name, displayName, email }: User, roles: readonly string[], grants: Permissions) {
  const person = { id, name, ...(displayName && { displayName }), ...(email && { email }) }
  return { ...person, roles: [...roles], grants: grants as NonNullable<Infer<typeof Person>['grants']> }
}
