/** Every statement that writes groups of attributes; the model reads them. */
import { columns } from '../../adapters/postgres/columns.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import type { Long } from '@kontor/contract'
import type { TargetRow } from '../../common/api.ts'
import type { GroupRow } from '../model/model.sql.ts'

const group = columns('attr_group', 'id', 'tid', 'name', 'pos')

export const insertGroups = (db: Db, rows: readonly GroupRow[], userName: string) =>
  db.run(sql`
    insert into attr_group (${group.names}, modified_by)
    select ${group.fields()}, ${userName} from ${group.recordset(rows)}`)

export const updateGroups = (db: Db, rows: readonly GroupRow[], userName: string) =>
  db.run(sql`
    update attr_group a set ${group.without('id', 'tid').set()}, modified_at = now(), modified_by = ${userName}
    from ${group.recordset(rows)} where a.id = n.id`)

/** A group whose attributes changed has another version, as its ETag says. */
export const touchGroups = (db: Db, tids: readonly string[], userName: string) =>
  db.run(sql`update attr_group set modified_at = now(), modified_by = ${userName} where tid = any(${tids}::text[])`)

export const deleteGroups = (db: Db, ids: readonly number[]) =>
  db.run(sql`delete from attr_group where id = any(${ids}::bigint[])`)

/** The groups that roles name, locked: no role names one of the others until the transaction ends. */
export const findGuarded = async (db: Db, tids: readonly string[]): Promise<ReadonlySet<string>> => {
  if (tids.length === 0) return new Set()
  await db.rows(sql`select tid from attr_group where tid = any(${tids}::text[]) order by tid for update`)
  const found = await db.rows<{ tid: string }>(
    sql`select distinct tid from grant_attr_group where tid = any(${tids}::text[])`,
  )
  return new Set(found.map(({ tid }) => tid))
}

export const describeGroups = (db: Db, ids: readonly Long[]) =>
  db.rows<TargetRow>(sql`select id, tid, tid as path from attr_group where id = any(${ids}::bigint[])`)
