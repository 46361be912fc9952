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
