import { ChannelQuery, ChannelRequest, cm, common, decode, encode, formats, peo, Pim, pim } from '@kontor/contract'
import { describe, expect, test } from 'vitest'
import { addProducts, callsOf, type Channel, channelsAt, text, values } from '../../../test/channels.ts'
import {
  changesBy,
  codes,
  type Envelope,
  formatNames,
  itemsOf,
  outcomes,
  statementsOf,
  statuses,
} from '../../../test/common.ts'
import { damCalls } from '../../../test/dam.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const { persist, retrieve, query } = callsOf(api, cm, 'channels')
const dam = damCalls(api)

const channel = (tid: string, parentTid?: string, more: object = {}) => ({
  tid,
  type: 'Webshop',
  name: tid,
  ...(parentTid !== undefined && { parentTid }),
  ...more,
})
const one = async (tid: string, request: object = {}): Promise<Channel> =>
  (await retrieve({ tids: [tid], ...request })).projects!.project![0]!
const ordersOf = async (...tids: string[]) =>
  (await retrieve({ tids })).projects!.project!.map(({ orderSequence }) => orderSequence)

describe('persist', () => {
  test('creates roots and channels below them, also below channels of the same message', async () => {
    const records = await persist(channel('root'), channel('child', 'root'), channel('grandchild', 'child'))
    expect(records).toMatchObject([
      { status: 'SUCCESS', action: 'create', dataType: 'project', id: expect.any(Number), tid: 'root' },
      { status: 'SUCCESS', action: 'create', tid: 'child' },
      { status: 'SUCCESS', action: 'create', tid: 'grandchild' },
    ])
    expect(await one('grandchild')).toMatchObject({ parentTid: 'child', parentId: records[1].id, type: 'Webshop' })
    expect(await one('root')).not.toHaveProperty('parentTid')
    const [byId] = await persist({ ...channel('byId'), parentId: records[0].id })
    expect(byId.status).toBe('SUCCESS')
  })

  test('refuses invalid channels one by one', async () => {
    await persist(channel('taken'))
    const records = await persist(
      { type: 'Webshop', name: 'no tid' },
      { tid: 'no-type', name: 'x' },
      { tid: 'bad-type', type: 'Billboard', name: 'x' },
      { tid: 'no-name', type: 'Webshop' },
      channel('orphan', 'nobody'),
      channel('other', undefined, { name: 'taken' }),
      channel('a/b'),
      { id: 99999999, name: 'x' },
      channel('fine'),
    )
    expect(outcomes(records)).toEqual([
      'tid is missing; a new channel needs one',
      'type: nothing is not a channel type; expected Catalogue, Webshop, Marketplace',
      'type: Billboard is not a channel type; expected Catalogue, Webshop, Marketplace',
      'name is missing',
      'no project has the tid nobody, which was sent as the parent',
      'a project with the name taken exists already at the root',
      'tid "a/b" contains /, which separates the names of a path',
      'no project has the id 99999999',
      'SUCCESS',
    ])
    expect(codes(records)[4]).toBe('1002')
    expect(codes(records)[5]).toBe('1005')
  })

  test('a channel below a refused one is refused too', async () => {
    const records = await persist(channel('good'), { ...channel('bad'), name: 'good' }, channel('below-bad', 'bad'))
    expect(statuses(records)).toEqual(['SUCCESS', 'ERROR', 'ERROR'])
  })

  test('renames, re-parents and turns into a root; descendants follow', async () => {
    await persist(channel('m1'), channel('m2'), channel('m3', 'm1'), channel('m4', 'm3'))
    expect(statuses(await persist({ tid: 'm3', parentTid: 'm2', name: 'Moved' }))).toEqual(['SUCCESS'])
    expect((await query({ tid: 'm2' })).tids).toEqual(['m2', 'm3', 'm4'])
    expect((await query({ tid: 'm1' })).tids).toEqual(['m1'])
    expect(await one('m3')).toMatchObject({ name: 'Moved', parentTid: 'm2' })
    await persist({ tid: 'm3', parentTid: '' })
    expect((await query({ tid: 'm2' })).tids).toEqual(['m2'])
    expect((await query({ root: true })).tids).toContain('m3')
  })

  test('channels can be swapped in one message, but not moved below themselves', async () => {
    await persist(channel('s1'), channel('s2', 's1'), channel('s3', 's2'))
    const records = await persist(
      { tid: 's1', parentTid: 's3' },
      { tid: 's2', parentTid: '' },
      { tid: 's1', parentTid: 's3' },
    )
    expect(outcomes(records)).toEqual(['the channel s1 cannot be moved below itself', 'SUCCESS', 'SUCCESS'])
    expect((await query({ tid: 's2' })).tids).toEqual(['s2', 's3', 's1'])
  })

  test('concurrent moves create no cycle, and of concurrent equal names one is stored', async () => {
    await persist(channel('c1'), channel('c2'))
    const moves = await Promise.all([persist({ tid: 'c1', parentTid: 'c2' }), persist({ tid: 'c2', parentTid: 'c1' })])
    expect(statuses(moves.flat()).sort()).toEqual(['ERROR', 'SUCCESS'])
    const twins = Array.from({ length: 10 }, (_, i) => persist(channel(`twin-${i}`, undefined, { name: 'twin' })))
    const created = statuses((await Promise.all(twins)).flat())
    expect(created.filter((status) => status === 'SUCCESS')).toHaveLength(1)
  })

  test('the type of a channel cannot be changed', async () => {
    await persist(channel('kind'))
    expect(outcomes(await persist({ tid: 'kind', type: 'Catalogue' }, { tid: 'kind', type: 'Webshop' }))).toEqual([
      'type: the channel is a Webshop, which cannot be changed to Catalogue',
      'SUCCESS',
    ])
  })

  test('the order is sparse: siblings are 2^20 apart, so one can be inserted between them', async () => {
    await persist(channel('o'), channel('o1', 'o'), channel('o2', 'o'), channel('o3', 'o'))
    expect(await ordersOf('o1', 'o2', 'o3')).toEqual([1048576, 2097152, 3145728])
    await persist({ tid: 'o3', orderSequence: 1572864 })
    expect((await query({ tid: 'o' })).tids).toEqual(['o', 'o1', 'o3', 'o2'])
    await persist(channel('o4', 'o'), { tid: 'o1', parentTid: '' }, { tid: 'o1', parentTid: 'o' })
    expect((await query({ tid: 'o' })).tids).toEqual(['o', 'o3', 'o2', 'o4', 'o1'])
    expect(statuses(await persist({ tid: 'o1', orderSequence: -1 }))).toEqual(['ERROR'])
  })

  test('stores values of the attributes of the channel type, and only those sent', async () => {
    await persist(
      channel('v', undefined, values(text('TITLE', 'Shop', 'en_GB'), text('CURRENCY', 'EUR'), text('ONLINE', 'true'))),
    )
    await persist({ tid: 'v', ...values(text('TITLE', 'Laden', 'de_DE'), { attr: 'ONLINE' }) })
    expect((await one('v')).vals!.val).toEqual([
      {
        attr: 'TITLE',
        type: 'localized',
        itm: [
          { value: 'Laden', loc: 'de_DE' },
          { value: 'Shop', loc: 'en_GB' },
        ],
      },
      { attr: 'CURRENCY', type: 'domain', itm: [{ value: 'EUR', key: 'EUR' }] },
    ])
    expect(outcomes(await persist({ tid: 'v', ...values(text('PAGES', '12')) }))).toEqual([
      'attribute PAGES: is not an attribute of the channel type Webshop',
    ])
  })

  test('a selection of several values is a single text', async () => {
    await persist({ tid: 'sel', type: 'Catalogue', name: 'sel', ...values(text('LANGUAGES', 'de,en')) })
    const shown = (await one('sel')).vals!.val
    expect(shown).toEqual([{ attr: 'LANGUAGES', itm: [{ value: 'de,en' }] }])
    const list = { attr: 'LANGUAGES', itm: [{ value: 'fr', pos: 0 }, { value: 'it', pos: 1 }] } // prettier-ignore
    await persist({ tid: 'sel', ...values(list) })
    expect((await one('sel')).vals!.val![0]!.itm).toEqual([{ value: 'fr,it' }])
    expect(statuses(await persist({ tid: 'sel', ...values(text('LANGUAGES', 'de,xx')) }))).toEqual(['ERROR'])
  })

  test('a message sent back as retrieved changes nothing; a change is recorded', async () => {
    await persist(channel('h', undefined, values(text('TITLE', 'Shop', 'en_GB'))))
    const shown = await one('h')
    const { history } = await changesBy(api, () => persist(shown))
    expect(history).toEqual([])
    const changed = await changesBy(api, () => persist({ tid: 'h', name: 'Other' }))
    expect(changed.history).toMatchObject([
      { dataType: 'project', action: 'update', user: 'kim', changes: { name: { from: 'h', to: 'Other' } } },
    ])
    expect(changed.outbox).toMatchObject([{ dataType: 'project', event: 'UPDATE' }])
  })

  test('costs the same number of statements for one channel and for a thousand', async () => {
    const batch = (count: number, name: string) =>
      Array.from({ length: count }, (_, i) => channel(`${name}-${i}`, i === 0 ? undefined : `${name}-0`))
    const few = await statementsOf(api, () => persist(...batch(2, 'few')))
    expect(await statementsOf(api, () => persist(...batch(1000, 'many')))).toBe(few)
  })
})

describe('query', () => {
  test('finds a channel and its descendants, parents first, siblings in their order', async () => {
    await persist(channel('q'), channel('q1', 'q'), channel('q2', 'q'), channel('q11', 'q1'), channel('q111', 'q11'))
    const all = ['q', 'q1', 'q11', 'q111', 'q2']
    expect((await query({ tid: 'q' })).tids).toEqual(all)
    expect((await query({ tid: 'q', level: 100 })).tids).toEqual(all)
    expect((await query({ tid: 'q', level: 1 })).tids).toEqual(['q', 'q1', 'q2'])
    expect((await query({ tid: 'q', level: 0 })).tids).toEqual(['q'])
    expect((await query({ tid: 'q', level: 2, withChildren: false })).tids).toEqual(['q'])
    expect((await query({ tid: 'q', level: 2, withChildren: true })).tids).toEqual(['q', 'q1', 'q11', 'q2'])
    const { id } = await one('q1')
    expect((await query({ id })).tids).toEqual(['q1', 'q11', 'q111'])
    expect((await query({ id, tid: 'q2' })).tids, 'the tid wins').toEqual(['q2'])
  })

  test('root=true lists all roots and ignores everything else', async () => {
    await persist(channel('r1'), channel('r2', 'r1'))
    const { tids } = await query({ root: true })
    expect(tids).toContain('r1')
    expect(tids).not.toContain('r2')
    expect((await query({ root: true, tid: 'nobody', level: -3 })).tids).toEqual(tids)
  })

  test('is refused without a channel, with a negative level, and for an unknown channel', async () => {
    const status = async (request: object) => (await api.post(`${channelsAt}/query`, request)).status
    expect(await status({})).toBe(400)
    expect(await status({ root: false })).toBe(400)
    expect(await status({ tid: 'r1', level: -1 })).toBe(400)
    const unknown = await api.post(`${channelsAt}/query`, { tid: 'nobody' })
    expect(unknown.status).toBe(404)
    expect(unknown.text).toContain('1002')
    expect(await status({ id: 99999999 })).toBe(404)
  })

  test('costs one statement for a tree of any size', async () => {
    const count = (tid: string) => statementsOf(api, () => query({ tid, level: 100 }))
    expect(await count('many-0')).toBe(1)
    expect(await count('few-0')).toBe(1)
  })
})

describe('retrieve', () => {
  test('returns metadata, order and parent in the requested order; tids take precedence and unknown ones are left out', async () => {
    const [a, b] = await persist(channel('t1'), channel('t2', 't1'))
    const { projects, meta } = await retrieve({ tids: ['t2', 'nobody', 't1'], ids: [99] })
    expect(projects!.project!.map(({ tid }) => tid)).toEqual(['t2', 't1'])
    expect(meta!.itm).toContainEqual({ key: 'itemInformationType', value: 'project' })
    expect(projects!.project![0]).toMatchObject({ id: b.id, parentId: a.id, parentTid: 't1', orderSequence: 1048576 })
    expect(projects!.project![0]!.meta!.itm!.map(({ key }) => key)).toEqual([
      'id',
      'creationDate',
      'creationUser',
      'modificationDate',
      'modificationUser',
      'icon',
      'htmlIcon',
      'allowedFunctions',
    ])
    expect((await retrieve({ ids: [b.id, a.id] })).projects!.project!.map(({ tid }) => tid)).toEqual(['t2', 't1'])
  })

  test('is refused without identifiers, and 404 when none exists', async () => {
    expect((await api.post(`${channelsAt}/retrieve`, {})).status).toBe(400)
    expect((await api.post(`${channelsAt}/retrieve`, { tids: ['nobody'] })).status).toBe(404)
    expect((await api.post(`${channelsAt}/retrieve`, { ids: [99999999] })).status).toBe(404)
    const token = await api.tokenFor({ roles: [] })
    expect((await api.post(`${channelsAt}/retrieve`, { tids: ['t1'] }, { token })).status).toBe(403)
  })

  test('returns linked assets on request: direct, of children, or of all descendants', async () => {
    await persist(channel('l'), channel('l1', 'l'), channel('l11', 'l1'))
    await dam.createPath('/MAM/boats')
    const [top, child, deep] = await dam.addAssets('/MAM/boats', 'top.jpg', 'child.jpg', 'deep.jpg')
    const link = (asset: string, project: string) => ({
      itms: [{ type: 'Image', itm: [{ key: 'assetTid', value: asset }, { key: 'projectTid', value: project }] }], // prettier-ignore
      type: 'assetToProject',
    })
    const itms = [link(top!.tid, 'l'), link(top!.tid, 'l1'), link(child!.tid, 'l1'), link(deep!.tid, 'l11')]
    const linked = await api.post('/api/core/v1/common/links/persist', { schemaVersion: '5.6.0', links: { itms } })
    expect(statuses(linked.json.responses.response)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS'])
    const pathsOf = async (more: object) => (await one('l', more)).links?.itm?.map(({ value }) => value)
    expect(await pathsOf({})).toBeUndefined()
    expect((await one('l', { retrieveLinkedAssets: true })).links!.itm).toEqual([
      { value: expect.stringContaining('MAM/boats/top.jpg'), key: top!.tid },
    ])
    const behave = (retrieveLinkedAssetsBehavior: string) =>
      pathsOf({ retrieveLinkedAssets: true, retrieveLinkedAssetsBehavior })
    expect(await behave('direct')).toHaveLength(1)
    expect(await behave('withChildren')).toHaveLength(2)
    expect(await behave('withDescendants')).toHaveLength(3)
    expect(await pathsOf({ retrieveLinkedAssetsBehavior: 'withDescendants' })).toBeUndefined()
  })

  test('returns linked products by link type', async () => {
    await addProducts(api, { 'p-linked': {} })
    await persist(channel('lp'))
    const itm = [{ key: 'productTid', value: 'p-linked' }, { key: 'projectTid', value: 'lp' }] // prettier-ignore
    const links = { itms: [{ type: 'productToProject', itms: [{ type: 'Teaser', itm }] }] }
    await api.post('/api/core/v1/common/links/persist', { schemaVersion: '5.6.0', links })
    expect((await one('lp')).links).toEqual({
      itms: [{ type: 'productToProject', itms: [{ type: 'Teaser', itm: [{ key: 'productTid', value: 'p-linked' }] }] }],
    })
  })

  test('links sent with a product are returned from both ends', async () => {
    await addProducts(api, { 'p-sent': {} })
    await persist(channel('sent'))
    const itm = [{ key: 'projectTid', value: 'sent' }]
    const links = { itms: [{ type: 'productToProject', itms: [{ type: 'Teaser', itm }] }] }
    const products = { product: [{ tid: 'p-sent', links }] }
    const reply = await api.post('/api/core/v1/pim/products/persist', { schemaVersion: '5.6.0', products })
    expect(outcomes(reply.json.responses.response)).toEqual(['SUCCESS'])
    const shown = await one('sent')
    expect(shown.links!.itms![0]!.itms![0]!.itm).toEqual([{ key: 'productTid', value: 'p-sent' }])
    const seen = await api.post('/api/core/v1/pim/products/retrieve', { tids: ['p-sent'] })
    expect(seen.json.products.product[0].links).toEqual(links)
  })

  test('costs the same number of statements for one channel and for a thousand', async () => {
    const request = { retrieveLinkedAssets: true, retrieveLinkedAssetsBehavior: 'withDescendants' }
    const tids = Array.from({ length: 1000 }, (_, i) => `many-${i}`)
    const few = await statementsOf(api, () => retrieve({ tids: ['many-0'], ...request }))
    expect(await statementsOf(api, () => retrieve({ tids, ...request }))).toBe(few)
  })
})

test('deletes a channel; one in use only with force, including its descendants', async () => {
  const { perform } = callsOf(api, cm, 'channels/actions')
  await addProducts(api, { 'p-used': {} })
  await persist(channel('d'), channel('d1', 'd'), channel('d11', 'd1'), channel('d2'))
  const itm = [{ key: 'productTid', value: 'p-used' }, { key: 'projectTid', value: 'd11' }] // prettier-ignore
  const links = { itms: [{ type: 'productToProject', itms: [{ itm }] }] }
  await api.post('/api/core/v1/common/links/persist', { schemaVersion: '5.6.0', links })
  const force = { meta: { itm: [{ key: 'force', value: 'true' }] } }
  const { history } = await changesBy(api, async () => {
    const records = await perform(
      { type: 'delete', tid: 'd' },
      { type: 'delete', tid: 'd2' },
      { type: 'delete', tid: 'd11' },
      { type: 'delete', tid: 'd', ...force },
      { type: 'delete', tid: 'd1', ...force },
      { type: 'delete', tid: 'nobody' },
    )
    expect(outcomes(records)).toEqual([
      'the project d is in use by project d1 (below); end this first or send meta force=true',
      'SUCCESS',
      'the project d11 is in use by product p-used (productToProject); end this first or send meta force=true',
      'SUCCESS',
      'no project has the tid d1',
      'no project has the tid nobody',
    ])
  })
  // The product loses its link.
  expect(history.map(({ action }) => action)).toEqual(['unlink', 'delete', 'delete', 'delete', 'delete'])
  expect((await api.post(`${channelsAt}/retrieve`, { tids: ['d', 'd1', 'd11', 'd2'] })).status).toBe(404)
})

test('channels hidden from a role are treated as missing and cannot be changed', async () => {
  await persist(channel('open'), channel('open1', 'open'), channel('closed'), channel('closed1', 'closed'))
  const grants = [{ kind: '*', actions: ['read', 'create', 'update'], scopes: { channel: ['/open'] } }]
  await api.post('/api/v1/identity/roles/planner', { grants }, { method: 'PUT', token: api.adminToken })
  const token = await api.tokenFor({ roles: ['planner'] })
  const planner = callsOf(api, cm, 'channels', 'json', { token })
  expect((await planner.query({ root: true })).tids).toEqual(['open'])
  expect((await api.post(`${channelsAt}/query`, { tid: 'closed' }, { token })).status).toBe(404)
  const seen = (await planner.retrieve({ tids: ['closed', 'open1'] })).projects!.project!
  expect(seen.map(({ tid }) => tid)).toEqual(['open1'])
  const records = await planner.persist(
    { tid: 'closed', name: 'x' },
    channel('new', 'closed'),
    { tid: 'open1', parentTid: '' },
    channel('new', 'open'),
  )
  expect(codes(records)).toEqual(['1002', '1002', '1004', undefined])
})

test('attributes and locales hidden from a role are not returned and cannot be changed', async () => {
  const title = (value: string, loc: string) => text('TITLE', value, loc)
  const en_GB = { value: 'Boats', loc: 'en_GB' }
  const titles = { attr: 'TITLE', itm: [en_GB, { value: 'Boote', loc: 'de_DE' }] }
  await persist(channel('rights', undefined, values(titles, text('ADDRESS', 'x'))))
  const narrow = { visibleAttributes: { except: ['ADDRESS'] }, visibleLocales: { only: ['en_GB'] } }
  const grants = [{ kind: '*', actions: ['read', 'update'], ...narrow }]
  await api.post('/api/v1/identity/roles/translator', { grants }, { method: 'PUT', token: api.adminToken })
  const calls = callsOf(api, cm, 'channels', 'json', { token: await api.tokenFor({ roles: ['translator'] }) })
  const shown = (await calls.retrieve({ tids: ['rights'] })).projects!.project![0]!
  expect(shown.vals!.val).toEqual([{ attr: 'TITLE', type: 'localized', itm: [en_GB] }])
  const records = await calls.persist(
    { tid: 'rights', ...values(title('Schiffe', 'de_DE')) },
    { tid: 'rights', ...values(text('ADDRESS', 'y')) },
    { tid: 'rights', ...values(title('Ships', 'en_GB')) },
  )
  expect(codes(records)).toEqual(['1004', '1004', undefined])
  expect((await one('rights')).vals!.val![0]!.itm).toContainEqual({ value: 'Boote', loc: 'de_DE' })
})

test('a channel returns the icons of its type, which are not stored as its meta', async () => {
  await persist(channel('pictured'))
  const icons = async () => (await one('pictured')).meta!.itm!.filter(({ key }) => /icon/i.test(key!))
  expect(await icons()).toEqual([
    { key: 'icon', value: expect.stringMatching(/^data:image\/svg\+xml,/) },
    { key: 'htmlIcon' },
  ])
  await persist(await one('pictured'))
  expect(await icons()).toHaveLength(2)
})

test('adding to a channel requires the link permission in every request', async () => {
  await addProducts(api, { 'p-scope': {} })
  await persist(channel('ours'), channel('theirs'))
  const extension = { productTid: 'p-scope', templateTid: 'Default' }
  await callsOf(api, peo, 'peos').persist({
    ...extension,
    tid: 'e-scope',
    name: 'e',
    nodes: { node: [{ tid: 'ours' }] },
  })
  const grants = [
    { kind: '*', actions: ['read'] },
    { kind: '*', actions: ['read', 'create', 'update', 'delete', 'link'], scopes: { channel: ['/ours'] } },
  ]
  await api.post('/api/v1/identity/roles/local', { grants }, { method: 'PUT', token: api.adminToken })
  const options = { token: await api.tokenFor({ roles: ['local'] }) }
  const group = (type: string, ends: Record<string, string>) => ({ type, itms: [itemsOf(ends)] })
  const tries = async (channelTid: string) => [
    ...(await callsOf(api, common, 'links', 'json', options).persist(
      group('productToProject', { productTid: 'p-scope', projectTid: channelTid }),
      group('peoToProject', { peoTid: 'e-scope', projectTid: channelTid }),
    )),
    ...(await callsOf(api, peo, 'peos/links', 'json', options).persist(
      group('peoToProject', { peoTid: 'e-scope', projectTid: channelTid }),
    )),
    ...(await callsOf(api, peo, 'peos', 'json', options).persist({
      ...extension,
      tid: `e-${channelTid}`,
      name: 'e',
      nodes: { node: [{ tid: channelTid }] },
    })),
    ...(await callsOf(api, pim, 'products', 'json', options).persist({
      tid: 'p-scope',
      links: { itms: [group('productToProject', { projectTid: channelTid })] },
    })),
  ]
  expect(codes(await tries('theirs'))).toEqual(['1004', '1004', '1004', '1004', '1004'])
  expect(codes(await tries('ours'))).toEqual([undefined, undefined, undefined, undefined, undefined])
})

test.each(formatNames)('%s is accepted and returned', async (format) => {
  const calls = callsOf(api, cm, 'channels', format)
  const tid = `in-${format}`
  const [record] = await calls.persist(channel(tid, undefined, values(text('TITLE', 'Shop', 'en_GB'))))
  expect(record).toMatchObject({ status: 'SUCCESS', action: 'create', dataType: 'project', tid })
  expect((await calls.query({ tid, level: 0 })).tids).toEqual([tid])
  const { projects } = await calls.retrieve({ tids: [tid] })
  expect(projects!.project![0]).toMatchObject({ name: tid, type: 'Webshop', tid, orderSequence: expect.any(Number) })
  const body = encode(formats[format], ChannelQuery, { tid: 'nobody' })
  expect((await api.post(`${channelsAt}/query`, body, { type: formats[format].contentType })).status).toBe(404)
  const named = encode(formats[format], ChannelRequest, { tids: ['nobody'] })
  expect((await api.post(`${channelsAt}/retrieve`, named, { type: formats[format].contentType })).status).toBe(404)
})

test('a bulk run of channels is processed in the background and queried by its id', async () => {
  const projects = { project: [channel('bulk-1'), channel('bulk-2', 'bulk-1')] }
  const started = await api.post(`${channelsAt}/bulk`, { schemaVersion: '5.6.0', projects })
  expect(started.status, started.text).toBe(200)
  const run = await api.get(`${channelsAt}/bulk/${started.text}`)
  expect(run.json.meta.itm).toContainEqual({ key: 'total', value: '2' })
  expect((await api.get(`${channelsAt}/bulk/00000000-0000-4000-8000-000000000000`)).status).toBe(404)
})

describe('channel types', () => {
  const admin = callsOf(api, cm, 'admin/channel-types')
  const list = async () => (await api.get(`${channelsAt}/types`)).json.projectDefs.projectDef
  const asAdmin = () => callsOf(api, cm, 'admin/channel-types', 'json', { token: api.adminToken })

  test('a few exist from the start, with their attribute definitions', async () => {
    const types = await list()
    expect(types.map(({ tid }: { tid: string }) => tid)).toEqual(['Catalogue', 'Webshop', 'Marketplace'])
    expect(types[1].attrDefs.attrDef.map(({ tid }: { tid: string }) => tid)).toEqual([
      'TITLE',
      'DESCRIPTION',
      'ADDRESS',
      'CURRENCY',
      'ONLINE',
    ])
  })

  test.each(formatNames)('are listed in %s', async (format) => {
    const reply = await api.get(`${channelsAt}/types`, { accept: formats[format].mediaType })
    expect(reply.headers['content-type']).toBe(formats[format].contentType)
    const { projectDefs } = decode(formats[format], Pim, Buffer.from(reply.text)) as Envelope
    expect(projectDefs!.projectDef!.map(({ tid }) => tid)).toEqual(['Catalogue', 'Webshop', 'Marketplace'])
  })

  test('only administrators add and change them', async () => {
    const name = { itm: [{ value: 'Height', loc: 'en_GB' }] }
    const attrDefs = { attrDef: [{ tid: 'HEIGHT', type: 'number', name }] }
    await expect(admin.persist({ tid: 'Billboard', attrDefs })).rejects.toThrow('401')
    const [made] = await asAdmin().persist({ tid: 'Billboard', name: { itm: [{ value: 'Plakat' }] }, attrDefs })
    expect(made).toMatchObject({ status: 'SUCCESS', action: 'create', dataType: 'projectTypes', tid: 'Billboard' })
    await persist({ tid: 'poster', type: 'Billboard', name: 'poster', ...values(text('HEIGHT', '3')) })
    expect((await one('poster')).vals!.val).toMatchObject([{ attr: 'HEIGHT', dataType: 'number' }])
    expect(outcomes(await asAdmin().persist({ tid: 'Billboard', attrDefs: { type: 'full' } }))).toEqual([
      'attribute HEIGHT: it would be removed, but 1 channels have values of it',
    ])
    const changed = { attrDef: [{ tid: 'HEIGHT', type: 'text', name }] }
    expect(outcomes(await asAdmin().persist({ tid: 'Billboard', attrDefs: changed }))).toEqual([
      'attribute HEIGHT: the type number would become text, but 1 channels have values of it',
    ])
    await persist({ tid: 'poster', ...values({ attr: 'HEIGHT' }) })
    expect(statuses(await asAdmin().persist({ tid: 'Billboard', attrDefs: { type: 'full' } }))).toEqual(['SUCCESS'])
    expect((await list()).at(-1)).toMatchObject({ tid: 'Billboard', name: { itm: [{ value: 'Plakat' }] } })
  })
})
