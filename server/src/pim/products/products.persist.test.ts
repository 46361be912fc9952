import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, jacket, pim, productCalls, schemaVersion, simple, vals } from '../../../test/catalogue.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const api = withServer()
const { persist, retrieve } = productCalls(api)
beforeAll(() => createModel(api))
const statuses = (records: { status: string }[]) => records.map(({ status }) => status)
const valuesOf = (object: { vals?: { val: { attr: string }[] } }) =>
  Object.fromEntries((object.vals?.val ?? []).map((val) => [val.attr, val]))

describe('a product', () => {
  test('is created with name and node, and its record has tid, id and name', async () => {
    const [record] = await persist(jacket('P1'))
    expect(record).toMatchObject({ status: 'SUCCESS', action: 'persist', dataType: 'product', tid: 'P1' })
    expect(record!.details).toEqual({
      itm: [
        { value: 'P1', key: 'tid' },
        { value: String(record!.id), key: 'id' },
        { value: 'Jacket P1', key: 'name' },
      ],
    })
  })

  test('gets a tid of its own when none is sent', async () => {
    const [record] = await persist({ name: 'No tid', node: '/Standard/Jackets' })
    expect(record!.tid).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('needs a known node, and a name that is unique in that node', async () => {
    await persist(jacket('Taken'))
    const records = await persist(
      { tid: 'x1', node: '/Standard/Jackets' },
      { tid: 'x2', name: 'No node' },
      { tid: 'x3', name: 'Bad node', node: '/Standard/Nowhere' },
      { tid: 'x4', name: 'Jacket Taken', node: '/Standard/Jackets' },
      { tid: 'x5', name: 'Jacket Taken', node: '/Standard/Jackets/Rain' },
    )
    expect(statuses(records)).toEqual(['ERROR', 'ERROR', 'ERROR', 'ERROR', 'SUCCESS'])
    expect(records.map(({ description }) => description).slice(0, 4)).toEqual([
      'no product has the tid x1, and a new product needs name',
      'no product has the tid x2, and a new product needs node',
      'no node has the path /Standard/Nowhere',
      'the name Jacket Taken is taken by another product of the node',
    ])
  })

  test('is found by its tid, however that is written', async () => {
    const [made] = await persist(jacket('Größe'))
    const [record] = await persist({ tid: ` ${'Größe'.normalize('NFD')} `, name: 'Renamed size' })
    expect(record).toMatchObject({ status: 'SUCCESS', id: made!.id })
  })

  test('is renamed and reclassified; its old name is free again', async () => {
    await persist(jacket('R1'))
    await persist({ tid: 'R1', name: 'Renamed', node: '/Standard/Jackets/Rain' })
    expect((await retrieve('R1'))[0]).toMatchObject({
      name: 'Renamed',
      node: '/Standard/Jackets/Rain',
      clazz: 'Standard',
    })
    expect(statuses(await persist({ tid: 'R2', name: 'Jacket R1', node: '/Standard/Jackets' }))).toEqual(['SUCCESS'])
  })

  test('created by 50 clients under one name exists once', async () => {
    const records = await Promise.all(
      Array.from({ length: 50 }, (_, i) => persist({ tid: `race-${i}`, name: 'Contested', node: '/Standard/Jackets' })),
    )
    expect(statuses(records.flat()).filter((status) => status === 'SUCCESS')).toHaveLength(1)
  })
})

describe('articles and variations', () => {
  test('are created, renamed and given values at every level in one message', async () => {
    const variant = [{ tid: 'V1', name: 'Small', ...vals(simple('material', 'wool')) }, { name: 'Large' }]
    const article = [{ tid: 'A1', name: 'Red one', variants: { variant }, ...vals(simple('material', 'cotton')) }]
    await persist(jacket('T1', { ...vals(simple('material', 'linen')), articles: { article } }))
    await persist({
      tid: 'T1',
      articles: { article: [{ tid: 'A1', variants: { variant: [{ tid: 'V1', name: 'Tiny' }] } }] },
    })
    const [product] = await retrieve('T1')
    const [article1] = product.articles.article
    expect(article1).toMatchObject({ tid: 'A1', name: 'Red one' })
    expect(article1.variants.variant.map(({ name }: { name: string }) => name)).toEqual(['Tiny', 'Large'])
    expect(valuesOf(product)['material']).toMatchObject({ itm: [{ value: 'linen' }] })
    expect(valuesOf(article1.variants.variant[0])['material']).toMatchObject({ itm: [{ value: 'wool' }] })
    expect(valuesOf(article1.variants.variant[1])['material']).toMatchObject({
      itm: [{ value: 'cotton' }],
      inheritance: 'inherited',
      origin: 'article',
    })
  })

  test('have unique names within their parent; one bad part refuses the whole product', async () => {
    const twins = { articles: { article: [{ name: 'Twin' }, { name: 'Twin' }] } }
    const [record] = await persist(jacket('Twins', twins))
    expect(record).toMatchObject({
      status: 'ERROR',
      description: 'the name Twin is taken by another article of the product',
    })
    expect((await api.post(`${pim}/products/retrieve`, { tids: ['Twins'] })).status).toBe(404)
  })

  test('cannot be taken over by another product', async () => {
    await persist(jacket('Own1', { articles: { article: [{ tid: 'owned', name: 'a' }] } }), jacket('Own2'))
    const [record] = await persist({ tid: 'Own2', articles: { article: [{ tid: 'owned', name: 'b' }] } })
    expect(record!.description).toBe('the article with the tid owned belongs to another product')
  })
})

// prettier-ignore
const kinds: [string, object][] = [
  ['simple', { attr: 'material', itm: [{ value: 'wool & linen <1>' }] }],
  ['localized', { attr: 'caption', type: 'localized', itm: [{ value: 'Mantel', loc: 'de_DE' }, { value: 'Coat', loc: 'en_GB' }] }],
  ['multiple', { attr: 'sizes', type: 'multiple', itm: [{ value: 'S', pos: 0 }, { value: 'M', pos: 1 }] }],
  ['multi_loc', { attr: 'notes', type: 'multi_loc', i18N: [{ loc: 'en_GB', itm: [{ value: 'a', pos: 0 }] }] }],
  ['domain', { attr: 'color', type: 'domain', itm: [{ value: 'Red', key: 'red' }] }],
  ['number', { attr: 'weight', dataType: 'number', itm: [{ value: '12.5' }] }],
  ['date', { attr: 'launch', dataType: 'date', itm: [{ value: '2024-03-05T08:00:00.000Z' }] }],
  ['boolean', { attr: 'washable', dataType: 'boolean', itm: [{ value: 'true' }] }],
  ['a column of a table', { attr: 'width', parent: 'size_table', type: 'multiple', dataType: 'number', itm: [{ value: '10', pos: 0 }, { value: '12', pos: 1 }] }],
]

describe('values', () => {
  test.each(kinds)('of the kind %s come back as they were sent', async (kind, val) => {
    const [record] = await persist(jacket(`K-${kind}`, vals(val)))
    expect(record!.description).toBe('product stored')
    expect((await retrieve(`K-${kind}`))[0].vals.val).toEqual([val])
  })

  test('that are not sent stay; an empty value clears its attribute, an empty locale clears that locale', async () => {
    const [localized] = [kinds[1]![1]]
    await persist(jacket('Keep', vals(simple('material', 'wool'), simple('weight', '3'), localized)))
    await persist({
      tid: 'Keep',
      ...vals({ attr: 'weight' }, { attr: 'caption', type: 'localized', itm: [{ loc: 'de_DE' }] }),
    })
    const kept = valuesOf((await retrieve('Keep'))[0])
    expect(Object.keys(kept).toSorted()).toEqual(['caption', 'material'])
    expect(kept['caption']).toMatchObject({ itm: [{ value: 'Coat', loc: 'en_GB' }] })
  })

  test.each([
    ['an attribute that is not defined', simple('unheard', 'x'), /unheard.*has no definition/],
    ['an invalid number', simple('weight', 'heavy'), /weight/],
    ['a number out of range', simple('weight', '1001'), /weight/],
    ['an invalid date', simple('launch', 'tomorrow'), /launch/],
    ['an invalid boolean', simple('washable', 'maybe'), /washable/],
    ['a value outside the domain', { attr: 'color', type: 'domain', itm: [{ key: 'green' }] }, /color/],
    [
      'too many values',
      { attr: 'sizes', type: 'multiple', itm: [0, 1, 2, 3].map((pos) => ({ value: `${pos}`, pos })) },
      /sizes/,
    ],
    ['a text that does not match', simple('code', 'nope'), /code/],
    ['a text that is too long', simple('code', 'AB123456'), /code/],
    ['an invalid locale', { attr: 'caption', type: 'localized', itm: [{ value: 'x', loc: 'english' }] }, /caption/],
    ['a value that the node makes read-only', simple('frozen', 'x'), /frozen.*READONLY/],
  ])('refuse %s, and name the attribute and why', async (_what, val, message) => {
    const records = await persist(jacket('Bad', vals(val)), jacket(`Neighbour of ${JSON.stringify(val)}`.slice(0, 60)))
    expect(statuses(records)).toEqual(['ERROR', 'SUCCESS'])
    expect(records[0]!.description).toMatch(message)
    expect((await api.post(`${pim}/products/retrieve`, { tids: ['Bad'] })).status).toBe(404)
  })

  test('that the node requires must be sent', async () => {
    const boots = { tid: 'B1', name: 'Boots', node: '/Standard/Boots' }
    const records = await persist(boots, { ...boots, ...vals(simple('code', 'AB12')) })
    expect(statuses(records)).toEqual(['ERROR', 'SUCCESS'])
    expect(records[0]!.description).toBe('attribute code: has no value, but is mandatory at the node /Standard/Boots')
  })

  test('leave a history by attribute and locale', async () => {
    await persist(jacket('H1', vals({ attr: 'caption', itm: [{ value: 'a', loc: 'en_GB' }] })))
    const [{ id }] = (await persist({
      tid: 'H1',
      ...vals({ attr: 'caption', itm: [{ value: 'b', loc: 'en_GB' }] }),
    })) as unknown as [{ id: number }]
    const history = await api.db.rows<{ action: string; changes: object }>(
      sql`select action, changes from history where object_id = ${id} order by id`,
    )
    expect(history.map(({ action }) => action)).toEqual(['create', 'update'])
    expect(JSON.stringify(history[1]!.changes)).toContain('caption')
    expect(JSON.stringify(history[1]!.changes)).toContain('en_GB')
    await persist({ tid: 'H1', ...vals({ attr: 'caption', itm: [{ value: 'b', loc: 'en_GB' }] }) })
    const after = await api.db.rows(sql`select 1 as one from history where object_id = ${id}`)
    expect(after).toHaveLength(2)
  })
})

test.each([
  [
    'xml',
    'application/xml',
    '<pim xmlns="http://www.apollon.de/omn" schemaVersion="5.6.0"><products><product tid="F-xml" node="/Standard/Jackets"><name>F xml</name><vals><val attr="material"><itm>wool</itm></val></vals></product></products></pim>',
  ],
  [
    'compact',
    'application/json+compact',
    JSON.stringify({
      schemaVersion,
      products: [{ tid: 'F-compact', name: 'F compact', node: '/Standard/Jackets', vals: { material: 'wool' } }],
    }),
  ],
])('a product is sent in %s and returned in the same format', async (name, type, body) => {
  const stored = await api.post(`${pim}/products/persist`, body, { type })
  expect(stored.status, stored.text).toBe(200)
  const reply = await api.post(`${pim}/products/retrieve`, { tids: [`F-${name}`] }, { accept: type })
  expect(reply.headers['content-type']).toContain(type)
  expect(reply.text).toMatch(
    name === 'xml' ? /<val attr="material"><itm>wool<\/itm><\/val>/ : /"vals":\{"material":"wool"\}/,
  )
})

test('a reply can be sent back unchanged, and changes nothing', async () => {
  const all = vals(...kinds.map(([, val]) => val))
  await persist(
    jacket('Back', {
      ...all,
      articles: { article: [{ tid: 'BackA', name: 'a', variants: { variant: [{ tid: 'BackV', name: 'v' }] } }] },
    }),
  )
  const before = await api.db.rows(sql`select 1 as one from history`)
  for (const type of ['application/xml', 'application/json', 'application/json+compact']) {
    const { text } = await api.post(`${pim}/products/retrieve`, { tids: ['Back'] }, { accept: type })
    const reply = await api.post(`${pim}/products/persist`, text, { type, accept: 'application/json' })
    expect(statuses(reply.json.responses.response)).toEqual(['SUCCESS'])
  }
  expect(await api.db.rows(sql`select 1 as one from history`)).toHaveLength(before.length)
})

test('a batch of 500 products costs as many statements as one of 5', async () => {
  const count = async (name: string, size: number) => {
    const before = api.statements.length
    await persist(...Array.from({ length: size }, (_, i) => jacket(`${name}-${i}`, vals(simple('material', `m${i}`)))))
    return api.statements.length - before
  }
  await count('warm', 2)
  expect(await count('many', 500)).toBe(await count('few', 5))
})

test('bad shape, no items and no token are refused as a whole', async () => {
  const send = (body: object, token?: null) =>
    api.post(`${pim}/products/persist`, body, { ...(token === null && { token }) })
  expect((await send({ schemaVersion, products: { product: [{ nome: 'x' }] } })).text).toContain(
    '/pim/products/product[1]/nome',
  )
  expect((await send({ schemaVersion, products: {} })).status).toBe(400)
  expect((await send({ schemaVersion, products: { product: [jacket('x')] } }, null)).status).toBe(401)
})
