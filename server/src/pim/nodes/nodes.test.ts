import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../adapters/postgres/sql.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const base = '/api/core/v1/pim/nodes'
const schemaVersion = '5.6.0'

const english = (value: string) => ({ itm: [{ value, loc: 'en_GB' }] })
const send = async (path: string, body: object) => {
  const reply = await api.post(`/api/core/v1/pim/${path}`, { schemaVersion, ...body }, { token: api.adminToken })
  expect(reply.status, reply.text).toBe(200)
  return reply.json.responses.response
}
const persist = (...node: object[]) => send('nodes/persist', { nodes: { node } })
const remove = (...action: object[]) =>
  send('nodes/perform', {
    actions: { action: action.map((one) => ({ dataType: 'classNode', type: 'delete', ...one })) },
  })
const force = { meta: { itm: [{ key: 'force', value: 'true' }] } }
const retrieve = async (request: object) => {
  const reply = await api.post(`${base}/retrieve`, request, { token: api.adminToken })
  expect(reply.status, reply.text).toBe(200)
  return reply.json.nodes.node ?? []
}
const pathsBelow = async (path: string, level = 9): Promise<string[]> =>
  (await retrieve({ path, level })).map((node: { path: string }) => node.path)
const addProduct = (tid: string, path: string) =>
  api.db.run(sql`insert into product (level, tid, parent_id, node_id, name, created_by, modified_by)
    select 0, ${tid}, id, id, ${tid}, 'a', 'a' from node where path = ${path}`)

beforeEach(async () => {
  for (const table of [sql`product`, sql`node_attribute`, sql`node`, sql`classification`, sql`attr_def`]) {
    await api.db.run(sql`delete from ${table}`)
  }
  await send('classes/persist', { classes: { clazz: [{ tid: 'Std', name: english('Standard') }, { tid: 'Other' }] } })
})

describe('persist', () => {
  test('creates nodes by parentPath or parentId and tid, in the order given', async () => {
    const [shoes] = await persist({ parentPath: '/Std', tid: 'Shoes', name: english('Shoes') })
    expect(shoes).toMatchObject({
      status: 'SUCCESS',
      action: 'create',
      dataType: 'node',
      path: '/Std/Shoes',
      tid: 'Shoes',
    })
    const records = await persist(
      { parentId: shoes.id, tid: 'Boots' },
      { parentPath: 'Std/Shoes/', tid: 'Ankle' },
      { parentPath: '/Std/Shoes/Boots', tid: 'Winter' },
    )
    expect(records.map(({ path }: { path: string }) => path)).toEqual([
      '/Std/Shoes/Boots',
      '/Std/Shoes/Ankle',
      '/Std/Shoes/Boots/Winter',
    ])
    expect(await pathsBelow('/Std/Shoes')).toEqual(['/Std/Shoes/Boots', '/Std/Shoes/Boots/Winter', '/Std/Shoes/Ankle'])
    expect((await retrieve({ ids: [shoes.id] }))[0]).toEqual({
      name: english('Shoes'),
      tid: 'Shoes',
      id: shoes.id,
      parentId: expect.any(Number),
      parentPath: '/Std',
      path: '/Std/Shoes',
    })
  })

  test('renames per locale without changing the path, and removes a name that is sent empty', async () => {
    await persist({ parentPath: '/Std', tid: 'A', name: english('One') })
    await persist({ path: '/Std/A', name: { itm: [{ value: 'Eins', loc: 'de_DE' }] } })
    const [record] = await persist({ path: '/Std/A', name: { itm: [{ loc: 'en_GB' }, { value: 'Un', loc: 'fr_FR' }] } })
    expect(record).toMatchObject({ action: 'update', path: '/Std/A' })
    const [node] = await retrieve({ path: '/Std', level: 1 })
    expect(node.name.itm).toEqual([
      { value: 'Eins', loc: 'de_DE' },
      { value: 'Un', loc: 'fr_FR' },
    ])
  })

  test('moves a node with all below it, also into another classification', async () => {
    const [a] = await persist(
      { parentPath: '/Std', tid: 'A' },
      { parentPath: '/Std/A', tid: 'B' },
      { parentPath: '/Std/A/B', tid: 'C' },
      { parentPath: '/Std', tid: 'Z' },
    )
    expect(await persist({ path: '/Std/A/B', parentPath: '/Std/Z' })).toMatchObject([
      { status: 'SUCCESS', action: 'update', path: '/Std/Z/B' },
    ])
    expect(await persist({ id: a.id, parentPath: '/Other', tid: 'A2' })).toMatchObject([{ path: '/Other/A2' }])
    expect(await pathsBelow('/Std')).toEqual(['/Std/Z', '/Std/Z/B', '/Std/Z/B/C'])
    await persist({ path: '/Std/Z/B', parentPath: '/Other/A2' })
    const rows = await api.db.rows<{ path: string; tid: string }>(
      sql`select n.path, c.tid from node n join classification c on c.id = n.classification_id where n.tid in ('B', 'C') order by 1`,
    )
    expect(rows).toEqual([
      { path: '/Other/A2/B', tid: 'Other' },
      { path: '/Other/A2/B/C', tid: 'Other' },
    ])
  })

  test('one message can create a node, move another below it, and continue there', async () => {
    await persist({ parentPath: '/Std', tid: 'A' }, { parentPath: '/Std/A', tid: 'B' })
    const records = await persist(
      { parentPath: '/Std', tid: 'New' },
      { path: '/Std/A', parentPath: '/Std/New' },
      { path: '/Std/New/A/B', tid: 'B2' },
      { parentPath: '/Std', tid: 'A' },
      { path: '/Std/A/B', name: english('gone from there') },
    )
    expect(records.map(({ status }: { status: string }) => status)).toEqual([
      'SUCCESS',
      'SUCCESS',
      'SUCCESS',
      'SUCCESS',
      'ERROR',
    ])
    expect(await pathsBelow('/Std')).toEqual(['/Std/New', '/Std/New/A', '/Std/New/A/B2', '/Std/A'])
  })

  test('two nodes can swap their paths in one message', async () => {
    const [a, b] = await persist({ parentPath: '/Std', tid: 'A' }, { parentPath: '/Std', tid: 'B' })
    const records = await persist({ id: a.id, tid: 'tmp' }, { id: b.id, tid: 'A' }, { id: a.id, tid: 'B' })
    expect(records.every(({ status }: { status: string }) => status === 'SUCCESS')).toBe(true)
    expect((await retrieve({ ids: [a.id] }))[0].path).toBe('/Std/B')
  })

  test('accepts attributes and child nodes nested in a node, all of them or none', async () => {
    await send('attribute-definitions/persist', {
      attrDefs: { attrDef: [{ tid: 'color', type: 'text', name: english('c') }] },
    })
    const tree = { tid: 'T', attr: [{ key: 'color', level: 'p' }], node: [{ tid: 'T1', node: [{ tid: 'T2' }] }] }
    expect(await persist({ parentPath: '/Std', ...tree })).toMatchObject([{ status: 'SUCCESS', path: '/Std/T' }])
    expect(await pathsBelow('/Std')).toEqual(['/Std/T', '/Std/T/T1', '/Std/T/T1/T2'])
    const bad = { tid: 'U', node: [{ tid: 'U1', attr: [{ key: 'nope' }] }] }
    expect(await persist({ parentPath: '/Std', ...bad }, { parentPath: '/Std', tid: 'V' })).toMatchObject([
      { status: 'ERROR', description: expect.stringMatching(/@key: no attribute definition has the tid nope/) },
      { status: 'SUCCESS' },
    ])
    expect(await pathsBelow('/Std')).toEqual(['/Std/T', '/Std/T/T1', '/Std/T/T1/T2', '/Std/V'])
    expect(await api.db.rows(sql`select 1 from history where changes ->> 'path' like '/Std/U%'`)).toEqual([])
  })

  test('a root is identified by its classification, created again after its deletion, and never moves', async () => {
    expect(await persist({ classificationTid: 'Std', name: english('Top') })).toMatchObject([
      { action: 'update', path: '/Std' },
    ])
    await remove({ path: '/Std' })
    expect(await persist({ classificationTid: 'Std' })).toMatchObject([
      { status: 'SUCCESS', action: 'create', path: '/Std', tid: 'Std' },
    ])
    expect((await retrieve({ classificationTid: 'Std' }))[0].name).toEqual(english('Standard'))
  })

  test.each<[string, object, string, RegExp]>([
    [
      'a tid that its parent has',
      { parentPath: '/Std', tid: 'A' },
      '1005',
      /a node \/Std\/A exists already \(id \d+\); send its id or path/,
    ],
    ['an unknown parent', { parentPath: '/Std/Nope', tid: 'B' }, '1002', /no parent node has the path \/Std\/Nope/],
    ['an unknown parent id', { parentId: 1, tid: 'B' }, '1002', /no parent node has the id 1/],
    ['no tid', { parentPath: '/Std' }, '1001', /tid is missing/],
    ['a tid with a separator', { parentPath: '/Std', tid: 'a/b' }, '1001', /contains \//],
    ['no address', { tid: 'B' }, '1001', /no address; send parentPath or parentId/],
    [
      'an unknown path',
      { path: '/Std/Nope', name: english('x') },
      '1002',
      /no node has the path \/Std\/Nope; to create one/,
    ],
    ['an unknown id', { id: 1, name: english('x') }, '1002', /no node has the id 1/],
    [
      'an unknown classification',
      { classificationTid: 'Nope', tid: 'Nope' },
      '1002',
      /no classification has the tid Nope/,
    ],
    [
      'another tid for a root',
      { classificationTid: 'Std', tid: 'Root' },
      '1001',
      /has the same tid; send Std or no tid/,
    ],
    ['a move of a root', { path: '/Std', parentPath: '/Other' }, '1001', /the root node \/Std cannot be moved/],
    ['a move below itself', { path: '/Std/A', parentPath: '/Std/A/B' }, '1001', /cannot be moved below itself/],
    ['a rename to a brother', { path: '/Std/A', tid: 'C' }, '1005', /a node \/Std\/C exists already/],
    [
      'a name in no locale',
      { path: '/Std/A', name: { itm: [{ value: 'x', loc: 'en' }] } },
      '1001',
      /en is not a locale/,
    ],
    [
      'a path beyond the limit',
      {
        parentPath: '/Std',
        tid: 'ä'.repeat(255),
        node: [{ tid: 'ö'.repeat(255), node: [{ tid: 'ü'.repeat(255), node: [{ tid: 'é'.repeat(255) }] }] }],
      },
      '1001',
      /at most 2000 are allowed/,
    ],
  ])('refuses %s, and stores the next item', async (_, node, code, description) => {
    await persist(
      { parentPath: '/Std', tid: 'A' },
      { parentPath: '/Std/A', tid: 'B' },
      { parentPath: '/Std', tid: 'C' },
    )
    const records = await persist(node, { parentPath: '/Std', tid: 'Good' })
    expect(records).toMatchObject([
      {
        status: 'ERROR',
        dataType: 'node',
        description: expect.stringMatching(description),
        details: { itm: expect.arrayContaining([{ key: 'code', value: code }]) },
      },
      { status: 'SUCCESS' },
    ])
    expect(await pathsBelow('/Std')).toEqual(['/Std/A', '/Std/A/B', '/Std/C', '/Std/Good'])
  })

  test('costs the same few statements for one node and for a thousand', async () => {
    const cost = async (count: number) => {
      const before = api.statements.length
      await persist(...Array.from({ length: count }, (_, i) => ({ parentPath: '/Std', tid: `n${count}-${i}` })))
      return api.statements.length - before
    }
    expect(await cost(1000)).toBe(await cost(1))
  })

  test('of fifty clients that create the same node at once, one succeeds', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => persist({ parentPath: '/Std', tid: 'race' })))
    expect(all.flat().filter(({ status }) => status === 'SUCCESS')).toHaveLength(1)
    expect(await pathsBelow('/Std')).toEqual(['/Std/race'])
  })

  test('concurrent moves never create a cycle, and every path stays correct', async () => {
    const letters = [...'ABCDEF']
    await persist(...letters.map((tid) => ({ parentPath: '/Std', tid })))
    const ids = new Map<string, number>()
    for (const node of await retrieve({ path: '/Std', level: 1 })) ids.set(node.tid, node.id)
    const moves = Array.from({ length: 60 }, (_, i) => ({
      id: ids.get(letters[i % 6]!),
      parentId: ids.get(letters[(i * 5 + 1 + Math.floor(i / 6)) % 6]!),
    }))
    const all = (await Promise.all(moves.map((move) => persist(move)))).flat()
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['SUCCESS', 'ERROR']))
    const wrong = await api.db.rows(sql`
      with recursive tree as (
        select id, '/' || tid as path from node where parent_id is null
        union all select n.id, tree.path || '/' || n.tid from node n join tree on n.parent_id = tree.id
      ) select n.path from node n left join tree t on t.id = n.id where t.path is distinct from n.path`)
    expect(wrong).toEqual([])
    expect(await pathsBelow('/Std')).toHaveLength(6)
  })

  test('the history records what changed, once per changed node', async () => {
    const [{ id }] = await persist(
      { parentPath: '/Std', tid: 'A', name: english('One') },
      { parentPath: '/Std', tid: 'B' },
    )
    await persist({ id, name: english('Two') })
    await persist({ id, parentPath: '/Std/B' })
    await persist({ id, name: english('Two') })
    const history = await api.db.rows(
      sql`select action, changes, user_name from history where object_id = ${id} order by id`,
    )
    expect(history).toMatchObject([
      { action: 'create', user_name: 'ada', changes: { path: '/Std/A' } },
      { action: 'update', changes: { name: { from: { en_GB: 'One' }, to: { en_GB: 'Two' } } } },
      { action: 'move', changes: { path: { from: '/Std/A', to: '/Std/B/A' } } },
    ])
  })
})

describe('delete', () => {
  test('removes a node by id or path, with all nodes below and their attributes', async () => {
    await send('attribute-definitions/persist', {
      attrDefs: { attrDef: [{ tid: 'color', type: 'text', name: english('c') }] },
    })
    const [{ id }] = await persist(
      { parentPath: '/Std', tid: 'A', node: [{ tid: 'B', attr: [{ key: 'color' }] }] },
      { parentPath: '/Std', tid: 'C' },
    )
    expect(await remove({ id }, { path: '/Std/C' }, { path: '/Std/A/B' })).toMatchObject([
      { status: 'SUCCESS', action: 'delete', dataType: 'classNode', path: '/Std/A' },
      { status: 'SUCCESS' },
      { status: 'ERROR', description: expect.stringMatching(/deleted by an earlier action/) },
    ])
    expect(await pathsBelow('/Std')).toEqual([])
    expect(await api.db.rows(sql`select 1 from node_attribute`)).toEqual([])
    const history = await api.db.rows<{ data_type: string }>(
      sql`select data_type from history where action = 'delete' order by id desc limit 4`,
    )
    expect(history.map((row) => row.data_type).toSorted()).toEqual(['attribute', 'node', 'node', 'node'])
  })

  test('is refused while there are products, and with force deletes them too', async () => {
    await persist({ parentPath: '/Std', tid: 'A' }, { parentPath: '/Std/A', tid: 'B' })
    await addProduct('P1', '/Std/A/B')
    const [refused] = await remove({ path: '/Std/A' })
    expect(refused).toMatchObject({
      status: 'ERROR',
      description: expect.stringMatching(/the node \/Std\/A is in use by product P1 \(classified\).*force=true/),
    })
    expect(await remove({ path: '/Std/A', ...force })).toMatchObject([{ status: 'SUCCESS' }])
    expect(await api.db.rows(sql`select 1 from product`)).toEqual([])
  })

  test('refuses unknown nodes, actions without an address, and other data types', async () => {
    expect(await remove({ path: '/Std/Nope' }, { id: 1 }, {}, { dataType: 'product', path: '/Std' })).toMatchObject([
      { status: 'ERROR', description: expect.stringMatching(/no node has the path/) },
      { status: 'ERROR', description: expect.stringMatching(/no node has the id 1/) },
      { status: 'ERROR', description: expect.stringMatching(/give id or path/) },
      { status: 'ERROR', description: expect.stringMatching(/product is not handled here/) },
    ])
  })
})

describe('query and retrieve', () => {
  beforeEach(async () => {
    await send('attribute-definitions/persist', {
      attrDefs: { attrDef: ['color', 'size'].map((tid) => ({ tid, type: 'text', name: english(tid) })) },
    })
    await persist(
      { parentPath: '/Std', tid: 'A', attr: [{ key: 'color' }] },
      { parentPath: '/Std/A', tid: 'B', attr: [{ key: 'color' }] },
    )
    await addProduct('P1', '/Std/A/B')
  })
  const query = (request: object) => api.post(`${base}/query`, request, { token: api.adminToken })

  test('query finds nodes by product, definition or attribute, with level 1', async () => {
    const [a, b] = await retrieve({ path: '/Std', level: 2 })
    const product = (await api.db.row<{ id: number }>(sql`select id from product`))!.id
    const definition = (await api.db.row<{ id: number }>(sql`select id from attr_def where tid = 'color'`))!.id
    const attribute = (await api.db.row<{ id: number }>(sql`select id from node_attribute where node_id = ${b.id}`))!.id
    for (const [request, ids] of [
      [{ productTid: 'P1' }, [b.id]],
      [{ productId: product }, [b.id]],
      [{ attributeDefinitionTid: 'color' }, [a.id, b.id]],
      [{ attributeDefinitionId: definition }, [a.id, b.id]],
      [{ attributeId: attribute }, [b.id]],
      [{ attributeDefinitionTid: 'size' }, []],
      [{ productTid: 'nope' }, []],
    ] as const) {
      const reply = await query(request)
      expect(reply.status, reply.text).toBe(200)
      expect(reply.json).toEqual({ ids, level: 1 })
    }
  })

  test('retrieve accepts the reply of query', async () => {
    const { json } = await query({ attributeDefinitionTid: 'color' })
    expect((await retrieve(json)).map(({ path }: { path: string }) => path)).toEqual(['/Std/A', '/Std/A/B'])
  })

  test('retrieve returns the root of a classification, the descendants of a path to a depth, or nodes by id', async () => {
    const [root] = await retrieve({ classificationTid: 'Std' })
    expect(root).toEqual({
      name: english('Standard'),
      tid: 'Std',
      id: expect.any(Number),
      classificationTid: 'Std',
      path: '/Std',
    })
    const classificationId = (await api.db.row<{ id: number }>(sql`select id from classification where tid = 'Std'`))!
      .id
    expect(await retrieve({ classificationId: String(classificationId) })).toEqual([root])
    expect(await pathsBelow('/Std', 1)).toEqual(['/Std/A'])
    expect(await pathsBelow('Std', 2)).toEqual(['/Std/A', '/Std/A/B'])
    expect(await retrieve({ path: '/Std' })).toHaveLength(1)
    expect(await retrieve({ path: '/Nope', level: 1 })).toEqual([])
    expect(await retrieve({ ids: [root.id, 1] })).toEqual([root])
  })

  test.each<[string, string, object, RegExp]>([
    ['query', 'no criterion', {}, /names nothing; send exactly one of productTid/],
    ['query', 'two criteria', { productTid: 'P', attributeId: 1 }, /names productTid and attributeId/],
    ['retrieve', 'no selector', {}, /send exactly one of path/],
    ['retrieve', 'two selectors', { path: '/Std', ids: [1] }, /names path and ids/],
    ['retrieve', 'a level below 1', { path: '/Std', level: 0 }, /level: 0 is not a depth; expected 1 or more/],
  ])('%s with %s is 400', async (verb, _, request, message) => {
    const reply = await api.post(`${base}/${verb}`, request, { token: api.adminToken })
    expect(reply.status).toBe(400)
    expect(reply.text).toMatch(message)
  })

  test('retrieve and persist support the three formats', async () => {
    for (const type of ['application/xml', 'application/json', 'application/json+compact']) {
      const reply = await api.post(
        `${base}/retrieve`,
        { path: '/Std', level: 9 },
        { token: api.adminToken, accept: type },
      )
      expect(reply.status).toBe(200)
      const back = await api.post(`${base}/persist`, reply.text, {
        type,
        accept: 'application/json',
        token: api.adminToken,
      })
      expect(back.json.responses.response).toMatchObject([
        { status: 'SUCCESS', action: 'update' },
        { status: 'SUCCESS', action: 'update' },
      ])
    }
  })

  test.each([
    ['query', 401],
    ['perform', 401],
    ['retrieve', 403],
    ['persist', 403],
  ])('%s by a user who is not an administrator is %d, without a token 401', async (verb, status) => {
    expect((await api.post(`${base}/${verb}`, {})).status).toBe(status)
    expect((await api.post(`${base}/${verb}`, {}, { token: null })).status).toBe(401)
  })

  test.each(['query', 'retrieve', 'persist', 'perform', 'bulk'])(
    '%s refuses a message of another shape',
    async (verb) => {
      expect((await api.post(`${base}/${verb}`, { nonsense: 1 }, { token: api.adminToken })).status).toBe(400)
    },
  )
})

describe('bulk', () => {
  test('stores nodes in the order given, and deletes nodes', async () => {
    await api.startWorker()
    const finished = async (body: object) => {
      const reply = await api.post(`${base}/bulk`, { schemaVersion, ...body }, { token: api.adminToken })
      expect(reply.status, reply.text).toBe(200)
      const show = () => api.get(`${base}/bulk/${reply.text}`, { token: api.adminToken })
      await expect.poll(async () => (await show()).text, { timeout: 20_000, interval: 50 }).toContain('"finished"')
      return (await show()).json.responses.response
    }
    const node = [
      { parentPath: '/Std', tid: 'A' },
      { parentPath: '/Std/A', tid: 'B' },
    ]
    expect(await finished({ nodes: { node } })).toMatchObject([{ status: 'SUCCESS' }, { status: 'SUCCESS' }])
    const action = [{ dataType: 'classNode', type: 'delete', path: '/Std/A' }]
    expect(await finished({ actions: { action } })).toMatchObject([{ status: 'SUCCESS' }])
    expect(await pathsBelow('/Std')).toEqual([])
  })
})
