/** Every statement about roles that are being tried. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql, type Sql } from '../../adapters/postgres/sql.ts'
import { allows, type Permissions, type StoredGrant, within } from '../../core/access/permissions.ts'

const lifetime = sql`interval '1 hour'`

interface TrialRow {
  /** The tried role is the last. */
  readonly roles: readonly string[]
  readonly grants: readonly StoredGrant[]
}

/** Trials whose hour is over are removed with it. */
export const insertTrial = async (db: Db, { roles, grants }: TrialRow) =>
  (await db.writeRow<{ id: string }>(sql`
    with over as (delete from role_trial where created_at < now() - ${lifetime})
    insert into role_trial (roles, grants) values (${roles}::text[], ${JSON.stringify(grants)}) returning id`))!.id

export const findTrial = (db: Db, id: string) =>
  db.row<TrialRow>(
    sql`select roles, grants from role_trial where id = ${id}::uuid and created_at > now() - ${lifetime}`,
  )

/** By kind: all objects, with the column `at` that holds the path by which grants are narrowed. */
const objects: Readonly<Record<string, Sql>> = {
  product: sql`
    select p.tid, p.name, n.path as at, n.path || '/' || p.name as path, p.modified_at
    from product p join node n on n.id = p.parent_id where p.level = 0`,
  asset: sql`
    select e.tid, e.name, coalesce(d.path, '/' || r.tid) as at, coalesce(d.path, '/' || r.tid) || '/' || e.name as path, e.modified_at
    from dam_entry e join rnc r on r.id = e.rnc_id left join dam_entry d on d.id = e.parent_id
    where e.kind = 'asset' and e.deleted_at is null`,
  project: sql`select tid, name, path as at, path, modified_at from project`,
  node: sql`select path as tid, tid as name, path as at, path, modified_at from node`,
  keyword: sql`select path as tid, name, path as at, path, modified_at from keyword`,
}
const samples = 5

interface Sample {
  readonly tid: string
  readonly name: string
  readonly path: string
  readonly editable: boolean
}

/** Counts what the permissions let somebody read and update, with examples. */
export async function countKinds(db: Db, permissions: Permissions) {
  const counted = []
  for (const [kind, all] of Object.entries(objects)) {
    const readable = allows(permissions, 'read', kind) ? within(permissions, 'read', kind, sql`at`) : sql`false`
    const editable = allows(permissions, 'update', kind) ? within(permissions, 'update', kind, sql`at`) : sql`false`
    const found = await db.row<{ total: number; readable: number; editable: number }>(sql`
      select count(*)::int as total, count(*) filter (where ${readable})::int as readable,
        count(*) filter (where ${readable} and ${editable})::int as editable
      from (${all}) as one`)
    const some = await db.rows<Sample>(sql`
      select tid, name, path, ${editable} as editable from (${all}) as one where ${readable}
      order by editable desc, modified_at desc limit ${samples}`)
    counted.push({ kind, ...found!, samples: some })
  }
  return counted
}
