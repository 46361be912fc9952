/** Every statement about bulk runs and their chunks. */
import { columns, type Row } from '../../adapters/postgres/columns.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { nothing, sql } from '../../adapters/postgres/sql.ts'
import type { Response } from './batch.ts'
import { newestFirst, olderThan } from './paging.sql.ts'
import { fromExactJson } from '../exact-json.ts'
import type { StoredCaller } from '../context.ts'
import type { Sent } from './settle.ts'

const run = columns(
  'bulk_run',
  'id',
  'resource',
  'verb',
  'user_name',
  'principal',
  'state',
  'total',
  'processed',
  'problem',
)
export interface Run extends Row<typeof run> {
  /** Of the first item. Null only while the message is being received, when a run is not found. */
  verb: 'persist' | 'perform'
  principal: StoredCaller
  state: 'receiving' | 'waiting' | 'running' | 'finished' | 'failed'
}

export const insertRun = async (db: Db, resource: string, principal: StoredCaller) =>
  (await db.writeRow<{ id: string }>(sql`
    insert into bulk_run (resource, user_name, principal)
    values (${resource}, ${principal.userName}, ${JSON.stringify(principal)}::jsonb) returning id`))!.id

export const insertChunk = (db: Db, runId: string, number: number, items: string) =>
  db.run(sql`insert into bulk_chunk (run_id, number, items) values (${runId}, ${number}, ${items}::json)`)

export const releaseRun = (db: Db, id: string, verb: Run['verb'], total: number) =>
  db.run(sql`update bulk_run set state = 'waiting', verb = ${verb}, total = ${total} where id = ${id}`)

/** Keeps a released run: the release may have been committed although its caller saw an error. */
export const deleteUnreleased = (db: Db, id: string) =>
  db.run(sql`delete from bulk_run where id = ${id} and state = 'receiving'`)

/** A run is found once its whole message has arrived. */
export const findRun = (db: Db, id: string) =>
  db.row<Run>(sql`select ${run.select()} from bulk_run where id = ${id} and state <> 'receiving'`)

export interface ListedRun extends Pick<Run, 'id' | 'resource' | 'state' | 'total' | 'processed'> {
  user: string
  startedAt: Date
  endedAt: Date | null
}
interface RunSelection {
  readonly user: string | undefined
  readonly open: boolean
  readonly after: string | undefined
  readonly count: number
}
/** Runs whose message has arrived, newest first; of one user or of all. May return one row more than `count`. */
export const listRuns = (db: Db, of: RunSelection) =>
  db.rows<ListedRun>(sql`
    select id, resource, state, total, processed, user_name as user, created_at as "startedAt", ended_at as "endedAt"
    from bulk_run
    where state <> 'receiving' ${of.user === undefined ? nothing : sql`and user_name = ${of.user}`}
      ${of.open ? sql`and state in ('waiting', 'running')` : nothing} ${olderThan(of.after, sql`bulk_run`)}
    ${newestFirst(of.count)}`)

/** Locks a run that still has work, so that two workers cannot settle the same chunk. */
export const lockOpenRun = (db: Db, id: string) =>
  db.row<Run>(sql`select ${run.select()} from bulk_run where id = ${id} and state in ('waiting', 'running') for update`)

export async function nextChunk(db: Db, runId: string) {
  const chunk = await db.row<{ number: number; items: string }>(sql`
    select number, items::text from bulk_chunk where run_id = ${runId} and records is null order by number limit 1`)
  return chunk && { number: chunk.number, items: fromExactJson<Sent[]>(chunk.items) }
}

export const settleChunk = (db: Db, runId: string, number: number, records: string, settled: number) =>
  db.run(sql`
    with chunk as (
      update bulk_chunk set records = ${records}::json where run_id = ${runId} and number = ${number}
    )
    update bulk_run set state = 'running', processed = processed + ${settled} where id = ${runId}`)

export const endRun = (db: Db, id: string, state: 'finished' | 'failed', problem?: string) =>
  db.run(sql`update bulk_run set state = ${state}, problem = ${problem ?? null}, ended_at = now() where id = ${id}`)

/** The records so far, chunk by chunk. */
export async function* recordsOf(db: Db, runId: string): AsyncGenerator<Response> {
  for (let after = -1; ;) {
    const chunk = await db.row<{ number: number; records: string }>(sql`
      select number, records::text from bulk_chunk
      where run_id = ${runId} and number > ${after} and records is not null order by number limit 1`)
    if (!chunk) return
    yield* fromExactJson<Response[]>(chunk.records)
    after = chunk.number
  }
}

/** Removes runs that ended long ago, and messages whose sender vanished. */
export const deleteOldRuns = (db: Db, days: number) =>
  db.run(sql`
    delete from bulk_run
    where ended_at < now() - make_interval(days => ${days})
       or (state = 'receiving' and created_at < now() - interval '1 day')`)
