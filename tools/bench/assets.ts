/**
 * Files in and out, against bare Node doing the same with the same bytes: hashing and writing them to disk with fsync, a
 * file stream behind a bare HTTP server, and sharp alone.
 */
import { spawn } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { get, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import sharp, { type Sharp } from 'sharp'
import { sql } from '../../server/src/adapters/postgres/sql.ts'
import { createPool } from '../../server/src/dam/assets/previews/pool.ts'
import { compareTime, type Row, type Subject, type Table } from './measure.ts'
import type { BenchServer } from './server.ts'

const MiB = 1024 * 1024
const dam = '/api/core/v1/dam'
const piece = 64 * 1024

/** All of them, or those that are named. */
export async function assets(server: BenchServer, only?: readonly string[]): Promise<Table[]> {
  await post(server, '/dirs/perform', {
    schemaVersion: '5.6.0',
    actions: { action: [{ dataType: 'dir', type: 'createPath', path: '/MAM/bench' }] },
  })
  const folder = await mkdtemp(join(tmpdir(), 'kontor-bench-files-'))
  try {
    const tables: Table[] = []
    const parts = { uploads, largeUpload, downloads, parallelDownloads, previews, renditions, directory }
    for (const [name, measure] of Object.entries(parts))
      if (!only || only.includes(name)) tables.push(await measure(server, folder))
    return tables
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function post(server: BenchServer, path: string, body: object, method = 'POST') {
  const headers = { 'content-type': 'application/json' }
  const reply = await server.post(dam + path, JSON.stringify(body), headers, method)
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  // oxlint-disable-next-line typescript/no-explicit-any
  return (await reply.json()) as any
}

/** A form around the bytes, which are not copied; `times` of them make one file. */
function postForm(server: BenchServer, path: string, name: string, value: string, bytes: Buffer, times = 1) {
  const boundary = randomUUID()
  const part = (head: string) => `--${boundary}\r\nContent-Disposition: form-data; name=${head}\r\n\r\n`
  const start = `${part(`"${name}"`)}${value}\r\n${part('"payload"; filename="file.bin"')}`
  const end = `\r\n--${boundary}--\r\n`
  const headers = {
    ...server.headers,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': start.length + bytes.length * times + end.length,
  }
  return new Promise<string>((resolve, reject) => {
    const sent = request(server.url + dam + path, { method: 'POST', headers }, (reply) => {
      const answer = (text: string) =>
        reply.statusCode === 200 ? resolve(text) : reject(new Error(`${path}: ${text}`))
      textOf(reply).then(answer, reject)
    })
    sent.on('error', reject)
    sent.write(start)
    const write = (left: number) => (left > 0 ? void sent.write(bytes, () => write(left - 1)) : void sent.end(end))
    write(times)
  })
}

/** The most resident memory of the server while work is done, and before. */
async function memoryDuring(server: BenchServer, work: () => Promise<unknown>) {
  const before = await server.memory()
  let most = before
  const watching = setInterval(() => void server.memory().then((now) => (most = Math.max(most, now))), 50)
  await work()
  clearInterval(watching)
  return { before, most }
}

/** Bytes that were not sent before, so that they are stored and not only recognized. */
function fresh(bytes: Buffer): Buffer {
  randomBytes(32).copy(bytes)
  return bytes
}

async function uploads(server: BenchServer, folder: string): Promise<Table> {
  const bytes = randomBytes(64 * MiB)
  let number = 0
  const bare: Subject = {
    what: 'bare Node: hash and write to disk, fsync',
    async run() {
      const file = join(folder, String(number++))
      const handle = await open(file, 'w')
      const hash = createHash('sha256')
      for (let at = 0; at < bytes.length; at += piece) {
        const part = bytes.subarray(at, at + piece)
        hash.update(part)
        await handle.write(part)
      }
      hash.digest()
      await handle.sync()
      await handle.close()
      await rm(file)
      return bytes.length
    },
  }
  const plain: Subject = {
    what: 'upload of a 64 MiB file',
    async run() {
      const params = JSON.stringify({ path: `/MAM/bench/plain-${number++}.bin` })
      await postForm(server, '/assets/bin/persist', 'params', params, fresh(bytes))
      return bytes.length
    },
  }
  const chunked: Subject = {
    what: 'the same in chunks of 8 MiB, two at a time',
    async run() {
      fresh(bytes)
      const path = `/MAM/bench/chunked-${number++}.bin`
      const { tid } = (await post(server, '/assets/bin/chunked/start', { path })).responses.response[0]
      const numbers = Array.from({ length: bytes.length / (8 * MiB) }, (_, i) => i)
      const send = async () => {
        for (let one = numbers.shift(); one !== undefined; one = numbers.shift()) {
          const chunk = bytes.subarray(one * 8 * MiB, (one + 1) * 8 * MiB)
          await postForm(server, `/assets/bin/chunked/upload/${tid}`, 'chunkId', String(one), chunk)
        }
      }
      await Promise.all([send(), send()])
      await post(server, `/assets/bin/chunked/persist/${tid}`, { path })
      return bytes.length
    },
  }
  return compareTime('Uploads', 'MB', 1e6, [bare, plain, chunked], 7)
}

async function largeUpload(server: BenchServer): Promise<Table> {
  const bytes = randomBytes(5_000_000)
  const params = JSON.stringify({ path: '/MAM/bench/large.bin' })
  const start = performance.now()
  const { before, most } = await memoryDuring(server, () =>
    postForm(server, '/assets/bin/persist', 'params', params, bytes, 1000),
  )
  const seconds = (performance.now() - start) / 1000
  const rows = [
    { what: 'rate', rate: `${(5000 / seconds).toFixed(0)} MB/s` },
    { what: 'resident memory of the server', rate: `${before.toFixed(0)} → at most ${most.toFixed(0)} MB` },
  ]
  return { title: 'Upload of a file of 5 GB', baseline: '', rows }
}

const bareServer = `
  import { createServer } from 'node:http'
  import { createReadStream, statSync } from 'node:fs'
  const [, file] = process.argv
  const server = createServer((request, response) => {
    response.setHeader('content-length', statSync(file).size)
    createReadStream(file).pipe(response)
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))`

/** Reads a reply and throws it away. */
const swallow = (url: string, headers: Record<string, string> = {}) =>
  new Promise<number>((resolve, reject) => {
    get(url, { headers, agent: false }, (reply) => {
      let bytes = 0
      if (reply.statusCode !== 200) return reject(new Error(`${url}: ${reply.statusCode}`))
      reply
        .on('data', (part: Buffer) => (bytes += part.length))
        .on('end', () => resolve(bytes))
        .on('error', reject)
    }).on('error', reject)
  })

async function downloads(server: BenchServer, folder: string): Promise<Table> {
  const bytes = randomBytes(100 * MiB)
  const file = join(folder, 'download')
  await writeFile(file, bytes)
  const params = JSON.stringify({ path: '/MAM/bench/download.bin', tid: 'bench-download' })
  await postForm(server, '/assets/bin/persist', 'params', params, bytes)
  const child = spawn('node', ['--input-type=module', '-e', bareServer, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<string>((resolve) =>
    child.stdout.once('data', (text: Buffer) => resolve(String(text).trim())),
  )
  const bare = { what: 'bare Node: createReadStream behind HTTP', run: () => swallow(`http://127.0.0.1:${port}/`) }
  const ours = { what: 'GET /assets/bin of 100 MiB', run: () => swallow(downloadUrl(server), server.headers) }
  const table = await compareTime('Downloads', 'MB', 1e6, [bare, ours], 9)
  child.kill()
  return table
}
const downloadUrl = ({ url }: BenchServer) => `${url}${dam}/assets/bin?assetTid=bench-download`

async function parallelDownloads(server: BenchServer): Promise<Table> {
  const clients = Array.from({ length: 200 })
  const { before, most } = await memoryDuring(server, () =>
    Promise.all(clients.map(() => swallow(downloadUrl(server), server.headers))),
  )
  const rows = [
    { what: 'resident memory of the server before', rate: `${before.toFixed(0)} MB` },
    { what: 'most resident memory of the server, limit 300 MB', rate: `${most.toFixed(0)} MB`, ratio: most / 300 },
  ]
  return { title: '200 downloads of 100 MiB at once', baseline: '', rows }
}

/** 24 megapixels. */
const takePhoto = () =>
  sharp(randomBytes(600 * 400 * 3), { raw: { width: 600, height: 400, channels: 3 } })
    .resize(6000, 4000)
    .jpeg({ quality: 90 })
    .toBuffer()

/** The first rendition of a photo against sharp alone, then a kept one against the download of a file of its size. */
async function renditions(server: BenchServer, folder: string): Promise<Table> {
  const photo = await takePhoto()
  const source = join(folder, 'photo.jpg')
  await writeFile(source, photo)
  const store = (name: string, bytes: Buffer) =>
    postForm(server, '/assets/bin/persist', 'params', JSON.stringify({ path: `/MAM/bench/${name}`, tid: name }), bytes)
  await store('rendered.jpg', photo)
  sharp.concurrency(1)
  sharp.cache(false)
  const at = (width: number) => `${server.url}${dam}/renditions/bin?assetTid=rendered.jpg&width=${width}`
  let width = 1600
  const alone: Subject = {
    what: 'sharp alone: 1,600 pixels wide, into a file',
    run: async () => (await sharp(source).resize({ width: 1600 }).jpeg({ quality: 80 }).toFile(join(folder, 'out')), 1),
  }
  const first: Subject = {
    what: 'first rendition of about 1,600 pixels',
    run: async () => (await swallow(at(width--), server.headers), 1),
  }
  const table = await compareTime('Renditions of a 24-megapixel JPEG', 'pictures', 1, [alone, first], 9)
  const kept = await fetch(at(1600), { headers: server.headers })
  await store('as-large.jpg', Buffer.from(await kept.arrayBuffer()))
  const many = async (url: string) => {
    for (let i = 0; i < 200; i++) await swallow(url, server.headers)
    return 200
  }
  const plain = { what: 'download of a file of that size', run: () => many(`${server.url}${dam}/assets/bin?assetTid=as-large.jpg`) } // prettier-ignore
  const again = { what: 'kept rendition', run: () => many(at(1600)) }
  const second = await compareTime('', 'pictures', 1, [plain, again], 9)
  return { ...table, rows: [...table.rows, ...second.rows] }
}

async function previews(server: BenchServer): Promise<Table> {
  const photo = await takePhoto()
  sharp.concurrency(1)
  sharp.cache(false)
  const count = 6
  let number = 0
  const twoAtATime = async (work: () => Promise<unknown>) => {
    let left = count
    const one = async () => {
      while (left-- > 0) await work()
    }
    await Promise.all([one(), one()])
    return count
  }
  const alone: Subject = {
    what: 'sharp alone: decode once, three sizes in a chain',
    run: () => twoAtATime(() => chain(photo)),
  }
  const folder = await mkdtemp(join(tmpdir(), 'kontor-bench-previews-'))
  const file = join(folder, 'photo.jpg')
  await writeFile(file, photo)
  const pool = createPool({
    size: 2,
    seconds: 60,
    memoryMiB: 2048,
    tools: {},
    sandbox: Promise.resolve({ level: 'none' }),
  })
  const boxes = {
    thumbnail: { width: 160, height: 160 },
    preview: { width: 640, height: 640 },
    fullsize: { width: 1280, height: 1024 },
  }
  const made: Subject = {
    what: 'the processes that make previews, metadata read too',
    run: () =>
      twoAtATime(async () => {
        const own = await mkdtemp(join(folder, 'order-'))
        await pool.run({ file, mime: 'image/jpeg', name: 'photo.jpg', folder: own, boxes, maxPixels: 1e8, pages: 1 })
      }),
  }
  const ours: Subject = {
    what: 'upload with previews made before the reply',
    run: () =>
      twoAtATime(() => {
        const bytes = Buffer.concat([photo, randomBytes(32)])
        const params = JSON.stringify({ path: `/MAM/bench/photo-${number++}.jpg`, doPreviewsAsync: false })
        return postForm(server, '/assets/bin/persist', 'params', params, bytes)
      }),
  }
  const table = await compareTime('Previews of 24-megapixel JPEGs, two at a time', 'files', 1, [alone, made, ours], 3)
  pool.close()
  await rm(folder, { recursive: true })
  return table
}

async function chain(photo: Buffer): Promise<void> {
  const fit = (width: number, height: number) => ({ width, height, fit: 'inside', withoutEnlargement: true }) as const
  const raw = async (image: Sharp) => {
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
    return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
  }
  const large = await raw(sharp(photo).resize(fit(1280, 1024)))
  await large.clone().jpeg({ quality: 80 }).toBuffer()
  const middle = await raw(large.resize(fit(640, 640)))
  await middle.clone().jpeg({ quality: 80 }).toBuffer()
  await middle.resize(fit(160, 160)).jpeg({ quality: 80 }).toBuffer()
}

/** 100,000 assets in one directory: each of these has 100 ms. */
async function directory(server: BenchServer): Promise<Table> {
  const perform = (action: object) =>
    post(server, '/dirs/perform', { schemaVersion: '5.6.0', actions: { action: [action] } })
  for (const path of ['/MAM/full', '/MAM/elsewhere']) await perform({ dataType: 'dir', type: 'createPath', path })
  await server.database.run(sql`
    insert into dam_entry (kind, tid, rnc_id, parent_id, name, name_key, type, sha256, size, mime, import_status, created_by, modified_by, modified_at)
    select 'asset', 'full-' || n, d.rnc_id, d.id, 'file ' || n || '.jpg', 'file ' || n || '.jpg', case when n % 10 = 0 then 'PDF' else 'IMG' end,
      a.sha256, a.size, a.mime, 'available', 'bench', 'bench', now() - n * interval '1 minute'
    from generate_series(1, 100000) n, dam_entry d, dam_entry a where d.path = '/MAM/full' and a.tid = 'bench-download'`)
  await server.database.run(sql`analyze dam_entry`)
  const tids = Array.from({ length: 100 }, (_, i) => `full-${i * 700 + 1}`)
  const modifiedFrom = new Date(Date.now() - 86_400_000).toISOString()
  let [from, to] = ['full', 'elsewhere']
  const move = async () => {
    const meta = { itm: [{ key: 'destinationDirPath', value: to === 'elsewhere' ? '/MAM/elsewhere' : '/MAM' }] }
    await perform({ dataType: 'dir', type: 'move', path: from === 'full' ? '/MAM/full' : '/MAM/elsewhere/full', meta })
    ;[from, to] = [to, from]
  }
  const works: [string, () => Promise<unknown>][] = [
    ['retrieve of 100 assets', () => post(server, '/assets/retrieve', { tids })],
    [
      'query by type and date',
      () => post(server, '/assets/query', { directory: { path: '/MAM/full' }, fileTypes: ['PDF'], modifiedFrom }),
    ],
    ['move of the directory, there and back', async () => (await move(), move())],
  ]
  const rows: Row[] = []
  for (const [what, work] of works) rows.push(await timed(what, work))
  return { title: '100,000 assets in one directory', baseline: '', rows }
}

async function timed(what: string, work: () => Promise<unknown>): Promise<Row> {
  const times: number[] = []
  for (let turn = 0; turn < 9; turn++) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  const median = times.toSorted((a, b) => a - b)[4]!
  return { what, rate: `${median.toFixed(1)} ms` }
}
