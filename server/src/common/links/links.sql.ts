/** Every statement about links. */
import type { Db } from '../../adapters/postgres/db.ts'
import { type Sql, sql } from '../../adapters/postgres/sql.ts'

export interface NewLink {
  kind: string
  type: string
  fromId: number
  toId: number
  /** The place of the link among those of its objects; links without one come last. */
  pos?: number | null
  /** Of relations: a decimal number. */
  quantity?: string | null
}

/** Inserts the links that do not exist yet and returns them. */
export const insertLinks = (db: Db, links: readonly NewLink[], userName: string) =>
  db.writeRows<NewLink & { id: number }>(sql`
    insert into link (kind, type, from_id, to_id, pos, quantity, created_by)
    select distinct on ("fromId", kind, "toId", type) kind, type, "fromId", "toId", pos, quantity, ${userName}
    from jsonb_to_recordset(${JSON.stringify(links)}::jsonb)
      as l (kind text, type text, "fromId" bigint, "toId" bigint, pos bigint, quantity numeric)
    on conflict do nothing
    returning id, kind, type, from_id as "fromId", to_id as "toId"`)

/** Gives existing links other places and quantities, and returns those that had others. */
export const placeLinks = (db: Db, links: readonly NewLink[]) =>
  db.writeRows<NewLink>(sql`
    update link l set pos = coalesce(p.pos, l.pos), quantity = coalesce(p.quantity, l.quantity)
    from jsonb_to_recordset(${JSON.stringify(links)}::jsonb)
      as p (kind text, type text, "fromId" bigint, "toId" bigint, pos bigint, quantity numeric)
    where l.from_id = p."fromId" and l.to_id = p."toId" and l.kind = p.kind and l.type = p.type
      and (coalesce(p.pos, l.pos) is distinct from l.pos or coalesce(p.quantity, l.quantity) is distinct from l.quantity)
    returning l.kind, l.type, l.from_id as "fromId", l.to_id as "toId", trim_scale(l.quantity)::text as quantity`)

export const linksFrom = (db: Db, kind: string, fromIds: readonly number[]) =>
  db.rows<{ fromId: number; toId: number; type: string }>(sql`
    select from_id as "fromId", to_id as "toId", type from link
    where kind = ${kind} and from_id = any(${fromIds}::bigint[]) order by from_id, id`)

/** Removes links and returns what was removed. */
export const deleteLinks = (db: Db, links: readonly (NewLink & { anyType: boolean })[]) =>
  db.writeRows<NewLink & { id: number }>(sql`
    with asked as (
      select * from jsonb_to_recordset(${JSON.stringify(links)}::jsonb)
        as a (kind text, type text, "fromId" bigint, "toId" bigint, "anyType" boolean)
    )
    delete from link l using asked a
    where l.from_id = a."fromId" and l.to_id = a."toId" and l.kind = a.kind and (a."anyType" or l.type = a.type)
    returning l.id, l.kind, l.type, l.from_id as "fromId", l.to_id as "toId"`)

/**
 * Gives the links from an object a place among those of their targets, where they have none. Without one the order is that
 * of creation, which a link that takes over the place of another could not keep. Links behind them stay without.
 */
export const fixPlaces = (db: Db, fromId: number) =>
  db.run(sql`
    with own as (
      select o.kind, o.to_id, max(o.id) as last, (select coalesce(max(m.pos), -1) from link m where m.to_id = o.to_id and m.kind = o.kind) as pos
      from link o where o.from_id = ${fromId} and o.pos is null group by o.kind, o.to_id
    ), places as (
      select l.id, own.pos + row_number() over (partition by l.kind, l.to_id order by l.id) as pos
      from own join link l on l.to_id = own.to_id and l.kind = own.kind and l.id <= own.last and l.pos is null
    )
    update link l set pos = places.pos from places where l.id = places.id`)

/**
 * Whether an object has links. The order leads to the index: without it PostgreSQL may read all links, because it expects to
 * find one soon, although most objects have none.
 */
export const isLinked = (id: Sql) => sql`coalesce(
  (select true from link where from_id = ${id} order by kind limit 1),
  (select true from link where to_id = ${id} order by kind limit 1), false)`

/** All links of objects, at whichever end the objects are. */
export const linksOf = (db: Db, ids: readonly number[]) =>
  db.rows<NewLink>(sql`
    select kind, type, from_id as "fromId", to_id as "toId", pos, trim_scale(quantity)::text as quantity, id
    from link where from_id = any(${ids}::bigint[])
    union
    select kind, type, from_id, to_id, pos, trim_scale(quantity)::text, id from link where to_id = any(${ids}::bigint[])
    order by pos nulls last, id`)

export interface RelationTypeRow {
  readonly id: number
  readonly tid: string
  /** A text per locale. */
  readonly label: Readonly<Record<string, string>>
  readonly inverse: Readonly<Record<string, string>>
  readonly sources: readonly number[]
  readonly targets: readonly number[]
  readonly quantity: boolean
  readonly pos: number
}
export const relationType = sql`id, tid, label, inverse, sources, targets, quantity, pos`

/** Relation types by tid; locked, so that none is deleted or narrowed while links of the type are added. */
export const lockRelationTypes = (db: Db, tids: readonly string[]) =>
  db.rows<RelationTypeRow>(sql`
    select ${relationType} from relation_type where tid = any(${tids}::text[]) order by tid for key share`)
