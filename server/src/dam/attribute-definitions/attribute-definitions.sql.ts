/** Every statement about the attribute definitions of assets and directories. */
import type { Long } from '@kontor/contract'
import { columns } from '../../adapters/postgres/columns.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import type { TargetRow } from '../../common/api.ts'
import type { DefinitionRow } from '../../values/api.ts'

const definition = columns('dam_attr_def', 'id', 'tid', 'type', 'localized', 'multi', 'definition')

/** All definitions: there are few, and every message needs most of them. */
export const findDefinitions = (db: Db) =>
  db.rows<DefinitionRow>(sql`
    select ${definition.select()}, json_build_object('createdAt', created_at, 'createdBy', created_by,
      'modifiedAt', modified_at, 'modifiedBy', modified_by) as stamps
    from dam_attr_def order by id`)

export const describeDefinitions = (db: Db, ids: readonly Long[]) =>
  db.rows<TargetRow>(sql`
    select d.id, d.tid, d.tid as path, json_build_object('tid', d.tid, 'of', 'asset') as attribute from dam_attr_def d
    where d.id = any(${ids}::bigint[])`)

/** Definitions stay as they are while values are written by them. */
export const holdDefinitions = (db: Db) => db.lock(sql`select pg_advisory_xact_lock_shared(hashtext('dam_attr_def'))`)
export const lockDefinitions = (db: Db) => db.lock(sql`select pg_advisory_xact_lock(hashtext('dam_attr_def'))`)

export const insertDefinitions = (db: Db, rows: readonly DefinitionRow[], userName: string) =>
  db.run(sql`
    insert into dam_attr_def (${definition.names}, created_by, modified_by)
    select ${definition.fields()}, ${userName}, ${userName} from ${definition.recordset(rows)}`)

export const updateDefinitions = (db: Db, rows: readonly DefinitionRow[], userName: string) =>
  db.run(sql`
    update dam_attr_def a set ${definition.without('id', 'tid').set()}, modified_at = now(), modified_by = ${userName}
    from ${definition.recordset(rows)} where a.id = n.id`)

export const deleteDefinitions = (db: Db, ids: readonly number[]) =>
  db.run(sql`delete from dam_attr_def where id = any(${ids}::bigint[])`)

/** Counts the entries, also in the trash, that have a value of each attribute. Without an index: only changes need it. */
export const countValues = (db: Db, tids: readonly string[]) =>
  db.rows<{ tid: string; count: number }>(sql`
    select t.tid, count(*)::int as count from unnest(${tids}::text[]) as t (tid)
    join dam_entry e on e.vals ? t.tid or exists (select from jsonb_object_keys(e.vals) as k (key)
      where starts_with(k.key, t.tid || '/') or right(k.key, length(t.tid) + 1) = '/' || t.tid)
    group by 1`)
