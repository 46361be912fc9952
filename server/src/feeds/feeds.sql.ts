/** Every statement about feeds. */
import type { Feed, Infer, Long } from '@kontor/contract'
import type { Db } from '../adapters/postgres/db.ts'
import { sql } from '../adapters/postgres/sql.ts'
import type { StoredCaller } from '../core/context.ts'

/** A feed as its owner sent it, without secrets and without the fields of replies. */
export type Definition = Pick<
  Infer<typeof Feed>,
  'description' | 'direction' | 'schedule' | 'export' | 'import' | 'fileName' | 'place' | 'maxShrink'
>

export interface FeedRow {
  readonly id: number
  readonly name: string
  readonly definition: Definition
  readonly secrets: Buffer | null
  readonly enabled: boolean
  readonly userName: string
  readonly principal: StoredCaller
  /** The SHA-256 of the token of the download address. */
  readonly address: Buffer | null
  readonly problem: string | null
  readonly nextAt: Date | null
  readonly transferId: string | null
  readonly modifiedAt: Date
  readonly modifiedBy: string
}
const columns = sql`f.id, f.name, f.definition, f.secrets, f.enabled, f.user_name as "userName", f.principal, f.address, f.problem,
  f.next_at as "nextAt", f.transfer_id as "transferId", f.modified_at as "modifiedAt", f.modified_by as "modifiedBy"`

/** `userName`: only feeds of this user. Those behind the name, one more than `count`. */
export const listFeeds = (db: Db, userName: string | null, after: string, count: number) =>
  db.rows<FeedRow>(sql`
    select ${columns} from feed f where f.user_name = coalesce(${userName}, f.user_name) and f.name > ${after}
    order by f.name limit ${count + 1}`)
export const findFeed = (db: Db, name: string) =>
  db.row<FeedRow>(sql`select ${columns} from feed f where f.name = ${name}`)
export const findFeedById = (db: Db, id: number) =>
  db.row<FeedRow>(sql`select ${columns} from feed f where f.id = ${id}`)
export const lockFeed = (db: Db, name: string) =>
  db.row<FeedRow>(sql`select ${columns} from feed f where f.name = ${name} for update`)

interface NewFeed {
  readonly id: number
  readonly name: string
  readonly definition: Definition
  readonly secrets: Buffer | null
  readonly enabled: boolean
  readonly principal: StoredCaller
  readonly nextAt: Date | null
  readonly modifiedBy: string
}
/** Returns 0 if a feed has this name. */
export const insertFeed = (db: Db, feed: NewFeed) =>
  db.run(sql`
    insert into feed (id, name, definition, secrets, enabled, user_name, principal, next_at, modified_by)
    values (${feed.id}, ${feed.name}, ${JSON.stringify(feed.definition)}::jsonb, ${feed.secrets}, ${feed.enabled},
      ${feed.principal.userName}, ${JSON.stringify(feed.principal)}::jsonb, ${feed.nextAt}::timestamptz, ${feed.modifiedBy})
    on conflict (name) do nothing`)
/** `keepsAddress`: otherwise its download address and its file are gone. */
export const updateFeed = (db: Db, feed: NewFeed, keepsAddress: boolean) =>
  db.run(sql`
    update feed set definition = ${JSON.stringify(feed.definition)}::jsonb, secrets = ${feed.secrets}, enabled = ${feed.enabled},
      user_name = ${feed.principal.userName}, principal = ${JSON.stringify(feed.principal)}::jsonb,
      next_at = ${feed.nextAt}::timestamptz, problem = null, modified_at = now(), modified_by = ${feed.modifiedBy},
      address = case when ${keepsAddress} then address end, transfer_id = case when ${keepsAddress} then transfer_id end
    where id = ${feed.id}`)
export const deleteFeed = (db: Db, id: number) => db.run(sql`delete from feed where id = ${id}`)
export const setAddress = (db: Db, id: number, address: Buffer | null) =>
  db.run(sql`update feed set address = ${address} where id = ${id}`)
export const setTransfer = (db: Db, id: number, transferId: string) =>
  db.run(sql`update feed set transfer_id = ${transferId}::uuid where id = ${id}`)
export const setHostKey = (db: Db, id: number, hostKey: string) =>
  db.run(sql`
    update feed set definition = jsonb_set(definition, '{place,hostKey}', to_jsonb(${hostKey}::text)) where id = ${id}`)
export const pauseFeed = (db: Db, id: number, problem: string) =>
  db.run(sql`update feed set enabled = false, next_at = null, problem = ${problem} where id = ${id}`)

/** The feeds that are due. Other processes do not get the same ones while this transaction lasts. */
export const takeDue = (db: Db, count: number) =>
  db.writeRows<FeedRow>(sql`
    select ${columns} from feed f where f.enabled and f.next_at <= now() order by f.next_at limit ${count}
    for update skip locked`)
export const setNext = (db: Db, id: number, nextAt: Date | null) =>
  db.run(sql`update feed set next_at = ${nextAt}::timestamptz where id = ${id}`)

/** For events: a feed concerns its owner. */
export const describeFeeds = async (db: Db, ids: readonly Long[]) =>
  (
    await db.rows<{ id: number; name: string; userName: string }>(sql`
      select id, name, user_name as "userName" from feed where id = any(${ids.map(Number)}::bigint[])`)
  ).map(({ id, ...feed }) => ({ id, ...shownFeed(feed) }))

/** How events name a feed, and for whom they are. */
export const shownFeed = ({ name, userName }: Pick<FeedRow, 'name' | 'userName'>) => ({
  tid: name,
  path: name,
  audience: { users: [userName], roles: [] },
})
