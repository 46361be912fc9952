/**
 * Costs of an operation, for the capacity model (tools/capacity.ts): CPU time of the server and of PostgreSQL, and bytes of
 * the database and its log. Both count all threads and processes, so other work on the machine changes them little.
 */
import type { Database } from '../../server/src/adapters/postgres/db.ts'
import { sql } from '../../server/src/adapters/postgres/sql.ts'
import { generateModel, generateProducts, nodeOf, tidOf, valuesOf } from '../generate-products.ts'
import { cpuOf } from './cpu.ts'
import type { Row, Table } from './measure.ts'
import type { BenchServer } from './server.ts'

const pim = '/api/core/v1/pim'
const schemaVersion = '5.6.0'
const clients = 4

interface Operation {
  readonly what: string
  /** How many requests are measured, and how many objects each concerns. */
  readonly requests: number
  readonly objects?: number
  readonly body: (i: number) => object
  readonly path: string
}

const valsOf = (i: number) =>
  Object.entries(valuesOf(i)).map(([attr, value]) => {
    if (typeof value === 'string') return { itm: [{ value }], attr }
    if (Array.isArray(value)) return { itm: value.map((one, pos) => ({ value: one, pos })), attr, type: 'multiple' }
    return { itm: Object.entries(value).map(([loc, one]) => ({ value: one, loc })), attr, type: 'localized' }
  })
const envelope = (product: object[]) => ({ schemaVersion, products: { product } })
const newProduct = (i: number) => ({ tid: `N-${i}`, name: `New ${i}`, node: nodeOf(i), vals: { val: valsOf(i) } })
const range = (length: number) => Array.from({ length }, (_, i) => i)

// prettier-ignore
const operations: readonly Operation[] = [
  { what: 'retrieve of one product', requests: 2000, path: 'products/retrieve', body: (i) => ({ tids: [tidOf(i * 37 % 50_000)] }) },
  { what: 'retrieve of a page of 50 products', requests: 400, path: 'products/retrieve', body: (i) => ({ tids: range(50).map((n) => tidOf((i * 50 + n) % 50_000)) }) },
  { what: 'change of one value of a product', requests: 2000, path: 'products/persist', body: (i) => envelope([{ tid: tidOf(i), vals: { val: [{ attr: 'trial_0', itm: [{ value: `changed ${i}` }] }] } }]) },
  { what: 'new product, 1,000 per request', requests: 40, objects: 1000, path: 'products/persist', body: (i) => envelope(range(1000).map((n) => newProduct(i * 1000 + n))) },
]

export async function costs(server: BenchServer): Promise<Table[]> {
  const { database } = server
  await generateModel(database)
  await settle(database)
  const before = await sizes(database)
  await generateProducts(database, 0, 50_000)
  await settle(database)
  const perRow = ((await sizes(database)).database - before.database) / 50_000
  const rows: Row[] = [
    { what: 'a stored product with 30 values, with its indexes', rate: `${perRow.toFixed(0)} bytes` },
  ]
  for (const operation of operations) rows.push(await measure(server, operation))
  return [{ title: 'Costs of an operation', baseline: '', rows }]
}

async function measure(server: BenchServer, { what, requests, objects = 1, path, body }: Operation): Promise<Row> {
  const send = async (from: number, count: number) => {
    let next = from
    const client = async () => {
      for (let i = next++; i < from + count; i = next++) await call(server, path, body(i))
    }
    await Promise.all(range(clients).map(client))
  }
  await send(requests, Math.ceil(requests / 4)) // warm, with other objects
  await settle(server.database)
  const cpu = cpuOf(server)
  const size = await sizes(server.database)
  await send(0, requests)
  const used = cpuOf(server)
  const grown = await sizes(server.database)
  const count = requests * objects
  const milliseconds = (key: 'server' | 'database') =>
    `${(((used[key] - cpu[key]) / count) * 1000).toFixed(2)} ms ${key}`
  const bytes = (key: 'history' | 'outbox' | 'log') => `${((grown[key] - size[key]) / count).toFixed(0)} bytes ${key}`
  const facts = [milliseconds('server'), milliseconds('database'), bytes('history'), bytes('outbox'), bytes('log')]
  return { what, rate: facts.join(', ') }
}

async function call(server: BenchServer, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const reply = await server.post(`${pim}/${path}`, JSON.stringify(body), headers)
  const text = await reply.text()
  if (!reply.ok || text.includes('ERROR')) throw new Error(`${path}: ${reply.status} ${text.slice(0, 500)}`)
}

/** Autovacuum and checkpoints would otherwise run during the next measurement. */
async function settle(database: Database): Promise<void> {
  await database.run(sql`vacuum analyze`)
  await database.run(sql`checkpoint`)
}

/** Bytes, with indexes and partitions. */
async function sizes(database: Database) {
  const row = await database.row<Record<'database' | 'history' | 'outbox' | 'log', string>>(sql`
    select pg_database_size(current_database()) as database, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as log,
      (select sum(pg_total_relation_size(relid)) from pg_partition_tree('history')) as history,
      (select sum(pg_total_relation_size(relid)) from pg_partition_tree('outbox')) as outbox`)
  const { database: all, history, outbox, log } = row!
  return { database: Number(all), history: Number(history), outbox: Number(outbox), log: Number(log) }
}
