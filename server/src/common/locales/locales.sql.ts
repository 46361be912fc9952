/** Every statement about locales. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql, type Sql } from '../../adapters/postgres/sql.ts'

export interface LocaleRow {
  id: number
  tid: string
  language: string
  country: string
  name: string
  content: boolean
  frontend: boolean
}

const select = (where: Sql) => sql`
  select id, tid, language, country, name, content, frontend from locale where ${where} order by id`

// prettier-ignore
export const findLocales = {
  ALL:      (db: Db) => db.rows<LocaleRow>(select(sql`true`)),
  CONTENT:  (db: Db) => db.rows<LocaleRow>(select(sql`content`)),
  FRONTEND: (db: Db) => db.rows<LocaleRow>(select(sql`frontend`)),
  ID:       (db: Db, ids: readonly unknown[]) => db.rows<LocaleRow>(select(sql`id = any(${ids}::bigint[])`)),
  TID:      (db: Db, tids: readonly unknown[]) => db.rows<LocaleRow>(select(sql`tid = any(${tids}::text[])`)),
}
