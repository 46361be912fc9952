/** Every statement about units of measurement and currencies. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

export interface UnitRow {
  readonly code: string
  readonly kind: 'measure' | 'currency'
  /** A text per locale. */
  readonly name: Readonly<Record<string, string>>
  /** Null for built-in units and for those that are not converted. */
  readonly family: string | null
  readonly factor: number | null
  readonly offset: number | null
  readonly synonyms: readonly string[]
}

export const findUnits = (db: Db) =>
  db.rows<UnitRow>(sql`
    select code, kind, name, family, factor, shift as "offset", synonyms from unit order by kind desc, code`)

/** All changes of units take place one after the other. */
export const lockUnits = (db: Db) => db.run(sql`lock table unit in share row exclusive mode`)

/** Until the end of the transaction, units do not change. Taken before locks on definitions, as changes of units do. */
export const holdUnits = (db: Db) => db.lock(sql`lock table unit in share mode`)

export const upsertUnit = (db: Db, { code, kind, name, family, factor, offset, synonyms }: UnitRow) =>
  db.run(sql`
    insert into unit (code, kind, name, family, factor, shift, synonyms)
    values (${code}, ${kind}, ${JSON.stringify(name)}, ${family}, ${factor}, ${offset}, ${synonyms}::text[])
    on conflict (code) do update set kind = excluded.kind, name = excluded.name, family = excluded.family,
      factor = excluded.factor, shift = excluded.shift, synonyms = excluded.synonyms`)

export const deleteUnit = (db: Db, code: string) => db.run(sql`delete from unit where code = ${code}`)

const definitions = sql`
  definitions as (
    select definition from attr_def union all select definition from dam_attr_def
    union all select one -> 'definition' from project_type, jsonb_array_elements(attr_defs) as one
  )`

/** The number of attributes in each unit, of products, assets and channels. A measure is in all units of its family. */
export const countUses = (db: Db) =>
  db.rows<{ code: string; uses: number }>(sql`
    with ${definitions}, used as (
      select item ->> 'value' as code
      from definitions, jsonb_array_elements(coalesce(definition -> 'meta' -> 'itm', '[]')) as item
      where item ->> 'key' = 'unit'
      union all
      select unit ->> 'code' from definitions, jsonb_array_elements(coalesce(definition -> 'format' -> 'unit', '[]')) as unit
    )
    select code, count(*)::int as uses from used where code is not null group by 1`)

/** The number of attributes that measure in a family. */
export const countMeasures = async (db: Db, family: string): Promise<number> =>
  (await db.row<{ uses: number }>(sql`
    with ${definitions}
    select count(*)::int as uses from definitions where definition -> 'format' ->> 'family' = ${family}`))!.uses

interface Refreshed {
  readonly id: number
  readonly dataType: 'attrDefinition' | 'projectTypes'
}

/** Definitions contain the units of their family, so that reading values needs no other table. Returns those changed. */
export const refreshDefinitions = (db: Db, family: string, units: unknown) =>
  db.writeRows<Refreshed>(sql`
    with ours as (select ${family}::text as family, ${JSON.stringify(units)}::jsonb as units),
    products as (
      update attr_def set definition = jsonb_set(definition, '{format,unit}', units) from ours
      where definition -> 'format' ->> 'family' = family returning id, 'attrDefinition' as type
    ), assets as (
      update dam_attr_def set definition = jsonb_set(definition, '{format,unit}', units) from ours
      where definition -> 'format' ->> 'family' = family returning id, 'attrDefinition' as type
    ), channels as (
      update project_type set attr_defs = (
        select jsonb_agg(
          case one -> 'definition' -> 'format' ->> 'family' when family then jsonb_set(one, '{definition,format,unit}', units) else one end
          order by place)
        from jsonb_array_elements(attr_defs) with ordinality as all_of (one, place))
      from ours
      where attr_defs @> jsonb_build_array(jsonb_build_object('definition', jsonb_build_object('format', jsonb_build_object('family', family))))
      returning id, 'projectTypes' as type
    )
    select id, type as "dataType" from products union all select id, type from assets union all select id, type from channels`)
