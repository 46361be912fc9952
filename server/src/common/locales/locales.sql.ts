/** Every statement about locales. */
import { columns, type Row } from '../../adapters/postgres/columns.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { sql, type Sql } from '../../adapters/postgres/sql.ts'

const locale = columns('locale', 'id', 'tid', 'language', 'country', 'name', 'content', 'frontend')
export type LocaleRow = Row<typeof locale>

const select = (where: Sql) => sql`select ${locale.select()} from locale where ${where} order by id`

// prettier-ignore
export const findLocales = {
  ALL:      (db: Db) => db.rows<LocaleRow>(select(sql`true`)),
  CONTENT:  (db: Db) => db.rows<LocaleRow>(select(sql`content`)),
  FRONTEND: (db: Db) => db.rows<LocaleRow>(select(sql`frontend`)),
  ID:       (db: Db, ids: readonly unknown[]) => db.rows<LocaleRow>(select(sql`id = any(${ids}::bigint[])`)),
  TID:      (db: Db, tids: readonly unknown[]) => db.rows<LocaleRow>(select(sql`tid = any(${tids}::text[])`)),
}

/** Two changes must not switch off the last two locales of content at the same time. */
export const lockLocales = (db: Db) => db.lock(sql`select pg_advisory_xact_lock(hashtext('locale'))`)

export const upsertLocale = (db: Db, row: Pick<LocaleRow, 'tid' | 'name' | 'content' | 'frontend'>) =>
  db.run(sql`
    insert into locale (language, country, name, content, frontend)
    select split_part(${row.tid}, '_', 1), split_part(${row.tid}, '_', 2), ${row.name}, ${row.content}, ${row.frontend}
    on conflict (tid) do update set name = excluded.name, content = excluded.content, frontend = excluded.frontend`)

export const anyContent = async (db: Db) => (await db.row(sql`select from locale where content limit 1`)) !== undefined
