/**
 * The check for viruses over HTTP. It runs with a fake of clamd, and with the real one that KONTOR_TEST_CLAMAV names
 * (`npm run test:clamav`), which knows the EICAR test string.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sql } from '../../adapters/postgres/sql.ts'
import { eicar, type FakeClamd, startFakeClamd } from '../../../test/fake-clamd.ts'
import {
  bytesOf,
  dam,
  damage,
  form,
  makeDirs,
  payloadPart,
  picture,
  recordOf,
  unzip,
  upload,
} from '../../../test/files.ts'
import { type TestServer, withServer } from '../../../test/server.ts'

const real = process.env.KONTOR_TEST_CLAMAV
const clamd: FakeClamd = await startFakeClamd()
afterAll(() => clamd.stop())
const withFake = test.runIf(real === undefined)
const care = '/api/v1/care'

/** Runs the job as a worker would. */
const scan = (api: TestServer) => api.app.jobs['dam.scan']!({} as never, new AbortController().signal)
const statusOf = async (api: TestServer, tid: string) => (await bytesOf(api, `/assets/bin?assetTid=${tid}`)).status
const metaOf = async (api: TestServer, tid: string, key: string) => {
  const { json } = await api.post(`${dam}/assets/retrieve`, { tids: [tid] })
  const itms: { key: string; value: string }[] = json.assets.asset[0].meta.itm
  return itms.find((itm) => itm.key === key)?.value
}
const asAdmin = (api: TestServer) => ({ token: api.adminToken })
const held = async (api: TestServer) => (await api.get(`${care}/held`, asAdmin(api))).json.files ?? []

describe('with a virus scanner', () => {
  const api = withServer({
    KONTOR_CLAMAV: real ?? clamd.url,
    KONTOR_CLAMAV_SECONDS: '2',
    KONTOR_CLAMAV_MAX_BYTES: '200000',
  })
  beforeAll(() => makeDirs(api, '/MAM/in'))

  test('a new file waits until it is checked; then it is available and its previews are made', async () => {
    await upload(api, { path: '/MAM/in/a.jpg', tid: 'a' }, await picture(300, 200))
    const refused = await api.get(`${dam}/assets/bin?assetTid=a`)
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('not been checked')])
    expect(await metaOf(api, 'a', 'contentStatus')).toBe('unchecked')
    expect((await api.post(`${dam}/assets/presigned-url`, { tid: 'a' })).status).toBe(403)
    expect(
      (await api.post(`${dam}/assets/bin/retrieve`, { tids: ['a'], formats: ['original', 'preview'] })).status,
    ).toBe(409)
    const [{ id }] = await api.db.rows<{ id: number }>(sql`select id from dam_entry where tid = 'a'`) as [{ id: number }] // prettier-ignore
    await api.app.jobs['dam.previews']!({ assetId: id } as never, new AbortController().signal)
    expect(await metaOf(api, 'a', 'importStatus')).toBe('pending')
    await scan(api)
    expect(await statusOf(api, 'a')).toBe(200)
    expect(await metaOf(api, 'a', 'contentStatus')).toBeUndefined()
    const [job] = await api.db.rows(sql`select from graphile_worker.jobs where task_identifier = 'dam.previews'`)
    expect(job).toBeDefined()
  })

  test('infected content is in quarantine for everybody, and its uploader and administrators are notified', async () => {
    await upload(api, { path: '/MAM/in/virus.txt', tid: 'virus' }, eicar)
    await upload(api, { path: '/MAM/in/copy.txt', tid: 'copy' }, eicar)
    await scan(api)
    const refused = await api.get(`${dam}/assets/bin?assetTid=virus`)
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringMatching(/quarantine, because it contains .*eicar/i),
    ])
    expect(await statusOf(api, 'copy')).toBe(403)
    for (const [path, body] of [
      ['/assets/presigned-url', { tid: 'virus' }],
      ['/assets/presigned-url', { tids: ['virus', 'copy'] }],
      ['/assets/bin/retrieve', { tids: ['virus', 'copy'] }],
    ] as const)
      expect((await api.post(dam + path, body)).status).toBe(403)
    const url = `${dam}/assets/bin/retrieve`
    const headers = { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' }
    const some = await api.app.http.inject({ method: 'POST', url, headers, payload: { tids: ['virus', 'a'] } })
    const zip = await unzip(some.rawPayload)
    expect(Object.keys(zip)).toEqual(['a/a_original.jpg', 'not-included.txt'])
    expect(String(zip['not-included.txt'])).toMatch(/^\/MAM\/in\/virus\.txt: .*quarantine/)
    const messages = async (token: string) => (await api.get('/api/core/v1/common/messages', { token })).text
    expect(await messages(api.token)).toContain('in quarantine')
    expect(await messages(api.adminToken)).toContain('in quarantine')
    expect(await held(api)).toEqual([
      expect.objectContaining({ state: 'infected', uses: [expect.objectContaining({ path: '/MAM/in/virus.txt' }), expect.objectContaining({ tid: 'copy' })] }), // prettier-ignore
    ])
    const events = await api.db.rows(sql`select from audit_event where action = 'file.quarantine'`)
    expect(events).toHaveLength(1)
  })

  test('an infected version, chunked upload and replacement are found as well', async () => {
    await upload(api, { path: '/MAM/in/v.txt', tid: 'v' }, 'first')
    await upload(api, { tid: 'v' }, `${eicar} version`, { to: '/assets/versions/bin/persist' })
    await upload(api, { path: '/MAM/in/r.txt', tid: 'r' }, 'first')
    const { tid } = recordOf(await api.post(`${dam}/assets/bin/chunked/start`, { path: '/MAM/in/c.txt', tid: 'c' }))
    for (const [number, bytes] of [eicar.slice(0, 30), `${eicar.slice(30)} chunked`].entries()) {
      const { body, type } = form({ name: 'chunkId', value: String(number) }, payloadPart(bytes))
      await api.post(`${dam}/assets/bin/chunked/upload/${tid}`, body, { type })
    }
    expect(
      (
        await api.post(
          `${dam}/assets/bin/chunked/persist/${tid}`,
          { path: '/MAM/in/c.txt', tid: 'c' },
          { method: 'PUT' },
        )
      ).status,
    ).toBe(200)
    await scan(api)
    expect(await statusOf(api, 'r')).toBe(200)
    await upload(api, { path: '/MAM/in/r.txt', doOverwrite: true }, `${eicar} replaced`)
    expect(await statusOf(api, 'r')).toBe(409)
    await scan(api)
    expect([await statusOf(api, 'v'), await statusOf(api, 'r'), await statusOf(api, 'c')]).toEqual([403, 403, 403])
  })

  test('equal content is checked once', async () => {
    await upload(api, { path: '/MAM/in/once.txt', tid: 'once' }, 'checked once')
    await scan(api)
    const before = clamd.scans
    await upload(api, { path: '/MAM/in/twice.txt', tid: 'twice' }, 'checked once')
    expect(await statusOf(api, 'twice')).toBe(200)
    await scan(api)
    expect(clamd.scans).toBe(before)
  })

  test('a file beyond the size that is sent is marked and available', async () => {
    await upload(api, { path: '/MAM/in/large.bin', tid: 'large' }, Buffer.alloc(200_001))
    await scan(api)
    expect(await statusOf(api, 'large')).toBe(200)
    const [row] = await api.db.rows(sql`select scan from blob where size = 200001`)
    expect(row).toEqual({ scan: 'tooLarge' })
  })

  test('only administrators see and decide, and a release needs a reason and leaves an audit row', async () => {
    await upload(api, { path: '/MAM/in/false.txt', tid: 'false' }, `${eicar} not really`)
    await scan(api)
    const { sha256 } = (await api.db.row<{ sha256: string }>(sql`select sha256 from dam_entry where tid = 'false'`))!
    for (const call of [
      api.get(care),
      api.get(`${care}/held`),
      api.post(`${care}/held`, { release: [sha256], reason: 'please' }),
      api.post(`${care}/scans`),
    ])
      expect((await call).status).toBe(403)
    expect((await api.post(`${care}/held`, { release: [sha256] }, asAdmin(api))).status).toBe(400)
    expect((await api.post(`${care}/held`, {}, asAdmin(api))).status).toBe(400)
    const { json } = await api.post(`${care}/held`, { release: [sha256, 'f'.repeat(64)], reason: 'a test file' }, asAdmin(api)) // prettier-ignore
    expect(json.outcomes).toEqual([
      { sha256, outcome: 'released' },
      expect.objectContaining({ outcome: 'refused', problem: expect.stringContaining('no held file') as string }),
    ])
    expect(await statusOf(api, 'false')).toBe(200)
    const [event] = await api.db.rows<{ detail: string }>(
      sql`select detail from audit_event where action = 'file.release'`,
    )
    expect(event!.detail).toContain('a test file')
    expect((await api.post(`${care}/scans`, undefined, asAdmin(api))).status).toBe(200)
    await scan(api)
    expect(await statusOf(api, 'false'), 'the decision is kept').toBe(200)
    expect(await statusOf(api, 'virus')).toBe(403)
  })

  test('a removed file goes to the trash, with its versions and deliveries', async () => {
    const { sha256 } = (await api.db.row<{ sha256: string }>(sql`select sha256 from dam_entry where tid = 'virus'`))!
    const { json } = await api.post(`${care}/held`, { remove: [sha256] }, asAdmin(api))
    expect(json.outcomes).toEqual([{ sha256, outcome: 'removed' }])
    expect([await statusOf(api, 'virus'), await statusOf(api, 'copy')]).toEqual([404, 404])
  })

  test('a delivered file of an upload request is not accepted before it is checked', async () => {
    const page = { kind: 'upload', title: 'Deliver', folder: '/MAM/in', expiresAt: new Date(Date.now() + 86_400_000).toISOString() } // prettier-ignore
    const made = await api.post('/api/v1/shares', page, asAdmin(api))
    expect(made.status).toBe(200)
    const url = `${new URL(made.json.url).pathname}/files?name=d.txt`
    const headers = { 'content-type': 'application/octet-stream' }
    const sent = await api.app.http.inject({ method: 'POST', url, payload: `${eicar} delivered`, headers })
    expect(sent.statusCode).toBeLessThan(400)
    const [file] = await api.db.rows<{ id: number }>(sql`select id from share_file where name = 'd.txt'`)
    const decide = async () => (await api.post(`/api/v1/shares/${made.json.id}/files`, { accept: [file!.id] }, asAdmin(api))).json.outcomes[0] // prettier-ignore
    expect(await decide()).toMatchObject({ outcome: 'refused', problem: expect.stringContaining('not been checked') as string }) // prettier-ignore
    await scan(api)
    expect(await decide()).toMatchObject({ outcome: 'refused', problem: expect.stringContaining('quarantine') as string }) // prettier-ignore
  })

  withFake('while the scanner is away, uploads work, files wait, and /readyz names it', async () => {
    await clamd.stop()
    expect((await upload(api, { path: '/MAM/in/later.txt', tid: 'later' }, 'later')).status).toBe(200)
    await scan(api)
    expect(await statusOf(api, 'later')).toBe(409)
    const ready = async () => (await api.get('/readyz')).json
    await vi.waitFor(async () => expect(await ready()).toMatchObject({ status: 'degraded', checks: { scanner: 'missing' } }), { timeout: 20_000, interval: 200 }) // prettier-ignore
    expect((await api.get(care, asAdmin(api))).json.scanner).toMatchObject({ isReachable: false, waiting: 1 })
    await clamd.start()
    for (const mood of ['cuts', 'talks nonsense', 'silent'] as const) {
      clamd.mood = mood
      await scan(api)
      expect(await statusOf(api, 'later')).toBe(409)
    }
    clamd.mood = 'well'
    await scan(api)
    expect(await statusOf(api, 'later')).toBe(200)
  })

  test('a file that is damaged in the store keeps no other from being checked', async () => {
    await upload(api, { path: '/MAM/in/broken.txt', tid: 'broken' }, 'broken later')
    await upload(api, { path: '/MAM/in/behind.txt', tid: 'behind' }, 'waits behind it')
    const { sha256 } = (await api.db.row<{ sha256: string }>(sql`select sha256 from dam_entry where tid = 'broken'`))!
    await damage(api, sha256, Buffer.from('br0ken later'))
    await scan(api)
    expect([await statusOf(api, 'broken'), await statusOf(api, 'behind')]).toEqual([409, 200])
  })

  test('two jobs at the same time check each file once', async () => {
    for (let i = 0; i < 6; i++) await upload(api, { path: `/MAM/in/race ${i}.txt`, tid: `race ${i}` }, `race ${i}`)
    const before = clamd.scans
    await Promise.all([scan(api), scan(api), scan(api)])
    expect(await statusOf(api, 'race 5')).toBe(200)
    if (real === undefined) expect(clamd.scans - before).toBe(6)
  })
})

describe('with a scanner and files that do not wait', () => {
  const api = withServer({ KONTOR_CLAMAV: real ?? clamd.url, KONTOR_SCAN_UNCHECKED: 'allow', KONTOR_SCAN_TOO_LARGE: 'wait', KONTOR_CLAMAV_MAX_BYTES: '1024' }) // prettier-ignore
  test('unchecked files are available, infected and too large ones are not', async () => {
    await makeDirs(api, '/MAM/in')
    await upload(api, { path: '/MAM/in/a.txt', tid: 'a' }, eicar)
    await upload(api, { path: '/MAM/in/b.txt', tid: 'b' }, Buffer.alloc(2000))
    expect([await statusOf(api, 'a'), await statusOf(api, 'b')]).toEqual([200, 200])
    await scan(api)
    expect([await statusOf(api, 'a'), await statusOf(api, 'b')]).toEqual([403, 409])
  })
})

describe('without a scanner', () => {
  const api = withServer()
  test('files are not checked, and those that waited for one are available again', async () => {
    await makeDirs(api, '/MAM/in')
    await upload(api, { path: '/MAM/in/a.txt', tid: 'a' }, eicar)
    expect(await statusOf(api, 'a')).toBe(200)
    await api.db.run(sql`update blob set scan = 'waiting', held = 'unchecked'`)
    expect(await statusOf(api, 'a')).toBe(409)
    await scan(api)
    expect(await statusOf(api, 'a')).toBe(200)
    expect((await api.post(`${care}/scans`, undefined, asAdmin(api))).status).toBe(409)
  })
})
