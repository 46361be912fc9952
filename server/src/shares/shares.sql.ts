/** Every statement about share pages and upload requests. */
import type { Infer, Long, Share, shareEvents } from '@kontor/contract'
import type { Db } from '../adapters/postgres/db.ts'
import { sql } from '../adapters/postgres/sql.ts'
import type { StoredCaller } from '../core/context.ts'

/** Fields that the owner sent, besides those with a column of their own. */
export type Settings = Pick<
  Infer<typeof Share>,
  'message' | 'original' | 'metadata' | 'profiles' | 'watermark' | 'folder' | 'maxFiles' | 'maxMegabytes' | 'extensions'
>

export interface ShareRow {
  readonly id: number
  readonly kind: 'download' | 'upload'
  readonly title: string
  readonly settings: Settings
  readonly passwordHash: string | null
  readonly collectionId: number | null
  readonly userName: string
  readonly principal: StoredCaller
  readonly expiresAt: Date
  readonly revokedAt: Date | null
  readonly received: number
  readonly createdAt: Date
  readonly waiting: number
  readonly isActive: boolean
}
const columns = sql`id, kind, title, settings, password_hash as "passwordHash", collection_id as "collectionId",
  user_name as "userName", principal, expires_at as "expiresAt", revoked_at as "revokedAt", received,
  created_at as "createdAt", (select count(*)::int from share_file f where f.share_id = share.id) as waiting,
  revoked_at is null and expires_at > now() as "isActive"`

/** `userName`: only those of this user. Newest first; those before `after`, one more than `count`. */
export const listShares = (db: Db, userName: string | null, after: number, count: number) =>
  db.rows<ShareRow>(sql`
    select ${columns} from share where user_name = coalesce(${userName}, user_name) and (${after}::bigint = 0 or id < ${after}::bigint)
    order by id desc limit ${count + 1}`)
export const findShare = (db: Db, id: number) => db.row<ShareRow>(sql`select ${columns} from share where id = ${id}`)
export const lockShare = (db: Db, id: number) =>
  db.row<ShareRow>(sql`select ${columns} from share where id = ${id} for update`)
export const findByDigest = (db: Db, digest: string) =>
  db.row<ShareRow>(
    sql`select ${columns} from share where digest = ${digest} and revoked_at is null and expires_at > now()`,
  )
export const isActive = async (db: Db, id: number) =>
  (await db.rows(sql`select from share where id = ${id} and revoked_at is null and expires_at > now()`)).length > 0
export const countActive = async (db: Db, userName: string) =>
  (await db.row<{ count: number }>(sql`
    select count(*)::int as count from share
    where user_name = ${userName} and revoked_at is null and expires_at > now()`))!.count

type NewShare = Omit<ShareRow, 'revokedAt' | 'received' | 'createdAt' | 'waiting' | 'isActive'>
export const insertShare = (db: Db, one: NewShare, digest: string) =>
  db.run(sql`
    insert into share (id, kind, digest, title, settings, password_hash, collection_id, user_name, principal, expires_at)
    values (${one.id}, ${one.kind}, ${digest}, ${one.title}, ${JSON.stringify(one.settings)}::jsonb, ${one.passwordHash},
      ${one.collectionId}, ${one.userName}, ${JSON.stringify(one.principal)}::jsonb, ${one.expiresAt}::timestamptz)`)
export const updateShare = (db: Db, one: NewShare) =>
  db.run(sql`
    update share set title = ${one.title}, settings = ${JSON.stringify(one.settings)}::jsonb,
      password_hash = ${one.passwordHash}, collection_id = ${one.collectionId},
      principal = ${JSON.stringify(one.principal)}::jsonb, expires_at = ${one.expiresAt}::timestamptz
    where id = ${one.id}`)
export const revokeShare = (db: Db, id: number) =>
  db.run(sql`update share set revoked_at = coalesce(revoked_at, now()) where id = ${id}`)

export async function writeAssets(db: Db, id: number, assetIds: readonly number[]): Promise<void> {
  await db.run(sql`delete from share_asset where share_id = ${id}`)
  await db.run(sql`
    insert into share_asset (share_id, asset_id, pos)
    select ${id}::bigint, n.id, n.pos from unnest(${assetIds}::bigint[]) with ordinality as n (id, pos)`)
}
export const listAssetIds = async (db: Db, id: number, only?: number) =>
  (
    await db.rows<{ id: number }>(sql`
      select asset_id as id from share_asset
      where share_id = ${id} and ${only === undefined ? sql`true` : sql`asset_id = ${only}`} order by pos`)
  ).map((row) => row.id)

interface Visit {
  readonly event: (typeof shareEvents)[number]
  readonly what?: string
  /** The network of the visitor. */
  readonly address: string
}
/** The same event from the same network is logged once in some minutes, so that nobody can fill the log. */
export const insertVisit = (db: Db, id: number, { event, what, address }: Visit, minutes = 1) =>
  db.run(sql`
    insert into share_visit (share_id, event, what, address)
    select s.id, ${event}, ${what?.slice(0, 500) ?? null}, ${address} from share s
    where id = ${id} and not exists (
      select from share_visit v where v.share_id = s.id and v.at > now() - make_interval(mins => ${minutes}) and v.event = ${event}
        and v.address = ${address} and v.what is not distinct from ${what?.slice(0, 500) ?? null})`)
export const listVisits = (db: Db, id: number, after: number, count: number) =>
  db.rows<{ id: number; at: Date; event: Visit['event']; what: string | null; address: string }>(sql`
    select id, at, event, what, address from share_visit
    where share_id = ${id} and (${after}::bigint = 0 or id < ${after}::bigint) order by id desc limit ${count + 1}`)

// Delivered files

export interface FileRow {
  readonly id: number
  readonly name: string
  readonly sha256: string
  readonly size: number
  readonly mime: string
  readonly receivedAt: Date
}
const fileColumns = sql`id, name, sha256, size, mime, received_at as "receivedAt"`
/** False if the same file waits already. */
export const insertFile = async (db: Db, shareId: number, file: Omit<FileRow, 'receivedAt'>) =>
  (await db.run(sql`
    insert into share_file (id, share_id, name, sha256, size, mime)
    values (${file.id}, ${shareId}, ${file.name}, ${file.sha256}, ${file.size}, ${file.mime})
    on conflict do nothing`)) > 0
/** False if the request takes no more files: it is full, has expired or was revoked meanwhile. */
export const countReceived = async (db: Db, id: number, most: number) =>
  (await db.run(sql`
    update share set received = received + 1
    where id = ${id} and received < ${most} and revoked_at is null and expires_at > now()`)) > 0
/** True once in a while, so that many files lead to one message. */
export const claimNotice = async (db: Db, id: number) =>
  (await db.run(sql`
    update share set notified_at = now()
    where id = ${id} and (notified_at is null or notified_at < now() - interval '10 minutes')`)) > 0

export const listFiles = (db: Db, shareId: number) =>
  db.rows<FileRow>(sql`select ${fileColumns} from share_file where share_id = ${shareId} order by id`)
export const findFile = (db: Db, shareId: number, id: number) =>
  db.row<FileRow>(sql`select ${fileColumns} from share_file where share_id = ${shareId} and id = ${id}`)
export const lockFile = (db: Db, shareId: number, id: number) =>
  db.row<FileRow>(sql`select ${fileColumns} from share_file where share_id = ${shareId} and id = ${id} for update`)
export const deleteFile = (db: Db, id: number) => db.run(sql`delete from share_file where id = ${id}`)

/** Days after the end of a page: its files that nobody decided about are deleted, later all of it. */
const [fileDays, shareDays, logDays, mostVisits] = [30, 90, 90, 10_000]
export async function sweepShares(db: Db): Promise<void> {
  const end = sql`least(expires_at, revoked_at)`
  await db.run(sql`
    delete from share_file where share_id in (select id from share where ${end} < now() - make_interval(days => ${fileDays}))`)
  await db.run(sql`delete from share where ${end} < now() - make_interval(days => ${shareDays})`)
  await db.run(sql`delete from share_visit where at < now() - make_interval(days => ${logDays})`)
  await db.run(sql`
    delete from share_visit where id in (
      select id from (
        select id, row_number() over (partition by share_id order by id desc) as place from share_visit
      ) as ranked where place > ${mostVisits})`)
}

/** For events: a page concerns its owner. */
export const describeShares = async (db: Db, ids: readonly Long[]) =>
  (
    await db.rows<{ id: number; title: string; userName: string }>(sql`
      select id, title, user_name as "userName" from share where id = any(${ids.map(Number)}::bigint[])`)
  ).map(({ id, title, userName }) => ({ id, tid: title, path: title, audience: { users: [userName], roles: [] } }))
