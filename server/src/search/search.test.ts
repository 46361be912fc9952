import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, productCalls } from '../../test/catalogue.ts'
import { all, any, field, fullText, searchCalls } from '../../test/search.ts'
import { withServer } from '../../test/server.ts'

const api = withServer()
const { call, find, found, wait, refused } = searchCalls(api)
const value = (attr: string, text: string, loc?: string) => ({ attr, itm: [{ value: text, ...(loc && { loc }) }] })

const products = [
  {
    tid: 'P1',
    name: 'Storm jacket',
    node: '/Standard/Jackets',
    vals: {
      val: [
        value('material', 'Nylon'),
        {
          attr: 'caption',
          itm: [
            { value: 'Eine wetterfeste Jacke', loc: 'de_DE' },
            { value: 'A weatherproof jacket', loc: 'en_GB' },
          ],
        },
        { attr: 'sizes', itm: [{ value: 'S' }, { value: 'M' }] },
        { attr: 'color', itm: [{ key: 'red' }] },
        value('weight', '500'),
        value('launch', '2024-05-01'),
        value('washable', 'true'),
      ],
    },
    articles: { article: [{ tid: 'A1', name: 'Storm jacket red', vals: { val: [value('weight', '510')] } }] },
  },
  {
    tid: 'P2',
    name: 'Rain jacket',
    node: '/Standard/Jackets/Rain',
    vals: { val: [{ attr: 'color', itm: [{ key: 'blue' }] }, value('weight', '300')] },
  },
  { tid: 'P3', name: 'Hiking boot', node: '/Standard/Boots', vals: { val: [value('code', 'AB1')] } },
]

beforeAll(async () => {
  await createModel(api)
  const records = await productCalls(api).persist(...products)
  expect(records.map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
  await wait('PRODUCT', ...records.map(({ id }) => id))
})

describe('a search', () => {
  test('without a query finds everything the caller may read', async () => {
    expect(await found('PRODUCT')).toEqual(['P1', 'A1', 'P2', 'P3'])
  })

  test('finds all words in any field and returns the total', async () => {
    const result = await find('PRODUCT', fullText('jacket storm'))
    expect(result).toMatchObject({ apiVersion: '1.0.0', totalHitCount: 2, exactHitCount: true, resultCount: 2 })
    expect(await found('PRODUCT', fullText('wetterfest'))).toEqual(['P1', 'A1'])
  })

  test('finds inherited values at articles', async () => {
    expect(await found('PRODUCT', field('material', 'EQ', 'nylon'))).toEqual(['P1', 'A1'])
    expect(await found('PRODUCT', field('weight', 'EQ', 510))).toEqual(['A1'])
  })

  test('reads products with one statement, with or without values, and the parents of articles with another', async () => {
    const readsFor = async (...query: Parameters<typeof found>) => {
      const before = api.statements.length
      await found(...query)
      return api.statements.slice(before).filter((text) => /from product|from pim_model|from link/.test(text)).length
    }
    expect(await readsFor('PRODUCT', field('itemType', 'EQ', 'product'))).toBe(1)
    expect(await readsFor('PRODUCT', fullText('boot'))).toBe(1)
    expect(await readsFor('PRODUCT')).toBe(2)
  })

  test('finds listed values by key and by label', async () => {
    expect(await found('PRODUCT', field('color', 'EQ', 'blue'))).toEqual(['P2'])
    expect(await found('PRODUCT', fullText('Blue'))).toEqual(['P2'])
  })

  test('corrects a typo when nothing else is found', async () => {
    const result = await find('PRODUCT', fullText('hikng'))
    expect(result.totalHitCount).toBe(1)
    expect(result.suggest).toEqual(['hiking'])
  })

  test.each([
    ['dates by whole days', field('launch', 'EQ', '2024-05-01'), ['P1', 'A1']],
    ['dates by months', field('launch', 'EQ', '2024-05'), ['P1', 'A1']],
    ['booleans', field('washable', 'EQ', true), ['P1', 'A1']],
    ['numbers', field('weight', 'LT', '500'), ['P2']],
    ['lists', field('tid', 'IN', ['P1', 'P3', 'none']), ['P1', 'P3']],
    ['paths with everything below', field('classificationPath', 'EQ', '/Standard/Jackets'), ['P1', 'P2', 'A1']],
    ['no value', field('weight', 'IS_EMPTY'), ['P3']],
    ['a combination', all(field('itemType', 'EQ', 'product'), any(fullText('boot'), fullText('rain'))), ['P2', 'P3']],
  ])('compares %s', async (_what, query, expected) => {
    expect((await found('PRODUCT', query)).sort()).toEqual([...expected].sort())
  })

  test('sorts by any field, pages, and returns the requested attributes', async () => {
    const sortOptions = [{ attribute: 'weight', direction: 'DESC' }]
    expect(await found('PRODUCT', undefined, { sortOptions })).toEqual(['A1', 'P1', 'P2', 'P3'])
    expect(await found('PRODUCT', undefined, { sortOptions, pageIndex: 1, pageSize: 3 })).toEqual(['P3'])
    const { items } = await find('PRODUCT', field('tid', 'EQ', 'P1'), {
      resultAttributes: ['name', 'caption', 'sizes', 'launch', 'weight', 'washable'],
      language: 'de_DE',
    })
    expect(items[0].attributes).toEqual([
      { name: 'name', label: 'Name', type: 'text', value: 'Storm jacket' },
      { name: 'caption', label: 'Caption', type: 'text', value: 'Eine wetterfeste Jacke' },
      { name: 'sizes', label: 'Sizes', type: 'text', value: ['S', 'M'] },
      { name: 'launch', label: 'Launch', type: 'date', value: '2024-05-01T00:00:00.000Z' },
      { name: 'weight', label: 'Weight', type: 'number', value: 500 },
      { name: 'washable', label: 'Washable', type: 'boolean', value: true },
    ])
  })

  test('highlights matches', async () => {
    const { items } = await find('PRODUCT', fullText('weatherproof'))
    expect(items[0].highlights).toEqual([{ name: 'caption', value: ['A <em>weatherproof</em> jacket'] }])
  })

  test('highlights in the searched language and returns all others', async () => {
    const german = { ...fullText('Jacke'), language: 'de_DE' }
    const caption = { de_DE: 'Eine wetterfeste Jacke', en_GB: 'A weatherproof jacket' }
    const highlights = [{ name: 'caption', value: ['Eine wetterfeste <em>Jacke</em>'] }]
    const marked = (more = {}) =>
      find('PRODUCT', { queryType: 'COMBINED', operator: 'AND', queries: [german, field('tid', 'EQ', 'P1')] }, more)
    expect((await marked()).items[0].highlights).toEqual(highlights)
    const [shown] = (await marked({ resultAttributes: ['caption'] })).items
    expect(shown).toMatchObject({ highlights, attributes: [{ name: 'caption', value: caption }] })
    const either = {
      queryType: 'COMBINED',
      operator: 'OR',
      queries: [german, field('caption', 'LIKE', 'weatherproof')],
    }
    const { items } = await find('PRODUCT', either)
    expect(items.find((item: { id: number }) => item.id === shown.id).highlights).toEqual([
      { name: 'caption', value: ['Eine wetterfeste <em>Jacke</em>', 'A <em>weatherproof</em> jacket'] },
    ])
  })

  test('limits the facet values of a field to the most frequent, over all levels together', async () => {
    const { facets } = await find('PRODUCT', field('itemType', 'EQ', 'product'), {
      aggregationEnabled: true,
      aggregationAttributes: ['classificationPath'],
      aggregationMaxResults: 2,
    })
    const [standard, ...others] = facets[0].facets
    expect([standard.value, others]).toEqual(['/Standard', []])
    expect(standard.children.map(({ value }: { value: string }) => value)).toEqual(['/Standard/Jackets'])
  })

  test('counts facets, nested by path, with labels', async () => {
    const { facets } = await find('PRODUCT', field('itemType', 'EQ', 'product'), {
      aggregationEnabled: true,
      aggregationAttributes: ['color', 'classificationPath', 'weight'],
      aggregateEmptyValueEnabled: true,
    })
    expect(facets[0]).toEqual({
      name: 'color',
      facets: [
        { facetType: 'NAMED', attribute: 'color', label: 'Blue', type: 'keyword', value: 'blue', count: 1 },
        { facetType: 'NAMED', attribute: 'color', label: 'Red', type: 'keyword', value: 'red', count: 1 },
        { facetType: 'NAMED', attribute: 'color', type: 'keyword', count: 1 },
      ],
    })
    const [standard] = facets[1].facets
    expect([standard.value, standard.count, standard.children.length]).toEqual(['/Standard', 3, 2])
    expect(facets[2].facets.every(({ facetType }: { facetType: string }) => facetType === 'RANGED')).toBe(true)
  })

  test.each([
    [{}, '/search/context/index: is missing'],
    [{ query: field('colour', 'EQ', 'x') }, '/search/query/name: index PRODUCT has no field colour'],
    [{ query: all(field('weight', 'EQ', 'heavy')) }, '/search/query/queries[1]/value: "heavy" is not a number'],
    [{ query: field('weight', 'EQ', [1]) }, 'use IN for a list'],
    [{ query: field('weight', 'GT') }, '/search/query/value: is missing'],
    [{ query: field('launch', 'EQ', '2024-13') }, 'is not a date'],
    [{ pageSize: 1001 }, '/search/pageSize: expected 0 to 1000'],
    [{ pageIndex: 500 }, 'raise maxResults'],
    [{ sortOptions: [{ attribute: 'nope' }] }, '/search/sortOptions[1]/attribute'],
    [
      { sortOptions: Array.from('seventeen of them', () => ({ attribute: 'tid' })) },
      '/search/sortOptions: at most 16 attributes',
    ],
    [{ aggregationEnabled: true, aggregationAttributes: ['nope'] }, '/search/aggregationAttributes[1]'],
    [{ language: 'klingon!' }, 'is not a locale'],
    [{ query: field('_scope', 'EQ', 'x') }, 'has no field _scope'],
    [{ join: { joinOn: 'color', search: {} } }, 'color is not a link'],
    [{ query: fullText('rain '.repeat(2001)) }, '/search/query: too much text; at most 10000 letters'],
    [{ query: any(...Array.from('abc', (each) => fullText(each.repeat(4000)))) }, '/search/query/queries[3]: too much'],
  ])('refuses %j with a reason', async (more: object, reason) => {
    const context = Object.keys(more).length > 0 ? { searchType: 'INDEX', index: 'PRODUCT' } : undefined
    const [status, message] = await refused({ context, ...more })
    expect([status, message]).toEqual([400, expect.stringContaining(reason)])
  })

  test('answers errors in the shape of the Search API', async () => {
    const reply = await api.post('/api/v1/search', { context: { index: 'NONE' } })
    expect(reply.json).toEqual({
      apiVersion: '1.0.0',
      status: 400,
      code: '1001',
      message: expect.stringContaining('/search/context/index'),
      supportId: expect.any(String),
    })
    expect((await api.get('/api/v1/search/nothing')).json).toMatchObject({ status: 404, code: '1002' })
  })
})

test('fields list their capabilities', async () => {
  const { fields } = await call('/fields', {
    index: 'PRODUCT',
    showAllowedOperators: true,
    fields: ['weight', 'caption', 'size_table'],
  })
  expect(fields).toMatchObject([
    { fieldName: 'caption', fieldType: 'text', multilingual: true, attrIdentifier: 'caption' },
    { fieldName: 'weight', label: 'Weight', fieldType: 'number', aggregatable: true, sortable: true },
    { fieldName: 'size_table', fieldType: 'table', nestedFields: [{ fieldName: 'size_table/width' }] },
  ])
  expect(fields[1].allowedOperators).toContain('GE')
  expect((await api.get('/api/v1/search/fields?index=ASSET&language=de_DE')).json.fields).toContainEqual(
    expect.objectContaining({ fieldName: 'fileSize', label: 'Größe' }),
  )
})

test('suggestions complete and correct the typed text', async () => {
  const answer = await call('/type-ahead', { index: 'PRODUCT', text: 'jack' })
  expect(answer.suggestions).toContain('jacket')
  expect((await call('/type-ahead', { index: 'PRODUCT', text: 'jackte' })).corrections).toContain('jacket')
  expect((await call('/suggest', { index: 'PRODUCT', text: 'hik' })).suggestions).toContain('hiking')
  for (const path of ['type-ahead', 'suggest']) {
    const refusal = await api.post(`/api/v1/search/${path}`, { index: 'PRODUCT', text: 'x'.repeat(1001) })
    expect([refusal.status, refusal.json.message]).toEqual([
      400,
      expect.stringContaining('is longer than 1000 letters'),
    ])
  }
})

test('of a long text, the last eight words decide what completes it', async () => {
  const name = 'Nine knots north by northwest past the lonely lighthouse'
  const records = await productCalls(api).persist({ ...products[1], tid: 'P4', name })
  await wait('PRODUCT', ...records.map(({ id }) => id))
  const complete = async (text: string) => (await call('/type-ahead', { index: 'PRODUCT', text })).suggestions ?? []
  expect(await complete('nine knots north by northwest past the lonely light')).toEqual([
    'nine knots north by northwest past the lonely lighthouse',
  ])
  expect(await complete('ten knots north by northwest past the lonely light')).toEqual([
    'ten knots north by northwest past the lonely lighthouse',
  ])
  expect(await complete('knots south by northwest past the lonely light')).toEqual([])
  expect(await complete(`${'a '.repeat(490)}light`)).toEqual([])
})
