/** New ids for objects, as many as needed with one statement. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

export async function newIds(db: Db, count: number): Promise<number[]> {
  if (count === 0) return []
  const rows = await db.writeRows<{ id: number }>(
    sql`select nextval('object_id_seq') as id from generate_series(1, ${count}::int)`,
  )
  return rows.map(({ id }) => id)
}
