/**
 * Ten years of history in monthly partitions beside the same rows in one table, as it was before: inserting, reading the
 * newest entries of an object, and removing the oldest month. On a PostgreSQL of its own, with the tables of the migrations.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Database, type Db } from '../../server/src/adapters/postgres/db.ts'
import { startEmbedded } from '../../server/src/adapters/postgres/embedded.ts'
import { migrate, readMigrations } from '../../server/src/adapters/postgres/migrate.ts'
import { fragmentOf, sql } from '../../server/src/adapters/postgres/sql.ts'
import { dropPartitions, makePartitions } from '../../server/src/core/partitions/partitions.ts'
import type { Row, Table } from './measure.ts'

const months = 120
const tables = ['plain', 'history'] as const
type Name = (typeof tables)[number]
const monthAt = (month: number) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months + 1 + month))
}

export async function historyOfYears(rows = 1_000_000): Promise<Table[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kontor-history-'))
  const settings = {
    checkpoint_timeout: '1h',
    max_wal_size: '8GB',
    maintenance_work_mem: '1GB',
    full_page_writes: 'off',
  }
  const server = await startEmbedded({ dataDir, settings })
  const database = connect({ ...server.poolConfig, max: 1, statement_timeout: 0 })
  try {
    await migrate(database, readMigrations(new URL('../../server/migrations/', import.meta.url)))
    await fill(database, rows)
    return [await measureAll(database, rows)]
  } finally {
    await database.close()
    await server.stop()
    await rm(dataDir, { recursive: true })
  }
}

/** Each object has twenty entries, spread over the years. */
const objectsOf = (rows: number) => Math.ceil(rows / 20)

async function fill(database: Database, rows: number): Promise<void> {
  const history = [{ table: 'history', period: 'month' }] as const
  for (let month = 0; month < months; month++) await makePartitions(database, history, { now: monthAt(month) })
  const perMonth = Math.ceil(rows / months)
  const began = performance.now()
  for (let month = 0; month < months; month++) {
    await fillPartition(database, month, perMonth, objectsOf(rows))
    if (month % 12 === 11) log(`${month + 1} partitions`, began)
  }
  await database.transaction(async (db) => {
    await db.run(sql`create table plain (like history including defaults)`)
    for (let month = 0; month < months; month++) await insertMonth(db, 'plain', month, perMonth, objectsOf(rows))
  })
  log('one table', began)
  await database.run(sql`alter table plain add primary key (id)`)
  await database.run(sql`create index on plain (object_id, id)`)
  await database.run(sql`create index on plain using brin (at)`)
  await database.run(sql`alter table plain alter id add generated always as identity (start with 1000000000)`)
  log('indexes', began)
  await database.run(sql`vacuum (analyze) plain`)
  await database.run(sql`analyze history`)
  await database.run(sql`checkpoint`)
  log('vacuum', began)
}
const log = (what: string, began: number) =>
  console.error(`${what} after ${((performance.now() - began) / 1000).toFixed(0)} s`)

/** Rows of a table that was created or emptied in the same transaction are not written to the log of PostgreSQL. */
const fillPartition = (database: Database, month: number, count: number, objects: number) =>
  database.transaction(async (db) => {
    const name = `history_${monthAt(month).toISOString().slice(0, 10).replaceAll('-', '_')}`
    await db.run(sql`truncate ${fragmentOf(name)}`)
    await insertMonth(db, name, month, count, objects)
  })

const insertMonth = (db: Db, table: string, month: number, count: number, objects: number) =>
  db.run(sql`
    insert into ${fragmentOf(table)} (id, object_id, data_type, action, at, user_name, changes) overriding system value
    select ${month * count} + n, (${month * count} + n) * 7919 % ${objects}::bigint, 'product', 'update',
      ${monthAt(month)}::timestamptz + n * ${(monthAt(month + 1).getTime() - monthAt(month).getTime()) / (count + 1)}::float8 * interval '1 ms',
      'kim', ${'{"vals.caption": {"to": "a green boat", "from": "a red boat"}}'}::jsonb
    from generate_series(1::bigint, ${count}::bigint) as n`)

async function measureAll(database: Database, rows: number): Promise<Table> {
  const newest = (name: Name) => sql`
    select id, at, changes from ${fragmentOf(name)} where object_id = any(${[pick(rows)]}::bigint[]) order by id desc limit 50`
  const found = [
    ...(await inTurns('insert 1,000 rows', 40, (name) => () => insertThousand(database, name, objectsOf(rows)))),
    ...(await inTurns('read the newest 50 entries of an object', 200, (name) => () => database.rows(newest(name)))),
  ]
  const bytes = await sizes(database)
  found.push(
    { what: 'size with indexes, one table', rate: gigabytes(bytes.plain), ratio: 1 },
    { what: 'size with indexes, partitions', rate: gigabytes(bytes.history), ratio: bytes.plain / bytes.history },
    ...(await removeMonth(database)),
  )
  const title = `Ten years of history, ${rows.toLocaleString('en')} rows in ${months} monthly partitions beside one table`
  return { title, baseline: 'one table', rows: found }
}
const pick = (rows: number) => Math.floor(Math.random() * objectsOf(rows))
const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(2)} GB`

/** Median milliseconds of each table, measured in turns. */
async function inTurns(what: string, turns: number, workOf: (name: Name) => () => Promise<unknown>): Promise<Row[]> {
  const times: Record<Name, number[]> = { plain: [], history: [] }
  for (let turn = 0; turn < turns; turn++) {
    for (const name of tables) {
      const work = workOf(name)
      const began = performance.now()
      await work()
      times[name].push(performance.now() - began)
    }
  }
  const median = (name: Name) => times[name].toSorted((a, b) => a - b)[turns >> 1]!
  return pair(what, median('plain'), median('history'))
}
const pair = (what: string, plain: number, divided: number): Row[] => [
  { what: `${what}, one table`, rate: `${plain.toFixed(2)} ms`, ratio: 1 },
  { what: `${what}, partitions`, rate: `${divided.toFixed(2)} ms`, ratio: plain / divided },
]

const insertThousand = (database: Database, name: Name, objects: number) =>
  database.run(sql`
    insert into ${fragmentOf(name)} (object_id, data_type, action, user_name, changes)
    select n * 7919 % ${objects}::bigint, 'product', 'update', 'kim', '{"vals.caption": {"to": "a green boat", "from": "a red boat"}}'
    from generate_series(1, 1000) as n`)

/** The oldest month: deleted and vacuumed, and dropped. */
async function removeMonth(database: Database): Promise<Row[]> {
  const timed = async (work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    return performance.now() - began
  }
  const deleted = await timed(() => database.run(sql`delete from plain where at < ${monthAt(1)}`))
  const vacuumed = await timed(() => database.run(sql`vacuum plain`))
  await dropPartitions(database, 'history', monthAt(0)) // the empty one before the first month
  const dropped = await timed(() => dropPartitions(database, 'history', monthAt(1)))
  log(`delete took ${deleted.toFixed(0)} ms, vacuum ${vacuumed.toFixed(0)} ms`, performance.now())
  return pair('remove the oldest month (delete and vacuum, or drop)', deleted + vacuumed, dropped)
}

async function sizes(database: Database) {
  const row = await database.row<Record<Name, number>>(sql`
    select pg_total_relation_size('plain') as plain,
      (select sum(pg_total_relation_size(relid))::bigint from pg_partition_tree('history')) as history`)
  return { plain: Number(row!.plain), history: Number(row!.history) }
}
