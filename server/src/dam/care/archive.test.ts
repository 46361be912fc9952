/** The archive: files move to a second store and come back, and no step loses one. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Blobs, folderBlobs, openBlobs } from '../../adapters/blobs/blobs.ts'
import { Missing } from '../../adapters/blobs/store.ts'
import { connect } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { createCallerNow } from '../../identity/users/present.ts'
import { blobsOf, bytesOf, dam, damage, makeDirs, picture, recordOf, upload } from '../../../test/files.ts'
import { s3Servers } from '../../../test/s3.ts'
import { withServer } from '../../../test/server.ts'
import { collect } from '../storage/collect.ts'
import { bothStores, moveWanted } from './archive.ts'
import { createCounts } from './counts.ts'
import { scrubSome } from './scrub.ts'

const folder = mkdtempSync(join(tmpdir(), 'kontor-archive-'))
afterAll(() => rmSync(folder, { recursive: true }))
const [, openS3] = s3Servers.find(([name]) => name === 'an S3 server') ?? []
const bucket = await openS3?.()
afterAll(() => bucket?.close())
/** On a real S3 server, if there is one. */
const address = bucket ? `${bucket.url}&public=none` : folder
const api = withServer({ KONTOR_ARCHIVE: address, KONTOR_ARCHIVE_MONTHS: '6' })
const archive = bucket ? openBlobs(address, folder) : folderBlobs(folder)
let main: Blobs
beforeAll(async () => {
  await makeDirs(api, '/MAM/old', '/MAM/old/deep', '/MAM/new')
  main = blobsOf(api)
})

const hashOf = async (tid: string) =>
  (await api.db.row<{ sha256: string }>(sql`select sha256 from dam_entry where tid = ${tid}`))!.sha256
const perform = async (type: string, ...tids: string[]) => {
  const actions = { action: tids.map((tid) => ({ type, dataType: 'asset', tid })) }
  return (await api.post(`${dam}/assets/perform`, { schemaVersion: '5.6.0', actions })).json.responses.response
}
const job = (name: string) => api.app.jobs[name]!({} as never, new AbortController().signal)
const move = () => job('dam.archive')
const whereIs = async (tid: string) => {
  const sha256 = await hashOf(tid)
  const { size } = (await api.db.row<{ size: number }>(sql`select size from blob where sha256 = ${sha256}`))!
  return [(await main.has(sha256, size)) && 'main', (await archive.has(sha256, size)) && 'archive']
    .filter(Boolean)
    .join()
}
const statusOf = async (tid: string) => (await bytesOf(api, `/assets/bin?assetTid=${tid}`)).status
const put = async (tid: string, content: string | Buffer = `content of ${tid}`, dir = 'old') =>
  expect(recordOf(await upload(api, { path: `/MAM/${dir}/${tid}`, tid, doPreviewsAsync: false }, content)).status).toBe('SUCCESS') // prettier-ignore
const admin = () => ({ token: api.adminToken })
const care = '/api/v1/care'

test('an archived file keeps its previews, says so, and comes back on demand with a message', async () => {
  await put('small.jpg', await picture(30, 20))
  expect(JSON.stringify(await perform('archive', 'small.jpg'))).toContain('would save nothing')
  await put('a.jpg', await picture(2000, 1500))
  expect(await perform('archive', 'a.jpg')).toMatchObject([{ status: 'SUCCESS' }])
  expect(await statusOf('a.jpg'), 'until it has moved').toBe(200)
  await move()
  expect(await whereIs('a.jpg')).toBe('archive')
  const refused = await api.get(`${dam}/assets/bin?assetTid=a.jpg`)
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('is in the archive; restore it')])
  expect((await bytesOf(api, '/assets/bin?assetTid=a.jpg&format=preview')).status).toBe(200)
  expect((await api.get(`${dam}/renditions/bin?assetTid=a.jpg&width=50`)).status).toBe(403)
  expect((await api.post(`${dam}/assets/presigned-url`, { tid: 'a.jpg' })).status).toBe(403)
  const { json } = await api.post(`${dam}/assets/retrieve`, { tids: ['a.jpg'] })
  expect(JSON.stringify(json.assets.asset[0].meta)).toContain('"archived"')
  expect((await api.get(care, admin())).json.archive).toMatchObject({ isConfigured: true, files: 1, months: 6 })
  expect(await perform('unarchive', 'a.jpg')).toMatchObject([{ status: 'SUCCESS' }])
  await move()
  expect(await statusOf('a.jpg')).toBe(200)
  expect((await api.get('/api/core/v1/common/messages')).text).toContain('Back from the archive: a.jpg')
})

test('content that other assets have is archived with all of them only; versions follow', async () => {
  await put('b1', 'shared content')
  await put('b2', 'shared content', 'new')
  const [refused] = await perform('archive', 'b1')
  expect(JSON.stringify(refused)).toContain('other files have the same content')
  await upload(api, { tid: 'b2' }, 'newer', { to: '/assets/versions/bin/persist' })
  expect(await perform('archive', 'b1')).toMatchObject([{ status: 'SUCCESS' }])
  await move()
  const { json } = await api.post(`${dam}/assets/versions/retrieve`, { tids: ['b2'] })
  expect((await bytesOf(api, `/assets/bin?versionTid=${json.versions.version[0].tid}`)).status).toBe(409)
  expect(await statusOf('b2')).toBe(200)
})

test('uploading the content of an archived file brings it back', async () => {
  await put('c')
  await perform('archive', 'c')
  await move()
  await upload(api, { path: '/MAM/new/c again' }, 'content of c')
  expect(await statusOf('c')).toBe(200)
  await collect(api.db, main, 0, archive)
  expect(await whereIs('c'), 'the copy in the archive is removed').toBe('main')
})

test('the message about a file names no other asset with its content that the user may not see', async () => {
  await put('hidden report', 'content of two folders')
  await put('my report', 'content of two folders', 'new')
  await perform('archive', 'hidden report', 'my report')
  await move()
  const grants = [{ kind: 'asset', actions: ['read', 'update'], scopes: { dir: ['/MAM/new'] } }]
  await api.post('/api/v1/identity/roles/newcomer', { grants }, { method: 'PUT', token: api.adminToken })
  const token = await api.tokenFor({ name: 'nora', roles: ['newcomer'] })
  const action = [{ type: 'unarchive', dataType: 'asset', tid: 'my report' }]
  const reply = await api.post(`${dam}/assets/perform`, { schemaVersion: '5.6.0', actions: { action } }, { token })
  expect(recordOf(reply).status, reply.text).toBe('SUCCESS')
  await move()
  const [message] = await api.db.rows(sql`select subject, parameters from message where recipient_user = 'nora'`)
  expect(message).toEqual({ subject: 'Back from the archive: my report', parameters: { assetTid: 'my report' } })
})

describe('a crash', () => {
  const services = () => ({ database: api.db, callerNow: api.app.identity.callerNow })
  const crash = () => Promise.reject(new Error('killed'))
  /** The store, with one function that never returns to its caller. */
  const dying = (store: Blobs, name: keyof Blobs): Blobs => ({ ...store, [name]: crash })
  // prettier-ignore
  const steps: readonly [step: string, stores: () => { main: Blobs; archive: Blobs }][] = [
    ['before the copy', () => ({ main: dying(main, 'reread'), archive })],
    ['while it is copied', () => ({ main, archive: dying(archive, 'keep') })],
    ['before the copy is compared', () => ({ main, archive: dying(archive, 'reread') })],
    ['before the first copy is removed', () => ({ main: dying(main, 'remove'), archive })],
  ]
  test.each(steps)('%s loses nothing, and the next job goes on', async (step, stores) => {
    await put(step)
    await perform('archive', step)
    await expect(moveWanted({ services: services(), stores: stores() })).rejects.toThrow('killed') // prettier-ignore
    expect(await whereIs(step)).not.toBe('')
    await collect(api.db, main, 0, archive)
    expect(await whereIs(step)).not.toBe('')
    await move()
    await collect(api.db, main, 0, archive)
    expect(await whereIs(step)).toBe('archive')
    await perform('unarchive', step)
    await expect(moveWanted({ services: services(), stores: { main: dying(main, 'keep'), archive } })).rejects.toThrow('killed') // prettier-ignore
    expect(await whereIs(step)).toBe('archive')
    await move()
    expect((await bytesOf(api, `/assets/bin?assetTid=${step}`)).bytes.toString()).toBe(`content of ${step}`)
  })

  test('nothing is removed from the main store that the archive does not really have', async () => {
    await put('lost')
    await api.db.run(sql`update blob set tier = 'archive' where sha256 = ${await hashOf('lost')}`)
    await collect(api.db, main, 0, archive)
    expect(await whereIs('lost')).toBe('main')
    await perform('unarchive', 'lost')
    await move()
    expect(await statusOf('lost')).toBe(200)
  })
})

describe('a store that is in trouble', () => {
  const services = () => ({ database: api.db, callerNow: api.app.identity.callerNow })
  /** Content whose hash begins with this digit: files move in the order of their hashes. */
  const contentAt = (digit: string) => {
    for (let i = 0; ; i++) if (createHash('sha256').update(`trouble ${i}`).digest('hex').startsWith(digit)) return `trouble ${i}` // prettier-ignore
  }

  test('a full archive keeps no file from coming back', async () => {
    await put('back', contentAt('f'))
    await perform('archive', 'back')
    await move()
    await put('away', contentAt('0'))
    await perform('archive', 'away')
    await perform('unarchive', 'back')
    const full = { ...archive, keep: () => Promise.reject(new Error('ENOSPC: no space left on device')) }
    await expect(moveWanted({ services: services(), stores: { main, archive: full } })).rejects.toThrow('ENOSPC')
    expect([await statusOf('back'), await whereIs('away')]).toEqual([200, 'main'])
    await move()
    expect(await whereIs('away')).toBe('archive')
  })

  test('orders wait for an archive whose volume is not mounted, and none of its files is reported as lost', async () => {
    await put('patient')
    await perform('archive', 'patient')
    await move()
    await perform('unarchive', 'patient')
    const missing = () => Promise.reject(new Missing('not mounted'))
    const unmounted = { ...archive, reread: missing, has: async () => false, async *list() {} }
    const stores = { main, archive: unmounted }
    await expect(moveWanted({ services: services(), stores })).rejects.toThrow('not mounted')
    await api.post(`${care}/scrubs`, undefined, admin())
    const scrubbing = { services: { database: api.db, config: api.config }, stores, counts: createCounts() }
    await expect(scrubSome(scrubbing)).rejects.toThrow('is its volume mounted?')
    await move()
    expect(await statusOf('patient')).toBe(200)
    await job('dam.scrub')
    const [run] = (await api.get(`${care}/scrubs`, admin())).json.runs
    expect(run).toMatchObject({ missing: 0, damaged: 0 })
  })

  test('a user who waits for a file that the archive has lost gets a message', async () => {
    await put('gone')
    await perform('archive', 'gone')
    await move()
    await perform('unarchive', 'gone')
    const lost = { ...archive, reread: () => Promise.reject(new Missing('gone')) }
    await moveWanted({ services: services(), stores: { main, archive: lost } })
    const { text } = await api.get('/api/core/v1/common/messages')
    expect(text).toContain('Not restored from the archive: gone')
    await perform('unarchive', 'gone')
    await move()
    expect(await statusOf('gone'), 'ordered again when its bytes are back').toBe(200)
  })

  test('a file comes back over a single connection to the database', async () => {
    await put('alone')
    await perform('archive', 'alone')
    await move()
    await perform('unarchive', 'alone')
    const single = connect({ ...api.db.pool.options, max: 1, connectionTimeoutMillis: 2000 })
    try {
      const callerNow = createCallerNow(single, async () => [{ kind: '*', actions: ['*'] }])
      await moveWanted({ services: { database: single, callerNow }, stores: { main, archive } })
    } finally {
      await single.close()
    }
    expect(await statusOf('alone')).toBe(200)
    expect((await api.get('/api/core/v1/common/messages')).text).toContain('Back from the archive: alone')
  })

  test('a file that moves while the regular read looks for it is not reported', async () => {
    await put('moving')
    await perform('archive', 'moving')
    const sha256 = await hashOf('moving')
    const moving = { ...main, reread: async (hash: string) => (hash === sha256 && (await move()), main.reread(hash)) }
    await api.post(`${care}/scrubs`, undefined, admin())
    const stores = { main: moving, archive }
    await scrubSome({ services: { database: api.db, config: api.config }, stores, counts: createCounts() })
    const [run] = (await api.get(`${care}/scrubs`, admin())).json.runs
    expect(run).toMatchObject({ missing: 0, damaged: 0 })
    expect((await api.get(`${dam}/assets/bin?assetTid=moving`)).text).toContain('is in the archive; restore it')
  })
})

test('uploads and moves of the same content at the same time leave every file readable or in the archive', async () => {
  await put('race')
  for (let i = 0; i < 8; i++) {
    await perform('archive', 'race')
    await Promise.all([move(), upload(api, { path: '/MAM/new/race again', doOverwrite: true }, 'content of race'), collect(api.db, main, 0, archive)]) // prettier-ignore
    const { tier } = (await api.db.row<{ tier: string }>(
      sql`select tier from blob where sha256 = ${await hashOf('race')}`,
    ))!
    expect((await whereIs('race')).split(',')).toContain(tier)
    await api.post(`${dam}/assets/perform`, { schemaVersion: '5.6.0', actions: { action: [{ type: 'delete', dataType: 'asset', path: '/MAM/new/race again' }] } }) // prettier-ignore
  }
})

test('a folder is archived with the folders below it, except for linked, recent and shared files', async () => {
  await put('f1', 'folder 1', 'old/deep')
  await put('f2', 'folder 2', 'old/deep')
  await put('f3', 'folder 3', 'old/deep')
  await put('f3 elsewhere', 'folder 3', 'new')
  await api.db.run(sql`update dam_entry set modified_at = now() - interval '2 years' where tid in ('f1', 'f3')`)
  await api.db.run(sql`update blob set touched_at = now() - interval '2 years' where size = 8`)
  const order = await api.post(`${care}/archive`, { folder: '/MAM/old', months: 12, onlyUnlinked: true }, admin())
  expect([order.status, order.json]).toEqual([200, { files: 1, bytes: 8 }])
  await move()
  expect([await whereIs('f1'), await whereIs('f2'), await whereIs('f3')]).toEqual(['archive', 'main', 'main'])
  expect((await api.post(`${care}/archive`, { folder: '/MAM/old/deep', restore: true }, admin())).json.files).toBe(1)
  await move()
  expect(await whereIs('f1')).toContain('main')
  expect((await api.post(`${care}/archive`, { folder: '/MAM/nowhere' }, admin())).status).toBe(404)
  expect((await api.post(`${care}/archive`, { folder: '/MAM/old' })).status).toBe(403)
})

test('the policy archives what nobody has needed for months, and a download counts as need', async () => {
  await put('p1')
  await put('p2')
  await bytesOf(api, '/assets/bin?assetTid=p2')
  await api.db.run(sql`update dam_entry set modified_at = now() - interval '1 year' where tid in ('p1', 'p2')`)
  await api.db.run(sql`update blob set touched_at = now() - interval '1 year' where sha256 in (select sha256 from dam_entry where tid in ('p1', 'p2'))`) // prettier-ignore
  await job('dam.archive.policy')
  await move()
  expect([await whereIs('p1'), await whereIs('p2')]).toEqual(['archive', 'main'])
})

test('the regular read also reads the archive, and repairs a damaged file by a copy there', async () => {
  const sha256 = await hashOf('p2')
  await archive.keep(await archive.stage(await main.lend(sha256), Infinity))
  await damage(api, sha256, Buffer.from('c0ntent of p2'))
  await api.post(`${care}/scrubs`, undefined, admin())
  await job('dam.scrub')
  const [run] = (await api.get(`${care}/scrubs`, admin())).json.runs
  expect(run).toMatchObject({ damaged: 1, repaired: 1, missing: 0 })
  expect((await bytesOf(api, '/assets/bin?assetTid=p2')).bytes.toString()).toBe('content of p2')
})

test('backups read both stores', async () => {
  const pieces = []
  for await (const piece of await bothStores(main, archive).lend(await hashOf('p1'))) pieces.push(Buffer.from(piece))
  expect(Buffer.concat(pieces).toString()).toBe('content of p1')
})

test('who may not change a file cannot archive it', async () => {
  await api.post('/api/v1/identity/roles/reader', { grants: [{ kind: '*', actions: ['read'] }] }, { method: 'PUT', ...admin() }) // prettier-ignore
  const token = await api.tokenFor({ name: 'rita', roles: ['reader'] })
  const actions = { action: [{ type: 'archive', dataType: 'asset', tid: 'f2' }] }
  const reply = await api.post(`${dam}/assets/perform`, { schemaVersion: '5.6.0', actions }, { token })
  expect(reply.text).not.toContain('SUCCESS')
  await move()
  expect(await whereIs('f2')).toBe('main')
})

describe('without an archive', () => {
  const bare = withServer()
  test('archiving is refused with the reason', async () => {
    await makeDirs(bare, '/MAM/old')
    await upload(bare, { path: '/MAM/old/x', tid: 'x' }, 'x')
    const actions = { action: [{ type: 'archive', dataType: 'asset', tid: 'x' }] }
    const reply = await bare.post(`${dam}/assets/perform`, { schemaVersion: '5.6.0', actions })
    expect(reply.text).toContain('KONTOR_ARCHIVE')
  })
})
