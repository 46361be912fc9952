/** Which texts are tids of attributes, of any kind of object; columns of tables are `table/column`. */
import type { Db } from '../adapters/postgres/db.ts'
import { sql } from '../adapters/postgres/sql.ts'

export async function findAttributes(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.rows<{ key: string }>(sql`
    select k.key from unnest(${keys}::text[]) as k (key) where split_part(k.key, '/', 1) in (
      select tid from attr_def union all
      select tid from dam_attr_def union all
      select d ->> 'tid' from project_type t, jsonb_array_elements(t.attr_defs) as d)`)
  return new Set(rows.map(({ key }) => key))
}
