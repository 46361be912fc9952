/** Variation axes: categories choose them, products are combined along them, and no combination exists twice. */
import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, jacket, pim, productCalls, schemaVersion, simple, vals } from '../../../test/catalogue.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const { persist, retrieve } = productCalls(api)
const named = (value: string) => ({ name: { itm: [{ value, loc: 'en_GB' }] } })
const listOf = (...values: string[]) => ({
  domainVals: {
    domainVal: values.map((value) => ({ tid: value, itm: [{ value: value.toUpperCase(), loc: 'en_GB' }] })),
  },
})
const at = `${pim}/variation-axes`
const setAxes = (nodePath: string, articles: string[], variations: string[], token = api.adminToken) =>
  api.post(`${at}/persist`, { nodePath, articles, variations }, { token })
const combine = ({ create, ...body }: { tid: string; choices?: object[]; create?: true }, token = api.token) =>
  api.post(`${pim}/products/combinations/${create ? 'persist' : 'retrieve'}`, body, { token })
interface Shown {
  combinations: { level: string; article?: string; name: string; tid?: string }[]
  created?: number
}
const shown = ({ combinations }: Shown) =>
  combinations.map(
    ({ article, name, tid }) => `${article === undefined ? '' : `${article} / `}${name}${tid ? '' : ' ?'}`,
  )
const choose = (attribute: string, ...values: string[]) => ({ attribute, values })

beforeAll(async () => {
  await createModel(api)
  const attrDef = [
    { tid: 'tone', type: 'text', ...listOf('white', 'black'), ...named('Tone') },
    { tid: 'fit', type: 'text', ...listOf('s', 'm', 'l'), ...named('Fit') },
  ]
  const admin = { token: api.adminToken }
  await api.post(`${pim}/attribute-definitions/persist`, { schemaVersion, attrDefs: { attrDef } }, admin)
  const attr = [
    { nodePath: '/Standard', key: 'tone', level: 'a' },
    { nodePath: '/Standard', key: 'fit', level: 'v' },
  ]
  const reply = await api.post(`${pim}/attributes/persist`, { schemaVersion, attrs: { attr } }, admin)
  expect(reply.text).not.toContain('ERROR')
  expect((await setAxes('/Standard/Jackets', ['tone'], ['fit'])).json).toEqual({ nodePath: '/Standard/Jackets', articles: ['tone'], variations: ['fit'] }) // prettier-ignore
})

describe('the axes of a category', () => {
  test('hold for the categories below, which may have their own', async () => {
    const read = async (nodePath: string) => (await api.post(`${at}/retrieve`, { nodePath })).json
    expect(await read('/Standard/Jackets/Rain')).toEqual({ nodePath: '/Standard/Jackets/Rain', inheritedArticles: ['tone'], inheritedVariations: ['fit'], inheritedFrom: '/Standard/Jackets' }) // prettier-ignore
    await setAxes('/Standard/Jackets/Rain', [], ['fit'])
    expect((await read('/Standard/Jackets/Rain')).variations).toEqual(['fit'])
    expect((await setAxes('/Standard/Jackets/Rain', [], [])).json).not.toHaveProperty('variations')
    expect(await read('/Standard/Boots')).toEqual({ nodePath: '/Standard/Boots' })
  })

  test.each([
    ['an attribute without a list', ['material'], 400, 'material cannot be an axis'],
    ['a localized attribute', ['caption'], 400, 'caption cannot be an axis'],
    ['an unknown attribute', ['nope'], 400, 'nope is not an attribute'],
    ['an attribute of articles alone', ['tone'], 400, 'tone is not an attribute of variations'],
  ])('cannot be %s', async (_, attributes, status, words) => {
    const reply = await setAxes('/Standard/Boots', [], attributes)
    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(words)])
  })

  test('are chosen by people who may change the category', async () => {
    const grants = [{ kind: '*', actions: ['read'] }, { kind: '*', actions: ['update'], scopes: { node: ['/Standard/Boots'] } }] // prettier-ignore
    await api.post('/api/v1/identity/roles/boots', { grants }, { method: 'PUT', token: api.adminToken })
    const token = await api.tokenFor({ name: 'bo', roles: ['boots'] })
    expect((await setAxes('/Standard/Jackets', [], ['fit'], token)).status).toBe(403)
    expect((await setAxes('/Standard/Boots', [], ['fit'], token)).status).toBe(200)
    await setAxes('/Standard/Boots', [], [])
  })
})

describe('combinations', () => {
  test('are listed and created in the order of the values, with articles and variations', async () => {
    await persist(jacket('J'))
    const chosen = { tid: 'J', choices: [choose('fit', 'l', 's')] }
    const preview = (await combine(chosen)).json
    const expected = ['WHITE', 'WHITE / S', 'WHITE / L', 'BLACK', 'BLACK / S', 'BLACK / L']
    expect(shown(preview)).toEqual(expected.map((one) => `${one} ?`))
    expect((await retrieve('J'))[0]).not.toHaveProperty('articles')
    const { json } = await combine({ ...chosen, create: true })
    expect([shown(json), json.created]).toEqual([expected, 6])
    const [product] = await retrieve('J')
    expect(product.articles.article[1].variants.variant.map(({ name }: { name: string }) => name)).toEqual(['S', 'L'])
    expect(JSON.stringify(product.articles.article[1].vals)).toContain('"black"')
  })

  test('that exist are kept; only the missing ones are created', async () => {
    const { json } = await combine({ tid: 'J', create: true })
    expect([json.created, shown(json)]).toEqual([2, ['WHITE', 'WHITE / S', 'WHITE / M', 'WHITE / L', 'BLACK', 'BLACK / S', 'BLACK / M', 'BLACK / L']]) // prettier-ignore
    expect((await combine({ tid: 'J', create: true })).json).not.toHaveProperty('created')
  })

  test.each([
    ['an unknown value', { tid: 'J', choices: [choose('fit', 'xxl')] }, 400, 'xxl is not a value of fit'],
    ['an attribute that is not an axis', { tid: 'J', choices: [choose('color', 'red')] }, 400, 'color is not an axis'],
    ['an unknown product', { tid: 'nobody' }, 404, 'no product has the tid nobody'],
  ])('of %s are refused', async (_, body, status, words) => {
    const reply = await combine(body)
    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(words)])
  })

  test('need a category with axes, and the right to change the product', async () => {
    await persist(jacket('B', { node: '/Standard/Boots', ...vals(simple('code', 'AB1')) }))
    expect((await combine({ tid: 'B' })).text).toContain('the category /Standard/Boots has no variation axes')
    const grants = [{ kind: '*', actions: ['read'] }]
    await api.post('/api/v1/identity/roles/reader', { grants }, { method: 'PUT', token: api.adminToken })
    const token = await api.tokenFor({ name: 'rea', roles: ['reader'] })
    await persist(jacket('R'))
    expect((await combine({ tid: 'R' }, token)).status).toBe(200)
    expect((await combine({ tid: 'R', create: true }, token)).status).toBe(403)
    expect((await retrieve('R'))[0]).not.toHaveProperty('articles')
  })

  test('are created once by several people at the same time', async () => {
    await persist(jacket('RACE'))
    const replies = await Promise.all(Array.from({ length: 4 }, () => combine({ tid: 'RACE', create: true })))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(replies.map(({ json }) => json.created ?? 0).toSorted()).toEqual([0, 0, 0, 8])
    expect((await retrieve('RACE'))[0].articles.article).toHaveLength(2)
  })
})

describe('a combination that exists', () => {
  const sized = (name: string, fit: string) => ({ name, vals: { val: [{ attr: 'fit', itm: [{ key: fit }] }] } })
  const withVariants = (tid: string, ...variant: object[]) => ({
    tid,
    articles: { article: [{ tid: `${tid}-A`, name: 'a', variants: { variant } }] },
  })

  test('is refused as another variation of the article, in one message and later', async () => {
    const [twice] = await persist({ ...jacket('D'), ...withVariants('D', sized('one', 's'), sized('two', 's')) })
    expect([twice!.status, twice!.description]).toEqual(['ERROR', expect.stringContaining('have the same values of the attributes that span them')]) // prettier-ignore
    await persist({ ...jacket('D'), ...withVariants('D', { tid: 'D-1', ...sized('one', 's') }, { tid: 'D-2', ...sized('two', 'm') }) }) // prettier-ignore
    expect((await persist(withVariants('D', sized('three', 's'))))[0]!.status).toBe('ERROR')
    expect((await persist(withVariants('D', { tid: 'D-2', ...sized('two', 's') })))[0]!.status).toBe('ERROR')
    // Two variations exchange their values in one message.
    const [swapped] = await persist(withVariants('D', { tid: 'D-1', ...sized('one', 'm') }, { tid: 'D-2', ...sized('two', 's') })) // prettier-ignore
    expect(swapped!.status).toBe('SUCCESS')
  })

  test('is stored once by two messages at the same time', async () => {
    await persist({ ...jacket('E'), ...withVariants('E', sized('one', 's')) })
    const records = await Promise.all(['two', 'three'].map((name) => persist(withVariants('E', sized(name, 'l')))))
    expect(records.flat().map(({ status }) => status).toSorted()).toEqual(['ERROR', 'SUCCESS']) // prettier-ignore
  })

  test('prevents axes along which it exists twice, and a move to a category with such axes', async () => {
    const boots = { node: '/Standard/Boots', ...vals(simple('code', 'AB1')) }
    await persist({ ...jacket('F', boots), ...withVariants('F', sized('one', 's'), sized('two', 's')) })
    const refused = await setAxes('/Standard/Boots', [], ['fit'])
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('with the same values on these axes')])
    expect((await api.post(`${at}/retrieve`, { nodePath: '/Standard/Boots' })).json).not.toHaveProperty('variations')
    expect((await persist({ tid: 'F', node: '/Standard/Jackets' }))[0]!.status).toBe('ERROR')
  })
})

test('an attribute that is deleted is no longer an axis', async () => {
  const admin = { token: api.adminToken }
  const attrDef = ['gone', 'kept'].map((tid) => ({ tid, type: 'text', ...listOf('x', 'y'), ...named(tid) }))
  await api.post(`${pim}/attribute-definitions/persist`, { schemaVersion, attrDefs: { attrDef } }, admin)
  expect((await setAxes('/Standard/Boots', ['gone'], ['kept'])).status).toBe(200)
  const removed = async (tid: string) => {
    const action = [{ type: 'delete', dataType: 'attrDefinition', tid, meta: { itm: [{ key: 'force', value: 'true' }] } }] // prettier-ignore
    await api.post(`${pim}/attribute-definitions/perform`, { schemaVersion, actions: { action } }, admin)
    return (await api.post(`${at}/retrieve`, { nodePath: '/Standard/Boots' })).json
  }
  expect(await removed('gone')).toEqual({ nodePath: '/Standard/Boots', variations: ['kept'] })
  expect((await setAxes('/Standard/Boots', [], ['kept'])).status).toBe(200)
  expect(await removed('kept')).toEqual({ nodePath: '/Standard/Boots' })
})
