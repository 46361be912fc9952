/** Every statement about products as search documents. */
import type { Db } from '../../adapters/postgres/db.ts'
import { nothing, sql } from '../../adapters/postgres/sql.ts'
import type { FoundObject, PassedOver } from '../../core/outbox/documents.ts'
import { columns, type ProductRow, stamps, type Stamps, withNode } from './products.sql.ts'

/** An object that a product is linked to. */
export interface Linked {
  readonly field: 'channels' | 'assets' | 'products'
  readonly id: number
  readonly tid: string
  /** Of products: the relation type of the link, if it has one. */
  readonly type?: string | null
}
/** Parts that were not requested are absent. */
export interface DocumentRow extends Omit<ProductRow, 'vals'>, Partial<Stamps> {
  /** The version of the model at the time of the row, so that no other statement is needed for it. */
  readonly modelVersion: number
  /** As JSON; parsed when the document is built. */
  readonly vals?: string
  /** Null for no links. */
  readonly links?: readonly Linked[] | null
  /** The locales of its stale texts; null for none. */
  readonly stale?: readonly string[] | null
}
export interface Parts {
  /** All values, or those under some keys. */
  readonly vals?: 'all' | readonly string[] | undefined
  /** Keys whose values in some locales are left out. */
  readonly passed?: PassedOver | undefined
  readonly stamps?: boolean
  readonly links?: boolean
  readonly stale?: boolean
}

/** With their tids: looking these up afterwards would double the time until a change can be found. */
const links = sql`(
  select json_agg(l) from (
    select 'channels' as field, o.id, o.tid, null as type from link l join project o on o.id = l.to_id
    where l.from_id = p.id and l.kind = 'productToProject'
    union all
    select 'products', o.id, o.tid, t.tid from link l join product o on o.id = l.to_id
    left join relation_type t on t.tid = l.type
    where l.from_id = p.id and l.kind = 'productToProduct'
    union all
    select 'assets', o.id, o.tid, null from link l join dam_entry o on o.id = l.from_id and o.deleted_at is null
    where l.to_id = p.id and l.kind = 'assetToProduct'
  ) l) as links`

const stale = sql`(select array_agg(distinct s.locale) from stale_text s where s.product_id = p.id) as stale`

function valsOf({ vals, passed }: Parts) {
  if (vals === 'all') return sql`p.vals::text`
  const value = passed
    ? sql`case when k = any(${passed.fields}::text[]) and jsonb_typeof(p.vals -> k) = 'object'
        then (p.vals -> k) - ${passed.locales}::text[] else p.vals -> k end`
    : sql`p.vals -> k`
  return sql`(
    select coalesce(jsonb_object_agg(k, ${value}), '{}')::text from unnest(${vals}::text[]) k where p.vals ? k) as vals`
}

/** Products, articles and variations by id; one statement reads everything that their documents need. */
export const readRows = (db: Db, ids: readonly number[], parts: Parts) =>
  db.rows<DocumentRow>(sql`
    select ${columns}, m.version as "modelVersion"
      ${parts.vals ? sql`, ${valsOf(parts)}` : nothing} ${parts.stamps ? sql`, ${stamps}` : nothing} ${parts.links ? sql`, ${links}` : nothing}
      ${parts.stale ? sql`, ${stale}` : nothing}
    from product p cross join pim_model m where p.id = any(${ids}::bigint[]) order by p.id`)

export const listIds = async (db: Db, after: number, limit: number) =>
  (
    await db.rows<{ id: number }>(sql`select id from product where id > ${after}::bigint order by id limit ${limit}`)
  ).map(({ id }) => id)

export const countAll = async (db: Db) =>
  (await db.row<{ count: number }>(sql`select count(*) as count from product`))!.count

/** Of any level. */
export const findObjects = (db: Db, tids: readonly string[]) =>
  db.rows<FoundObject>(sql`
    select p.id, p.tid, json_build_object('product', json_build_array(n.path)) as scopes from product p ${withNode}
    where p.tid = any(${tids}::text[])`)

/** The products of articles and variations, whose dates change with them. */
export const productsOf = async (db: Db, ids: readonly number[]) =>
  (
    await db.rows<{ id: number }>(sql`
      select distinct root_id as id from product where id = any(${ids}::bigint[]) and root_id is not null`)
  ).map(({ id }) => id)

/** The nodes of attributes; for deleted ones from the history, where a deletion has neither from nor to. */
export const nodesOfAttributes = async (db: Db, ids: readonly number[]) =>
  (
    await db.rows<{ id: number }>(sql`
      select node_id as id from node_attribute where id = any(${ids}::bigint[])
      union
      select coalesce(changes #>> '{nodeId,to}', changes #>> '{nodeId,from}', changes ->> 'nodeId')::bigint from history
      where object_id = any(${ids}::bigint[]) and data_type = 'attribute' and changes ? 'nodeId'`)
  ).map(({ id }) => id)

/** Objects that have values of the attributes themselves. Without an index: only changes of definitions need it. */
export const findHaving = async (db: Db, definitionIds: readonly number[]) =>
  (
    await db.rows<{ id: number }>(sql`
      select p.id from product p
      where exists (select from attr_def d where d.id = any(${definitionIds}::bigint[]) and p.vals ? d.tid)`)
  ).map(({ id }) => id)
