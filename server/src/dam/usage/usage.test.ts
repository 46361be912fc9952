/** Usage rights of files: stored, refused where they forbid a use, warned of, overridden and replaced. */
import { randomUUID } from 'node:crypto'
import { cm } from '@kontor/contract'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createModel, jacket, productCalls } from '../../../test/catalogue.ts'
import { callsOf } from '../../../test/channels.ts'
import { bytesOf, dam, makeDirs, picture, recordOf, unzip, upload } from '../../../test/files.ts'
import { field, searchCalls } from '../../../test/search.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { warnJob } from './warn.ts'

const api = withServer()
const { persist: persistProducts, retrieve: retrieveProducts } = productCalls(api)
const past = '2020-01-31T00:00:00.000Z'
const future = '2099-12-31T00:00:00.000Z'
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

const persist = async (tid: string, usageRights: object, token = api.token, more: object = {}) =>
  recordOf(
    await api.post(
      `${dam}/assets/persist`,
      { schemaVersion: '5.6.0', assets: { asset: [{ tid, usageRights, ...more }] } },
      { token },
    ),
  )
const restrict = async (tid: string, usageRights: object) => {
  const record = await persist(tid, usageRights)
  expect(record.status, JSON.stringify(record)).toBe('SUCCESS')
}
const retrieve = async (tid: string, token = api.token, retrieveHistory = false) =>
  (await api.post(`${dam}/assets/retrieve`, { tids: [tid], retrieveHistory }, { token })).json.assets.asset[0]
const rightsOf = async (tid: string, token = api.token) => (await retrieve(tid, token)).usageRights
const perform = async (type: string, tid: string, meta: Record<string, string>, token = api.token) => {
  const itm = Object.entries(meta).map(([key, value]) => ({ key, value }))
  const action = [{ dataType: 'asset', type, tid, meta: { itm } }]
  return recordOf(await api.post(`${dam}/assets/perform`, { schemaVersion: '5.6.0', actions: { action } }, { token }))
}
const putRole = async (name: string, grants: object[]) => {
  const reply = await api.post(`/api/v1/identity/roles/${name}`, { grants }, { method: 'PUT', token: api.adminToken })
  expect(reply.status, reply.text).toBe(200)
}
const linkTo = (kind: string, ends: Record<string, string>) =>
  api.post('/api/core/v1/common/links/persist', {
    schemaVersion: '5.6.0',
    links: { itms: [{ type: kind, itms: [{ type: 'Main', itm: Object.entries(ends).map(([key, value]) => ({ key, value })) }] }] }, // prettier-ignore
  })
const place = async (assetTid: string, projectTid: string) =>
  recordOf(await linkTo('assetToProject', { assetTid, projectTid }))
const open = (url: string) => {
  const { pathname, search } = new URL(url, 'http://kontor')
  return api.app.http.inject({ url: pathname + search })
}
let jpeg: Buffer
const store = async (tid: string, usageRights?: object) => {
  expect(recordOf(await upload(api, { path: `/MAM/boats/${tid}.jpg`, tid }, jpeg)).status).toBe('SUCCESS')
  if (usageRights) await restrict(tid, usageRights)
  return tid
}

beforeAll(async () => {
  await createModel(api)
  await api.startWorker()
  await makeDirs(api, '/MAM/boats', '/MAM/hidden')
  jpeg = await picture(300, 200)
  const channels = callsOf(api, cm, 'channels')
  await channels.persist(
    { tid: 'shop', name: 'shop', type: 'Webshop' },
    { tid: 'print', name: 'print', type: 'Webshop' },
  )
  await channels.persist({ tid: 'outlet', name: 'outlet', type: 'Webshop', parentTid: 'shop' })
  await api.post(`${dam}/renditions/profiles/web`, { width: 50 }, { method: 'PUT', token: api.adminToken })
})

describe('usage rights', () => {
  const all = {
    licence: 'CC BY 4.0',
    holder: 'Fjordlin',
    creditLine: 'Photo: Kim',
    releases: ['model 12'],
    territories: ['DE', 'FR'],
    channels: ['shop'],
    media: ['web', 'print'],
    validFrom: past,
    validUntil: future,
    embargoUntil: past,
  }

  test('are stored, replaced as a whole, removed by an empty element, and recorded in the history', async () => {
    await store('stored')
    await restrict('stored', all)
    expect(await rightsOf('stored')).toEqual({ ...all, state: 'valid' })
    await restrict('stored', { licence: 'own' })
    expect(await rightsOf('stored')).toEqual({ licence: 'own', state: 'valid' })
    await restrict('stored', {})
    expect(await rightsOf('stored')).toBeUndefined()
    const { histories } = await retrieve('stored', api.token, true)
    expect(JSON.stringify(histories)).toMatch(/usageRights.*CC BY 4\.0|CC BY 4\.0/)
  })

  test('are in all three formats', async () => {
    await store('formats', { licence: 'own', territories: ['DE', 'AT'], validUntil: future })
    const xml = await api.post(`${dam}/assets/retrieve`, { tids: ['formats'] }, { accept: 'application/xml' })
    expect(xml.text).toMatch(/<usageRights>.*<territories>DE<\/territories><territories>AT<\/territories>.*<\/usageRights>/s) // prettier-ignore
    const sent = '<pim xmlns="http://www.apollon.de/omn" schemaVersion="5.6.0"><assets><asset tid="formats"><usageRights><licence>bought</licence></usageRights></asset></assets></pim>' // prettier-ignore
    const reply = await api.post(`${dam}/assets/persist`, sent, { type: 'application/xml' })
    expect(reply.text).toContain('SUCCESS')
    expect(await rightsOf('formats')).toEqual({ licence: 'bought', state: 'valid' })
  })

  test.each([
    [{ validFrom: future, validUntil: past }, 'validUntil'],
    [{ territories: ['Germany'] }, 'territories: expected a country'],
    [{ media: ['smoke'] }, 'media'],
    [{ channels: ['nowhere'] }, 'channels: no project has the tid nowhere'],
    [{ validUntil: 'soon' }, 'validUntil'],
    [{ licence: 'x'.repeat(1001) }, 'licence: 1001 characters'],
    [{ releases: Array.from({ length: 501 }, (_, i) => `${i}`) }, 'releases: 501 entries'],
  ])('%j are refused', async (rights, reason) => {
    await store(`refused-${randomUUID()}`)
    const reply = await api.post(`${dam}/assets/persist`, {
      schemaVersion: '5.6.0',
      assets: { asset: [{ tid: 'stored', usageRights: rights }] },
    })
    expect(reply.text).toContain(reason)
    expect(reply.text).not.toContain('SUCCESS')
    expect(await rightsOf('stored')).toBeUndefined()
  })

  test('the database refuses an end before the beginning', async () => {
    const [{ id }] = (await api.db.rows<{ id: number }>(sql`select id from dam_entry where tid = 'stored'`)) as [{ id: number }] // prettier-ignore
    const insert = api.db.run(sql`insert into asset_usage (asset_id, valid_from, valid_until) values (${id}, ${future}, ${past})`) // prettier-ignore
    await expect(insert).rejects.toThrow('asset_usage_period')
  })

  test('change the ETag, and If-Match refuses to overwrite newer ones', async () => {
    await store('tagged', { licence: 'a' })
    const tagOf = async () => (await api.post(`${dam}/assets/retrieve`, { tids: ['tagged'] })).headers.etag as string
    const etag = await tagOf()
    await restrict('tagged', { licence: 'b' })
    expect(await tagOf()).not.toBe(etag)
    const message = { schemaVersion: '5.6.0', assets: { asset: [{ tid: 'tagged', usageRights: { licence: 'c' } }] } }
    const late = await api.post(`${dam}/assets/persist`, message, { headers: { 'if-match': etag } })
    expect(late.status).toBe(412)
  })

  test('of an earlier file return with it', async () => {
    await store('versioned', { licence: 'old' })
    const request = { tid: 'versioned' }
    const reply = await upload(api, request, await picture(310, 200), { to: '/assets/versions/bin/persist' })
    const { versionTid } = Object.fromEntries(
      (recordOf(reply).details?.itm ?? recordOf(reply).meta?.itm ?? []).map((item: { key: string; value: string }) => [item.key, item.value]), // prettier-ignore
    ) as { versionTid: string }
    await restrict('versioned', { licence: 'new' })
    const tid = versionTid ?? (await api.post(`${dam}/assets/versions/retrieve`, { tids: ['versioned'] })).json.versions.version[0].tid // prettier-ignore
    const action = [{ dataType: 'version', type: 'restore', tid }]
    const restored = await api.post(`${dam}/assets/versions/perform`, { schemaVersion: '5.6.0', actions: { action } })
    expect(recordOf(restored).status, restored.text).toBe('SUCCESS')
    expect((await rightsOf('versioned')).licence).toBe('old')
  })

  test('are those of a copy too, without the exceptions', async () => {
    await store('source', { validUntil: past })
    await perform('overrideUsage', 'source', { until: inDays(1), reason: 'x' }, api.adminToken)
    const copied = await perform('copy', 'source', { destinationDirPath: '/MAM/hidden', newTid: 'copy' })
    expect(copied.status, JSON.stringify(copied)).toBe('SUCCESS')
    expect(await rightsOf('copy')).toEqual({ validUntil: past, state: 'expired' })
    expect((await bytesOf(api, '/renditions/bin?assetTid=copy&width=50')).status).toBe(403)
  })

  test('hide channels that the reader may not see, and keep them', async () => {
    await store('partly', { channels: ['shop', 'print'] })
    await putRole('shopper', [
      { kind: 'asset', actions: ['read', 'update'] },
      { kind: 'project', actions: ['read'], scopes: { channel: ['/shop'] } },
    ])
    const token = await api.tokenFor({ name: 'sam', roles: ['shopper'] })
    expect(await rightsOf('partly', token)).toEqual({ channels: ['shop'], hiddenChannels: 1, state: 'valid' })
    const refused = await persist('partly', { channels: ['print'] }, token)
    expect(JSON.stringify(refused)).toContain('no project has the tid print')
    expect((await persist('partly', { licence: 'x' }, token)).status).toBe('SUCCESS')
    expect((await rightsOf('partly')).channels).toEqual(['print'])
    const history = await api.post(`${dam}/assets/histories/retrieve`, { tids: ['partly'] }, { token })
    expect(history.text).not.toContain('print')
  })

  test('are changed only by those who may change the file', async () => {
    await store('fixed')
    const token = await api.tokenFor({ name: 'rea', roles: ['reader'] })
    const reply = await api.post(
      `${dam}/assets/persist`,
      { schemaVersion: '5.6.0', assets: { asset: [{ tid: 'fixed', usageRights: { licence: 'x' } }] } },
      { token },
    )
    expect(reply.text).not.toContain('SUCCESS')
  })

  test('are found by search', async () => {
    const { found, wait } = searchCalls(api)
    const tid = `found-${randomUUID()}`
    await store(tid, { holder: tid, validUntil: past })
    await wait('ASSET', (await retrieve(tid)).id)
    await expect.poll(() => found('ASSET', field('usageHolder', 'EQ', tid))).toEqual([tid])
    await restrict(tid, { holder: tid, validUntil: past, channels: ['shop'], releases: ['model 12'] })
    const cleared = [field('usageChannels', 'EQ', 'shop'), field('usageReleases', 'EQ', 'model 12')]
    for (const query of cleared) await expect.poll(() => found('ASSET', query)).toContain(tid)
    expect(await found('ASSET', field('usageChannels', 'EQ', 'print'))).not.toContain(tid)
    expect(await found('ASSET', field('usableUntil', 'LT', new Date().toISOString()))).toContain(tid)
    expect(await found('ASSET', field('usableUntil', 'GT', new Date().toISOString()))).not.toContain(tid)
  })
})

const expired = 'must not be used since 2020-01-31'
const notYet = 'must not be used before 2099-12-31'
const forbidding = [
  ['has expired', { validUntil: past }, expired],
  ['is not valid yet', { validFrom: future }, notYet],
  ['is under embargo', { validFrom: past, embargoUntil: future }, notYet],
] as const

describe.each(forbidding)('a file that %s', (_, rights) => {
  let tid = ''
  beforeAll(async () => {
    tid = await store(randomUUID(), rights)
  })

  test('says so, and can still be seen and downloaded by those who may read it', async () => {
    expect(['expired', 'notYet']).toContain((await rightsOf(tid)).state)
    expect((await bytesOf(api, `/assets/bin?assetTid=${tid}`)).status).toBe(200)
  })

  test('can be used while somebody with the right overrides, which the audit log says', async () => {
    const refused = await perform('overrideUsage', tid, { until: inDays(1), reason: 'press day' })
    expect(refused.status, JSON.stringify(refused)).toBe('ERROR')
    for (const meta of [
      { until: inDays(1) },
      { until: past, reason: 'x' },
      { until: inDays(400), reason: 'x' },
      { until: inDays(30).slice(0, 10).replaceAll('-', '/'), reason: 'a date in words of some country' },
    ] as const)
      expect((await perform('overrideUsage', tid, meta as Record<string, string>, api.adminToken)).status).toBe('ERROR')
    const allowed = await perform('overrideUsage', tid, { until: inDays(1), reason: 'press day' }, api.adminToken)
    expect(allowed.status, JSON.stringify(allowed)).toBe('SUCCESS')
    expect(await rightsOf(tid)).toMatchObject({ state: 'overridden', overrideBy: 'ada', overrideReason: 'press day' })
    expect((await bytesOf(api, `/renditions/bin?assetTid=${tid}&width=50`)).status).toBe(200)
    const events = await api.get('/api/v1/identity/audit?action=usage.override', { token: api.adminToken })
    expect(events.text).toContain(`asset ${tid}`)
    expect((await perform('overrideUsage', tid, {}, api.adminToken)).status).toBe('SUCCESS')
    expect((await bytesOf(api, `/renditions/bin?assetTid=${tid}&width=50`)).status).toBe(403)
  })
})

/** Content that nobody gets, whatever the usage rights say (dam/care). */
const held = [
  ['is in quarantine', { held: 'infected' }, 'quarantine'],
  ['is damaged', { fault: 'damaged' }, 'damaged'],
  ['is in the archive', { tier: 'archive' }, 'is in the archive'],
] as const
const hold = async (tid: string, columns: object) => {
  const bytes = Buffer.concat([jpeg, Buffer.from(tid)]) // content of its own
  expect(recordOf(await upload(api, { path: `/MAM/boats/${tid}.jpg`, tid }, bytes)).status).toBe('SUCCESS')
  const [[column, state]] = Object.entries(columns) as [[string, string]]
  const { sha256 } = (await api.db.row<{ sha256: string }>(sql`select sha256 from dam_entry where tid = ${tid}`))!
  await api.db.pool.query(`update blob set ${column} = $1 where sha256 = $2`, [state, sha256])
  return tid
}

describe.each([
  ...forbidding.map(([what, rights, reason]) => [what, (tid: string) => store(tid, rights), reason] as const),
  ...held.map(([what, columns, reason]) => [what, (tid: string) => hold(tid, columns), reason] as const),
])('a file that %s', (_, make, reason) => {
  let tid = ''
  beforeAll(async () => {
    tid = await make(randomUUID())
  })

  test('is not placed in a channel', async () => {
    expect(JSON.stringify(await place(tid, 'shop'))).toContain(reason)
    const links = {
      itms: [{ type: 'assetToProject', itms: [{ type: '', itm: [{ key: 'projectTid', value: 'shop' }] }] }],
    }
    const record = recordOf(
      await api.post(`${dam}/assets/persist`, { schemaVersion: '5.6.0', assets: { asset: [{ tid, name: 'renamed.jpg', links }] } }), // prettier-ignore
    )
    expect([record.status, JSON.stringify(record)]).toEqual(['ERROR', expect.stringContaining(reason)])
    expect((await retrieve(tid)).name).toBe(`${tid}.jpg`)
  })

  test('has no rendition and no public address', async () => {
    const made = await bytesOf(api, `/renditions/bin?assetTid=${tid}&width=50`)
    expect([made.status, made.bytes.toString()]).toEqual([403, expect.stringContaining(reason)])
    for (const how of [{ profile: 'web' }, { width: 50 }, { iiif: true }]) {
      const reply = await api.post(`${dam}/renditions/urls`, { tids: [tid], ...how })
      expect([reply.status, reply.text]).toEqual([403, expect.stringContaining(reason)])
    }
  })

  test('has no signed link', async () => {
    for (const body of [{ tid }, { tids: [tid] }, { tids: [tid], profile: 'web' }]) {
      const reply = await api.post(`${dam}/assets/presigned-url`, body)
      expect([reply.status, reply.text]).toEqual([403, expect.stringContaining(reason)])
    }
    expect((await api.post(`${dam}/assets/presigned-url`, { tid, method: 'PUT' })).status).toBe(200)
  })

  test.each([{}, { profile: 'web' }])('is left out of a zip by a signed link with %j, which says why', async (how) => {
    const tids = [tid, await store(randomUUID())]
    const { status, text } = await api.post(`${dam}/assets/presigned-url`, { tids, ...how })
    expect([status, text]).toEqual([200, expect.stringContaining('ticket=')])
    const zip = await unzip((await open(text)).rawPayload)
    expect(Object.keys(zip)).toEqual([expect.stringContaining(tids[1]!), 'not-included.txt'])
    expect(String(zip['not-included.txt'])).toMatch(new RegExp(`^${tid}\\.jpg: .*${reason}`))
    expect(String(zip['not-included.txt'])).not.toContain('/MAM/')
  })

  test('is left out of exports, which say why', async () => {
    const links = { links: { itms: [{ type: 'assetToProduct', itms: [{ itm: [{ key: 'assetTid', value: tid }] }] }] } }
    const product = `P-${tid}`
    await persistProducts(jacket(product, links))
    for (const more of [{ format: 'csv' }, { format: 'csv', pictures: 'web' }, { format: 'zip' }]) {
      const { json } = await api.post('/api/v1/transfers/exports', { columns: ['tid', 'asset'], tids: [product], ...more }) // prettier-ignore
      const done = await vi.waitFor(
        async () => {
          const reply = await api.get(`/api/v1/transfers/${json.id}`)
          expect(reply.json.state).toBe('finished')
          return reply.json
        },
        { timeout: 20_000, interval: 20 },
      )
      expect(done.notes).toMatchObject([{ reason: expect.stringContaining(reason) as string }])
      const file = (await api.get(`/api/v1/transfers/${json.id}/file`)).text
      expect(file).not.toContain(`/boats/${tid}`)
    }
  })
})

describe('addresses that were made before', () => {
  test('stop when the right ends', async () => {
    const [tid, other] = [await store(randomUUID(), { validUntil: future }), await store(randomUUID())]
    const urls = await Promise.all(
      [{ profile: 'web' }, { iiif: true }].map(async (how) => {
        const { json } = await api.post(`${dam}/renditions/urls`, { tids: [tid], ...how })
        return json.urls[0].url + ('iiif' in how ? '/info.json' : '')
      }),
    )
    urls.push((await api.post(`${dam}/assets/presigned-url`, { tid })).text)
    urls.push((await api.post(`${dam}/assets/presigned-url`, { tids: [tid, other] })).text)
    urls.push((await api.post(`${dam}/assets/presigned-url`, { tids: [tid], profile: 'web' })).text)
    await vi.waitFor(async () => expect((await retrieve(tid)).meta.itm.find(({ key }: { key: string }) => key === 'importStatus').value).toBe('available'), { timeout: 20_000 }) // prettier-ignore
    for (const url of urls) expect([url, (await open(url)).statusCode]).toEqual([url, 200])
    urls.push((await api.post(`${dam}/renditions/urls`, { tids: [tid], media: true })).json.urls[0].url)
    for (const one of [tid, other]) await restrict(one, { validUntil: past })
    for (const url of urls) {
      const reply = await open(url)
      expect([url, reply.statusCode, reply.body]).toEqual([url, 403, expect.stringContaining(expired)])
      expect(reply.body, 'people outside do not learn the folder').not.toContain('/MAM/')
    }
  })

  test('leave out of a running zip what must not be used any more', async () => {
    const huge = randomUUID()
    await upload(api, { path: `/MAM/boats/${huge}.bin`, tid: huge }, Buffer.alloc(32_000_000, 'x'))
    const tids = [huge, await store(randomUUID()), await store(randomUUID(), { validUntil: future })]
    const { text } = await api.post(`${dam}/assets/presigned-url`, { tids })
    const { pathname, search } = new URL(text)
    const sent = await fetch((await api.listen()) + pathname + search)
    await restrict(tids[1]!, { validUntil: past })
    const zip = await unzip(Buffer.from(await sent.arrayBuffer()))
    expect(Object.keys(zip)).toEqual([
      `${huge}/${huge}_original.bin`,
      `${tids[2]}/${tids[2]}_original.jpg`,
      'not-included.txt',
    ])
    expect(zip['not-included.txt']!.toString()).toMatch(`${tids[1]}.jpg: ${tids[1]}.jpg ${expired}`)
  })

  const ageOf = async (url: string) =>
    Number(/max-age=(\d+)/.exec(String((await open(url)).headers['cache-control']))![1])

  test('are cached by nobody beyond the end of the right', async () => {
    const tid = await store(randomUUID(), { validUntil: new Date(Date.now() + 600_000).toISOString() })
    const { json } = await api.post(`${dam}/renditions/urls`, { tids: [tid], profile: 'web' })
    const age = await ageOf(json.urls[0].url)
    expect(age).toBeLessThanOrEqual(600)
    expect(age).toBeGreaterThan(0)
  })

  test('are cached by nobody beyond the end of an exception', async () => {
    const tid = await store(randomUUID(), { embargoUntil: future })
    const until = new Date(Date.now() + 600_000).toISOString()
    expect((await perform('overrideUsage', tid, { until, reason: 'press day' }, api.adminToken)).status).toBe('SUCCESS')
    const { json } = await api.post(`${dam}/renditions/urls`, { tids: [tid], profile: 'web' })
    const age = await ageOf(json.urls[0].url)
    expect(age).toBeLessThanOrEqual(600)
    expect(age).toBeGreaterThan(0)
  })
})

describe('a file that is cleared for some channels', () => {
  let tid = ''
  beforeAll(async () => {
    tid = await store(randomUUID(), { channels: ['shop'], media: ['print'], territories: ['DE'] })
  })

  test('is placed there and below, and nowhere else; an existing place is no new one', async () => {
    expect((await place(tid, 'shop')).status).toBe('SUCCESS')
    expect((await place(tid, 'outlet')).status).toBe('SUCCESS')
    expect(JSON.stringify(await place(tid, 'print'))).toContain('is not cleared for the channel print')
    await restrict(tid, { channels: ['print'] })
    expect((await place(tid, 'shop')).status).toBe('SUCCESS')
    await restrict(tid, { channels: ['shop'], media: ['print'], territories: ['DE'] })
  })

  test('has renditions only for what it is cleared for', async () => {
    const made = async (settings: object) => {
      const reply = await api.post(`${dam}/renditions/profiles/bound`, { width: 40, ...settings }, { method: 'PUT', token: api.adminToken }) // prettier-ignore
      expect(reply.status, reply.text).toBe(200)
      return (await bytesOf(api, `/renditions/bin?assetTid=${tid}&profile=bound`)).status
    }
    expect(await made({ channelTid: 'outlet', medium: 'print', territory: 'DE' })).toBe(200)
    for (const other of [{ channelTid: 'print' }, { medium: 'web' }, { territory: 'FR' }])
      expect(await made(other)).toBe(403)
    const unknown = await api.post(`${dam}/renditions/profiles/x`, { channelTid: 'none' }, { method: 'PUT', token: api.adminToken }) // prettier-ignore
    expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining('/channelTid')])
  })
})

test('addresses of many files are checked by one statement', async () => {
  await api.post(`${dam}/renditions/profiles/outlet`, { width: 40, channelTid: 'outlet' }, { method: 'PUT', token: api.adminToken }) // prettier-ignore
  const tids: string[] = []
  for (let i = 0; i < 3; i++) tids.push(await store(randomUUID(), { channels: ['print', 'shop'] }))
  const before = api.statements.length
  expect((await api.post(`${dam}/renditions/urls`, { tids, profile: 'outlet' })).status).toBe(200)
  const checks = api.statements.slice(before).filter((text) => text.includes('from project p join project a'))
  expect(checks).toHaveLength(1)
})

test.each(['renditions/urls', 'renditions/urls/revoke', 'renditions/media'])(
  '%s takes a thousand files',
  async (at) => {
    const tids = Array.from({ length: 1001 }, (_, i) => `${i}`)
    const { status, text } = await api.post(`${dam}/${at}`, { tids })
    expect([status, text]).toEqual([400, expect.stringContaining('1000')])
    expect((await api.post(`${dam}/${at}`, { tids: tids.slice(1) })).status).toBe(404)
  },
)

describe('a file is replaced', () => {
  const linked = async (tid: string) => JSON.stringify((await retrieve(tid)).links ?? {})

  test('in all places at once, in their order', async () => {
    const [old, other, fresh] = [await store(randomUUID()), await store(randomUUID()), await store(randomUUID())]
    const itm = [old, other].map((value, pos) => ({ key: 'assetTid', value, pos }))
    await persistProducts(
      jacket('R1', { links: { itms: [{ type: 'assetToProduct', itms: [{ type: 'Main', itm }] }] } }),
    )
    await place(old, 'shop')
    await restrict(old, { validUntil: past })
    const record = await perform('replace', old, { replacementTid: fresh })
    expect(record.status, JSON.stringify(record)).toBe('SUCCESS')
    expect(JSON.stringify(record)).toContain('"links"')
    expect(await linked(old)).toBe('{}')
    expect(await linked(fresh)).toMatch(/R1.*shop|shop.*R1/)
    const [product] = await retrieveProducts('R1')
    expect(JSON.stringify(product)).toMatch(new RegExp(`${fresh}|${other}`))
  })

  test('in no place if one of them is refused or hidden', async () => {
    const [old, fresh] = [await store(randomUUID()), await store(randomUUID(), { channels: ['print'] })]
    await persistProducts(jacket('R2', { links: { itms: [{ type: 'assetToProduct', itms: [{ itm: [{ key: 'assetTid', value: old }] }] }] } })) // prettier-ignore
    await place(old, 'shop')
    expect(JSON.stringify(await perform('replace', old, { replacementTid: fresh }))).toContain('not cleared')
    await restrict(fresh, {})
    await putRole('linker', [
      { kind: 'asset', actions: ['read', 'link'] },
      { kind: 'product', actions: ['read', 'link'] },
    ])
    const token = await api.tokenFor({ name: 'lin', roles: ['linker'] })
    expect(JSON.stringify(await perform('replace', old, { replacementTid: fresh }, token))).toContain('may not read')
    for (const meta of [{}, { replacementTid: old }, { replacementTid: 'none' }])
      expect((await perform('replace', old, meta as Record<string, string>)).status).toBe('ERROR')
    expect(await linked(old)).toMatch(/R2.*shop|shop.*R2/)
    expect(await linked(fresh)).toBe('{}')
  })

  test('once by two people at the same time', async () => {
    const [old, a, b] = [await store(randomUUID()), await store(randomUUID()), await store(randomUUID())]
    await place(old, 'shop')
    await Promise.all([perform('replace', old, { replacementTid: a }), perform('replace', old, { replacementTid: b })])
    expect([await linked(a), await linked(b)].filter((links) => links.includes('shop'))).toHaveLength(1)
    expect(await linked(old)).toBe('{}')
  })
})

describe('owners', () => {
  const messagesOf = async (token: string) =>
    ((await api.get('/api/core/v1/common/messages', { token })).json.messages ?? []) as { subject: string; body: string }[] // prettier-ignore
  const warn = () => api.app.jobs[warnJob]!({} as never, new AbortController().signal)

  test('are warned 30, 7 and 1 days ahead, once each, also by processes that run at the same time', async () => {
    const name = `owner-${randomUUID()}`
    const token = await api.tokenFor({ name, roles: ['user'] })
    const tid = randomUUID()
    await upload(api, { path: `/MAM/boats/${tid}.jpg`, tid }, jpeg, { token })
    const subjects: string[] = []
    for (const days of [40, 20, 20, 5, 0.5]) {
      await restrict(tid, { validUntil: inDays(days) })
      await Promise.all([warn(), warn()])
      await warn()
      subjects.push((await messagesOf(token)).map(({ subject }) => subject.replace(/^.* within /, '')).join())
    }
    expect(subjects).toEqual([
      '',
      '30 days',
      '30 days,30 days',
      '7 days,30 days,30 days',
      '1 day,7 days,30 days,30 days',
    ])
    expect((await messagesOf(token))[0]!.body).toContain(`/MAM/boats/${tid}.jpg`)
  })

  test('without the right to read the file do not learn its name; administrators are warned instead', async () => {
    const name = `former-${randomUUID()}`
    await putRole('no-files', [{ kind: 'product', actions: ['read'] }])
    const token = await api.tokenFor({ name, roles: ['no-files'] })
    const tid = await store(randomUUID())
    await api.db.run(sql`update dam_entry set created_by = ${name} where tid = ${tid}`)
    await restrict(tid, { validUntil: inDays(2) })
    await warn()
    expect((await messagesOf(token)).map(({ body }) => body).join()).not.toContain(tid)
    expect((await messagesOf(api.adminToken)).map(({ body }) => body).join()).toContain(tid)
  })
})
