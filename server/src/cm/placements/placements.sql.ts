/** SQL statements about products in channels as search documents. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)
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
    from link l where l.id = any(${ids}::bigint[]) and ${inChannel} order by l.id`)

export const listPlaced = async (db: Db, after: number, limit: number) =>
  idsOf(
    await db.rows<{ id: number }>(
      sql`select l.id from link l where l.id > ${after}::bigint and ${inChannel} order by l.id limit ${limit}`,
    ),
  )

export const countPlaced = async (db: Db) =>
  (await db.row<{ count: number }>(sql`select count(*) as count from link l where ${inChannel}`))!.count

/** The placements of products, and of products whose extension objects are in the same channel. */
export const findPlaced = async (db: Db, productIds: readonly number[], peoIds: readonly number[]) =>
  idsOf(
    await db.rows<{ id: number }>(sql`
      select l.id from link l where l.from_id = any(${productIds}::bigint[]) and ${inChannel}
      union
      select l.id from peo e join link own on own.from_id = e.id and own.kind = 'peoToProject'
      join link l on l.from_id = e.product_id and l.to_id = own.to_id and ${inChannel}
      where e.id = any(${peoIds}::bigint[])`),
  )
