/** All SQL for stored searches. */
import type { Search } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { nothing, sql } from '../../adapters/postgres/sql.ts'

interface NewSearch {
  readonly name: string
  readonly search: Search
  readonly index: string | null
  readonly configId: number | null
}

export const insertSearch = async (db: Db, userName: string, { name, search, index, configId }: NewSearch) =>
  (await db.writeRow<{ id: number }>(sql`
    insert into stored_search (user_name, name, search, index_name, config_id)
    values (${userName}, ${name}, ${JSON.stringify(search)}::jsonb, ${index}, ${configId}) returning id`))!.id

export const findSearch = async (db: Db, userName: string, id: number) =>
  db.row<{ search: Search; name: string; frequency: 'atOnce' | 'daily' | null }>(sql`
    select search, name, frequency from stored_search left join search_alert on search_id = id
    where id = ${id} and user_name = ${userName}`)

interface ListedSearch {
  readonly id: number
  readonly name: string
  readonly index: string | null
  readonly configId: number | null
  readonly identifier: string | null
  readonly frequency: 'atOnce' | 'daily' | null
}
export const listSearches = (db: Db, userName: string, by: { index?: string; configId?: number }) =>
  db.rows<ListedSearch>(sql`
    select s.id, s.name, coalesce(s.index_name, c.index_name) as index, s.config_id as "configId", c.identifier,
      a.frequency
    from stored_search s left join search_configuration c on c.id = s.config_id
      left join search_alert a on a.search_id = s.id
    where s.user_name = ${userName}
      ${by.index === undefined ? nothing : sql`and coalesce(s.index_name, c.index_name) = ${by.index}`}
      ${by.configId === undefined ? nothing : sql`and s.config_id = ${by.configId}::bigint`}
    order by lower(s.name), s.id`)

/** Returns the new name; undefined if the user has no such search. */
export const updateSearch = async (db: Db, userName: string, id: number, change: Partial<NewSearch>) =>
  (
    await db.writeRow<{ name: string }>(sql`
      update stored_search set modified_at = now()
        ${change.name === undefined ? nothing : sql`, name = ${change.name}`}
        ${
          change.search === undefined
            ? nothing
            : sql`, search = ${JSON.stringify(change.search)}::jsonb, index_name = ${change.index ?? null},
                  config_id = ${change.configId ?? null}`
        }
      where id = ${id} and user_name = ${userName} returning name`)
  )?.name

export const deleteSearch = (db: Db, userName: string, id: number) =>
  db.run(sql`delete from stored_search where id = ${id} and user_name = ${userName}`)

export const countSearches = async (db: Db, userName: string) =>
  (await db.row<{ count: number }>(
    sql`select count(*)::int as count from stored_search where user_name = ${userName}`,
  ))!.count
