import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../adapters/postgres/sql.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const base = '/api/core/v1/pim/attributes'
const schemaVersion = '5.6.0'

interface AttributeReply {
  key: string
  nodePath: string
  [field: string]: unknown
}
const english = (value: string) => ({ itm: [{ value, loc: 'en_GB' }] })
const send = async (path: string, body: object) => {
  const reply = await api.post(`/api/core/v1/pim/${path}`, { schemaVersion, ...body }, { token: api.adminToken })
  expect(reply.status, reply.text).toBe(200)
  return reply.json.responses.response
}
const persist = (...attr: object[]) => send('attributes/persist', { attrs: { attr } })
const remove = (...action: object[]) =>
  send('attributes/perform', {
    actions: { action: action.map((one) => ({ dataType: 'attribute', type: 'delete', ...one })) },
  })
const retrieve = (request: object, accept?: string) =>
  api.post(`${base}/retrieve`, request, { ...(accept && { accept }) })
const attributesOf = async (request: object): Promise<AttributeReply[]> =>
  (await retrieve(request)).json.attrs.attr ?? []
const brief = async (request: object) => (await attributesOf(request)).map(({ key, nodePath }) => `${key}@${nodePath}`)
const idOf = async (path: string) =>
  (await api.db.row<{ id: number }>(sql`select id from node where path = ${path}`))!.id
const colors = (...tids: string[]) => ({ domainVal: tids.map((tid) => ({ tid, ...english(tid.toUpperCase()) })) })

beforeEach(async () => {
  for (const table of [sql`product`, sql`node_attribute`, sql`node`, sql`classification`, sql`attr_def`]) {
    await api.db.run(sql`delete from ${table}`)
  }
  const define = (tid: string, more: object = {}) => ({ tid, type: 'text', name: english(tid), ...more })
  await send('attribute-definitions/persist', {
    attrDefs: {
      attrDef: [
        define('plain'),
        define('texts', { localized: 'true', multiValued: { value: 'true', cardinality: 3 } }),
        define('color', { domainVals: colors('red', 'blue'), defaultVal: { tid: 'red' } }),
        define('open', { domainVals: { ...colors('a'), allowNewValue: 'true' } }),
        define('weight', { type: 'number', required: 'required', domainRange: { from: '0', to: '10' } }),
        define('flag', { type: 'boolean' }),
      ],
    },
  })
  await send('classes/persist', {
    classes: { clazz: [{ tid: 'Std', node: { node: [{ tid: 'A', node: [{ tid: 'B' }] }, { tid: 'C' }] } }] },
  })
  await api.db.run(sql`insert into product (level, tid, parent_id, node_id, name, created_by, modified_by)
    select 0, 'P1', id, id, 'P1', 'a', 'a' from node where path = '/Std/A/B'`)
})

describe('persist', () => {
  test('adds an attribute by node and key, and changes it by id or by node and key', async () => {
    const nodeId = await idOf('/Std/A')
    const [created] = await persist({
      nodePath: '/Std/A',
      key: 'plain',
      level: 'p',
      inheritance: 'visible',
      restriction: 'required',
    })
    expect(created).toMatchObject({
      status: 'SUCCESS',
      action: 'create',
      dataType: 'attribute',
      id: expect.any(Number),
      path: '/Std/A',
    })
    expect(
      await persist({ nodeId, key: 'plain', option: 'READONLY' }, { id: created.id, level: 'v, a' }),
    ).toMatchObject([
      { status: 'SUCCESS', action: 'update', id: created.id },
      { status: 'SUCCESS', action: 'update', id: created.id },
    ])
    expect(await attributesOf({ ids: [created.id] })).toEqual([
      {
        id: created.id,
        key: 'plain',
        nodeId,
        nodePath: '/Std/A',
        level: 'av',
        inheritance: 'visible',
        restriction: 'required',
        localized: 'false',
        cardinality: 1,
        option: 'READONLY',
      },
    ])
  })

  test.each<[string, object, RegExp]>([
    ['no node', { key: 'plain' }, /names no attribute; give its id, or nodeId or nodePath together with key/],
    ['an unknown node', { nodePath: '/Std/X', key: 'plain' }, /no node has the path \/Std\/X/],
    ['an unknown node id', { nodeId: 1, key: 'plain' }, /no node has the id 1/],
    ['no key', { nodePath: '/Std' }, /@key: missing/],
    [
      'an unknown key',
      { nodePath: '/Std', key: 'nope' },
      /@key: no attribute definition has the tid nope; create it first/,
    ],
    ['an unknown id', { id: 1, level: 'p' }, /no attribute has the id 1/],
    [
      'an unknown level',
      { nodePath: '/Std', key: 'plain', level: 'px' },
      /@level: unknown level px; expected letters of p/,
    ],
    [
      'an unknown inheritance',
      { nodePath: '/Std', key: 'plain', inheritance: 'maybe' },
      /@inheritance: unknown value maybe/,
    ],
    [
      'another localization',
      { nodePath: '/Std', key: 'plain', localized: 'true' },
      /plain is not localized everywhere; change its definition/,
    ],
    ['a cardinality of nothing', { nodePath: '/Std', key: 'texts', cardinality: 0 }, /@cardinality: 0 allows no value/],
    [
      'several values of one',
      { nodePath: '/Std', key: 'plain', cardinality: 2 },
      /plain has one value; make its definition multiValued/,
    ],
    ['more values than the definition', { nodePath: '/Std', key: 'texts', cardinality: 4 }, /4 is above the 3/],
    [
      'a value outside of the list',
      { nodePath: '/Std', key: 'color', domainVals: colors('green') },
      /green is not in the list of color; add it to the definition first/,
    ],
    ['a list of booleans', { nodePath: '/Std', key: 'flag', domainVals: colors('green') }, /a boolean has no list/],
    ['a range of texts', { nodePath: '/Std', key: 'plain', domainRange: { from: '1' } }, /a text has no range/],
    [
      'a default outside of the list',
      { nodePath: '/Std', key: 'color', defaultVal: { tid: 'green' } },
      /green is not in the list; expected one of red, blue/,
    ],
    [
      'a default out of the range of the node',
      { nodePath: '/Std', key: 'weight', domainRange: { to: '5' }, defaultVal: { itm: [{ value: '6' }] } },
      /defaultVal: 6 is above 5/,
    ],
    [
      'a default of another type',
      { nodePath: '/Std', key: 'weight', defaultVal: { itm: [{ value: 'much' }] } },
      /much is not a number/,
    ],
  ])('refuses %s, and stores the next item', async (_, bad, description) => {
    expect(await persist(bad, { nodePath: '/Std/C', key: 'plain' })).toMatchObject([
      { status: 'ERROR', dataType: 'attribute', description: expect.stringMatching(description) },
      { status: 'SUCCESS' },
    ])
    expect(await brief({ nodePaths: ['/Std', '/Std/C'] })).toEqual(['plain@/Std/C'])
  })

  test('an attribute keeps its definition; an unknown word of the schema is 400', async () => {
    const [{ id }] = await persist({ nodePath: '/Std', key: 'plain' })
    expect(await persist({ id, key: 'color' })).toMatchObject([
      { status: 'ERROR', description: expect.stringMatching(/is plain and cannot become another/) },
    ])
    const reply = await api.post(`${base}/persist`, { schemaVersion, attrs: { attr: [{ id, option: 'NEVER' }] } })
    expect(reply.status).toBe(400)
  })

  test('costs the same few statements for one attribute and for a thousand', async () => {
    await send('nodes/persist', {
      nodes: { node: Array.from({ length: 1000 }, (_, i) => ({ parentPath: '/Std', tid: `n${i}` })) },
    })
    const cost = async (key: string, count: number) => {
      const before = api.statements.length
      await persist(...Array.from({ length: count }, (_, i) => ({ nodePath: `/Std/n${i}`, key })))
      return api.statements.length - before
    }
    expect(await cost('plain', 1000)).toBe(await cost('color', 1))
  })

  test('fifty clients that add the same attribute at once create one', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => persist({ nodePath: '/Std', key: 'plain' })))
    expect(all.flat().filter(({ action }) => action === 'create')).toHaveLength(1)
  })

  test('the history records what changed of an attribute', async () => {
    const [{ id }] = await persist({ nodePath: '/Std', key: 'plain', level: 'p' })
    await persist({ id, level: 'pa', restriction: 'mandatory' })
    await persist({ id, level: 'pa' })
    const history = await api.db.rows(sql`select action, changes from history where object_id = ${id} order by id`)
    expect(history).toMatchObject([
      { action: 'create', changes: { key: { to: 'plain' }, level: { to: 'p' } } },
      { action: 'update', changes: { level: { from: 'p', to: 'pa' }, restriction: { to: 'mandatory' } } },
    ])
  })
})

describe('inheritance', () => {
  beforeEach(() =>
    persist(
      { nodePath: '/Std', key: 'plain', level: 'pa', restriction: 'mandatory' },
      { nodePath: '/Std/A', key: 'color' },
      { nodePath: '/Std/A/B', key: 'plain', option: 'SYNCHRONIZED' },
    ),
  )

  test('a node has its own attributes, and on request those of the nodes above, the nearest of each', async () => {
    expect(await brief({ nodePaths: ['/Std/A/B'] })).toEqual(['plain@/Std/A/B'])
    expect(await brief({ nodePaths: ['/Std/A/B'], includeParentAttributes: true })).toEqual([
      'plain@/Std/A/B',
      'color@/Std/A',
    ])
    expect(await brief({ nodePaths: ['/Std/C'] })).toEqual([])
    expect(await brief({ nodePaths: ['/Std/C'], includeParentAttributes: true })).toEqual(['plain@/Std'])
  })

  test('a field that a node does not override comes from the nearest node above, else from the definition', async () => {
    const [plain] = await attributesOf({ nodePaths: ['/Std/A/B'] })
    expect(plain).toMatchObject({
      level: 'pa',
      restriction: 'mandatory',
      option: 'SYNCHRONIZED',
      inheritance: 'visible',
    })
    const [id] = await persist({ nodePath: '/Std/C', key: 'weight' })
    expect((await attributesOf({ ids: [id.id] }))[0]).toMatchObject({
      restriction: 'required',
      level: 'pav',
      option: 'OVERWRITE',
      domainRange: { from: '0', to: '10', intOnly: 'false' },
    })
  })

  test('a moved node inherits from its new parent at once', async () => {
    await send('nodes/persist', { nodes: { node: [{ path: '/Std/C', parentPath: '/Std/A' }] } })
    expect(await brief({ nodePaths: ['/Std/A/C'], includeParentAttributes: true })).toEqual([
      'plain@/Std',
      'color@/Std/A',
    ])
  })

  test('replies contain domain values and default values on request, narrowed by the node', async () => {
    await persist({
      nodePath: '/Std/A',
      key: 'color',
      domainVals: { domainVal: [{ tid: 'blue' }] },
      defaultVal: { tid: 'blue' },
    })
    const [quiet] = await attributesOf({ nodePaths: ['/Std/A'] })
    expect(quiet).not.toMatchObject({ domainVals: expect.anything() })
    const [full] = await attributesOf({ nodePaths: ['/Std/A'], withDomainValues: true, withDefaultValues: true })
    expect(full).toMatchObject({
      domainVals: {
        domainVal: [{ tid: 'blue', ...english('BLUE') }],
        allowNewValue: 'false',
        sortDirection: 'MANUAL',
        mode: 'FULL',
      },
      defaultVal: { tid: 'blue' },
    })
  })

  test.each<[object, RegExp]>([
    [
      { domainVals: { mode: 'FULL', domainVal: [{ tid: 'red' }] } },
      /the node \/Std\/A would not fit: domainVals: blue is not in the list/,
    ],
    [{ multiValued: { value: 'true', cardinality: 2 } }, /3 is above the 2/],
    [{ type: 'boolean', domainVals: { mode: 'FULL', allowNewValue: 'false' } }, /a boolean has no list/],
  ])('a definition is not changed if the overrides of a node would no longer fit: %j', async (change, description) => {
    const color = { tid: 'color', type: 'text', name: english('color') }
    const multiValued = { value: 'true', cardinality: 3 }
    const update = (more: object) =>
      send('attribute-definitions/persist', { attrDefs: { attrDef: [{ ...color, defaultVal: {}, ...more }] } })
    await update({ multiValued })
    await persist({ nodePath: '/Std/A', key: 'color', cardinality: 3, domainVals: { domainVal: [{ tid: 'blue' }] } })
    expect(await update(change)).toMatchObject([{ status: 'ERROR', description: expect.stringMatching(description) }])
  })

  test('a node can have a list that the definition does not have', async () => {
    await persist({ nodePath: '/Std/C', key: 'plain', domainVals: colors('x') })
    expect(await attributesOf({ nodePaths: ['/Std/C'], withDomainValues: true })).toMatchObject([
      { domainVals: colors('x') },
    ])
  })

  test('a node at depth 10 with 500 inherited attributes costs one small statement, and the rows only after a change', async () => {
    const attrDef = Array.from({ length: 500 }, (_, i) => ({ tid: `d${i}`, type: 'text', name: english(`d${i}`) }))
    await send('attribute-definitions/persist', { attrDefs: { attrDef } })
    const chain = (depth: number): object => ({
      tid: `L${depth}`,
      attr: attrDef.slice((depth - 2) * 56, (depth - 1) * 56).map(({ tid }) => ({ key: tid })),
      ...(depth < 10 && { node: [chain(depth + 1)] }),
    })
    await send('nodes/persist', { nodes: { node: [{ parentPath: '/Std', ...chain(2) }] } })
    const path = `/Std/${[2, 3, 4, 5, 6, 7, 8, 9, 10].map((depth) => `L${depth}`).join('/')}`
    const cost = async () => {
      const before = api.statements.length
      const found = await attributesOf({ nodePaths: [path], includeParentAttributes: true })
      const sent = api.statements.slice(before).filter((text) => text.includes('pim_model') || text.includes('node'))
      return { count: found.length, statements: sent.length }
    }
    await cost()
    expect(await cost()).toEqual({ count: 501, statements: 1 })
    await persist({ nodePath: '/Std/L2', key: 'flag' })
    expect((await cost()).count).toBe(502)
    expect(await cost()).toEqual({ count: 502, statements: 1 })
  })
})

describe('query and retrieve', () => {
  beforeEach(() => persist({ nodePath: '/Std', key: 'plain' }, { nodePath: '/Std/A/B', key: 'color' }))
  const query = (request: object) => api.post(`${base}/query`, request)

  test('query finds the attributes of a node, or those of a product with all inherited ones', async () => {
    const [inherited, own] = (await attributesOf({ productTids: ['P1'] })).map(({ id }) => id)
    const product = (await api.db.row<{ id: number }>(sql`select id from product`))!.id
    const nodeId = await idOf('/Std/A/B')
    expect((await query({ nodePath: '/Std/A/B' })).json).toEqual({ ids: [own] })
    expect((await query({ nodeId, includeParentAttributes: true })).json).toEqual({ ids: [inherited, own] })
    expect((await query({ productTid: 'P1', includeParentAttributes: false })).json).toEqual({ ids: [inherited, own] })
    expect((await query({ productId: [product] })).json).toEqual({ ids: [inherited, own] })
    expect((await query({ nodePath: '/Std/C' })).json).toEqual({ ids: [] })
  })

  test('retrieve accepts every selector, skips unknown objects, and is 404 if all are unknown', async () => {
    const product = (await api.db.row<{ id: number }>(sql`select id from product`))!.id
    const all = await attributesOf({ productIds: [product, 1] })
    expect(all.map(({ key }) => key)).toEqual(['plain', 'color'])
    expect(await attributesOf({ productTids: ['P1', 'nope'] })).toEqual(all)
    expect(await attributesOf({ ids: [...all.map(({ id }) => id), 1] })).toEqual(all)
    expect(await brief({ nodeIds: [await idOf('/Std/A/B'), await idOf('/Std'), 1] })).toEqual([
      'color@/Std/A/B',
      'plain@/Std',
    ])
    expect(await brief({ nodePaths: ['/Std/A/B', '/Std/A', '/Nope'], includeParentAttributes: true })).toEqual([
      'plain@/Std',
      'color@/Std/A/B',
    ])
  })

  test.each([
    [{ nodePath: '/Nope' }, 404],
    [{ nodeId: 1 }, 404],
    [{ productTid: 'nope' }, 404],
    [{}, 400],
    [{ nodePath: '/Std', productTid: 'P1' }, 400],
    [{ includeParentAttributes: true }, 400],
  ])('query %j is %d', async (request, status) => {
    expect((await query(request)).status).toBe(status)
  })

  test.each([
    [{ ids: [1] }, 404],
    [{ nodePaths: ['/Nope'] }, 404],
    [{ productIds: [1] }, 404],
    [{ ids: [1], nodeIds: [1] }, 400],
    [{}, 400],
    [{ nonsense: 1 }, 400],
  ])('retrieve %j is %d', async (request, status) => {
    expect((await retrieve(request)).status).toBe(status)
  })

  test('a reply can be sent back in every format, and known overrides are not written again', async () => {
    await persist({
      nodePath: '/Std/A/B',
      key: 'color',
      level: 'p',
      inheritance: 'visible',
      restriction: 'optional',
      option: 'OVERWRITE',
      cardinality: 1,
      domainVals: colors('red'),
      defaultVal: { tid: 'red' },
    })
    const state = () => api.db.rows(sql`select id, version from node_attribute where level = 'p'`)
    const before = await state()
    for (const type of ['application/xml', 'application/json', 'application/json+compact']) {
      const { text, status } = await retrieve(
        { productTids: ['P1'], withDomainValues: true, withDefaultValues: true },
        type,
      )
      expect(status).toBe(200)
      const reply = await api.post(`${base}/persist`, text, { type, accept: 'application/json' })
      expect(reply.json.responses.response).toMatchObject([
        { status: 'SUCCESS', action: 'update' },
        { status: 'SUCCESS', action: 'update' },
      ])
    }
    expect(await state()).toEqual(before)
  })
})

describe('GET /attributes/{node}', () => {
  beforeEach(() => persist({ nodePath: '/Std', key: 'plain' }, { nodePath: '/Std/A/B', key: 'color' }))
  const keys = async (rest: string) =>
    ((await api.get(`${base}/${rest}`)).json.attrs.attr ?? []).map(({ key }: AttributeReply) => key)

  test('accepts the id of a node, or its path as the rest of the address', async () => {
    expect(await keys(String(await idOf('/Std/A/B')))).toEqual(['color'])
    expect(await keys('Std/A/B')).toEqual(['color'])
    expect(await keys('Std%2FA%2FB?includeParentAttributes=true')).toEqual(['plain', 'color'])
    expect(await keys('Std/A')).toEqual([])
    const [color] = (await api.get(`${base}/Std/A/B`)).json.attrs.attr
    expect(color).toMatchObject({ domainVals: { mode: 'FULL' }, defaultVal: { tid: 'red' } })
  })

  test('accepts a path with spaces and letters of any language', async () => {
    await send('nodes/persist', {
      nodes: { node: [{ parentPath: '/Std', tid: 'Schuhe & Stöcke', attr: [{ key: 'plain' }] }] },
    })
    expect(await keys(encodeURIComponent('Std/Schuhe & Stöcke'))).toEqual(['plain'])
  })

  test('supports the three formats', async () => {
    for (const accept of ['application/xml', 'application/json', 'application/json+compact']) {
      const reply = await api.get(`${base}/Std/A/B`, { accept })
      expect(reply.status).toBe(200)
      expect(reply.headers['content-type']).toContain(accept)
      expect(reply.text).toContain('color')
    }
  })

  test.each([
    ['Nope', 404],
    ['1', 404],
    ['Std?includeParentAttributes=maybe', 400],
  ])('%s is %d', async (rest, status) => {
    expect((await api.get(`${base}/${rest}`)).status).toBe(status)
  })
  test('without a token is 401', async () => {
    expect((await api.get(`${base}/Std`, { token: null })).status).toBe(401)
  })
})

describe('PUT /attributes/{id}/domain-value', () => {
  const put = (id: unknown, value?: string, headers: Record<string, string> = {}) =>
    api.post(
      `${base}/${id}/domain-value${value === undefined ? '' : `?domainValue=${encodeURIComponent(value)}`}`,
      undefined,
      { method: 'PUT', headers },
    )
  const listOf = async (id: unknown) =>
    (
      (await attributesOf({ ids: [id], withDomainValues: true }))[0]!['domainVals'] as { domainVal: AttributeReply[] }
    ).domainVal.map(({ tid }) => tid)

  test('adds a value to an open list and returns its key; for a known label it returns the existing key', async () => {
    const [{ id }] = await persist({ nodePath: '/Std', key: 'open' })
    const reply = await put(id, ' Bleu ciel ')
    expect([reply.status, reply.json]).toEqual([200, 'Bleu ciel'])
    expect((await put(id, 'A')).json).toBe('a')
    expect((await put(id, 'Bleu ciel')).json).toBe('Bleu ciel')
    expect(await listOf(id)).toEqual(['a', 'Bleu ciel'])
    const history = await api.db.rows(sql`select 1 from history where action = 'addDomainValue'`)
    expect(history).toHaveLength(1)
  })

  test('adds to the list of the node and to that of the definition', async () => {
    const [own] = await persist({
      nodePath: '/Std',
      key: 'open',
      domainVals: { domainVal: [{ tid: 'a' }], allowNewValue: 'true' },
    })
    const [other] = await persist({ nodePath: '/Std/C', key: 'open' })
    expect((await put(own.id, 'b')).json).toBe('b')
    expect(await listOf(own.id)).toEqual(['a', 'b'])
    const [shownOwn] = await attributesOf({ ids: [own.id], withDomainValues: true })
    expect(shownOwn).toMatchObject({
      domainVals: {
        domainVal: [
          { tid: 'a', ...english('A') },
          { tid: 'b', itm: [{ value: 'b' }] },
        ],
      },
    })
    expect(await listOf(other.id)).toEqual(['a', 'b'])
  })

  test('adds to the list of a node above if the definition has no list', async () => {
    await persist({ nodePath: '/Std', key: 'plain', domainVals: { ...colors('x'), allowNewValue: 'true' } })
    const [{ id }] = await persist({ nodePath: '/Std/A', key: 'plain' })
    expect((await put(id, 'y')).json).toBe('y')
    expect(await listOf(id)).toEqual(['x', 'y'])
  })

  test('is forbidden to readers', async () => {
    const [{ id }] = await persist({ nodePath: '/Std', key: 'open' })
    const token = await api.tokenFor({ roles: ['reader'] })
    expect(
      (await api.post(`${base}/${id}/domain-value?domainValue=x`, undefined, { method: 'PUT', token })).status,
    ).toBe(401)
    expect((await api.get(`${base}/Std`, { token })).status).toBe(200)
  })

  test('is 400 for a closed list or without a value, 404 for an unknown attribute, 401 without a token', async () => {
    const [{ id }] = await persist({ nodePath: '/Std', key: 'color' })
    const closed = await put(id, 'green')
    expect(closed.status).toBe(400)
    expect(closed.text).toMatch(/the list of color is closed; set allowNewValue=true/)
    expect((await put(id)).status).toBe(400)
    expect((await put('x', 'green')).status).toBe(400)
    expect((await put(1, 'green')).status).toBe(404)
    expect(
      (await api.post(`${base}/${id}/domain-value?domainValue=x`, undefined, { method: 'PUT', token: null })).status,
    ).toBe(401)
  })

  test('no value is lost when fifty users add different values at once', async () => {
    const [{ id }] = await persist({ nodePath: '/Std', key: 'open' })
    await Promise.all(Array.from({ length: 50 }, (_, i) => put(id, `v${i}`)))
    expect(await listOf(id)).toHaveLength(51)
  })
})

describe('delete and bulk', () => {
  test('delete removes an attribute from its node by id', async () => {
    const [{ id }] = await persist({ nodePath: '/Std', key: 'plain' })
    expect(await remove({ id }, { id }, { id: 1 }, {})).toMatchObject([
      { status: 'SUCCESS', action: 'delete', dataType: 'attribute', id },
      { status: 'ERROR' },
      { status: 'ERROR', description: expect.stringMatching(/no attribute has the id 1/) },
      { status: 'ERROR', description: expect.stringMatching(/give id/) },
    ])
    expect((await retrieve({ ids: [id] })).status).toBe(404)
  })

  test('bulk stores attributes', async () => {
    await api.startWorker()
    const reply = await api.post(`${base}/bulk`, {
      schemaVersion,
      attrs: { attr: [{ nodePath: '/Std', key: 'plain' }] },
    })
    expect(reply.status).toBe(200)
    const show = () => api.get(`${base}/bulk/${reply.text}`)
    await expect.poll(async () => (await show()).text, { timeout: 20_000, interval: 50 }).toContain('"finished"')
    expect((await show()).json.responses.response).toMatchObject([{ status: 'SUCCESS', action: 'create' }])
  })

  test.each(['query', 'retrieve', 'persist', 'perform', 'bulk'])(
    '%s needs a token and a message of its shape',
    async (verb) => {
      expect((await api.post(`${base}/${verb}`, {}, { token: null })).status).toBe(401)
      expect((await api.post(`${base}/${verb}`, { nonsense: 1 })).status).toBe(400)
    },
  )
})
