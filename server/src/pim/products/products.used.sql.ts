/** Statements about the values and links that some products have. */
import type { Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { isLinked } from '../../common/api.ts'
import type { StoredValues } from '../../values/api.ts'
import type { LevelNumber } from './products.sql.ts'

export type Names = { readonly tids: readonly string[] } | { readonly ids: readonly number[] }

/** The products, their articles and variations. */
const parts = (names: Names) => sql`
  root as (
    select p.id from product p
    where p.level = 0 and ${'tids' in names ? sql`p.tid = any(${names.tids}::text[])` : sql`p.id = any(${names.ids}::bigint[])`}
  ), part as (
    select p.id, p.id as root_id, p.level, p.vals from product p join root r on p.id = r.id
    union all
    select p.id, p.root_id, p.level, p.vals from product p join root r on p.root_id = r.id
  )`

/** Values whose keys are not in `done`, by level; products without such values are left out. `offset`: computed once. */
export const findOthers = (db: Db, names: Names, done: readonly (readonly string[])[]) =>
  db.rows<{ level: LevelNumber; vals: StoredValues }>(sql`
    with ${parts(names)}
    select p.level, other.vals from part p
    cross join lateral (select p.vals - case p.level
      when 0 then ${done[0]}::text[] when 1 then ${done[1]}::text[] else ${done[2]}::text[] end offset 0) as other (vals)
    where p.level > 0 or other.vals <> '{}'`)

/** The products that have links, or whose articles or variations have. */
export const findLinked = (db: Db, names: Names) =>
  db.rows<{ id: number }>(sql`
    with ${parts(names)}
    select distinct p.root_id as id from part p
    where ${isLinked(sql`p.id`)}`)
