/**
 * The daily work of the console, a shop and an ERP on a wide catalogue: CPU of the server with its helper processes and of
 * PostgreSQL per operation, beside a bare server on the same PostgreSQL that does the same work without rights, rules,
 * history, events and search. The two take turns.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from '../../server/src/adapters/postgres/sql.ts'
import { type Bare, startBare } from './daily-bare.ts'
import { exporting } from './daily-export.ts'
import { mixedLoad } from './daily-load.ts'
import { type Ask, asker, quantile } from './daily-client.ts'
import { cpuOf, cpuOfTree } from './cpu.ts'
import type { Row, Table } from './measure.ts'
import { type BenchServer, startServer } from './server.ts'
import { thumbnails } from './daily-thumbnail.ts'
import { commonWord, rareWord, wideFacets, wideModel, wideProduct, wideTid } from './wide-products.ts'

const pim = '/api/core/v1/pim'
const schemaVersion = '5.6.0'
const range = (length: number) => Array.from({ length }, (_, i) => i)
const envelope = (product: object[]) => ({ schemaVersion, products: { product } })

/** One kind of work: what is asked of Kontor, and of the bare server. */
interface Work {
  readonly what: string
  /** The most CPU milliseconds per object. */
  readonly aim: number
  readonly connections: number
  readonly requests: number
  readonly objects?: number
  readonly path: string
  readonly body: (i: number) => object
  readonly bare?: { readonly path: string; readonly body: (i: number) => object }
}

/** New in every run, also on a folder that is kept. */
let number = Date.now()
const newProducts = (count: number) => range(count).map(() => wideProduct(number, wideTid(number++)))
const changed = (tid: string, n: number) => ({
  tid,
  vals: { val: [{ attr: 'wide_text_0', itm: [{ value: `now ${n}` }] }] },
})
const someTid = (i: number, count: number) => wideTid((i * 7919) % count)

// prettier-ignore
const works = (count: number): readonly Work[] => [
  { what: 'read one by key, 16 connections', aim: 0.6, connections: 16, requests: 3000, path: `${pim}/products/retrieve`, body: (i) => ({ tids: [someTid(i, count)] }),
    bare: { path: '/read', body: (i) => [{ tid: someTid(i, 1000) }] } },
  { what: 'create one, 8 connections', aim: 2.0, connections: 8, requests: 1000, path: `${pim}/products/persist`, body: () => envelope(newProducts(1)),
    bare: { path: '/create', body: () => newProducts(1) } },
  { what: 'update one field of one, 8 connections', aim: 1.2, connections: 8, requests: 1000, path: `${pim}/products/persist`, body: (i) => envelope([changed(someTid(i, count), number++)]),
    bare: { path: '/update', body: (i) => [{ node: '', ...changed(someTid(i, 1000), number++) }] } },
  { what: 'update one field of one, one connection', aim: 1.56, connections: 1, requests: 300, path: `${pim}/products/persist`, body: (i) => envelope([changed(someTid(i, count), number++)]),
    bare: { path: '/update', body: (i) => [{ node: '', ...changed(someTid(i, 1000), number++) }] } },
  { what: 'create, 1,000 per request', aim: 0.45, connections: 1, requests: 8, objects: 1000, path: `${pim}/products/persist`, body: () => envelope(newProducts(1000)),
    bare: { path: '/create', body: () => newProducts(1000) } },
  { what: 'update one field, 1,000 per request', aim: 0.2, connections: 1, requests: 8, objects: 1000, path: `${pim}/products/persist`, body: (i) => envelope(range(1000).map((n) => changed(wideTid((i * 1000 + n) % count), number++))),
    bare: { path: '/update', body: () => range(1000).map((n) => ({ node: '', ...changed(wideTid(n), number++) })) } },
]

const search = (value: string) => ({
  context: { searchType: 'INDEX', index: 'PRODUCT' },
  query: { queryType: 'FULLTEXT', value },
  pageIndex: 0,
  pageSize: 50,
  maxResults: 1_000_000,
  aggregationEnabled: true,
  aggregationAttributes: wideFacets,
  aggregationMaxResults: 20,
})
const searchPath = '/api/v1/search'

// prettier-ignore
const lookUps = (count: number): readonly Work[] => [
  { what: 'full text, a word of 100 products, count, 3 facets', aim: 6, connections: 4, requests: 200, path: searchPath, body: (i) => search(rareWord((i % Math.ceil(count / 1000)) * 1000)) },
  { what: 'full text, a common word, count, 3 facets', aim: 6, connections: 4, requests: 200, path: searchPath, body: () => search(commonWord) },
  { what: 'full text, a word that nobody has, count, 3 facets', aim: 6, connections: 4, requests: 200, path: searchPath, body: (i) => search(`nowhere${i}`) },
  { what: 'products/page by a text of one product', aim: 15, connections: 4, requests: 100, path: `${pim}/products/page`, body: (i) => ({ text: someTid(i, count).slice(-7), count: 50 }) },
  { what: 'products/page by a text of one product in thirty', aim: 15, connections: 4, requests: 100, path: `${pim}/products/page`, body: (i) => ({ text: `anchor b${i % 2 ? 'o' : ''}`, count: 50 }) },
  { what: 'products/page of all, with the count', aim: 3, connections: 4, requests: 100, path: `${pim}/products/page`, body: (i) => ({ count: 50, offset: (i % 20) * 50, descending: true }) },
]

export async function daily(count = 100_000): Promise<Table[]> {
  const server = await startServer({}, process.env['BENCH_FOLDER'])
  const bare = await startBare(server)
  const ask = asker(server.url, server.headers)
  try {
    const filled = await fill(server, ask, count)
    await settle(server)
    const singles = [...works(count)]
    const rows: Row[] = []
    for (const work of singles) rows.push(...(await beside(server, bare, ask, work)))
    await settle(server)
    for (const work of lookUps(count)) rows.push(await alone(server, ask, work))
    const title = (what: string) => `${what}, ${count.toLocaleString('en')} products with 17 texts`
    return [
      { title: title('Every day: CPU of all processes'), baseline: '', rows: [...filled, ...rows] },
      {
        title: title('Exports beside a retrieve of the same products'),
        baseline: '',
        rows: await exporting(server, ask, count),
      },
      {
        title: 'Upload of 24 megapixels until the thumbnail can be fetched',
        baseline: '',
        rows: await thumbnails(server),
      },
      { title: title('70 % reads, 20 % searches, 10 % writes'), baseline: '', rows: await mixedLoad(server, count) },
    ]
  } finally {
    await bare.stop()
    await server.stop()
  }
}

async function fill(server: BenchServer, ask: Ask, count: number): Promise<Row[]> {
  const [known] = await server.database.rows<{ count: number }>(
    sql`select count(*)::int from product where tid like 'W-0%'`,
  )
  if (known!.count >= count) return []
  await ask(`${pim}/attribute-definitions/persist`, { schemaVersion, attrDefs: { attrDef: wideModel.attrDefs } })
  await ask(`${pim}/classes/persist`, { schemaVersion, classes: { clazz: [wideModel.clazz] } })
  await ask(`${pim}/nodes/persist`, { schemaVersion, nodes: { node: wideModel.nodes } })
  const [cpu, begin] = [cpuOf(server), performance.now()]
  for (let first = 0; first < count; first += 1000)
    await ask(
      `${pim}/products/persist`,
      envelope(range(Math.min(1000, count - first)).map((n) => wideProduct(first + n))),
    )
  const stored = performance.now() - begin
  await settle(server)
  const used = cpuOf(server)
  const each = (seconds: number) => `${((seconds / count) * 1e6).toFixed(0)} µs`
  const rate = `${((count / stored) * 1000).toFixed(0)}/s, ${each(used.server - cpu.server)} server, ${each(used.database - cpu.database)} PostgreSQL`
  return [{ what: 'fill: create, 1,000 per request, until all are indexed', rate }]
}

/** Autovacuum, checkpoints and the indexes would otherwise be busy during the next measurement. */
async function settle(server: BenchServer): Promise<void> {
  await server.database.run(sql`vacuum analyze`)
  await server.database.run(sql`checkpoint`)
  for (let quiet = 0; quiet < 4;) {
    const before = cpuOf(server).server
    await pause(500)
    quiet = cpuOf(server).server - before < 0.04 ? quiet + 1 : 0
  }
}

interface Measured {
  readonly milliseconds: number
  readonly rate: number
  readonly p50: number
  readonly p99: number
  readonly database: number
}

async function run(
  ask: Ask,
  work: Work,
  request: { path: string; body: (i: number) => object },
  requests: number,
  cpu: () => { server: number; database: number },
): Promise<Measured> {
  const bodies = range(requests).map((i) => Buffer.from(JSON.stringify(request.body(i))))
  const times: number[] = []
  const before = cpu()
  const begin = performance.now()
  let next = 0
  const client = async () => {
    for (let i = next++; i < requests; i = next++) {
      const sent = performance.now()
      await ask(request.path, bodies[i]!)
      times.push(performance.now() - sent)
    }
  }
  await Promise.all(range(work.connections).map(client))
  const seconds = (performance.now() - begin) / 1000
  const after = cpu()
  const objects = requests * (work.objects ?? 1)
  const database = ((after.database - before.database) / objects) * 1000
  return {
    milliseconds: ((after.server - before.server) / objects) * 1000 + database,
    database,
    rate: objects / seconds,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  }
}

const turns = 5
const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!
const middle = (all: readonly Measured[]): Measured => {
  const of = (key: keyof Measured) => median(all.map((one) => one[key]))
  return {
    milliseconds: of('milliseconds'),
    database: of('database'),
    rate: of('rate'),
    p50: of('p50'),
    p99: of('p99'),
  }
}
const show = ({ milliseconds, database, rate, p50, p99 }: Measured) =>
  `${milliseconds.toFixed(2)} ms CPU (PostgreSQL ${database.toFixed(2)}), ${rate.toFixed(0)}/s, p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`

async function beside(server: BenchServer, bare: Bare, ask: Ask, work: Work): Promise<Row[]> {
  const share = Math.ceil(work.requests / turns)
  const own: Measured[] = []
  const other: Measured[] = []
  await run(ask, work, work, share, () => cpuOf(server))
  await run(bare.ask, work, work.bare!, share, () => cpuOf(server))
  for (let turn = 0; turn < turns; turn++) {
    own.push(await run(ask, work, work, share, () => cpuOf(server)))
    await pause(300) // the index follows at its own pace, also in the figures of the next turn
    other.push(await run(bare.ask, work, work.bare!, share, () => ({ ...cpuOf(server), server: cpuOfTree(bare.pid) })))
  }
  const [kontor, limit] = [middle(own), middle(other)]
  return [
    { what: `${work.what} (aim ${work.aim} ms)`, rate: show(kontor), ratio: limit.milliseconds / kontor.milliseconds },
    { what: `— bare`, rate: show(limit), ratio: 1 },
  ]
}

async function alone(server: BenchServer, ask: Ask, work: Work): Promise<Row> {
  const share = Math.ceil(work.requests / turns)
  await run(ask, work, work, share, () => cpuOf(server))
  const own: Measured[] = []
  for (let turn = 0; turn < turns; turn++) own.push(await run(ask, work, work, share, () => cpuOf(server)))
  return { what: `${work.what} (aim ${work.aim} ms)`, rate: show(middle(own)) }
}
