import { describe, expect, test } from 'vitest'
import { sql } from '../../adapters/postgres/sql.ts'
import { changesBy } from '../../../test/common.ts'
import { damCalls } from '../../../test/dam.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const { call, createPath, addAssets, persistAssets, performAssets, assetPaths, meta, statuses } = damCalls(api)
const base = '/api/core/v1/dam/assets'
const retrieve = (request: object) => api.post(`${base}/retrieve`, request)
const query = (request: object) => api.post(`${base}/query`, request)

type Item = { key: string; value: string }
const facts = (object: { meta: { itm: Item[] } }) =>
  Object.fromEntries(object.meta.itm.map(({ key, value }) => [key, value]))

/** Its current path, or the reason for a failure. */
const resultOf = (one: { status: string; description: string; path: string }) =>
  one.status === 'SUCCESS' ? one.path : one.description

/** A separate directory with these files. */
async function filesIn(dir: string, ...names: string[]) {
  await createPath(dir)
  return addAssets(dir, ...names)
}

describe('query', () => {
  test('by directory, type, name and date, combined with AND', async () => {
    const [a, b] = await filesIn('/MAM/query', 'A.jpg', 'b.pdf')
    await api.db.run(sql`update dam_entry set type = 'PDF', modified_at = '2020-05-05T12:00:00Z' where id = ${b!.id}`)
    const directory = { path: 'MAM/Query' }
    const tids = async (request: object) => (await query({ directory, ...request })).json.tids ?? []
    expect((await tids({})).toSorted()).toEqual([a!.tid, b!.tid].sort())
    expect(await tids({ fileTypes: ['PDF', 'AUD'] })).toEqual([b!.tid])
    expect(await tids({ fileNames: ['a.JPG'] })).toEqual([a!.tid])
    expect(await tids({ modifiedFrom: '2020-05-05T12:00:00', modifiedUntil: '2020-05-05T12:00:00Z' })).toEqual([b!.tid])
    expect(await tids({ modifiedUntil: '2020-05-05' })).toEqual([])
    expect(await tids({ fileTypes: ['PDF'], fileNames: ['a.jpg'] })).toEqual([])
  })

  test('an unknown directory is 404; an unknown type or an empty directory object is 400', async () => {
    expect((await query({ directory: { path: '/MAM/none' } })).status).toBe(404)
    expect((await query({ directory: { id: 1 } })).status).toBe(404)
    expect((await query({ directory: {} })).status).toBe(400)
    expect((await query({ fileTypes: ['JPEG'] })).status).toBe(400)
  })

  test('finds assets at the top of a storage by the path of the storage', async () => {
    const [top] = await addAssets('/MAM', 'top.jpg')
    expect((await query({ directory: { path: '/MAM' } })).json.tids).toEqual([top!.tid])
    expect((await retrieve({ tids: [top!.tid] })).json.assets.asset).toMatchObject([
      { path: '/MAM/top.jpg', rnc: 'MAM' },
    ])
  })
})

describe('retrieve', () => {
  test('returns existing assets once, in the requested order; only unknown ones are 404, none named is 400', async () => {
    const [a, b] = await filesIn('/MAM/order', 'a.jpg', 'b.jpg')
    const { asset } = (await retrieve({ tids: [b!.tid, 'NONE', a!.tid, b!.tid], ids: [1] })).json.assets
    expect(asset.map(({ tid }: { tid: string }) => tid)).toEqual([b!.tid, a!.tid])
    expect(asset[0]).toMatchObject({ id: b!.id, type: 'IMG', name: 'b.jpg', path: '/MAM/order/b.jpg', rnc: 'MAM' })
    expect((await retrieve({ ids: [a!.id] })).json.assets.asset).toHaveLength(1)
    expect((await retrieve({ tids: ['NONE'] })).status).toBe(404)
    expect((await retrieve({})).status).toBe(400)
  })

  test('returns meta by default, history and previews on request', async () => {
    const [a] = await filesIn('/MAM/extent', 'a.jpg')
    await api.db.run(sql`
      with thumb as (insert into blob (sha256, size) values (repeat('a', 64), 5) returning sha256)
      insert into asset_preview (asset_id, format, source, sha256, size, mime, width, height)
      select e.id, 'thumbnail', e.sha256, thumb.sha256, 5, 'image/webp', 160, 90 from thumb, dam_entry e where e.id = ${a!.id}`)
    const one = async (request: object) => (await retrieve({ tids: [a!.tid], ...request })).json.assets.asset[0]
    expect(await one({ retrieveMeta: false })).not.toHaveProperty('meta')
    const plain = await one({})
    expect(facts(plain)).toMatchObject({
      fileSize: '10',
      mimeType: 'image/jpeg',
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
      numberOfVersions: '0',
      importStatus: 'available',
      objectStatus: 'available',
      creationUser: 'kim',
    })
    expect(plain).not.toHaveProperty('previews')
    await persistAssets({ tid: a!.tid, name: 'z.jpg' })
    const full = await one({ retrieveHistory: true, retrievePreviews: true })
    expect(full.previews.preview).toMatchObject([{ type: 'thumbnail', tid: `${a!.tid}-thumbnail` }])
    expect(facts(full.previews.preview[0])).toEqual({
      width: '160',
      height: '90',
      fileSize: '5',
      mimeType: 'image/webp',
      url: expect.stringMatching(
        /^\/api\/core\/v1\/dam\/assets\/previews\/bin\/a{64}\.5\.webp\?until=\d+&key=/,
      ) as string,
    })
    expect(facts(full.histories.history[0])).toMatchObject({
      action: 'rename',
      user: 'kim',
      oldValue: 'a.jpg',
      newValue: 'z.jpg',
    })
  })

  test.each(['application/xml', 'application/json', 'application/json+compact'])('answers in %s', async (accept) => {
    const [a] = await filesIn(`/MAM/formats-${accept.length}`, 'a.jpg')
    const reply = await api.post(`${base}/retrieve`, { tids: [a!.tid] }, { accept })
    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toContain(accept)
    expect(reply.text).toContain(a!.tid)
  })
})

describe('persist', () => {
  test('stores values by file type, changes only fields that are sent, and clears empty ones', async () => {
    const [a] = await filesIn('/MAM/values', 'a.jpg')
    const val = [
      { attr: 'CAPTION', type: 'localized', itm: [{ loc: 'en_GB', value: 'Boat' }] },
      {
        attr: 'COLORS',
        type: 'multiple',
        itm: [
          { pos: 1, value: 'blue' },
          { pos: 0, value: 'red' },
        ],
      },
      { attr: 'TAGS', type: 'multi_loc', i18N: [{ loc: 'en_GB', itm: [{ pos: 0, value: 'sea' }] }] },
      { attr: 'TAKEN_AT', itm: [{ value: '2024-03-05T08:00:00Z' }] },
      { attr: 'LICENSE', type: 'domain', itm: [{ key: 'own' }] },
    ]
    const [record] = await persistAssets({ tid: a!.tid, vals: { val } })
    expect(record).toMatchObject({
      status: 'SUCCESS',
      action: 'update',
      dataType: 'asset',
      tid: a!.tid,
      path: '/MAM/values/a.jpg',
    })
    await persistAssets({ id: a!.id, vals: { val: [{ attr: 'COLORS' }] } })
    const { vals } = (await retrieve({ tids: [a!.tid] })).json.assets.asset[0]
    expect(Object.fromEntries(vals.val.map((one: { attr: string }) => [one.attr, one]))).toEqual({
      CAPTION: { attr: 'CAPTION', type: 'localized', itm: [{ loc: 'en_GB', value: 'Boat' }] },
      TAGS: { attr: 'TAGS', type: 'multi_loc', i18N: [{ loc: 'en_GB', itm: [{ pos: 0, value: 'sea' }] }] },
      TAKEN_AT: { attr: 'TAKEN_AT', dataType: 'date', itm: [{ value: '2024-03-05T08:00:00.000Z' }] },
      LICENSE: { attr: 'LICENSE', type: 'domain', itm: [{ key: 'own', value: 'own' }] },
    })
  })

  test('a refused item changes nothing and does not affect others', async () => {
    const [a, b] = await filesIn('/MAM/refused', 'a.jpg', 'b.jpg')
    const records = await persistAssets(
      { tid: 'NONE', name: 'x.jpg' },
      { name: 'x.jpg' },
      { tid: a!.tid, name: 'B.JPG' },
      { tid: a!.tid, name: 'x..' },
      { tid: a!.tid, name: 'new.jpg', vals: { val: [{ attr: 'NOPE', itm: [{ value: '1' }] }] } },
      { tid: a!.tid, vals: { val: [{ attr: 'DURATION', itm: [{ value: '1' }] }] } },
      { tid: a!.tid, links: { itms: [{ type: 'kwds', itm: [{ value: '/No/Such' }] }] } },
      { tid: a!.tid, links: { itms: [{ type: 'products', itm: [{ value: '/x' }] }] } },
      { tid: b!.tid, name: 'good.jpg' },
    )
    expect(records.map((one: { status: string; description?: string }) => one.description ?? one.status)).toEqual([
      'no asset has the tid NONE',
      expect.stringMatching(/Upload a file to create an asset/),
      '/MAM/refused/B.JPG exists already',
      expect.stringMatching(/ends with a dot/),
      expect.stringMatching(/NOPE: has no definition/),
      expect.stringMatching(/DURATION: belongs to VID, AUD, not to IMG/),
      'no keyword has the path /No/Such',
      expect.stringMatching(/assets have no links of kind products/),
      'asset updated',
    ])
    expect(await assetPaths('/MAM/refused')).toEqual(['/MAM/refused/a.jpg', '/MAM/refused/good.jpg'])
  })

  test('two assets can swap names in one message', async () => {
    const [a, b] = await filesIn('/MAM/swap', 'a.jpg', 'b.jpg')
    const records = await persistAssets(
      { tid: a!.tid, name: 'c.jpg' },
      { tid: b!.tid, name: 'a.jpg' },
      { tid: a!.tid, name: 'b.jpg' },
    )
    expect(statuses(records)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
    expect((await retrieve({ tids: [a!.tid, b!.tid] })).json.assets.asset).toMatchObject([
      { name: 'b.jpg' },
      { name: 'a.jpg' },
    ])
  })

  test('keywords: delta adds, full replaces, unlink removes; the old container still works', async () => {
    const names = ['Sea', 'Land', 'Air'].map((value) => ({ name: { itm: [{ value }] } }))
    await api.post('/api/core/v1/common/keywords/persist', { schemaVersion: '5.6.0', kwds: { kwd: names } })
    const [a] = await filesIn('/MAM/keywords', 'a.jpg')
    const itms = (mode: string | undefined, ...paths: string[]) => ({
      tid: a!.tid,
      links: { itms: [{ type: 'kwds', ...(mode && { mode }), itm: paths.map((value) => ({ value })) }] },
    })
    const present = async () =>
      ((await retrieve({ tids: [a!.tid] })).json.assets.asset[0].links?.itms[0].itm ?? []).map(
        ({ value }: Item) => value,
      )
    await persistAssets(itms('delta', '/Sea'), itms(undefined, 'Land'), itms('delta', '/Sea'))
    expect(await present()).toEqual(['/Sea', '/Land'])
    await persistAssets(itms('full', '/Air', '/Sea'))
    expect((await present()).sort()).toEqual(['/Air', '/Sea'])
    await persistAssets({ tid: a!.tid, keywords: { itm: [{ value: '/Land' }] } })
    expect(await present()).toHaveLength(3)
    const [gone, again, nothing] = await performAssets(
      { type: 'unlink', tid: a!.tid, ...meta({ keywordPath: '/Sea' }) },
      { type: 'unlink', path: '/MAM/keywords/a.jpg', ...meta({ keywordPath: '/NoSuch' }) },
      { type: 'unlink', tid: a!.tid },
    )
    expect([gone.status, again.status, nothing.status]).toEqual(['SUCCESS', 'ERROR', 'ERROR'])
    expect((await present()).sort()).toEqual(['/Air', '/Land'])
    await persistAssets(itms('full'))
    expect(await present()).toEqual([])
  })
})

describe('move and copy', () => {
  test('moves by tid, id or path; an existing name is refused, or replaced with doOverwrite', async () => {
    const [a, b] = await filesIn('/MAM/mv/from', 'a.jpg', 'b.jpg')
    const [other] = await filesIn('/MAM/mv/to', 'B.jpg')
    const to = meta({ destinationDirPath: '/MAM/mv/to' })
    const [moved, refused, nowhere, missing] = await performAssets(
      { type: 'move', path: 'MAM/mv/from/A.JPG', ...to },
      { type: 'move', id: b!.id, ...to },
      { type: 'move', tid: b!.tid, ...meta({ destinationDirTid: 'NONE' }) },
      { type: 'move', tid: b!.tid },
    )
    expect(moved).toMatchObject({ status: 'SUCCESS', action: 'move', tid: a!.tid, path: '/MAM/mv/to/a.jpg' })
    expect(refused.description).toMatch(/B.jpg exists already; send meta doOverwrite=true/)
    expect(nowhere.description).toBe('no directory has the tid NONE')
    expect(missing.description).toMatch(/needs meta destinationDirTid/)
    const [replaced] = await performAssets({
      type: 'move',
      tid: b!.tid,
      ...meta({ destinationDirPath: '/MAM/mv/to', doOverwrite: 'true' }),
    })
    expect(replaced).toMatchObject({ status: 'SUCCESS', path: '/MAM/mv/to/b.jpg' })
    expect(await assetPaths('/MAM/mv/to')).toEqual(['/MAM/mv/to/a.jpg', '/MAM/mv/to/b.jpg'])
    expect((await retrieve({ tids: [other!.tid] })).status).toBe(404)
  })

  test('of two assets moved to one name in a message the first wins, unless the second overwrites it', async () => {
    const [a] = await filesIn('/MAM/both/x', 'same.jpg')
    const [b] = await filesIn('/MAM/both/y', 'same.jpg')
    await createPath('/MAM/both/to')
    const act = (tid: string, more = {}) => ({
      type: 'move',
      tid,
      ...meta({ destinationDirPath: '/MAM/both/to', ...more }),
    })
    expect(statuses(await performAssets(act(a!.tid), act(b!.tid)))).toEqual(['SUCCESS', 'ERROR'])
    expect(
      statuses(
        await performAssets(act(b!.tid, { doOverwrite: 'true' }), {
          ...act(a!.tid),
          ...meta({ destinationDirPath: '/MAM' }),
        }),
      ),
    ).toEqual(['SUCCESS', 'ERROR'])
    expect((await retrieve({ tids: [b!.tid] })).json.assets.asset[0].path).toBe('/MAM/both/to/same.jpg')
  })

  test('two assets of the same name can swap directories', async () => {
    const [a] = await filesIn('/MAM/places/x', 'same.jpg')
    const [b] = await filesIn('/MAM/places/y', 'same.jpg')
    await createPath('/MAM/places/z')
    const act = (tid: string, dir: string) => ({
      type: 'move',
      tid,
      ...meta({ destinationDirPath: `/MAM/places/${dir}` }),
    })
    expect(statuses(await performAssets(act(a!.tid, 'z'), act(b!.tid, 'x'), act(a!.tid, 'y')))).toEqual([
      'SUCCESS',
      'SUCCESS',
      'SUCCESS',
    ])
    expect(
      (await retrieve({ tids: [a!.tid, b!.tid] })).json.assets.asset.map(({ path }: { path: string }) => path),
    ).toEqual(['/MAM/places/y/same.jpg', '/MAM/places/x/same.jpg'])
  })

  test('a copy has its own tid and id, the same bytes, values and keywords', async () => {
    const [a] = await filesIn('/MAM/cp', 'a.jpg')
    await persistAssets({
      tid: a!.tid,
      vals: { val: [{ attr: 'CREDIT', itm: [{ value: 'me' }] }] },
      links: { itms: [{ type: 'kwds', itm: [{ value: '/Land' }] }] },
    })
    const here = { destinationDirPath: '/MAM/cp' }
    const [same, renamed, named, taken] = await performAssets(
      { type: 'copy', tid: a!.tid, ...meta(here) },
      { type: 'copy', tid: a!.tid, ...meta({ ...here, newName: 'b.jpg' }) },
      { type: 'copy', tid: a!.tid, ...meta({ ...here, newName: 'c.jpg', newTid: 'COPY-C' }) },
      { type: 'copy', tid: a!.tid, ...meta({ ...here, newName: 'd.jpg', newTid: 'COPY-C' }) },
    )
    expect([same, renamed, named, taken].map(resultOf)).toEqual([
      expect.stringMatching(/exists already/),
      '/MAM/cp/b.jpg',
      '/MAM/cp/c.jpg',
      'an asset with the tid COPY-C exists already',
    ])
    const [copy] = (await retrieve({ tids: ['COPY-C'], retrieveHistory: true })).json.assets.asset
    expect(copy).toMatchObject({
      links: { itms: [{ itm: [{ value: '/Land' }] }] },
      vals: { val: [{ attr: 'CREDIT' }] },
    })
    expect(facts(copy.histories.history[0])).toMatchObject({ action: 'copy' })
    const { asset } = (await api.post(`${base}/duplicates/retrieve`, { tids: ['COPY-C'] })).json.assets
    expect(asset.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(['/MAM/cp/a.jpg', '/MAM/cp/b.jpg', '/MAM/cp/c.jpg']),
    )
  })
})

describe('check-out', () => {
  test('locks for one user: nobody else can change, move, delete or check in the asset', async () => {
    const [a] = await filesIn('/MAM/lock', 'a.jpg')
    const token = await api.tokenFor({ name: 'bo' })
    const as = (type: string, more = {}) =>
      call('assets/perform', { actions: { action: [{ dataType: 'asset', type, tid: a!.tid, ...more }] } }, { token })
    expect(
      statuses(await performAssets({ type: 'checkout', tid: a!.tid }, { type: 'checkout', path: '/MAM/lock/a.jpg' })),
    ).toEqual(['SUCCESS', 'SUCCESS'])
    for (const [type, more] of [
      ['checkout'],
      ['checkin'],
      ['delete'],
      ['move', meta({ destinationDirPath: '/MAM' })],
    ] as const) {
      const [record] = await as(type, more)
      expect(record, type).toMatchObject({ status: 'ERROR', description: expect.stringMatching(/checked out by kim/) })
    }
    const reply = await api.post(
      `${base}/persist`,
      { schemaVersion: '5.6.0', assets: { asset: [{ tid: a!.tid, name: 'b.jpg' }] } },
      { token },
    )
    expect(reply.json.responses.response[0].status).toBe('ERROR')
    expect(statuses(await persistAssets({ tid: a!.tid, name: 'mine.jpg' }))).toEqual(['SUCCESS'])
    expect((await api.post(`${base}/checkin`, { tid: a!.tid }, { token })).status).toBe(409)
    const [status] = (await api.post(`${base}/statuses`, { tids: [a!.tid] })).json.assets.asset
    expect(facts(status)).toEqual({ importStatus: 'available', objectStatus: 'locked' })
    expect((await as('cleanCheckout'))[0].description).toMatch(/only an administrator/)
    const [cleaned] = await call(
      'assets/perform',
      { actions: { action: [{ dataType: 'asset', type: 'cleanCheckout', tid: a!.tid }] } },
      { token: api.adminToken },
    )
    expect(cleaned.status).toBe('SUCCESS')
    expect((await performAssets({ type: 'checkin', tid: a!.tid }))[0].description).toMatch(/not checked out/)
  })

  test('the check-in request stores a comment in the history, and keeps the lock on request', async () => {
    const [a] = await filesIn('/MAM/checkin', 'a.jpg')
    await performAssets({ type: 'checkout', tid: a!.tid })
    const kept = await api.post(`${base}/checkin`, { path: '/MAM/checkin/a.jpg', comment: 'half done', keepLock: true })
    expect([kept.status, kept.text]).toEqual([200, 'SUCCESS'])
    expect((await api.post(`${base}/checkin`, { id: a!.id, comment: 'done' })).text).toBe('SUCCESS')
    expect((await api.post(`${base}/checkin`, { tid: a!.tid })).status).toBe(400)
    expect((await api.post(`${base}/checkin`, { tid: 'NONE' })).status).toBe(404)
    expect((await api.post(`${base}/checkin`, {})).status).toBe(400)
    const { asset } = (await api.post(`${base}/histories/retrieve`, { paths: ['MAM/checkin/a.jpg'] })).json.assets
    expect(asset[0].histories.history.map(facts)).toMatchObject([
      { action: 'checkout', newValue: 'kim' },
      { action: 'checkin', comment: 'half done' },
      { action: 'checkin', comment: 'done', oldValue: 'kim' },
    ])
  })
})

describe('delete', () => {
  test('moves assets to the trash and changes their status; restore returns them to the same or another directory', async () => {
    const [a, b] = await filesIn('/MAM/bin', 'a.jpg', 'b.jpg')
    expect(
      statuses(
        await performAssets(
          { type: 'delete', tid: a!.tid },
          { type: 'delete', id: b!.id },
          { type: 'delete', tid: a!.tid },
        ),
      ),
    ).toEqual(['SUCCESS', 'SUCCESS', 'ERROR'])
    expect((await retrieve({ tids: [a!.tid] })).status).toBe(404)
    const [status] = (await api.post(`${base}/status`, { tids: [a!.tid] })).json.assets.asset
    expect(facts(status)).toMatchObject({ objectStatus: 'marked for deletion' })
    const { assets } = (await api.post('/api/core/v1/dam/trash/retrieve', { rncTid: 'MAM' })).json
    expect(assets.asset.find(({ tid }: { tid: string }) => tid === a!.tid)).toMatchObject({
      path: '/MAM/bin/a.jpg',
      name: 'a.jpg',
    })
    await addAssets('/MAM/bin', 'b.jpg')
    const restore = (tid: string, more = {}) => ({ dataType: 'asset', type: 'restore', tid, ...more })
    const records = await call('trash/perform', {
      actions: {
        action: [
          restore(a!.tid),
          restore(b!.tid),
          restore(b!.tid, meta({ destinationDirPath: '/MAM', newName: 'back.jpg' })),
          restore('NONE'),
        ],
      },
    })
    expect(records.map(resultOf)).toEqual([
      '/MAM/bin/a.jpg',
      expect.stringMatching(/exists already/),
      '/MAM/back.jpg',
      'the trash has no asset with the tid NONE',
    ])
    expect((await retrieve({ tids: [a!.tid, b!.tid] })).json.assets.asset).toHaveLength(2)
  })

  test('an asset used by a product is deleted only with force, and the history of the product says so', async () => {
    const [a] = await filesIn('/MAM/used', 'a.jpg')
    const link = () =>
      api.db.run(sql`insert into link (kind, from_id, to_id, created_by) values ('assetToProduct', ${a!.id}, 1, 'x')`)
    await link()
    const [refused] = await performAssets({ type: 'delete', tid: a!.tid })
    expect(refused).toMatchObject({ status: 'ERROR', description: expect.stringMatching(/in use by/) })
    const force = () => performAssets({ type: 'delete', tid: a!.tid, ...meta({ force: 'true' }) })
    const { history, outbox } = await changesBy(api, async () => expect(statuses(await force())).toEqual(['SUCCESS']))
    expect(await api.db.rows(sql`select from link where from_id = ${a!.id}`)).toEqual([])
    const removed = { kind: 'assetToProduct', type: '', from: a!.id, to: 1 }
    const ofProduct = { id: 1, dataType: 'product', action: 'unlink', user: 'kim', changes: { link: removed } }
    expect(history.filter(({ id }) => id === 1)).toEqual([ofProduct])
    expect(outbox.filter(({ id }) => id === 1)).toHaveLength(1)
  })

  test('an asset is purged after its days in the trash, with versions, previews and links', async () => {
    const [a, b] = await filesIn('/MAM/purge', 'a.jpg', 'b.jpg')
    await api.db.run(sql`update dam_entry set variation_of = ${a!.id}, variation_type = 'Web' where id = ${b!.id}`)
    await performAssets({ type: 'delete', tid: a!.tid })
    // jobs in the table declare their payload as never, because each has a different one
    const sweep = () => api.app.jobs['operations.sweep']!({} as never, new AbortController().signal)
    const left = () => api.db.rows(sql`select id from dam_entry where id in (${a!.id}, ${b!.id}) order by id`)
    await sweep()
    expect(await left()).toHaveLength(2)
    await api.db.run(sql`update dam_entry set deleted_at = now() - interval '31 days' where id = ${a!.id}`)
    await sweep()
    expect(await left()).toEqual([{ id: b!.id }])
  })
})

test('links of products and keywords return the current path of an asset', async () => {
  const [a] = await filesIn('/MAM/linked', 'a.jpg')
  const itms = [
    {
      type: 'keywordToAsset',
      itms: [
        {
          itm: [
            { key: 'keywordPath', value: '/Air' },
            { key: 'assetTid', value: a!.tid },
          ],
        },
      ],
    },
  ]
  const reply = await api.post('/api/core/v1/common/links/persist', { schemaVersion: '5.6.0', links: { itms } })
  expect(statuses(reply.json.responses.response), reply.text).toEqual(['SUCCESS'])
  const { kwds } = (await api.post('/api/core/v1/common/keywords/retrieve', { retrieveLinks: true })).json
  const air = kwds.kwd.find(({ path }: { path: string }) => path === '/Air')
  expect(air.links.itm).toEqual([{ key: a!.tid, value: 'MAM/linked/a.jpg' }])
})

test('duplicates: all, by checksum and by asset', async () => {
  const [a] = await filesIn('/MAM/dup/x', 'twin.jpg')
  await filesIn('/MAM/dup/y', 'twin.jpg')
  const [alone] = await filesIn('/MAM/dup/z', 'alone.jpg')
  const paths = async (request: object) =>
    ((await api.post(`${base}/duplicates/retrieve`, request)).json.assets.asset ?? []).map(
      ({ path }: { path: string }) => path,
    )
  const twins = ['/MAM/dup/x/twin.jpg', '/MAM/dup/y/twin.jpg']
  expect(await paths({ tids: [a!.tid] })).toEqual(twins)
  expect(await paths({ ids: [alone!.id] })).toEqual(['/MAM/dup/z/alone.jpg'])
  const all = await paths({})
  expect(all).toEqual(expect.arrayContaining(twins))
  expect(all).not.toContain('/MAM/dup/z/alone.jpg')
  const [{ checksum }] = [facts((await retrieve({ tids: [a!.tid] })).json.assets.asset[0])]
  expect(await paths({ checksums: [checksum!.toUpperCase()] })).toEqual(twins)
})

describe('sets', () => {
  const numbers = (n: number) => Array.from({ length: n }, (_, i) => i)
  test.each(['retrieve', 'persist', 'move', 'copy', 'checkout', 'delete'])(
    '%s of 10 and of 1000 cost the same number of statements',
    async (what) => {
      const costs: number[] = []
      for (const n of [10, 1000]) {
        const files = await filesIn(`/MAM/sets-${what}-${n}`, ...numbers(n).map((i) => `f${i}.jpg`))
        await createPath(`/MAM/to-${what}-${n}`)
        const to = meta({ destinationDirPath: `/MAM/to-${what}-${n}` })
        const act = (type: string) => performAssets(...files.map(({ tid }) => ({ type, tid, ...to })))
        const credit = { val: [{ attr: 'CREDIT', itm: [{ value: 'x' }] }] }
        const links = { itms: [{ type: 'kwds', itm: [{ value: '/Sea' }] }] }
        const before = api.statements.length
        if (what === 'retrieve') {
          const reply = await retrieve({
            tids: files.map(({ tid }) => tid),
            retrieveHistory: true,
            retrievePreviews: true,
          })
          expect(reply.json.assets.asset).toHaveLength(n)
        } else {
          const records =
            what === 'persist'
              ? await persistAssets(...files.map(({ tid }, i) => ({ tid, name: `g${i}.jpg`, vals: credit, links })))
              : await act(what)
          expect(new Set(statuses(records))).toEqual(new Set(['SUCCESS']))
        }
        costs.push(api.statements.length - before)
      }
      expect(costs[1]).toBe(costs[0])
      expect(costs[0]).toBeLessThan(25)
    },
  )
})

test('bulk accepts the same items as persist and perform', async () => {
  const files = await filesIn('/MAM/bulk', 'a.jpg', 'b.jpg')
  const worker = await api.startWorker()
  const asset = files.map(({ tid }) => ({ tid, vals: { val: [{ attr: 'CREDIT', itm: [{ value: 'bulk' }] }] } }))
  const run = await api.post(`${base}/bulk`, { schemaVersion: '5.6.0', assets: { asset } })
  const dirs = await api.post('/api/core/v1/dam/dirs/bulk', {
    schemaVersion: '5.6.0',
    dirs: { dir: [{ rnc: 'MAM', name: 'by-bulk' }] },
  })
  const finished = async (path: string) => {
    for (let i = 0; i < 100; i++) {
      const reply = await api.get(path)
      if (facts(reply.json)['state'] === 'finished') return reply.json.responses.response
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error('the run did not finish')
  }
  expect(statuses(await finished(`${base}/bulk/${run.text}`))).toEqual(['SUCCESS', 'SUCCESS'])
  expect(await finished(`/api/core/v1/dam/dirs/bulk/${dirs.text}`)).toMatchObject([{ path: '/MAM/by-bulk' }])
  await worker.stop()
})

test('grants limit attributes and locales: hidden ones are not returned, and changes of read-only ones are refused', async () => {
  const [a] = await filesIn('/MAM/rights', 'a.jpg')
  const caption = (loc: string, value: string) => ({ attr: 'CAPTION', itm: [{ loc, value }] })
  const credit = (value: string) => ({ attr: 'CREDIT', itm: [{ value }] })
  const source = { attr: 'SOURCE', itm: [{ value: 'secret' }] }
  await persistAssets({
    tid: a!.tid,
    vals: { val: [caption('en_GB', 'Boat'), caption('de_DE', 'Boot'), credit('me'), source] },
  })
  await api.db.run(sql`
    with fresh as (insert into role (name, description) values ('translator', '') returning name)
    insert into role_grant (role, kind, actions, visible_attributes, editable_attributes, visible_locales, editable_locales)
    select name, '*', '{*}', '{"except": ["SOURCE"]}', '{"only": ["CAPTION"]}', '{"only": ["de_DE"]}', '{"only": ["de_DE"]}' from fresh`)
  const token = await api.tokenFor({ name: 'tess', roles: ['translator'] })
  const shown = await api.post(`${base}/retrieve`, { tids: [a!.tid] }, { token })
  expect(shown.json.assets.asset[0].vals.val).toMatchObject([caption('de_DE', 'Boot'), credit('me')])
  const persist = (val: object) =>
    call('assets/persist', { assets: { asset: [{ tid: a!.tid, vals: { val: [val] } }] } }, { token })
  const records = [caption('de_DE', 'Schiff'), caption('en_GB', 'Ship'), credit('you'), source].map(persist)
  expect(
    (await Promise.all(records)).map(([{ status, description }]) => (status === 'SUCCESS' ? status : description)),
  ).toEqual([
    'SUCCESS',
    expect.stringMatching(/in en_GB/),
    expect.stringMatching(/CREDIT: cannot be changed/),
    expect.stringMatching(/SOURCE: has no definition/),
  ])
})
