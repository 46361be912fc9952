/** Every statement about locales. */
import { columns, type Row } from '../../adapters/postgres/columns.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { sql, type Sql } from '../../adapters/postgres/sql.ts'

const locale = columns('locale', 'id', 'tid', 'language', 'country', 'name', 'content', 'frontend')
export interface LocaleRow extends Row<typeof locale> {
  /** Whether texts are translated from it. */
  readonly isSource: boolean
}

/** The locale that texts are translated from: the chosen one, or the first one of content. */
export const sourceLocale = sql`(select tid from locale where content order by source desc, id limit 1)`

export const findSource = async (db: Db) => (await db.row<{ tid: string }>(sql`select ${sourceLocale} as tid`))!.tid

const select = (where: Sql) =>
  sql`select ${locale.select()}, tid = ${sourceLocale} as "isSource" from locale where ${where} order by id`

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

/** Makes the locale the source of translations; without one, the choice is open. */
export async function setSource(db: Db, tid: string | undefined): Promise<void> {
  await db.run(sql`update locale set source = false where source`)
  if (tid !== undefined) await db.run(sql`update locale set source = true where tid = ${tid}`)
}

export const anyContent = async (db: Db) => (await db.row(sql`select from locale where content limit 1`)) !== undefined
