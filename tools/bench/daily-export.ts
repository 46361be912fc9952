/** Exports of the whole catalogue, against a retrieve of the same products and a plain download of the same bytes. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Bare } from './daily-bare.ts'
import type { Ask } from './daily-client.ts'
import { cpuOf } from './cpu.ts'
import type { Row } from './measure.ts'
import type { BenchServer } from './server.ts'
import { wideTid } from './wide-products.ts'

const portion = 1000

export async function exporting(server: BenchServer, bare: Bare, ask: Ask, count: number): Promise<Row[]> {
  const retrieve = async () => {
    for (let first = 0; first < count; first += portion)
      await ask('/api/core/v1/pim/products/retrieve', {
        tids: Array.from({ length: portion }, (_, n) => wideTid(first + n)),
      })
  }
  await retrieve()
  const base = await cost(server, count, retrieve)
  const rows: Row[] = []
  for (const format of ['jsonl', 'csv', 'xlsx']) {
    let id = ''
    const made = await cost(server, count, async () => {
      id = await order(server, format)
    })
    const ratio = made.micros / base.micros
    rows.push({ what: `export as ${format}, beside a retrieve of the same`, rate: show(made), bare: show(base), ratio, aim: '1.3 × of retrieve' }) // prettier-ignore
    const file = await download(`${server.url}/api/v1/transfers/${id}/file`, server.headers)
    const plain = await download(`${bare.url}/file?${file.bytes}`, {})
    rows.push({ what: `its file of ${(file.bytes / 1e6).toFixed(0)} MB, beside a plain download`, rate: speed(file), bare: speed(plain), ratio: plain.rate / file.rate, aim: 'as fast' }) // prettier-ignore
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

async function download(url: string, headers: Record<string, string>) {
  const begin = performance.now()
  const reply = await fetch(url, { headers })
  let bytes = 0
  for await (const piece of reply.body!) bytes += piece.length
  return { bytes, rate: bytes / 1000 / (performance.now() - begin) }
}
const speed = ({ rate }: { rate: number }) => `${rate.toFixed(0)} MB/s`

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
