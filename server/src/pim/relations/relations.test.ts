/** Relations between products, articles and variations: types, rules, both ends, rights, search, export and import. */
import { Pim } from '@kontor/contract'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createModel, jacket, pim, productCalls, schemaVersion, simple, vals } from '../../../test/catalogue.ts'
import { formatNames, postIn } from '../../../test/common.ts'
import { field, searchCalls } from '../../../test/search.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const { persist, retrieve, perform } = productCalls(api)
const { found, wait, call } = searchCalls(api)
let narrow: string

interface Relation {
  type?: string
  direction: string
  own: { tid: string; itemType: string }
  other: { tid: string; itemType: string; productTid?: string; name: string }
  pos?: number
  quantity?: string
}

const below = (tid: string) => ({
  articles: { article: [{ tid: `${tid}-A`, name: 'a', variants: { variant: [{ tid: `${tid}-V`, name: 'v' }] } }] },
})
const group = (type: string, ends: Record<string, string>, more: { pos?: number; quantity?: string } = {}) => ({
  type: 'productToProduct',
  itms: [
    {
      type,
      itm: [
        ...Object.entries(ends).map(([key, value]) => ({
          key,
          value,
          ...(key.startsWith('target') && more.pos !== undefined && { pos: more.pos }),
        })),
        ...(more.quantity === undefined ? [] : [{ key: 'quantity', value: more.quantity }]),
      ],
    },
  ],
})
const relate = async (...itms: object[]) => {
  const reply = await api.post(`${pim}/products/links/persist`, { schemaVersion, links: { itms } })
  expect(reply.status, reply.text).toBe(200)
  return reply.json.responses.response as { status: string; description: string }[]
}
const to = (sourceProductTid: string, targetProductTid: string) => ({ sourceProductTid, targetProductTid })
const relationsOf = async (body: object, token = api.token): Promise<Relation[]> =>
  (await api.post(`${pim}/products/relations`, body, { token })).json.relations ?? []
const shown = (relations: readonly Relation[]) =>
  relations.map(({ type, direction, own, other, quantity }) =>
    [own.tid, direction, type, other.tid, ...(quantity === undefined ? [] : [quantity])].join(' '),
  )
const typeAt = (tid: string) => `${pim}/relation-types/${tid}`
const put = (tid: string, body: object, token = api.adminToken) => api.post(typeAt(tid), body, { method: 'PUT', token })
const remove = (tid: string) => api.post(typeAt(tid), undefined, { method: 'DELETE', token: api.adminToken })
const named = (value: string, loc = 'en_GB') => ({ itm: [{ value, loc }] })

beforeAll(async () => {
  await createModel(api)
  const boots = { node: '/Standard/Boots', ...vals(simple('code', 'AB1')) }
  await persist(jacket('SET', below('SET')), jacket('CUP', below('CUP')), jacket('POT'), jacket('LID', { ...boots, ...below('LID') })) // prettier-ignore
  const grants = [{ kind: '*', actions: ['read', 'update', 'create', 'link'], scopes: { node: ['/Standard/Jackets'] } }]
  await api.post('/api/v1/identity/roles/jackets', { grants }, { method: 'PUT', token: api.adminToken })
  narrow = await api.tokenFor({ name: 'nora', roles: ['jackets'] })
})

describe('types', () => {
  test('exist from the start, with labels and inverse labels; users do not see how often they are used', async () => {
    const { types } = (await api.get(`${pim}/relation-types`)).json
    expect(types.map(({ tid }: { tid: string }) => tid)).toEqual(['Accessory', 'Spare_Part', 'Successor', 'Up_Sell', 'Alternative', 'Bundle']) // prettier-ignore
    expect(types[1]).toMatchObject({ quantity: true, sources: ['product', 'article', 'variant'], pos: 1 })
    expect(types[1].inverse.itm).toContainEqual({ value: 'Ersatzteil von', loc: 'de_DE' })
    expect(types[1]).not.toHaveProperty('uses')
    const { types: counted } = (await api.get(`${pim}/relation-types`, { token: api.adminToken })).json
    expect(counted[1].uses).toBe(0)
  })

  test('are made, changed and deleted by administrators', async () => {
    const made = await put('Gift', { label: named('Gifts'), inverse: named('Gift of'), targets: ['article'], pos: 9 })
    expect(made.json).toMatchObject({ tid: 'Gift', targets: ['article'], quantity: false, pos: 9 })
    expect((await put('Gift', { label: named('Cadeaux', 'fr_FR') })).json.label).toEqual(named('Cadeaux', 'fr_FR'))
    expect((await put('Gift', {}, api.token)).status).toBe(403)
    expect((await remove('Gift')).status).toBe(200)
    expect((await remove('Gift')).status).toBe(404)
  })

  test.each([
    ['a b', {}, 'tid: expected 1 to 64'],
    ['Gift', { label: { itm: [{ value: 'Gift', loc: 'English' }] } }, 'English is not a locale'],
    ['Gift', { sources: ['asset'] }, 'sources'],
    ['Gift', { pos: -1 }, 'pos'],
  ])('%s with %j is refused', async (tid, body, words) => {
    const reply = await put(encodeURIComponent(tid), body)
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(words)])
  })

  test('keep their rules while relations exist: a type in use is neither narrowed nor deleted', async () => {
    await put('Part', { quantity: true })
    await relate(group('Part', to('SET', 'POT'), { quantity: '2' }))
    const narrowed = await put('Part', { quantity: false })
    expect([narrowed.status, narrowed.text]).toEqual([409, expect.stringContaining('1 relations of type Part would break')]) // prettier-ignore
    expect((await put('Part', { quantity: true, targets: ['variant'] })).status).toBe(409)
    const deleted = await remove('Part')
    expect([deleted.status, deleted.text]).toEqual([409, expect.stringContaining('1 relations have the type Part')])
    expect((await put('Part', { quantity: true, targets: ['product'] })).status).toBe(200)
  })

  test('a type that is deleted while a relation of it is added leaves no relation without its rules', async () => {
    for (let round = 0; round < 5; round++) {
      await put('Race', { quantity: true })
      const [[record], deleted] = await Promise.all([
        relate(group('Race', to('CUP', 'POT'), { quantity: '3' })),
        remove('Race'),
      ])
      // Either the relation was first and keeps the type, or the type was gone and the quantity is refused.
      expect([record!.status, deleted.status]).toEqual(record!.status === 'SUCCESS' ? ['SUCCESS', 409] : ['ERROR', 200])
      const meta = { itm: Object.entries(to('CUP', 'POT')).map(([key, value]) => ({ key, value })) }
      const action = [{ type: 'unlink', dataType: 'productToProductLink', meta }]
      await api.post(`${pim}/products/links/perform`, { schemaVersion, actions: { action } })
      await remove('Race')
    }
  })
})

describe('relations', () => {
  test('join all levels, with order and quantity, and are read from both ends', async () => {
    const records = await relate(
      group('Bundle', { sourceProductTid: 'SET', targetArticleTid: 'CUP-A' }, { pos: 1, quantity: '6' }),
      group('Bundle', { sourceProductTid: 'SET', targetVariantTid: 'LID-V' }, { pos: 0, quantity: '1.50' }),
      group('Accessory', { sourceArticleTid: 'SET-A', targetProductTid: 'POT' }),
    )
    expect(records.map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
    expect(shown(await relationsOf({ tids: ['SET'], types: ['Bundle', 'Accessory'] }))).toEqual([
      'SET-A outgoing Accessory POT',
      'SET outgoing Bundle LID-V 1.5',
      'SET outgoing Bundle CUP-A 6',
    ])
    const [incoming] = await relationsOf({ tids: ['CUP'], types: ['Bundle'] })
    expect(incoming).toMatchObject({ direction: 'incoming', own: { tid: 'CUP-A', itemType: 'article', productTid: 'CUP' }, other: { tid: 'SET', name: 'Jacket SET' }, quantity: '6' }) // prettier-ignore
    expect(await relationsOf({ tids: ['CUP'], types: ['Bundle'], direction: 'outgoing' })).toEqual([])
  })

  test('are part of the product, and a product that is sent back as it was read changes nothing', async () => {
    const [before] = await retrieve('SET')
    const bundle = before.links.itms[0].itms.filter(({ type }: { type: string }) => type === 'Bundle')
    expect(bundle).toEqual([
      {
        type: 'Bundle',
        itm: [
          { value: 'LID-V', key: 'targetVariantTid', pos: 0 },
          { value: '1.5', key: 'quantity' },
        ],
      },
      {
        type: 'Bundle',
        itm: [
          { value: 'CUP-A', key: 'targetArticleTid', pos: 1 },
          { value: '6', key: 'quantity' },
        ],
      },
    ])
    expect((await persist(before))[0]!.status).toBe('SUCCESS')
    const [after] = await retrieve('SET')
    expect(after.links).toEqual(before.links)
  })

  test.each(formatNames)('are stored in %s', async (format) => {
    const itms = [group('Spare_Part', { ...to('POT', 'CUP') }, { pos: 4, quantity: '2' })]
    const reply = await postIn(api, format, `${pim}/products/links/persist`, Pim, { schemaVersion, links: { itms } })
    expect(reply.text).toContain('SUCCESS')
    expect(shown(await relationsOf({ tids: ['POT'], types: ['Spare_Part'] }))).toEqual([
      'POT outgoing Spare_Part CUP 2',
    ])
  })

  test('change their place and quantity when they are sent again, and the history of the source names them', async () => {
    await relate(group('Spare_Part', to('POT', 'SET'), { pos: 1, quantity: '1' }))
    await relate(group('Spare_Part', to('POT', 'SET'), { pos: 0, quantity: '5' }))
    const [first] = await relationsOf({ tids: ['POT'], types: ['Spare_Part'], direction: 'outgoing' })
    expect(first).toMatchObject({ other: { tid: 'SET' }, pos: 0, quantity: '5' })
    const { entries } = (await api.post(`${pim}/products/history`, { tid: 'POT', count: 1 })).json
    expect(entries[0]).toMatchObject({ action: 'link', changes: [{ field: 'link' }] })
  })

  test('two clients that add the same one at the same time store one', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => relate(group('Successor', to('CUP', 'SET')))))
    expect(all.flat().map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS'])
    expect(await relationsOf({ tids: ['CUP'], types: ['Successor'] })).toHaveLength(1)
  })

  test.each([
    ['itself', group('Accessory', to('SET', 'SET')), 'cannot be related to itself'],
    ['nobody', group('Accessory', to('SET', 'NOBODY')), 'no product has the tid NOBODY'],
    ['an article that is a product', group('Accessory', { sourceProductTid: 'SET', targetArticleTid: 'CUP' }), 'no product has the tid CUP of articles'], // prettier-ignore
    ['a quantity that the type does not have', group('Accessory', to('SET', 'CUP'), { quantity: '2' }), 'links of type Accessory have no quantity'], // prettier-ignore
    ['a quantity of a free type', group('Any', to('SET', 'CUP'), { quantity: '2' }), 'have no quantity'],
    ['a quantity of 0', group('Bundle', to('SET', 'CUP'), { quantity: '0' }), 'is not a number above 0'],
    ['a word as quantity', group('Bundle', to('SET', 'CUP'), { quantity: 'two' }), 'quantity two is not a number'],
  ])('to %s are refused', async (_, itms, words) => {
    const [record] = await relate(itms)
    expect([record!.status, record!.description]).toEqual(['ERROR', expect.stringContaining(words)])
  })

  test('to a level that the type does not allow are refused, also inside a product, which is then unchanged', async () => {
    await put('Consumable', { sources: ['product'], targets: ['article'] })
    const [wrong] = await relate(group('Consumable', to('SET', 'CUP')))
    expect(wrong!.description).toBe('the target of a relation of type Consumable cannot be a product; name an article')
    const itms = [group('Consumable', { targetProductTid: 'CUP' })]
    const [inside] = await persist({ tid: 'SET', name: 'Renamed', links: { itms } })
    expect(inside!.description).toContain('links: the target of a relation of type Consumable')
    expect((await retrieve('SET'))[0].name).toBe('Jacket SET')
  })

  test('protect their target, and are deleted with their source', async () => {
    await persist(jacket('OLD'), jacket('NEW'))
    await relate(group('Successor', to('OLD', 'NEW')))
    const [refused] = await perform({ type: 'delete', tid: 'NEW' })
    expect(refused.description).toMatch(/NEW is in use by product OLD \(productToProduct Successor\)/)
    const [copied] = await perform({ type: 'copy', tid: 'OLD', meta: { itm: [{ key: 'newProductName', value: 'Copy' }, { key: 'newProductTid', value: 'COPY' }] } }) // prettier-ignore
    expect(copied.status).toBe('SUCCESS')
    await perform({ type: 'delete', tid: 'OLD' }, { type: 'delete', tid: 'COPY' })
    expect(await relationsOf({ tids: ['NEW'] })).toEqual([])
    expect((await perform({ type: 'delete', tid: 'NEW' }))[0].status).toBe('SUCCESS')
  })
})

describe('rights', () => {
  test('what the caller may not read is left out at either end, and cannot be related', async () => {
    expect(shown(await relationsOf({ tids: ['SET'], types: ['Bundle'] }, narrow))).toEqual([
      'SET outgoing Bundle CUP-A 6',
    ])
    const hidden = await api.post(`${pim}/products/relations`, { tids: ['LID'] }, { token: narrow })
    const unknown = await api.post(`${pim}/products/relations`, { tids: ['GHOST'] }, { token: narrow })
    expect([hidden.status, hidden.json.message]).toEqual([404, unknown.json.message])
    const itms = [group('Bundle', { sourceProductTid: 'SET', targetVariantTid: 'LID-V' }, { quantity: '9' })]
    const reply = await api.post(`${pim}/products/links/persist`, { schemaVersion, links: { itms } }, { token: narrow })
    expect(reply.text).toContain('no product has the tid LID-V of variants')
  })

  test('adding needs the right to link the source', async () => {
    const grants = [{ kind: '*', actions: ['read', 'update'] }]
    await api.post('/api/v1/identity/roles/readers', { grants }, { method: 'PUT', token: api.adminToken })
    const token = await api.tokenFor({ name: 'rita', roles: ['readers'] })
    const itms = [group('Accessory', to('SET', 'CUP'))]
    const reply = await api.post(`${pim}/products/links/persist`, { schemaVersion, links: { itms } }, { token })
    expect(reply.text).toContain('your roles do not allow to link the product SET')
  })
})

describe('search', () => {
  test('finds by target and by source, also by a condition on the other end, within the rights of the caller', async () => {
    await wait('PRODUCT', (await persist({ tid: 'SET' }))[0]!.id)
    const hits = (query: object, more = {}, token = api.token) => found('PRODUCT', query, more, { token })
    await vi.waitFor(async () => expect(await hits(field('products/Bundle', 'EQ', 'CUP-A'))).toEqual(['SET']))
    expect(await hits(field('products/Bundle', 'IN', ['LID-V', 'CUP-A']))).toEqual(['SET'])
    expect(await hits(field('products/Bundle/of', 'EQ', 'SET'))).toEqual(expect.arrayContaining(['CUP-A', 'LID-V']))
    const inner = { context: { searchType: 'INDEX', index: 'PRODUCT' }, query: field('tid', 'EQ', 'LID-V') }
    expect(await hits(field('tid', 'EQ', 'SET'), { join: { joinOn: 'products/Bundle', search: inner } })).toEqual([
      'SET',
    ])
    expect(await hits(field('products/Bundle', 'EQ', 'LID-V'), {}, narrow)).toEqual([])
    expect(await hits(field('products/Bundle/of', 'IS_NOT_EMPTY'), {}, narrow)).toEqual(['CUP-A'])
    expect(await found('PRODUCT', field('tid', 'EQ', 'SET'), {}, { token: narrow }, 'products/Bundle')).toEqual([
      'CUP-A',
    ])
  })

  test('has the fields of a type as soon as it exists, also for links that had the type before', async () => {
    await relate(group('Later', to('POT', 'CUP')))
    await put('Later', { label: named('Later ones') })
    await vi.waitFor(async () => {
      const { fields } = await call('/fields', { index: 'PRODUCT' }, { headers: { 'accept-language': 'en-GB' } })
      expect(fields).toContainEqual(expect.objectContaining({ fieldName: 'products/Later' }))
      expect(await found('PRODUCT', field('products/Later', 'EQ', 'CUP'))).toEqual(['POT'])
    }, 20_000)
  })
})

test('a table exports relations with their order and quantities, and imports them', async () => {
  await api.startWorker()
  const ended = (id: string) =>
    vi.waitFor(
      async () => {
        const { json } = await api.get(`/api/v1/transfers/${id}`)
        expect(json.state, json.problem).toBe('finished')
        return json
      },
      { timeout: 40_000, interval: 50 },
    )
  const columns = ['tid', 'relation/Bundle', 'relation/Bundle/quantity', 'article:tid', 'article:name', 'article:relation/Accessory'] // prettier-ignore
  const { id } = (await api.post('/api/v1/transfers/exports', { format: 'csv', tids: ['SET'], columns })).json
  await ended(id)
  const { text } = await api.get(`/api/v1/transfers/${id}/file`)
  const row = 'SET,variant:LID-V|article:CUP-A,1.5|6,SET-A,a,POT'
  expect(text.trim().split(/\r?\n/)).toEqual([columns.join(','), row])
  const changed = text.replace('1.5|6', '2|7').replace('variant:LID-V|article:CUP-A', 'article:CUP-A|POT')
  const sent = await api.post('/api/v1/transfers/imports?name=sets.csv', changed, { type: 'application/octet-stream' })
  await api.post(`/api/v1/transfers/${sent.json.id}/start`)
  expect(await ended(sent.json.id)).toMatchObject({ refused: 0, updated: 1 })
  expect(shown(await relationsOf({ tids: ['SET'], types: ['Bundle'] }))).toEqual([
    'SET outgoing Bundle CUP-A 2',
    'SET outgoing Bundle LID-V 1.5',
    'SET outgoing Bundle POT 7',
  ])
})
