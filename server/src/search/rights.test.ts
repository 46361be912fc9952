/** Nothing that a caller may not see is found, counted, suggested, marked or shown: neither objects nor attributes. */
import { cm } from '@kontor/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, jacket, pim, productCalls, schemaVersion, simple, vals } from '../../test/catalogue.ts'
import { callsOf } from '../../test/channels.ts'
import { field, fullText, searchCalls } from '../../test/search.ts'
import { withServer } from '../../test/server.ts'

const api = withServer()
const { call, find, found, wait, refused } = searchCalls(api)
const tokens = new Map<string, string>()
const as = (role: string) => ({ token: tokens.get(role)! })

const read = { kind: '*', actions: ['read'] }
const roles: Record<string, object[]> = {
  rain: [{ ...read, scopes: { node: ['/Standard/Jackets/Rain'] } }],
  // A neighbour whose path differs in case only, and one that begins alike.
  shout: [{ ...read, scopes: { node: ['/standard/jackets/rain'] } }],
  beginning: [{ ...read, scopes: { node: ['/Standard/Jackets/R'] } }],
  buyer: [{ ...read, visibleAttributes: { except: ['code', 'color'] } }],
  german: [{ ...read, visibleLocales: { only: ['de_DE'] } }],
  foreign: [{ ...read, visibleLocales: { except: ['en_GB'] } }],
  mixed: [
    { ...read, scopes: { node: ['/Standard/Jackets/Rain'] } },
    { ...read, scopes: { node: ['/Standard/Jackets'] }, visibleAttributes: { except: ['code'] } },
  ],
  // One sees captions in English, the other all else in German.
  crossed: [
    { ...read, visibleAttributes: { only: ['caption'] }, visibleLocales: { only: ['en_GB'] } },
    { ...read, visibleAttributes: { except: ['caption'] }, visibleLocales: { only: ['de_DE'] } },
  ],
  tailor: [{ ...read, visibleAttributes: { except: ['width'] } }],
  seller: [
    { kind: 'product', actions: ['read'] },
    { kind: 'project', actions: ['read'], visibleAttributes: { except: ['material'] } },
  ],
  glossaries: [{ kind: 'glossary', actions: ['read'] }],
}
const caption = {
  attr: 'caption',
  itm: [
    { value: 'coat', loc: 'en_GB' },
    { value: 'Mantel', loc: 'de_DE' },
  ],
}

beforeAll(async () => {
  await createModel(api)
  const name = { itm: [{ value: 'Neighbour', loc: 'en_GB' }] }
  const admin = { token: api.adminToken }
  const clazz = [{ tid: 'standard', name }]
  await api.post(`${pim}/classes/persist`, { schemaVersion, classes: { clazz } }, admin)
  const node = [
    { parentPath: '/standard', tid: 'jackets', name },
    { parentPath: '/standard/jackets', tid: 'rain', name },
    { parentPath: '/Standard/Jackets', tid: 'R', name },
  ]
  await api.post(`${pim}/nodes/persist`, { schemaVersion, nodes: { node } }, admin)
  for (const [role, grants] of Object.entries(roles)) {
    const options = { method: 'PUT', token: api.adminToken } as const
    const reply = await api.post(`/api/v1/identity/roles/${role}`, { grants }, options)
    expect(reply.status, reply.text).toBe(200)
    tokens.set(role, await api.tokenFor({ name: role, roles: [role] }))
  }
  const records = await productCalls(api).persist(
    jacket(
      'Dry',
      vals(simple('material', 'wool'), simple('code', 'AB1'), { attr: 'color', itm: [{ key: 'red' }] }, caption),
    ),
    jacket('Wet', { node: '/Standard/Jackets/Rain', ...vals(simple('code', 'CD2')) }),
  )
  await wait('PRODUCT', ...records.map(({ id }) => id))
})

describe('a subtree', () => {
  test('limits hits and counts', async () => {
    const more = { aggregationEnabled: true, aggregationAttributes: ['classificationPath', 'color'] }
    const result = await find('PRODUCT', undefined, more, as('rain'))
    expect(result.totalHitCount).toBe(1)
    expect(JSON.stringify(result)).not.toMatch(/Dry|red/)
    expect(await found('PRODUCT', fullText('wool'), {}, as('rain'))).toEqual([])
  })

  test('is not mistaken for another of a similar name', async () => {
    expect(await found('PRODUCT', undefined, {}, as('shout'))).toEqual([])
    expect(await found('PRODUCT', undefined, {}, as('beginning'))).toEqual([])
  })

  test('limits suggestions and corrections', async () => {
    const typed = async (text: string, role: string) =>
      JSON.stringify(await call('/type-ahead', { index: 'PRODUCT', text }, as(role)))
    expect(await typed('woo', 'mixed')).toContain('wool')
    expect(await typed('woo', 'rain')).not.toContain('wool')
    expect(await typed('wolo', 'rain')).not.toContain('wool')
  })
})

describe('a hidden attribute', () => {
  test('is not a field: queries, sorting and facets reject it', async () => {
    const context = { searchType: 'INDEX', index: 'PRODUCT' }
    const asked = [
      { query: field('code', 'EQ', 'AB1') },
      { sortOptions: [{ attribute: 'code' }] },
      { aggregationEnabled: true, aggregationAttributes: ['code'] },
    ]
    for (const more of asked) {
      expect(await refused({ context, ...more }, as('buyer'))).toEqual([400, expect.stringContaining('no field code')])
    }
    const { fields } = await call('/fields', { index: 'PRODUCT' }, as('buyer'))
    expect(fields.map(({ fieldName }: { fieldName: string }) => fieldName)).not.toContain('code')
  })

  test('is not searched, suggested or returned, nor are its labels', async () => {
    expect(await found('PRODUCT', fullText('AB1'))).toEqual(['Dry'])
    expect(await found('PRODUCT', fullText('AB1'), {}, as('buyer'))).toEqual([])
    expect(await found('PRODUCT', fullText('Red'))).toEqual(['Dry'])
    expect(await found('PRODUCT', fullText('Red'), {}, as('buyer'))).toEqual([])
    expect(await found('PRODUCT', fullText('wool'), {}, as('buyer'))).toEqual(['Dry'])
    const shown = await find('PRODUCT', undefined, { resultAttributes: ['tid', 'code', 'material'] }, as('buyer'))
    expect(JSON.stringify(shown)).toContain('wool')
    expect(JSON.stringify(shown)).not.toContain('AB1')
    expect(JSON.stringify(await call('/type-ahead', { index: 'PRODUCT', text: 'ab' }, as('buyer')))).not.toContain(
      'ab1',
    )
  })

  test('in one subtree and visible in another counts where it is visible, and is empty elsewhere', async () => {
    expect(await found('PRODUCT', field('code', 'EQ', 'CD2'), {}, as('mixed'))).toEqual(['Wet'])
    expect(await found('PRODUCT', field('code', 'EQ', 'AB1'), {}, as('mixed'))).toEqual([])
    expect(await found('PRODUCT', field('code', 'IS_EMPTY'), {}, as('mixed'))).toEqual(['Dry'])
    expect(await found('PRODUCT', field('code', 'NOT_EQ', 'CD2'), {}, as('mixed'))).toEqual(['Dry'])
    expect(await found('PRODUCT', fullText('CD2'), {}, as('mixed'))).toEqual(['Wet'])
    expect(await found('PRODUCT', fullText('AB1'), {}, as('mixed'))).toEqual([])
    const { facets } = await find(
      'PRODUCT',
      undefined,
      { aggregationEnabled: true, aggregationAttributes: ['code'] },
      as('mixed'),
    )
    expect(facets[0].facets.map(({ value }: { value: string }) => value)).toEqual(['CD2'])
  })
})

test('a hidden locale is neither searched nor returned', async () => {
  expect(await found('PRODUCT', fullText('Mantel'), {}, as('german'))).toEqual(['Dry'])
  expect(await found('PRODUCT', fullText('coat'), {}, as('german'))).toEqual([])
  expect(await found('PRODUCT', field('caption', 'EQ', 'coat'), {}, as('german'))).toEqual([])
  const { items } = await find('PRODUCT', field('tid', 'EQ', 'Dry'), { resultAttributes: ['caption'] }, as('german'))
  expect(items[0].attributes[0].value).toEqual({ de_DE: 'Mantel' })
})

test('the attributes of one grant do not open the locales of another', async () => {
  const shown = await find('PRODUCT', fullText('coat'), { resultAttributes: ['caption'] }, as('crossed'))
  expect(JSON.stringify(shown.items)).toContain('coat')
  expect(JSON.stringify(shown.items)).not.toContain('Mantel')
  expect(await found('PRODUCT', fullText('Mantel'), {}, as('crossed'))).toEqual([])
})

test('a column of a table is hidden with its attribute', async () => {
  const named = async (role: string) => JSON.stringify((await call('/fields', { index: 'PRODUCT' }, as(role))).fields)
  expect(await named('german')).toContain('size_table/width')
  expect(await named('tailor')).not.toContain('width')
})

describe('a hidden locale that is requested by another name', () => {
  const counted = { aggregationEnabled: true, aggregationAttributes: ['caption'] }
  const sorted = { sortOptions: [{ attribute: 'caption' }] }

  // en, en_NZ and a language that nobody speaks all come to en_GB.
  test.each(['en', 'en_NZ', 'xx'])('%s is not searched and not counted', async (language) => {
    const more = { language, ...counted }
    expect(await found('PRODUCT', field('caption', 'EQ', 'coat'), { language })).toEqual(['Dry'])
    expect(await found('PRODUCT', field('caption', 'EQ', 'coat'), { language }, as('foreign'))).toEqual([])
    expect(await found('PRODUCT', fullText('coat'), { language }, as('foreign'))).toEqual([])
    expect(JSON.stringify(await find('PRODUCT', undefined, more))).toContain('coat')
    expect(JSON.stringify(await find('PRODUCT', undefined, more, as('foreign')))).not.toContain('coat')
  })

  test.each([{}, { language: 'en' }])('nothing is sorted by, nor counted where none is named: %o', async (named) => {
    const context = { searchType: 'INDEX', index: 'PRODUCT' }
    for (const role of ['german', 'foreign']) {
      const refusal = expect.stringContaining('see caption of some objects')
      expect(await refused({ context, ...named, ...sorted }, as(role))).toEqual([400, refusal])
      expect(JSON.stringify(await find('PRODUCT', undefined, { ...named, ...counted }, as(role)))).not.toContain('coat')
    }
  })

  test('a visible one is found by its language alone', async () => {
    const german = { language: 'de', ...counted, ...sorted }
    expect(await found('PRODUCT', field('caption', 'EQ', 'mantel'), german, as('german'))).toEqual(['Dry'])
    expect(await found('PRODUCT', fullText('Mantel'), german, as('german'))).toEqual(['Dry'])
    expect(JSON.stringify(await find('PRODUCT', undefined, german, as('german')))).toContain('Mantel')
  })
})

test('an attribute that is hidden in one index of several is not counted or sorted by with the others', async () => {
  const name = { itm: [{ value: 'Material', loc: 'en_GB' }] }
  const attrDefs = { attrDef: [{ tid: 'material', type: 'text', name }] }
  await callsOf(api, cm, 'admin/channel-types', 'json', { token: api.adminToken }).persist({ tid: 'Stand', attrDefs })
  const [made] = await callsOf(api, cm, 'channels').persist({
    tid: 'fair',
    type: 'Stand',
    name: 'Fair',
    ...vals(simple('material', 'marble')),
  })
  await wait('CHANNEL', Number(made!.id))
  const counted = { aggregationEnabled: true, aggregationAttributes: ['material'] }
  expect(JSON.stringify((await find('GLOBAL', undefined, counted)).facets)).toMatch(/marble.*wool|wool.*marble/)
  expect(JSON.stringify((await find('PRODUCT', undefined, counted, as('seller'))).facets)).toContain('wool')
  const context = { searchType: 'INDEX', index: 'GLOBAL' }
  for (const more of [counted, { sortOptions: [{ attribute: 'material' }] }]) {
    const refusal = expect.stringContaining('see material of some objects')
    expect(await refused({ context, ...more }, as('seller'))).toEqual([400, refusal])
  }
  expect(JSON.stringify(await find('GLOBAL', undefined, { aggregationEnabled: true }, as('seller')))).not.toContain(
    'marble',
  )
})

test('names of users and roles are not treated as paths', async () => {
  const [above, below] = await Promise.all(
    ['/sales', '/sales/north'].map((name) => api.tokenFor({ name, roles: ['glossaries'] })),
  )
  const { added } = await call('/history', { text: 'a secret plan' }, { token: below! })
  await call('/documents/wait', { index: 'HISTORY', documents: [added.id], maxWait: 120_000 }, { token: below! })
  expect(await found('HISTORY', undefined, {}, { token: below! }, 'text')).toEqual(['a secret plan'])
  expect(await found('HISTORY', undefined, {}, { token: above! }, 'text')).toEqual([])
})

test('a caller who may not read products finds none', async () => {
  const result = await find('PRODUCT', undefined, { aggregationEnabled: true }, as('glossaries'))
  expect([result.totalHitCount, result.items]).toEqual([0, undefined])
  expect(await found('GLOBAL', undefined, {}, as('glossaries'))).toEqual([])
})
