/** Chunks sent to presigned URLs: directly to S3 if files are there, otherwise to the server. */
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../../adapters/postgres/sql.ts'
import { damCalls } from '../../../../../test/dam.ts'
import {
  blobsOf,
  bytesOf,
  dam,
  form,
  makeDirs,
  payloadPart,
  recordOf,
  storedFiles,
  upload,
} from '../../../../../test/files.ts'
import { type S3Place, s3Servers } from '../../../../../test/s3.ts'
import { withServer } from '../../../../../test/server.ts'
import { collect } from '../../../storage/collect.ts'

const kinds = { asset: '/assets/bin/chunked', version: '/assets/versions/bin/chunked' }
type Kind = keyof typeof kinds

const opened = await Promise.all(
  s3Servers.map(async ([name, open]): Promise<[string, S3Place]> => [name, await open()]),
)
afterAll(() => Promise.all(opened.map(([, { close }]) => close())))
/** Whether a PUT that does not match the URL is refused: our server and a real S3 do so. */
const stores: [string, { url?: string; isStrict: boolean }][] = [
  ['in a folder', { isStrict: true }],
  ...opened.map(([name, { url, isReal }]): [string, { url: string; isStrict: boolean }] => [
    `on ${name}`,
    { url, isStrict: isReal },
  ]),
]
const maxFile = 20_000_000

describe.each(stores)('%s', (_name, { url, isStrict }) => {
  const api = withServer({ KONTOR_BLOBS: url ?? '', KONTOR_MAX_FILE: String(maxFile) })
  const { performAssets } = damCalls(api)
  const blobs = () => blobsOf(api)
  beforeAll(() => makeDirs(api, '/MAM/boats', '/MAM/gone'))

  const start = async (params: object, kind: Kind = 'asset') =>
    recordOf(await api.post(`${dam}${kinds[kind]}/start`, params)).tid as string
  const ask = (request: object, token = api.token) =>
    api.post(`${dam}/assets/presigned-url`, { method: 'PUT', ...request }, { accept: 'text/plain', token })
  const addressOf = async (uploadTid: string, chunkId: number, size: number, more: object = {}) => {
    const reply = await ask({ uploadTid, chunkId, size, ...more })
    expect(reply.status, reply.text).toBe(200)
    return reply.text
  }
  /** To whom the address belongs: S3, or us. */
  const put = async (address: string, bytes: Buffer | string, method: 'PUT' | 'GET' = 'PUT'): Promise<number> => {
    const body = method === 'PUT' ? { body: new Uint8Array(Buffer.from(bytes)) } : {}
    if (!address.startsWith(api.config.baseUrl)) return (await fetch(address, { method, ...body })).status
    const payload = method === 'PUT' ? { payload: Buffer.from(bytes) } : {}
    return (await api.app.http.inject({ method, url: new URL(address).pathname, ...payload })).statusCode
  }
  const finish = (tid: string, params: object, kind: Kind = 'asset') =>
    api.post(`${dam}${kinds[kind]}/persist/${tid}`, params, { method: 'PUT' })
  const arrived = async (tid: string) => {
    const { details } = recordOf(await api.get(`${dam}${kinds.asset}/${tid}`))
    return (details.itm as { key: string; value: string }[]).find(({ key }) => key === 'chunks')?.value
  }
  const contentOf = async (tid: string) => (await bytesOf(api, `/assets/bin?assetTid=${tid}`)).bytes
  const hashOf = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
  /** The stored chunks of uploads, and the files in the local spool. */
  const leftovers = async () => (await storedFiles(api)).filter((file) => /^(uploads|tmp)/.test(file))

  test('a file is uploaded through the URL of its only chunk', async () => {
    const [bytes, params] = [randomBytes(300_000), { path: '/MAM/boats/sail.bin', tid: 'sail' }]
    const tid = await start(params)
    const address = await addressOf(tid, 0, bytes.length)
    const origin = url ? new URL(url).searchParams.get('endpoint')! : api.config.baseUrl
    expect(new URL(address).origin).toBe(new URL(origin).origin)
    expect(await arrived(tid)).toBeUndefined()
    expect(await put(address, bytes)).toBe(200)
    expect(await arrived(tid)).toBe('0')
    expect((await bytesOf(api, '/assets/bin?assetTid=sail')).status, 'not before it is finished').toBe(404)
    expect(recordOf(await finish(tid, params))).toMatchObject({ status: 'SUCCESS', action: 'create', tid: 'sail' })
    expect((await contentOf('sail')).equals(bytes)).toBe(true)
    expect(await leftovers()).toEqual([])
    expect((await finish(tid, params)).status).toBe(404)
  })

  test('chunks arrive through URLs and through the server, in any order', async () => {
    const parts = [randomBytes(6_000_000), randomBytes(5_500_000), randomBytes(77)]
    const params = { path: '/MAM/boats/film.bin', tid: 'film', checksum: hashOf(Buffer.concat(parts)).toUpperCase() }
    const tid = await start(params)
    const addresses = await Promise.all([0, 2].map((number) => addressOf(tid, number, parts[number]!.length)))
    expect(await put(addresses[1]!, parts[2]!)).toBe(200)
    const { body, type } = form({ name: 'chunkId', value: '1' }, payloadPart(parts[1]!))
    expect((await api.post(`${dam}${kinds.asset}/upload/${tid}`, body, { type })).status).toBe(200)
    const early = await finish(tid, params)
    expect([early.status, early.text]).toEqual([400, expect.stringContaining('chunks are missing: 0')])
    expect(await arrived(tid)).toBe('1-2')
    expect(await put(addresses[0]!, parts[0]!)).toBe(200)
    const done = await finish(tid, params)
    expect(done.status, done.text).toBe(200)
    expect((await contentOf('film')).equals(Buffer.concat(parts))).toBe(true)
    expect(await leftovers()).toEqual([])
  })

  test('a version is uploaded through a URL', async () => {
    await upload(api, { path: '/MAM/boats/v.txt', tid: 'v' }, 'first')
    const tid = await start({ tid: 'v' }, 'version')
    expect(await put(await addressOf(tid, 0, 6), 'second')).toBe(200)
    const done = await finish(tid, { tid: 'v', versionComment: 'by address' }, 'version')
    expect(recordOf(done)).toMatchObject({ status: 'SUCCESS', dataType: 'version' })
    expect((await contentOf('v')).toString()).toBe('second')
  })

  test('a chunk of another size than announced is refused and stores nothing', async () => {
    const params = { path: '/MAM/boats/forged.txt', tid: 'forged' }
    const announced = await start({ ...params, checksum: hashOf('12345') })
    expect(await put(await addressOf(announced, 0, 5), 'other')).toBe(200)
    const refused = await finish(announced, params)
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(hashOf('other'))])
    const plain = await start(params)
    expect(await put(await addressOf(plain, 0, 5), 'other')).toBe(200)
    expect((await finish(plain, { ...params, checksum: hashOf('12345') })).status).toBe(400)
    expect((await bytesOf(api, '/assets/bin?assetTid=forged')).status).toBe(404)
    expect(await blobs().has(hashOf('other'), 5)).toBe(false)
    for (const tid of [announced, plain]) await api.get(`${dam}${kinds.asset}/${tid}`, { method: 'DELETE' })
    expect(await leftovers()).toEqual([])
  })

  test.runIf(isStrict)(
    'an address takes neither more nor fewer bytes, no other place, and nothing too late',
    async () => {
      const params = { path: '/MAM/boats/strict.txt', tid: 'strict' }
      const [mine, other] = [await start(params), await start({ path: '/MAM/boats/other.txt' })]
      const address = await addressOf(mine, 0, 5)
      for (const bytes of ['123456', '1234', '']) expect([400, 403, 413]).toContain(await put(address, bytes))
      expect(await put(address, '', 'GET'), 'it is not for reading').toBe(403)
      expect(
        await put(
          address.replace(/(.)(?=[^&]{10}(&|$))/, (c) => (c === 'A' ? 'B' : 'A')),
          '12345',
        ),
      ).toBe(403)
      if (url) {
        expect(await put(address.replace(mine, other), '12345')).toBe(403)
        expect(await put(address.replace(/X-Amz-Expires=\d+/, 'X-Amz-Expires=9000'), '12345')).toBe(403)
      }
      const brief = await addressOf(mine, 0, 5, { expiresInSeconds: 1 })
      await new Promise((resolve) => setTimeout(resolve, 2100))
      expect(await put(brief, '12345')).toBe(403)
      const refused = await finish(mine, params)
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('no chunk has arrived')])
      expect(await leftovers()).toEqual([])
      for (const tid of [mine, other]) await api.get(`${dam}${kinds.asset}/${tid}`, { method: 'DELETE' })
    },
  )

  test('the finish is refused if the caller has lost the permission, and can be retried', async () => {
    await upload(api, { path: '/MAM/boats/locked.txt', tid: 'locked' }, 'before')
    const version = await start({ tid: 'locked' }, 'version')
    const late = await addressOf(version, 1, 5)
    expect(await put(await addressOf(version, 0, 5), 'after')).toBe(200)
    const lock = { actions: { action: [{ dataType: 'asset', type: 'checkout', tid: 'locked' }] } }
    await api.post(`${dam}/assets/perform`, { schemaVersion: '5.6.0', ...lock }, { token: api.adminToken })
    expect((await finish(version, { tid: 'locked' }, 'version')).status).toBe(409)
    expect((await ask({ uploadTid: version, chunkId: 2, size: 5 })).status, 'no address either').toBe(409)
    if (!url) expect(await put(late, '12345'), 'nor bytes').toBe(409)
    expect((await contentOf('locked')).toString()).toBe('before')
    lock.actions.action[0]!.type = 'checkin'
    await api.post(`${dam}/assets/perform`, { schemaVersion: '5.6.0', ...lock }, { token: api.adminToken })
    expect((await finish(version, { tid: 'locked' }, 'version')).status).toBe(200)

    const params = { path: '/MAM/gone/new.txt' }
    const tid = await start(params)
    expect(await put(await addressOf(tid, 0, 5), 'bytes')).toBe(200)
    await upload(api, params, 'meanwhile')
    expect((await finish(tid, params)).status).toBe(403)
    await damCalls(api).performDirs({ type: 'delete', path: '/MAM/gone' })
    expect((await finish(tid, { ...params, doOverwrite: true })).status).toBe(404)
    await api.get(`${dam}${kinds.asset}/${tid}`, { method: 'DELETE' })
    expect(await leftovers()).toEqual([])
  })

  test('an invalid request is refused', async () => {
    const tid = await start({ path: '/MAM/boats/asked.txt' })
    const refusals: [object, number, string][] = [
      [{ uploadTid: tid, size: 5, method: 'GET' }, 400, 'method'],
      [{ uploadTid: tid }, 400, 'size'],
      [{ uploadTid: tid, size: 0 }, 400, 'size'],
      [{ uploadTid: tid, size: maxFile + 1 }, 400, 'size'],
      [{ uploadTid: tid, size: 5, chunkId: -1 }, 400, 'chunkId'],
      [{ uploadTid: tid, size: 5, chunkId: 10_000 }, 400, 'chunkId'],
      [{ uploadTid: tid, size: 5, expiresInSeconds: 86_401 }, 400, 'expiresInSeconds'],
      [{ uploadTid: 'none', size: 5 }, 404, 'no upload has the tid none'],
      [{ uploadTid: crypto.randomUUID(), size: 5 }, 404, 'expired'],
    ]
    for (const [request, status, text] of refusals) {
      const reply = await ask(request)
      expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(text)])
    }
    const stranger = await api.tokenFor({ name: 'a stranger' })
    expect((await ask({ uploadTid: tid, size: 5 }, stranger)).status).toBe(404)
    expect(await put(await addressOf(tid, 0, 5), '12345')).toBe(200)
    expect(await arrived(tid)).toBe('0')
    expect((await ask({ uploadTid: tid, size: 5 })).text).toContain('chunk 0 has arrived already')
    expect((await api.post(`${dam}${kinds.asset}/start`, { path: '/MAM/boats/x', checksum: 'x' })).status).toBe(400)
    await api.get(`${dam}${kinds.asset}/${tid}`, { method: 'DELETE' })
  })

  test('chunks of unfinished uploads are deleted, also those that arrive after the upload has ended', async () => {
    const params = { path: '/MAM/boats/late.txt', tid: 'late' }
    const [ended, abandoned] = [await start(params), await start({ path: '/MAM/boats/never.txt' })]
    const address = await addressOf(ended, 0, 5)
    expect(await put(address, 'first')).toBe(200)
    expect((await finish(ended, params)).status).toBe(200)
    expect(await put(address, 'again')).toBe(url ? 200 : 404)
    expect(await put(await addressOf(abandoned, 0, 5), 'never')).toBe(200)
    await api.db.run(sql`update upload set expires_at = now() - interval '1 second' where id = ${abandoned}`)
    expect((await finish(abandoned, { path: '/MAM/boats/never.txt' })).status).toBe(404)
    await collect(api.db, blobs(), -1)
    expect(await leftovers()).toEqual([])
    expect((await contentOf('late')).toString()).toBe('first')
    await performAssets({ type: 'delete', tid: 'late' })
  })

  test.runIf(url)('reserved chunks count towards the maximum file size', async () => {
    const tid = await start({ path: '/MAM/boats/huge.bin' })
    const size = 15_000_000
    const [first, again] = [await addressOf(tid, 0, size), await addressOf(tid, 0, size)]
    expect(new URL(again).pathname, 'asked again, it is the same place').toBe(new URL(first).pathname)
    expect(new URL(await addressOf(tid, 0, 5)).pathname).not.toBe(new URL(first).pathname)
    await addressOf(tid, 1, size)
    expect((await ask({ uploadTid: tid, chunkId: 2, size })).status).toBe(413)
    const before = api.statements.length
    await arrived(tid)
    const few = api.statements.length - before
    for (let number = 2; number < 30; number++) expect(await put(await addressOf(tid, number, 2), 'no')).toBe(200)
    const middle = api.statements.length
    expect(await arrived(tid)).toBe('2-29')
    expect(api.statements.length - middle).toBe(few)
    await api.get(`${dam}${kinds.asset}/${tid}`, { method: 'DELETE' })
    expect(await leftovers()).toEqual([])
  })
})
