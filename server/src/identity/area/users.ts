/** /identity/users: people, as administrators keep them. Every change is in the audit log, in the same transaction. */
import type { identity } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import type { Caller } from '../../core/context.ts'
import type { RouteHandlers } from '../../core/routes.ts'
import { audit } from '../audit.ts'
import { randomPassword } from '../passwords.ts'
import { keepAnAdmin, setGroups } from '../roles.ts'
import { endAllOfUser } from '../sessions.sql.ts'
import { countedUser } from '../sign-in.ts'
import { forgetFailures } from '../sign-in.sql.ts'
import { findListedUser, type ListedUser, listUsers, updateProfile } from '../users.sql.ts'
import { nameKey } from '../users.ts'
import { type AreaParts, byCaller, countOf, findUser, needBundled } from './area.ts'

type Routes = Pick<
  typeof identity.routes,
  | 'listUsers'
  | 'createUser'
  | 'getUser'
  | 'changeUser'
  | 'resetPassword'
  | 'setUserRoles'
  | 'setUserGroups'
  | 'unlockUser'
  | 'logoutUser'
>

export const users = (parts: AreaParts): RouteHandlers<Routes> => ({
  async listUsers({ db }, { query: { search, after, count } }) {
    const page = { search, after: after === undefined ? undefined : nameKey(after), limit: countOf(count) }
    return { users: (await listUsers(db, page)).map(toAccount) }
  },

  async getUser({ db }, { params: { id = '' } }) {
    return show(db, (await findUser(parts, id)).id)
  },

  async createUser(_ctx, { caller, body: { groups = [], password, ...user } }) {
    needBundled(parts)
    const shown = password === undefined ? randomPassword() : undefined
    const given = { ...user, password: password ?? shown!, mustChangePassword: true }
    const created = await parts.users.create(given, async (db, { id, name, roles }) => {
      if (groups.length > 0) await setGroups(db, id, groups)
      await note(db, caller, 'user.create', name, { roles, groups })
    })
    return { id: created.id, ...(shown !== undefined && { password: shown }) }
  },

  async changeUser({ db }, { caller, params: { id = '' }, body: { enabled, ...profile } }) {
    const user = await findUser(parts, id)
    await updateProfile(db, id, profile)
    if (enabled !== undefined && enabled !== user.enabled) {
      await parts.users.setEnabled(id, enabled, async (db) => {
        await keepAnAdmin(db)
        await note(db, caller, enabled ? 'user.enable' : 'user.disable', user.name)
      })
    } else await note(db, caller, 'user.update', user.name, profile)
    return show(db, id)
  },

  async resetPassword(_ctx, { caller, params: { id = '' }, body }) {
    needBundled(parts)
    const { name } = await findUser(parts, id)
    const shown = body?.password === undefined ? randomPassword() : undefined
    await parts.users.setPassword(id, body?.password ?? shown!, {
      other: true,
      note: (db) => note(db, caller, 'user.reset-password', name),
    })
    return { id, ...(shown !== undefined && { password: shown }) }
  },

  async setUserRoles({ db }, { caller, params: { id = '' }, body: { roles = [] } }) {
    const { name } = await findUser(parts, id)
    await parts.users.setRoles(id, roles, async (db, before) => {
      await keepAnAdmin(db)
      await note(db, caller, 'user.roles', name, { before: before.roles, roles })
    })
    return show(db, id)
  },

  async setUserGroups({ db }, { caller, params: { id = '' }, body: { groups = [] } }) {
    const { name } = await findUser(parts, id)
    await db.transaction(async (db) => {
      await setGroups(db, id, groups)
      await note(db, caller, 'user.groups', name, { groups })
    })
    return show(db, id)
  },

  async unlockUser({ db }, { caller, params: { id = '' } }) {
    const { name } = await findUser(parts, id)
    await forgetFailures(db, countedUser(name))
    await note(db, caller, 'user.unlock', name)
  },

  async logoutUser({ db }, { caller, params: { id = '' } }) {
    const { name } = await findUser(parts, id)
    await db.transaction(async (db) => {
      await endAllOfUser(db, id)
      await note(db, caller, 'user.logout', name)
    })
  },
})

const note = (db: Db, caller: Caller, action: string, name: string, detail?: Readonly<Record<string, unknown>>) =>
  audit(db, { ...byCaller(caller), action, object: `user ${name}`, detail })

const show = async (db: Db, id: string) => toAccount((await findListedUser(db, id))!)

const toAccount = (user: ListedUser) => ({
  id: user.id,
  name: user.name,
  ...(user.displayName && { displayName: user.displayName }),
  ...(user.email && { email: user.email }),
  enabled: user.enabled,
  locked: user.locked,
  mustChangePassword: user.mustChangePassword,
  roles: [...user.ownRoles],
  groups: [...user.groups],
  ...(user.issuer && { issuer: user.issuer }),
  createdAt: user.createdAt.toISOString(),
})
