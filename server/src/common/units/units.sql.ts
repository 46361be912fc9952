/** Every statement about units of measurement and currencies. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'

export interface UnitRow {
  readonly code: string
  readonly kind: 'measure' | 'currency'
  /** A text per locale. */
  readonly name: Readonly<Record<string, string>>
}

export const findUnits = (db: Db) => db.rows<UnitRow>(sql`select code, kind, name from unit order by kind desc, code`)

export const upsertUnit = (db: Db, { code, kind, name }: UnitRow) =>
  db.run(sql`
    insert into unit (code, kind, name) values (${code}, ${kind}, ${JSON.stringify(name)})
    on conflict (code) do update set kind = excluded.kind, name = excluded.name`)

export const deleteUnit = (db: Db, code: string) => db.run(sql`delete from unit where code = ${code}`)

/** The number of attributes in each unit, of products, assets and channels. */
export const countUses = (db: Db) =>
  db.rows<{ code: string; uses: number }>(sql`
    with definitions as (
      select definition from attr_def union all select definition from dam_attr_def
      union all select one -> 'definition' from project_type, jsonb_array_elements(attr_defs) as one
    )
    select item ->> 'value' as code, count(*)::int as uses
    from definitions, jsonb_array_elements(coalesce(definition -> 'meta' -> 'itm', '[]')) as item
    where item ->> 'key' = 'unit' group by 1`)
