/** How long a person waits from dropping a large photo until its thumbnail can be shown. */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { quantile } from './daily-client.ts'
import type { Row } from './measure.ts'
import type { BenchServer } from './server.ts'

const uploads = 12

export async function thumbnails(server: BenchServer): Promise<Row[]> {
  const photo = await sharp(randomBytes(600 * 400 * 3), { raw: { width: 600, height: 400, channels: 3 } })
    .resize(6000, 4000)
    .jpeg({ quality: 90 })
    .toBuffer()
  const stored: number[] = []
  const shown: number[] = []
  for (let i = 0; i < uploads; i++) {
    const bytes = Buffer.concat([photo, randomBytes(32)])
    const begin = performance.now()
    const tid = await upload(server, bytes, i)
    stored.push(performance.now() - begin)
    while (!(await hasThumbnail(server, tid))) await pause(5)
    shown.push(performance.now() - begin)
    await pause(1500) // the larger previews
  }
  const alone: number[] = []
  for (let i = 0; i < uploads; i++) {
    const begin = performance.now()
    await sharp(photo).resize(160, 160, { fit: 'inside' }).jpeg({ quality: 80 }).toBuffer()
    alone.push(performance.now() - begin)
  }
  const of = (times: number[]) => `p50 ${quantile(times, 0.5).toFixed(0)}, p95 ${quantile(times, 0.95).toFixed(0)} ms`
  return [
    { what: `upload of ${(photo.length / 1e6).toFixed(1)} MB, 24 megapixels, answered`, rate: of(stored) },
    {
      what: 'its thumbnail can be fetched, beside sharp alone',
      rate: of(shown),
      bare: of(alone),
      ratio: quantile(shown, 0.5) / quantile(alone, 0.5),
      aim: '250 ms',
    },
  ]
}

async function upload(server: BenchServer, bytes: Buffer, i: number): Promise<string> {
  const form = new FormData()
  form.set('params', JSON.stringify({ path: `/MAM/daily-${Date.now()}-${i}.jpg` }))
  form.set('payload', new Blob([new Uint8Array(bytes)]), 'photo.jpg')
  const reply = await fetch(`${server.url}/api/core/v1/dam/assets/bin/persist`, {
    method: 'POST',
    headers: { ...server.headers, accept: 'application/json' },
    body: form,
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(text)
  return /"tid":"([^"]+)"/.exec(text)![1]!
}

async function hasThumbnail(server: BenchServer, tid: string): Promise<boolean> {
  const address = `${server.url}/api/core/v1/dam/assets/bin?assetTid=${tid}&format=thumbnail`
  const reply = await fetch(address, { headers: server.headers })
  await reply.arrayBuffer()
  return reply.ok
}
