/** Statements that find products by texts of other systems, such as file names. */
import type { Db } from '../../adapters/postgres/db.ts'
import { type Sql, sql } from '../../adapters/postgres/sql.ts'

export interface MatchedProduct {
  readonly key: string
  readonly tid: string
  readonly name: string
}

/** The ids of products `m` whose value equals the text `w.key`. */
// prettier-ignore
const matches = {
  tid:       () => sql`select t.product_id as id from product_text t where split_part(t.key, chr(1), 2) = lower(w.key) collate "C"`,
  name:      () => sql`select t.product_id as id from product_text t where name_key(split_part(t.key, chr(1), 1)) = name_key(w.key) collate "C"`,
  article:   () => sql`select a.root_id as id from product a where a.tid = w.key and a.level > 0`,
  attribute: (attribute: string) => sql`select coalesce(a.root_id, a.id) as id from identifier_value i join product a on a.id = i.product_id
               where i.attribute = ${attribute} and i.value = w.key`,
}
export type MatchedBy = keyof typeof matches

/** `readable` is a condition on products `p`. */
export const matchProducts = (db: Db, by: MatchedBy, attribute: string, keys: readonly string[], readable: Sql) =>
  db.rows<MatchedProduct>(sql`
    select w.key, p.tid, p.name from unnest(${keys}::text[]) as w (key)
    cross join lateral (select distinct s.id from (${matches[by](attribute)}) s limit 20) m
    join product p on p.id = m.id and p.level = 0 where true ${readable} order by w.key, p.tid`)

const values = {
  tid: sql`split_part(t.key, chr(1), 2)`,
  name: sql`name_key(split_part(t.key, chr(1), 1))`,
}
const sought = { tid: sql`lower(w.key) collate "C"`, name: sql`name_key(w.key) collate "C"` }

/** The next readable products before and after a text in the order of tids or names. */
export const neighbours = (db: Db, by: keyof typeof values, keys: readonly string[], readable: Sql, count: number) =>
  db.rows<MatchedProduct>(sql`
    select w.key, n.tid, n.name from unnest(${keys}::text[]) as w (key)
    cross join lateral (
      (select p.tid, p.name from product_text t join product p on p.id = t.product_id
       where ${values[by]} >= ${sought[by]} ${readable} order by ${values[by]} limit ${count})
      union all
      (select p.tid, p.name from product_text t join product p on p.id = t.product_id
       where ${values[by]} < ${sought[by]} ${readable} order by ${values[by]} desc limit ${count})) n`)
