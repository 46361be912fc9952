/** Every statement about runs of feeds. */
import type { feedRunStates } from '@kontor/contract'
import type { Db } from '../adapters/postgres/db.ts'
import { sql } from '../adapters/postgres/sql.ts'

export type Step = 'begin' | 'transfer' | 'deliver'
export interface RunRow {
  readonly id: number
  readonly feedId: number
  readonly dueAt: Date | null
  readonly startedBy: string | null
  readonly state: (typeof feedRunStates)[number]
  readonly step: Step
  readonly transferId: string | null
  readonly file: string | null
  readonly items: number | null
  readonly previousItems: number | null
  readonly changed: number | null
  readonly refused: number | null
  readonly size: number | null
  readonly attempts: number
  readonly retryAt: Date | null
  readonly problem: string | null
  readonly decidedBy: string | null
  readonly createdAt: Date
  readonly endedAt: Date | null
}
const columns = sql`r.id, r.feed_id as "feedId", r.due_at as "dueAt", r.started_by as "startedBy", r.state, r.step,
  r.transfer_id as "transferId", r.file, r.items, r.previous_items as "previousItems", r.changed, r.refused, r.size, r.attempts,
  r.retry_at as "retryAt", r.problem, r.decided_by as "decidedBy", r.created_at as "createdAt", r.ended_at as "endedAt"`

/** Returns undefined if the feed has a run that has not ended, had one for this time, or was deleted meanwhile. */
export const insertRun = (db: Db, feedId: number, cause: { dueAt: Date } | { startedBy: string } | object) =>
  db.writeRow<RunRow>(sql`
    with r as (
      insert into feed_run (feed_id, due_at, started_by)
      select f.id, ${'dueAt' in cause ? cause.dueAt : null}::timestamptz, ${'startedBy' in cause ? cause.startedBy : null}::text
      from feed f where f.id = ${feedId} for key share
      on conflict do nothing returning *)
    select ${columns} from r`)

export const findRun = (db: Db, id: number) => db.row<RunRow>(sql`select ${columns} from feed_run r where r.id = ${id}`)
/** The user who owns the feed of a run. */
export const ownerOf = async (db: Db, id: number) =>
  (
    await db.row<{ owner: string }>(sql`
    select f.user_name as owner from feed_run r join feed f on f.id = r.feed_id where r.id = ${id}`)
  )?.owner
export const findPending = (db: Db, feedId: number) =>
  db.row<RunRow>(sql`select ${columns} from feed_run r where r.feed_id = ${feedId} and r.state in ('running', 'held')`)
export const lockRun = (db: Db, id: number) =>
  db.row<RunRow>(sql`select ${columns} from feed_run r where r.id = ${id} for update`)
export const listRuns = (db: Db, feedId: number, before: number, count: number) =>
  db.rows<RunRow>(sql`
    select ${columns} from feed_run r where r.feed_id = ${feedId} and r.id < ${before} order by r.id desc limit ${count}`)
/** The last run of each feed. */
export const lastRuns = (db: Db, feedIds: readonly number[]) =>
  db.rows<RunRow>(sql`
    select ${columns} from unnest(${feedIds}::bigint[]) as f (id)
    cross join lateral (select * from feed_run where feed_id = f.id order by id desc limit 1) as r`)
/** The run that ended last before this one; of the finished ones, the last one that counted something. */
export const findPrevious = (db: Db, { feedId, id }: RunRow, state: 'finished' | 'any') =>
  db.row<RunRow>(sql`
    select ${columns} from feed_run r
    where r.feed_id = ${feedId} and r.id < ${id} and ((r.state = 'finished' and r.items is not null) or ${state} = 'any') order by r.id desc limit 1`)
export const runOfTransfer = (db: Db, transferId: string) =>
  db.row<{ id: number }>(sql`
    select id from feed_run where transfer_id = ${transferId}::uuid and state = 'running' and step = 'transfer'`)
/** Runs whose transfer ended without a job, because somebody cancelled or deleted it. */
export const findLeft = (db: Db) =>
  db.rows<{ id: number }>(sql`
    select r.id from feed_run r left join transfer t on t.id = r.transfer_id
    where r.state = 'running' and r.step = 'transfer'
      and (t.id is null or (t.state in ('finished', 'failed', 'cancelled') and t.ended_at < now() - interval '1 minute'))`)

/** From the step that this process has done. Returns 0 if another one has done it. */
export const setStep = (db: Db, { id, step }: RunRow, to: Step, transferId: string | null) =>
  db.run(sql`
    update feed_run set step = ${to}, transfer_id = coalesce(${transferId}::uuid, transfer_id), problem = null, retry_at = null
    where id = ${id} and step = ${step} and state = 'running'`)

export interface Figures {
  readonly items?: number
  readonly previousItems?: number | null
  readonly changed?: number | null
  readonly refused?: number
  readonly size?: number
  readonly file?: string
}
export const setFigures = (db: Db, id: number, { items, previousItems, changed, refused, size, file }: Figures) =>
  db.run(sql`
    update feed_run set items = coalesce(${items ?? null}::bigint, items), changed = coalesce(${changed ?? null}::bigint, changed),
      previous_items = coalesce(${previousItems ?? null}::bigint, previous_items), size = coalesce(${size ?? null}::bigint, size),
      refused = coalesce(${refused ?? null}::bigint, refused), file = coalesce(${file ?? null}, file)
    where id = ${id}`)

export const noteAttempt = (db: Db, id: number, problem: string, retryAt: Date) =>
  db.run(sql`
    update feed_run set attempts = attempts + 1, problem = ${problem}, retry_at = ${retryAt} where id = ${id}`)
/** Returns 0 if it has ended meanwhile. */
export const endRun = (db: Db, id: number, state: 'finished' | 'failed' | 'discarded', problem: string | null) =>
  db.run(sql`
    update feed_run set state = ${state}, problem = ${problem}, retry_at = null, ended_at = now()
    where id = ${id} and state in ('running', 'held')`)
/** `step`: the one that follows when it is released. */
export const holdRun = (db: Db, id: number, problem: string, step: Step, transferId: string) =>
  db.run(sql`
    update feed_run set state = 'held', step = ${step}, transfer_id = ${transferId}::uuid, problem = ${problem}
    where id = ${id} and state = 'running'`)
export const releaseRun = (db: Db, id: number) =>
  db.run(sql`update feed_run set state = 'running', problem = null where id = ${id}`)
/** The file of an import that is not imported is moved away before the run ends. */
export const discardFile = (db: Db, id: number) =>
  db.run(sql`update feed_run set state = 'running', step = 'deliver' where id = ${id}`)
export const noteDecision = (db: Db, id: number, user: string) =>
  db.run(sql`update feed_run set decided_by = ${user} where id = ${id}`)
/** The export is made again. */
export const beginAgain = (db: Db, id: number) =>
  db.run(sql`
    update feed_run set step = 'begin', transfer_id = null, attempts = attempts + 1 where id = ${id} and state = 'running'`)
export const deleteRun = (db: Db, id: number) => db.run(sql`delete from feed_run where id = ${id}`)
export const deleteOldRuns = (db: Db, days: number) =>
  db.run(sql`delete from feed_run where ended_at < now() - make_interval(days => ${days})`)

// Files of hot folders

/** Returns 0 if another run is about this content of this file. */
export const takeFile = (db: Db, { id, feedId }: RunRow, file: string, print: string) =>
  db.run(sql`
    update feed_run set file = ${file}, file_print = ${print} where id = ${id}
      and not exists (select from feed_run o where o.feed_id = ${feedId} and o.file_print = ${print} and o.id <> ${id})`)
export const knownPrints = (db: Db, feedId: number) =>
  db.rows<{ print: string }>(sql`
    select file_print as print from feed_run where feed_id = ${feedId} and file_print is not null`)
/** The file is no longer in the folder. */
export const forgetPrint = (db: Db, id: number) => db.run(sql`update feed_run set file_print = null where id = ${id}`)

// The series of an export, as it was before the run

/** A series has a row for each product, so statements about all of them get more time. */
const patiently = <T>(db: Db, work: (inside: Db) => Promise<T>) =>
  db.transaction(async (inside) => {
    await inside.run(sql`select set_config('statement_timeout', '600s', true)`)
    return work(inside)
  })

/** A second call for the same run changes nothing. */
export const keepSeries = (db: Db, id: number, series: string) =>
  patiently(db, async (inside) => {
    await inside.run(sql`
      update feed_run r set series = ${series}, series_xid = s.xid, series_transfer = s.transfer_id, series_shape = s.shape,
        series_headings = s.headings
      from (select 1) as one left join transfer_series s on s.name = ${series} where r.id = ${id}`)
    await inside.run(sql`
      insert into feed_series_item (run_id, tid, digest, linked)
      select ${id}, tid, digest, linked from transfer_series_item where series = ${series} on conflict do nothing`)
  })
/** Makes the next export contain again what this one contained. */
export const restoreSeries = (db: Db, id: number) =>
  patiently(db, async (inside) => {
    const run = await inside.row<{ series: string | null; isNew: boolean }>(sql`
      select series, series_transfer is null and series_shape is null as "isNew" from feed_run where id = ${id}`)
    if (!run?.series) return
    await inside.run(sql`delete from transfer_series where name = ${run.series}`)
    if (!run.isNew) {
      await inside.run(sql`
        insert into transfer_series (name, since, xid, transfer_id, shape, headings)
        select series, now(), series_xid, series_transfer, series_shape, series_headings from feed_run where id = ${id}`)
      await inside.run(sql`
        insert into transfer_series_item (series, tid, digest, linked)
        select ${run.series}, tid, digest, linked from feed_series_item where run_id = ${id}`)
    }
    await forgetSeries(inside, id)
  })
export const forgetSeries = (db: Db, id: number) =>
  patiently(db, async (inside) => {
    await inside.run(sql`update feed_run set series = null where id = ${id}`)
    await inside.run(sql`delete from feed_series_item where run_id = ${id}`)
  })
/** All products of a series after its last export. */
export const countSeries = async (db: Db, series: string) =>
  (await db.row<{ count: number }>(sql`
    select count(*)::int as count from transfer_series_item where series = ${series}`))!.count
