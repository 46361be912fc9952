/**
 * Sessions: started by signing in, ended by signing out, and asked about on every request.
 *
 *   access token  -> user session      ends at logout, after 12 hours without use, with a new password
 *   offline token -> offline session   outlives logout; each exchange grants 30 more days and names a live user session
 *
 * The answer to "is it live?" is remembered for a second at most, so that a logout elsewhere is heard within one.
 */
import type { Db } from '../adapters/postgres/db.ts'
import * as sql from './sessions.sql.ts'

export type { LiveSession, Session } from './sessions.sql.ts'

export interface SignedIn {
  readonly session: sql.Session
  readonly scope: string
  /** The offline session, when an offline token was asked for. */
  readonly offlineId?: string
}

export interface Sessions {
  /** Undefined when the session has ended or never was. */
  state(id: string): Promise<sql.LiveSession | undefined>
  start(
    by: { userId: string; clientId: string; browser?: string; authenticatedAt?: Date },
    scope: string,
  ): Promise<SignedIn>
  /** A refresh token was presented. */
  resume(id: string): Promise<sql.Session | undefined>
  /** An offline token was presented: its session, a new one when the last has ended. */
  resumeOffline(id: string): Promise<SignedIn | undefined>
  findOffline(id: string): Promise<sql.OfflineSession | undefined>
  end(ids: readonly string[]): Promise<void>
  endOffline(id: string): Promise<void>
  endBrowser(browser: string): Promise<void>
  /** Something was stolen: ends what was issued there, offline tokens too. */
  revokeBrowser(browser: string): Promise<void>
}

export function createSessions(db: Db, maxAge = 1000): Sessions {
  const states = createMemory((id: string) => sql.findLiveSession(db, id), maxAge)
  return {
    state: states.get,
    start: (by, scope) =>
      db.transaction(async (db) => {
        const session = (await sql.startSession(db, by))!
        await sql.endSurplusSessions(db, by.userId)
        if (!scope.split(' ').includes('offline_access')) return { session, scope }
        const offlineId = await sql.startOfflineSession(db, session, scope)
        await sql.endSurplusOfflineSessions(db, by.userId)
        return { session, scope, offlineId }
      }),
    resume: (id) => sql.extendSession(db, id),
    resumeOffline: (id) =>
      db.transaction(async (db) => {
        const offline = await sql.touchOfflineSession(db, id)
        if (!offline) return undefined
        const { scope, userId, clientId, authenticatedAt } = offline
        const own = await sql.extendOwnSession(db, offline)
        if (own) return { session: own, scope, offlineId: id }
        const session = (await sql.startSession(db, { userId, clientId, authenticatedAt }))!
        await sql.endSurplusSessions(db, userId)
        await sql.linkOfflineSession(db, id, session.id)
        return { session, scope, offlineId: id }
      }),
    findOffline: (id) => sql.findOfflineSession(db, id),
    end: async (ids) => states.forget(await sql.endSessions(db, ids)),
    endOffline: async (id) => states.forget(await sql.endOfflineSession(db, id)),
    endBrowser: async (browser) => states.forget(await sql.endBrowser(db, browser)),
    revokeBrowser: async (browser) => states.forget(await sql.revokeBrowser(db, browser)),
  }
}

/** Answers kept by key for `maxAge` milliseconds, counted from the question. */
function createMemory<T>(ask: (key: string) => Promise<T>, maxAge: number) {
  const known = new Map<string, { answer: Promise<T>; at: number }>()
  const most = 10_000
  return {
    get(key: string): Promise<T> {
      const now = performance.now()
      const found = known.get(key)
      if (found && now - found.at < maxAge) return found.answer
      const answer = ask(key)
      known.delete(key) // so that the map stays in the order of asking, and its first is its oldest
      known.set(key, { answer, at: now })
      if (known.size > most) known.delete(known.keys().next().value!)
      answer.catch(() => known.delete(key))
      return answer
    },
    forget(keys: readonly string[]): void {
      for (const key of keys) known.delete(key)
    },
  }
}
