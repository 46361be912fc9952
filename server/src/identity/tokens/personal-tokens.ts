/**
 * Tokens that people make for themselves, for scripts and integrations. They carry the rights of their owner, no more.
 *
 *   access    a session of its own within the one it was made in: an hour, and gone with the logout of its maker
 *   offline   an offline session: 30 days from each use, and untouched by logout
 */
import type { Db } from '../../adapters/postgres/db.ts'
import { Problem } from '../../errors.ts'
import { createTtlCache } from '../ttl-cache.ts'
import * as sql from './personal-tokens.sql.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Tokens } from './tokens.ts'
import type { User } from '../users/users.ts'

export interface Maker {
  readonly user: User
  readonly clientId: string
  readonly sessionId: string
}

export interface PersonalTokens {
  /** The token is in the answer and nowhere else. */
  create(by: Maker, name: string, kind: 'access' | 'offline'): Promise<{ id: string; token: string }>
  list(userId: string): Promise<sql.PersonalTokenRow[]>
  /** Returns its name. */
  revoke(userId: string, id: string): Promise<string>
  /** An access token was used; noted once a minute. */
  used(sessionId: string, address: string): Promise<void>
}

export function createPersonalTokens(db: Db, sessions: Sessions, tokens: Tokens): PersonalTokens {
  const uses = createTtlCache(async (use: string) => {
    const [sessionId = '', address = ''] = use.split(' ')
    await sql.noteUse(db, { sessionId }, address)
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
      if (!found) throw new Problem('notFound', `there is no token with the id ${id.slice(0, 100)}`)
      if (found.sessionId !== null) await sessions.end([found.sessionId])
      if (found.offlineId !== null) await sessions.endOffline(found.offlineId)
      return found.name
    },
    used: (sessionId, address) => uses.get(`${sessionId} ${address}`),
  }
}

export const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
