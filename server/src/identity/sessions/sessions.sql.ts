/**
 * Every SQL statement about sessions: those that access tokens name, and those behind offline tokens.
 *
 * All moments are the database's. A session is live when it has neither ended nor expired and its user and client are
 * enabled.
 */
import type { Db } from '../../adapters/postgres/db.ts'
import { nothing, sql, type Sql } from '../../adapters/postgres/sql.ts'

export interface Session {
  readonly id: string
  readonly userId: string
  readonly clientId: string
  readonly authenticatedAt: Date
  /** How many refresh tokens were exchanged while rotation was on. */
  readonly generation: number
}

export interface LiveSession {
  readonly userId: string
  readonly clientId: string
  /** The permission epoch of the user now. */
  readonly epoch: number
  /** Whether it was made within another session, for a personal token. */
  readonly personal: boolean
}

export interface OfflineSession {
  readonly id: string
  readonly userId: string
  readonly clientId: string
  readonly scope: string
  readonly sessionId: string | null
  readonly authenticatedAt: Date
  readonly generation: number
}

/** A session not used for this long is over; a refresh token of it lives no longer either. */
export const sessionSeconds = 12 * 3600
const inTwelveHours = sql`now() + interval '12 hours'`
const thirtyDaysAgo = sql`now() - interval '30 days'`
/** More than a person needs; those unused for longest go first. */
const mostPerUser = sql`50`

const sessionColumns = sql`
  id, user_id as "userId", client_id as "clientId", authenticated_at as "authenticatedAt", generation`
const offlineColumns = sql`${sessionColumns}, scope, session_id as "sessionId"`
const enabled = sql`
  exists (select from user_account u where u.id = user_id and u.enabled) and
  exists (select from oidc_client c where c.id = client_id and c.enabled)`

export const findLiveSession = (db: Db, id: string) =>
  db.row<LiveSession>(sql`
    select s.user_id as "userId", s.client_id as "clientId", u.permission_epoch as epoch,
      s.parent_id is not null as personal
    from user_session s join user_account u on u.id = s.user_id join oidc_client c on c.id = s.client_id
    where s.id = ${id} and s.ended_at is null and s.expires_at > now() and u.enabled and c.enabled`)

export interface NewSession {
  readonly userId: string
  readonly clientId: string
  readonly browser?: string
  /** The session within which this one is made, and with which it ends. */
  readonly parentId?: string
  readonly authenticatedAt?: Date
}

/** One session per browser and client: coming back extends it. */
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
      order by expires_at desc, id offset ${mostPerUser})`)

const extend = (condition: Sql, set: Sql = nothing) => sql`
  update user_session set expires_at = ${inTwelveHours} ${set}
  where ${condition} and ended_at is null and expires_at > now() and ${enabled}
  returning ${sessionColumns}`

/**
 * With rotation a token is good for one exchange: its generation must be the present one, and the next one begins. One
 * statement decides, so that of a hundred exchanges at once one wins.
 */
const nextGeneration = sql`, generation = generation + 1`
const isGeneration = (generation: number | undefined) =>
  generation === undefined ? nothing : sql`and generation = ${generation}`

/** Undefined when it is not live any more, or a generation was given and is a past one. */
export const extendSession = (db: Db, id: string, generation?: number) =>
  db.row<Session>(
    extend(sql`id = ${id} ${isGeneration(generation)}`, generation === undefined ? nothing : nextGeneration),
  )

/** A browser's session belongs to the person in front of it, not to the offline token they made there. */
export const extendOwnSession = (db: Db, offline: OfflineSession) =>
  db.row<Session>(extend(sql`id = ${offline.sessionId} and browser is null`))

/** Ends sessions together with the browsers they live in, and so the other clients' sessions of those browsers. */
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

/** Ends also the offline tokens that were issued there and not used yet. */
export const revokeBrowser = (db: Db, browser: string) =>
  idsOf(
    db,
    sql`
      with offline as (
        update offline_session set ended_at = now()
        where session_id in (select id from user_session where browser = ${browser}) and ended_at is null)
      update user_session set ended_at = now() where browser = ${browser} and ended_at is null returning id`,
  )

/** Ends all there is: sessions, offline sessions, browsers. */
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
      order by used_at desc, id offset ${mostPerUser})`)

/** Takes note of the use, which grants another 30 days. The row stays locked: exchanges of one token follow each other. */
export const touchOfflineSession = (db: Db, id: string, generation?: number) =>
  db.writeRow<OfflineSession>(sql`
    update offline_session set used_at = now() ${generation === undefined ? nothing : nextGeneration}
    where id = ${id} ${isGeneration(generation)} and ended_at is null and used_at > ${thirtyDaysAgo} and ${enabled}
    returning ${offlineColumns}`)

export const findOfflineSession = (db: Db, id: string) =>
  db.row<OfflineSession>(sql`
    select ${offlineColumns} from offline_session
    where id = ${id} and ended_at is null and used_at > ${thirtyDaysAgo} and ${enabled}`)

export const linkOfflineSession = (db: Db, id: string, sessionId: string) =>
  db.run(sql`update offline_session set session_id = ${sessionId} where id = ${id}`)

/** The access tokens issued for it end too; the browser where it was made stays signed in. */
export const endOfflineSession = (db: Db, id: string) =>
  idsOf(
    db,
    sql`
      with offline as (
        update offline_session set ended_at = now() where id = ${id} and ended_at is null returning session_id)
      update user_session set ended_at = now()
      where id in (select session_id from offline) and browser is null and ended_at is null
      returning id`,
  )

/** A token of a past generation was presented: the session that lives on with a later one is ended. */
export const endReusedSession = (db: Db, id: string, generation: number) =>
  idsOf(
    db,
    sql`
      update user_session set ended_at = now()
      where id = ${id} and generation > ${generation} and ended_at is null returning id`,
  )

export const isReusedOffline = async (db: Db, id: string, generation: number) =>
  (await db.row(sql`
    select id from offline_session where id = ${id} and generation > ${generation} and ended_at is null`)) !== undefined

/** Rows that can matter to nobody any more. */
export const deleteOldSessions = async (db: Db): Promise<void> => {
  await db.run(sql`delete from offline_session where used_at < ${thirtyDaysAgo} or ended_at < ${thirtyDaysAgo}`)
  await db.run(sql`
    delete from user_session where expires_at < now() - interval '1 day' and ended_at is null or ended_at < ${thirtyDaysAgo}`)
}

/** The ids of the sessions that a statement ended, for those who remember them as live. */
async function idsOf(db: Db, statement: Sql): Promise<string[]> {
  return (await db.writeRows<{ id: string }>(statement)).map(({ id }) => id)
}

/** Whose session it is, or was. */
export const findHolder = (db: Db, { sid, oid }: { sid: string; oid?: string }) =>
  db.row<{ name: string }>(sql`
    select name from user_account where id in (
      select user_id from user_session where id = ${sid} union select user_id from offline_session where id = ${oid})`)
