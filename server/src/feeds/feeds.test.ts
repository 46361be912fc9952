import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createModel, jacket, productCalls } from '../../test/catalogue.ts'
import { readEvents } from '../../test/events.ts'
import { feedCalls, feedsAt } from '../../test/feeds.ts'
import { withServer } from '../../test/server.ts'
import type { Db } from '../adapters/postgres/db.ts'
import { sql } from '../adapters/postgres/sql.ts'
import { keepSeries, restoreSeries } from './runs.sql.ts'

const root = await mkdtemp(join(tmpdir(), 'kontor-feeds-'))
const api = withServer({ KONTOR_FEED_FOLDERS: root, KONTOR_FEED_RETRY: '1', KONTOR_FEED_TRIES: '3' })
const feeds = feedCalls(api)
const { persist, remove } = { ...productCalls(api), remove: deleteProducts }
const asAdmin = () => ({ token: api.adminToken })
const everything = { format: 'jsonl', nodePaths: ['/Standard'] }
const download = { direction: 'export', export: everything, place: { kind: 'download' } }
const toFolder = (path: string, more: object = {}) => ({ ...download, place: { kind: 'folder', path }, ...more })

async function deleteProducts(...tids: string[]) {
  const action = tids.map((tid) => ({ type: 'delete', dataType: 'product', tid }))
  const reply = await api.post('/api/core/v1/pim/products/perform', { schemaVersion: '5.6.0', actions: { action } })
  expect(reply.text).not.toContain('ERROR')
}
const folder = async (name: string) => {
  await mkdir(join(root, name), { recursive: true })
  return join(root, name)
}
const linesIn = async (path: string) => (await readFile(path, 'utf8')).trim().split('\n')
const tick = () => api.app.jobs['feed.tick']!({} as never, new AbortController().signal)
const makeDue = (name: string) =>
  api.db.run(sql`update feed set next_at = date_trunc('minute', now()) - interval '1 minute' where name = ${name}`)
const inboxOf = async (token: string): Promise<{ subject: string; body: string }[]> =>
  (await api.get('/api/core/v1/common/messages', { token })).json.messages ?? []

beforeAll(async () => {
  await createModel(api)
  await persist(jacket('one'), jacket('two'), jacket('three'), jacket('four'))
  await api.startWorker()
})
afterAll(() => rm(root, { recursive: true, force: true }))

test('many who save a feed at once are answered, although there are fewer connections to the database', async () => {
  await feeds.store('busy', download)
  const save = () => api.post(`${feedsAt}/busy`, download, { method: 'PUT' })
  const replies = await Promise.all(Array.from({ length: 12 }, save))
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
  await api.post(`${feedsAt}/busy`, undefined, { method: 'DELETE' })
})

describe('a feed with a download address', () => {
  test('offers the file of its last run to anyone with the address, until it is revoked', async () => {
    const stored = await feeds.store('shop', {
      ...download,
      schedule: { cron: '0 6 * * *', timeZone: 'Europe/Berlin' },
    })
    expect(stored).toMatchObject({ name: 'shop', owner: 'kim', enabled: true, hasAddress: false })
    expect(new Date(stored.nextRunAt).getTime()).toBeGreaterThan(Date.now())
    const { url } = (await api.post(`${feedsAt}/shop/address`)).json
    const path = url.replace(api.config.baseUrl, '')
    const open = (headers = {}) => api.get(path, { token: null, headers })
    expect((await open()).status).toBe(404)
    expect(await feeds.run('shop')).toMatchObject({ state: 'finished', items: 4, file: 'shop.jsonl', startedBy: 'kim' })
    const reply = await open()
    expect(reply.text.trim().split('\n')).toHaveLength(4)
    expect(reply.headers['content-disposition']).toContain('shop.jsonl')
    expect((await open({ 'if-none-match': String(reply.headers.etag) })).status).toBe(304)
    expect((await api.get(`${path}x`, { token: null })).status).toBe(403)
    const other = (await api.post(`${feedsAt}/shop/address`)).json.url.replace(api.config.baseUrl, '')
    expect((await open()).status).toBe(403)
    expect((await api.get(other, { token: null })).status).toBe(200)
    expect((await api.post(`${feedsAt}/shop/address`, undefined, { method: 'DELETE' })).status).toBe(200)
    expect((await api.get(other, { token: null })).status).toBe(403)
    expect(await api.db.row(sql`select address from feed where name = 'shop'`)).toEqual({ address: null })
  })

  test('keeps its file when old transfers are deleted, and refuses it when its owner has other rights', async () => {
    const token = await api.tokenFor({ name: 'olga', roles: ['user'] })
    await feeds.store('kept', download, { token })
    const { url } = (await api.post(`${feedsAt}/kept/address`, undefined, { token })).json
    const open = () => api.get(url.replace(api.config.baseUrl, ''), { token: null })
    await feeds.run('kept', { token })
    await api.db.run(sql`update transfer set created_at = now() - interval '1 year' where user_name = 'olga'`)
    await api.app.jobs['transfer.tidy']!({} as never, new AbortController().signal)
    expect((await open()).status).toBe(200)
    const { id } = (await api.app.identity.users.find({ name: 'olga' }))!
    await api.app.identity.users.setRoles(id, ['reader'])
    expect(await open()).toMatchObject({
      status: 403,
      text: expect.stringContaining('rights of the owner have changed'),
    })
    await api.app.identity.users.setEnabled(id, false)
    expect((await open()).status).toBe(403)
  })
})

describe('a feed by schedule', () => {
  test('runs once for each due time, however many processes look, and once for times that were missed', async () => {
    const path = await folder('due')
    await feeds.store('due', toFolder(path, { schedule: { cron: '*/5 * * * *' }, fileName: 'all-{run}.jsonl' }), asAdmin()) // prettier-ignore
    await makeDue('due')
    await Promise.all([tick(), tick(), tick()])
    await vi.waitFor(async () => expect(await readdir(path)).toHaveLength(1), { timeout: 30_000, interval: 50 })
    await tick()
    const runs = await feeds.runsOf('due', asAdmin())
    expect(runs).toEqual([expect.objectContaining({ dueAt: expect.any(String) })])
    await feeds.until('due', runs[0]!.id, ['finished'], asAdmin())
    expect(await readdir(path)).toEqual([`all-${runs[0]!.id}.jsonl`])
    expect(new Date((await feeds.get('due', asAdmin())).nextRunAt).getTime()).toBeGreaterThan(Date.now())
  })

  test('is paused with the reason when its owner is disabled, and an administrator takes it over', async () => {
    const token = await api.tokenFor({ name: 'leaver', roles: ['user'] })
    await feeds.store('left', { ...download, schedule: { cron: '0 * * * *' } }, { token })
    await api.post(`${feedsAt}/left/address`, undefined, { token })
    await api.app.identity.users.setEnabled((await api.app.identity.users.find({ name: 'leaver' }))!.id, false)
    await makeDue('left')
    await tick()
    await vi.waitFor(async () => expect((await feeds.get('left', asAdmin())).enabled).toBe(false), { timeout: 30_000 })
    const paused = await feeds.get('left', asAdmin())
    expect(paused).toMatchObject({ owner: 'leaver', problem: expect.stringContaining('leaver'), lastRun: { state: 'failed' } }) // prettier-ignore
    expect(paused.nextRunAt).toBeUndefined()
    const subjects = (await inboxOf(api.adminToken)).map(({ subject }) => subject)
    expect(subjects).toContain('The feed left was paused')
    const taken = await feeds.store('left', download, asAdmin())
    expect(taken).toMatchObject({ owner: 'ada', enabled: true, hasAddress: false })
    expect(taken.problem).toBeUndefined()
  })
})

describe('a delivery that fails', () => {
  test('is repeated, and then fails with a message to the owner and an event', async () => {
    const { position } = await readEvents(api)
    await feeds.store('nowhere', toFolder(join(root, 'missing')), asAdmin())
    const run = await feeds.run('nowhere', asAdmin())
    expect(run).toMatchObject({ state: 'failed', attempts: 2, problem: expect.stringContaining('ENOENT') })
    expect(await inboxOf(api.adminToken)).toContainEqual(
      expect.objectContaining({ subject: 'The feed nowhere failed', body: expect.stringContaining('ENOENT') }),
    )
    const since = `after=${position}&types=kontor.feed.*`
    const { events } = await readEvents<{ data: { action: string } }>(api, since, api.adminToken)
    expect(events.map(({ data }) => data.action)).toContain('fail')
    expect((await readEvents(api, since)).events).toEqual([])
    await folder('missing')
    expect(await feeds.run('nowhere', asAdmin())).toMatchObject({ state: 'finished' })
    expect(await linesIn(join(root, 'missing', 'nowhere.jsonl'))).toHaveLength(4)
  })

  test('of a series repeats its changes in the next run', async () => {
    const path = join(root, 'series')
    const series = { ...everything, series: 'changes' }
    await feeds.store('series', toFolder(await folder('series'), { export: series, fileName: 'changes.jsonl' }), asAdmin()) // prettier-ignore
    expect(await feeds.run('series', asAdmin())).toMatchObject({ state: 'finished', items: 4, changed: 4 })
    expect(await feeds.run('series', asAdmin())).toMatchObject({ changed: 0, problem: expect.stringContaining('nothing has changed') }) // prettier-ignore
    await persist(jacket('five'))
    await rm(path, { recursive: true })
    expect(await feeds.run('series', asAdmin())).toMatchObject({ state: 'failed', changed: 1 })
    await folder('series')
    expect(await feeds.run('series', asAdmin())).toMatchObject({ state: 'finished', items: 5, changed: 1 })
    expect(await linesIn(join(path, 'changes.jsonl'))).toEqual([expect.stringContaining('"five"')])
    await remove('five')
  })
})

test('a feed of a series does not replace changes that nobody has fetched yet', async () => {
  const path = await folder('kept')
  await feeds.store('kept-changes', toFolder(path, { export: { ...everything, series: 'kept' } }), asAdmin())
  const { id: first } = await feeds.run('kept-changes', asAdmin())
  await persist(jacket('kept'))
  const { id: second } = await feeds.run('kept-changes', asAdmin())
  expect((await readdir(path)).toSorted()).toEqual([`kept-changes-${first}.jsonl`, `kept-changes-${second}.jsonl`].toSorted()) // prettier-ignore
  await remove('kept')
})

describe('a run with fewer products', () => {
  test('is held until it is released or discarded, and blocks other runs', async () => {
    const path = await folder('shrinking')
    await persist(jacket('a'), jacket('b'), jacket('c'), jacket('d'))
    const changes = { ...everything, series: 'shrinking' }
    await feeds.store(
      'shrinking',
      toFolder(path, { maxShrink: 30, export: changes, fileName: 'shrinking.jsonl' }),
      asAdmin(),
    )
    expect(await feeds.run('shrinking', asAdmin())).toMatchObject({ state: 'finished', items: 8 })
    await remove('a', 'b', 'c')
    const held = await feeds.run('shrinking', asAdmin())
    expect(held).toMatchObject({ state: 'held', items: 5, previousItems: 8, problem: expect.stringContaining('5 products instead of 8') }) // prettier-ignore
    expect(await linesIn(join(path, 'shrinking.jsonl'))).toHaveLength(8)
    expect((await inboxOf(api.adminToken)).map(({ subject }) => subject)).toContain('The feed shrinking waits for your decision') // prettier-ignore
    const refused = await api.post(`${feedsAt}/shrinking/run`, undefined, asAdmin())
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(`run ${held.id} is held`)])
    expect((await feeds.decide('shrinking', held.id, 'release')).status).toBe(404)
    expect((await feeds.decide('shrinking', held.id, 'discard', asAdmin())).json).toMatchObject({ state: 'discarded', decidedBy: 'ada' }) // prettier-ignore
    expect((await feeds.decide('shrinking', held.id, 'release', asAdmin())).status).toBe(409)
    const again = await feeds.run('shrinking', asAdmin())
    expect(again).toMatchObject({ state: 'held', changed: 3 })
    expect((await feeds.decide('shrinking', again.id, 'release', asAdmin())).status).toBe(200)
    await feeds.until('shrinking', again.id, ['finished'], asAdmin())
    expect(await linesIn(join(path, 'shrinking.jsonl'))).toHaveLength(3)
    await remove('d')
  })
})

describe('refused are', () => {
  const sftp = { kind: 'sftp', host: '10.0.0.1', user: 'u', password: 'p' }
  // prettier-ignore
  test.each<[string, object, string]>([
    ['a cron with a minute 61',             { ...download, schedule: { cron: '61 * * * *' } }, '/feed/schedule/cron: 61 * * * * is not understood'],
    ['seconds',                         { ...download, schedule: { cron: '* * * * * *' } }, 'expected five fields'],
    ['a time that never comes',         { ...download, schedule: { cron: '0 0 31 2 *' } }, 'never comes'],
    ['an unknown time zone',            { ...download, schedule: { cron: '0 6 * * *', timeZone: 'Mars/Base' } }, 'unknown time zone Mars/Base'],
    ['an export without a format',      { direction: 'export', place: { kind: 'download' } }, '/feed/export: missing'],
    ['an import from an address',       { direction: 'import', place: { kind: 'https', url: 'https://example.com' } }, 'expected folder, s3 or sftp'],
    ['a series for a download',         { ...download, export: { ...everything, series: 's' } }, '/feed/export/series: a download address has only the newest file'],
    ['a file name with a folder',       { ...download, fileName: '../x.csv' }, '/feed/fileName'],
    ['a share above 100',               { ...download, maxShrink: 101 }, '/feed/maxShrink'],
    ['a field of another kind',         { ...download, place: { kind: 'download', host: 'x' } }, '/feed/place/host: download does not have it'],
    ['an S3 without a bucket',          { ...download, place: { kind: 's3', accessKey: 'a', secretKey: 'b' } }, '/feed/place/bucket: missing'],
    ['an SFTP without a secret',        { ...download, place: { ...sftp, password: '' } }, 'password or privateKey has to be sent'],
    ['an address of the own network',   { ...download, place: { kind: 'https', url: 'https://127.0.0.1/x' } }, '127.0.0.1 is not a public address; KONTOR_FEED_PRIVATE'],
    ['an address without encryption',   { ...download, place: { kind: 'https', url: 'http://example.com/x' } }, 'expected an https address'],
    ['an endpoint of the own network',  { ...download, place: { kind: 's3', bucket: 'b', accessKey: 'a', secretKey: 'b', endpoint: 'https://10.0.0.1' } }, '10.0.0.1 is not a public address'],
    ['a mail without a mail server',    { ...download, place: { kind: 'mail', to: ['a@example.com'] } }, 'KONTOR_SMTP_URL sets one'],
    ['a recipient without an address',        { ...download, place: { kind: 'mail', to: ['a b'] } }, '/feed/place/to'],
    ['a folder elsewhere',              toFolder('/etc'), 'expected an absolute path below'],
    ['a folder above',                  toFolder(join(root, '..', 'x')), 'expected an absolute path below'],
    ['an unknown profile',              { ...download, export: { ...everything, profile: 'none' } }, 'no profile has the name none'],
  ])('%s', async (_, feed, message) => {
    const reply = await feeds.put('refused', feed, asAdmin())
    expect([400, 404]).toContain(reply.status)
    expect(reply.text).toContain(message)
    expect((await api.get(`${feedsAt}/refused`, asAdmin())).status).toBe(404)
  })

  test('folders and mail for users who are not administrators', async () => {
    for (const place of [
      { kind: 'folder', path: root },
      { kind: 'mail', to: ['a@example.com'] },
    ])
      expect((await feeds.put('refused', { ...download, place })).status).toBe(403)
  })

  test('a folder that leads elsewhere by a symbolic link', async () => {
    await symlink(tmpdir(), join(root, 'link'))
    await feeds.store('link', toFolder(join(root, 'link')), asAdmin())
    expect(await feeds.run('link', asAdmin())).toMatchObject({ state: 'failed', problem: expect.stringContaining('is not below a folder of KONTOR_FEED_FOLDERS') }) // prettier-ignore
    await feeds.run('link', asAdmin())
    const notices = (await inboxOf(api.adminToken)).filter(({ subject }) => subject === 'The feed link failed')
    expect(notices, 'a feed that fails again is reported once').toHaveLength(1)
  })

  test('a server of the own network that a name leads to', async () => {
    await feeds.store('inside', { ...download, place: { ...sftp, host: 'localhost' } })
    expect(await feeds.run('inside')).toMatchObject({ state: 'failed', problem: expect.stringContaining('which is not public') }) // prettier-ignore
  })

  test('another direction for a feed that exists', async () => {
    await feeds.store('turned', download)
    const place = { kind: 's3', bucket: 'b', accessKey: 'a', secretKey: 's' }
    expect((await feeds.put('turned', { direction: 'import', place })).text).toContain('the feed is for exports')
  })

  test('feeds of others, which look as if they did not exist, except for their name', async () => {
    await feeds.store('private', download, asAdmin())
    const calls = [
      api.get(`${feedsAt}/private`),
      api.get(`${feedsAt}/private/runs`),
      api.post(`${feedsAt}/private/run`),
      api.post(`${feedsAt}/private/address`),
      api.post(`${feedsAt}/private`, undefined, { method: 'DELETE' }),
    ]
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect((await feeds.put('private', download)).status).toBe(409)
    expect(JSON.stringify((await api.get(feedsAt)).json)).not.toContain('private')
    expect((await api.post(`${feedsAt}/private`, undefined, { method: 'DELETE', ...asAdmin() })).status).toBe(200)
  })
})

test('secrets are stored encrypted, never returned, and kept only for the same server', async () => {
  const place = { kind: 'sftp', host: 'sftp.example.com', user: 'kontor', password: 'very secret' }
  const feed = { ...download, place }
  const stored = await feeds.store('secret', feed)
  expect(stored.place).toEqual({ kind: 'sftp', host: 'sftp.example.com', user: 'kontor', secrets: ['password'] })
  const again = await feeds.store('secret', { ...feed, place: { ...stored.place, path: '/in' } })
  expect(again.place).toEqual({ ...stored.place, path: '/in' })
  const elsewhere = await feeds.put('secret', { ...feed, place: { ...stored.place, host: 'evil.example.com' } })
  expect([elsewhere.status, elsewhere.text]).toEqual([400, expect.stringContaining('has to be sent for a new server')])
  const texts = await api.db.rows<{ text: string }>(sql`
    select f::text as text from feed f union all select a::text from audit_event a union all select h::text from history h`)
  expect(texts.length).toBeGreaterThan(0)
  expect(texts.filter(({ text }) => /very secret/.test(text))).toEqual([])
})

test('events of a feed have its name, also when it is deleted, and are for its owner and administrators', async () => {
  const { position } = await readEvents(api)
  await feeds.store('named', download)
  const other = await api.tokenFor({ name: 'stranger', roles: ['user'] })
  const eventsOf = async (token?: string) =>
    (await readEvents(api, `after=${position}&types=kontor.feed.*`, token)).events
  const about = (word: string) =>
    expect.objectContaining({
      type: `kontor.feed.${word}`,
      subject: 'named',
      data: expect.objectContaining({ tid: 'named' }),
    })
  expect(await eventsOf()).toEqual([about('created')])
  expect((await api.post(`${feedsAt}/named`, undefined, { method: 'DELETE' })).status).toBe(200)
  expect(await eventsOf()).toEqual([about('deleted')])
  expect(await eventsOf(api.adminToken)).toContainEqual(about('deleted'))
  expect(await eventsOf(other)).toEqual([])
})

test('changes of feeds are in the audit log', async () => {
  await feeds.store('audited', download)
  await api.post(`${feedsAt}/audited/address`)
  await api.post(`${feedsAt}/audited`, undefined, { method: 'DELETE' })
  const lines = await api.db.rows<{ action: string }>(sql`
    select action from audit_event where object = 'feed audited' and actor = 'kim' order by seq`)
  expect(lines.map(({ action }) => action)).toEqual(['feed.put', 'feed.address', 'feed.delete'])
})

test('a series that takes long to keep and to restore does not stop its feed', async () => {
  const path = await folder('long')
  await feeds.store('long', toFolder(path, { export: { ...everything, series: 'long' } }), asAdmin())
  const { id } = await feeds.run('long', asAdmin())
  const { series } = (await api.db.row<{ series: string }>(sql`select name as series from transfer_series where name like '%/long'`))! // prettier-ignore
  const kept = () => api.db.rows(sql`select tid, digest from feed_series_item where run_id = ${id} order by tid`)
  const known = () => api.db.rows(sql`select tid, digest from transfer_series_item where series = ${series} order by tid`) // prettier-ignore
  const before = await known()
  expect(before).not.toEqual([])
  await api.db.run(sql`create function be_slow() returns trigger language plpgsql as 'begin perform pg_sleep(0.5); return null; end'`) // prettier-ignore
  await api.db.run(sql`create trigger slow after insert on feed_series_item for each statement execute function be_slow()`) // prettier-ignore
  await api.db.run(sql`create trigger slow after insert on transfer_series_item for each statement execute function be_slow()`) // prettier-ignore
  const hurried = (work: (db: Db) => Promise<unknown>) =>
    api.db.transaction(async (db) => {
      await db.run(sql`select set_config('statement_timeout', '100ms', true)`)
      await work(db)
    })
  await hurried((db) => keepSeries(db, id, series))
  expect(await kept()).toEqual(before)
  await hurried((db) => restoreSeries(db, id))
  expect([await known(), await kept()]).toEqual([before, []])
  await api.db.run(sql`drop trigger slow on feed_series_item`)
  await api.db.run(sql`drop trigger slow on transfer_series_item`)
})
