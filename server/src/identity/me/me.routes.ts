/** /identity/me: the caller's own profile, permissions and password. */
import { because, type identity, type Infer, type Person } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import type { Caller } from '../../core/context.ts'
import type { Grant, StoredGrant } from '../../core/access/permissions.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { auditBy } from '../../core/access/audit.ts'
import { listRoles } from '../roles/roles.ts'
import type { User } from '../users/users.ts'
import { findHomeWidgets, updateHomeWidgets, updateProfile } from '../users/users.sql.ts'
import { type IdentityServices, findUser, requireBundledProvider } from '../routes.shared.ts'

type Routes = Pick<typeof identity.routes, 'me' | 'changeMe' | 'changePassword'>

export const me = (services: IdentityServices): RouteHandlers<Routes> => ({
  me: ({ db }, { caller }) => myself(services, db, caller),

  async changeMe({ db }, { caller, body: { displayName, email, homeWidgets } }) {
    if (homeWidgets && (homeWidgets.length > 50 || homeWidgets.some((name) => name.length > 40)))
      throw new Problem('invalid', '/profileChange/homeWidgets: at most 50 names of at most 40 characters')
    const profile = { displayName, email }
    await db.transaction(async (db) => {
      if (homeWidgets) await updateHomeWidgets(db, caller.userId, homeWidgets)
      if (displayName === undefined && email === undefined && homeWidgets) return
      await updateProfile(db, caller.userId, profile)
      const object = `user ${caller.userName}`
      await auditBy(db, caller, { action: 'user.update', object, detail: profile })
    })
    return myself(services, db, caller)
  },

  async changePassword(_ctx, { caller, body: { current, password } }) {
    requireBundledProvider(services)
    const { userName: name, address = '', clientId: client } = caller
    const attempt = { name, password: current, address, signedIn: true, ...(client !== undefined && { client }) }
    // The caller has already proven the second factor at sign-in, so `needsCode` counts as success.
    if (!(await services.signIn.byPassword(attempt))) {
      throw new Problem('invalid', because('wrongPassword'))
    }
    await services.users.setPassword(caller.userId, password, {
      note: (db) => auditBy(db, caller, { action: 'user.password', object: `user ${caller.userName}` }),
    })
  },
})

async function myself(services: IdentityServices, db: Db, { userId, roles, permissions }: Caller) {
  const homeWidgets = await findHomeWidgets(db, userId)
  const person = toPerson(await findUser(services, userId), [...roles], permissions.map(withoutHidden))
  return { ...person, ...(homeWidgets && { homeWidgets }) }
}

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

function toPerson({ id, name, displayName, email }: User, roles: readonly string[], grants: readonly StoredGrant[]) {
  const person = { id, name, ...(displayName && { displayName }), ...(email && { email }) }
  return { ...person, roles: [...roles], grants: grants as NonNullable<Infer<typeof Person>['grants']> }
}
