/** Values that products inherit, in exports: always for other systems, which do not know the category; on request in tables. */
import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, jacket, pim, productCalls, schemaVersion, simple, vals } from '../../test/catalogue.ts'
import { withServer } from '../../test/server.ts'
import { transferCalls } from '../../test/transfers.ts'

const api = withServer()
const { persist, retrieve } = productCalls(api)
const { run, exported } = transferCalls(api)
const at = '/api/v1/transfers'

const tids = ['I1', 'I2']
const articles = (tid: string) => ({ articles: { article: [{ tid: `${tid}a`, name: `${tid}a`, variants: { variant: [{ tid: `${tid}v`, name: `${tid}v` }] } }] } }) // prettier-ignore

beforeAll(async () => {
  await createModel(api)
  const admin = async (path: string, body: object) =>
    expect((await api.post(`${pim}/${path}/persist`, { schemaVersion, ...body }, { token: api.adminToken })).text).not.toContain('ERROR') // prettier-ignore
  const name = { itm: [{ value: 'x', loc: 'en_GB' }] }
  await admin('attribute-definitions', { attrDefs: { attrDef: ['brand', 'price'].map((tid) => ({ tid, type: 'text', name })) } }) // prettier-ignore
  const defaulted = (key: string, value: string) => ({ nodePath: '/Standard', key, defaultVal: { itm: [{ value }] } })
  await admin('attributes', { attrs: { attr: [defaulted('brand', 'Acme'), defaulted('price', '9.50')] } })
  await api.startWorker()
  await persist(jacket('I1', articles('I1')), jacket('I2', { ...vals(simple('brand', 'Own')), ...articles('I2') }))
})

const linesOf = async (body: object) => String(await exported({ format: 'csv', tids, ...body })).replace('\ufeff', '').trim().split('\r\n') // prettier-ignore

describe('a plain table', () => {
  const columns = ['tid', 'brand']
  test('has own values only, so that an import does not make others own ones', async () => {
    expect(await linesOf({ columns })).toEqual(['tid,brand', 'I1,', 'I2,Own'])
    expect((await linesOf({ nodePaths: ['/Standard'], tids: undefined }))[0]).not.toContain('price')
  })

  test('has inherited values too on request, and columns for them', async () => {
    expect(await linesOf({ columns, inherited: true })).toEqual(['tid,brand', 'I1,Acme', 'I2,Own'])
    const [headings] = await linesOf({ inherited: true })
    expect(headings!.split(',')).toEqual(expect.arrayContaining(['brand', 'price']))
  })

  test('of a series is complete once more when inherited values are asked for', async () => {
    const order = { columns, series: 'shop' }
    await linesOf(order)
    expect(await linesOf({ ...order, inherited: false })).toEqual(['tid,brand,deleted'])
    expect(await linesOf({ ...order, inherited: true })).toEqual(['tid,brand,deleted', 'I1,Acme,', 'I2,Own,'])
  })
})

test('feeds for Google and files for Shopify have inherited values where no level has an own one', async () => {
  const constants = { description: 'd', link: 'https://a.example', image_link: 'https://a.example/i', availability: 'in stock', currency: 'EUR' } // prettier-ignore
  await api.post(`${at}/profiles/google`, { layout: 'google', constants }, { method: 'PUT' })
  const xml = String(await exported({ format: 'xml', profile: 'google', tids }))
  const found = (field: string) => [...xml.matchAll(new RegExp(`<g:${field}>(.*?)</g:${field}>`, 'g'))].map(([, text]) => text) // prettier-ignore
  expect([found('id'), found('brand'), found('price')]).toEqual([['I1v', 'I2v'], ['Acme', 'Own'], ['9.50 EUR', '9.50 EUR']]) // prettier-ignore
  await api.post(`${at}/profiles/shopify`, { layout: 'shopify', columns: [{ column: 'Vendor', attr: 'brand' }] }, { method: 'PUT' }) // prettier-ignore
  const [headings, first, second] = (await linesOf({ profile: 'shopify' })).map((line) => line.split(','))
  const cellsOf = (heading: string) => [first, second].map((cells) => cells![headings!.indexOf(heading)])
  expect([cellsOf('Vendor'), cellsOf('Variant Price')]).toEqual([['Acme', 'Own'], ['9.50', '9.50']]) // prettier-ignore
})

test('BMEcat has inherited values of products, below them only what differs, and does not grow round by round', async () => {
  const order = { format: 'xml', layout: 'bmecat', tids: ['I1'] }
  const before = String(await exported(order))
  expect(before.match(/<FNAME>brand<\/FNAME><FVALUE>Acme<\/FVALUE>/g)).toHaveLength(1)
  const done = await run(before, 'name=r.xml')
  expect(done, done.problem).toMatchObject({ refused: 0 })
  const [product] = await retrieve('I1')
  const [article] = product.articles.article
  for (const part of [article, article.variants.variant[0]])
    for (const val of part.vals?.val ?? []) expect(val.inheritance).toBe('inherited')
  const after = String(await exported(order))
  expect(after.match(/<FVALUE>/g)).toHaveLength(before.match(/<FVALUE>/g)!.length)
})
