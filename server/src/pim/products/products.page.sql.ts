/** Statements for lists of products that people browse: any position of any order. */
import type { Db } from '../../adapters/postgres/db.ts'
import { join, nothing, type Sql, sql } from '../../adapters/postgres/sql.ts'
import { pathsFor, within } from '../../core/access/permissions.ts'
import type { Caller } from '../../core/context.ts'
import type { StoredValues } from '../../values/api.ts'

interface Selected {
  /** Undefined means every node. */
  readonly nodeIds: readonly number[] | undefined
  readonly text: string | undefined
  readonly readable: Sql
}
export interface Position {
  readonly sort: 'modified' | 'created' | 'tid' | 'name'
  readonly descending: boolean
  readonly offset: number
  readonly count: number
}
export interface PageRow {
  readonly id: number
  readonly level: 0
  readonly tid: string
  readonly name: string
  readonly nodeId: number
  readonly vals: StoredValues
  readonly createdAt: Date
  readonly modifiedAt: Date
  readonly modifiedBy: string
  readonly articles: number
  readonly variations: number
  readonly picture: string | null
}

const inNodes = (nodeIds: Selected['nodeIds']) =>
  nodeIds === undefined ? nothing : sql`and p.parent_id = any(${nodeIds}::bigint[])`
/** Of product_text, whose keys are in lower case. */
const contains = (text: string) => sql`like lower(${`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`})`

const selection = ({ nodeIds, text, readable }: Selected) => sql`
  p.level = 0 ${inNodes(nodeIds)}
  ${text === undefined ? nothing : sql`and p.id in (select t.product_id from product_text t where t.key ${contains(text)})`}
  ${readable}`

/** Without reading the products: see product_text and product_count. */
export const countSelected = async (db: Db, { nodeIds, text, readable }: Selected): Promise<number> => {
  const [row] = await db.rows<{ total: number }>(
    text === undefined
      ? sql`select coalesce(sum(p.count), 0)::int as total from product_count p where true ${inNodes(nodeIds)} ${readable}`
      : sql`select count(*)::int as total from product_text p where p.key ${contains(text)} ${inNodes(nodeIds)} ${readable}`,
  )
  return row!.total
}

/** Merges the rows of product_count that belong to the same node. */
export const mergeCounts = (db: Db) =>
  db.run(sql`
    with merged as (
      delete from product_count where parent_id in (select parent_id from product_count group by parent_id having count(*) > 1)
      returning parent_id, count)
    insert into product_count select parent_id, sum(count) from merged group by parent_id having sum(count) <> 0`)

/** Each order is unique. All but `created` have a covering index for finding a page. */
const orders = {
  modified: [sql`p.modified_at`, sql`p.id`],
  created: [sql`p.id`],
  tid: [sql`p.tid`],
  name: [sql`p.name`, sql`p.id`],
} as const

/** Finds the page by ids alone, then reads the other columns only for the rows on the page. */
export function pageOf(db: Db, caller: Caller, selected: Selected, { sort, descending, offset, count }: Position) {
  const order = join(orders[sort].map((column) => (descending ? sql`${column} desc` : column)))
  const page = sql`select p.id, 0 as n from product p where ${selection(selected)} order by ${order} limit ${count} offset ${offset}`
  return rowsIn(db, caller, page, order)
}

export const rowsByTid = (db: Db, caller: Caller, tids: readonly string[], readable: Sql) =>
  rowsIn(
    db,
    caller,
    sql`select p.id, asked.n from unnest(${tids}::text[]) with ordinality as asked (tid, n)
      join product p on p.tid = asked.tid and p.level = 0 ${readable}`,
    sql`page.n`,
  )

/** The asset `a` is one that the caller may read. */
const readableAsset = ({ permissions }: Caller): Sql =>
  pathsFor(permissions, 'read', 'asset') === 'all'
    ? sql`true`
    : sql`exists (select from rnc r left join dam_entry d on d.id = a.parent_id
        where r.id = a.rnc_id and ${within(permissions, 'read', 'asset', sql`coalesce(d.path, '/' || r.tid)`)})`

const rowsIn = (db: Db, caller: Caller, page: Sql, order: Sql) =>
  db.rows<PageRow>(sql`
    with page as materialized (${page})
    select p.id, p.level, p.tid, p.name, p.node_id as "nodeId", p.vals, p.created_at as "createdAt", p.modified_at as "modifiedAt",
           p.modified_by as "modifiedBy", m.articles, m.variations, a.tid as picture
    from page join product p on p.id = page.id
    left join lateral (
      select count(*) filter (where level = 1)::int as articles, count(*) filter (where level = 2)::int as variations
      from product m where m.root_id = p.id
    ) m on true
    left join lateral (
      select a.tid from link l join dam_entry a on a.id = l.from_id
      where l.to_id = p.id and l.kind = 'assetToProduct' and ${readableAsset(caller)} order by l.pos nulls last, l.id limit 1
    ) a on true
    order by ${order}`)

/** Counts the readable products of each node. */
export const countByNode = (db: Db, readable: Sql) =>
  db.rows<{ nodeId: number; count: number }>(sql`
    select p.parent_id as "nodeId", sum(p.count)::int as count from product_count p where true ${readable} group by 1`)

export interface HistoryRow {
  readonly id: number
  readonly objectId: number
  readonly at: Date
  readonly user: string
  readonly action: string
  readonly dataType: string
  readonly rule: string | null
  readonly changes: Readonly<Record<string, { from?: unknown; to?: unknown } | unknown>>
}
export const findHistory = (db: Db, objectIds: readonly number[], before: number | undefined, count: number) =>
  db.rows<HistoryRow>(sql`
    select h.id, h.object_id as "objectId", h.at, h.user_name as user, h.action, h.data_type as "dataType", h.rule, h.changes
    from history h
    where h.object_id = any(${objectIds}::bigint[]) ${before === undefined ? nothing : sql`and h.id < ${before}`}
    order by h.id desc limit ${count}`)

/** The node that a product left by the first of its entries from this one on. */
export const findNodeLeft = async (db: Db, id: number, from: number): Promise<string | undefined> => {
  const row = await db.row<{ path: string }>(sql`
    select h.changes -> 'node' ->> 'from' as path from history h
    where h.object_id = ${id} and h.id >= ${from} and h.changes -> 'node' ? 'from' order by h.id limit 1`)
  return row?.path
}
