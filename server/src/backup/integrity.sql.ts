/** Invariants of the database: each statement selects the violations, as sentences. */
import type { Db } from '../adapters/postgres/db.ts'
import { type Sql, sql } from '../adapters/postgres/sql.ts'

/** The path of a child is the path of its parent plus one name. */
const tree = (table: Sql, name: string) => sql`
  select ${name}::text || ' ' || c.id || ' has the path ' || c.path || ', but its parent has the path ' || p.path as fault
  from ${table} c join ${table} p on p.id = c.parent_id
  where c.path is not null and (left(c.path, length(p.path) + 1) <> p.path || '/' or strpos(substr(c.path, length(p.path) + 2), '/') > 0)`

/** Links have no foreign keys, because they refer to several tables. */
const ends = (kinds: string, end: Sql, table: Sql) => sql`
  select 'link ' || l.id || ' (' || l.kind || ') refers to an object that does not exist' as fault from link l
  where l.kind ~ ${kinds}::text and not exists (select from ${table} o where o.id = ${end})`

// prettier-ignore
const checks: Readonly<Record<string, Sql>> = {
  'references are checked': sql`
    select 'the constraint ' || conname || ' of ' || conrelid::regclass || ' is not checked' as fault
    from pg_constraint where contype in ('f', 'c') and not convalidated and connamespace = 'public'::regnamespace`,
  'triggers are on': sql`
    select 'the trigger ' || t.tgname || ' of ' || t.tgrelid::regclass || ' is off' as fault
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'public'::regnamespace and t.tgenabled = 'D'`,
  'ids are not given twice': sql`
    select 'the sequence of objects is at ' || s.last_value || ', but ' || o.kind || ' ' || o.id || ' exists' as fault
    from object_id_seq s, (
      select 'product' as kind, max(id) as id from product union all select 'project', max(id) from project
      union all select 'peo', max(id) from peo union all select 'keyword', max(id) from keyword
      union all select 'asset', max(id) from dam_entry union all select 'node', max(id) from node
    ) as o where o.id > s.last_value`,
  'paths of channels':          tree(sql`project`, 'project'),
  'paths of keywords':          tree(sql`keyword`, 'keyword'),
  'paths of nodes':             tree(sql`node`, 'node'),
  'paths of directories':       tree(sql`(select * from dam_entry where kind = 'dir' and deleted_at is null)`, 'dir'),
  'links of assets':            ends('^asset', sql`l.from_id`, sql`dam_entry`),
  'links to assets':            ends('ToAsset$', sql`l.to_id`, sql`dam_entry`),
  'links of products':          ends('^product', sql`l.from_id`, sql`product`),
  'links to products':          ends('ToProduct$', sql`l.to_id`, sql`product`),
  'links to channels':          ends('ToProject$', sql`l.to_id`, sql`project`),
  'links of extensions':        ends('^peo', sql`l.from_id`, sql`peo`),
  'links of keywords':          ends('^keyword', sql`l.from_id`, sql`keyword`),
  'the model has a version':    sql`select 'the model has no version' as fault where not exists (select from pim_model)`,
}

/** Returns at most ten faults of each check. */
export async function findFaults(db: Db): Promise<string[]> {
  const faults: string[] = []
  for (const check of Object.values(checks)) {
    faults.push(...(await db.rows<{ fault: string }>(sql`${check} limit 10`)).map(({ fault }) => fault))
  }
  return faults
}
