/**
 * `npm run bench peers [products]`: the same daily work done by Kontor and by Directus, in turns, on one PostgreSQL.
 *
 * Directus is not part of this project. Install it into a folder of its own (`npm install directus`) and name the folder:
 *
 *   BENCH_DIRECTUS=/opt/directus npm run bench peers 20000
 *
 * Without it the benchmark is skipped with a message. `BENCH_DIRECTUS_NODE` is the Node that runs it, if it needs another
 * one.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect } from '../../server/src/adapters/postgres/db.ts'
import { fragmentOf, sql } from '../../server/src/adapters/postgres/sql.ts'
import { freePort } from '../../server/src/process/free-port.ts'
import { cpuOf, cpuOfTree } from './cpu.ts'
import { type Ask, asker, quantile } from './daily-client.ts'
import { envelope, pim, range, sendAll } from './daily-works.ts'
import type { Row, Table } from './measure.ts'
import { type BenchServer, startServer } from './server.ts'
import { commonWord, wideModel, wideProduct, wideTid } from './wide-products.ts'

const password = 'only-for-a-benchmark'
const collection = 'wide'

export async function peers(count = 20_000): Promise<Table[]> {
  const folder = process.env['BENCH_DIRECTUS']
  if (folder === undefined || !existsSync(join(folder, 'node_modules', 'directus'))) {
    console.error('SKIPPED: no Directus. Install it (npm install directus) and name its folder in BENCH_DIRECTUS.')
    return []
  }
  const server = await startServer()
  try {
    const peer = await startDirectus(server, folder)
    try {
      return [await compare(server, peer, count)]
    } finally {
      await peer.stop()
    }
  } finally {
    await server.stop()
  }
}

interface Peer {
  readonly pid: number
  readonly ask: Ask
  stop(): Promise<void>
}

async function startDirectus(server: BenchServer, folder: string): Promise<Peer> {
  const { host } = await server.database.connection()
  const name = `directus_${Date.now()}`
  await server.database.run(sql`create database ${fragmentOf(name)}`)
  const port = await freePort('127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    DB_CLIENT: 'pg',
    DB_HOST: String(host),
    DB_PORT: '5432',
    DB_USER: 'kontor',
    DB_PASSWORD: '',
    DB_DATABASE: name,
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: url,
    SECRET: 'of a benchmark, which need not be secret',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: password,
    ADMIN_TOKEN: password,
    MAX_BATCH_MUTATION: '10000',
    MAX_PAYLOAD_SIZE: '100mb',
    QUERY_LIMIT_MAX: '-1',
    RATE_LIMITER_ENABLED: 'false',
    TELEMETRY: 'false',
    LOG_LEVEL: 'error',
    STORAGE_LOCATIONS: 'local',
    STORAGE_LOCAL_ROOT: join(server.data, 'directus-files'),
  }
  const node = process.env['BENCH_DIRECTUS_NODE'] ?? process.execPath
  const run = (command: string): ChildProcess =>
    spawn(node, [join(folder, 'node_modules', 'directus', 'cli.js'), command], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] }) // prettier-ignore
  const [status] = (await once(run('bootstrap'), 'exit')) as [number]
  if (status !== 0) throw new Error('directus bootstrap failed')
  const child = run('start')
  for (let attempt = 0; ; attempt++) {
    const isReady = await fetch(`${url}/server/ping`).then(({ ok }) => ok, () => false) // prettier-ignore
    if (isReady) break
    if (child.exitCode !== null || attempt === 600) throw new Error('directus did not start')
    await pause(200)
  }
  return {
    pid: child.pid!,
    ask: asker(url, { authorization: `Bearer ${password}` }),
    async stop() {
      child.kill()
      await once(child, 'exit')
      const database = connect({ ...(await server.database.connection()), max: 1 })
      await database.run(sql`drop database ${fragmentOf(name)} with (force)`)
      await database.close()
    },
  }
}

/** The product as one row with a column for each value and locale. */
function toItem(product: object): Record<string, string> {
  const { tid, name, node, vals } = product as ReturnType<typeof parsed>
  const values = vals.val.flatMap(({ attr, itm }) =>
    itm.map(({ value, loc }) => [loc === undefined ? attr : `${attr}_${loc.toLowerCase()}`, value] as const),
  )
  return { tid, name, node, ...Object.fromEntries(values) }
}
const parsed = (product: object) =>
  product as {
    tid: string
    name: string
    node: string
    vals: { val: { attr: string; itm: { value: string; loc?: string }[] }[] }
  }

interface Job {
  readonly what: string
  readonly connections: number
  readonly requests: number
  readonly objects?: number
  readonly own: { readonly path: string; readonly body: (i: number) => object }
  readonly peer: { readonly path: (i: number) => string; readonly body: (i: number) => object }
}

let number = Date.now()
const fresh = (count: number) => range(count).map(() => wideProduct(number, wideTid(number++)))
const change = (tid: string) => ({ tid, vals: { val: [{ attr: 'wide_text_0', itm: [{ value: `now ${number++}` }] }] } })
const items = `/items/${collection}`

// prettier-ignore
const jobs = (count: number): readonly Job[] => {
  const some = (i: number) => wideTid((i * 7919) % count)
  const batch = (i: number) => range(1000).map((n) => wideTid((i * 1000 + n) % count))
  const persist = `${pim}/products/persist`
  return [
    { what: 'read one by key, 16 connections', connections: 16, requests: 400, own: { path: `${pim}/products/retrieve`, body: (i) => ({ tids: [some(i)] }) }, peer: { path: (i) => `GET ${items}/${some(i)}`, body: () => ({}) } },
    { what: 'create one, 8 connections', connections: 8, requests: 200, own: { path: persist, body: () => envelope(fresh(1)) }, peer: { path: () => items, body: () => toItem(fresh(1)[0]!) } },
    { what: 'update one field of one, 8 connections', connections: 8, requests: 200, own: { path: persist, body: (i) => envelope([change(some(i))]) }, peer: { path: (i) => `PATCH ${items}/${some(i)}`, body: () => ({ wide_text_0: `now ${number++}` }) } },
    { what: 'create, 1,000 per request', connections: 1, requests: 3, objects: 1000, own: { path: persist, body: () => envelope(fresh(1000)) }, peer: { path: () => items, body: () => fresh(1000).map(toItem) } },
    { what: 'update one field, 1,000 per request', connections: 1, requests: 3, objects: 1000, own: { path: persist, body: (i) => envelope(batch(i).map(change)) }, peer: { path: () => `PATCH ${items}`, body: (i) => batch(i).map((tid) => ({ tid, wide_text_0: `now ${number++}` })) } },
    { what: 'a common word, 50 rows and the count', connections: 4, requests: 40, own: { path: '/api/v1/search', body: () => ({ context: { searchType: 'INDEX', index: 'PRODUCT' }, query: { queryType: 'FULLTEXT', value: commonWord }, pageIndex: 0, pageSize: 50 }) }, peer: { path: () => `GET ${items}?limit=50&meta=filter_count&search=${commonWord}`, body: () => ({}) } },
    { what: 'retrieve, 1,000 per request', connections: 1, requests: 10, objects: 1000, own: { path: `${pim}/products/retrieve`, body: (i) => ({ tids: batch(i) }) }, peer: { path: (i) => `GET ${items}?limit=1000&page=${(i % Math.ceil(count / 1000)) + 1}`, body: () => ({}) } },
  ]
}

async function compare(server: BenchServer, peer: Peer, count: number): Promise<Table> {
  const ask = asker(server.url, server.headers)
  await fillBoth(ask, peer, count)
  const rows: Row[] = []
  for (const job of jobs(count)) rows.push(await both(server, ask, peer, job))
  return { title: `Kontor and Directus, ${count.toLocaleString('en')} products with 17 texts`, baseline: '', rows }
}

async function fillBoth(ask: Ask, peer: Peer, count: number): Promise<void> {
  const schemaVersion = '5.6.0'
  await ask(`${pim}/attribute-definitions/persist`, { schemaVersion, attrDefs: { attrDef: wideModel.attrDefs } })
  await ask(`${pim}/classes/persist`, { schemaVersion, classes: { clazz: [wideModel.clazz] } })
  await ask(`${pim}/nodes/persist`, { schemaVersion, nodes: { node: wideModel.nodes } })
  const fields = Object.keys(toItem(wideProduct(0))).map((field) =>
    field === 'tid'
      ? { field, type: 'string', schema: { is_primary_key: true } }
      : { field, type: field === 'name' || field === 'node' ? 'string' : 'text', schema: {} },
  )
  await peer.ask('/collections', { collection, schema: {}, meta: {}, fields })
  for (let first = 0; first < count; first += 1000) {
    const products = range(Math.min(1000, count - first)).map((n) => wideProduct(first + n))
    await ask(`${pim}/products/persist`, envelope(products))
    await peer.ask(items, products.map(toItem))
  }
}

const turns = 3

async function both(server: BenchServer, ask: Ask, peer: Peer, job: Job): Promise<Row> {
  const own: Figures[] = []
  const other: Figures[] = []
  for (let turn = 0; turn < turns; turn++) {
    own.push(await figures(server, ask, job, () => job.own.path, job.own.body, () => cpuOf(server).server)) // prettier-ignore
    other.push(await figures(server, peer.ask, job, job.peer.path, job.peer.body, () => cpuOfTree(peer.pid)))
  }
  const [kontor, directus] = [best(own), best(other)]
  return {
    what: job.what,
    rate: `Kontor ${show(kontor)}`,
    bare: `Directus ${show(directus)}`,
    ratio: kontor.cpu / directus.cpu,
    aim: 'less',
  }
}

interface Figures {
  readonly cpu: number
  readonly rate: number
  readonly p99: number
}
const best = (all: readonly Figures[]) => all.toSorted((a, b) => a.cpu - b.cpu)[all.length >> 1]!
const show = ({ cpu, rate, p99 }: Figures) => `${cpu.toFixed(2)} ms CPU, ${rate.toFixed(0)}/s, p99 ${p99.toFixed(0)} ms`

/** PostgreSQL counts for the one who works: the two take turns. */
async function figures(
  server: BenchServer,
  ask: Ask,
  { connections, requests, objects = 1 }: Job,
  path: (i: number) => string,
  body: (i: number) => object,
  own: () => number,
): Promise<Figures> {
  const messages = range(requests).map((i) => ({ path: path(i), body: body(i) }))
  const before = own() + cpuOf(server).database
  const { times, seconds } = await sendAll(ask, connections, messages)
  const used = own() + cpuOf(server).database - before
  const total = requests * objects
  return { cpu: (used / total) * 1000, rate: total / seconds, p99: quantile(times, 0.99) }
}
