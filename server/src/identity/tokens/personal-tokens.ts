/**
 * Tokens that users create for scripts and integrations. They have the permissions of their owner.
 *
 *   access    a child session of the one that created it: valid for an hour, ends with the logout of its owner
 *   offline   an offline session: valid for 30 days after each use, not affected by logout
 */
import type { Db } from '../../adapters/postgres/db.ts'
import { Problem } from '../../errors.ts'
import { createTtlCache } from '../ttl-cache.ts'
import * as sql from './personal-tokens.sql.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Tokens } from './tokens.ts'
import type { User } from '../users/users.ts'

interface TokenOwner {
  readonly user: User
  readonly clientId: string
  readonly sessionId: string
}

export interface PersonalTokens {
  /** Returns the token, which is not stored. */
  create(by: TokenOwner, name: string, kind: 'access' | 'offline'): Promise<{ id: string; token: string }>
  list(userId: string): Promise<sql.PersonalTokenRow[]>
  /** Returns the name of the token. */
  revoke(userId: string, id: string): Promise<string>
  /** Records the use of an access token, at most once a minute. */
  used(sessionId: string, address: string): Promise<void>
}

export function createPersonalTokens(db: Db, sessions: Sessions, tokens: Tokens): PersonalTokens {
  const uses = createTtlCache(async (use: string) => {
    const [sessionId = '', address = ''] = use.split(' ')
    await sql.recordUse(db, { sessionId }, address)
  }, 60_000)
  return {
    async create({ user, clientId, sessionId: parentId }, name, kind) {
      if (name.trim() === '' || name.length > 255) {
        throw new Problem('invalid', '/newPersonalToken/name: expected 1 to 255 characters')
      }
      const by = { userId: user.id, clientId }
      if (kind === 'access') {
        const signedIn = await sessions.start({ ...by, parentId }, 'openid')
        const { access_token: token } = await tokens.issueAccess({ user, signedIn })
        const row = { userId: user.id, name, kind, sessionId: signedIn.session.id }
        return { id: await sql.insertPersonalToken(db, row), token }
      }
      const signedIn = await sessions.start(by, 'openid offline_access')
      const { refresh_token: token } = await tokens.issue({ user, signedIn })
      const row = { userId: user.id, name, kind, offlineId: signedIn.offlineId! }
      return { id: await sql.insertPersonalToken(db, row), token }
    },
    list: (userId) => sql.listPersonalTokens(db, userId),
    async revoke(userId, id) {
      const found = isId(id) ? await sql.findPersonalToken(db, userId, id) : undefined
      if (!found) throw new Problem('notFound', `no token has the id ${id.slice(0, 100)}`)
      if (found.sessionId !== null) await sessions.end([found.sessionId])
      if (found.offlineId !== null) await sessions.endOffline(found.offlineId)
      return found.name
    },
    used: (sessionId, address) => uses.get(`${sessionId} ${address}`),
  }
}

export const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
