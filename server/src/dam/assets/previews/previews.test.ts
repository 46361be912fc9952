/** Previews and embedded metadata of real files; hostile files do no harm. */
import { createServer } from 'node:http'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { sql } from '../../../adapters/postgres/sql.ts'
import { bytesOf, dam, damage, makeDirs, picture, recordOf, upload } from '../../../../test/files.ts'
import { withServer } from '../../../../test/server.ts'
import type { MadePreview } from './message.ts'
import { createPool } from './pool.ts'

const api = withServer({ KONTOR_PREVIEW_SECONDS: '15', KONTOR_PREVIEW_MEMORY: '700' })
beforeAll(() => makeDirs(api, '/MAM/boats'))

/** Uploads and waits for the previews. */
const take = async (name: string, bytes: Buffer | string): Promise<string> => {
  const reply = await upload(api, { path: `/MAM/boats/${name}`, doPreviewsAsync: false }, bytes)
  expect(reply.status, reply.text).toBe(200)
  return recordOf(reply).tid
}
const rowOf = async (tid: string) =>
  (await api.db.row<{
    importStatus: string
    width: number
    height: number
    embedded: Record<string, Record<string, unknown>>
  }>(sql`
    select import_status as "importStatus", width, height, embedded from dam_entry where tid = ${tid}`))!
const previewsOf = async (tid: string) => {
  const { json } = await api.post(`${dam}/assets/previews/retrieve`, { tids: [tid] })
  return (
    (json.assets.asset[0].previews?.preview ?? []) as {
      type: string
      meta: { itm: { key: string; value: string }[] }
    }[]
  ).map(({ type, meta }) => ({ type, ...Object.fromEntries(meta.itm.map(({ key, value }) => [key, value])) })) as {
    type: string
    width: string
    height: string
    mimeType: string
  }[]
}

test('an image has three previews of the maximum sizes', async () => {
  const tid = await take('photo.jpg', await picture(3000, 2000))
  expect(await rowOf(tid)).toMatchObject({ importStatus: 'available', width: 3000, height: 2000 })
  expect(await previewsOf(tid)).toMatchObject([
    { type: 'thumbnail', width: '160', height: '107', mimeType: 'image/jpeg' },
    { type: 'preview', width: '640', height: '427', mimeType: 'image/jpeg' },
    { type: 'fullsize', width: '1280', height: '853', mimeType: 'image/jpeg' },
  ])
  const { bytes, headers } = await bytesOf(api, `/assets/bin?assetTid=${tid}&format=preview`)
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 640 })
  expect(headers['content-disposition']).toContain('photo.jpg')
})

type Run = (onThumbnail?: (thumbnail: MadePreview) => void) => Promise<string[]>

/** A pool of two workers, and a call that makes the previews of a photo in it. */
async function withPool<T>(work: (run: Run, close: () => void) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-test-'))
  const file = join(folder, 'photo.jpg')
  await writeFile(file, await picture(3000, 2000))
  const pool = createPool({
    size: 2,
    seconds: 60,
    memoryMiB: 700,
    tools: {},
    sandbox: Promise.resolve({ level: 'none' }),
  })
  const box = (size: number) => ({ width: size, height: size })
  const boxes = { thumbnail: box(160), preview: box(640), fullsize: box(1280) }
  const order = { file, mime: 'image/jpeg', name: 'photo.jpg', boxes, maxPixels: 1e8, pages: 1 }
  const run: Run = async (onThumbnail = () => {}) => {
    const made = await pool.run({ ...order, folder: await mkdtemp(join(folder, 'order-')) }, { onThumbnail })
    return made.previews.map(({ format, width }) => `${format} ${width}`)
  }
  try {
    return await work(run, pool.close)
  } finally {
    pool.close()
    await rm(folder, { recursive: true })
  }
}
const allFormats = ['thumbnail 160', 'fullsize 1280', 'preview 640']

test('the thumbnail of a photo is ready before its other previews, and not made twice', async () => {
  const seen: string[] = []
  seen.push(...(await withPool((run) => run(({ format, width }) => seen.push(`${format} ${width} first`)))))
  expect(seen).toEqual(['thumbnail 160 first', 'thumbnail 160', 'fullsize 1280', 'preview 640'])
})

test.runIf(process.platform === 'linux')(
  'previews are made although the process that makes them is killed',
  async () => {
    let kills = 0
    const made = await withPool((run) =>
      run(() => {
        if (kills === 0) kills += killChildren('previews/worker.ts')
      }),
    )
    expect(kills).toBeGreaterThan(0)
    expect(made).toEqual(allFormats)
  },
)

test.runIf(process.platform === 'linux')('processes that ended while they were idle are not used again', () =>
  withPool(async (run, close) => {
    await Promise.all([run(), run()])
    expect(killChildren('previews/worker.ts')).toBe(2)
    expect(await run()).toEqual(allFormats)
    close()
    expect(await run()).toEqual(allFormats)
  }),
)

test.runIf(process.platform === 'linux')('a file whose process ends again and again fails', async () => {
  const killing = setInterval(() => killChildren('previews/worker.ts'), 20)
  try {
    await expect(withPool((run) => run())).rejects.toMatchObject({ fault: 'worker' })
  } finally {
    clearInterval(killing)
  }
})

/** Kills the child processes of this one that run a program. Returns how many. */
function killChildren(program: string): number {
  const found = readdirSync('/proc').filter((pid) => {
    try {
      const [stat, command] = ['stat', 'cmdline'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8'))
      return stat!.split(') ')[1]!.split(' ')[1] === String(process.pid) && command!.includes(program)
    } catch {
      return false // not a process, or one that has ended
    }
  })
  for (const pid of found) process.kill(Number(pid), 'SIGKILL')
  return found.length
}

/** Uploads a picture without previews. Returns it, and the job that makes them. */
async function uploadOnly(name: string) {
  const bytes = await picture(60, 40 + name.length)
  const { tid } = recordOf(await upload(api, { path: `/MAM/boats/${name}` }, bytes))
  const { id, sha256 } = (await api.db.row<{ id: number; sha256: string }>(
    sql`select id, sha256 from dam_entry where tid = ${tid}`,
  ))!
  const signal = new AbortController().signal
  const make = (attempt: number) => api.app.jobs['dam.previews']!({ assetId: id } as never, signal, attempt)
  return { tid, sha256, bytes, make, status: async () => (await rowOf(tid)).importStatus }
}

test('a picture whose stored bytes are damaged is tried again until they are whole', async () => {
  const { sha256, bytes, make, status } = await uploadOnly('damaged.jpg')
  await damage(api, sha256, bytes.subarray(0, bytes.length >> 1))
  await expect(make(1)).rejects.toThrow('do not have that hash')
  expect(await status()).toBe('running')
  await damage(api, sha256, bytes)
  await make(2)
  expect(await status()).toBe('available')
})

test('a picture whose stored bytes stay damaged is incomplete after the last attempt', async () => {
  const { sha256, make, status } = await uploadOnly('lost.jpg')
  await damage(api, sha256, Buffer.from('no picture'))
  await make(15)
  expect(await status()).toBe('incomplete')
})

test.runIf(process.platform === 'linux')(
  'a picture whose processes are killed is tried again, some times',
  async () => {
    const { make, status } = await uploadOnly('killed.jpg')
    const kill = () => killChildren('previews/worker.ts')
    // A worker that waits makes so small a picture before the first turn; one that starts does not.
    kill()
    const killing = setInterval(kill, 20)
    try {
      await expect(make(1)).rejects.toThrow('worker')
      expect(await status()).toBe('running')
      await make(6)
      expect(await status()).toBe('incomplete')
    } finally {
      clearInterval(killing)
    }
  },
)

test('the end of an import is recorded also if previews are disabled', async () => {
  const disable = (disabled: string) =>
    api.db.run(sql`
      update rnc set settings = settings || jsonb_build_object('rncDisablePreviewGeneration', ${disabled}::text)
      where tid = 'MAM'`)
  await disable('true')
  const tid = await take('plain.png', await picture(30, 20, 'png')).finally(() => disable('false'))
  expect(await rowOf(tid)).toMatchObject({ importStatus: 'available', width: null })
  const recorded = sql`
    select o.event, h.action, h.changes from dam_entry e join outbox o on o.object_id = e.id and o.action = 'import'
    join history h on h.object_id = e.id and h.action = 'import' where e.tid = ${tid}`
  expect(await api.db.rows(recorded)).toEqual([
    { event: 'UPDATE', action: 'import', changes: { importStatus: { to: 'available' } } },
  ])
})

test.each(['png', 'webp', 'gif', 'tiff', 'avif'] as const)('a %s has previews', async (format) => {
  const tid = await take(`picture.${format}`, await picture(300, 200, format))
  expect(await rowOf(tid)).toMatchObject({ importStatus: 'available', width: 300, height: 200 })
  expect(await previewsOf(tid)).toHaveLength(3)
})

test('transparency is preserved, and an image is never enlarged', async () => {
  const glass = await sharp({
    create: { width: 50, height: 40, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0.5 } },
  })
    .png()
    .toBuffer()
  const tid = await take('glass.png', glass)
  const { bytes } = await bytesOf(api, `/assets/bin?assetTid=${tid}&format=fullsize`)
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 50, height: 40, hasAlpha: true })
})

test('a rotated photo is turned upright, and its metadata is read but not copied to previews', async () => {
  const exif = {
    IFD0: { Artist: 'Ada', Copyright: 'Kontor' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
  }
  const xmp =
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="sail"/></rdf:RDF></x:xmpmeta>'
  const bytes = await sharp(await picture(400, 200))
    .withExif(exif)
    .withXmp(xmp)
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const tid = await take('sideways.jpg', bytes)
  const row = await rowOf(tid)
  expect(row).toMatchObject({ importStatus: 'available', width: 200, height: 400 })
  expect(row.embedded.exif).toMatchObject({ Artist: 'Ada', Copyright: 'Kontor' })
  expect(row.embedded.xmp).toMatchObject({ format: 'sail' })
  const made = await sharp((await bytesOf(api, `/assets/bin?assetTid=${tid}&format=fullsize`)).bytes).metadata()
  expect(made).toMatchObject({ width: 200, height: 400 })
  expect([made.exif, made.xmp]).toEqual([undefined, undefined])
})

test('embedded metadata becomes values of the asset, but does not replace entered values', async () => {
  const exif = {
    IFD0: { Artist: 'Ada, Bo', Copyright: 'Kontor', Model: 'X100', ImageDescription: 'Sails in the wind' },
    IFD2: { DateTimeOriginal: '2024:05:01 12:00:00' },
  }
  const bytes = await sharp(await picture(40, 20))
    .withExif(exif)
    .jpeg()
    .toBuffer()
  const tid = await take('embedded.jpg', bytes)
  const valsOf = async () =>
    (await api.db.row<{ vals: object }>(sql`select vals from dam_entry where tid = ${tid}`))!.vals
  expect(await valsOf()).toEqual({
    DESCRIPTION: { en_GB: 'Sails in the wind' },
    AUTHOR: ['Ada', 'Bo'],
    COPYRIGHT: 'Kontor',
    TAKEN_AT: '2024-05-01T12:00:00.000Z',
    CAMERA: 'X100',
  })
  await api.db.run(
    sql`update dam_entry set vals = '{"COPYRIGHT": "somebody"}', import_status = 'pending' where tid = ${tid}`,
  )
  await upload(api, { path: '/MAM/boats/embedded.jpg', doOverwrite: true, doPreviewsAsync: false }, bytes)
  expect(await valsOf()).toMatchObject({ COPYRIGHT: 'somebody', CAMERA: 'X100' })
})

test('the preview of a PDF is its first page', async () => {
  const tid = await take('page.pdf', pdf('0 0 1 rg 0 0 200 100 re f'))
  expect(await rowOf(tid)).toMatchObject({ importStatus: 'available', width: 200, height: 100 })
  const { bytes } = await bytesOf(api, `/assets/bin?assetTid=${tid}&format=thumbnail`)
  const { channels } = await sharp(bytes).stats()
  expect(channels.map(({ mean }) => Math.round(mean / 255))).toEqual([0, 0, 1])
})

test('a file of an unsupported type is available without previews', async () => {
  const tid = await take('notes.txt', 'just text')
  expect(await rowOf(tid)).toMatchObject({ importStatus: 'available' })
  expect(await previewsOf(tid)).toEqual([])
})

test('by default a job makes the previews', async () => {
  const { tid } = recordOf(
    await upload(api, { path: '/MAM/boats/later.jpg', doPreviewsAsync: true }, await picture(100, 100)),
  )
  expect(await rowOf(tid)).toMatchObject({ importStatus: 'pending' })
  const worker = await api.startWorker()
  await expect.poll(async () => (await rowOf(tid)).importStatus, { timeout: 15_000 }).toBe('available')
  await worker.stop()
  expect(await previewsOf(tid)).toHaveLength(3)
})

test('the import status is correct at every stage', async () => {
  const path = '/MAM/boats/stages.jpg'
  const { tid } = recordOf(await upload(api, { path, doPreviewsAsync: true }, await picture(100, 100)))
  const state = async () => {
    const { json } = await api.post(`${dam}/assets/statuses`, { tids: [tid] })
    const { itm } = json.assets.asset[0].meta as { itm: { key: string; value: string }[] }
    return itm.find(({ key }) => key === 'importStatus')?.value
  }
  expect(await state()).toBe('pending')
  const worker = await api.db.transaction(async (db) => {
    await db.lock(sql`lock table asset_preview in share mode`) // blocks the import before it ends
    const started = await api.startWorker()
    await expect.poll(state, { timeout: 30_000 }).toBe('running')
    return started
  })
  await expect.poll(state, { timeout: 30_000 }).toBe('available')
  await worker.stop()
  expect(await previewsOf(tid)).toHaveLength(3)
})

test('a new file gets new previews, and the old ones are not returned meanwhile', async () => {
  const tid = await take('changing.jpg', await picture(100, 100))
  await upload(api, { tid }, await picture(50, 20), { to: '/assets/versions/bin/persist' })
  expect(await previewsOf(tid)).toEqual([])
  expect((await bytesOf(api, `/assets/bin?assetTid=${tid}&format=preview`)).status).toBe(404)
})

describe('hostile files', () => {
  const hostile: [string, string, () => Buffer | string | Promise<Buffer>][] = [
    ['a picture of too many pixels', 'bomb.png', () => bomb(20_000, 20_000)],
    ['a picture that needs too much memory', 'heavy.png', () => bomb(9_900, 9_900, true)],
    ['half a picture', 'half.jpg', async () => (await picture(500, 500)).subarray(0, 600)],
    [
      'noise that calls itself a JPEG',
      'noise.jpg',
      () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(5000, 7)]),
    ],
    ['an SVG that unfolds for ever', 'laughs.svg', () => laughs()],
    ['a broken PDF', 'broken.pdf', () => '%PDF-1.4\nnothing more'],
  ]
  test.each(hostile)('%s has no previews and affects nothing else', async (_what, name, make) => {
    const tid = await take(name, await make())
    const { importStatus } = await rowOf(tid)
    expect(importStatus).toBe('incomplete')
    expect(await previewsOf(tid)).toEqual([])
    expect((await bytesOf(api, `/assets/bin?assetTid=${tid}`)).status).toBe(200)
    const next = await take(`after ${name}.jpg`, await picture(20, 20))
    expect(await rowOf(next)).toMatchObject({ importStatus: 'available' })
  })

  test('an SVG loads and executes nothing', async () => {
    let visits = 0
    const server = createServer((_request, response) => void (visits++, response.end()))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const outside = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40">
      <script>fetch('${outside}')</script><image href="${outside}/a.png" width="40" height="40"/>
      <image xlink:href="file:///etc/passwd" width="40" height="40"/><rect width="40" height="40" fill="#f00"/></svg>`
    const tid = await take('reaching.svg', svg)
    expect(await rowOf(tid)).toMatchObject({ importStatus: 'available', width: 40, height: 40 })
    expect(visits).toBe(0)
    server.close()
  })

  test('a PDF with JavaScript is rendered like any other', async () => {
    const tid = await take(
      'script.pdf',
      pdf('1 0 0 rg 0 0 200 100 re f', '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>'),
    )
    expect(await rowOf(tid)).toMatchObject({ importStatus: 'available' })
    expect((await bytesOf(api, `/assets/bin?assetTid=${tid}`)).headers['content-disposition']).toMatch(/^attachment/)
  })

  test('a name that looks like an option is treated as a name', async () => {
    const tid = await take('-rf --help; $(reboot) `x`.jpg', await picture(30, 30))
    expect(await rowOf(tid)).toMatchObject({ importStatus: 'available' })
  })
})

/** A PDF of one page with these drawing commands. */
function pdf(commands: string, catalog = ''): string {
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R >>',
    `<< /Length ${commands.length} >>\nstream\n${commands}\nendstream`,
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, i) => {
    const at = text.length
    text += `${i + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  return `${text}xref\n0 5\n0000000000 65535 f \n${table}trailer << /Size 5 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF`
}

/** A small PNG file of a very large picture, of one colour; interlaced ones must be held in memory whole. */
function bomb(width: number, height: number, interlaced = false): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const crc = Buffer.alloc(4)
    crc.writeUInt32BE(crc32(body))
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, body, crc])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([interlaced ? 16 : 8, interlaced ? 6 : 0, 0, 0, interlaced ? 1 : 0], 8)
  const lines = Buffer.alloc(interlaced ? 100_000_000 : 50_000_000)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function laughs(): string {
  const entities = Array.from({ length: 12 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
  return `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY l0 "ha">${entities}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&l12;</text></svg>`
}

test('previews are made although the connection to the database is lost meanwhile', async () => {
  const [locked, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = api.db.transaction(async (db) => {
    await db.lock(sql`lock table asset_preview in exclusive mode`)
    locked.resolve()
    await over.promise
  })
  await locked.promise
  await api.startWorker()
  // The thumbnail of a PNG is not stored first.
  const bytes = await sharp(await picture(60, 40))
    .png()
    .toBuffer()
  const { tid } = recordOf(await upload(api, { path: '/MAM/boats/lost.png' }, bytes))
  await vi.waitUntil(
    async () =>
      (
        await api.db.rows(sql`
          select pg_terminate_backend(pid) from pg_locks where relation = 'asset_preview'::regclass and not granted`)
      ).length > 0,
    { timeout: 30_000, interval: 20 },
  )
  over.resolve()
  await holding
  await vi.waitFor(async () => expect(await rowOf(tid)).toMatchObject({ importStatus: 'available' }), {
    timeout: 30_000,
    interval: 100,
  })
  expect(await previewsOf(tid)).toHaveLength(3)
})
