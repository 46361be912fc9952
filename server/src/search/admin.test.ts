/** History, stored searches, configurations, and the administration of indexes. */
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createModel, jacket, productCalls, simple, vals } from '../../test/catalogue.ts'
import { field, fullText, search, searchCalls } from '../../test/search.ts'
import { type CallOptions, withServer } from '../../test/server.ts'
import { orderRebuild } from './indexes/indexes.ts'

const api = withServer()
const { call, find, found, wait } = searchCalls(api)
const products = productCalls(api)
const admin = () => ({ token: api.adminToken })
const send = (method: NonNullable<CallOptions['method']>, path: string, body?: object, options: CallOptions = {}) =>
  api.post(`${search}${path}`, body, { method, ...options })
let other: string

beforeAll(async () => {
  await createModel(api)
  other = await api.tokenFor({ name: 'lee' })
  const records = await products.persist(jacket('P1', vals(simple('material', 'wool'))), jacket('P2'))
  await wait('PRODUCT', ...records.map(({ id }) => id))
})

describe('history', () => {
  test('remembers each text once, latest first, per context, and suggests it', async () => {
    for (const text of ['red boat', 'Red sail', 'red boat']) await call('/history', { text, context: 'main' })
    await call('/history', { text: 'elsewhere' })
    expect((await call('/history/query', { text: 'RED' })).histories).toEqual(['red boat', 'Red sail'])
    expect((await call('/history/query', { context: 'main', count: 1 })).histories).toEqual(['red boat'])
    expect((await call('/suggest', { index: 'PRODUCT', text: 'red' })).suggestions).toContain('Red sail')
  })

  test('is an index in which every user finds only their own entries', async () => {
    const { added } = await call('/history', { text: 'green buoy' })
    expect(added).toMatchObject({ text: 'green buoy', user: 'kim' })
    await wait('HISTORY', added.id)
    expect(await found('HISTORY', fullText('buoy'), {}, undefined, 'text')).toEqual(['green buoy'])
    expect(await found('HISTORY', fullText('buoy'), {}, { token: other }, 'text')).toEqual([])
  })

  test('of other users is visible to administrators only', async () => {
    for (const [method, path, body] of [
      ['POST', '/history', { text: 'x', user: 'kim' }],
      ['POST', '/history/query', { user: 'kim' }],
      ['DELETE', '/history', { user: 'kim' }],
    ] as const) {
      expect((await send(method, path, body, { token: other })).status, path).toBe(403)
    }
    expect((await send('POST', '/history/query', { user: 'kim', text: 'Red s' }, admin())).json.histories).toEqual([
      'Red sail',
    ])
  })

  test('can be deleted', async () => {
    const reply = await send('DELETE', '/history', { context: 'main' })
    expect(reply.json.deleted).toEqual({ user: 'kim', context: 'main', count: 2 })
    expect((await call('/history/query', {})).histories).toEqual(['green buoy', 'elsewhere'])
    expect((await send('DELETE', '/history')).json.deleted.count).toBe(2)
  })
})

describe('stored searches', () => {
  const searchObject = { context: { searchType: 'INDEX', index: 'PRODUCT' }, query: fullText('wool'), pageSize: 5 }

  test('are stored, listed, loaded, renamed, changed and deleted by their owner', async () => {
    const stored = await send('POST', '/storedsearch', { name: 'Wool', searchObject })
    expect([stored.status, stored.json.name]).toEqual([201, 'Wool'])
    const at = `/storedsearch/${stored.json.id}`
    expect((await send('GET', at)).json).toEqual(searchObject)
    expect((await send('GET', '/storedsearch?index=PRODUCT')).json.storedSearchEntries).toEqual([
      { id: stored.json.id, index: 'PRODUCT', name: 'Wool' },
    ])
    expect((await send('GET', '/storedsearch?index=ASSET')).json.storedSearchEntries).toBeUndefined()
    expect((await send('PATCH', at, { name: 'Woollen' })).json).toMatchObject({ id: stored.json.id, name: 'Woollen' })
    const assets = { context: { index: 'ASSET' } }
    await send('PATCH', at, { searchObject: assets })
    expect((await send('GET', at)).json).toEqual(assets)
    const gone = await send('DELETE', at)
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect((await send('DELETE', at)).status).toBe(404)
  })

  test('of other users are not found', async () => {
    const { id } = (await send('POST', '/storedsearch', { name: 'Mine', searchObject })).json
    const at = `/storedsearch/${id}`
    for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', { name: 'Theirs' }]] as const) {
      expect((await send(method, at, body, { token: other })).status).toBe(404)
    }
    expect((await send('GET', '/storedsearch', undefined, { token: other })).json.storedSearchEntries).toBeUndefined()
  })

  test.each([
    [{ pageSize: 1001 }, 'pageSize: expected 0 to 1000'],
    [{ pageSize: -1 }, 'pageSize: expected 0 to 1000'],
    [{ pageIndex: -1 }, 'pageIndex: expected 0 or more'],
    [{ maxResults: -1 }, 'maxResults: expected 0 or more'],
    [{ pageIndex: 500 }, 'raise maxResults'],
  ])('with %j are refused', async (page, expected) => {
    const wrong = { name: 'Wrong', searchObject: { ...searchObject, pageSize: 20, ...page } }
    const { id } = (await send('POST', '/storedsearch', { name: 'Right', searchObject })).json
    for (const [type, reply] of [
      ['storedSearchInsert', await send('POST', '/storedsearch', wrong)],
      ['storedSearch', await send('PATCH', `/storedsearch/${id}`, wrong)],
    ] as const) {
      expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(expected)])
      expect(reply.text).toContain(`/${type}/searchObject/`)
    }
    expect((await send('GET', `/storedsearch/${id}`)).json).toEqual(searchObject)
  })

  test.each(['x', '-1', '99999999999999999999', '1;drop'])('with the id %s are not found', async (id) => {
    expect((await send('GET', `/storedsearch/${encodeURIComponent(id)}`)).status).toBe(404)
  })
})

describe('configurations', () => {
  const configuration = {
    index: 'PRODUCT',
    label: 'Woollen',
    filter: field('material', 'EQ', 'wool'),
    resultAttributes: ['material'],
  }
  const configured = (identifier: string) => ({ context: { searchType: 'CONFIG', configIdentifier: identifier } })

  test('are created by administrators and applied to searches that name them', async () => {
    const made = await send('PUT', '/configurations/F.Search.Wool', configuration, admin())
    expect(made.json).toMatchObject({ id: expect.any(Number), identifier: 'F.Search.Wool', ...configuration })
    const result = await call('', configured('F.Search.Wool'))
    expect(result.totalHitCount).toBe(1)
    expect(result.items[0].attributes.map(({ name }: { name: string }) => name)).toEqual(['material'])
    expect((await call('', { context: { searchType: 'CONFIG', configId: made.json.id } })).totalHitCount).toBe(1)
    const stored = await send('POST', '/storedsearch', {
      name: 'By configuration',
      searchObject: configured('F.Search.Wool'),
    })
    expect((await send('GET', `/storedsearch?configId=${made.json.id}`)).json.storedSearchEntries).toEqual([
      {
        id: stored.json.id,
        index: 'PRODUCT',
        name: 'By configuration',
        pluginConfigurationId: made.json.id,
        pluginIdentifier: 'F.Search.Wool',
      },
    ])
  })

  test('are refused with an invalid filter, or from users who are not administrators', async () => {
    const bad = { index: 'PRODUCT', filter: field('nope', 'EQ', 1) }
    expect((await send('PUT', '/configurations/bad', bad, admin())).status).toBe(400)
    expect((await send('PUT', '/configurations/bad', configuration)).status).toBe(403)
    expect((await api.post(search, configured('unknown'))).status).toBe(404)
    expect((await api.post(search, { context: { searchType: 'CONFIG' } })).status).toBe(400)
    expect((await send('DELETE', '/configurations/unknown', undefined, admin())).status).toBe(404)
  })
})

describe('indexes', () => {
  const command = async (name: string, index = 'PRODUCT') =>
    (await send('POST', '/index', { index, command: name }, admin())).json
  const ended = (index = 'PRODUCT') =>
    vi.waitFor(async () => expect((await command('STATE', index)).event).toBe('END'), 60_000)

  test('are listed with their states', async () => {
    const list = (await send('GET', '/index')).json
    expect(list.map(({ index }: { index: string }) => index)).toEqual(
      expect.arrayContaining(['ASSET', 'PRODUCT', 'CHANNEL', 'HISTORY', 'CHANNEL_2_PRODUCT']),
    )
    const product = (await send('GET', '/index/state')).json.find(({ index }: { index: string }) => index === 'PRODUCT')
    expect(product).toMatchObject({
      mappingState: { outdated: false, createdAt: expect.any(String) },
      indexingState: { state: 'END' },
    })
  })

  test('are rebuilt while they serve searches; a second command returns BUSY', async () => {
    const [first, second] = [await command('REBUILD'), await command('REBUILD')]
    expect([first.event, first.command]).toEqual(['PREPARE', 'REBUILD'])
    expect(['BUSY', 'PREPARE']).toContain(second.event)
    expect(await found('PRODUCT')).toEqual(['P1', 'P2'])
    await ended()
    expect(await command('STATE')).toMatchObject({ documentsProcessed: 2, totalDocuments: 2 })
    expect(await found('PRODUCT')).toEqual(['P1', 'P2'])
  })

  test('pause on command and catch up afterwards', async () => {
    await command('DISABLE_INCREMENTAL_UPDATES')
    const { id } = (await products.persist(jacket('P3')))[0]!
    const waiting = { index: 'PRODUCT', documents: [id], maxWait: 300 }
    expect((await api.post(`${search}/documents/wait`, waiting)).status).toBe(404)
    expect(await found('PRODUCT', field('tid', 'EQ', 'P3'))).toEqual([])
    await command('ENABLE_INCREMENTAL_UPDATES')
    await wait('PRODUCT', id)
    expect(await found('PRODUCT', field('tid', 'EQ', 'P3'))).toEqual(['P3'])
  })

  test('report their lag in their state and in /metrics', async () => {
    const lags = async () => {
      type State = { index: string; indexingState: { lag: number } }
      const states: State[] = (await api.get(`${search}/index/state`)).json
      const { text } = await api.get('/metrics')
      const reported = Number(/^kontor_search_lag_seconds (\S+)/m.exec(text)![1])
      return { product: states.find(({ index }) => index === 'PRODUCT')!.indexingState.lag, reported }
    }
    await vi.waitFor(async () => expect(await lags()).toEqual({ product: 0, reported: 0 }), 30_000)
    await command('DISABLE_INCREMENTAL_UPDATES')
    const { id } = (await products.persist(jacket('P4')))[0]!
    const behind = await vi.waitFor(async () => {
      const now = await lags()
      expect(now.product).toBeGreaterThan(0)
      return now
    }, 30_000)
    expect(behind.reported * 1000).toBeGreaterThanOrEqual(behind.product)
    await command('ENABLE_INCREMENTAL_UPDATES')
    await wait('PRODUCT', id)
    await vi.waitFor(async () => expect(await lags()).toEqual({ product: 0, reported: 0 }), 30_000)
    await products.perform({ type: 'delete', tid: 'P4' })
    await vi.waitFor(async () => expect(await found('PRODUCT', field('tid', 'EQ', 'P4'))).toEqual([]), 30_000)
  })

  test('are outdated after a field changes its type, until they are rebuilt', async () => {
    const attrDef = [
      {
        tid: 'material',
        type: 'text',
        name: { itm: [{ value: 'Material' }] },
        multiValued: { value: 'true' },
        localized: 'true',
      },
    ]
    await products.persist({ tid: 'P1', ...vals({ attr: 'material' }) })
    const reply = await api.post(
      '/api/core/v1/pim/attribute-definitions/persist',
      { schemaVersion: '5.6.0', attrDefs: { attrDef } },
      admin(),
    )
    expect(reply.text).not.toContain('ERROR')
    const outdated = async () =>
      (await send('GET', '/index')).json.find(({ index }: { index: string }) => index === 'PRODUCT').outdated
    await vi.waitFor(async () => expect(await outdated()).toBe(true), 30_000)
    await command('REBUILD')
    await ended()
    expect(await outdated()).toBe(false)
  })

  test('are rebuilt when another process asks for it', async () => {
    const createdAt = async () =>
      (await send('GET', '/index')).json.find(({ index }: { index: string }) => index === 'CHANNEL').createdAt
    const before = await createdAt()
    await pause(20)
    await orderRebuild(api.db, 'CHANNEL')
    await vi.waitFor(async () => expect(await createdAt()).not.toBe(before), 60_000)
  })

  test('read documents again on request, by id or guid', async () => {
    const documents = [{ guid: 'P1', event: 'UPDATE' }]
    expect((await send('PATCH', '/documents', { index: 'PRODUCT', documents }, admin())).status).toBe(200)
    expect((await send('PATCH', '/documents', { index: 'PRODUCT', documents })).status).toBe(403)
    const unknown = { index: 'PRODUCT', documents: [{ guid: 'none', event: 'UPDATE' }] }
    expect((await send('PATCH', '/documents', unknown, admin())).status).toBe(400)
  })

  test('accept only the four commands, from administrators only', async () => {
    expect((await send('POST', '/index', { index: 'PRODUCT', command: 'BURN' }, admin())).status).toBe(400)
    expect((await send('POST', '/index', { index: 'PRODUCT', command: 'STATE' })).status).toBe(403)
  })
})

test('both addresses return the version', async () => {
  for (const path of ['/service-search-version', '/version']) {
    const { json } = await send('GET', path)
    expect(json).toMatchObject({ apiVersion: '1.0.0', majorVersion: '1', minorVersion: '0', patchVersion: '0' })
    expect(new Date(json.buildDate).toISOString()).toBe(json.buildDate)
  }
})

test('changes made during many searches are neither lost nor visible in part', async () => {
  const stopping = new AbortController()
  const searching = async () => {
    while (!stopping.signal.aborted) {
      const { totalHitCount, items = [] } = await find('PRODUCT', undefined, { pageSize: 1000 })
      expect(items.length).toBe(totalHitCount)
      await pause(1)
    }
  }
  const searches = [searching(), searching()]
  for (let i = 0; i < 10; i++) await products.persist(jacket(`N${i}`))
  stopping.abort()
  await Promise.all(searches)
})
