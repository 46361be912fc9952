/**
 * How complete products are, as search knows it: after any sequence of changes to values, to what is required, to
 * templates and to places, the same as the readiness that is reckoned on request.
 */
import { cm, common, peo } from '@kontor/contract'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, jacket, pim, productCalls, schemaVersion, vals } from '../../test/catalogue.ts'
import { callsOf, text } from '../../test/channels.ts'
import { meta } from '../../test/common.ts'
import { all, field, type Item, searchCalls } from '../../test/search.ts'
import { withServer } from '../../test/server.ts'
import { sql } from '../adapters/postgres/sql.ts'

const api = withServer()
const { call, find, found } = searchCalls(api)
const products = productCalls(api)
const admin = () => ({ token: api.adminToken })
const locales = ['en_GB', 'de_DE', 'fr_FR']
/** Each product has its own channel, so that the figures of the channel are those of the product. */
const tids = ['P0', 'P1', 'P2']
const channelOf = (tid: string) => `C-${tid}`
const peoOf = (tid: string) => `E-${tid}`

async function send(path: string, body: object, token = api.token) {
  const reply = await api.post(path, { schemaVersion, ...body }, { token })
  expect(reply.status, reply.text).toBe(200)
}

beforeAll(async () => {
  await createModel(api)
  const templates = callsOf(api, peo, 'admin/templates', 'json', admin())
  await templates.persist({ tid: 'Shop', name: 'Shop', ...meta({ 'attribute.caption': 'overridden,required' }) })
  for (const tid of tids) {
    await callsOf(api, cm, 'channels').persist({ tid: channelOf(tid), name: channelOf(tid), type: 'Webshop' })
    const articles = { article: [{ tid: `${tid}-a`, name: 'Article' }] }
    await products.persist(jacket(tid, { articles }))
  }
})

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)
const tid = oneOf(...tids)
const of = <K extends string, R>(kind: K, rest: { [P in keyof R]: fc.Arbitrary<R[P]> }) =>
  fc.record({ kind: fc.constant(kind), ...rest }) as fc.Arbitrary<{ kind: K } & R>
const change = fc.oneof(
  of('value', { tid: oneOf(...tids, ...tids.map((one) => `${one}-a`)), attr: oneOf('material', 'caption'), loc: oneOf(...locales), value: oneOf('wool', '') }), // prettier-ignore
  of('require', { key: oneOf('material', 'caption', 'weight'), restriction: oneOf('required', 'optional'), nodePath: oneOf('/Standard', '/Standard/Jackets') }), // prettier-ignore
  of('define', { tid: oneOf('weight' as const, 'material' as const), required: oneOf('required', 'optional') }),
  of('move', { tid, node: oneOf('/Standard/Jackets', '/Standard/Jackets/Rain', '/Standard/Boots') }),
  of('template', { attr: oneOf('caption', 'material', 'sizes'), how: oneOf('overridden,required', 'hidden', 'inherited') }), // prettier-ignore
  of('extend', { tid, value: oneOf('silk', ''), loc: oneOf(...locales) }),
  of('curtail', { tid, how: oneOf('delete', 'unlink') }),
  of('demand', { tid, attributes: fc.subarray(['material', 'caption', 'weight']) }),
  of('place', { tid, verb: oneOf('persist', 'actions/perform') }),
)
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never

const types = { weight: 'number', material: 'text' }
/** Items may be refused, which leaves everything as it was; calls may not. */
const perform: { [K in Change['kind']]: (one: Extract<Change, { kind: K }>, channel?: string) => Promise<unknown> } = {
  value({ tid, attr, loc, value }) {
    const said = vals(attr === 'caption' ? text(attr, value, loc) : text(attr, value))
    const [productTid, part] = tid.split('-')
    return products.persist(part ? { tid: productTid!, articles: { article: [{ tid, ...said }] } } : { tid, ...said })
  },
  require: (attr) => send(`${pim}/attributes/persist`, { attrs: { attr: [{ ...attr, kind: undefined }] } }, api.adminToken), // prettier-ignore
  define: ({ tid, required }) =>
    send(
      `${pim}/attribute-definitions/persist`,
      { attrDefs: { attrDef: [{ tid, type: types[tid], required }] } },
      api.adminToken,
    ),
  move: ({ tid, node }) => products.persist({ tid, node }),
  template: ({ attr, how }) =>
    callsOf(api, peo, 'admin/templates', 'json', admin()).persist({ tid: 'Shop', ...meta({ [`attribute.${attr}`]: how }) }), // prettier-ignore
  extend: ({ tid, value, loc }) =>
    callsOf(api, peo, 'peos').persist({
      tid: peoOf(tid),
      name: peoOf(tid),
      productTid: tid,
      templateTid: 'Shop',
      nodes: { node: [{ tid: channelOf(tid) }] },
      ...vals(text('caption', value, loc)),
    }),
  curtail: ({ tid, how }) =>
    how === 'delete'
      ? callsOf(api, peo, 'peos').perform({ type: 'delete', tid: peoOf(tid) })
      : send(`${common.base}/links/actions/perform`, {
          actions: {
            action: [
              { dataType: 'peoToProjectLink', type: 'unlink', ...meta({ peoTid: peoOf(tid), projectTid: channelOf(tid) }) }, // prettier-ignore
            ],
          },
        }),
  async demand({ tid, attributes }) {
    const reply = await api.post(`${cm.base}/channels/requirements/persist`, { tid: channelOf(tid), attributes })
    expect(reply.status, reply.text).toBe(200)
  },
  place({ tid, verb }, channel = channelOf(tid)) {
    const ends = meta({ productTid: tid, projectTid: channel })
    const links = { itms: [{ type: 'productToProject', itms: [{ type: '', itm: ends.meta.itm }] }] }
    const action = [{ dataType: 'productToProjectLink', type: 'unlink', ...ends }]
    return send(`${common.base}/links/${verb}`, verb === 'persist' ? { links } : { actions: { action } })
  },
}

/** The percentages of objects, by tid and locale, as they are reckoned. */
async function reckoned(request: object): Promise<Record<string, Record<string, number>>> {
  const reply = await api.post(`${cm.base}/readiness/retrieve`, { ...request, locales, numbersOnly: true })
  expect(reply.status, reply.text).toBe(200)
  type ReaderOptions = { tid: string; locales: { locale: string; percent?: number }[] }
  // a place in which nothing is required lacks nothing
  const toPair = ({ locale, percent = 100 }: ReaderOptions['locales'][number]) => [locale, percent]
  return Object.fromEntries((reply.json.objects as ReaderOptions[]).map((one) => [one.tid, Object.fromEntries(one.locales.map(toPair))])) // prettier-ignore
}

/** Compares them with what is found by each percentage: the values in the index, not those in hits. */
async function expectFound(index: string, name: string, expected: Awaited<ReturnType<typeof reckoned>>) {
  const actual: typeof expected = {}
  for (const locale of locales) {
    for (const percent of new Set(Object.values(expected).map((one) => one[locale]!))) {
      const query = field('completeness', 'EQ', percent, { language: locale })
      for (const one of (await found(index, query, {}, undefined, name)).map(String)) {
        if (expected[one]) (actual[one] ??= {})[locale] = percent
      }
    }
  }
  expect(actual).toEqual(expected)
}

const settled = async () => {
  const rows = await api.db.rows<{ id: number }>(sql`select id from product`)
  const places = await api.db.rows<{ id: number }>(sql`select id from link where kind = 'productToProject'`)
  const wait = (index: string, documents: number[]) =>
    documents.length > 0 && call('/documents/wait', { index, documents, maxWait: 60_000 })
  await wait('PRODUCT', rows.map(({ id }) => id)) // prettier-ignore
  await wait('CHANNEL_2_PRODUCT', places.map(({ id }) => id)) // prettier-ignore
}

describe('completeness', () => {
  beforeAll(async () => {
    const attr = [{ nodePath: '/Standard/Boots', key: 'material', restriction: 'required' }, { nodePath: '/Standard/Boots', key: 'caption', restriction: 'required' }] // prettier-ignore
    const said = (...values: object[]) => ({ node: '/Standard/Boots', ...vals(text('code', 'AB1'), ...values) })
    const [leather, german] = [text('material', 'leather'), text('caption', 'Stiefel', 'de_DE')]
    const english = {
      attr: 'caption',
      itm: [
        { value: 'Stiefel', loc: 'de_DE' },
        { value: 'Boot', loc: 'en_GB' },
      ],
    }
    await products.persist(
      { tid: 'bare', name: 'bare', ...said() },
      { tid: 'german', name: 'german', ...said(leather, german) },
      { tid: 'full', name: 'full', ...said(leather, english) },
    )
    await send(`${pim}/attributes/persist`, { attrs: { attr } }, api.adminToken)
    await callsOf(api, cm, 'channels').persist({ tid: 'fair', name: 'fair', type: 'Webshop' })
    await perform.place({ kind: 'place', tid: 'german', verb: 'persist' }, 'fair')
    await perform.place({ kind: 'place', tid: 'full', verb: 'persist' }, 'fair')
    await settled()
  })
  const boots = field('classificationPath', 'EQ', '/Standard/Boots')
  const inLocale = (language: string) => ({ language, sortOptions: [{ attribute: 'completeness', direction: 'DESC' }] })

  test('sorts and filters by the language of the search', async () => {
    expect(await found('PRODUCT', boots, inLocale('en_GB'))).toEqual(['full', 'german', 'bare'])
    const ready = all(boots, field('completeness', 'GE', 100))
    expect(await found('PRODUCT', ready, inLocale('de_DE'))).toEqual(['german', 'full'])
    expect(await found('PRODUCT', ready, inLocale('fr_FR'))).toEqual([])
  })

  test('is counted in quarters and returned by locale', async () => {
    const { facets, items } = await find('PRODUCT', boots, {
      ...inLocale('en_GB'),
      aggregationEnabled: true,
      aggregationAttributes: ['completeness'],
      resultAttributes: ['completeness'],
    })
    type Range = { from?: number; to?: number; count: number }
    const counted = (facets[0].facets as Range[]).map(({ from, to, count }) => [from, to, count])
    expect(counted.filter(([, , count]) => count)).toEqual([[25, 50, 1], [50, 75, 1], [100, undefined, 1]]) // prettier-ignore
    expect((items as Item[]).map(({ attributes }) => attributes![0]!.value)).toEqual([100, 66, 33])
  })

  test('of placements finds products and channels that are incomplete', async () => {
    const lacking = (language: string) => ({
      join: {
        joinOn: 'places',
        search: { context: { index: 'CHANNEL_2_PRODUCT' }, language, query: all(field('channel', 'EQ', 'fair'), field('completeness', 'LT', 100)) }, // prettier-ignore
      },
    })
    expect(await found('PRODUCT', undefined, lacking('en_GB'))).toEqual(['german'])
    expect(await found('CHANNEL', undefined, lacking('en_GB'))).toEqual(['fair'])
    expect(await found('CHANNEL', undefined, lacking('de_DE'))).toEqual([])
    expect(await found('PRODUCT', field('places', 'EQ', 'fair'), {})).toEqual(['german', 'full'])
  })

  test('follows a definition whose values become required', async () => {
    const attr = [{ nodePath: '/Standard/Boots', key: 'weight' }]
    await send(`${pim}/attributes/persist`, { attrs: { attr } }, api.adminToken)
    await settled()
    await perform.define({ kind: 'define', tid: 'weight', required: 'required' })
    await settled()
    expect(await found('PRODUCT', all(boots, field('completeness', 'EQ', 75)), inLocale('en_GB'))).toEqual(['full'])
  })

  test('of placements takes the same number of statements for fifty as for one', async () => {
    const many = Array.from({ length: 50 }, (_, i) => `mass-${i}`)
    await products.persist(...many.map((tid) => jacket(tid, { node: '/Standard/Jackets/Rain' })))
    await callsOf(api, cm, 'channels').persist({ tid: 'mass', name: 'mass', type: 'Webshop' })
    const statementsFor = async (...placed: string[]) => {
      const itm = [...placed.map((value) => ({ key: 'productTid', value })), { key: 'projectTid', value: 'mass' }]
      const before = api.statements.length
      await send(`${common.base}/links/persist`, { links: { itms: [{ type: 'productToProject', itms: [{ itm }] }] } })
      await settled()
      return api.statements.slice(before).filter((one) => /from link l join peo|l\.created_at/.test(one)).length
    }
    // The two ends of a link may be announced together or one after the other, so placements are read once or twice.
    const inOneGo = 2
    const counts = [await statementsFor(many[0]!), await statementsFor(...many.slice(1))]
    for (const count of counts) expect([inOneGo, 2 * inOneGo]).toContain(count)
    expect(await found('CHANNEL_2_PRODUCT', field('channel', 'EQ', 'mass'), {}, undefined, 'product')).toHaveLength(50)
  })
})

test('equals the readiness of products, and of products in channels, after any changes', async () => {
  const inherited = ['weight', 'material'].map((key) => ({ nodePath: '/Standard/Jackets', key }))
  await send(`${pim}/attributes/persist`, { attrs: { attr: inherited } }, api.adminToken)
  for (const tid of tids) {
    await perform.extend({ kind: 'extend', tid, value: 'silk', loc: 'en_GB' })
    await perform.place({ kind: 'place', tid, verb: 'persist' })
  }
  const everywhere = [...tids, ...tids.map((one) => `${one}-a`)]
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
      for (const one of changes) await perform[one.kind](one as never)
      await settled()
      await expectFound('PRODUCT', 'tid', await reckoned({ productTids: everywhere }))
      const own = field('channel', 'IN', tids.map(channelOf))
      const placed = await found('CHANNEL_2_PRODUCT', own, {}, undefined, 'channel')
      if (placed.length > 0) await expectFound('CHANNEL_2_PRODUCT', 'channel', await reckoned({ tids: placed }))
    }),
    { numRuns: 40, endOnFailure: true },
  )
})
