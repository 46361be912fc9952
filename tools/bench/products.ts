/**
 * Products: storing them against a plain COPY of the same rows, reading them against a bare cursor, one that is large, and
 * what a million of them costs against ten thousand.
 */
import { type IncomingMessage, request } from 'node:http'
import { encode, formats, Pim } from '@kontor/contract'
import { openSession } from '../../server/src/adapters/postgres/copy.ts'
import type { Database } from '../../server/src/adapters/postgres/db.ts'
import { sql } from '../../server/src/adapters/postgres/sql.ts'
import { copyInto } from '../copy-into.ts'
import {
  copyStatement,
  emptyNode,
  generateModel,
  generateProducts,
  nameOf,
  nodeOf,
  rowOf,
  tidOf,
  valuesOf,
} from '../generate-products.ts'
import { compareTime, type Row, type Table, warmRounds } from './measure.ts'
import type { BenchServer } from './server.ts'

type FormatName = keyof typeof formats
const formatNames = ['xml', 'json', 'compact'] as const
const base = '/api/core/v1/pim'
const schemaVersion = '5.6.0'

export async function products(server: BenchServer, many = 100_000, most = 1_000_000): Promise<Table[]> {
  const { database } = server
  const nodeIds = await generateModel(database)
  await generate(database, 0, 10_000)
  await persist(
    server,
    'json',
    Array.from({ length: 500 }, (_, i) => ({ ...messageOf(-i - 1), node: '/Trial' })),
  )
  const few = await costs(server, 10_000)
  await generate(database, 10_000, many)
  // Before storing: that leaves a process larger than reading makes it.
  const tables = [await reading(server, many), await storing(server, nodeIds), await largeProduct(server)]
  await generate(database, many, most)
  return [...tables, growth(few, await costs(server, most))]
}

/** Tidied up at once: else PostgreSQL does it by itself, beside whatever is measured next. */
async function generate(database: Database, from: number, to: number): Promise<void> {
  await generateProducts(database, from, to)
  await database.run(sql`vacuum analyze product`)
  await database.run(sql`checkpoint`)
}

async function call(server: BenchServer, path: string, body: string | Buffer, type: FormatName = 'json') {
  const headers = { 'content-type': formats[type].mediaType, accept: formats.json.mediaType }
  const reply = await server.post(`${base}/${path}`, body, headers)
  const text = await reply.text()
  if (!reply.ok || text.includes('ERROR')) throw new Error(`${path}: ${reply.status} ${text.slice(0, 500)}`)
  return text
}

const bodyOf = (name: FormatName, product: object[]) =>
  Buffer.from(encode(formats[name], Pim, { schemaVersion, products: { product } }))
const persist = (server: BenchServer, name: FormatName, product: object[]) =>
  call(server, 'products/persist', bodyOf(name, product), name)

/** The generated product as a message. */
function messageOf(i: number): object {
  const val = Object.entries(valuesOf(i)).map(([attr, value]) => {
    if (typeof value === 'string') return { itm: [{ value }], attr }
    if (Array.isArray(value)) return { itm: value.map((one, pos) => ({ value: one, pos })), attr, type: 'multiple' }
    return { itm: Object.entries(value).map(([loc, one]) => ({ value: one, loc })), attr, type: 'localized' }
  })
  return { name: nameOf(i), vals: { val }, node: nodeOf(i), tid: tidOf(i) }
}

// Storing

/** Eight requests of 1,000 products per turn, two of them under way at a time; whatever is sent is made beforehand. */
async function storing(server: BenchServer, nodeIds: readonly number[]): Promise<Table> {
  const { database } = server
  const turns = 5
  const requests = 8
  let next = 1_000_000_000
  const numbers = () => Array.from({ length: 1000 }, () => next++)
  const rounds = <T>(make: () => T) =>
    Array.from({ length: turns + warmRounds }, () => Array.from({ length: requests }, make))

  let id =
    (await database.writeRow<{ id: number }>(
      sql`select setval('object_id_seq', nextval('object_id_seq') + 100000) as id`,
    ))!.id - 100_000
  const lines = rounds(() => numbers().map((i) => rowOf(id++, i, nodeIds[i % nodeIds.length]!)))
  const copy = {
    what: 'COPY of the same rows into the same table, one connection',
    async run() {
      const client = await openSession(database)
      try {
        for (const batch of lines.pop()!) await copyInto(client, copyStatement, () => batch)
      } finally {
        await client.end()
      }
      return requests * 1000
    },
  }
  const subjects = formatNames.map((name) => {
    const bodies = rounds(() => bodyOf(name, numbers().map(messageOf)))
    return {
      what: `persist, ${name}, 1,000 per request, two requests at a time`,
      async run() {
        const waiting = bodies.pop()!
        const send = async () => {
          for (let body = waiting.pop(); body; body = waiting.pop()) {
            await call(server, 'products/persist', body, name)
          }
        }
        await Promise.all([send(), send()])
        return requests * 1000
      },
    }
  })
  return compareTime('Storing new products with 30 values', 'products', 1, [copy, ...subjects], turns)
}

// A large product

async function largeProduct(server: BenchServer): Promise<Table> {
  const val = Array.from({ length: 50 }, (_, a) => ({ itm: [{ value: `value ${a}` }], attr: `large_${a}` }))
  const attrDef = val.map(({ attr: tid }) => ({ tid, type: 'text', name: { itm: [{ value: tid, loc: 'en_GB' }] } }))
  await call(server, 'attribute-definitions/persist', JSON.stringify({ schemaVersion, attrDefs: { attrDef } }))
  const variant = Array.from({ length: 500 }, (_, v) => ({ name: `variation ${v}`, vals: { val } }))
  const save: number[] = []
  const load: number[] = []
  for (let turn = 0; turn < 7; turn++) {
    const tid = `large-${turn}`
    const product = {
      name: tid,
      node: '/Trial',
      articles: { article: [{ name: 'article', variants: { variant } }] },
      tid,
    }
    const body = bodyOf('json', [product])
    save.push(await milliseconds(() => call(server, 'products/persist', body)))
    load.push(await milliseconds(() => call(server, 'products/retrieve', JSON.stringify({ tids: [tid] }))))
  }
  const rows = [
    { what: 'saves (at most 500 ms)', rate: `${median(save).toFixed(0)} ms` },
    { what: 'retrieves (at most 150 ms)', rate: `${median(load).toFixed(0)} ms` },
  ]
  return { title: 'A product with 500 variations of 50 values', baseline: '', rows }
}

// Reading

async function reading(server: BenchServer, count: number): Promise<Table> {
  const body = JSON.stringify({ tids: Array.from({ length: count }, (_, i) => tidOf(i)) })
  const baselines: number[] = []
  const rows: Row[] = []
  for (const name of formatNames) {
    const baseline = await milliseconds(() => bareCursor(server))
    baselines.push(baseline)
    const started = performance.now()
    let first = 0
    let memory = 0
    const watch = setInterval(() => void server.memory().then((now) => (memory = Math.max(memory, now))), 50)
    const headers = { 'content-type': 'application/json', accept: formats[name].mediaType }
    for await (const _piece of await reply(server, body, headers)) first ||= performance.now() - started
    clearInterval(watch)
    const taken = performance.now() - started
    const facts = `first byte ${first.toFixed(0)} ms, memory at most ${memory.toFixed(0)} MB`
    rows.push({ what: `retrieve, ${name}`, rate: `${perSecond(count, taken)}, ${facts}`, ratio: baseline / taken })
  }
  const bare = { what: 'bare cursor, rows parsed, before each', rate: perSecond(count, median(baselines)), ratio: 1 }
  const title = `Retrieving ${count.toLocaleString('en')} products with 30 values`
  return { title, baseline: bare.what, rows: [bare, ...rows] }
}

/** Read by the lightest client there is: it works on the same two cores. */
function reply({ url, headers: own }: BenchServer, body: string, headers: Record<string, string>) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const options = { method: 'POST', headers: { ...own, ...headers } }
    request(`${url}${base}/products/retrieve`, options, resolve).on('error', reject).end(body)
  })
}

async function bareCursor({ database }: BenchServer): Promise<void> {
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query(`declare c cursor for
    select id, level, tid, root_id, parent_id, node_id, name, vals, created_at, created_by, modified_at, modified_by,
           value_modified_at from product`)
  while ((await client.query('fetch 1000 from c')).rows.length > 0) continue
  await client.query('commit')
  client.release()
}

// Growing

type Costs = Record<'retrieve' | 'query' | 'rename', number> & { readonly count: number }

/** Milliseconds of one call, by kind: medians over as many different products. */
async function costs(server: BenchServer, count: number): Promise<Costs> {
  const picked = Array.from({ length: 60 }, (_, i) => Math.floor((i * count) / 60))
  const each = async (run: (i: number) => Promise<unknown>) => {
    const times: number[] = []
    for (const i of picked) times.push(await milliseconds(() => run(i)))
    return median(times.slice(10))
  }
  const subtree = JSON.stringify({ nodePaths: [emptyNode.slice(0, emptyNode.lastIndexOf('/'))] })
  return {
    count,
    retrieve: await each((i) => call(server, 'products/retrieve', JSON.stringify({ tids: [tidOf(i)] }))),
    query: await each(() => call(server, 'products/query', subtree)),
    rename: await each((i) => persist(server, 'json', [{ tid: tidOf(i), name: `renamed ${count} ${i}` }])),
  }
}

function growth(few: Costs, many: Costs): Table {
  const what = {
    retrieve: 'single retrieve by tid',
    query: 'query by node subtree, 500 products found',
    rename: 'rename',
  }
  const rows = (['retrieve', 'query', 'rename'] as const).map((kind) => ({
    what: `${what[kind]} (ratio at least 0.5)`,
    rate: `${few[kind].toFixed(1)} ms → ${many[kind].toFixed(1)} ms`,
    ratio: few[kind] / many[kind],
  }))
  const [from, to] = [few, many].map(({ count }) => count.toLocaleString('en'))
  return { title: `Cost of a call with ${from} and with ${to} products`, baseline: '', rows }
}

async function milliseconds(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}
const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!
const perSecond = (count: number, taken: number) => `${Math.round((count / taken) * 1000)} products/s`
