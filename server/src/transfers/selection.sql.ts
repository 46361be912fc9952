/** Every statement about the content of an export and about series of exports. */
import type { Db } from '../adapters/postgres/db.ts'
import { type Sql, sql } from '../adapters/postgres/sql.ts'

/** Statements about the whole list, which may be long, run in a transaction of their own with a longer timeout. */
const patiently = <T>(db: Db, work: (inside: Db) => Promise<T>) =>
  db.transaction(async (inside) => {
    await inside.run(sql`select set_config('statement_timeout', '600s', true)`)
    return work(inside)
  })

export const forgetItems = (db: Db, id: string) =>
  patiently(db, (inside) => inside.run(sql`delete from transfer_item where transfer_id = ${id}::uuid`))

/** Adds the rows in the given order, numbered from `first`; existing rows keep their position. */
export const addNamed = (db: Db, id: string, first: number, tids: readonly string[]) =>
  db.run(sql`
    insert into transfer_item (transfer_id, number, tid)
    select ${id}::uuid, ${first} + named.n, named.tid from unnest(${tids}::text[]) with ordinality as named (tid, n)
    on conflict do nothing`)

/**
 * The next rows in the order in which they were created, after a number; returns the number of the last row, if any.
 */
export const addSelected = async (db: Db, id: string, selected: Sql, after: number, count: number) =>
  (await db.writeRow<{ last: number | null }>(sql`
    with added as (
      insert into transfer_item (transfer_id, number, tid)
      select ${id}::uuid, s.id, s.tid from (${selected}) as s where s.id > ${after} order by s.id limit ${count}
      on conflict do nothing returning number)
    select max(number) as last from added`))!.last

export const countWanted = async (db: Db, id: string) =>
  (await db.row<{ count: number }>(sql`
    select count(*)::int as count from transfer_item where transfer_id = ${id}::uuid and wanted`))!.count

export const nextWanted = (db: Db, id: string, after: number, count: number) =>
  db.rows<{ number: number; tid: string }>(sql`
    select number, tid from transfer_item
    where transfer_id = ${id}::uuid and number > ${after} and wanted order by number limit ${count}`)

// Series

export const findSeries = (db: Db, name: string) =>
  db.row<{ since: Date }>(sql`select since from transfer_series where name = ${name}`)

/** Removes rows that the last export contained and that have not changed since. */
export const leaveUnchanged = (db: Db, id: string, series: string, changed: Sql) =>
  patiently(db, (inside) =>
    inside.run(sql`
      update transfer_item i set wanted = false
      where i.transfer_id = ${id}::uuid
        and exists (select from transfer_series_item s where s.series = ${series} and s.tid = i.tid)
        and not exists (select from (${changed}) as c where c.tid = i.tid)`),
  )

/** Rows that the last export contained and this one does not select, after a tid. */
export const nextGone = (db: Db, id: string, series: string, after: string, count: number) =>
  db.rows<{ tid: string }>(sql`
    select s.tid from transfer_series_item s
    where s.series = ${series} and s.tid > ${after}
      and not exists (select from transfer_item i where i.transfer_id = ${id}::uuid and i.tid = s.tid)
    order by s.tid limit ${count}`)

/** Replaces the content of the series with that of this export. */
export const replaceSeries = (db: Db, id: string, series: string, since: Date) =>
  patiently(db, async (inside) => {
    await inside.run(sql`
      insert into transfer_series (name, since) values (${series}, ${since})
      on conflict (name) do update set since = excluded.since`)
    await inside.run(sql`
      delete from transfer_series_item s where s.series = ${series}
        and not exists (select from transfer_item i where i.transfer_id = ${id}::uuid and i.tid = s.tid)`)
    await inside.run(sql`
      insert into transfer_series_item (series, tid)
      select ${series}, tid from transfer_item where transfer_id = ${id}::uuid on conflict do nothing`)
  })
