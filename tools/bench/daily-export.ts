/** Exports of the whole catalogue, against a retrieve of the same products and a plain download of the same bytes. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Ask } from './daily-client.ts'
import { cpuOf } from './cpu.ts'
import type { Row } from './measure.ts'
import type { BenchServer } from './server.ts'
import { wideTid } from './wide-products.ts'

const portion = 1000

export async function exporting(server: BenchServer, ask: Ask, count: number): Promise<Row[]> {
  const retrieve = async () => {
    for (let first = 0; first < count; first += portion)
      await ask('/api/core/v1/pim/products/retrieve', {
        tids: Array.from({ length: portion }, (_, n) => wideTid(first + n)),
      })
  }
  await retrieve()
  const base = await cost(server, count, retrieve)
  const rows: Row[] = [{ what: 'retrieve, 1,000 per request', rate: show(base), ratio: 1 }]
  for (const format of ['jsonl', 'csv', 'xlsx']) {
    let id = ''
    const made = await cost(server, count, async () => {
      id = await order(server, format)
    })
    rows.push({ what: `export, ${format} (aim 0.77)`, rate: show(made), ratio: base.micros / made.micros })
    rows.push(await download(server, id, format))
  }
  return rows
}

async function order(server: BenchServer, format: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const reply = await server.post(
    '/api/v1/transfers/exports',
    JSON.stringify({ format, nodePaths: ['/Wide'] }),
    headers,
  )
  if (!reply.ok) throw new Error(await reply.text())
  const { id } = (await reply.json()) as { id: string }
  for (;;) {
    const state = await fetch(`${server.url}/api/v1/transfers/${id}`, { headers: server.headers })
    const text = await state.text()
    if (text.includes('"finished"')) return id
    if (text.includes('"failed"')) throw new Error(text)
    await pause(100)
  }
}

async function download(server: BenchServer, id: string, format: string): Promise<Row> {
  const begin = performance.now()
  const reply = await fetch(`${server.url}/api/v1/transfers/${id}/file`, { headers: server.headers })
  let bytes = 0
  for await (const piece of reply.body!) bytes += piece.length
  const seconds = (performance.now() - begin) / 1000
  return {
    what: `— its file of ${(bytes / 1e6).toFixed(0)} MB, ${format}`,
    rate: `${(bytes / 1e6 / seconds).toFixed(0)} MB/s`,
  }
}

async function cost(server: BenchServer, count: number, work: () => Promise<void>) {
  const [cpu, begin] = [cpuOf(server), performance.now()]
  await work()
  const used = cpuOf(server)
  const each = (seconds: number) => (seconds / count) * 1e6
  const database = each(used.database - cpu.database)
  return {
    micros: each(used.server - cpu.server) + database,
    database,
    rate: (count / (performance.now() - begin)) * 1000,
  }
}

const show = ({ micros, database, rate }: { micros: number; database: number; rate: number }) =>
  `${micros.toFixed(0)} µs CPU (PostgreSQL ${database.toFixed(0)}), ${rate.toFixed(0)}/s`
