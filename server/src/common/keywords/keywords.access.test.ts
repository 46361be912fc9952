/** Rights on keywords for roles that are restricted to a subtree, to locales or to actions. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const base = '/api/core/v1/common/keywords'
const put = (role: string, grants: object[]) =>
  api.post(`/api/v1/identity/roles/${role}`, { grants }, { method: 'PUT', token: api.adminToken })

let sea: string
let translator: string
let creator: string
beforeAll(async () => {
  const all = ['read', 'create', 'update', 'delete']
  await persist(api.adminToken, named('Sea'))
  await put('sea', [{ kind: 'keyword', actions: all, scopes: { keyword: ['/Sea'] } }])
  const german = { only: ['de_DE'] }
  await put('translator', [
    { kind: 'keyword', actions: ['read', 'update'], visibleLocales: german, editableLocales: german },
  ])
  await put('creator', [{ kind: 'keyword', actions: ['read', 'create'] }])
  sea = await api.tokenFor({ roles: ['sea'] })
  translator = await api.tokenFor({ roles: ['translator'] })
  creator = await api.tokenFor({ roles: ['creator'] })
})

const named = (name: string, more: object = {}) => ({ name: { itm: [{ value: name }] }, ...more })
const persist = (token: string, ...kwd: object[]) =>
  api.post(`${base}/persist`, { schemaVersion: '5.6.0', kwds: { kwd } }, { token })
const perform = (token: string, ...action: object[]) =>
  api.post(
    `${base}/perform`,
    { schemaVersion: '5.6.0', actions: { action: action.map((one) => ({ dataType: 'keyword', ...one })) } },
    { token },
  )
const records = ({ json }: { json: { responses: { response: { status: string; description?: string }[] } } }) =>
  json.responses.response.map(({ status, description }) => (status === 'SUCCESS' ? status : description))
const pathsFor = async (token: string, path = '/') => {
  const reply = await api.post(`${base}/retrieve`, { path, level: -1 }, { token })
  return reply.status === 200
    ? ((reply.json.kwds?.kwd ?? []) as { path: string }[]).map((keyword) => keyword.path)
    : reply.status
}
const all = () => pathsFor(api.adminToken)

beforeEach(async () => {
  await api.db.pool.query('delete from keyword')
  const locales = [
    { value: 'See', loc: 'de_DE' },
    { value: 'Mer', loc: 'fr_FR' },
  ]
  await persist(api.adminToken, { name: { itm: [{ value: 'Sea' }, ...locales] } }, named('Land'), named('Seaside'))
  await persist(api.adminToken, named('North', { parentPath: '/Sea' }), named('Hill', { parentPath: '/Land' }))
})

describe('narrowed to a subtree', () => {
  test('one sees what is in it, and the rest is not there', async () => {
    expect(await pathsFor(sea)).toEqual(['/Sea', '/Sea/North'])
    expect(await pathsFor(sea, '/Sea')).toEqual(['/Sea/North'])
    expect(await pathsFor(sea, '/Land')).toBe(404)
    expect(await pathsFor(sea, '/None')).toBe(404)
  })

  test('keywords inside can be changed; keywords outside look like missing ones and stay unchanged', async () => {
    const reply = await persist(
      sea,
      named('South', { parentPath: '/Sea' }),
      named('Valley', { parentPath: '/Land' }),
      named('Valley', { parentPath: '/None' }),
      named('Sky'),
      named('Shore', { path: '/Land' }),
    )
    expect(records(reply)).toEqual([
      'SUCCESS',
      'no parent keyword has the path /Land',
      'no parent keyword has the path /None',
      'your roles do not allow to create the keyword /Sky',
      'no keyword has the path /Land',
    ])
    expect(await all()).toEqual(['/Land', '/Land/Hill', '/Sea', '/Sea/North', '/Sea/South', '/Seaside'])
  })

  test('one moves, copies and deletes within it only', async () => {
    const to = (path: string) => ({ meta: { itm: [{ value: path, key: 'destinationParentPath' }] } })
    const reply = await perform(
      sea,
      { type: 'move', path: '/Sea/North', ...to('/Land') },
      { type: 'move', path: '/Sea/North', ...to('/') },
      { type: 'move', path: '/Land/Hill', ...to('/Sea') },
      { type: 'copy', path: '/Land/Hill', ...to('/Sea') },
      { type: 'copy', path: '/Sea/North', ...to('/') },
      { type: 'delete', path: '/Land' },
      { type: 'delete', path: '/Sea/North' },
    )
    expect(records(reply)).toEqual([
      'no parent keyword has the path /Land',
      'your roles do not allow to update the keyword /North',
      'no keyword has the path /Land/Hill',
      'no keyword has the path /Land/Hill',
      'your roles do not allow to create the keyword /North',
      'no keyword has the path /Land',
      'SUCCESS',
    ])
    expect(await all()).toEqual(['/Land', '/Land/Hill', '/Sea', '/Seaside'])
  })

  test('nor is there anything outside it to collide with', async () => {
    const reply = await persist(
      sea,
      named('Land'),
      named('Field', { path: '/Land' }),
      named('Field', { parentPath: '/Land' }),
    )
    expect(records(reply)).toEqual([
      'your roles do not allow to create the keyword /Land',
      'no keyword has the path /Land',
      'no parent keyword has the path /Land',
    ])
  })

  test('one keeps it when it is renamed or moved', async () => {
    await persist(api.adminToken, named('Ocean', { path: '/Sea' }))
    await expect.poll(() => pathsFor(sea)).toEqual(['/Ocean', '/Ocean/North'])
    await persist(api.adminToken, named('Sea', { path: '/Ocean' }))
    await expect.poll(() => pathsFor(sea)).toEqual(['/Sea', '/Sea/North'])
  })
})

describe('narrowed to a locale', () => {
  test('one sees the names in it, and edits no others', async () => {
    const { json } = await api.post(`${base}/retrieve`, {}, { token: translator })
    const [, first] = json.kwds.kwd as { name: { itm: object[] } }[]
    expect(first!.name.itm).toEqual([{ value: 'Sea' }, { value: 'See', loc: 'de_DE' }])
    const inLocale = (loc: string) => ({ path: '/Sea', name: { itm: [{ value: 'X', loc }] } })
    const reply = await persist(translator, inLocale('de_DE'), inLocale('fr_FR'), named('New'))
    expect(records(reply)).toEqual([
      'SUCCESS',
      'your roles do not allow to edit names in fr_FR',
      'your roles do not allow to create the keyword /New',
    ])
  })
})

describe('narrowed to actions', () => {
  test('who may create may not change or delete', async () => {
    expect(records(await persist(creator, named('New'), named('Other', { path: '/Sea' })))).toEqual([
      'SUCCESS',
      'your roles do not allow to update the keyword /Sea',
    ])
    expect(records(await perform(creator, { type: 'delete', path: '/New' }))).toEqual([
      'your roles do not allow delete here',
    ])
  })

  test('a reader is refused before anything is written', async () => {
    const reader = await api.tokenFor({ roles: ['reader'] })
    const before = await all()
    expect((await persist(reader, named('New'))).status).toBe(401)
    expect((await perform(reader, { type: 'delete', path: '/Sea' })).status).toBe(401)
    expect((await api.post(`${base}/bulk`, { schemaVersion: '5.6.0', kwds: {} }, { token: reader })).status).toBe(401)
    expect(await all()).toEqual(before)
    expect(await pathsFor(reader)).toEqual(before)
  })
})

test('a bulk run has the rights of who sent it', async () => {
  await api.startWorker()
  const body = { schemaVersion: '5.6.0', kwds: { kwd: [named('East', { parentPath: '/Sea' }), named('Sky')] } }
  const { text: id } = await api.post(`${base}/bulk`, body, { token: sea })
  const run = () => api.get(`${base}/bulk/${id}`, { token: sea })
  await expect.poll(async () => (await run()).text, { timeout: 10_000 }).toContain('finished')
  expect(records(await run())).toEqual(['SUCCESS', 'your roles do not allow to create the keyword /Sky'])
  expect(await all()).toContain('/Sea/East')
})
