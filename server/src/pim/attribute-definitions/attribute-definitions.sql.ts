/** Every statement that writes attribute definitions; the model reads them. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import type { DefinitionRow } from '../../values/api.ts'

export const insertDefinitions = (db: Db, rows: readonly DefinitionRow[], userName: string) =>
  db.run(sql`
    insert into attr_def (id, tid, type, localized, multi, definition, created_by, modified_by)
    select id, tid, type, localized, multi, definition, ${userName}, ${userName}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as d (id bigint, tid text, type text, localized boolean, multi boolean, definition jsonb)`)

export const updateDefinitions = (db: Db, rows: readonly DefinitionRow[], userName: string) =>
  db.run(sql`
    update attr_def a set type = d.type, localized = d.localized, multi = d.multi, definition = d.definition,
      modified_at = now(), modified_by = ${userName}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as d (id bigint, type text, localized boolean, multi boolean, definition jsonb)
    where a.id = d.id`)

export const deleteDefinitions = (db: Db, ids: readonly number[]) =>
  db.run(sql`delete from attr_def where id = any(${ids}::bigint[])`)
