/** /identity/users: user accounts, managed by administrators. Each change writes an audit event in its transaction. */
import { because } from '@kontor/contract'
import type { identity } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import type { Caller } from '../../core/context.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { auditBy } from '../../core/access/audit.ts'
import { randomPassword } from '../passwords/passwords.ts'
import { setGroups } from '../groups/groups.ts'
import { requireAnAdmin } from '../roles/roles.ts'
import { deleteSecondFactor } from '../sessions/second-factor.sql.ts'
import { endAllOfUser } from '../sessions/sessions.sql.ts'
import { countedUser } from '../sessions/locks.ts'
import { unlockUser } from '../sessions/sign-in.sql.ts'
import { countUsers, findListedUser, type ListedUser, listUsers, updateProfile } from './users.sql.ts'
import { nameKey } from './users.ts'
import { type IdentityServices, countOf, findUser, requireBundledProvider } from '../routes.shared.ts'
import { personOf } from '../me/me.routes.ts'
import { toToken } from '../tokens/tokens.routes.ts'

type AccountRoutes = Pick<
  typeof identity.routes,
  'listUsers' | 'createUser' | 'getUser' | 'changeUser' | 'getUserAccess'
>
type AccessRoutes = Pick<
  typeof identity.routes,
  | 'listUserTokens'
  | 'revokeUserToken'
  | 'resetPassword'
  | 'setUserRoles'
  | 'setUserGroups'
  | 'resetTwoFactor'
  | 'unlockUser'
  | 'logoutUser'
>

export const users = (services: IdentityServices): RouteHandlers<AccountRoutes & AccessRoutes> => ({
  ...accountRoutes(services),
  ...accessRoutes(services),
})

const accountRoutes = (services: IdentityServices): RouteHandlers<AccountRoutes> => ({
  async listUsers({ db }, { query: { search, role, group, enabled, after, count } }) {
    const filter = { search, role, group, enabled: enabled === undefined ? undefined : enabled === 'true' }
    const page = { after: after === undefined ? undefined : nameKey(after), limit: countOf(count) }
    const [found, total] = await Promise.all([listUsers(db, { ...filter, ...page }), countUsers(db, filter)])
    return { users: found.map(toAccount), total }
  },

  async getUser({ db }, { params: { id = '' } }) {
    return findAccount(db, (await findUser(services, id)).id)
  },

  async createUser(_ctx, { caller, body: { groups = [], password, ...user } }) {
    requireBundledProvider(services)
    const generated = password === undefined ? randomPassword() : undefined
    const account = { ...user, password: password ?? generated!, mustChangePassword: true }
    const created = await services.users.create(account, async (db, { id, name, roles }) => {
      if (groups.length > 0) await setGroups(db, id, groups)
      await note(db, caller, 'user.create', name, { roles, groups })
    })
    return { id: created.id, ...(generated !== undefined && { password: generated }) }
  },

  async changeUser({ db }, { caller, params: { id = '' }, body: { enabled, ...profile } }) {
    const user = await findUser(services, id)
    const change = async (db: Db, action: string) => {
      await updateProfile(db, id, profile)
      await note(db, caller, action, user.name, profile)
    }
    if (enabled === undefined || enabled === user.enabled) await db.transaction((db) => change(db, 'user.update'))
    else {
      await services.users.setEnabled(id, enabled, async (db) => {
        await requireAnAdmin(db)
        await change(db, enabled ? 'user.enable' : 'user.disable')
      })
    }
    return findAccount(db, id)
  },

  async getUserAccess({ db }, { params: { id = '' } }) {
    return personOf(db, await findUser(services, id))
  },
})

/** Tokens, passwords, roles and sessions of a user. */
const accessRoutes = (services: IdentityServices): RouteHandlers<AccessRoutes> => ({
  async listUserTokens(_ctx, { params: { id = '' } }) {
    const user = await findUser(services, id)
    return { tokens: (await services.personalTokens.list(user.id)).map(toToken) }
  },

  async revokeUserToken({ db }, { caller, params: { id = '', token = '' } }) {
    const { name } = await findUser(services, id)
    const tokenName = await services.personalTokens.revoke(id, token)
    await note(db, caller, 'token.revoke', name, { token, name: tokenName })
  },

  async resetPassword(_ctx, { caller, params: { id = '' }, body }) {
    requireBundledProvider(services)
    const { name } = await findUser(services, id)
    const generated = body?.password === undefined ? randomPassword() : undefined
    await services.users.setPassword(id, body?.password ?? generated!, {
      other: true,
      note: (db) => note(db, caller, 'user.reset-password', name),
    })
    return { id, ...(generated !== undefined && { password: generated }) }
  },

  async setUserRoles({ db }, { caller, params: { id = '' }, body: { roles = [] } }) {
    const { name } = await findUser(services, id)
    await services.users.setRoles(id, roles, async (db, before) => {
      await requireAnAdmin(db)
      await note(db, caller, 'user.roles', name, { before: before.roles, roles })
    })
    return findAccount(db, id)
  },

  async setUserGroups({ db }, { caller, params: { id = '' }, body: { groups = [] } }) {
    const { name } = await findUser(services, id)
    await db.transaction(async (db) => {
      await setGroups(db, id, groups)
      await note(db, caller, 'user.groups', name, { groups })
    })
    return findAccount(db, id)
  },

  async resetTwoFactor({ db }, { caller, params: { id = '' } }) {
    requireBundledProvider(services)
    const { name } = await findUser(services, id)
    await db.transaction(async (db) => {
      if (!(await deleteSecondFactor(db, id))) throw new Problem('notFound', because('noSecondFactor', { user: name }))
      await note(db, caller, 'user.reset-two-factor', name)
    })
  },

  async unlockUser({ db }, { caller, params: { id = '' } }) {
    const { name } = await findUser(services, id)
    await unlockUser(db, countedUser(name).key)
    await note(db, caller, 'user.unlock', name)
  },

  async logoutUser({ db }, { caller, params: { id = '' } }) {
    requireBundledProvider(services) // the user would get new tokens from the provider at once
    const { name } = await findUser(services, id)
    await db.transaction(async (db) => {
      await endAllOfUser(db, id)
      await note(db, caller, 'user.logout', name)
    })
  },
})

const note = (db: Db, caller: Caller, action: string, name: string, detail?: Readonly<Record<string, unknown>>) =>
  auditBy(db, caller, { action, object: `user ${name}`, ...(detail && { detail }) })

const findAccount = async (db: Db, id: string) => toAccount((await findListedUser(db, id))!)

const toAccount = (user: ListedUser) => ({
  id: user.id,
  name: user.name,
  ...(user.displayName && { displayName: user.displayName }),
  ...(user.email && { email: user.email }),
  enabled: user.enabled,
  locked: user.locked,
  twoFactor: user.twoFactor,
  mustChangePassword: user.mustChangePassword,
  roles: [...user.ownRoles],
  groups: [...user.groups],
  ...(user.issuer && { issuer: user.issuer }),
  createdAt: user.createdAt.toISOString(),
})
