/** SQL for the catalogue: everything an index needs to know besides its documents. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

/** Locales that values may use. */
export const findContentLocales = async (db: Db) =>
  (await db.rows<{ tid: string }>(sql`select tid from locale where content order by id`)).map(({ tid }) => tid)

export const findPaused = async (db: Db) =>
  (await db.rows<{ name: string }>(sql`select name from search_index where not updates_enabled`)).map(
    ({ name }) => name,
  )
