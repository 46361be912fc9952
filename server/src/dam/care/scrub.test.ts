/** The regular read of all stored files: what it finds, marks and reports, and how files are repaired. */
import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../adapters/postgres/sql.ts'
import { commands } from '../../admin/admin.ts'
import { blobsOf, bytesOf, dam, damage, makeDirs, upload } from '../../../test/files.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const care = '/api/v1/care'
const admin = () => ({ token: api.adminToken })
beforeAll(async () => {
  await makeDirs(api, '/MAM/kept')
  for (const tid of ['a', 'b', 'c', 'd']) await upload(api, { path: `/MAM/kept/${tid}.txt`, tid }, `content of ${tid}`)
})
const hashOf = async (tid: string) =>
  (await api.db.row<{ sha256: string }>(sql`select sha256 from dam_entry where tid = ${tid}`))!.sha256
const scrub = (stop = new AbortController().signal) => api.app.jobs['dam.scrub']!({} as never, stop)
const last = async () => {
  const [{ id }] = (await api.get(`${care}/scrubs`, admin())).json.runs
  return (await api.get(`${care}/scrubs/${id}`, admin())).json
}
const start = () => api.post(`${care}/scrubs`, undefined, admin())
const download = (tid: string) => api.get(`${dam}/assets/bin?assetTid=${tid}`)

test('the first run begins by itself, reads every file and finds them whole', async () => {
  await scrub()
  const run = await last()
  expect(run).toMatchObject({ startedBy: 'system', files: 4, bytes: 48, missing: 0, damaged: 0, unreferenced: 0 })
  expect(run.endedAt).toBeDefined()
  await scrub()
  expect((await api.get(`${care}/scrubs`, admin())).json.runs, 'the next one is not due yet').toHaveLength(1)
})

test('damaged and missing files are reported with their assets, marked and not sent; administrators are notified once', async () => {
  await bytesOf(api, '/assets/bin?assetTid=a') // the process has verified it before
  await damage(api, await hashOf('a'), Buffer.from('content 0f a'))
  await blobsOf(api).remove(await hashOf('b'))
  expect((await start()).status).toBe(200)
  expect((await start()).status, 'one at a time').toBe(409)
  await scrub()
  const run = await last()
  expect(run).toMatchObject({ startedBy: 'ada', files: 4, missing: 1, damaged: 1, repaired: 0 })
  expect(run.findings.map(({ fault, uses }: { fault: string; uses: { path: string }[] }) => `${fault} ${uses[0]!.path}`).sort()).toEqual(['damaged /MAM/kept/a.txt', 'missing /MAM/kept/b.txt']) // prettier-ignore
  for (const tid of ['a', 'b']) {
    const reply = await download(tid)
    expect([reply.status, reply.text]).toEqual([409, expect.stringContaining('missing or damaged')])
  }
  const { json } = await api.post(`${dam}/assets/retrieve`, { tids: ['a'] })
  expect(JSON.stringify(json.assets.asset[0].meta)).toContain('"damaged"')
  expect((await api.get(care, admin())).json.scrub).toMatchObject({ days: 30, faults: 2 })
  await start()
  await scrub()
  const subjects = (await api.get('/api/core/v1/common/messages', admin())).json.messages.map(({ subject }: { subject: string }) => subject) // prettier-ignore
  expect(subjects.filter((one: string) => /damaged/.test(one))).toEqual(['2 stored files are damaged'])
  expect((await api.get(`${care}/held`, admin())).json.files).toHaveLength(2)
})

test('uploading the same content again repairs a file of the same size, and all assets with it', async () => {
  for (const tid of ['a', 'b']) await upload(api, { path: `/MAM/kept/again ${tid}.txt` }, `content of ${tid}`)
  for (const tid of ['a', 'b']) expect((await bytesOf(api, `/assets/bin?assetTid=${tid}`)).bytes.toString()).toBe(`content of ${tid}`) // prettier-ignore
  await start()
  await scrub()
  expect(await last()).toMatchObject({ damaged: 0, missing: 0 })
  expect((await api.get(`${care}/held`, admin())).json.files ?? []).toEqual([])
})

test('a run goes on at its position after a restart', async () => {
  await start()
  await scrub(AbortSignal.abort())
  expect((await last()).endedAt).toBeUndefined()
  const [first] = await api.db.rows<{ sha256: string }>(sql`select sha256 from blob order by sha256 limit 1`)
  await api.db.run(sql`update scrub_run set position = ${first!.sha256}, files = 1 where ended_at is null`)
  await Promise.all([scrub(), scrub()])
  const run = await last()
  expect([run.files, run.endedAt !== undefined]).toEqual([4, true])
})

test('a release does not help a damaged file, and only administrators see reports', async () => {
  await damage(api, await hashOf('c'), Buffer.from('content 0f c'))
  await start()
  await scrub()
  const release = { release: [await hashOf('c')], reason: 'why not' }
  const { outcomes } = (await api.post(`${care}/held`, release, admin())).json
  expect(outcomes).toMatchObject([{ outcome: 'refused', problem: expect.stringContaining('upload the same file again') as string }]) // prettier-ignore
  for (const call of [api.get(`${care}/scrubs`), api.get(`${care}/scrubs/1`), api.post(`${care}/scrubs`)])
    expect((await call).status).toBe(403)
  expect((await api.get(`${care}/scrubs/999`, admin())).status).toBe(404)
  const lines: string[] = []
  const env = { KONTOR_DATA: api.config.data, DATABASE_URL: api.db.pool.options.connectionString!, KONTOR_BLOBS: api.config.blobs ?? '' } // prettier-ignore
  expect(await commands.get('scrub report')!.run([], env, (line) => lines.push(line))).toBe(1)
  expect(lines.join('\n')).toMatch(/is damaged; used by c[^]*1 of 4 files are not whole/)
  expect((await api.get('/metrics')).text).toMatch(/kontor_file_faults [1-9]/)
})
