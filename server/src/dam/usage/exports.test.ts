/** Usage rights in exports and feeds: files that are not cleared for what a file is made for, and files whose rights end later. */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cm } from '@kontor/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createModel, jacket, productCalls } from '../../../test/catalogue.ts'
import { callsOf } from '../../../test/channels.ts'
import { feedCalls, feedsAt } from '../../../test/feeds.ts'
import { dam, makeDirs, picture, recordOf, unzip, upload } from '../../../test/files.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const root = await mkdtemp(join(tmpdir(), 'kontor-usage-'))
afterAll(() => rm(root, { recursive: true, force: true }))
const api = withServer({ KONTOR_FEED_FOLDERS: root })
const feeds = feedCalls(api)
const { persist } = productCalls(api)
const asAdmin = () => ({ token: api.adminToken })
const [past, future] = ['2020-01-31T00:00:00.000Z', '2099-12-31T00:00:00.000Z']
const at = '/api/v1/transfers'

const restrict = async (tid: string, usageRights: object) => {
  const body = { schemaVersion: '5.6.0', assets: { asset: [{ tid, usageRights }] } }
  expect(recordOf(await api.post(`${dam}/assets/persist`, body)).status).toBe('SUCCESS')
}
const order = async (request: object, token = api.token) => {
  const ordered = await api.post(`${at}/exports`, { columns: ['tid', 'asset'], ...request }, { token })
  expect(ordered.status, ordered.text).toBe(200)
  return vi.waitFor(
    async () => {
      const { json } = await api.get(`${at}/${ordered.json.id}`, { token })
      expect(['finished', 'failed']).toContain(json.state)
      return json as { id: string; state: string; total: number; problem?: string; notes?: { reason: string }[] }
    },
    { timeout: 20_000, interval: 20 },
  )
}
/** As if the rights of a file in it had ended. */
const end = (id: string) =>
  api.db.run(sql`update transfer set options = options || '{"usableUntil": 1}' where id = ${id}::uuid`)
const filesIn = async (bytes: Buffer) =>
  Object.keys(await unzip(bytes))
    .filter((name) => name.startsWith('assets/'))
    .toSorted()

beforeAll(async () => {
  await createModel(api)
  await api.startWorker()
  await makeDirs(api, '/MAM/boats')
  const channels = callsOf(api, cm, 'channels')
  await channels.persist(
    { tid: 'shop', name: 'shop', type: 'Webshop' },
    { tid: 'print', name: 'print', type: 'Webshop' },
  )
  await channels.persist({ tid: 'outlet', name: 'outlet', type: 'Webshop', parentTid: 'shop' })
  for (const tid of ['bound', 'free', 'ending'])
    await upload(api, { path: `/MAM/boats/${tid}.jpg`, tid }, await picture(60, 40))
  await api.post(`${dam}/renditions/profiles/web`, { width: 20 }, { method: 'PUT', ...asAdmin() })
  const links = (...tids: string[]) => ({
    links: { itms: [{ type: 'assetToProduct', itms: [{ itm: tids.map((value) => ({ key: 'assetTid', value })) }] }] },
  })
  await persist(jacket('P1', links('bound', 'free')), jacket('P2', links('ending', 'free')))
})

describe('an export for a purpose', () => {
  beforeAll(() => restrict('bound', { channels: ['shop'], media: ['web'], territories: ['DE'] }))

  test.each([
    [{}, true],
    [{ channelTid: 'shop' }, true],
    [{ channelTid: 'outlet', medium: 'web', territory: 'DE' }, true],
    [{ channelTid: 'print' }, false],
    [{ medium: 'print' }, false],
    [{ territory: 'FR' }, false],
    [{ territory: 'FR', pictures: 'web' }, false],
  ])('such as %j has the files that are cleared for it, and says which are not', async (purpose, isCleared) => {
    for (const format of ['csv', 'zip']) {
      const { id, notes = [] } = await order({ format, tids: ['P1'], ...purpose })
      const { rawPayload } = await api.app.http.inject({ url: `${at}/${id}/file`, headers: { authorization: `Bearer ${api.token}` } }) // prettier-ignore
      const named = format === 'zip' ? (await filesIn(rawPayload)).join() : rawPayload.toString()
      expect([named.includes('free.jpg'), named.includes('bound.jpg')]).toEqual([true, isCleared])
      expect(notes.map(({ reason }) => reason)).toEqual(
        isCleared ? [] : ['/MAM/boats/bound.jpg is not cleared for what the export is for; change its usage rights or choose another file'], // prettier-ignore
      )
    }
  })

  test('is refused for a channel that its user may not read, and for unknown ones', async () => {
    const grants = [
      { kind: 'product', actions: ['read'] },
      { kind: 'asset', actions: ['read'] },
      { kind: 'project', actions: ['read'], scopes: { channel: ['/shop'] } },
    ]
    await api.post('/api/v1/identity/roles/shopper', { grants }, { method: 'PUT', ...asAdmin() })
    const token = await api.tokenFor({ name: 'sam', roles: ['shopper'] })
    for (const channelTid of ['print', 'none'])
      expect(await order({ format: 'csv', tids: ['P1'], channelTid }, token)).toMatchObject({
        state: 'failed',
        problem: expect.stringContaining(`no project has the tid ${channelTid}`) as string,
      })
    expect(await order({ format: 'csv', tids: ['P1'], channelTid: 'shop' }, token)).toMatchObject({ state: 'finished' })
  })

  test('is refused for something that is no country', async () => {
    const { status, text } = await api.post(`${at}/exports`, { format: 'csv', tids: ['P1'], territory: 'Germany' })
    expect([status, text]).toEqual([400, expect.stringContaining('territory: expected a country such as DE')])
  })

  test('of a series has everything again when the purpose changes, and a product when its file is cleared', async () => {
    const series = { format: 'jsonl', nodePaths: ['/Standard'], series: 'own' }
    expect(await order({ ...series, medium: 'web' })).toMatchObject({ total: 2 })
    expect(await order({ ...series, medium: 'web' })).toMatchObject({ total: 0 })
    expect(await order({ ...series, medium: 'print' })).toMatchObject({ total: 2 })
    await restrict('bound', { media: ['web', 'print'] })
    expect(await order({ ...series, medium: 'print' })).toMatchObject({ total: 1 })
  })
})

describe('a file in a finished export whose right ends', () => {
  beforeAll(() => restrict('ending', { validUntil: future }))

  test('ends the zip, but not a table, which has no bytes of it', async () => {
    const [zip, table] = [await order({ format: 'zip', tids: ['P2'] }), await order({ format: 'csv', tids: ['P2'] })]
    const untilOf = async (id: string) =>
      (await api.db.row<{ until: number | null }>(sql`select (options ->> 'usableUntil')::float8 as until from transfer where id = ${id}::uuid`))!.until // prettier-ignore
    expect([await untilOf(zip.id), await untilOf(table.id)]).toEqual([Date.parse(future) / 1000, null])
    expect((await api.get(`${at}/${zip.id}/file`)).status).toBe(200)
    await end(zip.id)
    const refused = await api.get(`${at}/${zip.id}/file`)
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('usage rights of a file')])
    expect((await api.get(`${at}/${table.id}/file`)).status).toBe(200)
  })

  const feed = { direction: 'export', export: { format: 'zip', columns: ['tid', 'asset'], tids: ['P2'] } }

  test('ends the file of a feed until the next run', async () => {
    await feeds.store('offered', { ...feed, place: { kind: 'download' } })
    const { url } = (await api.post(`${feedsAt}/offered/address`)).json
    const open = () => api.app.http.inject({ url: url.replace(api.config.baseUrl, '') })
    await feeds.run('offered')
    expect(await filesIn((await open()).rawPayload)).toHaveLength(2)
    const { id } = (await api.db.row<{ id: string }>(sql`select transfer_id as id from feed where name = 'offered'`))!
    await end(id)
    await restrict('ending', { validUntil: past })
    const refused = await open()
    expect([refused.statusCode, refused.body]).toEqual([403, expect.stringContaining('after the next run')])
    await feeds.run('offered')
    expect(await filesIn((await open()).rawPayload)).toEqual(['assets/MAM/boats/free.jpg'])
    await restrict('ending', { validUntil: future })
  })

  test('is not in the file of a run that is held and released later', async () => {
    await mkdir(join(root, 'held'))
    await persist(jacket('Q1'), jacket('Q2'), jacket('Q3'))
    const place = { kind: 'folder', path: join(root, 'held') }
    const held = { ...feed, place, fileName: 'held.zip', maxShrink: 30 }
    const wide = { ...feed.export, tids: ['P2', 'Q1', 'Q2', 'Q3'] }
    await feeds.store('held', { ...held, export: wide }, asAdmin())
    expect(await feeds.run('held', asAdmin())).toMatchObject({ state: 'finished' })
    await feeds.store('held', held, asAdmin())
    const run = await feeds.run('held', asAdmin())
    expect(run).toMatchObject({ state: 'held' })
    const transferOf = async () =>
      (await api.db.row<{ id: string }>(sql`select transfer_id as id from feed_run where id = ${run.id}`))!.id
    const first = await transferOf()
    await end(first)
    await restrict('ending', { validUntil: past })
    expect((await feeds.decide('held', run.id, 'release', asAdmin())).status).toBe(200)
    await feeds.until('held', run.id, ['held'], asAdmin())
    expect(await transferOf(), 'the file was made again').not.toBe(first)
    expect((await feeds.decide('held', run.id, 'release', asAdmin())).status).toBe(200)
    await feeds.until('held', run.id, ['finished'], asAdmin())
    expect(await filesIn(await readFile(join(root, 'held', 'held.zip')))).toEqual(['assets/MAM/boats/free.jpg'])
  })
})
