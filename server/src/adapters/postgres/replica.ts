/**
 * A read replica: a streaming standby of the database, for reads that need not see the last moments.
 *
 * How far it has come is measured, not believed: every half second the position of the primary is read together with the
 * time of this process, and the position that the replica has replayed. A replica that has replayed a position has
 * everything that was committed before the time of that position. So the clocks of the servers do not matter, and a
 * primary without changes does not look like a replica that is late.
 *
 * A replica that is late, away, promoted or of another database is not used; reads go to the primary as without it.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { PoolConfig } from 'pg'
import { connect, type Database, type Db } from './db.ts'
import { sql } from './sql.ts'

export interface Replica {
  /** For the reads of one call: the replica, if it has everything that was committed before this time (performance.now). */
  asOf(time: number): Db | undefined
  /** Seconds by which its data are behind at most; infinite while it cannot be used. */
  lag(): number
  /** How many statements it has answered. */
  statements(): number
  close(): Promise<void>
}

interface Options {
  readonly primary: Database
  /** Called when the reason why the replica cannot be used changes, and without a reason when it can be used. */
  report(reason?: string): void
}

/** Milliseconds between two measurements. */
const interval = 500
/** A measurement that takes longer counts as a failure: the replica hangs. */
const timeout = 5000
/** Positions of the primary that are kept while the replica is late: an hour and a half. */
const mostPositions = 10_000

export function openReplica(config: PoolConfig, { primary, report }: Options): Replica {
  // A replica that hangs must not hold a read for longer than a statement may take.
  const replica = connect({ ...config, connectionTimeoutMillis: 2000, query_timeout: 35_000 })
  const observer = connect({ ...config, max: 1, connectionTimeoutMillis: timeout, query_timeout: timeout })
  const progress = createProgress()
  const stopping = new AbortController()
  const { signal } = stopping
  let answered = 0
  let trouble: string | undefined = 'it is not connected yet'
  const setTrouble = (reason?: string) => {
    if (reason === trouble) return
    trouble = reason
    report(reason)
  }
  const measure = async () => {
    try {
      const time = performance.now()
      const { position, ...own } = (await primary.row<Identity & { position: string }>(primaryPosition))!
      const { replayed, ...other } = (await observer.row<Identity & { replayed: string | null }>(replayedPosition))!
      progress.reached(time, BigInt(position))
      if (own.cluster !== other.cluster || own.database !== other.database)
        return setTrouble('it is not a replica of the database in DATABASE_URL')
      if (replayed === null) return setTrouble('it is not a replica: it is not in recovery')
      progress.replayed(BigInt(replayed))
      setTrouble()
    } catch (error) {
      setTrouble((error as Error).message || (error as NodeJS.ErrnoException).code)
    }
  }
  const observe = async () => {
    while (!signal.aborted) {
      await measure()
      await pause(interval, undefined, { signal, ref: false }).catch(() => {})
    }
  }
  const observing = observe()
  const failed = (error: Error) => setTrouble(error.message)
  return {
    asOf: (time) =>
      trouble === undefined && progress.time() >= time
        ? readsOf(replica, primary, { answered: () => answered++, failed })
        : undefined,
    lag: () => (trouble === undefined ? (performance.now() - progress.time()) / 1000 : Number.POSITIVE_INFINITY),
    statements: () => answered,
    async close() {
      stopping.abort()
      await observing
      await Promise.all([replica.close(), observer.close()])
    },
  }
}

interface Identity {
  readonly cluster: string
  readonly database: string
}
const identity = sql`
  (select system_identifier::text from pg_control_system()) as cluster,
  (select oid::text from pg_database where datname = current_database()) as database`
const primaryPosition = sql`select ${identity}, (pg_current_wal_insert_lsn() - '0/0')::text as position`
const replayedPosition = sql`
  select ${identity}, case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::text end as replayed`

/** When the primary was at which position, and the latest of these times whose position is replayed. */
function createProgress() {
  let positions: { readonly time: number; readonly position: bigint }[] = []
  let last = Number.NEGATIVE_INFINITY
  return {
    reached(time: number, position: bigint): void {
      // Another server has become the primary: its positions cannot be compared with the old ones.
      if (position < (positions.at(-1)?.position ?? 0n)) positions = []
      positions.push({ time, position })
      if (positions.length > mostPositions) positions.shift()
    },
    replayed(position: bigint): void {
      const late = positions.findIndex((one) => one.position > position)
      const [reached, rest] = late < 0 ? [positions.at(-1), []] : [positions[late - 1], positions.slice(late)]
      last = reached?.time ?? last
      // The newest stays, so that a position which goes backwards is noticed.
      positions = rest.length > 0 ? rest : positions.slice(-1)
    },
    time: () => last,
  }
}

interface Outcomes {
  answered(): void
  failed(error: Error): void
}

/**
 * The database of one call. Only plain reads go to the replica. After the first failure, and after anything else than a
 * read, everything goes to the primary: a call never sees an older state than it has already seen.
 */
function readsOf(replica: Db, primary: Db, { answered, failed }: Outcomes): Db {
  let current = replica
  const read =
    <A, R>(send: (db: Db, statement: A) => Promise<R>) =>
    async (statement: A): Promise<R> => {
      if (current === primary) return send(primary, statement)
      try {
        const result = await send(replica, statement)
        answered()
        return result
      } catch (error) {
        if (isTooLong(error)) throw error
        if (isAway(error)) failed(error as Error)
        current = primary
        return send(primary, statement)
      }
    }
  const other =
    <A extends unknown[], R>(send: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> => {
      current = primary
      return send(...args)
    }
  return {
    rows: read((db, statement) => db.rows(statement)) as Db['rows'],
    row: read((db, statement) => db.row(statement)) as Db['row'],
    lock: other(primary.lock),
    run: other(primary.run),
    writeRows: other(primary.writeRows) as Db['writeRows'],
    writeRow: other(primary.writeRow) as Db['writeRow'],
    transaction: other(primary.transaction) as Db['transaction'],
  }
}

/** The statement would take too long on the primary, too. */
const isTooLong = (error: unknown) => (error as { code?: string }).code === '57014'
/** Not a fault of the statement, nor a conflict with the recovery (40001), but no connection. */
const isAway = (error: unknown) => {
  const { code } = error as { code?: string }
  return code === undefined || !/^[0-9A-Z]{5}$/.test(code) || /^(08|57P)/.test(code)
}
