/** /identity/tokens: the caller's personal tokens. */
import type { identity } from '@kontor/contract'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { auditBy } from '../../core/access/audit.ts'
import type { PersonalTokenRow } from './personal-tokens.sql.ts'
import { type IdentityServices, findUser, requireBundledProvider } from '../routes.shared.ts'

type Routes = Pick<typeof identity.routes, 'listTokens' | 'createToken' | 'revokeToken'>

export const tokens = (services: IdentityServices): RouteHandlers<Routes> => ({
  async listTokens(_ctx, { caller }) {
    return { tokens: (await services.personalTokens.list(caller.userId)).map(toToken) }
  },

  async createToken({ db }, { caller, body: { name, kind } }) {
    requireBundledProvider(services)
    const { userId, clientId = '', sessionId = '' } = caller
    const owner = { user: await findUser(services, userId), clientId, sessionId }
    const { id, token } = await services.personalTokens.create(owner, name, kind)
    await auditBy(db, caller, { action: 'token.create', object: `token ${id}`, detail: { name, kind } })
    const created = (await services.personalTokens.list(userId)).find((row) => row.id === id)!
    return { ...toToken(created), token }
  },

  async revokeToken({ db }, { caller, params: { id = '' } }) {
    const name = await services.personalTokens.revoke(caller.userId, id)
    await auditBy(db, caller, { action: 'token.revoke', object: `token ${id}`, detail: { name } })
  },
})

export const toToken = ({ id, name, kind, createdAt, usedAt, usedFrom, session, expiresAt }: PersonalTokenRow) => ({
  id,
  name,
  kind,
  createdAt: createdAt.toISOString(),
  ...(usedAt && { lastUsedAt: usedAt.toISOString() }),
  ...(usedFrom && { lastUsedFrom: usedFrom }),
  ...(session && { session }),
  expiresAt: expiresAt.toISOString(),
})
