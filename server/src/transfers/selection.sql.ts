/** Every statement about the content of an export and about series of exports. */
import { byKey, type Db } from '../adapters/postgres/db.ts'
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
 * The next rows in the order in which they were created, after a number; returns the number of the last row, if any. With
 * kept plans, because PostgreSQL would plan the check of the foreign key again for every row.
 */
export const addSelected = async (db: Db, id: string, selected: Sql, after: number, count: number) =>
  (await byKey(db).writeRow<{ last: number | null }>(sql`
    with added as (
      insert into transfer_item (transfer_id, number, tid)
      select ${id}::uuid, s.id, s.tid from (${selected}) as s where s.id > ${after} order by s.id limit ${count}
      on conflict do nothing returning number)
    select max(number) as last from added`))!.last

/** The ids in the order in which the products were created, after an id. */
export const nextSelected = async (db: Db, selected: Sql, after: number, count: number) =>
  (
    await db.rows<{ id: number }>(
      sql`select s.id from (${selected}) as s where s.id > ${after} order by s.id limit ${count}`,
    )
  ).map(({ id }) => id)

/** Removes rows without a product that may be read. */
export const leaveMissing = (db: Db, id: string, readable: Sql) =>
  patiently(db, (inside) =>
    inside.run(sql`
      delete from transfer_item i
      where i.transfer_id = ${id}::uuid and not exists (select from (${readable}) as r where r.tid = i.tid)`),
  )

export const countWanted = async (db: Db, id: string) =>
  (await db.row<{ count: number }>(sql`
    select count(*)::int as count from transfer_item where transfer_id = ${id}::uuid and wanted`))!.count

export const nextWanted = (db: Db, id: string, after: number, count: number) =>
  db.rows<{ number: number; tid: string }>(sql`
    select number, tid from transfer_item
    where transfer_id = ${id}::uuid and number > ${after} and wanted order by number limit ${count}`)

// Series

export interface SeriesRow {
  /** The transaction in the outbox from which the next export continues; null: unknown. */
  readonly xid: string | null
  /** The export that wrote the series last; null: one of a version before digests. */
  readonly transferId: string | null
  readonly shape: string | null
  readonly headings: readonly string[] | null
  /** When that export was ordered; null: it was removed meanwhile. */
  readonly begunAt: Date | null
}
export const findSeries = (db: Db, name: string) =>
  db.row<SeriesRow>(sql`
    select s.xid::text, s.transfer_id as "transferId", s.shape, s.headings, t.created_at as "begunAt"
    from transfer_series s left join transfer t on t.id = s.transfer_id where s.name = ${name}`)

/** Removes rows that the series contains and that no change can have affected. */
export const leaveUnaffected = (db: Db, id: string, series: string, tids: readonly string[], linked: boolean) =>
  patiently(db, (inside) =>
    inside.run(sql`
      update transfer_item i set wanted = false
      where i.transfer_id = ${id}::uuid
        and exists (
          select from transfer_series_item s
          where s.series = ${series} and s.tid = i.tid and s.digest is not null and not (${linked} and s.linked))
        and not exists (select from unnest(${tids}::text[]) as t where t = i.tid)`),
  )

/** The wanted rows that the series contains, after a number, with the digest of what was written. */
export const nextKnown = (db: Db, id: string, series: string, after: number, count: number) =>
  db.rows<{ number: number; tid: string; digest: Buffer }>(sql`
    select i.number, i.tid, s.digest from transfer_item i join transfer_series_item s on s.tid = i.tid
    where i.transfer_id = ${id}::uuid and i.number > ${after} and i.wanted
      and s.series = ${series} and s.digest is not null
    order by i.number limit ${count}`)

export const leaveOut = (db: Db, id: string, tids: readonly string[]) =>
  db.run(sql`
    update transfer_item set wanted = false where transfer_id = ${id}::uuid and tid = any(${tids}::text[])`)

/** Notes what is written of products. */
export const noteContent = (
  db: Db,
  id: string,
  contents: readonly { tid: string; digest: Buffer; linked: boolean }[],
) =>
  db.run(sql`
    update transfer_item i set digest = c.digest, linked = c.linked
    from unnest(${contents.map(({ tid }) => tid)}::text[], ${contents.map(({ digest }) => digest)}::bytea[],
      ${contents.map(({ linked }) => linked)}::boolean[]) as c (tid, digest, linked)
    where i.transfer_id = ${id}::uuid and i.tid = c.tid`)

/** Rows that the last export contained and this one does not select. */
const goneFrom = (id: string, series: string) => sql`
  transfer_series_item s where s.series = ${series}
    and not exists (select from transfer_item i where i.transfer_id = ${id}::uuid and i.tid = s.tid)`

export const countGone = async (db: Db, id: string, series: string) =>
  (await db.row<{ count: number }>(sql`select count(*)::int as count from ${goneFrom(id, series)}`))!.count

/** After a tid. */
export const nextGone = (db: Db, id: string, series: string, after: string, count: number) =>
  db.rows<{ tid: string }>(sql`
    select s.tid from ${goneFrom(id, series)} and s.tid > ${after} order by s.tid limit ${count}`)

/**
 * Replaces the content of the series with that of this export. Returns false, and changes nothing, if another export has
 * replaced it since `before` was read.
 */
export const replaceSeries = (
  db: Db,
  id: string,
  series: string,
  before: string | null,
  { xid, shape, headings }: Omit<SeriesRow, 'transferId' | 'begunAt'>,
) =>
  patiently(db, async (inside) => {
    const replaced = await inside.run(sql`
      insert into transfer_series as s (name, since, xid, transfer_id, shape, headings)
      values (${series}, now(), ${xid}::xid8, ${id}::uuid, ${shape}, ${headings}::text[])
      on conflict (name) do update set since = excluded.since, xid = excluded.xid, transfer_id = excluded.transfer_id,
        shape = excluded.shape, headings = excluded.headings
      where s.transfer_id is not distinct from ${before}::uuid`)
    if (replaced === 0) return false
    await inside.run(sql`
      delete from transfer_series_item s where s.series = ${series}
        and not exists (select from transfer_item i where i.transfer_id = ${id}::uuid and i.tid = s.tid)`)
    await inside.run(sql`
      insert into transfer_series_item as s (series, tid, digest, linked)
      select ${series}, tid, digest, linked from transfer_item where transfer_id = ${id}::uuid and digest is not null
      on conflict (series, tid) do update set digest = excluded.digest, linked = excluded.linked`)
    return true
  })
