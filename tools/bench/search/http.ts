/**
 * Search as its users have it, through HTTP with a token: part of `npm run bench:search`, or alone by
 * `node tools/bench/search/http.ts [products]` (20,000 unless told). A server of its own with generated products; a rebuild
 * from the database, a mixed load of eight clients, and how long after its commit a change is found while 200 are made each
 * second. CPU time is that of the server process, all threads.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { generateProducts, tidOf } from '../../generate-products.ts'
import { type BenchServer, startServer } from '../server.ts'
import { quantile, table } from './figures.ts'

const clients = 8
const perClient = 150
const changesPerSecond = 200
const changeSeconds = 10
const mostAtOnce = 50

interface Subject {
  readonly server: BenchServer
  readonly count: number
  call(path: string, body: object): Promise<{ [key: string]: never }>
}

const callsOf =
  (server: BenchServer): Subject['call'] =>
  async (path, body) => {
    const reply = await server.post(path, JSON.stringify(body), { 'content-type': 'application/json' })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text.slice(0, 300)}`)
    return (text === '' ? {} : JSON.parse(text)) as { [key: string]: never }
  }

/** CPU seconds of the server process so far, all threads; the clock of /proc ticks a hundred times a second. */
function cpuOf({ pid }: BenchServer): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function rebuild({ server, count, call }: Subject): Promise<string[][]> {
  await generateProducts(server.database, 0, count)
  const [wall, cpu] = [performance.now(), cpuOf(server)]
  await call('/api/v1/search/index', { index: 'PRODUCT', command: 'REBUILD' })
  for (;;) {
    const { event } = await call('/api/v1/search/index', { index: 'PRODUCT', command: 'STATE' })
    if (event === 'END') break
    if (event === 'ERROR') throw new Error('the rebuild failed')
    await pause(100)
  }
  const seconds = (performance.now() - wall) / 1000
  return [
    ['rebuild from the database, s', seconds.toFixed(1)],
    ['products per CPU second', (count / (cpuOf(server) - cpu)).toFixed(0)],
  ]
}

const text = (value: string) => ({ queryType: 'FULLTEXT', value })
const field = (name: string, comparator: string, value?: unknown) => ({ queryType: 'FIELD', name, comparator, value })
/** One of each kind of search, over and over, with other values. */
function kindsOf({ count, call }: Subject): readonly ((i: number) => Promise<unknown>)[] {
  const search = (query: object | undefined, more: object = {}) =>
    call('/api/v1/search', { context: { searchType: 'INDEX', index: 'PRODUCT' }, ...(query && { query }), ...more })
  const counted = (...aggregationAttributes: string[]) => ({ aggregationEnabled: true, aggregationAttributes })
  const tids = (i: number) => Array.from({ length: 50 }, (_, k) => tidOf((i * 50 + k) % count))
  return [
    (i) => search(text(`value ${i % 1000}`)),
    (i) => search(text(`jacket ${(i * 7) % count}`)),
    (i) => search(field('trial_0', 'EQ', `value ${i % 1000}`), counted('classificationPath', 'trial_2')),
    () => search(undefined, { sortOptions: [{ attribute: 'name' }], ...counted('classificationPath') }),
    (i) => search(field('tid', 'IN', tids(i))),
    (i) => search(field('classificationPath', 'EQ', `/Trial/Group-${i % 10}`), { pageIndex: 20 }),
    () => call('/api/v1/search/type-ahead', { index: 'PRODUCT', text: 'jac' }),
    () => search(field('trial_2', 'IS_EMPTY')),
  ]
}

async function mixed(subject: Subject): Promise<string[][]> {
  const { server } = subject
  const kinds = kindsOf(subject)
  for (const kind of kinds) await kind(1)
  const times: number[] = []
  const client = async (number: number) => {
    for (let i = 0; i < perClient; i++) {
      const began = performance.now()
      await kinds[(number + i) % kinds.length]!(number * perClient + i)
      times.push(performance.now() - began)
    }
  }
  const [wall, cpu] = [performance.now(), cpuOf(server)]
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  const searches = clients * perClient
  return [
    [`${clients} clients, searches per second`, ((searches / (performance.now() - wall)) * 1000).toFixed(0)],
    [`${clients} clients, searches per CPU second`, (searches / (cpuOf(server) - cpu)).toFixed(0)],
    ['p50, p95 ms', `${quantile(times, 0.5).toFixed(1)}, ${quantile(times, 0.95).toFixed(1)}`],
  ]
}

/**
 * Changes at a steady rate, as far as the machine can; of every twentieth, the time from the reply to its persist, which
 * comes after the commit, until a wait for it returns.
 */
async function changes({ count, call }: Subject): Promise<string[][]> {
  const times: number[] = []
  const one = async (i: number) => {
    const product = [{ tid: tidOf(i % count), name: `Changed ${i}` }]
    const reply = await call('/api/core/v1/pim/products/persist', { schemaVersion: '5.6.0', products: { product } })
    if (i % 20 > 0) return
    const { id } = (reply as unknown as { responses: { response: { id: number }[] } }).responses.response[0]!
    const began = performance.now()
    await call('/api/v1/search/documents/wait', { index: 'PRODUCT', documents: [id], maxWait: 60_000 })
    times.push(performance.now() - began)
  }
  const running = new Set<Promise<void>>()
  const began = performance.now()
  for (let i = 0; i < changesPerSecond * changeSeconds; i++) {
    const done: Promise<void> = one(i).finally(() => running.delete(done))
    running.add(done)
    if (running.size >= mostAtOnce) await Promise.race(running)
    const due = began + ((i + 1) * 1000) / changesPerSecond
    if (due > performance.now()) await pause(due - performance.now())
  }
  await Promise.all(running)
  const rate = (changesPerSecond * changeSeconds * 1000) / (performance.now() - began)
  return [
    ['changes per second', rate.toFixed(0)],
    ['reply to found, p50 ms', quantile(times, 0.5).toFixed(1)],
    ['reply to found, p99 ms', quantile(times, 0.99).toFixed(1)],
  ]
}

export async function httpRows(count: number): Promise<string[][]> {
  const server = await startServer()
  const subject = { server, count, call: callsOf(server) }
  try {
    const rows = [...(await rebuild(subject)), ...(await mixed(subject)), ...(await changes(subject))]
    return [...rows, ['memory of the server, MB', (await server.memory()).toFixed(0)]]
  } finally {
    await server.stop()
  }
}

if (import.meta.main) {
  const count = Number(process.argv[2] ?? 20_000)
  console.log(`\nSearch over HTTP, ${count} products\n\n${table(['what', 'figure'], await httpRows(count))}`)
}
