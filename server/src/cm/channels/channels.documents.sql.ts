/** Every statement about channels, and about products in channels, as search documents. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import type { Stamps } from '../../common/api.ts'
import type { ChannelRow } from './channels.sql.ts'

export const readChannels = (db: Db, ids: readonly number[]) =>
  db.rows<ChannelRow & Stamps & { path: string; parentTid: string | null; above: number[] }>(sql`
    select p.id, p.tid, p.parent_id as "parentId", p.type_id as "typeId", p.name, p.order_sequence as "orderSequence",
      p.meta, p.vals, p.path, up.tid as "parentTid", p.created_at as "createdAt", p.created_by as "createdBy",
      p.modified_at as "modifiedAt", p.modified_by as "modifiedBy",
      array(select a.id from project a where a.tid = any(string_to_array(p.path, '/')) and a.id <> p.id) as above
    from project p left join project up on up.id = p.parent_id
    where p.id = any(${ids}::bigint[])`)

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)

export const listChannels = async (db: Db, after: number, limit: number) =>
  idsOf(
    await db.rows<{ id: number }>(sql`select id from project where id > ${after}::bigint order by id limit ${limit}`),
  )

export const countChannels = async (db: Db) =>
  (await db.row<{ count: number }>(sql`select count(*) as count from project`))!.count

export const findChannels = (db: Db, tids: readonly string[]) =>
  db.rows<{ id: number; tid: string }>(sql`select id, tid from project where tid = any(${tids}::text[])`)

/** Channels of these kinds. */
export const channelsOfTypes = async (db: Db, typeIds: readonly number[]) =>
  idsOf(await db.rows<{ id: number }>(sql`select id from project where type_id = any(${typeIds}::bigint[])`))

// Products in channels

const inChannel = sql`l.kind = 'productToProject'`

export interface PlacedProduct {
  readonly id: number
  readonly type: string
  readonly createdAt: Date
  readonly createdBy: string
  readonly productId: number
  readonly channelId: number
}
export const readPlaced = (db: Db, ids: readonly number[]) =>
  db.rows<PlacedProduct>(sql`
    select l.id, l.type, l.created_at as "createdAt", l.created_by as "createdBy", l.from_id as "productId",
      l.to_id as "channelId"
    from link l where l.id = any(${ids}::bigint[]) and ${inChannel}`)

export const listPlaced = async (db: Db, after: number, limit: number) =>
  idsOf(
    await db.rows<{ id: number }>(
      sql`select l.id from link l where l.id > ${after}::bigint and ${inChannel} order by l.id limit ${limit}`,
    ),
  )

export const countPlaced = async (db: Db) =>
  (await db.row<{ count: number }>(sql`select count(*) as count from link l where ${inChannel}`))!.count

/** The places of products, and of all products below nodes. */
export const findPlaced = async (db: Db, productIds: readonly number[], nodeIds: readonly number[]) =>
  idsOf(
    await db.rows<{ id: number }>(sql`
      select l.id from link l where l.from_id = any(${productIds}::bigint[]) and ${inChannel}
      union
      select l.id from node top join node n on n.path = top.path or starts_with(n.path, top.path || '/')
      join product r on r.node_id = n.id join product p on p.id = r.id or p.root_id = r.id
      join link l on l.from_id = p.id and ${inChannel}
      where top.id = any(${nodeIds}::bigint[])`),
  )
