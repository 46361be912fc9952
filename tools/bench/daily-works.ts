/** The kinds of daily work, and how one is measured. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Bare } from './daily-bare.ts'
import { type Ask, quantile } from './daily-client.ts'
import { cpuOf, cpuOfTree } from './cpu.ts'
import type { Row } from './measure.ts'
import type { BenchServer } from './server.ts'
import { commonWord, rareWord, wideFacets, wideProduct, wideTid } from './wide-products.ts'

export const pim = '/api/core/v1/pim'
export const range = (length: number) => Array.from({ length }, (_, i) => i)
export const envelope = (product: object[]) => ({ schemaVersion: '5.6.0', products: { product } })

/** One kind of work: what is asked of Kontor, and of the bare server. */
export interface Work {
  readonly what: string
  /** The most CPU milliseconds per object. */
  readonly aim: number
  /** The same without the search index in the process. */
  readonly aimWithoutIndex?: number
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

const persist = `${pim}/products/persist`
const createOne = {
  path: persist,
  body: () => envelope(newProducts(1)),
  bare: { path: '/create', body: () => newProducts(1) },
}
const updateOne = (count: number) => ({
  path: persist,
  body: (i: number) => envelope([changed(someTid(i, count), number++)]),
  bare: { path: '/update', body: (i: number) => [{ node: '', ...changed(someTid(i, 1000), number++) }] },
})

// prettier-ignore
export const works = (count: number): readonly Work[] => [
  { what: 'read one by key, 16 connections', aim: 0.6, connections: 16, requests: 3000, path: `${pim}/products/retrieve`, body: (i) => ({ tids: [someTid(i, count)] }),
    bare: { path: '/read', body: (i) => [{ tid: someTid(i, 1000) }] } },
  { what: 'create one, 8 connections', aim: 2.6, aimWithoutIndex: 2, connections: 8, requests: 1000, ...createOne },
  { what: 'create one, one connection', aim: 2.6, aimWithoutIndex: 2, connections: 1, requests: 300, ...createOne },
  { what: 'update one field of one, 8 connections', aim: 1.56, aimWithoutIndex: 1.2, connections: 8, requests: 1000, ...updateOne(count) },
  { what: 'update one field of one, one connection', aim: 1.56, aimWithoutIndex: 1.2, connections: 1, requests: 300, ...updateOne(count) },
  { what: 'create, 1,000 per request', aim: 0.45, aimWithoutIndex: 0.25, connections: 1, requests: 10, objects: 1000, path: persist, body: () => envelope(newProducts(1000)),
    bare: { path: '/create', body: () => newProducts(1000) } },
  { what: 'update one field, 1,000 per request', aim: 0.2, aimWithoutIndex: 0.2, connections: 1, requests: 10, objects: 1000, path: persist, body: (i) => envelope(range(1000).map((n) => changed(wideTid((i * 1000 + n) % count), number++))),
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
export const lookUps = (count: number): readonly Work[] => [
  { what: 'full text, a rare word, count, 3 facets', aim: 6, connections: 4, requests: 200, path: searchPath, body: (i) => search(rareWord((i % Math.ceil(count / 1000)) * 1000)) },
  { what: 'full text, a common word, count, 3 facets', aim: 6, connections: 4, requests: 200, path: searchPath, body: () => search(commonWord) },
  { what: 'full text, a word that nobody has, count, 3 facets', aim: 6, connections: 4, requests: 200, path: searchPath, body: (i) => search(`nowhere${i}`) },
  { what: 'products/page by a text of one product', aim: 15, connections: 4, requests: 100, path: `${pim}/products/page`, body: (i) => ({ text: someTid(i, count).slice(-7), count: 50 }) },
  { what: 'products/page by a text of one product in 500', aim: 15, connections: 4, requests: 100, path: `${pim}/products/page`, body: (i) => ({ text: `anchor b${i % 2 ? 'o' : ''}`, count: 50 }) },
  { what: 'products/page of all, with the count', aim: 3, connections: 4, requests: 100, path: `${pim}/products/page`, body: (i) => ({ count: 50, offset: (i % 20) * 50, descending: true }) },
]

interface Measured {
  readonly milliseconds: number
  readonly rate: number
  readonly p50: number
  readonly p99: number
  readonly database: number
}

/** Sends all messages over some connections; returns the milliseconds of each, and the seconds of all. */
export async function sendAll(ask: Ask, connections: number, messages: readonly { path: string; body: object }[]) {
  const times: number[] = []
  const begin = performance.now()
  let next = 0
  const client = async () => {
    for (let i = next++; i < messages.length; i = next++) {
      const sent = performance.now()
      await ask(messages[i]!.path, messages[i]!.body)
      times.push(performance.now() - sent)
    }
  }
  await Promise.all(range(connections).map(client))
  return { times, seconds: (performance.now() - begin) / 1000 }
}

async function run(
  ask: Ask,
  work: Work,
  request: { path: string; body: (i: number) => object },
  requests: number,
  cpu: () => { server: number; database: number },
): Promise<Measured> {
  const { path, body } = request
  const messages = range(requests).map((i) => ({ path, body: Buffer.from(JSON.stringify(body(i))) }))
  const before = cpu()
  const { times, seconds } = await sendAll(ask, work.connections, messages)
  if (path === persist) await untilIndexed(cpu)
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

/** The index follows writes at its own pace; what it does counts for them. */
async function untilIndexed(cpu: () => { server: number }): Promise<void> {
  for (let quiet = 0, attempt = 0; quiet < 2 && attempt < 10; attempt++) {
    const before = cpu().server
    await pause(150)
    quiet = cpu().server - before < 0.02 ? quiet + 1 : 0
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

export async function beside(server: BenchServer, bare: Bare, ask: Ask, work: Work): Promise<Row> {
  const share = Math.ceil(work.requests / turns)
  const own: Measured[] = []
  const other: Measured[] = []
  await run(ask, work, work, share, () => cpuOf(server))
  await run(bare.ask, work, work.bare!, share, () => cpuOf(server))
  for (let turn = 0; turn < turns; turn++) {
    own.push(await run(ask, work, work, share, () => cpuOf(server)))
    other.push(await run(bare.ask, work, work.bare!, share, () => ({ ...cpuOf(server), server: cpuOfTree(bare.pid) })))
  }
  const [kontor, limit] = [middle(own), middle(other)]
  return {
    what: work.what,
    rate: show(kontor),
    bare: `${limit.milliseconds.toFixed(2)} ms CPU, ${limit.rate.toFixed(0)}/s`,
    ratio: kontor.milliseconds / limit.milliseconds,
    aim: `${work.aim} ms`,
  }
}

export async function alone(server: BenchServer, ask: Ask, work: Work): Promise<Row> {
  const share = Math.ceil(work.requests / turns)
  await run(ask, work, work, share, () => cpuOf(server))
  const own: Measured[] = []
  for (let turn = 0; turn < turns; turn++) own.push(await run(ask, work, work, share, () => cpuOf(server)))
  return { what: work.what, rate: show(middle(own)), aim: `${work.aim} ms` }
}
