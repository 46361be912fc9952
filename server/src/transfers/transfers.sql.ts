/** Every statement about transfers, their files, outcomes and profiles. */
import { byKey, type Db } from '../adapters/postgres/db.ts'
import { sql } from '../adapters/postgres/sql.ts'
import { newestFirst, olderThan } from '../core/batch/paging.sql.ts'
import type { StoredCaller } from '../core/context.ts'
import type { LayoutNote, TransferFormat, TransferOptions } from './options.ts'

export type State =
  'receiving' | 'received' | 'validating' | 'validated' | 'running' | 'paused' | 'finished' | 'failed' | 'cancelled'

type ObjectCounts = Readonly<Record<'created' | 'updated' | 'unchanged' | 'refused', number>> & {
  readonly deleted?: number
}

export interface TransferRow {
  readonly id: string
  readonly direction: 'import' | 'export'
  readonly name: string
  readonly format: TransferFormat
  readonly options: TransferOptions
  readonly userName: string
  readonly principal: StoredCaller
  /** A digest of the rights with which an export was made. */
  readonly rights: string | null
  readonly state: State
  readonly dry: boolean
  readonly total: number
  readonly processed: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly refused: number
  /** Of an import that has ended: the number of objects by outcome. */
  readonly objects: ObjectCounts | null
  /** Of an export: the deletions in it. Of an import: the products that it has deleted. */
  readonly deleted: number
  readonly size: number
  /** The share that is done, from 0 to 1. */
  readonly share: number
  readonly problem: string | null
  readonly createdAt: Date
  readonly endedAt: Date | null
}
const columns = sql`id, direction, name, format, options, user_name as "userName", principal, rights, state, dry, total, processed,
  created, updated, unchanged, refused, objects, deleted, size, share, problem, created_at as "createdAt", ended_at as "endedAt"`

type NewTransfer = Pick<TransferRow, 'direction' | 'name' | 'format' | 'options' | 'principal' | 'state'>

export const insertTransfer = async (db: Db, { direction, name, format, options, principal, state }: NewTransfer) =>
  (await db.writeRow<TransferRow>(sql`
    insert into transfer (direction, name, format, options, user_name, principal, state)
    values (${direction}, ${name}, ${format}, ${JSON.stringify(options)}::jsonb, ${principal.userName},
      ${JSON.stringify(principal)}::jsonb, ${state}) returning ${columns}`))!

export const findTransfer = (db: Db, id: string) =>
  db.row<TransferRow>(sql`select ${columns} from transfer where id = ${id}::uuid and state <> 'receiving'`)
export const lockTransfer = (db: Db, id: string) =>
  db.row<TransferRow>(sql`select ${columns} from transfer where id = ${id}::uuid for update`)
/** May return one row more than `count`. */
export const listTransfers = (db: Db, userName: string | null, after: string | undefined, count: number) =>
  db.rows<TransferRow>(sql`
    select ${columns} from transfer
    where state <> 'receiving' and user_name = coalesce(${userName}, user_name) ${olderThan(after, sql`transfer`)}
    ${newestFirst(count)}`)

/** Starts again: discards the results of an earlier check or run. */
export const beginRun = (db: Db, id: string, state: State, dry: boolean) =>
  db.run(sql`
    with forgotten as (delete from transfer_outcome where transfer_id = ${id}::uuid)
    update transfer set state = ${state}, dry = ${dry}, share = 0, processed = 0, created = 0, updated = 0, unchanged = 0,
      refused = 0, deleted = 0, objects = null, problem = null, ended_at = null where id = ${id}::uuid`)
/** `from`: only if it is in that state. */
export const setState = (db: Db, id: string, state: State, problem: string | null = null, from: State | null = null) =>
  db.run(sql`
    update transfer set state = ${state}, problem = ${problem},
      share = case when ${state} in ('finished', 'validated') then 1 else share end,
      ended_at = case when ${state} in ('finished', 'failed', 'cancelled', 'validated') then now() end
    where id = ${id}::uuid and state = coalesce(${from}, state)`)
export const setRights = (db: Db, id: string, rights: string) =>
  db.run(sql`update transfer set rights = ${rights} where id = ${id}::uuid`)
export const setEncoding = (db: Db, id: string, encoding: string) =>
  db.run(sql`
    update transfer set options = options || jsonb_build_object('encoding', ${encoding}::text) where id = ${id}::uuid`)
/** Content of the file that is not imported. */
export const setNotes = (db: Db, id: string, notes: readonly LayoutNote[]) =>
  db.run(sql`
    update transfer set options = options || jsonb_build_object('notes', ${JSON.stringify(notes)}::jsonb) where id = ${id}::uuid`)
/** The earliest end of the usage rights of files in an export, in seconds since 1970. */
export const setUsableUntil = (db: Db, id: string, until: number) =>
  db.run(sql`
    update transfer set options = options || jsonb_build_object('usableUntil', ${until}::float8)
    where id = ${id}::uuid and coalesce((options ->> 'usableUntil')::float8, 'Infinity') > ${until}::float8`)
/** Adds the warnings of all rows to the notes: the first ones of each reason, with the number of rows. */
export const noteWarnings = (db: Db, id: string) =>
  db.transaction(async (inside) => {
    await inside.run(sql`select set_config('statement_timeout', '600s', true)`)
    await inside.run(sql`
      with warning as (
        select jsonb_build_object('place', coalesce(w ->> 'column', ''), 'reason', w ->> 'reason', 'count', count(*)) as note,
          min((o ->> 'row')::bigint) as first_row
        from transfer_outcome t cross join json_array_elements(t.outcomes) as o cross join json_array_elements(o -> 'warnings') as w
        where t.transfer_id = ${id}::uuid group by w ->> 'column', w ->> 'reason' order by first_row limit 500
      )
      update transfer set options = options || jsonb_build_object('notes',
        coalesce(options -> 'notes', '[]') || (select jsonb_agg(note order by first_row) from warning))
      where id = ${id}::uuid and exists (select from warning)`)
  })
export const setLayout = (db: Db, id: string, layout: string) =>
  db.run(sql`
    update transfer set options = options || jsonb_build_object('layout', ${layout}::text) where id = ${id}::uuid`)
/** The rows of an import that has ended. */
export const setImported = (db: Db, id: string, total: number) =>
  db.run(sql`update transfer set total = ${total} where id = ${id}::uuid`)
/** Of an import that has not stored anything. The results of an earlier check are removed. */
export const setOptions = (db: Db, id: string, options: TransferOptions) =>
  db.run(sql`
    with forgotten as (delete from transfer_outcome where transfer_id = ${id}::uuid)
    update transfer set options = ${JSON.stringify(options)}::jsonb, state = 'received', dry = false, share = 0, processed = 0,
      created = 0, updated = 0, unchanged = 0, refused = 0, objects = null, problem = null, ended_at = null
    where id = ${id}::uuid`)
/** `deleted`: the deletions that an export of a series contains. */
export const setTotal = (db: Db, id: string, total: number, deleted = 0) =>
  db.run(sql`update transfer set total = ${total}, deleted = ${deleted} where id = ${id}::uuid`)
export const isRunning = async (db: Db, id: string) =>
  (await db.row(sql`select from transfer where id = ${id}::uuid and state = 'running'`)) !== undefined
/** Returns the number of rows: 0 if the transfer no longer runs. */
export const setProgress = (db: Db, id: string, processed: number, share: number) =>
  db.run(sql`
    update transfer set processed = ${processed}, share = ${share} where id = ${id}::uuid and state = 'running'`)
export const deleteTransfer = (db: Db, id: string) => db.run(sql`delete from transfer where id = ${id}::uuid`)
/** Files that a feed offers or has yet to deliver are kept. */
export const deleteOld = (db: Db, days: number) =>
  db.run(sql`
    delete from transfer t where created_at < now() - make_interval(days => ${days})
      and not exists (select from feed f where f.transfer_id = t.id)
      and not exists (select from feed_run r where r.transfer_id = t.id and r.state in ('running', 'held'))`)

// Files

/** With a kept plan: planning it with the bytes would copy them. */
export const insertPiece = (db: Db, id: string, number: number, bytes: Buffer) =>
  byKey(db).run(sql`
    with grown as (update transfer set size = size + ${bytes.length} where id = ${id}::uuid)
    insert into transfer_piece (transfer_id, number, bytes) values (${id}::uuid, ${number}, ${bytes})`)
export const deletePieces = (db: Db, id: string) =>
  db.run(sql`
    with none as (update transfer set size = 0 where id = ${id}::uuid)
    delete from transfer_piece where transfer_id = ${id}::uuid`)
export const findPiece = async (db: Db, id: string, number: number): Promise<Buffer | undefined> => {
  if (!db.readBytes) return (await db.row<{ bytes: Buffer }>(piece(id, number)))?.bytes
  if (!/^[\da-f-]{36}$/.test(id)) throw new Error(`${id} is no id of a transfer`) // COPY takes no parameters
  return db.readBytes(`copy (
    select bytes from transfer_piece where transfer_id = '${id}' and number = ${Math.trunc(number)}
  ) to stdout (format binary)`)
}
const piece = (id: string, number: number) =>
  sql`select bytes from transfer_piece where transfer_id = ${id}::uuid and number = ${number}`

// Outcomes

export interface Outcomes {
  readonly firstRow: number
  readonly rows: number
  /** The share of the file that has been read. */
  readonly share: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly refused: number
  readonly json: string
  readonly deleted: number
}

export const noteOutcomes = (
  db: Db,
  id: string,
  { firstRow, rows, share, created, updated, unchanged, refused, deleted, json }: Outcomes,
) =>
  db.run(sql`
    with noted as (
      insert into transfer_outcome (transfer_id, first_row, refused, outcomes)
      values (${id}::uuid, ${firstRow}, ${refused}, ${json}::json))
    update transfer set processed = processed + ${rows}, share = ${share}, created = created + ${created}, updated = updated + ${updated},
      unchanged = unchanged + ${unchanged}, refused = refused + ${refused}, deleted = deleted + ${deleted} where id = ${id}::uuid`)

/** Counts objects instead of rows. An object that several rows describe has the first of these outcomes that one has. */
export const countObjects = (db: Db, id: string) =>
  db.transaction(async (inside) => {
    await inside.run(sql`select set_config('statement_timeout', '600s', true)`)
    await inside.run(sql`
      with object as (
        select min(array_position(array['created', 'updated', 'refused', 'unchanged', 'deleted'], o ->> 'status')) as rank
        from transfer_outcome t cross join json_array_elements(t.outcomes) as o
        where t.transfer_id = ${id}::uuid group by coalesce(o ->> 'tid', o ->> 'row'), o ->> 'tid' is null
      )
      update transfer set objects = (
        select jsonb_strip_nulls(jsonb_build_object('created', count(*) filter (where rank = 1), 'updated', count(*) filter (where rank = 2),
          'refused', count(*) filter (where rank = 3), 'unchanged', count(*) filter (where rank = 4), 'deleted', nullif(count(*) filter (where rank = 5), 0))) from object)
      where id = ${id}::uuid`)
  })

/** The first row of the piece that contains the row. */
export const findPieceOf = async (db: Db, id: string, row: number) =>
  (await db.row<{ firstRow: number }>(sql`
    select coalesce(max(first_row), 1) as "firstRow" from transfer_outcome
    where transfer_id = ${id}::uuid and first_row <= ${row}`))!.firstRow

/** The next piece of outcomes after a row; with `onlyRefused`, the next one that contains a refusal. */
export const nextOutcomes = <T>(db: Db, id: string, after: number, onlyRefused: boolean) =>
  db.row<{ firstRow: number; outcomes: T[] }>(sql`
    select first_row as "firstRow", outcomes from transfer_outcome
    where transfer_id = ${id}::uuid and first_row > ${after} and (refused > 0 or not ${onlyRefused})
    order by first_row limit 1`)
