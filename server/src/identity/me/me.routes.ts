/** /identity/me: who the caller is, what others see of them, and their password. */
import type { identity, Infer, Person } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import type { Permissions } from '../../core/access/permissions.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { auditBy } from '../../core/access/audit.ts'
import { listRoles } from '../roles/roles.ts'
import type { User } from '../users/users.ts'
import { updateProfile } from '../users/users.sql.ts'
import { type AreaParts, findUser, needBundled } from '../routes.shared.ts'

type Routes = Pick<typeof identity.routes, 'me' | 'changeMe' | 'changePassword'>

export const me = (parts: AreaParts): RouteHandlers<Routes> => ({
  async me(_ctx, { caller }) {
    return toPerson(await findUser(parts, caller.userId), [...caller.roles], caller.permissions)
  },

  async changeMe({ db }, { caller, body: { displayName, email } }) {
    const profile = { displayName, email }
    await db.transaction(async (db) => {
      await updateProfile(db, caller.userId, profile)
      const object = `user ${caller.userName}`
      await auditBy(db, caller, { action: 'user.update', object, detail: profile })
    })
    return toPerson(await findUser(parts, caller.userId), [...caller.roles], caller.permissions)
  },

  async changePassword(_ctx, { caller, body: { current, password } }) {
    needBundled(parts)
    const attempt = { name: caller.userName, password: current, address: caller.address ?? '', client: caller.clientId }
    // Whoever calls has proven the second factor when they signed in.
    if (!(await parts.signIn.byPassword(attempt))) {
      throw new Problem('invalid', '/passwordChange/current: this is not the present password')
    }
    await parts.users.setPassword(caller.userId, password, {
      note: (db) => auditBy(db, caller, { action: 'user.password', object: `user ${caller.userName}` }),
    })
  },
})

/** Somebody as their roles here make them; another provider may give them others with a token. */
export async function showPerson(db: Db, user: User): Promise<Infer<typeof Person>> {
  const roles = (await listRoles(db)).filter(({ name }) => user.roles.includes(name))
  return toPerson(
    user,
    user.roles,
    roles.flatMap(({ grants }) => grants),
  )
}

function toPerson({ id, name, displayName, email }: User, roles: readonly string[], grants: Permissions) {
  const person = { id, name, ...(displayName && { displayName }), ...(email && { email }) }
  return { ...person, roles: [...roles], grants: grants as Infer<typeof Person>['grants'] }
}
