/**
 * `npm run bench:search -- [products]` compares the search engine with Lucene over the same generated catalogue (100,000
 * products by default): CPU time per query by kind, alternating between both; then build, size, memory, start and
 * changes. Prints tables; `--write` writes them to docs/benchmarks-search.md.
 *
 * Lucene is optional, see peer.ts. BENCH_FOLDER keeps the catalogue and the indexes between runs.
 * `npm run bench:search:http` measures a whole server.
 */
import { createReadStream, existsSync, mkdirSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openIndexes, type EmbeddedIndexes as Indexes, type EmbeddedSearchIndex as SearchIndex } from '../src/index.ts'
import { channels, channelSchema, documentOf, rowOf, schema } from './catalogue.ts'
import { changeRows } from './changes.ts'
import { startPeer, type Peer } from './peer.ts'
import { completionRows, searchRows } from './compare.ts'
import { cpuTimeOfAll, idle, table, watchMemory } from './figures.ts'
import { writeSection } from './report.ts'

const count = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 100_000)
const folder = join(process.env.BENCH_FOLDER ?? join(tmpdir(), 'kontor-bench-search'), String(count))

/** Writes the rows and their offsets to a file, which serves as the primary store. */
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

/** In bytes. All rows are read into one scratch buffer. */
const longestRow = 1 << 16

function openRows(path: string): (id: number) => string[] {
  const bytes = readFileSync(`${path}.starts`)
  const starts = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8)
  const file = openSync(path, 'r')
  const scratch = Buffer.alloc(longestRow)
  return (id) => {
    const length = starts[id]! - starts[id - 1]!
    readSync(file, scratch, 0, length, starts[id - 1]!)
    return scratch.toString('utf8', 0, length - 1).split('\t')
  }
}

const report = join(folder, 'kontor.json')

/** Builds the index from the rows with two processes, unless it exists, and stores the figures of the build. */
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
    ['build, CPU s (including document creation)', ((cpuTimeOfAll() - cpu) / 1000).toFixed(0)],
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
if (!peer) console.log('no peer: set SEARCH_PEER and LUCENE_JARS to compare (search-engine/bench/peer.ts)')

const begin = performance.now()
const indexes = await openIndexes({ folder: join(folder, 'kontor'), threads: 1, onFailure: console.error })
const index = await indexes.open('PRODUCT', schema)
await index.search({ predicate: { kind: 'text', text: 'a' }, offset: 0, limit: 1 })
const started = performance.now() - begin
await indexes.open('CHANNEL', channelSchema)
const built = existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as string[][]) : []

// An index is verified in the background after it is opened. Wait, because that is not part of a search.
await idle()
const searches = await searchRows({ index, peer, rowOf: openRows(rows) })
const completions = await completionRows(index, peer)
const about = sizes(index, peer, started)
const changes = await changeRows(index, openRows(rows), count)
peer?.stop()
await indexes.close()
const title = `${count.toLocaleString('en')} products`
const tables = [
  table(['search', 'hits', 'CPU ms', 'p95 ms', 'Lucene CPU ms', 'times less', 'target'], searches),
  table(['completion', 'CPU ms', 'Lucene CPU ms', 'found'], completions),
  table(['', ''], [...built, ...about, ...changes]),
]
console.log([`### ${title}`, ...tables].join('\n\n'))
if (process.argv.includes('--write')) writeSection(title, tables)
