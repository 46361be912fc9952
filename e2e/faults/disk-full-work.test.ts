/**
 * A full, read-only or broken disk at every write of work that no client waits for, and of renditions: it fails, and is whole
 * as soon as it is done again. What counts as done survives a loss of power.
 */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../server/src/adapters/postgres/sql.ts'
import { takeBackup } from '../../server/src/backup/backup.ts'
import { blobFile, readManifest } from '../../server/src/backup/manifest.ts'
import { verifyBackup } from '../../server/src/backup/verify.ts'
import { blobsOf, bytesOf, dam, makeDirs, picture, recordOf, upload } from '../../server/test/files.ts'
import { withServer } from '../../server/test/server.ts'
import { failed, wrapDisk } from './disk.ts'
import { losePower } from './loss.ts'

const outside = mkdtempSync(join(tmpdir(), 'kontor-full-'))
const [control, journal, folder] = ['control', 'journal', 'disk'].map((name) => join(outside, name)) as [string, string, string] // prettier-ignore
const archive = join(folder, 'archive')
const api = withServer({ KONTOR_DATA: join(folder, 'data'), KONTOR_ARCHIVE: archive, KONTOR_BLOBS: '' })
beforeAll(async () => {
  await makeDirs(api, '/MAM/full')
  wrapDisk({ folder, control, journal })
})
afterAll(() => rmSync(outside, { recursive: true }))

const codes = ['ENOSPC', 'EROFS', 'EIO']
const hasFailed = () => readFileSync(journal, 'utf8').includes(`["${failed}"`)
const lost = () => losePower(journal).filter((what) => !/(blobs|archive)\/tmp\//.test(what)) // the spools

interface Disk {
  /** From now on one write to a path that contains the text fails. */
  fails(part?: string): void
  /** The disk is right again. Returns whether a write has failed. */
  again(): boolean
}

/** Repeats work, each time with another write that fails, until none does. Returns how many could fail. */
async function atEachWrite(code: string, work: (disk: Disk, n: number) => Promise<void>): Promise<number> {
  for (let n = 1; ; n++) {
    let isFound = false
    const again = () => {
      rmSync(control, { force: true })
      return (isFound ||= hasFailed()) // losePower empties the journal
    }
    const fails = (part = '') => {
      writeFileSync(journal, '')
      writeFileSync(control, `${code} #${n} ${part} ${Math.random()}`)
    }
    again()
    await work({ fails, again }, n)
    if (!isFound) return n - 1
  }
}

const run = (name: string, payload: object = {}) =>
  api.app.jobs[name]!(payload as never, new AbortController().signal, 1).then(
    () => 'done',
    (error: Error) => error.message,
  )
const rowOf = async (tid: string) =>
  (await api.db.row<{ id: number; status: string; tier: string }>(sql`
    select e.id, e.import_status as status, b.tier from dam_entry e join blob b on b.sha256 = e.sha256
    where e.tid = ${tid}`))!
const store = async (tid: string, bytes: Buffer | string) =>
  expect(recordOf(await upload(api, { path: `/MAM/full/${tid}`, tid }, bytes)).status).toBe('SUCCESS')

describe.each(codes)('writes that fail with %s', (code) => {
  test('refuse a rendition, which is made when it is asked for again', async () => {
    await store(`${code}-drawn.png`, await picture(80, 60 + codes.indexOf(code), 'png'))
    const writes = await atEachWrite(code, async ({ fails, again }, n) => {
      const get = () => bytesOf(api, `/renditions/bin?assetTid=${code}-drawn.png&width=${10 + n}`)
      fails()
      const { status } = await get()
      if (again()) expect(status).toBe(503)
      expect((await get()).status).toBe(200)
      expect(lost()).toEqual([])
      expect((await get()).status).toBe(200)
    })
    expect(writes).toBeGreaterThan(3)
  })

  test('delay previews', async () => {
    const writes = await atEachWrite(code, async ({ fails, again }, n) => {
      const tid = `${code}-${n}.png`
      await store(tid, await picture(30 + n, 20 + codes.indexOf(code), 'png'))
      const { id } = await rowOf(tid)
      fails()
      const outcome = await run('dam.previews', { assetId: id })
      if (again()) {
        expect([outcome, (await rowOf(tid)).status]).toEqual([expect.stringContaining(code), 'running'])
        await run('dam.previews', { assetId: id })
      }
      expect((await rowOf(tid)).status).toBe('available')
      expect(lost()).toEqual([])
      expect((await bytesOf(api, `/assets/bin?assetTid=${tid}&format=preview`)).status).toBe(200)
    })
    expect(writes).toBeGreaterThan(3)
  })

  test('delay the archive, and the way back', async () => {
    const perform = (type: string, tid: string) =>
      api.post(`${dam}/assets/perform`, {
        schemaVersion: '5.6.0',
        actions: { action: [{ type, dataType: 'asset', tid }] },
      })
    const writes = { archive: 0, unarchive: 0 }
    for (const type of ['archive', 'unarchive'] as const) {
      writes[type] = await atEachWrite(code, async ({ fails, again }, n) => {
        const tid = `${code}-${type}-${n}`
        await store(tid, `content of ${tid}`)
        await perform('archive', tid)
        if (type === 'unarchive') await run('dam.archive')
        if (type === 'unarchive') await perform(type, tid)
        fails()
        const outcome = await run('dam.archive')
        if (again()) {
          expect(outcome).toContain(code)
          expect(await run('dam.archive')).toBe('done')
        }
        expect((await rowOf(tid)).tier).toBe(type === 'archive' ? 'archive' : 'main')
        expect(lost()).toEqual([])
        if (type === 'archive') await perform('unarchive', tid)
        if (type === 'archive') await run('dam.archive')
        expect((await bytesOf(api, `/assets/bin?assetTid=${tid}`)).bytes.toString()).toBe(`content of ${tid}`)
      })
    }
    expect(writes.archive).toBeGreaterThan(3)
    expect(writes.unarchive).toBeGreaterThan(3)
  })
})

test.each(['records', 'files', 'manifest'])(
  'a full disk at any write to the %s of a backup breaks it; an earlier one stays whole, and the next one is',
  async (what) => {
    const target = join(folder, `backup-${what}`)
    const take = () =>
      takeBackup(api.db, blobsOf(api), target).then(
        ({ run }) => run,
        ({ message }: Error) => message,
      )
    let earlier = await take()
    const writes = await atEachWrite('ENOSPC', async ({ fails, again }, n) => {
      const content = `content of ${what}-${n}`
      await store(`${what}-${n}`, content)
      const file = relative(target, blobFile(target, createHash('sha256').update(content).digest('hex')))
      fails({ records: 'blob.copy.gz', files: dirname(file), manifest: 'manifest.json' }[what])
      const outcome = await take()
      if (again()) {
        expect(outcome).toContain('is not complete')
        expect((await readManifest(target)).run).toBe(earlier)
        expect((await verifyBackup(target)).faults).toEqual([])
      }
      earlier = again() ? await take() : outcome
      expect(lost()).toEqual([])
      expect((await readManifest(target)).run).toBe(earlier)
      expect((await verifyBackup(target)).faults).toEqual([])
    })
    expect(writes).toBeGreaterThan(2)
  },
)
