/** Every statement that writes attribute definitions; the model reads them. */
import { columns } from '../../adapters/postgres/columns.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import type { DefinitionRow } from '../../values/api.ts'

const definition = columns('attr_def', 'id', 'tid', 'type', 'localized', 'multi', 'definition')

export const insertDefinitions = (db: Db, rows: readonly DefinitionRow[], userName: string) =>
  db.run(sql`
    insert into attr_def (${definition.names}, created_by, modified_by)
    select ${definition.fields()}, ${userName}, ${userName} from ${definition.recordset(rows)}`)

export const updateDefinitions = (db: Db, rows: readonly DefinitionRow[], userName: string) =>
  db.run(sql`
    update attr_def a set ${definition.without('id', 'tid').set()}, modified_at = now(), modified_by = ${userName}
    from ${definition.recordset(rows)} where a.id = n.id`)

export const deleteDefinitions = (db: Db, ids: readonly number[]) =>
  db.run(sql`delete from attr_def where id = any(${ids}::bigint[])`)

/** Attributes that became unique, or are no longer: their values are kept in a table of their own, or forgotten. */
export const refreshUnique = (db: Db, tids: readonly string[]) =>
  db.run(sql`
    with gone as (delete from unique_value where attribute = any(${tids}::text[]) returning 1)
    insert into unique_value (attribute, value, product_id)
    select distinct k.attribute, text, p.id
    from unique_key k join product p on p.vals ? k.key cross join value_texts(p.vals -> k.key) as text
    where k.attribute = any(${tids}::text[]) and (select count(*) from gone) >= 0`)
