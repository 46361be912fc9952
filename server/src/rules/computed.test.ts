/** The texts and numbers that rules compute out of other values. */
import { beforeAll, expect, test } from 'vitest'
import { createModel, jacket, type Obj, pim, productCalls, schemaVersion, simple, vals } from '../../test/catalogue.ts'
import { all, field } from '../../test/search.ts'
import { withServer } from '../../test/server.ts'

const api = withServer()
const { persist, retrieve } = productCalls(api)
const named = (name: string) => ({ name: { itm: [{ value: name, loc: 'en_GB' }] } })
const never = new AbortController().signal

/** Saves a rule and runs it to its end. */
async function ran(condition: object, ...operations: object[]) {
  const token = api.adminToken
  const saved = await api.post('/api/v1/rules/computes', { condition, operations }, { method: 'PUT', token }) // prettier-ignore
  expect(saved.status, saved.text).toBe(200)
  const { id } = (await api.post('/api/v1/rules/computes/run', undefined, { token })).json
  await api.app.jobs['change.run']!({ id } as never, never)
  return (await api.get(`/api/v1/changes/${id}`, { token })).json
}
const textsOf = async (tid: string, attribute: string) => {
  const [product] = await retrieve(tid)
  const val = product.vals?.val?.find(({ attr }: { attr: string }) => attr === attribute)
  const items: { loc?: string; key?: string; value: string }[] = [...(val?.itm ?? []), ...(val?.i18N ?? []).flatMap((one: { itm: object[] }) => one.itm)] // prettier-ignore
  return Object.fromEntries(items.map(({ loc = '', key, value }) => [loc, key ?? value]))
}
const among = (...tids: string[]) => field('tid', 'IN', tids)
const created = async (...products: Obj[]) =>
  expect((await persist(...products)).map(({ status }) => status)).toEqual(products.map(() => 'SUCCESS'))

beforeAll(async () => {
  await createModel(api)
  const label = (tid: string, english: string, german: string) =>
    ({ tid, itm: [{ value: english, loc: 'en_GB' }, { value: german, loc: 'de_DE' }] }) // prettier-ignore
  const prices = { type: 'price', format: { unit: [{ code: 'EUR' }, { code: 'USD' }] } }
  const attrDef = [
    { tid: 'net', ...prices, ...named('Net') },
    { tid: 'gross', ...prices, ...named('Gross') },
    { tid: 'title', type: 'text', localized: 'true', ...named('Title') },
    { tid: 'shade', type: 'text', domainVals: { domainVal: [label('r', 'Red', 'Rot'), label('b', 'Blue', 'Blau')] }, ...named('Shade') }, // prettier-ignore
    { tid: 'tone', type: 'text', domainVals: { domainVal: [label('r', 'Red', 'Rot'), label('b', 'Blue', 'Blau')] }, ...named('Tone') }, // prettier-ignore
  ]
  const reply = await api.post(`${pim}/attribute-definitions/persist`, { schemaVersion, attrDefs: { attrDef } }, { token: api.adminToken }) // prettier-ignore
  expect(reply.text).not.toContain('ERROR')
})

test('the values of a list are written with their labels in the language of the text, also behind an operation that set them', async () => {
  await created(jacket('L1', vals(simple('shade', 'r'))))
  const title = (locale: string, template: string) => ({ type: 'concatenate', attribute: 'title', locale, template })
  const caption = (locale: string, expression: string) => ({ type: 'calculate', attribute: 'caption', locale, expression }) // prettier-ignore
  await ran(
    among('L1'),
    title('de_DE', '{shade} Jacke'),
    title('en_GB', '{shade} jacket'),
    title('fr_FR', 'veste {shade}'),
    caption('de_DE', 'lower(text("shade"))'),
    { type: 'copy', attribute: 'caption', locale: 'en_GB', from: 'shade' },
    { type: 'copy', attribute: 'tone', from: 'shade' },
  )
  expect(await textsOf('L1', 'title')).toEqual({ de_DE: 'Rot Jacke', en_GB: 'Red jacket', fr_FR: 'veste Red' })
  expect(await textsOf('L1', 'caption')).toEqual({ de_DE: 'rot', en_GB: 'Red' })
  expect(await textsOf('L1', 'tone')).toEqual({ '': 'r' })

  const set = (value: string) => ({ type: 'set', attribute: 'shade', values: [value] })
  for (const value of ['b', 'Blue']) {
    await ran(among('L1'), set(value), title('de_DE', '{shade} Jacke'), title('en_GB', '{shade} jacket'))
    expect(await textsOf('L1', 'title')).toMatchObject({ de_DE: 'Blau Jacke', en_GB: 'Blue jacket' })
    await ran(among('L1'), set('r'))
  }
})

test('a rule tests and changes products, not their articles and variations', async () => {
  const variant = [{ tid: 'P1-1-1', name: 'Small', ...vals(simple('material', 'Cork')) }]
  const article = [{ tid: 'P1-1', name: 'Red', ...vals(simple('material', 'Cork')), variants: { variant } }]
  await created(jacket('P1', { ...vals(simple('code', 'AA1')), articles: { article } }), jacket('P2', vals(simple('material', 'Cork')))) // prettier-ignore
  const operations = [{ type: 'set', attribute: 'code', values: ['CO1'] }]
  await ran(field('material', 'EQ', 'Cork'), ...operations)
  expect([await textsOf('P1', 'code'), await textsOf('P2', 'code')]).toEqual([{ '': 'AA1' }, { '': 'CO1' }])
  await ran(all(field('code', 'IS_EMPTY'), field('tid', 'IN', ['P1', 'P1-1', 'P1-1-1'])), ...operations)
  expect(await textsOf('P1', 'code'), 'its articles have no code').toEqual({ '': 'AA1' })
})

test('with clearIfMissing, a computed value goes with the value that it was made of', async () => {
  await created(jacket('M1', vals(simple('net', '10 EUR'), simple('gross', '7 USD'), simple('material', 'Wool'), simple('shade', 'r')))) // prettier-ignore
  const clearIfMissing = true
  const operations = [
    { type: 'calculate', attribute: 'gross', expression: 'amount("net", "EUR") * 2', unit: 'EUR', clearIfMissing },
    { type: 'concatenate', attribute: 'title', locale: 'en_GB', template: '{material} jacket', clearIfMissing },
    { type: 'copy', attribute: 'tone', from: 'shade', clearIfMissing },
    { type: 'copy', attribute: 'caption', locale: 'en_GB', from: 'material' },
  ]
  const values = async () =>
    Promise.all(['gross', 'title', 'tone', 'caption'].map(async (one) => Object.values(await textsOf('M1', one))))
  await ran(among('M1'), ...operations)
  expect(await values()).toEqual([['20 EUR; 7 USD'], ['Wool jacket'], ['r'], ['Wool']])
  await persist({ tid: 'M1', vals: { val: [{ attr: 'net' }, { attr: 'material' }, { attr: 'shade' }] } })
  expect(await ran(among('M1'), ...operations)).toMatchObject({ changed: 1, refused: 0 })
  expect(await values()).toEqual([['7 USD'], [], [], ['Wool']])
  expect(await ran(among('M1'), ...operations)).toMatchObject({ changed: 0, unchanged: 1 })
  const sent = { operations: [{ type: 'set', attribute: 'material', values: ['x'], clearIfMissing }] }
  const refused = await api.post('/api/v1/rules/sets', sent, { method: 'PUT', token: api.adminToken })
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('clearIfMissing is for copy')])
})

test('a rule that may remove a value takes part in cycles as rules that clear do', async () => {
  const put = (name: string, rule: object) => api.post(`/api/v1/rules/${name}`, rule, { method: 'PUT', token: api.adminToken }) // prettier-ignore
  const fills = await put('fills', { condition: field('material', 'IS_EMPTY'), operations: [{ type: 'set', attribute: 'code', values: ['ZZ1'] }] }) // prettier-ignore
  expect(fills.status, fills.text).toBe(200)
  const copy = { type: 'copy', attribute: 'material', from: 'code' }
  expect((await put('copies', { operations: [copy] })).status).toBe(200)
  const cycle = await put('copies', { operations: [{ ...copy, clearIfMissing: true }] })
  expect([cycle.status, cycle.text]).toEqual([400, expect.stringContaining('without end')])
})
