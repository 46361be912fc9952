/** Reads settings and the clock of the database server. */
import type { Db } from '../adapters/postgres/db.ts'
import { sql } from '../adapters/postgres/sql.ts'

export const readServerState = async (db: Db) =>
  (await db.row<{ settings: { name: string; value: string }[]; now: Date }>(sql`
    select clock_timestamp() as now, json_agg(json_build_object('name', name, 'value', setting) order by name) as settings
    from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit')`))!
