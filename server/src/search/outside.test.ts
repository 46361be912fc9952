/**
 * Documents name other objects: linked products, assets and channels, keywords, the objects of a process. A caller who
 * may not read such an object learns nothing of it: it is not returned, found by, counted, sorted by or suggested.
 */
import { cm, common } from '@kontor/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, jacket, productCalls, schemaVersion } from '../../test/catalogue.ts'
import { callsOf } from '../../test/channels.ts'
import { damCalls } from '../../test/dam.ts'
import { field, fullText, searchCalls } from '../../test/search.ts'
import { withServer } from '../../test/server.ts'

const api = withServer()
const { call, find, found, wait, refused } = searchCalls(api)
const products = productCalls(api)
const dam = damCalls(api)
const tokens = new Map<string, string>()
const as = (role: string) => ({ token: tokens.get(role)! })

const read = { kind: '*', actions: ['read'] }
const scopes = { node: ['/Standard/Jackets'], dir: ['/MAM/open'], channel: ['/OPEN'], keyword: ['/Sea', '/Land/Coast'] }
const roles: Record<string, object[]> = {
  narrow: [{ ...read, scopes }],
  /** May read products and assets, but no channel and no keyword. */
  bare: [
    { kind: 'product', actions: ['read'] },
    { kind: 'asset', actions: ['read'] },
  ],
  foreign: [{ ...read, visibleLocales: { except: ['de_DE'] } }],
  /** May not see the German names of keywords, but those of assets. */
  labeller: [
    { kind: 'asset', actions: ['read'] },
    { kind: 'keyword', actions: ['read'], visibleLocales: { except: ['de_DE'] } },
  ],
  whole: [read],
}

const link = async (kind: string, ...pairs: [object, object][]) => {
  const itms = pairs.map(([from, to]) => ({ type: '', itm: [from, to] }))
  const reply = await api.post(`${common.base}/links/persist`, {
    schemaVersion,
    links: { itms: [{ type: kind, itms }] },
  })
  expect(reply.text).not.toContain('ERROR')
}
const key = (name: string, value: string) => ({ key: name, value })
const tids: Record<string, string> = {}
const ids: Record<string, number> = {}

beforeAll(async () => {
  await createModel(api)
  const boots = { node: '/Standard/Boots' }
  const made = await products.persist(
    jacket('P-OPEN'),
    jacket('P-LONE'),
    jacket('P-PLAIN'),
    jacket('P-NEAR', { node: '/Standard/Jackets/Rain' }),
    jacket('P-SECRET', { ...boots, vals: { val: [{ attr: 'code', itm: [{ value: 'AB1' }] }] } }),
  )
  for (const { tid, id } of made) ids[tid!] = id
  const channels = await callsOf(api, cm, 'channels').persist(
    { tid: 'OPEN', name: 'Open', type: 'Webshop' },
    { tid: 'C-SECRET', name: 'Hidden', type: 'Webshop' },
  )
  await dam.createPath('/MAM/open')
  await dam.createPath('/MAM/secret')
  for (const { name, tid, id } of [
    ...(await dam.addAssets('/MAM/open', 'open.jpg', 'lone.jpg', 'plain.jpg')),
    ...(await dam.addAssets('/MAM/secret', 'secret.jpg')),
  ]) {
    tids[name] = tid
    ids[name] = id
  }
  const named = (value: string, german?: string) => ({
    name: { itm: [{ value }, ...(german ? [{ value: german, loc: 'de_DE' }] : [])] },
  })
  const kwd = [
    named('Sea', 'Meer'),
    named('Land'),
    { ...named('Coast', 'Strand'), parentPath: '/Land' },
    { ...named('Treasury', 'Schatzkammer'), parentPath: '/Land' },
  ]
  const keywords = await api.post(`${common.base}/keywords/persist`, { schemaVersion, kwds: { kwd } })
  expect(keywords.text).not.toContain('ERROR')
  for (const [role, grants] of Object.entries(roles)) {
    const options = { method: 'PUT', token: api.adminToken } as const
    const reply = await api.post(`/api/v1/identity/roles/${role}`, { grants }, options)
    expect(reply.status, reply.text).toBe(200)
    tokens.set(role, await api.tokenFor({ name: role, roles: [role] }))
  }

  const asset = (name: string) => key('assetTid', tids[name]!)
  const product = (tid: string) => key('productTid', tid)
  const target = (tid: string) => key('linkedProductTid', tid)
  const channel = (tid: string) => key('projectTid', tid)
  const keyword = (path: string) => key('keywordPath', path)
  await link(
    'assetToProduct',
    [asset('open.jpg'), product('P-OPEN')],
    [asset('secret.jpg'), product('P-OPEN')],
    [asset('secret.jpg'), product('P-LONE')],
    [asset('open.jpg'), product('P-SECRET')],
    [asset('lone.jpg'), product('P-SECRET')],
  )
  await link(
    'productToProduct',
    [product('P-OPEN'), target('P-NEAR')],
    [product('P-OPEN'), target('P-SECRET')],
    [product('P-LONE'), target('P-SECRET')],
  )
  await link(
    'productToProject',
    [product('P-OPEN'), channel('OPEN')],
    [product('P-OPEN'), channel('C-SECRET')],
    [product('P-LONE'), channel('C-SECRET')],
  )
  await link(
    'assetToProject',
    [asset('open.jpg'), channel('OPEN')],
    [asset('open.jpg'), channel('C-SECRET')],
    [asset('lone.jpg'), channel('C-SECRET')],
  )
  await link(
    'keywordToAsset',
    [keyword('/Sea'), asset('open.jpg')],
    [keyword('/Land/Coast'), asset('open.jpg')],
    [keyword('/Land/Treasury'), asset('open.jpg')],
    [keyword('/Land/Treasury'), asset('lone.jpg')],
  )
  const cleared = [['open.jpg', ['OPEN', 'C-SECRET']], ['lone.jpg', ['C-SECRET']]] as const // prettier-ignore
  const assets = cleared.map(([name, some]) => ({ tid: tids[name], usageRights: { channels: some } }))
  const rights = await api.post('/api/core/v1/dam/assets/persist', { schemaVersion, assets: { asset: assets } })
  expect(rights.text).not.toContain('ERROR')
  await wait('PRODUCT', ...made.map(({ id }) => id))
  await wait('CHANNEL', ...channels.map(({ id }) => id!))
  await wait('ASSET', ...['open.jpg', 'lone.jpg', 'plain.jpg', 'secret.jpg'].map((name) => ids[name]!))
})

/** Each field with an object that the narrow caller may read, and with one that is hidden. */
const linkFields = () =>
  [
    ['PRODUCT', 'assets', tids['open.jpg']!, tids['secret.jpg']!],
    ['PRODUCT', 'products', 'P-NEAR', 'P-SECRET'],
    ['PRODUCT', 'channels', 'OPEN', 'C-SECRET'],
    ['ASSET', 'products', 'P-OPEN', 'P-SECRET'],
    ['ASSET', 'channels', 'OPEN', 'C-SECRET'],
    ['ASSET', 'usageChannels', 'OPEN', 'C-SECRET'],
    ['ASSET', 'keywords', '/Sea', '/Land/Treasury'],
  ] as const
const linkNames = [
  'PRODUCT.assets',
  'PRODUCT.products',
  'PRODUCT.channels',
  'ASSET.products',
  'ASSET.channels',
  'ASSET.usageChannels',
]
const every = [...linkNames, 'ASSET.keywords']
const fieldOf = (title: string) => linkFields().find(([index, name]) => `${index}.${name}` === title)!
const openOf = { PRODUCT: 'P-OPEN', ASSET: 'open.jpg' }
const loneOf = { PRODUCT: 'P-LONE', ASSET: 'lone.jpg' }
const plainOf = { PRODUCT: ['P-NEAR', 'P-PLAIN'], ASSET: ['plain.jpg'] }
const namesFound = async (index: 'PRODUCT' | 'ASSET', query: object, role = 'narrow') =>
  (await found(index, query, {}, as(role), index === 'ASSET' ? 'name' : 'tid')).toSorted()

describe.each(every)('%s', (title) => {
  test('returns only objects that the caller may read', async () => {
    const [index, name, open, hidden] = fieldOf(title)
    const shown = async (role: string) =>
      JSON.stringify(await find(index, undefined, { resultAttributes: [name] }, as(role)))
    expect(await shown('whole')).toContain(hidden)
    expect(await shown('narrow')).toContain(open)
    expect(await shown('narrow')).not.toContain(hidden)
  })

  test('finds nothing by an object that the caller may not read', async () => {
    const [index, name, open, hidden] = fieldOf(title)
    const [both, lone, plain] = [openOf[index], loneOf[index], plainOf[index]]
    expect(await namesFound(index, field(name, 'EQ', hidden), 'whole')).toContain(lone)
    expect(await namesFound(index, field(name, 'EQ', hidden))).toEqual([])
    expect(await namesFound(index, field(name, 'IN', [hidden, open]))).toEqual([both])
    expect(await namesFound(index, field(name, 'NOT_EQ', hidden))).toEqual([both, lone, ...plain].toSorted())
    expect(await namesFound(index, field(name, 'NOT_IN', [hidden, open]))).toEqual([lone, ...plain].toSorted())
    expect(await namesFound(index, field(name, 'IS_NOT_EMPTY'))).toEqual([both])
    expect(await namesFound(index, field(name, 'IS_EMPTY'))).toEqual([lone, ...plain].toSorted())
  })

  test('counts only objects that the caller may read', async () => {
    const [index, name, open, hidden] = fieldOf(title)
    const counted = { aggregationEnabled: true, aggregationAttributes: [name], aggregateEmptyValueEnabled: true }
    const shown = await find(index, undefined, { ...counted, resultAttributes: ['id'] }, as('narrow'))
    const buckets = shown.facets[0].facets as { value?: string; count: number }[]
    expect(buckets).toContainEqual(expect.objectContaining({ value: open, count: 1 }))
    expect(JSON.stringify(shown)).not.toContain(hidden)
    expect(buckets.map(({ value }) => value)).not.toContain('/Land')
    expect(buckets.filter(({ value }) => value === undefined)).toEqual([])
  })

  test('cannot be sorted by, nor suggested from', async () => {
    const [index, name, , hidden] = fieldOf(title)
    const context = { searchType: 'INDEX', index }
    const refusal = expect.stringContaining(`your roles let you see ${name} of some objects`)
    expect(await refused({ context, sortOptions: [{ attribute: name }] }, as('narrow'))).toEqual([400, refusal])
    const typed = async (role: string) =>
      JSON.stringify(await call('/type-ahead', { index, name, text: hidden.slice(0, 5) }, as(role)))
    expect((await typed('whole')).toLowerCase()).toContain(hidden.split('/').at(-1)!.toLowerCase())
    expect((await typed('narrow')).toLowerCase()).not.toContain(hidden.split('/').at(-1)!.toLowerCase())
  })
})

test('comparators that look into a link see only objects that the caller may read', async () => {
  for (const title of linkNames) {
    const [index, name, , hidden] = fieldOf(title)
    expect(await namesFound(index, field(name, 'LIKE', hidden), 'whole')).toContain(loneOf[index])
    expect(await namesFound(index, field(name, 'LIKE', hidden))).toEqual([])
    expect(await namesFound(index, field(name, 'TERM_WILDCARD', `*${hidden.slice(1, 8)}*`))).not.toContain(
      loneOf[index],
    )
  }
})

describe('keywords', () => {
  test('above a subtree that the caller may read stand for that subtree alone', async () => {
    expect(await namesFound('ASSET', field('keywords', 'EQ', '/Land'), 'whole')).toEqual(['lone.jpg', 'open.jpg'])
    expect(await namesFound('ASSET', field('keywords', 'EQ', '/Land'))).toEqual(['open.jpg'])
  })

  test('that the caller may not read are not searched, highlighted or corrected to', async () => {
    expect(await namesFound('ASSET', fullText('treasury'), 'whole')).toEqual(['lone.jpg', 'open.jpg'])
    expect(await namesFound('ASSET', fullText('treasury'))).toEqual([])
    expect(await namesFound('ASSET', fullText('treasury'), 'bare')).toEqual([])
    const marked = await find('ASSET', { ...fullText('open land') }, {}, as('narrow'))
    expect(JSON.stringify(marked)).not.toMatch(/treasury|schatzkammer/i)
    for (const text of ['tresury', 'treas']) {
      for (const role of ['narrow', 'bare']) {
        expect(JSON.stringify(await call('/type-ahead', { index: 'ASSET', text }, as(role)))).not.toMatch(
          /treasury|schatzkammer/i,
        )
        expect(JSON.stringify(await call('/suggest', { index: 'ASSET', text }, as(role)))).not.toMatch(
          /treasury|schatzkammer/i,
        )
        expect(JSON.stringify(await find('ASSET', fullText(text), {}, as(role)))).not.toMatch(/treasury|schatzkammer/i)
      }
    }
  })

  test('are compared as a whole by a caller who may read some of them only', async () => {
    const context = { searchType: 'INDEX', index: 'ASSET' }
    for (const comparator of ['LIKE', 'NOT_LIKE', 'TERM_WILDCARD', 'GT']) {
      const query = field('keywords', comparator, '*treas*')
      const refusal = expect.stringContaining('/search/query/comparator: your roles let you see some keywords only')
      expect(await refused({ context, query }, as('narrow'))).toEqual([400, refusal])
    }
  })

  test('have no names in a hidden locale', async () => {
    for (const query of [field('keywords', 'LIKE', 'meer'), fullText('meer')]) {
      expect(await namesFound('ASSET', query, 'whole')).toEqual(['open.jpg'])
      expect(await namesFound('ASSET', query, 'foreign')).toEqual([])
      expect(await namesFound('ASSET', query, 'labeller')).toEqual([])
    }
  })
})

test('a caller who may read no channel and no keyword is shown none', async () => {
  const shown = await find('PRODUCT', undefined, { resultAttributes: ['channels', 'assets'] }, as('bare'))
  expect(JSON.stringify(shown)).toContain(tids['secret.jpg'])
  expect(JSON.stringify(shown)).not.toMatch(/OPEN|C-SECRET/)
  const facets = { aggregationEnabled: true, aggregationAttributes: ['keywords', 'channels'] }
  const assets = await find('ASSET', undefined, { resultAttributes: ['keywords', 'channels'], ...facets }, as('bare'))
  expect(JSON.stringify(assets)).not.toMatch(/Sea|Land|OPEN|C-SECRET/)
  expect(await namesFound('ASSET', field('keywords', 'IS_NOT_EMPTY'), 'bare')).toEqual([])
  expect(await namesFound('PRODUCT', field('channels', 'EQ', 'OPEN'), 'bare')).toEqual([])
})

test('a join does not lead over objects that the caller may not read', async () => {
  const join = (joinOn: string, query?: object) => ({ join: { joinOn, search: { ...(query && { query }) } } })
  expect(await found('PRODUCT', undefined, join('assets'), as('narrow'))).toEqual(['P-OPEN'])
  expect(await found('PRODUCT', undefined, join('products', field('tid', 'EQ', 'P-SECRET')), as('narrow'))).toEqual([])
  expect(await found('CHANNEL', field('products', 'EQ', 'P-SECRET'), {}, as('narrow'))).toEqual([])
  expect(await found('PRODUCT', field('places', 'EQ', 'C-SECRET'), {}, as('narrow'))).toEqual([])
})
