import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../adapters/postgres/sql.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const base = '/api/core/v1/pim/classes'
const schemaVersion = '5.6.0'

interface NodeReply {
  tid: string
  path?: string
  node?: NodeReply[]
  attr?: object[]
}
const english = (value: string) => ({ itm: [{ value, loc: 'en_GB' }] })
const send = async (path: string, body: object) => {
  const reply = await api.post(`/api/core/v1/pim/${path}`, { schemaVersion, ...body }, { token: api.adminToken })
  expect(reply.status, reply.text).toBe(200)
  return reply.json.responses.response
}
const persist = (clazz: object[], node?: object[]) =>
  send('classes/persist', { classes: { clazz }, ...(node && { nodes: { node } }) })
const remove = (...action: object[]) =>
  send('classes/perform', {
    actions: { action: action.map((one) => ({ dataType: 'classification', type: 'delete', ...one })) },
  })
const force = { meta: { itm: [{ key: 'force', value: 'true' }] } }
const retrieve = (request: object, accept?: string) =>
  api.post(`${base}/retrieve`, request, { ...(accept && { accept }) })
const tidsOf = async (request: object) => (await retrieve(request)).json.classes.clazz.map(({ tid }: NodeReply) => tid)
const define = (...tids: string[]) =>
  send('attribute-definitions/persist', {
    attrDefs: { attrDef: tids.map((tid) => ({ tid, type: 'text', name: english(tid) })) },
  })

beforeEach(async () => {
  for (const table of [sql`product`, sql`node_attribute`, sql`node`, sql`classification`, sql`attr_def`]) {
    await api.db.run(sql`delete from ${table}`)
  }
})

describe('persist', () => {
  test('creates a classification with a root node of its tid and name, and changes it by tid or id', async () => {
    const [created] = await persist([{ tid: 'Std', name: english('Standard') }])
    expect(created).toMatchObject({ status: 'SUCCESS', action: 'create', dataType: 'classification', tid: 'Std' })
    expect((await retrieve({ withNodes: true })).json.nodes.node).toMatchObject([
      { tid: 'Std', path: '/Std', classificationTid: 'Std', name: english('Standard') },
    ])
    expect(await persist([{ id: created.id, name: english('Default') }])).toMatchObject([
      { action: 'update', tid: 'Std' },
    ])
    const { classes, nodes } = (await retrieve({ withNodes: true })).json
    expect(classes.clazz).toEqual([{ name: english('Default'), tid: 'Std', id: created.id }])
    expect(nodes.node[0].name).toEqual(english('Default'))
  })

  test('accepts nodes with classifications, in their order, wherever they are in the message', async () => {
    const records = await send('classes/persist', {
      nodes: {
        node: [
          { classificationTid: 'Std', name: english('Standard') },
          { parentPath: '/Std', tid: 'A' },
          { parentPath: '/Std/A', tid: 'B' },
          { parentPath: '/Std/C', tid: 'D' },
        ],
      },
      classes: { clazz: [{ tid: 'Std', name: english('Standard') }] },
    })
    expect(records).toMatchObject([
      { dataType: 'node', status: 'SUCCESS', path: '/Std' },
      { dataType: 'node', status: 'SUCCESS', path: '/Std/A' },
      { dataType: 'node', status: 'SUCCESS', path: '/Std/A/B' },
      { dataType: 'node', status: 'ERROR', description: expect.stringMatching(/no parent node has the path \/Std\/C/) },
      { dataType: 'classification', status: 'SUCCESS', action: 'create', tid: 'Std' },
    ])
  })

  test('the root node of a new classification has the same name', async () => {
    const refusal = expect.stringMatching(
      /the root node of the new classification Std has the same name; send that name or no name/,
    )
    expect(
      await persist([{ tid: 'Std', name: english('Standard') }], [{ classificationTid: 'Std', name: english('Root') }]),
    ).toMatchObject([
      { status: 'SUCCESS', tid: 'Std' },
      { status: 'ERROR', dataType: 'node', description: refusal },
    ])
    expect(await persist([{ tid: 'Two', name: english('Two'), node: { name: english('Root') } }])).toMatchObject([
      { status: 'ERROR', tid: 'Two' },
    ])
    expect(await tidsOf({})).toEqual(['Std'])
    expect(await persist([], [{ classificationTid: 'Std', name: english('Root') }])).toMatchObject([
      { status: 'SUCCESS' },
    ])
  })

  test('accepts a whole tree nested in a classification, all of it or nothing', async () => {
    await define('color')
    const node = { attr: [{ key: 'color' }], node: [{ tid: 'A', node: [{ tid: 'A1' }] }, { tid: 'B' }] }
    expect(
      await persist([
        { tid: 'Std', node },
        { tid: 'Bad', node: { attr: [{ key: 'nope' }] } },
      ]),
    ).toMatchObject([
      { status: 'SUCCESS', tid: 'Std' },
      { status: 'ERROR', tid: 'Bad', description: expect.stringMatching(/no attribute definition has the tid nope/) },
    ])
    const paths = (await retrieve({ withNodes: true })).json.nodes.node.map((one: NodeReply) => one.path)
    expect(paths).toEqual(['/Std', '/Std/A', '/Std/A/A1', '/Std/B'])
  })

  test.each<[string, object, RegExp]>([
    ['a tid with a separator', { tid: 'a/b' }, /contains \//],
    ['an unknown id', { id: 1, name: english('x') }, /no classification has the id 1/],
    ['a name in no locale', { tid: 'x', name: { itm: [{ value: 'x', loc: 'EN' }] } }, /EN is not a locale/],
    ['a root of another tid', { tid: 'x', node: { tid: 'y' } }, /has the same tid; send x or no tid/],
  ])('refuses %s, and stores the next item', async (_, bad, description) => {
    expect(await persist([bad, { tid: 'Good' }])).toMatchObject([
      { status: 'ERROR', description: expect.stringMatching(description) },
      { status: 'SUCCESS' },
    ])
    expect(await tidsOf({})).toEqual(['Good'])
  })

  test('costs the same few statements for one tree and for hundreds', async () => {
    const cost = async (count: number) => {
      const before = api.statements.length
      await persist(
        Array.from({ length: count }, (_, i) => ({ tid: `c${count}-${i}`, node: { node: [{ tid: 'A' }] } })),
      )
      return api.statements.length - before
    }
    expect(await cost(300)).toBe(await cost(1))
  })
})

describe('retrieve', () => {
  beforeEach(async () => {
    await define('color')
    const node = {
      node: [
        {
          tid: 'A',
          name: english('First'),
          attr: [{ key: 'color', level: 'pa', restriction: 'required' }],
          node: [{ tid: 'A1' }],
        },
        { tid: 'B' },
      ],
    }
    await persist([{ tid: 'Std', name: english('Standard'), node }, { tid: 'Other' }])
  })

  test('returns all without identifiers, else by tids, else by ids', async () => {
    const all = (await retrieve({})).json.classes.clazz
    expect(all.map(({ tid }: NodeReply) => tid)).toEqual(['Std', 'Other'])
    expect(all[0]).not.toHaveProperty('node')
    expect(await tidsOf({ tids: ['Other', 'nope'], ids: [all[0].id] })).toEqual(['Other'])
    expect(await tidsOf({ ids: [all[0].id] })).toEqual(['Std'])
    expect((await retrieve({ tids: ['nope'] })).status).toBe(404)
    expect((await retrieve({ ids: [1] })).status).toBe(404)
    expect((await retrieve({ nonsense: 1 })).status).toBe(400)
  })

  test('with nodes: a flat list by default, parents first, with the attributes of each', async () => {
    const { nodes } = (await retrieve({ tids: ['Std'], withNodes: true })).json
    expect(nodes.node.map(({ path }: NodeReply) => path)).toEqual(['/Std', '/Std/A', '/Std/A/A1', '/Std/B'])
    expect(nodes.node[1].attr).toEqual([
      {
        key: 'color',
        level: 'pa',
        restriction: 'required',
        localized: 'false',
        id: expect.any(Number),
        nodeId: nodes.node[1].id,
        nodePath: '/Std/A',
      },
    ])
  })

  test('with nodes that are not flat: nested under the root', async () => {
    const { classes, nodes } = (await retrieve({ tids: ['Std'], withNodes: true, flatNodes: false })).json
    expect(nodes).toBeUndefined()
    const shape = ({ tid, node = [] }: NodeReply): string => `${tid}(${node.map(shape).join(' ')})`
    expect(shape(classes.clazz[0].node)).toBe('Std(A(A1()) B())')
  })

  test('a nested reply can be sent back in every format, and changes nothing', async () => {
    const state = () =>
      api.db.rows(
        sql`select path, name, level, restriction from node n left join node_attribute a on a.node_id = n.id order by path`,
      )
    const before = await state()
    for (const type of ['application/xml', 'application/json', 'application/json+compact']) {
      for (const flatNodes of [true, false]) {
        const { text, status } = await retrieve({ withNodes: true, flatNodes }, type)
        expect(status).toBe(200)
        const reply = await api.post(`${base}/persist`, text, { type, accept: 'application/json' })
        expect(reply.status, reply.text).toBe(200)
        expect(
          reply.json.responses.response.every(({ status }: { status: string }) => status === 'SUCCESS'),
          reply.text,
        ).toBe(true)
        expect(await state()).toEqual(before)
      }
    }
    expect(
      await api.db.rows(sql`select 1 from history h join node n on n.id = h.object_id where h.action = 'update'`),
    ).toEqual([])
  })

  test('GET lists them in the three formats', async () => {
    for (const [accept, sign] of [
      ['application/xml', '<clazz '],
      ['application/json', '"clazz":['],
      ['application/json+compact', '"tid":"Other"'],
    ] as const) {
      const reply = await api.get(base, { accept })
      expect(reply.status).toBe(200)
      expect(reply.text).toContain(sign)
    }
    expect((await api.get(base, { token: null })).status).toBe(401)
  })
})

describe('delete', () => {
  test('removes classifications with their nodes and attributes; tid wins over id', async () => {
    await define('color')
    const [, other] = await persist([
      { tid: 'Std', node: { attr: [{ key: 'color' }], node: [{ tid: 'A' }] } },
      { tid: 'Other' },
      { tid: 'Third' },
    ])
    expect(await remove({ tid: 'Std', id: other.id }, { tid: 'Std' }, { id: other.id }, { tid: 'nope' })).toMatchObject(
      [
        { status: 'SUCCESS', action: 'delete', dataType: 'classification', tid: 'Std' },
        { status: 'ERROR' },
        { status: 'SUCCESS', tid: 'Other' },
        { status: 'ERROR', description: expect.stringMatching(/no classification has the tid nope/) },
      ],
    )
    expect(await tidsOf({})).toEqual(['Third'])
    expect(await api.db.rows(sql`select path from node`)).toEqual([{ path: '/Third' }])
    await remove({ tid: 'Third' })
    expect((await api.get(base)).status).toBe(404)
    expect((await retrieve({})).status).toBe(404)
  })

  test('is refused while the tree has products, and with force deletes them too', async () => {
    await persist([{ tid: 'Std', node: { node: [{ tid: 'A' }] } }])
    await api.db.run(sql`insert into product (level, tid, parent_id, node_id, name, created_by, modified_by)
      select 0, 'P', id, id, 'P', 'a', 'a' from node where path = '/Std/A'`)
    expect(await remove({ tid: 'Std' })).toMatchObject([
      {
        status: 'ERROR',
        description: expect.stringMatching(/in use by product P .*force=true/),
        details: { itm: expect.arrayContaining([{ key: 'code', value: '1008' }]) },
      },
    ])
    expect(await remove({ tid: 'Std', ...force })).toMatchObject([{ status: 'SUCCESS' }])
    expect(await api.db.rows(sql`select 1 from product union all select 1 from node`)).toEqual([])
  })
})

describe('access and shape', () => {
  test.each(['retrieve', 'persist', 'perform', 'bulk'])('%s needs a token and a message of its shape', async (verb) => {
    expect((await api.post(`${base}/${verb}`, {}, { token: null })).status).toBe(401)
    expect((await api.post(`${base}/${verb}`, { nonsense: 1 })).status).toBe(400)
  })

  test('bulk stores classifications with their nodes', async () => {
    await api.startWorker()
    const body = {
      schemaVersion,
      classes: { clazz: [{ tid: 'Std' }] },
      nodes: { node: [{ parentPath: '/Std', tid: 'A' }] },
    }
    const reply = await api.post(`${base}/bulk`, body)
    expect(reply.status, reply.text).toBe(200)
    const show = () => api.get(`${base}/bulk/${reply.text}`)
    await expect.poll(async () => (await show()).text, { timeout: 20_000, interval: 50 }).toContain('"finished"')
    expect((await show()).json.responses.response).toMatchObject([
      { status: 'SUCCESS' },
      { status: 'SUCCESS', path: '/Std/A' },
    ])
  })
})

describe('a role narrowed to a subtree of nodes', () => {
  beforeEach(async () => {
    await define('color')
    await persist([
      { tid: 'Std', node: { attr: [{ key: 'color' }], node: [{ tid: 'A', node: [{ tid: 'A1' }] }, { tid: 'B' }] } },
    ])
  })
  const clerk = async () => {
    await api.db.run(sql`insert into role (name, description) values ('clerk', '') on conflict do nothing`)
    await api.db.run(sql`delete from role_grant where role = 'clerk'`)
    await api.db.run(sql`
      with g as (insert into role_grant (role, kind, actions) values ('clerk', '*', '{read,create,update}') returning id)
      insert into grant_scope (grant_id, tree, path) select id, 'node', '/Std/A' from g`)
    return api.tokenFor({ roles: ['clerk'] })
  }

  test('sees the subtree and the nodes above it', async () => {
    const token = await clerk()
    const nodes = async (flatNodes: boolean) => api.post(`${base}/retrieve`, { withNodes: true, flatNodes }, { token })
    expect((await nodes(true)).json.nodes.node.map(({ path }: NodeReply) => path)).toEqual([
      '/Std',
      '/Std/A',
      '/Std/A/A1',
    ])
    expect((await nodes(false)).json.classes.clazz[0].node.node).toHaveLength(1)
    expect(
      (await api.get('/api/core/v1/pim/attributes/Std/A/A1?includeParentAttributes=true', { token })).json.attrs.attr,
    ).toHaveLength(1)
    expect((await api.get('/api/core/v1/pim/attributes/Std/B', { token })).status).toBe(404)
  })

  test('changes nodes only there, deletes none, and keeps its rights when the subtree moves', async () => {
    const token = await clerk()
    const write = async (...node: object[]) =>
      (await api.post(`${base}/persist`, { schemaVersion, nodes: { node } }, { token })).json.responses.response
    expect(
      await write(
        { parentPath: '/Std/A', tid: 'A2' },
        { parentPath: '/Std', tid: 'C' },
        { path: '/Std/A/A1', parentPath: '/Std/B' },
      ),
    ).toMatchObject([
      { status: 'SUCCESS' },
      {
        status: 'ERROR',
        description: expect.stringMatching(/do not allow to create the node at \/Std\/C/),
        details: { itm: expect.arrayContaining([{ key: 'code', value: '1004' }]) },
      },
      { status: 'ERROR', description: expect.stringMatching(/no parent node has the path \/Std\/B/) },
    ])
    await send('nodes/persist', { nodes: { node: [{ path: '/Std/A', parentPath: '/Std/B', tid: 'Moved' }] } })
    expect(await api.db.rows(sql`select path from grant_scope`)).toEqual([{ path: '/Std/B/Moved' }])
  })
})

describe('ETag', () => {
  test('a classification that changed since it was read is not overwritten', async () => {
    await persist([{ tid: 'Std', name: english('One') }])
    const first = (await retrieve({ tids: ['Std'] })).headers['etag'] as string
    expect(first).toMatch(/^"\d+-\d+"$/)
    const write = (name: string, etag: string) =>
      api.post(
        `${base}/persist`,
        { schemaVersion, classes: { clazz: [{ tid: 'Std', name: english(name) }] } },
        { headers: { 'if-match': etag } },
      )
    expect((await write('Two', first)).status).toBe(200)
    const late = await write('Three', first)
    expect([late.status, late.text]).toEqual([412, expect.stringMatching(/has changed meanwhile.*retrieve it again/)])
    expect((await retrieve({ tids: ['Std'] })).json.classes.clazz[0].name).toEqual(english('Two'))
    expect((await retrieve({})).headers['etag']).toBeUndefined()
  })

  test('nodes, attributes and definitions have one too', async () => {
    await define('color')
    await persist([{ tid: 'Std', node: { attr: [{ key: 'color' }] } }])
    const attribute = (await api.db.row<{ id: number }>(sql`select id from node_attribute`))!.id
    for (const [area, request, body] of [
      ['nodes', { classificationTid: 'Std' }, { nodes: { node: [{ path: '/Std', name: english('x') }] } }],
      ['attributes', { ids: [attribute] }, { attrs: { attr: [{ id: attribute, level: 'p' }] } }],
      [
        'attribute-definitions',
        { tids: ['color'] },
        { attrDefs: { attrDef: [{ tid: 'color', type: 'text', name: english('x') }] } },
      ],
    ] as const) {
      const url = `/api/core/v1/pim/${area}`
      const { etag } = (await api.post(`${url}/retrieve`, request, { token: api.adminToken })).headers as {
        etag: string
      }
      const write = () =>
        api.post(`${url}/persist`, { schemaVersion, ...body }, { token: api.adminToken, headers: { 'if-match': etag } })
      expect([area, (await write()).status, (await write()).status]).toEqual([area, 200, 412])
    }
  })
})
