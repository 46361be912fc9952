/**
 * Every SQL statement about user sessions (of access and refresh tokens) and offline sessions (of offline tokens).
 *
 * All times are those of the database. A session is live if it has neither ended nor expired and its user and client
 * are enabled.
 */
import type { Db } from '../../adapters/postgres/db.ts'
import { nothing, sql, type Sql } from '../../adapters/postgres/sql.ts'

export interface Session {
  readonly id: string
  readonly userId: string
  readonly clientId: string
  readonly authenticatedAt: Date
}

export interface LiveSession {
  readonly userId: string
  readonly clientId: string
  /** The current permission epoch of the user. */
  readonly epoch: number
  /** Whether it belongs to a personal token: directly, or by the exchange of an offline one. */
  readonly personal: boolean
}

export interface OfflineSession {
  readonly id: string
  readonly userId: string
  readonly clientId: string
  readonly scope: string
  readonly sessionId: string | null
  readonly authenticatedAt: Date
  /** How often its token was exchanged while rotation was on. */
  readonly generation: number
}

/** The lifetime of an unused session and of its refresh token. */
export const sessionSeconds = 12 * 3600
const inTwelveHours = sql`now() + interval '12 hours'`
const thirtyDaysAgo = sql`now() - interval '30 days'`
/** If a user has more sessions, the least recently used ones are ended. */
const maxPerUser = sql`50`

const sessionColumns = sql`
  id, user_id as "userId", client_id as "clientId", authenticated_at as "authenticatedAt"`
const offlineColumns = sql`${sessionColumns}, generation, scope, session_id as "sessionId"`
const enabled = sql`
  exists (select from user_account u where u.id = user_id and u.enabled) and
  exists (select from oidc_client c where c.id = client_id and c.enabled)`

export const findLiveSession = (db: Db, id: string) =>
  db.row<LiveSession>(sql`
    select s.user_id as "userId", s.client_id as "clientId", u.permission_epoch as epoch,
      s.parent_id is not null or exists (
        select from offline_session o join personal_token p on p.offline_session_id = o.id where o.session_id = s.id
      ) as personal
    from user_session s join user_account u on u.id = s.user_id join oidc_client c on c.id = s.client_id
    where s.id = ${id} and s.ended_at is null and s.expires_at > now() and u.enabled and c.enabled`)

export interface NewSession {
  readonly userId: string
  readonly clientId: string
  readonly browser?: string
  /** The session in which the personal token was created; both end together. */
  readonly parentId?: string
  readonly authenticatedAt?: Date | undefined
}

/** There is one session per browser and client; a later sign-in extends it. */
export const startSession = (db: Db, session: NewSession) =>
  db.writeRow<Session>(sql`
    insert into user_session as known (user_id, client_id, browser, parent_id, authenticated_at, expires_at)
    values (${session.userId}, ${session.clientId}, ${session.browser}, ${session.parentId},
      coalesce(${session.authenticatedAt}::timestamptz, now()), ${inTwelveHours})
    on conflict (browser, client_id) where ended_at is null do update
      set expires_at = excluded.expires_at, authenticated_at = excluded.authenticated_at
      where known.user_id = excluded.user_id
    returning ${sessionColumns}`)

export const endSurplusSessions = (db: Db, userId: string) =>
  db.run(sql`
    update user_session set ended_at = now() where ended_at is null and id in (
      select id from user_session where user_id = ${userId} and ended_at is null
      order by expires_at desc, id offset ${maxPerUser})`)

const extend = (condition: Sql) => sql`
  update user_session set expires_at = ${inTwelveHours}
  where ${condition} and ended_at is null and expires_at > now() and ${enabled}
  returning ${sessionColumns}`

export const extendSession = (db: Db, id: string) => db.writeRow<Session>(extend(sql`id = ${id}`))

/** The position of a refresh token in the chain of tokens that replace each other. */
export interface Link {
  readonly chain: string
  readonly generation: number
}

/** Begins a chain; returns undefined if only tokens of public clients are rotated and this client has a secret. */
export const startChain = async (db: Db, { id, clientId }: Session, publicOnly: boolean) =>
  (
    await db.writeRow<{ id: string }>(sql`
      insert into refresh_chain (session_id)
      select ${id} from oidc_client where id = ${clientId} and (secret_hash is null or not ${publicOnly}::boolean)
      returning id`)
  )?.id

const isLink = (id: string, { chain }: Link) => sql`refresh_chain.id = ${chain} and refresh_chain.session_id = ${id}`

/**
 * Exchanges a token whose generation is the current one and makes the next one current. A single statement does both, so
 * that of many concurrent exchanges exactly one succeeds.
 */
export const exchangeLink = (db: Db, id: string, link: Link) =>
  db.writeRow<Session>(sql`
    with next as (
      update refresh_chain set generation = generation + 1, rotated_at = now()
      where ${isLink(id, link)} and generation = ${link.generation} returning id
    )
    ${extend(sql`id = ${id} and exists (select from next)`)}`)

/** Whether the token is the one before the current one and was replaced a moment ago. */
export const isRecentLink = async (db: Db, id: string, link: Link, seconds: number) =>
  (await db.row(sql`
    select id from refresh_chain
    where ${isLink(id, link)} and generation = ${link.generation + 1}
      and rotated_at > now() - ${seconds} * interval '1 second'`)) !== undefined

/** Extends the session that belongs to an offline token, but not the session of the browser that requested it. */
export const extendOwnSession = (db: Db, offline: OfflineSession) =>
  db.writeRow<Session>(extend(sql`id = ${offline.sessionId} and browser is null`))

/** Ends the sessions, signs their browsers out, and ends the sessions of other clients in these browsers. */
export const endSessions = (db: Db, ids: readonly string[]) =>
  idsOf(
    db,
    sql`
      with browsers as (
        delete from oidc_model where uid in (select browser from user_session where id = any (${ids}::uuid[]))
        returning uid
      )
      update user_session set ended_at = now()
      where ended_at is null and (id = any (${ids}::uuid[]) or browser in (select uid from browsers))
      returning id`,
  )

export const endBrowser = (db: Db, browser: string) =>
  idsOf(
    db,
    sql`
      update user_session set ended_at = now() where browser = ${browser} and ended_at is null returning id`,
  )

/** Also ends the offline tokens that were issued to the browser and not used yet. */
export const revokeBrowser = (db: Db, browser: string) =>
  idsOf(
    db,
    sql`
      with offline as (
        update offline_session set ended_at = now()
        where session_id in (select id from user_session where browser = ${browser}) and ended_at is null)
      update user_session set ended_at = now() where browser = ${browser} and ended_at is null returning id`,
  )

/** Ends all sessions and offline sessions of the user and signs their browsers out. */
export const endAllOfUser = (db: Db, userId: string) =>
  db.run(sql`
    with sessions as (update user_session set ended_at = now() where user_id = ${userId} and ended_at is null),
      offline as (update offline_session set ended_at = now() where user_id = ${userId} and ended_at is null)
    delete from oidc_model where account_id = ${userId}`)

export const startOfflineSession = async (
  db: Db,
  { id, userId, clientId, authenticatedAt }: Session,
  scope: string,
): Promise<string> =>
  (await db.writeRow<{ id: string }>(sql`
    insert into offline_session (user_id, client_id, scope, session_id, authenticated_at)
    values (${userId}, ${clientId}, ${scope}, ${id}, ${authenticatedAt})
    returning id`))!.id

export const endSurplusOfflineSessions = (db: Db, userId: string) =>
  db.run(sql`
    update offline_session set ended_at = now() where ended_at is null and id in (
      select id from offline_session where user_id = ${userId} and ended_at is null
      order by used_at desc, id offset ${maxPerUser})`)

/** Records the use, which extends the session by 30 days. The row lock serialises exchanges of the same token. */
export const touchOfflineSession = (db: Db, id: string, generation?: number) =>
  db.writeRow<OfflineSession>(sql`
    update offline_session set used_at = now() ${generation === undefined ? nothing : sql`, generation = generation + 1`}
    where id = ${id} ${generation === undefined ? nothing : sql`and generation = ${generation}`} and ended_at is null and used_at > ${thirtyDaysAgo} and ${enabled}
    returning ${offlineColumns}`)

export const findOfflineSession = (db: Db, id: string) =>
  db.row<OfflineSession>(sql`
    select ${offlineColumns} from offline_session
    where id = ${id} and ended_at is null and used_at > ${thirtyDaysAgo} and ${enabled}`)

export const linkOfflineSession = (db: Db, id: string, sessionId: string) =>
  db.run(sql`update offline_session set session_id = ${sessionId} where id = ${id}`)

/** Also ends the access tokens issued for it; the browser that requested it stays signed in. */
export const endOfflineSession = (db: Db, id: string) =>
  idsOf(
    db,
    sql`
      with offline as (
        update offline_session set ended_at = coalesce(ended_at, now()) where id = ${id} returning session_id)
      update user_session set ended_at = now()
      where id in (select session_id from offline) and browser is null and ended_at is null
      returning id`,
  )

/** Ends the session if a later token of the chain was exchanged already, which means that this one was used twice. */
export const endReusedSession = (db: Db, id: string, link: Link) =>
  idsOf(
    db,
    sql`
      update user_session set ended_at = now()
      where id = ${id} and ended_at is null
        and exists (select from refresh_chain where ${isLink(id, link)} and generation > ${link.generation})
      returning id`,
  )

/** Ends the offline session if its token was used twice; false if another call ended it before. */
export const endReusedOffline = async (db: Db, id: string, generation: number) =>
  (await db.run(sql`
    update offline_session set ended_at = now()
    where id = ${id} and generation > ${generation} and ended_at is null`)) === 1

/** Deletes rows that are no longer needed. */
export const deleteOldSessions = async (db: Db): Promise<void> => {
  await db.run(sql`delete from offline_session where used_at < ${thirtyDaysAgo} or ended_at < ${thirtyDaysAgo}`)
  await db.run(sql`
    delete from user_session where expires_at < now() - interval '1 day' and ended_at is null or ended_at < ${thirtyDaysAgo}`)
}

/** Returns the ids of the sessions that a statement ended, for removal from the caches. */
async function idsOf(db: Db, statement: Sql): Promise<string[]> {
  return (await db.writeRows<{ id: string }>(statement)).map(({ id }) => id)
}

/** Finds the user of a session, also after it has ended. */
export const findHolder = (db: Db, { sid, oid }: { sid: string; oid?: string | undefined }) =>
  db.row<{ name: string }>(sql`
    select name from user_account where id in (
      select user_id from user_session where id = ${sid} union select user_id from offline_session where id = ${oid})`)
