/**
 * Every statement about products, articles and variations.
 *
 * Sets of rows are sent as lines (columns.ts): neither JSON nor tids nor names can contain a line break.
 */
import type { Long } from '@kontor/contract'
import { columns as table, type Row } from '../../adapters/postgres/columns.ts'
import { byKey, type Db } from '../../adapters/postgres/db.ts'
import { nothing, type Sql, sql } from '../../adapters/postgres/sql.ts'
import { isLinked, type Target, type TargetRow } from '../../common/api.ts'
import type { Part } from '../../core/context.ts'
import { pathsFor, type Permissions, within } from '../../core/access/permissions.ts'
import type { StoredValues } from '../../values/api.ts'
import type { Paging } from '../../core/context.ts'
import { atMost, behind } from '../../core/batch/paging.sql.ts'

/** 0 product, 1 article, 2 variation. */
export type LevelNumber = 0 | 1 | 2

/**
 * `root_id` is the product, null for a product itself. `parent_id` is the node of a product, the product of an article or
 * the article of a variation. Only a product has a `node_id`.
 */
const product = table('product', 'id', 'level', 'tid', 'root_id', 'parent_id', 'node_id', 'name', 'vals')
const changeable = product.without('id', 'level', 'tid', 'root_id')

export interface ProductRow extends Readonly<Row<typeof product>> {
  readonly level: LevelNumber
  readonly vals: StoredValues
}
export interface LockedProduct extends ProductRow {
  /** Differs after every change of any level. */
  readonly version: string
}
/** Dates are as PostgreSQL writes them, in UTC: 2024-02-25 08:00:00.123456+00. Parsing them would dominate exports. */
export interface Stamps {
  readonly createdAt: string
  readonly createdBy: string
  readonly modifiedAt: string
  readonly modifiedBy: string
  readonly valueModifiedAt: string
}
export interface ViewRow extends LockedProduct, Stamps {}
export interface ViewProduct extends ViewRow {
  /** How many articles and variations it has. */
  readonly size: number
  /** Whether it is an end of any link. */
  readonly linked: boolean
}

export const columns = product.without('vals').select('p')
export const stamps = sql`p.created_at::text as "createdAt", p.created_by as "createdBy", p.modified_at::text as "modifiedAt",
  p.modified_by as "modifiedBy", p.value_modified_at::text as "valueModifiedAt"`
const viewColumns = sql`${columns}, p.vals, p.xmin::text as version, ${stamps}`

/** Every writer of any level locks the product first, in order of id, so that two writers cannot deadlock. */
export const lockProducts = (db: Db, tids: readonly string[]) =>
  db.rows<LockedProduct>(sql`
    select ${columns}, p.vals, p.xmin::text as version from product p
    where p.level = 0 and p.tid = any(${tids}::text[]) order by p.id for update`)

/**
 * The articles and variations of the products, with values only for the tids given; and the articles and variations of
 * other products that have one of these tids, without values.
 */
export const findMembers = (
  db: Db,
  rootIds: readonly number[],
  articleTids: readonly string[],
  variantTids: readonly string[],
) =>
  db.rows<Omit<ProductRow, 'vals'> & { vals: StoredValues | null }>(sql`
    select ${columns}, case when p.tid = any(${articleTids}::text[]) or p.tid = any(${variantTids}::text[]) then p.vals end as vals
    from product p where p.root_id = any(${rootIds}::bigint[])
    union all
    select ${columns}, null from product p
    where p.level > 0 and p.tid = any(${[...articleTids, ...variantTids]}::text[]) and p.root_id <> all(${rootIds}::bigint[])
    order by level, id`)

/** Finds products by parent id and name. */
export const findNames = (db: Db, parentIds: readonly number[], names: readonly string[]) =>
  db.rows<Omit<ProductRow, 'vals'>>(sql`
    select ${columns} from unnest(${parentIds}::bigint[], ${names}::text[]) as asked (parent_id, name)
    join product p on p.parent_id = asked.parent_id and p.name = asked.name`)

export const insertProducts = (db: Db, rows: readonly ProductRow[], userName: string) =>
  db.run(sql`
    insert into product (${product.names}, created_by, modified_by)
    select ${product.fields('r')}, ${userName}, ${userName} from ${product.lines(rows, 'r')}`)

/** Writes the rows. A product is also written if only its articles or variations changed, to update its date. */
export const updateProducts = (db: Db, rows: readonly ProductRow[], userName: string) =>
  db.run(sql`
    update product p
    set ${changeable.set('r')}, modified_at = now(), modified_by = ${userName},
        value_modified_at = case when p.vals = r.vals then p.value_modified_at else now() end
    from ${product.lines(rows, 'r')} where p.id = r.id`)

// Reading

const extent = sql`
  (select count(*)::int from product m where m.root_id = p.id) as size,
  ${isLinked(sql`p.id`)} as linked`

/** Products by tid or by id, with the size of each, in no particular order. */
export const findProducts = (db: Db, by: { tids: readonly string[] } | { ids: readonly Long[] }) =>
  db.rows<ViewProduct>(sql`
    select ${viewColumns}, ${extent}
    from product p
    where p.level = 0 and ${'tids' in by ? sql`p.tid = any(${by.tids}::text[])` : sql`p.id = any(${by.ids}::bigint[])`}`)

/** One product, with the version of the model that the same statement saw. */
export const findProduct = (db: Db, by: { tid: string } | { id: Long }) =>
  byKey(db).row<ViewProduct & { readonly modelVersion: number }>(sql`
    select ${viewColumns}, ${extent}, (select m.version from pim_model m) as "modelVersion"
    from product p where p.level = 0 and ${'tid' in by ? sql`p.tid = ${by.tid}` : sql`p.id = ${by.id}`}`)

/** All articles and variations of products: articles before variations, in the order of creation. */
export const listMembers = (db: Db, rootIds: readonly number[]) =>
  db.rows<ViewRow & { rootId: number }>(sql`
    select ${viewColumns} from product p where p.root_id = any(${rootIds}::bigint[]) order by p.root_id, p.level, p.id`)

/** Any level by id, or by tid and level. */
export const findAnywhere = (db: Db, by: { ids: readonly number[]; tids: readonly string[] }) =>
  db.rows<ViewRow>(sql`
    select ${viewColumns} from product p where p.id = any(${by.ids}::bigint[])
    union all
    select ${viewColumns} from product p where p.tid = any(${by.tids}::text[]) and p.id <> all(${by.ids}::bigint[])`)

/**
 * The products that the caller may read, as a condition; empty when that is all of them. The parent of a product is its
 * node, and the indexes for lists have parent_id.
 */
export const readable = (permissions: Permissions) =>
  pathsFor(permissions, 'read', 'product') === 'all'
    ? nothing
    : sql`and p.parent_id in (select n.id from node n where ${within(permissions, 'read', 'product', sql`n.path`)})`

export interface Criteria {
  readonly from: string | undefined
  readonly until: string | undefined
  /** Undefined means every node. */
  readonly nodeIds: readonly number[] | undefined
}
/** A subquery of id and tid. Dates of requests are in milliseconds; stored ones have microseconds. */
export const selectProducts = ({ from, until, nodeIds }: Criteria, readable: Sql) => sql`
    select p.id, p.tid from product p
    where p.level = 0
      ${from === undefined ? nothing : sql`and p.modified_at >= ${from}::timestamptz`}
      ${until === undefined ? nothing : sql`and p.modified_at < ${until}::timestamptz + interval '1 millisecond'`}
      ${nodeIds === undefined ? nothing : sql`and p.parent_id = any(${nodeIds}::bigint[])`} ${readable}`
/** In the order of creation. */
export const listTids = (db: Db, selected: Sql, paging: Paging) =>
  db.rows<{ id: number; tid: string }>(
    sql`select s.id, s.tid from (${selected}) as s where true ${behind(paging, sql`s.id`)} order by s.id ${atMost(paging)}`,
  )

// Actions

/** Products by id or tid, locked in order of id. */
export const lockNamed = (db: Db, ids: readonly Long[], tids: readonly string[]) =>
  db.rows<Omit<ProductRow, 'vals'>>(sql`
    select ${columns} from product p
    where p.level = 0 and (p.id = any(${ids}::bigint[]) or p.tid = any(${tids}::text[])) order by p.id for update`)

/** The products with their articles and variations, which are deleted with them. */
export const findParts = (db: Db, rootIds: readonly number[]) =>
  db.rows<Part>(sql`
    select p.id, coalesce(p.root_id, p.id) as "topId" from product p
    where p.id = any(${rootIds}::bigint[]) or p.root_id = any(${rootIds}::bigint[])`)

export const deleteProducts = (db: Db, rootIds: readonly number[]) =>
  db.writeRows<Omit<ProductRow, 'vals'>>(sql`
    delete from product p where p.id = any(${rootIds}::bigint[]) or p.root_id = any(${rootIds}::bigint[])
    returning ${columns}`)

export interface Copy {
  readonly sourceId: number
  readonly id: number
  readonly tid: string
  readonly name: string
}
/** Copies products with articles, variations, values and links. Links within a product become links within its copy. */
export const copyProducts = (db: Db, copies: readonly Copy[], userName: string) =>
  db.writeRows<Omit<ProductRow, 'vals'>>(sql`
    with copy as (
      select * from jsonb_to_recordset(${JSON.stringify(copies)}::jsonb) as c ("sourceId" bigint, id bigint, tid text, name text)
    ), part as (
      select c.id as copy_id, p.id as old_id, p.level, p.parent_id, p.node_id, p.vals,
             case p.level when 0 then c.id else nextval('object_id_seq') end as id,
             case p.level when 0 then c.tid else gen_random_uuid()::text end as tid,
             case p.level when 0 then c.name else p.name end as name
      from copy c join product p on p.id = c."sourceId" or p.root_id = c."sourceId" order by c.id, p.level, p.id
    ), made as (
      insert into product as p (id, level, tid, root_id, parent_id, node_id, name, vals, created_by, modified_by)
      select n.id, n.level, n.tid, case when n.level > 0 then n.copy_id end, coalesce(above.id, n.node_id), n.node_id,
             n.name, n.vals, ${userName}, ${userName}
      from part n left join part above on above.copy_id = n.copy_id and above.old_id = n.parent_id and n.level > 0
      returning ${columns}
    ), linked as (
      insert into link (kind, type, from_id, to_id, pos, quantity, created_by)
      select l.kind, l.type, n.id, coalesce(inside.id, l.to_id), l.pos, l.quantity, ${userName}
      from part n join link l on l.from_id = n.old_id
      left join part inside on inside.copy_id = n.copy_id and inside.old_id = l.to_id
      union all
      select l.kind, l.type, l.from_id, n.id, l.pos, null, ${userName}
      from part n join link l on l.to_id = n.old_id and l.kind = 'assetToProduct'
    ), stale as (
      insert into stale_text (product_id, attr, locale, source, since)
      select n.id, s.attr, s.locale, s.source, s.since from part n join stale_text s on s.product_id = n.old_id
    )
    select * from made order by level, id`)

// As ends of links

const target = sql`p.id, p.tid, p.level, p.name as path, array[n.path] as scopes`
/** The node of an object of any level, as `n`. */
export const withNode = sql`join product r on r.id = coalesce(p.root_id, p.id) join node n on n.id = r.node_id`

/** Products by tid, any level by id; kept from being deleted until the transaction ends. */
export const lockTargets = (db: Db, { ids, tids, below = [] }: Parameters<Target['lock']>[1]) =>
  db.rows<TargetRow>(sql`
    select ${target} from product p ${withNode}
    where p.id = any(${ids}::bigint[]) or (p.level = 0 and p.tid = any(${tids}::text[]))
      ${below.length === 0 ? nothing : sql`or (p.tid, p.level) in (select * from unnest(${below.map(({ tid }) => tid)}::text[], ${below.map(({ level }) => level)}::smallint[]))`}
    order by p.id for key share of p`)

export const describeTargets = (db: Db, ids: readonly Long[], tids: readonly string[] = []) =>
  db.rows<TargetRow>(sql`
    select ${target} from product p ${withNode}
    where p.id = any(${ids}::bigint[]) or (p.level = 0 and p.tid = any(${tids}::text[]))`)
