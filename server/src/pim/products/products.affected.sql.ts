/** Statements about products that changes of other objects affect. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

/** The tids of the products that are, contain or link to one of these objects, or have one of these assets. */
export const findConcerned = async (db: Db, ids: readonly number[]): Promise<string[]> =>
  (
    await db.rows<{ tid: string }>(sql`
      with found as (
        select unnest(${ids}::bigint[]) as id
        union
        select l.from_id from link l where l.to_id = any(${ids}::bigint[])
        union
        select l.to_id from link l where l.from_id = any(${ids}::bigint[]) and l.kind = 'assetToProduct'
      )
      select distinct r.tid from found f join product p on p.id = f.id join product r on r.id = coalesce(p.root_id, p.id)`)
  ).map(({ tid }) => tid)

/** The ids of the products that are or contain these objects. */
export const productsWith = async (db: Db, ids: readonly number[]): Promise<ReadonlySet<number>> =>
  new Set(
    (
      await db.rows<{ id: number }>(sql`
        select distinct coalesce(root_id, id) as id from product where id = any(${ids}::bigint[])`)
    ).map(({ id }) => id),
  )
