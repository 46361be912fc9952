/** While a part of the system is away, the rest works, and /readyz names the part. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { startFakeS3 } from '../../test/fake-s3.ts'
import { bytesOf, dam, makeDirs, upload } from '../../test/files.ts'
import { inFolder } from '../../test/s3.ts'
import { type TestServer, withServer } from '../../test/server.ts'

const keywords = '/api/core/v1/common/keywords'
const keyword = (value: string) => ({ schemaVersion: '5.6.0', kwds: { kwd: [{ name: { itm: [{ value }] } }] } })

/** /readyz caches its result for a second. */
const eventually = (work: () => Promise<void>) => vi.waitFor(work, { timeout: 20_000, interval: 200 })

const s3 = await startFakeS3()
const KONTOR_BLOBS = `s3://test:testtest@bucket?endpoint=${encodeURIComponent(s3.url)}`

describe('while the S3 server is away', () => {
  const api = withServer({ KONTOR_BLOBS })
  beforeAll(async () => {
    await makeDirs(api, '/MAM/away')
    await upload(api, { path: '/MAM/away/a.txt', tid: 'a' }, 'stored before')
    await s3.close()
  })

  test('calls about files are answered with 503, others work, and /readyz names the files', async () => {
    await expectDegraded(api, 'files')
    const sent = await upload(api, { path: '/MAM/away/b.txt', tid: 'b' }, 'not stored')
    expect([sent.status, sent.headers['retry-after']]).toEqual([503, '1'])
    expect(sent.text).toContain('files cannot be stored or read at the moment')
    expect((await bytesOf(api, '/assets/bin?assetTid=a')).status).toBe(503)
    expect((await api.post(`${dam}/assets/retrieve`, { tids: ['a'] })).status).toBe(200)
    expect((await api.post(`${dam}/assets/retrieve`, { tids: ['b'] })).status).toBe(404)
    await expectWorks(api)
  })
})

describe('while the folder of files cannot be used', () => {
  const api = withServer()
  inFolder('uploads are refused, the rest works, and it is ready again as soon as the folder is back', async () => {
    await makeDirs(api, '/MAM/away')
    const folder = join(api.config.data, 'blobs')
    await rm(folder, { recursive: true, force: true })
    await writeFile(folder, 'in its place')
    await expectDegraded(api, 'files')
    expect((await upload(api, { path: '/MAM/away/a.txt', tid: 'a' }, 'text')).status).toBe(503)
    await expectWorks(api)
    await rm(folder)
    await eventually(async () => expect((await api.get('/readyz')).json.status).toBe('ok'))
    expect((await upload(api, { path: '/MAM/away/a.txt', tid: 'a' }, 'text')).status).toBe(200)
  })
})

describe('while the search engine is away', () => {
  const api = withServer({ KONTOR_SEARCH: 'http://127.0.0.1:9/away' })
  test('searches are answered with 503, others work, and /readyz names the search', async () => {
    expect((await api.post('/api/v1/search', { context: { index: 'PRODUCT' } })).status).toBe(503)
    await expectDegraded(api, 'search')
    await expectWorks(api)
  })
})

async function expectDegraded(api: TestServer, part: string): Promise<void> {
  await eventually(async () => {
    const { status, json } = await api.get('/readyz')
    expect([status, json]).toEqual([
      200,
      { status: 'degraded', checks: { database: 'ok', files: 'ok', search: 'ok', [part]: 'missing' } },
    ])
  })
}
async function expectWorks(api: TestServer): Promise<void> {
  expect((await api.post(`${keywords}/persist`, keyword('Stored meanwhile'))).status).toBe(200)
}
