/** Attributes of the types identifier, measure, price and richtext: in messages, searches, imports and exports. */
import { formats, Pim } from '@kontor/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, jacket, pim, productCalls, schemaVersion, simple, vals } from '../../../test/catalogue.ts'
import { formatNames, postIn } from '../../../test/common.ts'
import { all, field, fullText, searchCalls } from '../../../test/search.ts'
import { withServer } from '../../../test/server.ts'
import { transferCalls } from '../../../test/transfers.ts'

const api = withServer()
const { persist, retrieve, perform } = productCalls(api)
const { call, found, refused, rebuild, wait } = searchCalls(api)
const { run, rowsOf, exported } = transferCalls(api)
const named = (value: string) => ({ name: { itm: [{ value, loc: 'en_GB' }] } })

async function define(...attrDef: object[]) {
  const body = { schemaVersion, attrDefs: { attrDef } }
  const reply = await api.post(`${pim}/attribute-definitions/persist`, body, { token: api.adminToken })
  return (reply.json.responses.response as { status: string; description: string }[]).map(({ status, description }) =>
    status === 'SUCCESS' ? status : description,
  )
}
const textOf = async (tid: string, attr: string) =>
  ((await retrieve(tid))[0].vals.val as { attr: string; itm: { value: string }[] }[])
    .filter((val) => val.attr === attr)
    .flatMap(({ itm }) => itm.map(({ value }) => value))
    .join('|')

beforeAll(async () => {
  await createModel(api)
  const made = await define(
    {
      tid: 'mass',
      type: 'measure',
      format: { family: 'mass' },
      domainRange: { from: '1 g', to: '2 t' },
      ...named('Mass'),
    },
    { tid: 'warm', type: 'measure', format: { family: 'temperature' }, ...named('Comfort') },
    { tid: 'story', type: 'richtext', localized: 'true', ...named('Story') },
    { tid: 'cost', type: 'price', format: { unit: [{ code: 'EUR' }, { code: 'usd' }] }, ...named('Cost') },
    { tid: 'ean', type: 'identifier', format: { scheme: 'gtin', unique: 'true' }, ...named('EAN') },
    { tid: 'serial', type: 'identifier', validation: { type: '[A-Z]{2}-[0-9]+' }, ...named('Serial') },
  )
  expect(made).toEqual(Array(6).fill('SUCCESS'))
})

describe('a value', () => {
  test.each(['<p></p>', '<p>&nbsp;<br></p>', ' '])(
    'of formatted text without content is removed: %s',
    async (empty) => {
      const story = (value: string) => ({ attr: 'story', itm: [{ value, loc: 'en_GB' }, { value: '<p>Da</p>', loc: 'de_DE' }] }) // prettier-ignore
      await persist(jacket('blank', vals(story('<p>There</p>'))))
      expect((await persist(jacket('blank', vals(story(empty)))))[0]!.status).toBe('SUCCESS')
      expect(await textOf('blank', 'story')).toBe('<p>Da</p>')
    },
  )

  test.each(formatNames)('travels in %s as a text, and is stored again without a change', async (name) => {
    const tid = `travel-${name}`
    const gtin = { xml: '4006381333931', json: '96385074', compact: '036000291452' }[name]
    const product = jacket(
      tid,
      vals(simple('mass', '+01.50kg'), simple('cost', '$ 21.50;19.99 eur'), simple('ean', gtin)),
    )
    const sent = await postIn(api, name, `${pim}/products/persist`, Pim, {
      schemaVersion,
      products: { product: [product] },
    })
    expect(sent.text).toContain('SUCCESS')
    const { contentType: type, mediaType: accept } = formats[name]
    const read = await api.post(`${pim}/products/retrieve`, { tids: [tid] }, { accept })
    expect(read.text).toContain('1.5 kg')
    expect(read.text).not.toContain('measure') // the client need not know the type
    const again = await api.post(`${pim}/products/persist`, read.text, { type, accept })
    expect(again.text).toContain('SUCCESS')
    expect([await textOf(tid, 'mass'), await textOf(tid, 'cost')]).toEqual(['1.5 kg', '19.99 EUR; 21.5 USD'])
    const { entries } = (await api.post(`${pim}/products/history`, { tid })).json
    expect(entries).toHaveLength(1)
  })

  test.each(formatNames)('that is formatted text is sanitised, and travels in %s with its elements', async (name) => {
    const tid = `story-${name}`
    const story = { attr: 'story', type: 'localized', itm: [{ value: '<p>1 & <b onclick="x()">2</b></p><script>y()</script>', loc: 'en_GB' }] } // prettier-ignore
    const product = jacket(tid, vals(story))
    const sent = await postIn(api, name, `${pim}/products/persist`, Pim, { schemaVersion, products: { product: [product] } }) // prettier-ignore
    expect(sent.text).toContain('SUCCESS')
    const { contentType: type, mediaType: accept } = formats[name]
    const read = await api.post(`${pim}/products/retrieve`, { tids: [tid] }, { accept })
    expect((await api.post(`${pim}/products/persist`, read.text, { type, accept })).text).toContain('SUCCESS')
    expect(await textOf(tid, 'story')).toBe('<p>1 &amp; <strong>2</strong></p>')
    expect((await api.post(`${pim}/products/history`, { tid })).json.entries).toHaveLength(1)
  })

  test('is refused with the reason and the remedy', async () => {
    const records = await persist(
      jacket('bad1', vals(simple('mass', 'heavy'))),
      jacket('bad2', vals(simple('mass', '5 l'))),
      jacket('bad3', vals(simple('mass', '0.5 g'))),
      jacket('bad4', vals(simple('ean', '4006381333932'))),
      jacket('bad5', vals(simple('serial', 'x1'))),
      jacket('bad6', vals(simple('cost', '5 GBP'))),
      jacket('bad8', vals({ attr: 'story', itm: [{ value: '<script>x</script>', loc: 'en_GB' }] })),
      jacket('bad7', vals(simple('cost', '5 EUR; 6 EUR'))),
    )
    expect(records.map(({ description }) => description)).toEqual([
      expect.stringContaining('attribute mass: "heavy" is not an amount with a unit, such as 12.5 kg; expected one of the units kg, mg, g'),
      expect.stringContaining('"5 l" is not an amount with a unit'),
      'attribute mass: 0.5 g is below 1 g, the least value allowed',
      'attribute ean: "4006381333932" is not a GTIN of 8, 12, 13 or 14 digits; its check digit is wrong: 400638133393 needs 1; correct the number',
      'attribute serial: "x1" does not match [A-Z]{2}-[0-9]+',
      'attribute cost: "5 GBP" is not a price such as 12.5 EUR; expected at most one amount in each of EUR, USD, separated by ;',
      'attribute story: "<script>x</script>" is not formatted text (HTML) with something to read',
      expect.stringContaining('"5 EUR; 6 EUR" is not a price'),
    ]) // prettier-ignore
  })
})

describe('a unique identifier', () => {
  test('is refused for a second product, article or variation, in a batch and alone', async () => {
    const one = jacket('u1', vals(simple('ean', '9783161484100')))
    const article = { tid: 'u2-a', name: 'Article', vals: { val: [simple('ean', '978-3161484100')] } }
    const records = await persist(one, jacket('u2', { articles: { article: [article] } }), jacket('u3'))
    expect(records.map(({ status }) => status)).toEqual(['SUCCESS', 'ERROR', 'SUCCESS'])
    expect(records[1]!.description).toBe('attribute ean: the value 9783161484100 is taken by another product, article or variation') // prettier-ignore
    const [alone] = await persist({ tid: 'u3', ...vals(simple('ean', '9783161484100')) })
    expect(alone!.status).toBe('ERROR')
  })

  test('is free again when its product is changed or deleted, and may change places in one batch', async () => {
    await persist(jacket('f1', vals(simple('ean', '5901234123457'))), jacket('f2', vals(simple('ean', '73513537'))))
    const swapped = await persist(
      { tid: 'f1', ...vals(simple('ean', '73513537')) },
      { tid: 'f2', ...vals(simple('ean', '5901234123457')) },
    )
    expect(swapped.map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS'])
    await perform({ type: 'delete', tid: 'f2' })
    const [taken] = await persist(jacket('f3', vals(simple('ean', '5901234123457'))))
    expect(taken!.status).toBe('SUCCESS')
  })

  test('is given once when two requests want it at the same time', async () => {
    const wanting = ['r1', 'r2', 'r3', 'r4'].map((tid) => persist(jacket(tid, vals(simple('ean', '4012345678901')))))
    const statuses = (await Promise.all(wanting)).map(([record]) => record!.status)
    expect(statuses.toSorted()).toEqual(['ERROR', 'ERROR', 'ERROR', 'SUCCESS'])
  })

  test('cannot be demanded while values repeat, and holds for existing values afterwards', async () => {
    const free = { tid: 'lot', type: 'identifier', ...named('Lot') }
    expect(await define(free)).toEqual(['SUCCESS'])
    await persist(jacket('l1', vals(simple('lot', 'A'))), jacket('l2', vals(simple('lot', 'A'))))
    const unique = { ...free, format: { unique: 'true' } }
    expect(await define(unique)).toEqual([
      'format: 2 products, articles or variations (l1, l2) share a value with another one; correct these values first',
    ])
    await persist({ tid: 'l2', ...vals(simple('lot', 'B')) })
    expect(await define(unique)).toEqual(['SUCCESS'])
    const [second] = await persist(jacket('l3', vals(simple('lot', 'A'))))
    expect(second!.description).toContain('attribute lot: the value A is taken')
    expect(await define({ ...free, format: {} })).toEqual(['SUCCESS'])
    const [allowed] = await persist(jacket('l4', vals(simple('lot', 'A'))))
    expect(allowed!.status).toBe('SUCCESS')
  })
})

describe('a definition', () => {
  test('is refused with a format that does not fit', async () => {
    const refusals = await define(
      { tid: 'b1', type: 'measure', ...named('B') },
      { tid: 'b2', type: 'measure', format: { family: 'love' }, ...named('B') },
      { tid: 'b5', type: 'price', ...named('B') },
      { tid: 'b6', type: 'price', format: { unit: [{ code: 'XXX' }] }, ...named('B') },
      { tid: 'b3', type: 'text', format: { family: 'mass' }, ...named('B') },
      { tid: 'b4', type: 'measure', format: { family: 'mass' }, domainRange: { from: '5 l' }, ...named('B') },
    )
    expect(refusals).toEqual([
      expect.stringContaining('format: a measure needs a family of units; expected family to be one of mass, length'),
      expect.stringContaining('format: no unit is of the family love'),
      expect.stringContaining('format: a price needs its currencies; expected unit with code to be one of AUD, CAD'),
      expect.stringContaining('format: XXX is not a known currency'),
      'format: family is for attributes of type measure, this is a text; remove it',
      'domainRange: 5 l is not an amount with a unit, such as 12.5 kg',
    ])
  })

  test('keeps its family, scheme and currencies while it has values', async () => {
    await persist(jacket('kept', vals(simple('warm', '20 °C'), simple('serial', 'AB-1'), simple('cost', '1 USD'))))
    const [currency, family, scheme] = await define(
      { tid: 'cost', type: 'price', format: { unit: [{ code: 'EUR' }] }, ...named('Cost') },
      { tid: 'warm', type: 'measure', format: { family: 'mass' }, ...named('Comfort') },
      { tid: 'serial', type: 'identifier', format: { scheme: 'gtin' }, ...named('Serial') },
    )
    expect(currency).toContain('prices in USD would be lost')
    expect(family).toContain('amounts would need a unit of mass, but 1 products, articles or variations (kept) have')
    expect(scheme).toContain('values would have to be a gtin')
  })

  test('of an asset is a measure too, but its identifiers are not unique', async () => {
    const attrDef = [
      { tid: 'duration', type: 'measure', format: { family: 'time' }, ...named('Duration') },
      { tid: 'number', type: 'identifier', format: { unique: 'true' }, ...named('Number') },
    ]
    const path = '/api/core/v1/dam/admin/attribute-definitions/persist'
    const { json } = await api.post(path, { schemaVersion, attrDefs: { attrDef } }, { token: api.adminToken })
    expect(json.responses.response).toMatchObject([
      { status: 'SUCCESS' },
      { status: 'ERROR', description: 'format: only attributes of products can be unique; remove unique' },
    ])
  })

  test('is hidden from a role that may not see the attribute, with its values and its search field', async () => {
    await persist(jacket('secret', vals(simple('mass', '7 kg'), simple('ean', '4000001000012'))))
    const grants = [{ kind: '*', actions: ['read', 'update'], visibleAttributes: { except: ['mass'] }, editableAttributes: { except: ['mass', 'ean'] } }] // prettier-ignore
    await api.post('/api/v1/identity/roles/narrow', { grants }, { method: 'PUT', token: api.adminToken })
    const token = await api.tokenFor({ name: 'narrow', roles: ['narrow'] })
    const { text } = await api.post(`${pim}/products/retrieve`, { tids: ['secret'] }, { token })
    expect([text.includes('7 kg'), text.includes('4000001000012')]).toEqual([false, true])
    const hidden = await api.post(`${pim}/attribute-definitions/retrieve`, { tids: ['mass'] }, { token })
    expect(hidden.status).toBe(404)
    const product = [{ tid: 'secret', ...vals(simple('ean', '73513537')) }]
    const refusal = await api.post(`${pim}/products/persist`, { schemaVersion, products: { product } }, { token })
    expect(refusal.json.responses.response[0].description).toContain('your roles do not allow it')
  })
})

describe('a search', () => {
  beforeAll(async () => {
    const made = await persist(
      jacket(
        's1',
        vals(
          { attr: 'story', itm: [{ value: '<p>Very <strong>waterproof</strong></p>', loc: 'en_GB' }] },
          simple('mass', '1200 g'),
          simple('cost', '5 EUR; 9 USD'),
          simple('warm', '50 °F'),
        ),
      ),
      jacket('s2', vals(simple('mass', '0.9 kg'), simple('cost', '10.5 EUR'), simple('warm', '9 °C'))),
      jacket('s3', vals(simple('mass', '0.05 t'), simple('warm', '285 K'), simple('ean', '4000001000005'))),
    )
    await rebuild('PRODUCT')
    await wait('PRODUCT', ...made.map(({ id }) => id))
  }, 200_000)
  const ours = (...queries: object[]) => all(field('tid', 'IN', ['s1', 's2', 's3']), ...queries)

  test('filters and sorts a measure by its amount in the base unit', async () => {
    const heaviest = { sortOptions: [{ attribute: 'mass', direction: 'DESC' }] }
    expect(await found('PRODUCT', ours(), heaviest)).toEqual(['s3', 's1', 's2'])
    expect(await found('PRODUCT', ours(field('mass', 'GE', 1.2)), heaviest)).toEqual(['s3', 's1'])
    expect(await found('PRODUCT', ours(field('mass', 'LT', '1000 g')))).toEqual(['s2'])
    expect(await found('PRODUCT', ours(field('mass', 'EQ', '1.2kg')))).toEqual(['s1'])
    const mild = ours(field('warm', 'GT', '9.5 °C'), field('warm', 'LE', '54 °F'))
    expect((await found('PRODUCT', mild)).toSorted()).toEqual(['s1', 's3'])
    expect(await found('PRODUCT', ours(field('ean', 'EQ', '4000001000005')))).toEqual(['s3'])
  })

  test('finds the words of formatted text, not its elements', async () => {
    expect(await found('PRODUCT', ours(fullText('waterproof')))).toEqual(['s1'])
    expect(await found('PRODUCT', ours(fullText('strong')))).toEqual([])
  })

  test('filters and sorts a price by each of its currencies', async () => {
    const cheapest = { sortOptions: [{ attribute: 'cost/EUR' }], resultAttributes: ['tid', 'cost/USD'] }
    expect(await found('PRODUCT', ours(field('cost/EUR', 'IS_NOT_EMPTY')), cheapest)).toEqual(['s1', 's2'])
    expect(await found('PRODUCT', ours(field('cost/EUR', 'GT', 5)))).toEqual(['s2'])
    expect(await found('PRODUCT', ours(field('cost/USD', 'EQ', 9)), {}, undefined, 'cost/USD')).toEqual([9])
  })

  test('names the base unit of a field, and the units that a wrong condition may have', async () => {
    const { fields } = await call('/fields', { index: 'PRODUCT', fields: ['mass', 'ean'] })
    expect(fields).toMatchObject([{ fieldType: 'number', unit: 'kg', sortable: true }, { fieldType: 'keyword' }])
    const wrong = { context: { searchType: 'INDEX', index: 'PRODUCT' }, query: field('mass', 'GT', '5 l') }
    const [status, message] = await refused(wrong)
    expect([status, message]).toEqual([400, expect.stringContaining('"5 l" is not a number in kg, or an amount in one of kg, mg, g')]) // prettier-ignore
  })
})

describe('a table', () => {
  beforeAll(() => api.startWorker())

  test('is imported with amounts in several notations, and exported as it is stored', async () => {
    const profile = {
      decimal: ',',
      columns: [
        { column: 'Weight', attr: 'mass', unit: 'g' },
        { column: 'Temp', attr: 'warm' },
        { column: 'Price', attr: 'cost', unit: 'EUR' },
      ],
    }
    expect((await api.post('/api/v1/transfers/profiles/amounts', profile, { method: 'PUT' })).status).toBe(200)
    const table = 'tid,name,node,Weight,Temp,Price\nt1,T1,/Standard/Jackets,"1,5 kg","12,5 °C","7,50"\nt2,T2,/Standard/Jackets,250,,"3 EUR; $4,25"\nt3,T3,/Standard/Jackets,4 l,,\n' // prettier-ignore
    const { id, problem } = await run(table, 'name=x.csv&profile=amounts')
    expect(problem).toBeUndefined()
    const rows = (await rowsOf(id)) as { status: string; faults?: { column: string; reason: string }[] }[]
    expect(rows.map(({ status }) => status)).toEqual(['created', 'created', 'refused'])
    expect(rows[2]!.faults).toEqual([{ column: 'Weight', reason: expect.stringContaining('"4 l" is not an amount') }])
    expect([await textOf('t1', 'mass'), await textOf('t2', 'mass'), await textOf('t1', 'warm')]).toEqual(['1.5 kg', '250 g', '12.5 °C']) // prettier-ignore
    const plain = await exported({ format: 'csv', tids: ['t1', 't2'], columns: ['tid', 'mass', 'cost'] })
    expect(plain.toString().trim().split('\r\n')).toEqual(['\ufefftid,mass,cost'.trim(), 't1,1.5 kg,7.5 EUR', 't2,250 g,3 EUR; 4.25 USD']) // prettier-ignore
    const inProfile = await exported({
      format: 'csv',
      tids: ['t1', 't2'],
      columns: ['tid', 'Weight', 'Price'],
      profile: 'amounts',
    })
    expect(inProfile.toString().trim().split('\r\n').slice(1)).toEqual(['t1,1500,"7,5"', 't2,250,3'])
  })

  test('has own units and units with digits in its notation, and is exported in them', async () => {
    const unit = (code: string, factor: number, family: string) =>
      api.post(`/api/core/v1/common/units/${code}`, { kind: 'measure', family, factor }, { method: 'PUT', token: api.adminToken }) // prettier-ignore
    expect([(await unit('stone', 6.35, 'mass')).status, (await unit('roll', 1, 'wallpaper')).status]).toEqual([
      200, 200,
    ])
    expect((await unit('box', 12, 'wallpaper')).status).toBe(200)
    const made = await define(
      { tid: 'rolls', type: 'measure', format: { family: 'wallpaper' }, ...named('Rolls') },
      { tid: 'space', type: 'measure', format: { family: 'area' }, ...named('Space') },
    )
    expect(made).toEqual(['SUCCESS', 'SUCCESS'])
    const columns = [
      { column: 'Stones', attr: 'mass', unit: 'stone' },
      { column: 'Boxes', attr: 'rolls', unit: 'box' },
      { column: 'Space', attr: 'space' },
    ]
    await api.post('/api/v1/transfers/profiles/own', { decimal: ',', columns }, { method: 'PUT' })
    const table = 'tid,name,node,Stones,Boxes,Space\nown1,O1,/Standard/Jackets,"12,7 kg",18 roll,"12,5 m2"\nown2,O2,/Standard/Jackets,3,"1,5",2 cm3\n' // prettier-ignore
    const { id } = await run(table, 'name=x.csv&profile=own')
    expect(((await rowsOf(id)) as { status: string }[]).map(({ status }) => status)).toEqual(['created', 'refused'])
    expect([await textOf('own1', 'rolls'), await textOf('own1', 'space')]).toEqual(['18 roll', '12.5 m²'])
    const written = await exported({ format: 'csv', tids: ["own1"], columns: ["tid", "Stones", 'Boxes', 'Space'], profile: 'own' }) // prettier-ignore
    expect(written.toString().trim().split('\r\n')[1]).toBe(`own1,2,"1,5","12,5 m²"`)
  })
})
