/** Unreferenced bytes are deleted after a grace period; referenced ones are kept; damaged ones are found. */
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeAll, expect, test } from 'vitest'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { commands } from '../../admin/admin.ts'
import {
  blobsOf,
  bytesOf,
  dam,
  damage,
  form,
  makeDirs,
  payloadPart,
  recordOf,
  storedFiles,
  upload,
} from '../../../test/files.ts'
import { inFolder, onS3 } from '../../../test/s3.ts'
import { withServer } from '../../../test/server.ts'
import { blockCollector } from './blobs.sql.ts'
import { collect, type Finding, scrub } from './collect.ts'
import { commitWithBlobs } from './storing.ts'

const api = withServer()
let blobs: Blobs
beforeAll(async () => {
  await makeDirs(api, '/MAM/boats')
  blobs = blobsOf(api)
})
const hashOf = async (tid: string) =>
  (await api.db.row<{ sha256: string }>(sql`select sha256 from dam_entry where tid = ${tid}`))!.sha256
/** Makes everything stored so far old. Objects on S3 keep their age. */
async function age(): Promise<void> {
  await api.db.run(sql`update blob set touched_at = touched_at - interval '2 days'`)
  const old = new Date(Date.now() - 2 * 86_400_000)
  for (const file of onS3 ? [] : await storedFiles(api)) utimesSync(join(api.config.data, 'blobs', file), old, old)
}

test('replaced bytes are deleted after the grace period and not before', async () => {
  await upload(api, { path: '/MAM/boats/a.txt', tid: 'a' }, 'before')
  const before = await hashOf('a')
  await upload(api, { path: '/MAM/boats/a.txt', doOverwrite: true }, 'after')
  expect(await collect(api.db, blobs, 1440)).toMatchObject({ blobs: 0, orphans: 0 })
  expect(await blobs.has(before, 6)).toBe(true)
  await age()
  expect(await collect(api.db, blobs, 1440)).toMatchObject({ blobs: 1 })
  expect(await blobs.has(before, 6)).toBe(false)
  expect((await bytesOf(api, '/assets/bin?assetTid=a')).bytes.toString()).toBe('after')
})

test('bytes of versions and duplicates are kept', async () => {
  await upload(api, { path: '/MAM/boats/b.txt', tid: 'b' }, 'kept')
  await upload(api, { tid: 'b' }, 'newer', { to: '/assets/versions/bin/persist' })
  await age()
  expect(await collect(api.db, blobs, 1440)).toMatchObject({ blobs: 0, orphans: 0 })
  expect(await scrub(api.db, blobs, () => expect.unreachable())).toBeGreaterThan(1)
})

inFolder('bytes without a row, chunks without an upload and broken spool files are swept', async () => {
  const spool = join(api.config.data, 'blobs', 'tmp', 'broken')
  const staged = await blobs.stage(
    (async function* () {
      yield Buffer.from('orphan')
    })(),
    100,
  )
  await blobs.keep(staged)
  writeFileSync(spool, 'half')
  const { tid } = recordOf(await api.post(`${dam}/assets/bin/chunked/start`, { path: '/MAM/boats/late.txt' }))
  const { body, type } = form({ name: 'chunkId', value: '0' }, payloadPart('chunk'))
  await api.post(`${dam}/assets/bin/chunked/upload/${tid}`, body, { type })
  await age()
  expect(await collect(api.db, blobs, 1440)).toMatchObject({ orphans: 1, uploads: 0, spooled: 1 })
  expect((await blobs.uploads()).has(tid)).toBe(true)
  await api.db.run(sql`update upload set expires_at = now() - interval '1 second'`)
  expect(await collect(api.db, blobs, 1440)).toMatchObject({ uploads: 1 })
  expect(await blobs.uploads()).toEqual(new Map())
})

test('a version is deleted after its timeout', async () => {
  await upload(api, { path: '/MAM/boats/c.txt', tid: 'c' }, '1')
  await upload(api, { tid: 'c', timeoutDate: '2020-01-01' }, '2', { to: '/assets/versions/bin/persist' })
  await upload(api, { tid: 'c', timeoutDate: '2020-01-01', protectedBeforeDate: '2039-01-01' }, '3', {
    to: '/assets/versions/bin/persist',
  })
  await collect(api.db, blobs, 1440)
  const { json } = await api.post(`${dam}/assets/versions/retrieve`, { tids: ['c'] })
  expect(json.versions.version).toHaveLength(1)
})

test('nothing is collected while a file is stored or a backup runs', async () => {
  const staged = await blobs.stage(
    (async function* () {
      yield Buffer.from('in the making')
    })(),
    100,
  )
  await blobs.keep(staged)
  await age()
  await api.db.transaction(async (db) => {
    await blockCollector(db)
    expect(await collect(api.db, blobs, 0)).toMatchObject({ blobs: 0, orphans: 0 })
  })
  expect(await collect(api.db, blobs, 0)).toMatchObject({ orphans: 1 })
})

inFolder(
  'an upload whose bytes are collected before its row is committed is refused, and succeeds when it is repeated',
  async () => {
    const stage = () => blobs.stage(Readable.from([Buffer.from('taken away')]), 100)
    const staged = await stage()
    const taken = commitWithBlobs(blobs, [staged], async (registerBlobs) => {
      await blobs.remove(staged.sha256)
      await api.db.transaction(registerBlobs)
    })
    await expect(taken).rejects.toMatchObject({ kind: 'unavailable' })
    await commitWithBlobs(blobs, [await stage()], (registerBlobs) => api.db.transaction(registerBlobs))
    expect(await blobs.has(staged.sha256, staged.size)).toBe(true)
  },
)

test('concurrent uploads and collection leave no row without its bytes', async () => {
  const stop = { now: false }
  const collecting = (async () => {
    while (!stop.now) await collect(api.db, blobs, 0)
  })()
  const statuses = []
  for (let i = 0; i < 40; i++) {
    const replies = await Promise.all(
      [0, 1].map((j) => upload(api, { path: `/MAM/boats/race ${j}.txt`, doOverwrite: true }, `content ${i % 3}`)),
    )
    statuses.push(...replies.map(({ status }) => status))
  }
  stop.now = true
  await collecting
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(40)
  expect(statuses.filter((status) => ![200, 503].includes(status))).toEqual([])
  const findings: Finding[] = []
  await scrub(api.db, blobsOf(api), (finding) => findings.push(finding))
  expect(findings).toEqual([])
})

test('scrub reports damaged and missing blobs and the assets that use them; a damaged file is not sent completely', async () => {
  await upload(api, { path: '/MAM/boats/d.txt', tid: 'd' }, 'to be damaged')
  await upload(api, { path: '/MAM/boats/e.txt', tid: 'e' }, 'to be lost')
  const [damaged, missing] = [await hashOf('d'), await hashOf('e')]
  await damage(api, damaged, Buffer.from('to be damagedx'))
  await blobs.remove(missing)
  const findings: Finding[] = []
  await scrub(api.db, blobs, (finding) => findings.push(finding))
  expect(findings).toContainEqual({ sha256: damaged, fault: 'damaged', assets: ['d'] })
  expect(findings).toContainEqual({ sha256: missing, fault: 'missing', assets: ['e'] })
  expect((await bytesOf(api, '/assets/bin?assetTid=e')).status).toBe(500)
  expect((await bytesOf(api, '/assets/bin?assetTid=d')).status).toBe(500)
  await upload(api, { path: '/MAM/boats/f.txt' }, 'to be damaged')
  expect((await bytesOf(api, '/assets/bin?assetTid=d')).bytes.toString()).toBe('to be damaged')
})

test('the kontor command scrubs, collects and adds storages', async () => {
  const env = {
    KONTOR_DATA: api.config.data,
    DATABASE_URL: api.db.pool.options.connectionString!,
    KONTOR_BLOBS: api.config.blobs ?? '',
  }
  const lines: string[] = []
  const run = (name: string, ...args: string[]) => commands.get(name)!.run(args, env, (line) => lines.push(line))
  expect(await run('scrub')).toBe(1)
  expect(await run('files collect')).toBe(0)
  expect(await run('rncs add', 'ARCHIVE', 'The archive')).toBe(0)
  expect(lines.join('\n')).toMatch(/1 of \d+ files are not whole[^]*Removed: [^]*The storage ARCHIVE is there/)
  expect((await upload(api, { path: '/ARCHIVE/x.txt' }, 'x')).status).toBe(200)
})
