/** A mixed load of many clients: how much is answered, how soon, and what is refused; and the memory after it. */
import { caller, quantile } from './daily-client.ts'
import { cpuOf, memoryOf } from './cpu.ts'
import type { Row } from './measure.ts'
import type { BenchServer } from './server.ts'
import { commonWord, rareWord, wideTid } from './wide-products.ts'

const seconds = 15
const settling = 5

type Kind = 'read' | 'search' | 'write'
/** Seven reads, two searches and a write, in an order that mixes them. */
const order: readonly Kind[] = ['read', 'read', 'search', 'read', 'read', 'write', 'read', 'search', 'read', 'read']

const pim = '/api/core/v1/pim'

const messages = (count: number): Record<Kind, (i: number) => { path: string; body: object }> => ({
  read: (i) => ({ path: `${pim}/products/retrieve`, body: { tids: [wideTid((i * 7919) % count)] } }),
  search: (i) => ({
    path: '/api/v1/search',
    body: {
      context: { searchType: 'INDEX', index: 'PRODUCT' },
      query: {
        queryType: 'FULLTEXT',
        value: i % 3 === 0 ? commonWord : rareWord((i % Math.ceil(count / 1000)) * 1000),
      },
      pageIndex: 0,
      pageSize: 20,
    },
  }),
  write: (i) => ({
    path: `${pim}/products/persist`,
    body: {
      schemaVersion: '5.6.0',
      products: {
        product: [
          { tid: wideTid((i * 7919) % count), vals: { val: [{ attr: 'wide_text_1', itm: [{ value: `load ${i}` }] }] } },
        ],
      },
    },
  }),
})

export async function mixedLoad(server: BenchServer, count: number): Promise<Row[]> {
  const few = await load(server, count, 32)
  const many = await load(server, count, 128)
  return [
    { what: '32 clients: 70 % reads, 20 % searches, 10 % writes', rate: show(few), aim: '600/s, every p99 150 ms' },
    { what: '128 clients, beside 32', rate: show(many), bare: `${few.rate.toFixed(0)}/s`, ratio: many.rate / few.rate, aim: '0.9, every p99 1 s' }, // prettier-ignore
    { what: 'memory after it, helpers included', rate: `${memoryOf(server).toFixed(0)} MB`, aim: '600 MB' },
  ]
}

interface Load {
  readonly rate: number
  readonly cpu: number
  readonly times: Record<Kind, number[]>
  readonly refused: Record<string, number>
}

async function load(server: BenchServer, count: number, clients: number): Promise<Load> {
  const call = caller(server.url, server.headers)
  const make = messages(count)
  const begin = performance.now()
  const end = begin + (settling + seconds) * 1000
  const times: Record<Kind, number[]> = { read: [], search: [], write: [] }
  const refused: Record<string, number> = {}
  let next = 0
  let cpu = 0
  const counting = setTimeout(() => (cpu = total(server)), settling * 1000)
  const client = async () => {
    while (performance.now() < end) {
      const i = next++
      const kind = order[i % order.length]!
      const { path, body } = make[kind](i)
      const sent = performance.now()
      const { status } = await call(path, body)
      const now = performance.now()
      if (now - begin < settling * 1000 || now > end) continue
      if (status === 200) times[kind].push(now - sent)
      else refused[status] = (refused[status] ?? 0) + 1
      if (status === 429 || status === 503) await new Promise((resolve) => setTimeout(resolve, 1000)) // Retry-After
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  clearTimeout(counting)
  const done = times.read.length + times.search.length + times.write.length
  return { rate: done / seconds, cpu: ((total(server) - cpu) / done) * 1000, times, refused }
}

const total = (server: BenchServer) => {
  const { server: own, database } = cpuOf(server)
  return own + database
}

function show({ rate, cpu, times, refused }: Load): string {
  const p99 = (Object.keys(times) as Kind[]).map((kind) => `${kind} ${quantile(times[kind], 0.99).toFixed(0)}`)
  const others = Object.entries(refused).map(([status, count]) => `, ${count} × ${status}`)
  return `${rate.toFixed(0)}/s, ${cpu.toFixed(2)} ms CPU, p99 ${p99.join(', ')} ms${others.join('')}`
}
