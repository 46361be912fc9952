/** SQL statements about quality: what the checks need besides values, and where products are. */
import type { Db } from '../../adapters/postgres/db.ts'
import { nothing, sql } from '../../adapters/postgres/sql.ts'
import type { Caller } from '../../core/context.ts'
import { allows, pathsFor, type Permissions, within } from '../../core/access/permissions.ts'
import type { ExtendingPeo, TemplateRow } from '../../peo/api.ts'
import { readable } from '../channels/channels.sql.ts'
import { type Picture, picturesOf } from '../requirements/pictures.sql.ts'

interface Other {
  readonly id: number
  readonly tid: string
}
export interface Facts {
  readonly id: number
  /** Null if the caller may not read assets. */
  readonly pictures: readonly Picture[] | null
  readonly stale: readonly { readonly attr: string; readonly locale: string; readonly source: string }[]
  /** Of the product, its articles and its variations. */
  readonly identifiers: readonly {
    readonly level: 0 | 1 | 2
    readonly tid: string
    readonly id: number
    readonly attr: string
    readonly value: string
    /** With the path of the node of each. */
    readonly others: readonly (Other & { readonly at: string })[]
  }[]
  /** Products whose name has the same words. */
  readonly alike: readonly (Other & { readonly name: string })[]
}

const mostOthers = 5
/** Of very many duplicates, the oldest are looked at to find those that the caller may read. */
const mostRead = 500
/** Bounds the work for a product with many variations. */
const mostIdentifiers = 1000
const nameKeyOf = (row: 't' | 'o') => (row === 't' ? sql`name_key(split_part(t.key, chr(1), 1))` : sql`name_key(split_part(o.key, chr(1), 1))`) // prettier-ignore

/** Other products, pictures and files count if the caller may read them. One statement for any number of products. */
export const findFacts = (db: Db, ids: readonly number[], permissions: Permissions) => {
  const readableNode = within(permissions, 'read', 'product', sql`n.path`)
  const readsAll = pathsFor(permissions, 'read', 'product') === 'all'
  const pictures = allows(permissions, 'read', 'asset')
    ? sql`coalesce((select jsonb_agg(f) from (${picturesOf((at) => within(permissions, 'read', 'asset', at))}) f), '[]')`
    : sql`null::jsonb`
  return db.rows<Facts>(sql`
    select p.id, ${pictures} as pictures,
      coalesce((select jsonb_agg(jsonb_build_object('attr', s.attr, 'locale', s.locale, 'source', s.source) order by s.attr, s.locale)
        from stale_text s where s.product_id = p.id), '[]') as stale,
      coalesce((select jsonb_agg(jsonb_build_object('level', i.level, 'tid', i.tid, 'id', i.id, 'attr', i.attribute, 'value', i.value, 'others', (
          select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'tid', o.tid, 'at', o.path)), '[]') from (
            select o.id, o.tid, n.path from (
              select v.product_id from identifier_value v where v.attribute = i.attribute and v.value = i.value
              order by v.product_id limit ${mostRead}) v
            join product o on o.id = v.product_id
            join product r on r.id = coalesce(o.root_id, o.id) join node n on n.id = r.node_id
            where r.id <> coalesce(p.root_id, p.id) and ${readableNode}
            order by o.id limit ${mostOthers}) o)) order by i.level, i.id, i.attribute, i.value)
        from (
          select m.level, m.tid, m.id, i.attribute, i.value from product m join identifier_value i on i.product_id = m.id
          where m.id = p.id or m.root_id = p.id order by m.level, m.id limit ${mostIdentifiers}) i), '[]') as identifiers,
      coalesce((select jsonb_agg(jsonb_build_object('id', o.id, 'tid', o.tid, 'name', o.name)) from (
          select m.id, m.tid, m.name from product_text t cross join lateral (
            select o.product_id from product_text o
            where ${nameKeyOf('o')} = ${nameKeyOf('t')} and o.product_id <> t.product_id
            order by o.product_id limit ${readsAll ? mostOthers : mostRead}) o
          join product m on m.id = o.product_id join node n on n.id = m.node_id
          where t.product_id = p.id and ${nameKeyOf('t')} <> '' and ${readableNode}
          order by m.id limit ${mostOthers}) o), '[]') as alike
    from product p
    where p.id = any(${ids}::bigint[])`)
}

export interface Place {
  readonly productId: number
  readonly channelId: number
  readonly tid: string
  readonly path: string
  /** Whether the product itself is linked to the channel, not only extension objects of it. */
  readonly isLinked: boolean
  /** The extension objects of the product there that the caller may read. */
  readonly peos: readonly PlacedPeo[]
  /** The locales of content, the same in all rows: they would be a statement of their own. */
  readonly contentLocales: readonly string[]
}
export interface PlacedPeo extends Pick<ExtendingPeo, 'id' | 'tid' | 'vals'> {
  readonly template: TemplateRow
}
const peoFields = sql`jsonb_build_object('id', e.id, 'tid', e.tid, 'vals', e.vals, 'template',
  jsonb_build_object('id', t.id, 'tid', t.tid, 'name', t.name, 'attributes', t.attributes, 'meta', t.meta))`

/** The channels that products, or extension objects of products, are in; those that the caller may read. */
export const findPlaces = (
  db: Db,
  productIds: readonly number[],
  channelTids: readonly string[] | undefined,
  caller: Caller,
) =>
  db.rows<Place>(sql`
    select "productId", "channelId", tid, path, bool_or(peo is null) as "isLinked",
      coalesce(jsonb_agg(peo order by link) filter (where peo is not null), '[]') as peos,
      (select array_agg(l.tid order by l.id) from locale l where l.content) as "contentLocales"
    from (
      select l.from_id as "productId", p.id as "channelId", p.tid, p.path, l.id as link, null::jsonb as peo
      from link l join project p on p.id = l.to_id
      where l.kind = 'productToProject' and l.from_id = any(${productIds}::bigint[]) and ${readable(caller)} ${among(channelTids)}
      union all
      select e.product_id, p.id, p.tid, p.path, l.id, ${peoFields}
      from peo e join peo_template t on t.id = e.template_id
      join link l on l.from_id = e.id and l.kind = 'peoToProject' join project p on p.id = l.to_id
      where e.product_id = any(${productIds}::bigint[]) and ${readable(caller)}
        and ${within(caller.permissions, 'read', 'peo', sql`p.path`)} ${among(channelTids)}) placed
    group by 1, 2, 3, 4
    order by 1, 4`)

const among = (tids: readonly string[] | undefined) => (tids ? sql`and p.tid = any(${tids}::text[])` : nothing)

/**
 * Products with the same identifier as a changed one, or a similar name, and those that have a changed article or variation.
 * Of many duplicates, the oldest: the others were duplicates before the change.
 */
export const findAlike = async (db: Db, ids: readonly number[]) =>
  (
    await db.rows<{ id: number }>(sql`
      select o.product_id as id from product_text t cross join lateral (
        select o.product_id from product_text o
        where ${nameKeyOf('o')} = ${nameKeyOf('t')} and o.product_id <> t.product_id
        order by o.product_id limit ${mostOthers + 1}) o
      where t.product_id = any(${ids}::bigint[])
      union
      select coalesce(m.root_id, m.id) from identifier_value i cross join lateral (
        select o.product_id from identifier_value o
        where o.attribute = i.attribute and o.value = i.value and o.product_id <> i.product_id
        order by o.product_id limit ${mostOthers + 1}) o
      join product m on m.id = o.product_id
      where i.product_id = any(${ids}::bigint[])
      union
      select root_id from product where id = any(${ids}::bigint[]) and root_id is not null`)
  ).map(({ id }) => id)

/** More forbidden words than this in one change: all places are read again. */
const mostSearched = 20

/**
 * The products in channels whose texts may contain a forbidden word of these glossary entries. It compares parts of words,
 * so it finds more. Without an index: only changes of forbidden words need it.
 */
export const findWriting = async (db: Db, entryIds: readonly number[]) =>
  (
    await db.rows<{ id: number }>(sql`
      with words as (
        select '%' || array_to_string(regexp_split_to_array(regexp_replace(lower(w.value), '^[^[:alnum:]]+|[^[:alnum:]]+$', '', 'g'), '[^[:alnum:]]+'), '%') || '%' as part
        from glossary_entry e cross join lateral (
          select e.value where e.forbidden
          union all
          select t.value ->> 'value' from jsonb_each(e.translations) t where t.value -> 'forbidden' = 'true') w
        where e.id = any(${entryIds}::bigint[]))
      select l.from_id as id from link l
      where l.kind = 'productToProject' and exists (select from words) and ((select count(*) from words) > ${mostSearched} or exists (
        select from product p left join peo e on e.product_id = p.id
        where p.id = l.from_id and lower(p.vals::text || coalesce(e.vals::text, '')) like any (select part from words)))`)
  ).map(({ id }) => id)
