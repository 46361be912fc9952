/** Every statement about relation types, and about relations as seen from both ends. */
import type { Long } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { join, nothing, sql } from '../../adapters/postgres/sql.ts'
import { relationKind, relationType, type RelationTypeRow } from '../../common/api.ts'

export const findRelationTypes = (db: Db) =>
  db.rows<RelationTypeRow>(sql`select ${relationType} from relation_type order by pos, tid`)

/** Waits for changes that add relations of the type, and makes later ones wait. */
export const lockRelationType = (db: Db, tid: string) =>
  db.row<RelationTypeRow>(sql`select ${relationType} from relation_type where tid = ${tid} for update`)

export const upsertRelationType = async (db: Db, row: Omit<RelationTypeRow, 'id'>, userName: string) =>
  (await db.writeRow<RelationTypeRow>(sql`
    insert into relation_type (tid, label, inverse, sources, targets, quantity, pos, modified_by)
    values (${row.tid}, ${JSON.stringify(row.label)}, ${JSON.stringify(row.inverse)}, ${row.sources}::smallint[],
      ${row.targets}::smallint[], ${row.quantity}, ${row.pos}, ${userName})
    on conflict (tid) do update set label = excluded.label, inverse = excluded.inverse, sources = excluded.sources,
      targets = excluded.targets, quantity = excluded.quantity, pos = excluded.pos,
      modified_at = now(), modified_by = excluded.modified_by
    returning ${relationType}`))!

export const deleteRelationType = (db: Db, tid: string) => db.run(sql`delete from relation_type where tid = ${tid}`)

/** An internal row of the outbox: the fields of the search index change with the types. */
export const announceRelationType = (db: Db, id: number) =>
  db.run(sql`insert into outbox (object_id, data_type, event) values (${id}, 'pim.relationType', 'UPDATE')`)

export const countRelations = (db: Db) =>
  db.rows<{ tid: string; uses: number }>(sql`
    select type as tid, count(*)::int as uses from link where kind = ${relationKind} and type <> '' group by type`)

/** The number of relations that would break the rules of the type. */
export const countBroken = async (db: Db, { tid, sources, targets, quantity }: Omit<RelationTypeRow, 'id'>) =>
  (await db.row<{ count: number }>(sql`
    select count(*)::int as count
    from link l join product f on f.id = l.from_id join product t on t.id = l.to_id
    where l.kind = ${relationKind} and l.type = ${tid}
      and (f.level <> all(${sources}::smallint[]) or t.level <> all(${targets}::smallint[])
        or (l.quantity is not null and not ${quantity}::boolean))`))!.count

/** The sources of the relations of types, whose search documents name the targets. */
export const sourcesOf = async (db: Db, typeIds: readonly number[]) =>
  (
    await db.rows<{ id: number }>(sql`
      select distinct l.from_id as id from relation_type t
      join link l on l.type = t.tid and l.kind = 'productToProduct' and l.type <> ''
      where t.id = any(${typeIds}::bigint[])`)
  ).map(({ id }) => id)

export interface RelatedObject {
  readonly id: number
  readonly tid: string
  readonly name: string
  readonly level: number
  readonly productTid: string | null
  readonly nodeId: number
}
export interface RelationRow {
  readonly type: string
  readonly ownId: number
  readonly otherId: number
  readonly outgoing: boolean
  readonly pos: number | null
  readonly quantity: string | null
}

/** Products with their articles and variations by tid, or single objects of any level by id. */
export const findOwners = (db: Db, by: { tids: readonly string[] } | { ids: readonly Long[] }) =>
  'ids' in by
    ? findObjects(db, by.ids)
    : db.rows<RelatedObject>(sql`
        with top as (select id from product where level = 0 and tid = any(${by.tids}::text[]))
        select ${object} where o.id in (select id from top)
        union all
        select ${object} where o.root_id in (select id from top)`)

const object = sql`
  o.id, o.tid, o.name, o.level, case when o.level > 0 then r.tid end as "productTid", r.node_id as "nodeId"
  from product o join product r on r.id = coalesce(o.root_id, o.id)`

export const findObjects = (db: Db, ids: readonly Long[]) =>
  db.rows<RelatedObject>(sql`select ${object} where o.id = any(${ids}::bigint[])`)

/** By type, and by place among the relations of the source. */
export const findRelations = (
  db: Db,
  ids: readonly number[],
  { types, direction }: { types: readonly string[] | undefined; direction: string | undefined },
  limit: number,
) => {
  const typed = types ? sql`and l.type = any(${types}::text[])` : nothing
  const facts = sql`l.id, l.type, l.pos, trim_scale(l.quantity)::text as quantity`
  const outgoing = sql`
    select ${facts}, l.from_id as "ownId", l.to_id as "otherId", true as outgoing
    from link l where l.kind = ${relationKind} and l.from_id = any(${ids}::bigint[]) ${typed}`
  const incoming = sql`
    select ${facts}, l.to_id as "ownId", l.from_id as "otherId", false as outgoing
    from link l where l.kind = ${relationKind} and l.to_id = any(${ids}::bigint[]) ${typed}`
  const all = join(
    [...(direction === 'incoming' ? [] : [outgoing]), ...(direction === 'outgoing' ? [] : [incoming])],
    ' union all ',
  )
  return db.rows<RelationRow>(sql`
    select * from (${all}) as one order by outgoing desc, type, "ownId", pos nulls last, id limit ${limit}`)
}
