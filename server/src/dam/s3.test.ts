/** The DAM through HTTP with its files on S3: always on a fake server, and on a real one if `KONTOR_TEST_S3` names it. */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../adapters/postgres/sql.ts'
import {
  blobsOf,
  bytesOf,
  dam,
  form,
  makeDirs,
  payloadPart,
  picture,
  recordOf,
  storedFiles,
  upload,
} from '../../test/files.ts'
import { type S3Place, s3Servers } from '../../test/s3.ts'
import { withServer } from '../../test/server.ts'
import { collect, scrub } from './storage/collect.ts'

const opened = await Promise.all(
  s3Servers.map(async ([name, open]): Promise<[string, S3Place]> => [name, await open()]),
)

describe.each(opened)('on %s', (_name, { url, isReal, close }) => {
  const api = withServer({ KONTOR_BLOBS: url })
  const blobs = () => blobsOf(api)
  beforeAll(() => makeDirs(api, '/MAM/boats'))
  afterAll(close)
  const hashOf = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
  const stored = async () => {
    const found: string[] = []
    for await (const { sha256 } of blobs().list()) found.push(sha256)
    return found
  }
  const presigned = async (request: object) =>
    (await api.post(`${dam}/assets/presigned-url`, request, { accept: 'text/plain' })).text

  test('a file is stored once and sent completely, in ranges and in a zip', async () => {
    const bytes = randomBytes(200_000)
    await upload(api, { path: '/MAM/boats/a.bin', tid: 'a' }, bytes)
    const again = recordOf(await upload(api, { path: '/MAM/boats/b.bin', tid: 'b' }, bytes))
    expect(again.details.itm).toEqual([{ key: 'duplicates', value: 'a' }])
    expect((await stored()).filter((sha256) => sha256 === hashOf(bytes))).toHaveLength(1)
    expect((await bytesOf(api, '/assets/bin?assetTid=a')).bytes).toEqual(bytes)
    const part = await bytesOf(api, '/assets/bin?assetTid=b', { range: 'bytes=100000-100009' })
    expect([part.status, part.bytes]).toEqual([206, bytes.subarray(100_000, 100_010)])
    const zip = await api.app.http.inject({
      method: 'POST',
      url: `${dam}/assets/bin/retrieve`,
      headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
      payload: { tids: ['a', 'b'] },
    })
    expect(zip.rawPayload.indexOf(bytes)).toBeGreaterThan(0)
    const here = (await storedFiles(api)).filter((file) => !file.startsWith('sha256'))
    expect(here, 'nothing stays on this machine').toEqual([])
  })

  test('chunks in any order become one file and are deleted', async () => {
    const parts = [randomBytes(70_000), randomBytes(70_000), randomBytes(123)]
    const path = '/MAM/boats/chunks.bin'
    const { tid } = recordOf(await api.post(`${dam}/assets/bin/chunked/start`, { path, tid: 'chunks' }))
    for (const number of [2, 0, 1, 0]) {
      const { body, type } = form({ name: 'chunkId', value: String(number) }, payloadPart(parts[number]!))
      expect((await api.post(`${dam}/assets/bin/chunked/upload/${tid}`, body, { type })).status).toBe(200)
    }
    const done = await api.post(`${dam}/assets/bin/chunked/persist/${tid}`, { path, tid: 'chunks' }, { method: 'PUT' })
    expect(done.status, done.text).toBe(200)
    expect((await bytesOf(api, '/assets/bin?assetTid=chunks')).bytes).toEqual(Buffer.concat(parts))
    expect([...(await blobs().uploads()).keys()]).toEqual([])
  })

  test('previews are made from stored files, and the previous file becomes a version', async () => {
    const first = await picture(900, 700)
    await upload(api, { path: '/MAM/boats/sail.jpg', tid: 'sail', doPreviewsAsync: false }, first)
    expect((await bytesOf(api, '/assets/bin?assetTid=sail&format=thumbnail')).status).toBe(200)
    await upload(api, { tid: 'sail' }, await picture(400, 300), { to: '/assets/versions/bin/persist' })
    const { json } = await api.post(`${dam}/assets/versions/retrieve`, { tids: ['sail'] })
    const versions = await Promise.all(
      json.versions.version.map(async ({ tid }: { tid: string }) =>
        hashOf((await bytesOf(api, `/assets/bin?versionTid=${tid}`)).bytes),
      ),
    )
    expect(versions).toContain(hashOf(first))
  })

  test('a signed URL that lives longer than five minutes is ours, redirects to S3, and ends with its user', async () => {
    await upload(api, { path: '/MAM/boats/owl.txt', tid: 'owl' }, 'the wise owl')
    const token = await api.tokenFor({ name: 'leaving' })
    const sign = async (body: object) => new URL((await api.post(`${dam}/assets/presigned-url`, body, { token })).text)
    const address = await sign({ tid: 'owl', expiresInSeconds: 86_400 })
    expect(address.origin).toBe(api.config.baseUrl)
    const get = () => api.app.http.inject(address.pathname)
    const reply = await get()
    expect([reply.statusCode, reply.headers['cache-control']]).toEqual([307, 'no-store'])
    const place = new URL(String(reply.headers.location))
    expect(Number(place.searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(300)
    expect(await (await fetch(place)).text()).toBe('the wise owl')
    const { tid } = recordOf(await api.post(`${dam}/assets/bin/chunked/start`, { path: '/MAM/boats/c.txt' }, { token }))
    const chunk = await sign({ uploadTid: tid, method: 'PUT', size: 5, expiresInSeconds: 86_400 })
    expect(Number(chunk.searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(300)
    await api.app.identity.users.setEnabled((await api.app.identity.users.find({ name: 'leaving' }))!.id, false)
    expect((await get()).statusCode).toBe(403)
  })

  test('a signed URL of a few minutes is one of S3: tamper-proof, for one object, with its name and type', async () => {
    await upload(api, { path: '/MAM/boats/fox.txt', tid: 'fox' }, 'the quick brown fox')
    await upload(api, { path: '/MAM/boats/dog.txt', tid: 'dog' }, 'the lazy dog')
    const address = await presigned({ tid: 'fox', expiresInSeconds: 300 })
    expect(new URL(address).origin).toBe(new URL(new URL(url).searchParams.get('endpoint')!).origin)
    const given = await fetch(address)
    expect([given.status, await given.text()]).toEqual([200, 'the quick brown fox'])
    expect(given.headers.get('content-type')).toBe('text/plain')
    expect(given.headers.get('content-disposition')).toContain('attachment; filename="fox.txt"')
    if (!isReal) return
    const [fox, dog] = [hashOf('the quick brown fox'), hashOf('the lazy dog')].map((hash) => hash.slice(2))
    expect((await fetch(address.replace(fox!, dog!))).status).toBe(403)
    expect((await fetch(address.replace('X-Amz-Expires=300', 'X-Amz-Expires=3000'))).status).toBe(403)
    expect((await fetch(address, { method: 'PUT', body: 'mine' })).status).toBe(403)
    const brief = await presigned({ tid: 'fox', expiresInSeconds: 1 })
    await expect.poll(async () => (await fetch(brief)).status, { timeout: 10_000 }).toBe(403)
  })

  test('S3 sends executable types as attachments, whatever they were stored as', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    for (const [name, bytes] of [
      ['run.svg', svg],
      ['run.html', '<script>alert(1)</script>'],
      ['run.js', 'alert(1)'],
    ] as const) {
      const params = { path: `/MAM/boats/${name}`, tid: name }
      const { tid } = recordOf(await api.post(`${dam}/assets/bin/chunked/start`, params))
      const put = await fetch(await presigned({ uploadTid: tid, method: 'PUT', size: bytes.length }), {
        method: 'PUT',
        body: bytes,
        headers: { 'content-type': 'text/html', 'content-disposition': 'inline' },
      })
      expect(put.status).toBe(200)
      await api.post(`${dam}/assets/bin/chunked/persist/${tid}`, params, { method: 'PUT' })
      const given = await fetch(await presigned({ tid: name, expiresInSeconds: 300 }))
      expect([given.status, await given.text()]).toEqual([200, bytes])
      expect(given.headers.get('content-disposition')).toMatch(/^attachment; /)
      const type = name === 'run.js' ? 'application/octet-stream' : name === 'run.svg' ? 'image/svg+xml' : 'text/html'
      expect(given.headers.get('content-type')).toContain(type)
    }
  })

  test('a PUT to a signed URL replaces the file', async () => {
    const address = new URL(await presigned({ tid: 'fox', method: 'PUT' }))
    const put = await api.app.http.inject({ method: 'PUT', url: address.pathname, payload: 'another fox' })
    expect(put.statusCode, put.payload).toBe(200)
    expect((await bytesOf(api, '/assets/bin?assetTid=fox')).bytes.toString()).toBe('another fox')
    expect(await stored()).toContain(hashOf('another fox'))
  })

  test('missing and damaged objects are found, and unreferenced ones are deleted', async () => {
    await upload(api, { path: '/MAM/boats/lost.txt', tid: 'lost' }, 'to be lost')
    await blobs().remove(hashOf('to be lost'))
    const found: object[] = []
    await scrub(api.db, blobs(), (finding) => found.push(finding))
    expect(found).toEqual([{ sha256: hashOf('to be lost'), fault: 'missing', assets: ['lost'] }])
    const unused = await blobs().stage(createReadStream(import.meta.filename) as AsyncIterable<Buffer>, 1e6)
    await blobs().keep(unused)
    await api.db.run(
      sql`insert into blob (sha256, size, touched_at) values (${unused.sha256}, ${unused.size}, now() - interval '9 days')`,
    )
    expect(await stored()).toContain(unused.sha256)
    await collect(api.db, blobs(), 0)
    expect(await stored()).not.toContain(unused.sha256)
    expect(await stored()).toContain(hashOf('another fox'))
  })
})
