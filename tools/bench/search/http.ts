/**
 * `npm run bench:search:http -- [products]` measures search over HTTP with a token (20,000 products by default), on a
 * separate server with the generated catalogue in its database: a rebuild; a mixed load of eight clients; the delay until
 * a change is found at 200 changes per second; and the mixed load during another rebuild. CPU time is that of the server
 * process with all threads and ended child processes, without PostgreSQL. Prints a table; `--write` also writes it to
 * docs/benchmarks-search.md. BENCH_FOLDER keeps the database between runs.
 *
 * KONTOR_TEST_OPENSEARCH names an OpenSearch node: then the same is measured with the indexes on it, on the same database,
 * beside the embedded engine, except the load during a rebuild. `--only=opensearch` or `--only=embedded` selects one of them, `--only=fill` none.
 */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { removeIndexes } from '../../../server/test/opensearch.ts'
import { type BenchServer, startServer } from '../server.ts'
import { channels, createRandom, skuOf } from '../../../search-engine/bench/catalogue.ts'
import { quantile, table } from '../../../search-engine/bench/figures.ts'
import { kinds, prefixes, typos, type Completion } from '../../../search-engine/bench/questions.ts'
import { writeSection } from '../../../search-engine/bench/report.ts'
import { searchOf } from './http-queries.ts'
import { channelName, channelTid, fillProducts, isFilled } from './products.ts'

const base = '/api/v1/search'
const core = '/api/core/v1'
const schemaVersion = '5.6.0'
const clients = 8
/** Warm-up queries of all kinds together. Before that, the JIT compiler takes a tenth of the CPU time. */
const warmUp = 15_000
/** Milliseconds that the warm-up takes at most. */
const longestWarmUp = 100_000
const searches = 3000
const changesPerSecond = 200
/** The first third is warm-up. */
const changeSeconds = 30
const maxConcurrent = 50

/** Sends a message and returns the text of the reply. */
type Send = (path: string, body: object) => Promise<string>

interface Subject {
  readonly server: BenchServer
  readonly count: number
  /** The OpenSearch node with its indexes; undefined for the embedded engine. */
  readonly node: string | undefined
  /** The next query of any client; queries repeat only after a long time. */
  next(): Message
  readonly send: Send
  call(path: string, body: object): Promise<{ [key: string]: never }>
}

function subjectOf(server: BenchServer, count: number, node: string | undefined): Subject {
  const send = sender(server)
  const call = async (path: string, body: object) =>
    JSON.parse((await send(path, body)) || '{}') as { [key: string]: never }
  const messages = messagesOf(400)
  let sent = 0
  return { server, count, node, next: () => messages[sent++ % messages.length]!, send, call }
}

/** The clients share the cores with the server, so they must be cheap: `fetch` would take twice the CPU time. */
function sender({ url, headers }: BenchServer): Send {
  const agent = new Agent({ keepAlive: true, timeout: 4000 }) // the server closes idle connections after five seconds
  return async (path, body) => {
    const message = Buffer.from(JSON.stringify(body))
    const length = { 'content-type': 'application/json', 'content-length': message.length }
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url + path, { agent, method: 'POST', headers: { ...headers, ...length } }, resolve)
        .once('error', reject)
        .end(message)
    })
    const answer = await text(reply)
    if (reply.statusCode !== 200 || answer.includes('"ERROR"'))
      throw new Error(`${path}: ${reply.statusCode} ${answer.slice(0, 300)}`)
    return answer
  }
}

/** CPU time so far in seconds, of Kontor and of OpenSearch; /proc counts in ticks of 10 ms. */
async function cpuOf({ server: { pid }, node }: Subject): Promise<number[]> {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
  if (node === undefined) return [own]
  interface Stats {
    readonly nodes: Record<string, { readonly process: { readonly cpu: { readonly total_in_millis: number } } }>
  }
  const { nodes } = (await (await fetch(`${node}/_nodes/stats/process`)).json()) as Stats
  return [own, Object.values(nodes).reduce((sum, each) => sum + each.process.cpu.total_in_millis, 0) / 1000]
}

/** The work per CPU second since then, of each process. */
async function perCpuSecond(subject: Subject, what: string, done: number, since: number[]): Promise<string[][]> {
  const used = await cpuOf(subject)
  return used.map((cpu, i) => [
    `${what} per CPU second${i === 0 ? '' : ' of OpenSearch'}`,
    (done / (cpu - since[i]!)).toFixed(0),
  ])
}

async function fill({ server, count, call }: Subject): Promise<void> {
  if (await isFilled(server.database, count)) return
  const project = channels.map((channel) => ({
    tid: channelTid(channel.id),
    name: channelName(channel),
    type: 'Webshop',
  }))
  await call(`${core}/cm/channels/persist`, { schemaVersion, projects: { project } })
  await fillProducts(server.database, count)
}

async function rebuilt({ call }: Subject): Promise<void> {
  await call(`${base}/index`, { index: 'PRODUCT', command: 'REBUILD' })
  for (;;) {
    const { event } = await call(`${base}/index`, { index: 'PRODUCT', command: 'STATE' })
    if (event === 'END') return
    await pause(100)
  }
}

async function rebuild(subject: Subject): Promise<string[][]> {
  const [wall, cpu] = [performance.now(), await cpuOf(subject)]
  await rebuilt(subject)
  const seconds = (performance.now() - wall) / 1000
  return [
    ['rebuild from the database, s', seconds.toFixed(1)],
    ...(await perCpuSecond(subject, 'products', subject.count, cpu)),
  ]
}

interface Message {
  readonly path: string
  readonly body: object
}

/**
 * The queries of the engine benchmark, alternating between kinds, with new values each time. They are created in advance,
 * because that takes longer than answering some of them.
 */
function messagesOf(rounds: number): Message[] {
  const random = createRandom(17)
  const typed = [prefixes(500), typos(500)]
  const completed = ({ text }: Completion) => ({ path: `${base}/type-ahead`, body: { index: 'PRODUCT', text } })
  return Array.from({ length: rounds }, (_, round) => [
    ...Object.values(kinds).map(({ ask }) => ({ path: base, body: searchOf(ask(random)) })),
    ...typed.map((some) => completed(some[round % some.length]!)),
  ]).flat()
}

/** Eight clients that each send one query after the other while `goesOn`; returns the times. */
async function load({ next, send }: Subject, goesOn: (done: number) => boolean): Promise<number[]> {
  const times: number[] = []
  let begun = 0
  const client = async () => {
    while (goesOn(begun)) {
      begun++
      const { path, body } = next()
      const began = performance.now()
      await send(path, body)
      times.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return times
}

const p50And95 = (times: readonly number[]) => `${quantile(times, 0.5).toFixed(1)}, ${quantile(times, 0.95).toFixed(1)}`

async function mixed(subject: Subject): Promise<string[][]> {
  const until = performance.now() + longestWarmUp
  await load(subject, (done) => done < warmUp && performance.now() < until)
  const [wall, cpu] = [performance.now(), await cpuOf(subject)]
  const times = await load(subject, (done) => done < searches)
  return [
    [`${clients} clients, searches per second`, ((searches / (performance.now() - wall)) * 1000).toFixed(0)],
    ...(await perCpuSecond(subject, `${clients} clients, searches`, searches, cpu)),
    ['p50, p95 ms', p50And95(times)],
  ]
}

/** For at most a minute; a longer rebuild ends with the server. */
async function mixedWhileRebuilding(subject: Subject): Promise<string[][]> {
  let isRebuilding = true
  rebuilt(subject).then(
    () => (isRebuilding = false),
    () => {},
  )
  const until = performance.now() + 60_000
  const times = await load(subject, () => isRebuilding && performance.now() < until)
  return [['p50, p95 ms during a rebuild', p50And95(times)]]
}

/**
 * Sends changes at a steady rate, if the machine can keep up. For every tenth change, measures the time from the reply to
 * its persist, which follows the commit, until a wait for the document returns.
 */
async function changes({ count, call }: Subject): Promise<string[][]> {
  const times: number[] = []
  const run = Date.now() // a name from an earlier run would not be a change
  const one = async (i: number) => {
    const product = [{ tid: skuOf(i % count), name: `Changed ${run} ${i}` }]
    const reply = await call(`${core}/pim/products/persist`, { schemaVersion, products: { product } })
    if (i % 10 > 0) return
    const { id } = (reply as unknown as { responses: { response: { id: number }[] } }).responses.response[0]!
    const began = performance.now()
    await call(`${base}/documents/wait`, { index: 'PRODUCT', documents: [id], maxWait: 60_000 })
    if (i >= (changesPerSecond * changeSeconds) / 3) times.push(performance.now() - began)
  }
  const running = new Set<Promise<void>>()
  const began = performance.now()
  for (let i = 0; i < changesPerSecond * changeSeconds; i++) {
    const done: Promise<void> = one(i).finally(() => running.delete(done))
    running.add(done)
    if (running.size >= maxConcurrent) await Promise.race(running)
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

/** Measures one engine. `folder` has the database. */
async function httpRows(count: number, folder: string, node: string | undefined, parts: Part[]): Promise<string[][]> {
  const address = `${node}/bench-${count}`
  const server = await startServer(node === undefined ? {} : { KONTOR_SEARCH: address }, folder)
  const subject = subjectOf(server, count, node)
  try {
    await fill(subject)
    console.log(`${count} products are in the database; ${node === undefined ? 'embedded engine' : 'OpenSearch'}`)
    const rows: string[][] = []
    for (const part of parts) {
      const more = await part(subject)
      for (const row of more) console.log(row.join(': '))
      rows.push(...more)
    }
    return [...rows, ['memory of the server, MB', (await server.memory()).toFixed(0)]]
  } finally {
    await server.stop()
    if (node !== undefined) await removeIndexes(address)
  }
}
type Part = (subject: Subject) => Promise<string[][]>

const has = (argument: string) => process.argv.includes(argument)
const count = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 20_000)
const node = process.env['KONTOR_TEST_OPENSEARCH']
const kept = process.env.BENCH_FOLDER
const root = kept ?? (await mkdtemp(join(tmpdir(), 'kontor-bench-')))
const folder = join(root, String(count), 'server')
const parts = has('--only=fill') ? [] : [rebuild, mixed, changes, ...(node === undefined ? [mixedWhileRebuilding] : [])]
const columns = new Map<string, Map<string, string>>()
const measure = async (name: string, at: string | undefined) => {
  const rows = await httpRows(count, folder, at, parts)
  columns.set(name, new Map(rows.map(([what, result]) => [what!, result!])))
}
if (!has('--only=opensearch')) await measure('embedded', undefined)
if (node !== undefined && !has('--only=embedded') && !has('--only=fill')) await measure('OpenSearch', node)
if (kept === undefined) await rm(root, { recursive: true, force: true })

const title = `${count.toLocaleString('en')} products over HTTP${node === undefined ? '' : ', embedded and on OpenSearch'}`
const names = [...columns.values()].toSorted((a, b) => b.size - a.size)[0]!.keys()
const rows = table(
  ['over HTTP, with a token', ...columns.keys()],
  [...names].map((name) => [name, ...[...columns.values()].map((column) => column.get(name) ?? '')]),
)
console.log(`\n### ${title}\n\n${rows}`)
if (has('--write')) writeSection(title, [rows])
