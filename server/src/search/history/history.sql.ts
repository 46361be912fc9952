/** All SQL for search history. */
import type { Db } from '../../adapters/postgres/db.ts'
import { nothing, sql } from '../../adapters/postgres/sql.ts'

/** Maximum number of texts per user and context; older ones are deleted. */
const mostTexts = 200

export const upsertText = async (db: Db, userName: string, context: string, text: string) =>
  (await db.writeRow<{ id: number }>(sql`
    insert into search_history (user_name, context, text) values (${userName}, ${context}, ${text})
    on conflict (user_name, context, text) do update set used_at = now() returning id`))!.id

/** Returns the ids of the deleted texts. */
export const deleteOldest = async (db: Db, userName: string, context: string) =>
  (
    await db.writeRows<{ id: number }>(sql`
      delete from search_history where id in (
        select id from search_history where user_name = ${userName} and context = ${context}
        order by used_at desc, id desc offset ${mostTexts}
      ) returning id`)
  ).map(({ id }) => id)

/** Returns the ids of the deleted texts. */
export const deleteTexts = async (db: Db, userName: string, context: string | undefined) =>
  (
    await db.writeRows<{ id: number }>(sql`
      delete from search_history
      where user_name = ${userName} ${context === undefined ? nothing : sql`and context = ${context}`} returning id`)
  ).map(({ id }) => id)

interface TextQuery {
  /** The beginning of the text; case is ignored. */
  readonly text?: string
  readonly context?: string
  readonly count: number
}
/** Latest first, without duplicates. */
export const findTexts = async (db: Db, userName: string, { text = '', context, count }: TextQuery) =>
  (
    await db.rows<{ text: string }>(sql`
      select text from search_history
      where user_name = ${userName} and starts_with(lower(text), lower(${text}))
        ${context === undefined ? nothing : sql`and context = ${context}`}
      group by text order by max(used_at) desc, max(id) desc limit ${count}`)
  ).map((row) => row.text)

// Search documents

interface TextRow {
  readonly id: number
  readonly userName: string
  readonly context: string
  readonly text: string
  readonly usedAt: Date
}
export const readTexts = (db: Db, ids: readonly number[]) =>
  db.rows<TextRow>(sql`
    select id, user_name as "userName", context, text, used_at as "usedAt" from search_history
    where id = any(${ids}::bigint[]) order by id`)

export const listIds = async (db: Db, after: number, limit: number) =>
  (
    await db.rows<{ id: number }>(
      sql`select id from search_history where id > ${after}::bigint order by id limit ${limit}`,
    )
  ).map(({ id }) => id)

export const countAll = async (db: Db) =>
  (await db.row<{ count: number }>(sql`select count(*) as count from search_history`))!.count
