/**
 * Sessions: started by signing in, ended by signing out, and asked about on every request.
 *
 *   access token  -> user session      ends at logout, after 12 hours without use, with a new password
 *   offline token -> offline session   outlives logout; each exchange grants 30 more days and names a live user session
 *
 * The answer to "is it live?" is remembered for a second at most, and forgotten at once when another process tells that
 * it has changed, so that a logout elsewhere is heard within a second in any case.
 *
 * With rotation a refresh or offline token is good for one exchange. Presented again, it was stolen from one of the two
 * who hold it: the session ends, whoever it was.
 */
import type { Db } from '../../adapters/postgres/db.ts'
import { createTtlCache } from '../ttl-cache.ts'
import * as sql from './sessions.sql.ts'

export type { LiveSession, Session } from './sessions.sql.ts'

export interface SignedIn {
  readonly session: sql.Session
  readonly scope: string
  /** Which of the tokens that replace each other this one is, where rotation is on. */
  readonly generation: number
  /** The offline session, when an offline token was asked for. */
  readonly offlineId?: string
}

/** What became of a refresh token: resumed, of no use, or used before, whereupon its session was ended. */
export type Resumed = SignedIn | 'reused' | undefined

export interface Sessions {
  /** Undefined when the session has ended or never was. */
  state(id: string): Promise<sql.LiveSession | undefined>
  start(by: sql.NewSession, scope: string): Promise<SignedIn>
  /** A refresh token was presented. */
  resume(token: { sid: string; gen: number; scope: string }): Promise<Resumed>
  /** An offline token was presented: its session, a new one when the last has ended. */
  resumeOffline(token: { oid: string; gen: number }): Promise<Resumed>
  findOffline(id: string): Promise<sql.OfflineSession | undefined>
  end(ids: readonly string[]): Promise<void>
  endOffline(id: string): Promise<void>
  endBrowser(browser: string): Promise<void>
  /** Something was stolen: ends what was issued there, offline tokens too. */
  revokeBrowser(browser: string): Promise<void>
  /** Another process ended a session; without an id, anything may have changed. */
  forget(id?: string): void
}

export interface SessionOptions {
  /** Milliseconds that an answer is remembered. */
  maxAge?: number
  /** Whether a refresh token is good for one exchange only. */
  rotate?: boolean
}

export function createSessions(db: Db, { maxAge = 1000, rotate = false }: SessionOptions = {}): Sessions {
  const states = createTtlCache((id: string) => sql.findLiveSession(db, id), maxAge)
  return {
    state: states.get,
    start: (by, scope) =>
      db.transaction(async (db) => {
        const session = (await sql.startSession(db, by))!
        await sql.endSurplusSessions(db, by.userId)
        if (!scope.split(' ').includes('offline_access')) return { session, scope, generation: session.generation }
        const offlineId = await sql.startOfflineSession(db, session, scope)
        await sql.endSurplusOfflineSessions(db, by.userId)
        return { session, scope, offlineId, generation: 0 }
      }),
    async resume({ sid, gen, scope }) {
      const session = await sql.extendSession(db, sid, rotate ? gen : undefined)
      if (session) return { session, scope, generation: session.generation }
      const ended = rotate ? await sql.endReusedSession(db, sid, gen) : []
      states.forget(ended)
      return ended.length > 0 ? 'reused' : undefined
    },
    async resumeOffline({ oid, gen }) {
      const resumed = await db.transaction((db) => resumeOffline(db, oid, rotate ? gen : undefined))
      if (resumed || !rotate || !(await sql.isReusedOffline(db, oid, gen))) return resumed
      states.forget(await sql.endOfflineSession(db, oid))
      return 'reused'
    },
    findOffline: (id) => sql.findOfflineSession(db, id),
    end: async (ids) => states.forget(await sql.endSessions(db, ids)),
    endOffline: async (id) => states.forget(await sql.endOfflineSession(db, id)),
    endBrowser: async (browser) => states.forget(await sql.endBrowser(db, browser)),
    revokeBrowser: async (browser) => states.forget(await sql.revokeBrowser(db, browser)),
    forget: (id) => (id === undefined ? states.clear() : states.forget([id])),
  }
}

async function resumeOffline(db: Db, id: string, generation: number | undefined): Promise<SignedIn | undefined> {
  const offline = await sql.touchOfflineSession(db, id, generation)
  if (!offline) return undefined
  const { scope, userId, clientId, authenticatedAt } = offline
  const common = { scope, offlineId: id, generation: offline.generation }
  const own = await sql.extendOwnSession(db, offline)
  if (own) return { ...common, session: own }
  const session = (await sql.startSession(db, { userId, clientId, authenticatedAt }))!
  await sql.endSurplusSessions(db, userId)
  await sql.linkOfflineSession(db, id, session.id)
  return { ...common, session }
}
