/**
 * Every call of the CM and PEO areas, as the contract declares it, with every status that it documents, and every flag and
 * default of their requests, in all formats. The behaviour of the calls is tested next to each resource.
 */
import {
  type Area,
  ChannelQuery,
  cm,
  decode,
  formats,
  peo,
  Pim,
  type Resource,
  type Route,
  schemaVersion,
  type Type,
  usualStatuses,
  type Verb,
} from '@kontor/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { addProducts, callsOf } from '../../test/channels.ts'
import { codes, type FormatName, formatNames, formatsFor, itemsOf, postIn } from '../../test/common.ts'
import { damCalls } from '../../test/dam.ts'
import { type TestServer, withServer } from '../../test/server.ts'

const pim = (contents: object) => ({ schemaVersion, ...contents })
const nobody = { tid: 'nobody' }
const shop = { tid: 'shop', name: 'shop', type: 'Webshop' }
const extension = { tid: 'E', name: 'E', productTid: 'P', templateTid: 'Default', nodes: { node: [{ tid: 'sale' }] } }
const act = (dataType: string, type: string, more: object) =>
  pim({ actions: { action: [{ dataType, type, ...more }] } })
const put = (container: string, element: string, item: object) => pim({ [container]: { [element]: [item] } })
const link = (peoTid: string) => ({ type: 'peoToProject', itms: [itemsOf({ peoTid, projectTid: 'shop' })] })
const unlink = (peoTid: string) => act('peoToProjectLink', 'unlink', { meta: itemsOf({ peoTid, projectTid: 'shop' }) })
const layout = [{ attribute: [{ identifier: 'width', value: '210' }] }]

/** A valid request; one that names only unknown objects; one that breaks a rule of the call other than its schema. */
interface Sample {
  readonly sound?: object
  readonly unknown?: object
  readonly invalid?: object
}
// prettier-ignore
const samples: Record<string, Record<string, Sample>> = {
  channels: {
    query:    { sound: { tid: 'shop' }, unknown: nobody, invalid: {} },
    retrieve: { sound: { tids: ['shop'] }, unknown: { tids: ['nobody'] }, invalid: {} },
    persist:  { sound: put('projects', 'project', shop), unknown: put('projects', 'project', { ...shop, tid: 'x', parentTid: 'nobody' }) },
  },
  'channels/actions': {
    perform:  { sound: act('project', 'delete', nobody), unknown: act('project', 'delete', nobody) },
  },
  'admin/channel-types': { persist: { sound: put('projectDefs', 'projectDef', { tid: 'Kiosk' }) } },
  peos: {
    query:    { sound: { tidProject: 'shop' }, unknown: { tidProject: 'nobody' }, invalid: { modifiedFrom: 'yesterday' } },
    retrieve: { sound: { tids: ['E'] }, unknown: { tids: ['nobody'] }, invalid: {} },
    persist:  { sound: put('peos', 'peo', extension), unknown: put('peos', 'peo', { ...extension, tid: 'x', productTid: 'nobody' }) },
    perform:  { sound: act('peo', 'delete', nobody), unknown: act('peo', 'delete', nobody) },
  },
  'peos/links': {
    persist:  { sound: put('links', 'itms', link('E')), unknown: put('links', 'itms', link('nobody')) },
    perform:  { sound: unlink('nobody'), unknown: unlink('nobody') },
  },
  'peos/values': { retrieve: { sound: { tids: ['E'] }, unknown: { tids: ['nobody'] }, invalid: {} } },
  'admin/templates': { persist: { sound: put('templates', 'template', { tid: 'T', name: 'T' }) } },
  retrieveBriefing:  { '': { sound: { tids: ['shop'] }, unknown: { tids: ['nobody'] }, invalid: { tids: ['shop', 'sale'] } } },
  persistBriefing:   { '': { sound: { tid: 'shop', layout }, unknown: { ...nobody, layout }, invalid: { layout } } },
  listBriefings:     { '': { sound: { tids: ['shop'] }, unknown: { tids: ['nobody'] }, invalid: { tids: ['shop', 'sale'] } } },
  countProducts:     { '': { sound: { tids: ['shop'] }, unknown: { tids: ['nobody'] }, invalid: {} } },
  retrieveRequirements: { '': { sound: { tids: ['shop'] }, unknown: { tids: ['nobody'] }, invalid: {} } },
  persistRequirement: { '': { sound: { tid: 'shop', locales: ['en_GB'] }, unknown: { ...nobody, locales: ['en_GB'] }, invalid: { tid: 'shop', locales: ['xx_XX'] } } },
  retrieveChannelQuality: { '': { sound: { tids: ['shop'] }, unknown: { tids: ['nobody'] }, invalid: {} } },
  persistChannelQuality: { '': { sound: { tid: 'shop', checks: [{ check: 'similarName' }] }, unknown: { ...nobody, checks: [] }, invalid: { tid: 'shop', checks: [{ check: 'length' }] } } },
  retrieveQuality: { '': { sound: { productTids: ['P'] }, unknown: { productTids: ['nobody'] }, invalid: { productTids: [] } } },
  retrieveReadinessHistory: { '': { sound: { tids: ['shop'] }, unknown: { tids: ['nobody'] }, invalid: { tids: ['shop'], count: 0 } } },
  retrieveReadiness: { '': { sound: { tids: ['shop'] }, unknown: { tids: ['nobody'] }, invalid: {} } },
  retrieveWhereUsed: { '': { sound: { dataType: 'project', tids: ['shop'] }, unknown: { dataType: 'project', tids: ['nobody'] }, invalid: { dataType: 'planet', tids: ['x'] } } },
  listChannelTypes:  { '': {} },
  listPeos:          { '': { sound: {}, unknown: { tids: ['nobody'] } } },
  listTemplates:     { '': {} },
}

interface Call extends Sample {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly root: Type | undefined
  readonly formats: readonly FormatName[]
  readonly statuses: readonly number[]
  readonly isBatch: boolean
  readonly isAdmin: boolean
}

function verbCalls({ base }: Area, name: string, resource: Resource): Call[] {
  const call = (verb: Verb, sample: Sample, root: Type): Call => ({
    name: `${name}/${verb}`,
    method: 'POST',
    path: `${base}/${name}/${verb}`,
    root,
    formats: formatNames,
    statuses: resource.statuses?.[verb] ?? usualStatuses,
    isBatch: verb === 'persist' || verb === 'perform',
    isAdmin: resource.access === 'admin',
    ...sample,
  })
  const verbs = (['query', 'retrieve', 'persist', 'perform'] as const).filter((verb) => resource[verb])
  expect(Object.keys(samples[name] ?? {}), name).toEqual(verbs)
  const roots = { query: resource.query?.request, retrieve: resource.retrieve, persist: Pim, perform: Pim }
  return verbs.map((verb) => call(verb, samples[name]![verb]!, roots[verb]!))
}

const routeCall = ({ base }: Area, name: string, route: Route): Call => ({
  name,
  method: route.method as 'GET' | 'POST',
  path: base + route.path,
  root: route.request,
  formats: route.formats === 'all' ? formatNames : ['json'],
  statuses: route.statuses,
  isBatch: false,
  isAdmin: route.access === 'admin',
  ...samples[name]![''],
})

const areas: readonly Area[] = [cm, peo]
const calls = areas.flatMap((area) => [
  ...Object.entries(area.resources).flatMap(([name, resource]) => verbCalls(area, name, resource)),
  ...Object.entries(area.routes).map(([name, route]) => routeCall(area, name, route)),
])
const bulks = areas.flatMap(({ base, resources }) =>
  Object.entries(resources).flatMap(([name, { bulk }]) => (bulk ? [`${base}/${name}/bulk`] : [])),
)

/** A tree with an asset and a product extension object in each channel: shop, sale below it, last below that; other. */
async function fill(api: TestServer): Promise<void> {
  await addProducts(api, { P: {} })
  const channel = (tid: string, parentTid?: string) => ({ ...shop, tid, name: tid, parentTid })
  await callsOf(api, cm, 'channels').persist(shop, channel('sale', 'shop'), channel('last', 'sale'), channel('other'))
  await callsOf(api, peo, 'peos').persist(extension)
  await callsOf(api, peo, 'peos/links').persist(link('E'))
  await api.post(`${cm.base}/channels/briefings/persist`, { tid: 'shop', layout })
}

const api = withServer()
beforeAll(() => fill(api))

const send = (server: TestServer, call: Call, format: FormatName, body: object | undefined, options = {}) => {
  const { mediaType: accept } = formats[format]
  const sender = { method: call.method, accept, ...(call.isAdmin && { token: server.adminToken }), ...options }
  return call.root && body
    ? postIn(server, format, call.path, call.root, body, sender)
    : server.post(call.path, undefined, sender)
}
const isError = (format: FormatName, text: string) =>
  format === 'xml' ? text.includes('<status>ERROR</status>') : JSON.parse(text).status === 'ERROR'

/** Produces each documented status. */
const provoke: Record<number, (call: Call, format: FormatName) => Promise<void>> = {
  async 200(call, format) {
    const reply = await send(api, call, format, call.sound)
    expect(reply.status, reply.text).toBe(200)
    const isPlain = format === 'compact' && call.name.endsWith('/query')
    expect(reply.headers['content-type']).toBe(formats[isPlain ? 'json' : format].contentType)
  },
  async 400(call, format) {
    const broken = { xml: '<pim', json: '{"tids":', compact: '{"tids":' }[format]
    const { contentType: type, mediaType: accept } = formats[format]
    const options = { method: call.method, accept, ...(call.isAdmin && { token: api.adminToken }) }
    const reply = await api.post(call.path, broken, { type, ...options })
    expect(reply.status, reply.text).toBe(400)
    expect(isError(format, reply.text)).toBe(true)
    if (call.invalid) expect((await send(api, call, format, call.invalid)).status).toBe(400)
    const colourful = await api.post(call.path, { colour: 'red' }, { type: formats.json.contentType, ...options })
    expect(colourful.status).toBe(400)
  },
  async 401(call, format) {
    for (const token of [null, 'x.y.z']) {
      const reply = await send(api, call, format, call.sound, { token })
      expect(reply.status).toBe(401)
      expect(isError(format, reply.text)).toBe(true)
    }
  },
  async 403(call, format) {
    const reply = await send(api, call, format, call.sound, { token: await api.tokenFor({ roles: [] }) })
    expect(reply.status).toBe(403)
    expect(isError(format, reply.text)).toBe(true)
  },
  /** An unknown object in an item of a batch is reported in its record. */
  async 404(call, format) {
    if (!call.unknown) return expect(call.isAdmin, 'nothing can be named').toBe(true)
    const reply = await send(api, call, format, call.unknown)
    expect(reply.status, reply.text).toBe(call.isBatch ? 200 : 404)
    if (!call.isBatch) return expect(reply.text).toContain('1002')
    const { responses } = decode(formats[format], Pim, Buffer.from(reply.text)) as { responses: { response: [never] } }
    expect(codes(responses.response)).toEqual(['1002'])
  },
  async 500(call, format) {
    await loseTables()
    const reply = await send(ruined, call, format, call.sound)
    expect(reply.status, reply.text).toBe(500)
    expect(isError(format, reply.text)).toBe(true)
    expect(reply.text, 'nothing of the inside').not.toMatch(/relation|select|insert|\.ts/)
  },
}

const ruined = withServer()
const loseTables = async () => {
  for (const table of ['project', 'project_type', 'peo', 'peo_template', 'briefing', 'bulk_run', 'link', 'product']) {
    await ruined.db.pool.query(`alter table if exists ${table} rename to ${table}_lost`)
  }
}

describe.each(calls)('$name', (call) => {
  const n = calls.indexOf(call)
  test.each(
    call.statuses.flatMap((status) => formatsFor(status, call.formats, n).map((format) => ({ status, format }))),
  )('$status in $format', ({ status, format }) => provoke[status]!(call, format))
})

describe.each(bulks)('%s', (path) => {
  const isPeo = path.includes('/peo/')
  const item = isPeo ? put('peos', 'peo', extension) : put('projects', 'project', shop)

  test.each(formatNames)('starts a run in %s that can be queried by its id', async (format) => {
    const started = await postIn(api, format, path, Pim, item)
    expect([started.status, started.headers['content-type']]).toEqual([200, 'text/plain;charset=UTF-8'])
    const run = await api.get(`${path}/${started.text}`, { accept: formats[format].mediaType })
    expect([run.status, run.headers['content-type']]).toEqual([200, formats[format].contentType])
    expect((await api.get(`${path}/${started.text}`, { token: null })).status).toBe(401)
  })
  test('refuses invalid messages, messages without items or token, and unknown runs', async () => {
    expect((await api.post(path, '{')).status).toBe(400)
    expect((await api.post(path, pim({}))).status).toBe(400)
    expect((await api.post(path, item, { token: null })).status).toBe(401)
    expect((await api.get(`${path}/00000000-0000-4000-8000-000000000000`)).status).toBe(404)
  })
})

describe.each(formatNames)('flags and defaults in %s', (format) => {
  const tree = ['shop', 'sale', 'last']
  const idOf = async (tid: string) =>
    (await callsOf(api, cm, 'channels').retrieve({ tids: [tid] })).projects!.project![0]!.id

  // prettier-ignore
  test.each<[string, object, string[]]>([
    ['level is 100 by default',               { tid: 'shop' },                                      tree],
    ['level 100',                             { tid: 'shop', level: 100 },                          tree],
    ['level 0 is the channel itself',         { tid: 'shop', level: 0 },                            ['shop']],
    ['level 1 is its children too',           { tid: 'shop', level: 1 },                            ['shop', 'sale']],
    ['withChildren=true changes nothing',     { tid: 'shop', level: 1, withChildren: true },        ['shop', 'sale']],
    ['withChildren=false ignores level',      { tid: 'shop', level: 100, withChildren: false },     ['shop']],
    ['root=false is as nothing',              { tid: 'last', root: false },                         ['last']],
    ['root=true ignores everything else',     { root: true, tid: 'nobody', id: 1, level: -7, withChildren: false }, ['shop', 'other']],
    ['the tid wins over the id',              { tid: 'other', id: 99999999 },                       ['other']],
  ])('query: %s', async (_what, request, tids) => {
    expect((await callsOf(api, cm, 'channels', format).query(request)).tids).toEqual(tids)
  })

  test.each([{ level: -1, tid: 'shop' }, { level: 1 }, { root: false }])('query: %j is 400', async (request) => {
    expect((await postIn(api, format, `${cm.base}/channels/query`, ChannelQuery, request)).status).toBe(400)
  })

  test('query and retrieve accept ids; tids take precedence', async () => {
    const calls = callsOf(api, cm, 'channels', format)
    expect((await calls.query({ id: await idOf('sale') })).tids).toEqual(['sale', 'last'])
    const tidsOf = async (request: object) => (await calls.retrieve(request)).projects!.project!.map(({ tid }) => tid)
    expect(await tidsOf({ ids: [await idOf('sale')] })).toEqual(['sale'])
    expect(await tidsOf({ tids: ['other'], ids: [await idOf('sale')] })).toEqual(['other'])
  })

  test('retrieve: the hierarchy and linked assets only on request, from the requested channels', async () => {
    const { retrieve } = callsOf(api, cm, 'channels', format)
    const one = async (more: object) => (await retrieve({ tids: ['shop'], ...more })).projects!.project![0]!
    const plain = await one({})
    expect([plain.peos!.peo!.length, plain.peoHierarchy, plain.links]).toEqual([1, undefined, undefined])
    expect((await one({ includePeoHierarchy: true })).peoHierarchy!.peo).toHaveLength(1)
    const assets = async (behaviour?: string) =>
      (await one({ retrieveLinkedAssets: true, retrieveLinkedAssetsBehavior: behaviour })).links!.itm!.length
    expect([
      await assets(),
      await assets('direct'),
      await assets('withChildren'),
      await assets('withDescendants'),
    ]).toEqual([1, 1, 2, 3])
    expect((await one({ retrieveLinkedAssetsBehavior: 'withDescendants' })).links).toBeUndefined()
  })

  test('peos/retrieve: everything by default, only names or also metadata on request; ids are ignored if tids are sent', async () => {
    const { retrieve } = callsOf(api, peo, 'peos', format)
    const one = async (more: object) => (await retrieve({ tids: ['E'], ids: [99999999], ...more })).peos!.peo![0]!
    const plain = await one({})
    expect([plain.meta, plain.productTid, plain.nodes!.node!.length]).toEqual([undefined, 'P', 2])
    expect(Object.keys(await one({ namesOnly: true })).sort()).toEqual(['id', 'name', 'tid'])
    expect((await one({ withMetadata: true })).meta!.itm!.map(({ key }) => key)).toContain('modificationDate')
  })

  // prettier-ignore
  test.each<[string, object, boolean]>([
    ['channels below count by default',           { tidProject: 'shop', names: ['E'] },               true],
    ['withChildren=false leaves them out',        { tidProject: 'other', withChildren: false },       false],
    ['of the product',                            { tidProduct: 'P' },                                true],
    ['all criteria must fit',                     { tidProduct: 'P', names: ['F'] },                  false],
    ['objects of linked products when asked for', { tidProject: 'other', considerLinkRelation: true }, true],
    ['not by default',                            { tidProject: 'other' },                            false],
    ['modified until a day ago',                  { modifiedUntil: '2001-01-01T00:00:00.000' },       false],
    ['modified from then',                        { modifiedFrom: '2001-01-01T00:00:00.000' },        true],
  ])('peos/query: %s', async (_what, request, isFound) => {
    const reply = await postIn(api, format, `${peo.base}/peos/query`, peo.resources.peos.query.request, request)
    expect(reply.status).toBe(isFound ? 200 : 404)
  })

  test('briefings: exactly one channel', async () => {
    const { request } = cm.routes.retrieveBriefing
    const ask = async (body: object) =>
      (await postIn(api, format, `${cm.base}/channels/briefings/retrieve`, request, body)).status
    const id = await idOf('shop')
    expect(await Promise.all([{ tids: ['shop'] }, { ids: [id] }].map(ask))).toEqual([200, 200])
    const wrong = [{}, { tids: [] }, { tids: ['shop', 'shop'] }, { tids: ['shop'], ids: [id] }, { ids: [id, id] }]
    expect(await Promise.all(wrong.map(ask))).toEqual([400, 400, 400, 400, 400])
    expect(await ask({ tids: ['sale'] }), 'a channel without one').toBe(404)
  })

  test('the deprecated listing is marked as deprecated', async () => {
    const reply = await postIn(api, format, `${peo.base}/peos`, peo.routes.listPeos.request, {})
    expect(reply.headers).toMatchObject({ deprecation: expect.any(String), sunset: expect.any(String) })
  })
})

beforeAll(async () => {
  const dam = damCalls(api)
  await dam.createPath('/MAM/boats')
  const files = await dam.addAssets('/MAM/boats', 'a.jpg', 'b.jpg', 'c.jpg')
  const links = ['shop', 'sale', 'last'].map((projectTid, i) => ({
    type: 'assetToProject',
    itms: [itemsOf({ assetTid: files[i]!.tid, projectTid })],
  }))
  const product = { type: 'productToProject', itms: [itemsOf({ productTid: 'P', projectTid: 'other' })] }
  await api.post('/api/core/v1/common/links/persist', pim({ links: { itms: [...links, product] } }))
})
