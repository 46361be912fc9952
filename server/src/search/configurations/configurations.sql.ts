/** All SQL for search configurations. */
import type { Infer, SearchConfiguration } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import type { IndexName } from '../../core/outbox/documents.ts'

export type Content = Omit<Infer<typeof SearchConfiguration>, 'id' | 'identifier' | 'index'>
export interface ConfigurationRow {
  readonly id: number
  readonly identifier: string
  readonly index: IndexName
  readonly content: Content
}
const columns = sql`id, identifier, index_name as index, content`

export const listConfigurations = (db: Db) =>
  db.rows<ConfigurationRow>(sql`select ${columns} from search_configuration order by identifier`)

export const findConfiguration = (db: Db, by: { id: number } | { identifier: string }) =>
  db.row<ConfigurationRow>(sql`
    select ${columns} from search_configuration
    where ${'id' in by ? sql`id = ${by.id}` : sql`identifier = ${by.identifier}`}`)

export const upsertConfiguration = async (db: Db, row: Omit<ConfigurationRow, 'id'>, userName: string) =>
  (await db.writeRow<ConfigurationRow>(sql`
    insert into search_configuration (identifier, index_name, content, modified_by)
    values (${row.identifier}, ${row.index}, ${JSON.stringify(row.content)}::jsonb, ${userName})
    on conflict (identifier) do update set index_name = excluded.index_name, content = excluded.content,
      modified_at = now(), modified_by = excluded.modified_by
    returning ${columns}`))!

export const deleteConfiguration = (db: Db, identifier: string) =>
  db.run(sql`delete from search_configuration where identifier = ${identifier}`)
