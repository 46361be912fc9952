/** Every statement about reading the outbox. Rows and horizon come from one statement, so that both are of one snapshot. */
import type { Db } from '../../adapters/postgres/db.ts'
import { fragmentOf, nothing, type Sql, sql } from '../../adapters/postgres/sql.ts'

/** The names of a deleted object, and the facts on which the right to know them depends (common/links/targets.ts). */
export interface Gone {
  readonly tid?: string
  readonly path?: string
  readonly scopes?: readonly string[]
  readonly locale?: string
  readonly attribute?: { readonly tid: string; readonly of: string }
}

/** One committed change. */
export interface OutboxRow {
  readonly seq: number
  /** The transaction that wrote it, or the newest one that had ended by then, if that is later. */
  readonly xid: string
  readonly objectId: number
  readonly dataType: string
  readonly event: 'CREATE' | 'UPDATE' | 'DELETE'
  /** A more precise name than the event: link, move, copy, … */
  readonly action: string | null
  readonly at: Date
}
/** A change with what only events report. All of it is null for changes that an older version made. */
export interface SettledRow extends OutboxRow {
  readonly userName: string | null
  /** The changed fields of an update, as the history names them; null if there are too many. */
  readonly fields: readonly string[] | null
  readonly gone: Gone | null
}
export interface Page<R = OutboxRow> {
  /** The oldest running transaction. All before it have ended, so their rows are visible. */
  readonly horizon: string
  readonly rows: readonly R[]
}

const inOrder = sql`b.xid, b.seq`

async function readPage<R extends OutboxRow>(
  db: Db,
  where: Sql,
  limit: number,
  { order = inOrder, more = nothing } = {},
): Promise<Page<R>> {
  const rows = await db.rows<R & { horizon: string; seq: number | null }>(sql`
    select h.xmin::text as horizon, o.seq, o.xid::text, o.object_id as "objectId", o.data_type as "dataType", o.event,
      o.action, o.at ${more}
    from (select pg_snapshot_xmin(pg_current_snapshot()) as xmin) as h
    left join lateral (
      select * from outbox b where ${where} order by ${order} limit ${limit}
    ) as o on true
    order by o.xid, o.seq`)
  return { horizon: rows[0]!.horizon, rows: rows.filter(({ seq }) => seq !== null) }
}

const after = (xid: string, seq: number) => sql`(b.xid, b.seq) > (${xid}::xid8, ${seq}::bigint)`

/** Rows in the order of their transactions, including those after the horizon. */
export const readFrom = (db: Db, xid: string, seq: number, limit: number) => readPage(db, after(xid, seq), limit)

/** The same up to the horizon: this part of the order never changes. */
export const readSettledFrom = (db: Db, xid: string, seq: number, limit: number, dataTypes?: readonly string[]) =>
  readPage<SettledRow>(
    db,
    sql`${after(xid, seq)} and b.xid < h.xmin ${dataTypes ? sql`and b.data_type = any(${dataTypes}::text[])` : nothing}`,
    limit,
    { more: sql`, o.user_name as "userName", o.fields, o.gone` },
  )

/** The last row before a horizon; undefined if none follows. */
export const lastBefore = (db: Db, xid: string, seq: number, horizon: string) =>
  db.row<{ xid: string; seq: number }>(sql`
    select b.xid::text, b.seq from outbox b where ${after(xid, seq)} and b.xid < ${horizon}::xid8
    order by b.xid desc, b.seq desc limit 1`)

/** Rows with higher numbers than any seen so far. Cheap, but misses rows that were numbered early and committed late. */
export const readNewest = (db: Db, seq: number, limit: number) =>
  readPage(db, sql`b.seq > ${seq}::bigint`, limit, { order: sql`b.seq` })

/** Wakes all listeners. It need not be durable: a notification does not survive a restart of the database anyway. */
export const notifyOutbox = (db: Db, sender: string) =>
  db.run(sql`select set_config('synchronous_commit', 'off', true), pg_notify('outbox', ${sender})`)

export const findHorizon = async (db: Db) =>
  (await db.row<{ xid: string }>(sql`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`))!.xid

/** The range of valid positions. A position beyond `next` belongs to the database before a restore. */
export interface Bounds {
  readonly floor: string
  readonly next: string
}
const bounds = sql`select xid::text as floor, pg_snapshot_xmax(pg_current_snapshot())::text as next from outbox_floor`
export const findBounds = async (db: Db) => (await db.row<Bounds>(bounds))!

/** Stores the position of a consumer, and returns the bounds so that it can tell whether rows are missing. */
export const upsertConsumer = async (db: Db, name: string, xid: string) =>
  (await db.writeRow<Bounds>(sql`
    with noted as (
      insert into outbox_consumer (name, xid) values (${name}, ${xid}::xid8)
      on conflict (name) do update set xid = excluded.xid, seen_at = now()
    )
    ${bounds}`))!

export const deleteConsumer = (db: Db, name: string) => db.run(sql`delete from outbox_consumer where name = ${name}`)

export const deleteSilentConsumers = (db: Db, days: number) =>
  db.run(sql`delete from outbox_consumer where seen_at < now() - make_interval(days => ${days})`)

/** Every consumer has passed the transactions before this one. */
const passedBy = sql`least((select min(xid) from outbox_consumer), pg_snapshot_xmin(pg_current_snapshot()))`

/**
 * Raises the floor to the end of a partition that is about to be dropped, in the same transaction. Returns false if a consumer
 * has not passed it yet.
 */
export async function passPartition(db: Db, partition: string): Promise<boolean> {
  const newest = sql`select xid from ${fragmentOf(partition)} order by xid desc limit 1`
  const row = await db.row<{ passed: boolean }>(sql`select coalesce((${newest}) < ${passedBy}, true) as passed`)
  if (!row!.passed) return false
  await db.run(sql`
    update outbox_floor set xid = greatest(outbox_floor.xid, (n.xid::text::bigint + 1)::text::xid8) from (${newest}) as n`)
  return true
}

/**
 * Removes a portion of the rows of a partition that are older than the hours and that every consumer has passed, and raises
 * the floor to it. One statement, so that no reader can miss rows above the floor.
 */
export const deletePassed = (db: Db, partition: string, hours: number, limit: number) =>
  db.run(sql`
    with passed as (
      select o.seq, o.xid from ${fragmentOf(partition)} o
      where o.at < now() - make_interval(hours => ${hours}) and o.xid < ${passedBy}
      order by o.xid, o.seq limit ${limit}
    ), moved as (
      update outbox_floor set xid = greatest(outbox_floor.xid, (((select max(xid) from passed)::text)::bigint + 1)::text::xid8)
      where exists (select from passed)
    )
    delete from ${fragmentOf(partition)} o using passed where o.seq = passed.seq`)
