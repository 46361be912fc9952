/**
 * Sessions: started by signing in, ended by signing out, and checked on every request.
 *
 *   access token  -> user session      ends at logout, after 12 hours without use, with a new password
 *   offline token -> offline session   survives logout; each exchange adds 30 days and returns tokens of a user session
 *
 * Whether a session is live is cached for at most a second. A notification of another process invalidates the cache at
 * once, so a logout takes effect everywhere within a second even if the notification is lost.
 *
 * A rotated token can be exchanged once. If it is presented again, two parties hold it and one of them is a thief, so the
 * session ends. Refresh tokens of public clients are rotated by default; the token before the current one stays valid for
 * some seconds, because a browser may lose the reply. With rotation of all tokens there is no such grace.
 */
import type { Db } from '../../adapters/postgres/db.ts'
import { createTtlCache } from '../ttl-cache.ts'
import * as sql from './sessions.sql.ts'

export type { LiveSession, Session } from './sessions.sql.ts'

export interface SignedIn {
  readonly session: sql.Session
  readonly scope: string
  /** Of a rotated refresh token: the chain of tokens that replace each other. */
  readonly chain?: string
  /** Of a rotated token: its position among those that replace each other. */
  readonly generation: number
  /** The offline session, if an offline token was requested. */
  readonly offlineId?: string
}

/** The result of presenting a refresh token: its session; 'reused', and the session was ended; undefined if invalid. */
type Resumed = SignedIn | 'reused' | undefined

export interface Sessions {
  /** Returns undefined if the session has ended or never existed. */
  state(id: string): Promise<sql.LiveSession | undefined>
  start(by: sql.NewSession, scope: string): Promise<SignedIn>
  /** Exchanges a refresh token. */
  resume(token: { sid: string; chn?: string | undefined; gen: number; scope: string }): Promise<Resumed>
  /** Exchanges an offline token; starts a new user session if the last one has ended. */
  resumeOffline(token: { oid: string; gen: number }): Promise<Resumed>
  findOffline(id: string): Promise<sql.OfflineSession | undefined>
  end(ids: readonly string[]): Promise<void>
  endOffline(id: string): Promise<void>
  endBrowser(browser: string): Promise<void>
  /** After a theft: ends everything that was issued to the browser, including offline tokens. */
  revokeBrowser(browser: string): Promise<void>
  /** Removes a session from the cache, or all sessions. */
  forget(id?: string): void
}

interface SessionOptions {
  /** How long the state of a session is cached, in milliseconds. */
  maxAge?: number | undefined
  rotate?: Rotation
}

/** Which tokens can be exchanged only once: none, refresh tokens of clients without a secret, all. */
export type Rotation = 'none' | 'public' | 'all'
/** How long the token before the current one is accepted in the rotation `public`. */
const graceSeconds = 30

export function createSessions(db: Db, { maxAge = 1000, rotate = 'none' }: SessionOptions = {}): Sessions {
  const states = createTtlCache((id: string) => sql.findLiveSession(db, id), maxAge)
  const withChain = async (db: Db, session: sql.Session, scope: string): Promise<SignedIn> => {
    const chain = rotate === 'none' ? undefined : await sql.startChain(db, session, rotate === 'public')
    return { session, scope, generation: 0, ...(chain !== undefined && { chain }) }
  }
  return {
    state: states.get,
    start: (by, scope) =>
      db.transaction(async (db) => {
        const session = (await sql.startSession(db, by))!
        await sql.endSurplusSessions(db, by.userId)
        if (!scope.split(' ').includes('offline_access')) return withChain(db, session, scope)
        const offlineId = await sql.startOfflineSession(db, session, scope)
        await sql.endSurplusOfflineSessions(db, by.userId)
        return { session, scope, offlineId, generation: 0 }
      }),
    async resume({ sid, chn: chain, gen: generation, scope }) {
      if (rotate === 'none' || chain === undefined) {
        const session = await sql.extendSession(db, sid)
        return session && withChain(db, session, scope)
      }
      const link = { chain, generation }
      const isRecent = () => rotate === 'public' && sql.isRecentLink(db, sid, link, graceSeconds)
      const session =
        (await sql.exchangeLink(db, sid, link)) ?? ((await isRecent()) ? await sql.extendSession(db, sid) : undefined)
      if (session) return { session, scope, chain, generation: generation + 1 }
      const ended = await sql.endReusedSession(db, sid, link)
      states.forget(ended)
      return ended.length > 0 ? 'reused' : undefined
    },
    async resumeOffline({ oid, gen }) {
      const resumed = await db.transaction((db) => resumeOffline(db, oid, rotate === 'all' ? gen : undefined))
      if (resumed || rotate !== 'all' || !(await sql.endReusedOffline(db, oid, gen))) return resumed
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
