/** Memory of the server while it transforms a message of 500 MB. */
import { formats, Pim } from '@kontor/contract'
import { sampleProducts } from './codecs.ts'
import type { Table } from './measure.ts'
import type { BenchServer } from './server.ts'

export async function transform(server: BenchServer, megabytes = 500): Promise<Table> {
  const rows = []
  for (const [from, to] of [
    ['xml', 'json'],
    ['json', 'xml'],
    ['xml', 'compact'],
  ] as const) {
    const before = await server.memory()
    let peak = before
    const watch = setInterval(() => void server.memory().then((now) => (peak = Math.max(peak, now))), 100)
    const started = performance.now()
    const { stream, sent } = messageOf(from, megabytes * 1e6)
    const headers = { 'content-type': formats[from].mediaType, accept: formats[to].mediaType }
    const reply = await server.post('/api/core/v1/common/transform', stream, headers)
    let received = 0
    for await (const chunk of reply.body!) received += chunk.length
    clearInterval(watch)
    if (!reply.ok) throw new Error(`transform failed: ${reply.status}`)
    const seconds = (performance.now() - started) / 1000
    rows.push({
      what: `${from} → ${to}, ${Math.round(sent() / 1e6)} MB in, ${Math.round(received / 1e6)} MB out`,
      rate: `${(sent() / 1e6 / seconds).toFixed(1)} MB/s, memory ${Math.round(before)} → at most ${Math.round(peak)} MB`,
    })
  }
  return { title: `Transforming ${megabytes} MB (resident memory of the server)`, baseline: '', rows }
}

/** A message of the length, made while it is sent. */
function messageOf(name: keyof typeof formats, bytes: number): { stream: ReadableStream; sent: () => number } {
  const writer = formats[name].codec.writer(Pim)
  const items = sampleProducts(500)
  const piece = (text: string) => {
    const chunk = Buffer.from(text)
    length += chunk.length
    return chunk
  }
  let length = 0
  let begun = false
  const stream = new ReadableStream({
    pull(controller) {
      if (!begun) controller.enqueue(piece(writer.start({ schemaVersion: '5.6.0' })))
      begun = true
      controller.enqueue(piece(items.map((item) => writer.item('products', item)).join('')))
      if (length < bytes) return
      controller.enqueue(piece(writer.end()))
      controller.close()
    },
  })
  return { stream, sent: () => length }
}
