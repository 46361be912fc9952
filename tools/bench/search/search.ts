/**
 * `npm run bench:search -- [products]`: the search engine against Lucene, the kernel of the usual search servers, over
 * the same made-up catalogue (100,000 products unless told). CPU time per search, by kind, in turns; then building,
 * size, memory, start and changes; then a whole server over HTTP (http.ts), unless `--engine` leaves that out. Figures are
 * printed as tables; with `--write` into docs/benchmarks-search.md.
 *
 * Lucene is optional: see peer.ts. BENCH_FOLDER keeps what is costly to make from run to run.
 */
import { createReadStream, existsSync, mkdirSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openIndexes, type Indexes, type SearchIndex } from '@kontor/search-engine'
import { channels, channelSchema, documentOf, rowOf, schema } from './catalogue.ts'
import { changeRows } from './changes.ts'
import { httpRows } from './http.ts'
import { startPeer, type Peer } from './peer.ts'
import { completionRows, searchRows } from './compare.ts'
import { cpuTimeOfAll, idle, table, watchMemory } from './figures.ts'

const count = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 100_000)
const folder = join(process.env.BENCH_FOLDER ?? join(tmpdir(), 'kontor-bench-search'), String(count))

/** The rows as a file, and where each begins: the primary store of this benchmark. */
function writeRows(path: string): void {
  if (existsSync(`${path}.starts`)) return
  const starts = new Float64Array(count + 1)
  const file = openSync(path, 'w')
  let written = 0
  for (let i = 0; i < count;) {
    const lines: string[] = []
    for (const end = Math.min(count, i + 5000); i < end; i++) {
      lines.push(rowOf(i).join('\t'))
      starts[i + 1] = starts[i]! + Buffer.byteLength(lines.at(-1)!) + 1
    }
    writeFileSync(file, `${lines.join('\n')}\n`)
    written = i
  }
  console.log(`${written} rows written`)
  writeFileSync(`${path}.starts`, new Uint8Array(starts.buffer))
}

/** In bytes: rows are read into one room, as a store would do it. */
const longestRow = 1 << 16

function openRows(path: string): (id: number) => string[] {
  const bytes = readFileSync(`${path}.starts`)
  const starts = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8)
  const file = openSync(path, 'r')
  const room = Buffer.alloc(longestRow)
  return (id) => {
    const length = starts[id]! - starts[id - 1]!
    readSync(file, room, 0, length, starts[id - 1]!)
    return room.toString('utf8', 0, length - 1).split('\t')
  }
}

const report = join(folder, 'kontor.json')

/** Builds the index from the rows, by two processes, unless it is there. What that took is kept beside it. */
async function build(rows: string): Promise<void> {
  const indexes = await openIndexes({ folder: join(folder, 'kontor'), threads: 2, onFailure: console.error })
  const index = await indexes.open('PRODUCT', schema)
  if (index.status().state !== 'ready') writeFileSync(report, JSON.stringify(await fill(index, rows)))
  await fillChannels(indexes)
  await indexes.close()
}

async function fill(index: SearchIndex, rows: string): Promise<string[][]> {
  const wall = performance.now()
  const cpu = cpuTimeOfAll()
  const mostMemory = watchMemory()
  const next = await index.rebuild(schema)
  let batch: string[] = []
  const flush = async () => {
    await next.add(batch.map((line) => documentOf(line.split('\t'))))
    batch = []
  }
  for await (const line of createInterface({ input: createReadStream(rows) })) {
    if (batch.push(line) === 1000) await flush()
  }
  await flush()
  await next.finish('built')
  await next.activate()
  return [
    ['build, CPU s (making the documents included)', ((cpuTimeOfAll() - cpu) / 1000).toFixed(0)],
    ['build, s (wall)', ((performance.now() - wall) / 1000).toFixed(0)],
    ['memory while building, all processes, MB', mostMemory().toFixed(0)],
  ]
}

async function fillChannels(indexes: Indexes): Promise<void> {
  const index = await indexes.open('CHANNEL', channelSchema)
  if (index.status().state === 'ready') return
  const next = await index.rebuild(channelSchema)
  await next.add(
    channels.map(({ id, region, status }) => ({
      id,
      fields: new Map([
        ['region', new Map([['', [region]]])],
        ['status', new Map([['', [status]]])],
      ]),
    })),
  )
  await next.finish('built')
  await next.activate()
}

function sizes(index: SearchIndex, peer: Peer | undefined, started: number): string[][] {
  const { bytes, segments } = index.status()
  return [
    ['index, MB', (bytes / 1e6).toFixed(0)],
    ['segments', String(segments)],
    ['start to first answer, ms', started.toFixed(0)],
    ['memory, MB', (process.memoryUsage().rss / 1e6).toFixed(0)],
    ...(peer
      ? [
          ['Lucene: build, CPU s', peer.built.cpu_total.toFixed(0)],
          ['Lucene: index with stored text, MB', String(peer.built.sizeMB)],
          ['Lucene: memory, MB', peer.memory().toFixed(0)],
        ]
      : []),
  ]
}

mkdirSync(folder, { recursive: true })
const rows = join(folder, 'rows.tsv')
writeRows(rows)
await build(rows)
const peer = await startPeer(rows, folder)
if (!peer) console.log('without a peer: set SEARCH_PEER and LUCENE_JARS to compare (tools/bench/search/peer.ts)')

const begin = performance.now()
const indexes = await openIndexes({ folder: join(folder, 'kontor'), threads: 1, onFailure: console.error })
const index = await indexes.open('PRODUCT', schema)
await index.search({ predicate: { kind: 'text', text: 'a' }, offset: 0, limit: 1 })
const started = performance.now() - begin
await indexes.open('CHANNEL', channelSchema)
const built = existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as string[][]) : []

// The files of an index are verified in the background after it is opened, which is no part of a search.
await idle()
const searches = await searchRows({ index, peer, rowOf: openRows(rows) })
const completions = await completionRows(index, peer)
const about = sizes(index, peer, started)
const changes = await changeRows(index, openRows(rows), count)
peer?.stop()
await indexes.close()
const overHttp = process.argv.includes('--engine') ? [] : await httpRows(count)
const title = `### ${count.toLocaleString('en')} products`
const text = [
  title,
  table(['search', 'hits', 'CPU ms', 'p95 ms', 'Lucene CPU ms', 'times less', 'wanted'], searches),
  table(['completion', 'CPU ms', 'Lucene CPU ms', 'found'], completions),
  table(['', ''], [...built, ...about, ...changes]),
  ...(overHttp.length > 0 ? [table(['over HTTP, with a token', ''], overHttp)] : []),
].join('\n\n')
console.log(text)
if (process.argv.includes('--write')) {
  const file = 'docs/benchmarks-search.md'
  const machine = `Measured on ${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}, at a load average of ${loadavg()[0]!.toFixed(0)}.`
  const known = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split(/^(?=### )/m)
        .slice(1)
    : []
  const sections = [...known.filter((section) => !section.startsWith(`${title}\n`)), `${text}\n`]
  const head = [
    '# Benchmarks of search',
    'Written by `npm run bench:search -- <products> --write`. Every search is put to both engines, twenty questions to one and then to the other, in one run; CPU time counts, because machines are shared. The catalogue is made up (tools/bench/search/catalogue.ts): 54 fields, five languages. Ours stems and folds as the product does, so a word finds more here than in Lucene, which is asked for exact words. Both keep filters that come again. Over HTTP, the same catalogue stands in the database of a server of its own, and eight clients put the same questions.',
    machine,
  ]
  writeFileSync(file, `${[...head, ...sections.map((section) => section.trim())].join('\n\n')}\n`)
}
