/** SQL statements about channels. A subtree is a range of paths: everything between `/Shop/` and `/Shop0`. */
import type { Long } from '@kontor/contract'
import { columns as table, type Row, stampColumns } from '../../adapters/postgres/columns.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { type Sql, sql } from '../../adapters/postgres/sql.ts'
import type { ItemValue, Stamps, TargetRow } from '../../common/api.ts'
import type { Caller } from '../../core/context.ts'
import { within } from '../../core/access/permissions.ts'
import type { StoredValues } from '../../values/api.ts'

// prettier-ignore
const channel = table('project', 'id', 'tid', 'parent_id', 'type_id', 'name', 'path', 'order_sequence', 'meta', 'vals')
const changeable = channel.without('id', 'tid', 'type_id')
const stamps = table('project', ...stampColumns)

interface StoredChannel extends Readonly<Row<typeof channel>> {
  readonly meta: readonly ItemValue[]
  readonly vals: StoredValues
}
export type ChannelRow = Omit<StoredChannel, 'path'>
export interface ChannelDetails extends ChannelRow, Stamps {
  readonly path: string
  readonly parentTid: string | null
}

const columns = channel.without('path').select('p')
/** The SQL condition for channels below a path. */
export const belowPath = (path: Sql) =>
  sql`(p.path collate "C" > ${path} || '/' and p.path collate "C" < ${path} || '0')`
const depth = (path: Sql) => sql`(length(${path}) - length(replace(${path}, '/', '')))`

/** The SQL condition for channels that the caller may read. */
export const readable = ({ permissions }: Caller) => within(permissions, 'read', 'project', sql`p.path`)

// Reading

/** Identifies channels; the tid takes precedence over the id. */
export type By = { readonly tids: readonly string[] } | { readonly ids: readonly Long[] }
const named = (by: By) => ('tids' in by ? sql`p.tid = any(${by.tids}::text[])` : sql`p.id = any(${by.ids}::bigint[])`)

export const findChannels = (db: Db, by: By, caller: Caller) =>
  db.rows<ChannelDetails>(sql`
    select ${channel.select('p')}, ${stamps.select('p')}, above.tid as "parentTid"
    from project p left join project above on above.id = p.parent_id
    where ${named(by)} and ${readable(caller)}`)

export const listRoots = (db: Db, caller: Caller) =>
  db.rows<{ id: number; tid: string }>(sql`
    select p.id, p.tid from project p where p.parent_id is null and ${readable(caller)} order by p.order_sequence, p.id`)

export interface TreeRow {
  readonly id: number
  readonly tid: string
  readonly parentId: number | null
}
/** A channel with its descendants down to a depth. The channel itself comes first, siblings in their order. */
export const findTree = (db: Db, by: By, level: number, caller: Caller) =>
  db.rows<TreeRow>(sql`
    with top as (select p.id, p.path from project p where ${named(by)} and ${readable(caller)})
    select p.id, p.tid, p.parent_id as "parentId" from top, project p
    where p.id = top.id
       or (${belowPath(sql`top.path`)} and ${depth(sql`p.path`)} <= ${depth(sql`top.path`)} + ${level}::int and ${readable(caller)})
    order by p.id <> top.id, p.order_sequence, p.id`)

/** The channels whose linked assets belong to the reply for a channel: its children or all descendants. */
export const findBelow = (db: Db, ids: readonly number[], reach: 'children' | 'descendants', caller: Caller) =>
  db.rows<{ topId: number; id: number; path: string }>(sql`
    select top.id as "topId", p.id, p.path from project top join project p
      on ${reach === 'children' ? sql`p.parent_id = top.id` : belowPath(sql`top.path`)}
    where top.id = any(${ids}::bigint[]) and ${readable(caller)} order by p.path collate "C"`)

/** Links of channels, except to product extension objects. */
export const findLinks = (db: Db, ids: readonly number[]) =>
  db.rows<{ kind: string; type: string; fromId: number; toId: number }>(sql`
    select kind, type, from_id as "fromId", to_id as "toId" from link
    where to_id = any(${ids}::bigint[]) and kind in ('assetToProject', 'productToProject') order by id`)

// Writing

/** No other writer moves or names channels until the transaction ends. */
export const lockTree = (db: Db) => db.lock(sql`select pg_advisory_xact_lock(hashtext('project'))`)

/** No other writer changes what belongs to the channel until the transaction ends. */
export const lockOne = (db: Db, id: Long) => db.lock(sql`select from project where id = ${id} for no key update`)

/** Channels by name, with their ancestors. */
export const findWithAbove = (db: Db, ids: readonly Long[], tids: readonly string[]) =>
  db.rows<ChannelRow>(sql`
    with named as (select p.path from project p where p.id = any(${ids}::bigint[]) or p.tid = any(${tids}::text[]))
    select ${columns} from project p where p.tid in (select unnest(string_to_array(named.path, '/')) from named)`)

/** Channels with these names and parents; the parent of a root is null. */
export const findNamesakes = (db: Db, parentIds: readonly (number | null)[], names: readonly string[]) =>
  db.rows<ChannelRow>(sql`
    with asked as (select * from unnest(${parentIds}::bigint[], ${names}::text[]) as a (parent_id, name))
    select ${columns} from asked join project p on p.parent_id = asked.parent_id and p.name = asked.name
    union
    select ${columns} from asked join project p on p.name = asked.name
    where asked.parent_id is null and p.parent_id is null`)

export const findLastOrders = (db: Db, parentIds: readonly number[]) =>
  db.rows<{ parentId: number | null; last: number }>(sql`
    select parent_id as "parentId", max(order_sequence) as last from project
    where parent_id = any(${parentIds}::bigint[]) or parent_id is null group by parent_id`)

export const insertChannels = (db: Db, rows: readonly StoredChannel[], userName: string) =>
  db.run(sql`
    insert into project (${channel.names}, created_by, modified_by)
    select ${channel.fields('r')}, ${userName}, ${userName} from ${channel.recordset(rows, 'r')}`)

export const updateChannels = (db: Db, rows: readonly StoredChannel[], userName: string) =>
  db.run(sql`
    update project p set ${changeable.set('r')}, modified_at = now(), modified_by = ${userName}
    from ${channel.recordset(rows, 'r')} where p.id = r.id`)

/** Updates the paths of all descendants of moved channels. */
export const movePaths = (db: Db, ids: readonly number[]) =>
  db.run(sql`
    with recursive moved as (
      select p.id, p.path from project p where p.id = any(${ids}::bigint[])
      union
      select p.id, moved.path || '/' || p.tid from moved join project p on p.parent_id = moved.id
    )
    update project p set path = moved.path from moved where p.id = moved.id and p.path <> moved.path`)

interface SubtreeRow {
  readonly topId: number
  readonly id: number
  readonly tid: string
  readonly name: string
  readonly path: string
}
/** Channels by name, with their descendants. */
export const findSubtrees = (db: Db, ids: readonly Long[], tids: readonly string[], caller: Caller) =>
  db.rows<SubtreeRow>(sql`
    with top as (
      select p.id, p.path from project p
      where (p.id = any(${ids}::bigint[]) or p.tid = any(${tids}::text[])) and ${readable(caller)}
    )
    select top.id as "topId", p.id, p.tid, p.name, p.path
    from top join project p on p.id = top.id or ${belowPath(sql`top.path`)} order by p.path collate "C"`)

export const deleteChannels = (db: Db, ids: readonly number[]) =>
  db.run(sql`delete from project where id = any(${ids}::bigint[])`)

// Uses and link targets

/** A channel is in use by the channels below it. */
export const usersOfChannels = sql`
  select part.top_id, part.id as of_id, 'project' as data_type, p.id, 'below' as kind, '' as link_type, true as keeps
  from part join project p on p.parent_id = part.id`
export const usersOfTypes = sql`
  select part.top_id, part.id, 'project', p.id, 'type', '', true from part join project p on p.type_id = part.id`

const target = sql`p.id, p.tid, p.name as path, array[p.path] as scopes`

export const lockTargets = (db: Db, ids: readonly Long[], tids: readonly string[]) =>
  db.rows<TargetRow>(sql`
    select ${target} from project p
    where p.id = any(${ids}::bigint[]) or p.tid = any(${tids}::text[]) order by p.id for key share`)

export const describeTargets = (db: Db, ids: readonly Long[], tids: readonly string[] = []) =>
  db.rows<TargetRow>(sql`
    select ${target} from project p where p.id = any(${ids}::bigint[]) or p.tid = any(${tids}::text[])`)
