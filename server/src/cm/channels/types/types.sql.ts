/** Every statement about channel types. */
import type { Config, Infer, Long } from '@kontor/contract'
import { columns } from '../../../adapters/postgres/columns.ts'
import type { Db } from '../../../adapters/postgres/db.ts'
import { sql } from '../../../adapters/postgres/sql.ts'
import type { ItemValue, TargetRow } from '../../../common/api.ts'
import type { DefinitionRow } from '../../../values/api.ts'

const type = columns('project_type', 'id', 'tid', 'name', 'attr_defs', 'config', 'meta')

export interface TypeRow {
  readonly id: number
  readonly tid: string
  /** A text per locale; the one under '' has none. */
  readonly name: Readonly<Record<string, string>>
  readonly attrDefs: readonly DefinitionRow[]
  readonly config: Infer<typeof Config>
  readonly meta: readonly ItemValue[]
}

/** All types: there are few, and every message needs most of them. */
export const findTypes = (db: Db) => db.rows<TypeRow>(sql`select ${type.select()} from project_type order by id`)

/** As objects that channels use. */
export const describeTypes = (db: Db, ids: readonly Long[], tids: readonly string[] = []) =>
  db.rows<TargetRow>(sql`
    select t.id, t.tid, coalesce(t.name ->> 'en_GB', t.tid) as path from project_type t
    where t.id = any(${ids}::bigint[]) or t.tid = any(${tids}::text[])`)

/** Kinds stay as they are while channels are written by them. */
export const holdTypes = (db: Db) => db.lock(sql`select pg_advisory_xact_lock_shared(hashtext('project_type'))`)
export const lockTypes = (db: Db) => db.lock(sql`select pg_advisory_xact_lock(hashtext('project_type'))`)

export const insertTypes = (db: Db, rows: readonly TypeRow[], userName: string) =>
  db.run(sql`
    insert into project_type (${type.names}, created_by, modified_by)
    select ${type.fields()}, ${userName}, ${userName} from ${type.recordset(rows)}`)

export const updateTypes = (db: Db, rows: readonly TypeRow[], userName: string) =>
  db.run(sql`
    update project_type p set ${type.without('id', 'tid').set()}, modified_at = now(), modified_by = ${userName}
    from ${type.recordset(rows)} where p.id = n.id`)

/** Counts, for each channel type, the channels that have a value of each attribute. Only changes of types need it. */
export const countValues = (db: Db, typeTids: readonly string[]) =>
  db.rows<{ type: string; attr: string; count: number }>(sql`
    select t.tid as type, split_part(k.key, '/', 1) as attr, count(*)::int as count
    from project_type t join project p on p.type_id = t.id, jsonb_object_keys(p.vals) as k (key)
    where t.tid = any(${typeTids}::text[]) group by 1, 2`)
