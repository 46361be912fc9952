import { buffer } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { createModel, jacket, productCalls, simple, vals } from '../../test/catalogue.ts'
import { type TestServer, withServer } from '../../test/server.ts'
import { transferCalls } from '../../test/transfers.ts'

const api = withServer()
const { persist, retrieve } = productCalls(api)
const { run, rowsOf, previewOf, exported, send, resultOf } = transferCalls(api)
/** Another installation without any model. */
const fresh = withServer()
const asAdmin: TestServer = Object.create(fresh, {
  post: { value: ((path, body, more) => fresh.post(path, body, { token: fresh.adminToken, ...more })) satisfies TestServer['post'] }, // prettier-ignore
  get: { value: ((path, more) => fresh.get(path, { token: fresh.adminToken, ...more })) satisfies TestServer['get'] },
})
const elsewhere = { ...transferCalls(asAdmin), ...productCalls(asAdmin) }

beforeAll(async () => {
  await createModel(api)
  await api.startWorker()
  await fresh.startWorker()
})

const putProfile = async (name: string, body: object) => {
  const reply = await api.post(`/api/v1/transfers/profiles/${name}`, body, { method: 'PUT' })
  expect(reply.status, reply.text).toBe(200)
}
const valuesOf = async (tid: string): Promise<Record<string, unknown>> => {
  const [product] = await retrieve(tid)
  return Object.fromEntries((product.vals?.val ?? []).map(({ attr, itm, i18N }: { attr: string; itm?: { value: string; loc?: string }[]; i18N?: unknown }) => [attr, i18N ?? itm!.map(({ value, loc }) => (loc ? `${loc} ${value}` : value)).join('|')])) // prettier-ignore
}

const catalogue = (transaction: string, content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<BMECAT version="2005" xmlns="http://www.bmecat.org/bmecat/2005fd"><HEADER><CATALOG><LANGUAGE default="true">deu</LANGUAGE><LANGUAGE>eng</LANGUAGE><CATALOG_ID>C1</CATALOG_ID><CATALOG_VERSION>1.0</CATALOG_VERSION><CURRENCY>EUR</CURRENCY></CATALOG><SUPPLIER><SUPPLIER_NAME>Supplier</SUPPLIER_NAME></SUPPLIER></HEADER>
<${transaction}>${content}</${transaction}></BMECAT>`
const groups = `<CATALOG_GROUP_SYSTEM><GROUP_SYSTEM_ID>1</GROUP_SYSTEM_ID>
<CATALOG_STRUCTURE type="root"><GROUP_ID>1</GROUP_ID><GROUP_NAME lang="deu">Standard</GROUP_NAME><PARENT_ID>0</PARENT_ID></CATALOG_STRUCTURE>
<CATALOG_STRUCTURE type="leaf"><GROUP_ID>77</GROUP_ID><GROUP_NAME lang="deu">Jackets</GROUP_NAME><PARENT_ID>1</PARENT_ID></CATALOG_STRUCTURE></CATALOG_GROUP_SYSTEM>`
const put = (pid: string) =>
  `<PRODUCT_TO_CATALOGGROUP_MAP><PROD_ID>${pid}</PROD_ID><CATALOG_GROUP_ID>77</CATALOG_GROUP_ID></PRODUCT_TO_CATALOGGROUP_MAP>`
const feature = (name: string, values: string) => `<FEATURE><FNAME>${name}</FNAME>${values}</FEATURE>`
const product = (pid: string, inside: string, mode = 'new') => `<PRODUCT mode="${mode}"><SUPPLIER_PID>${pid}</SUPPLIER_PID>${inside}</PRODUCT>` // prettier-ignore
const coat = product(
  'B1',
  `<PRODUCT_DETAILS><DESCRIPTION_SHORT lang="deu">Mantel</DESCRIPTION_SHORT><DESCRIPTION_SHORT lang="eng">Coat</DESCRIPTION_SHORT><DESCRIPTION_LONG lang="deu">Warmer Mantel</DESCRIPTION_LONG><DESCRIPTION_LONG lang="eng">Warm coat</DESCRIPTION_LONG><INTERNATIONAL_PID type="ean">4012345678901</INTERNATIONAL_PID></PRODUCT_DETAILS>
  <PRODUCT_FEATURES><REFERENCE_FEATURE_SYSTEM_NAME>ETIM-9.0</REFERENCE_FEATURE_SYSTEM_NAME><REFERENCE_FEATURE_GROUP_ID>EC000001</REFERENCE_FEATURE_GROUP_ID>
  ${feature('EF000008', '<FVALUE>12.5</FVALUE><FUNIT>KGM</FUNIT>')}${feature('Material', '<FVALUE>Wolle</FVALUE>')}${feature('sizes', '<FVALUE>S</FVALUE><FVALUE>M|L</FVALUE>')}${feature('color', '<FVALUE>red</FVALUE>')}${feature('EF999999', '<FVALUE>x</FVALUE>')}</PRODUCT_FEATURES>
  <PRODUCT_ORDER_DETAILS><ORDER_UNIT>C62</ORDER_UNIT></PRODUCT_ORDER_DETAILS><PRODUCT_PRICE_DETAILS><PRODUCT_PRICE price_type="net_list"><PRICE_AMOUNT>99.5</PRICE_AMOUNT></PRODUCT_PRICE></PRODUCT_PRICE_DETAILS>
  <MIME_INFO><MIME><MIME_SOURCE>pics\\Front.TXT</MIME_SOURCE><MIME_PURPOSE>normal</MIME_PURPOSE></MIME><MIME><MIME_SOURCE>gone.txt</MIME_SOURCE></MIME></MIME_INFO>`,
)
const columns = [
  { column: 'DESCRIPTION_LONG', attr: 'caption' },
  { column: 'EF000008', attr: 'weight' },
  { column: 'MIME_normal', field: 'asset', linkType: 'Main_Image' },
  { column: 'ORDER_UNIT', field: 'ignore' },
]

describe('a catalogue of BMEcat', () => {
  test('is recognised by its root; features, languages, files and categories find their place, the rest is reported', async () => {
    await putProfile('trade', { columns })
    const zip = new ZipFile()
    zip.addBuffer(Buffer.from(catalogue('T_NEW_CATALOG', `${groups}${coat}${put('B1')}`)), 'catalog.xml')
    zip.addBuffer(Buffer.from('front'), 'images/pics/front.txt')
    zip.end()
    const done = await run(await buffer(zip.outputStream), 'name=c.zip&profile=trade')
    expect(done, done.problem).toMatchObject({ state: 'finished', layout: 'bmecat', created: 1, refused: 0 })
    const [found] = await retrieve('B1')
    expect(found).toMatchObject({ name: 'Mantel', node: '/Standard/Jackets' })
    expect(found.links.itms).toMatchObject([{ type: 'assetToProduct', itms: [{ type: 'Main_Image', itm: [{ key: 'assetTid' }] }] }]) // prettier-ignore
    expect(await valuesOf('B1')).toEqual({
      caption: 'de_DE Warmer Mantel|en_GB Warm coat',
      weight: '12.5',
      material: 'Wolle',
      sizes: 'S|M|L',
      color: 'Red',
    })
    const places = done.notes.map(({ place }: { place: string }) => place)
    for (const place of [
      'EF999999',
      'EF000008_UNIT',
      'INTERNATIONAL_PID',
      'PRICE_net_list',
      'DESCRIPTION_SHORT@eng',
      'MIME_others',
      'REFERENCE_FEATURE_GROUP_ID_ETIM',
    ])
      // prettier-ignore
      expect(places).toContain(place)
    expect(places).not.toContain('ORDER_UNIT')
    expect(done.notes.find(({ place }: { place: string }) => place === 'EF999999')).toEqual({ place: 'EF999999', count: 1, reason: expect.stringContaining('no attribute has this tid or name') }) // prettier-ignore
    const { columns: shown, notes } = await previewOf(done.id)
    expect(shown).toContainEqual({ column: 'DESCRIPTION_LONG@deu', meaning: 'caption@de_DE' })
    expect(notes).toEqual(done.notes)
  })

  test('updates prices and products, and deletes only if the profile allows it', async () => {
    await persist(jacket('B2'), jacket('B3', { name: 'Stays' }))
    await putProfile('prices', { columns: [{ column: 'PRICE_net_list', attr: 'weight' }] })
    const price = (pid: string, amount: string) => `<PRODUCT><SUPPLIER_PID>${pid}</SUPPLIER_PID><PRODUCT_PRICE_DETAILS><PRODUCT_PRICE price_type="net_list"><PRICE_AMOUNT>${amount}</PRICE_AMOUNT></PRODUCT_PRICE></PRODUCT_PRICE_DETAILS></PRODUCT>` // prettier-ignore
    const prices = catalogue('T_UPDATE_PRICES', price('B2', '7.5') + price('NONE', '1') + price('B3', 'ask'))
    const done = await run(prices, 'name=p.xml&profile=prices')
    expect(done, done.problem).toMatchObject({ updated: 1, created: 0, refused: 2 })
    expect(await valuesOf('B2')).toEqual({ weight: '7.5' })
    expect((await retrieve('B2'))[0]).toMatchObject({ name: 'Jacket B2', node: '/Standard/Jackets' })
    expect(await rowsOf(done.id)).toMatchObject([{ status: 'updated' }, { status: 'refused', faults: [{ reason: expect.stringContaining('a new product needs node') }] }, { faults: [{ column: 'PRICE_net_list' }] }]) // prettier-ignore
    expect(await resultOf(done.id)).toContain('3,B3,refused')

    const gone = catalogue('T_UPDATE_PRODUCTS', product('B2', '', 'delete') + product('NONE', '', 'delete'))
    const refused = await run(gone, 'name=d.xml')
    expect(refused).toMatchObject({ refused: 2, deleted: 0 })
    expect((await rowsOf(refused.id))[0].faults[0].reason).toContain('allow it with deletions in a profile')
    await putProfile('gone', { deletions: 'delete' })
    expect(await run(gone, 'name=d.xml&profile=gone')).toMatchObject({
      deleted: 1,
      refused: 1,
      objects: { deleted: 1 },
    })
    expect((await api.post('/api/core/v1/pim/products/retrieve', { tids: ['B2'] })).status).toBe(404)
    const { json } = await send(gone, 'name=d.xml&profile=gone')
    expect((await previewOf(json.id)).rows[0].faults[0].reason).toContain('no product has the tid B2')
  })

  test('deletes, and never updates instead, also with a profile that has constants or a notation', async () => {
    await persist(jacket('B7'))
    const gone = catalogue('T_UPDATE_PRODUCTS', product('B7', '', 'delete'))
    const constants = { node: '/Standard/Jackets' }
    await putProfile('kept', { constants, decimal: ',' })
    expect(await run(gone, 'name=d.xml&profile=kept')).toMatchObject({ refused: 1 })
    await putProfile('kept', { constants, decimal: ',', deletions: 'delete' })
    expect(await run(gone, 'name=d.xml&profile=kept')).toMatchObject({ deleted: 1 })
  })

  test('refuses a product without its number, which would be another product each time', async () => {
    const named = '<PRODUCT_DETAILS><DESCRIPTION_SHORT>Nameless</DESCRIPTION_SHORT></PRODUCT_DETAILS>'
    await putProfile('jackets', { constants: { node: '/Standard/Jackets' } })
    const done = await run(
      catalogue('T_NEW_CATALOG', product('', named) + product('B8', named.replace('less', 'd'))),
      'name=n.xml&profile=jackets',
    )
    expect(done, done.problem).toMatchObject({ created: 1, refused: 1 })
    expect((await rowsOf(done.id))[0].faults).toEqual([{ column: 'SUPPLIER_PID', reason: 'the SUPPLIER_PID is missing, so the product cannot be found again; add it' }]) // prettier-ignore
  })

  test('with several values for an attribute that holds one, and in an unknown category, is refused by row', async () => {
    const two = product('B5', `<PRODUCT_DETAILS><DESCRIPTION_SHORT>Five</DESCRIPTION_SHORT></PRODUCT_DETAILS><PRODUCT_FEATURES>${feature('material', '<FVALUE>a</FVALUE><FVALUE>b</FVALUE>')}</PRODUCT_FEATURES>`) // prettier-ignore
    const lost = product('B6', '<PRODUCT_DETAILS><DESCRIPTION_SHORT>Six</DESCRIPTION_SHORT></PRODUCT_DETAILS>')
    const done = await run(catalogue('T_NEW_CATALOG', `${groups}${two}${lost}${put('B5')}${put('B6').replace('>77<', '>78<')}`), 'name=x.xml') // prettier-ignore
    expect(done, done.problem).toMatchObject({ created: 0, refused: 2 })
    const [first, second] = await rowsOf(done.id)
    expect(first.faults).toEqual([{ column: 'material', reason: expect.stringContaining('material has 2 values, but the attribute material holds one') }]) // prettier-ignore
    expect(second.faults).toEqual([{ column: 'CATALOG_GROUP_ID (node)', reason: expect.stringContaining('no node has the name or tid 78') }]) // prettier-ignore
  })

  test('goes around: an export has the same values in a fresh installation that creates the model', async () => {
    const article = { tid: 'R1a', name: 'Red', ...vals(simple('color', 'red')), variants: { variant: [{ tid: 'R1a1', name: 'Red S', ...vals(simple('code', 'AB1')) }] } } // prettier-ignore
    await persist(
      jacket('R1', {
        name: 'A name with <signs> & "quotes"',
        ...vals(
          simple('material', 'x'.repeat(70)),
          simple('weight', '12.5'),
          simple('washable', 'true'),
          { attr: 'caption', itm: [{ value: 'Warm', loc: 'en_GB' }, { value: 'Wärmer\r\nals warm', loc: 'de_DE' }] }, // prettier-ignore
          { attr: 'sizes', itm: [{ value: 'S', pos: 0 }, { value: 'M|L', pos: 1 }] }, // prettier-ignore
          { attr: 'notes', i18N: [{ loc: 'en_GB', itm: [{ value: 'one', pos: 0 }, { value: 'two', pos: 1 }] }] }, // prettier-ignore
        ),
        articles: { article: [article] },
      }),
      jacket('R2', { name: 'Long '.repeat(40).trim(), node: '/Standard/Jackets/Rain' }),
    )
    const file = (await exported({ format: 'xml', layout: 'bmecat', tids: ['R1', 'R2'] })).toString()
    expect(file).toContain('<BMECAT version="2005.2" xmlns="http://www.bmecat.org/bmecat/2005.2">')
    const done = await elsewhere.run(file, 'name=r.xml&createModel=true')
    expect(done, done.problem).toMatchObject({ state: 'finished', refused: 0, objects: { created: 2 } })
    const [one, two] = await elsewhere.retrieve('R1', 'R2')
    expect([one.name, one.node, two.name, two.node]).toEqual(['A name with <signs> & "quotes"', '/Standard/Jackets', 'Long '.repeat(40).trim(), '/Standard/Jackets/Rain']) // prettier-ignore
    const own = (found: { vals?: { val: { attr: string; itm?: { value: string; loc?: string }[]; i18N?: object }[] } }) =>
      Object.fromEntries((found.vals?.val ?? []).map(({ attr, itm, i18N }) => [attr, i18N ?? itm!.map(({ value, loc }) => ({ value, loc }))])) // prettier-ignore
    const [before] = await retrieve('R1')
    const { ORDER_UNIT: _unit, ...values } = own(one)
    expect(values).toEqual(own(before))
    expect(one.articles.article[0]).toMatchObject({ tid: 'R1a', name: 'Red', variants: { variant: [{ tid: 'R1a1', name: 'Red S' }] } }) // prettier-ignore
    expect(await elsewhere.run(file, 'name=r.xml')).toMatchObject({ objects: { created: 0, updated: 0, unchanged: 2 } })
  })

  test('keeps prices by currency and measures by unit, in the elements and codes of the trade', async () => {
    const defined = (tid: string, type: string, format: object) => ({ tid, type, format, name: { itm: [{ value: tid, loc: 'en_GB' }] } }) // prettier-ignore
    const attrDef = [
      defined('PRICE_net_list', 'price', { unit: [{ code: 'EUR' }, { code: 'USD' }] }),
      defined('PRICE_nrp', 'price', { unit: [{ code: 'EUR' }] }),
      defined('netMass', 'measure', { family: 'mass' }),
    ]
    const model = ['/api/core/v1/pim/attribute-definitions/persist', { schemaVersion: '5.6.0', attrDefs: { attrDef } }] as const // prettier-ignore
    expect((await api.post(...model, { token: api.adminToken })).text).not.toContain('ERROR')
    const own = [simple('PRICE_net_list', '19.99 EUR; 21.5 USD'), simple('PRICE_nrp', '25 EUR'), simple('netMass', '0.82 kg')] // prettier-ignore
    await persist(jacket('PM1', vals(...own)))
    const file = (await exported({ format: 'xml', layout: 'bmecat', tids: ['PM1'] })).toString()
    for (const part of [
      '<PRODUCT_PRICE price_type="net_list"><PRICE_AMOUNT>19.99</PRICE_AMOUNT><PRICE_CURRENCY>EUR</PRICE_CURRENCY></PRODUCT_PRICE>',
      '<PRODUCT_PRICE price_type="net_list"><PRICE_AMOUNT>21.5</PRICE_AMOUNT><PRICE_CURRENCY>USD</PRICE_CURRENCY></PRODUCT_PRICE>',
      '<PRODUCT_PRICE price_type="nrp"><PRICE_AMOUNT>25</PRICE_AMOUNT><PRICE_CURRENCY>EUR</PRICE_CURRENCY></PRODUCT_PRICE>',
      '<FEATURE><FNAME>netMass</FNAME><FVALUE>0.82</FVALUE><FUNIT>KGM</FUNIT></FEATURE>',
    ])
      expect(file).toContain(part)
    expect(file).not.toContain('on_request')
    // Its own file changes nothing; in another system with these attributes it brings the same values.
    const again = await run(file, 'name=r.xml')
    expect(again).toMatchObject({ updated: 0, unchanged: 1, refused: 0 })
    expect(again.notes.map(({ place }: { place: string }) => place)).toEqual(['ORDER_UNIT'])
    expect((await asAdmin.post(...model)).text).not.toContain('ERROR')
    const done = await elsewhere.run(file, 'name=r.xml&createModel=true')
    expect(done, done.problem).toMatchObject({ refused: 0, objects: { created: 1 } })
    const [{ vals: found }] = await elsewhere.retrieve('PM1')
    const attributes = found.val.map(({ attr, itm }: { attr: string; itm: { value: string }[] }) => [attr, itm[0]!.value]) // prettier-ignore
    expect(Object.fromEntries(attributes)).toEqual({ PRICE_net_list: '19.99 EUR; 21.5 USD', PRICE_nrp: '25 EUR', netMass: '0.82 kg', ORDER_UNIT: 'C62' }) // prettier-ignore
  })

  test('in several currencies brings the first price to a number, and says so', async () => {
    await persist(jacket('PM2'))
    await putProfile('first', { columns: [{ column: 'PRICE_net_customer', attr: 'weight' }] })
    const amount = (value: string, currency: string) => `<PRODUCT_PRICE price_type="net_customer"><PRICE_AMOUNT>${value}</PRICE_AMOUNT><PRICE_CURRENCY>${currency}</PRICE_CURRENCY></PRODUCT_PRICE>` // prettier-ignore
    const price = `<PRODUCT><SUPPLIER_PID>PM2</SUPPLIER_PID><PRODUCT_PRICE_DETAILS>${amount('1', 'EUR')}${amount('2', 'USD')}${amount('3', 'EUR')}</PRODUCT_PRICE_DETAILS></PRODUCT>` // prettier-ignore
    const done = await run(catalogue('T_UPDATE_PRICES', price), 'name=p.xml&profile=first')
    expect(await valuesOf('PM2')).toEqual({ weight: '1' })
    expect(done.notes).toMatchObject([
      { place: 'PRICE_net_customer', reason: expect.stringContaining('for the same case') },
      { place: 'PRICE_net_customer', reason: expect.stringContaining('several currencies') },
      { place: 'PRICE_CURRENCY' },
    ])
  })

  test('has numbers of at most 32 characters: a longer tid is refused by name, unless a profile gives the number', async () => {
    const uuid = '5e8c4c0e-3b6b-4d1c-9a5e-0a2f1b3c4d5e'
    await persist(jacket(uuid, { name: 'Numbered', ...vals(simple('code', 'AB12')), articles: { article: [{ tid: 'N1a', name: 'Red' }] } })) // prettier-ignore
    const order = { format: 'xml', layout: 'bmecat', tids: [uuid] }
    const { json } = await api.post('/api/v1/transfers/exports', order)
    await expect
      .poll(async () => (await api.get(`/api/v1/transfers/${json.id}`)).json.problem)
      .toContain(`at most 32 characters, but the tid ${uuid} has 36; give the column SUPPLIER_PID an attribute`)
    await putProfile('numbers', { layout: 'bmecat', columns: [{ column: 'SUPPLIER_PID', attr: 'code' }] })
    const file = (await exported({ ...order, layout: undefined, profile: 'numbers' })).toString()
    expect(file).not.toContain(uuid)
    expect(file.match(/<(SUPPLIER_PID|PROD_ID|PROD_ID_TO)>.*?<\/\1>/g)).toEqual([
      '<SUPPLIER_PID>AB12</SUPPLIER_PID>',
      '<SUPPLIER_PID>N1a</SUPPLIER_PID>',
      '<PROD_ID_TO>AB12</PROD_ID_TO>',
      '<PROD_ID>AB12</PROD_ID>',
    ])
    expect(file).toContain('<BUYER><BUYER_NAME>-</BUYER_NAME></BUYER>')
    const done = await elsewhere.run(file, 'name=n.xml&createModel=true')
    expect(done, done.problem).toMatchObject({ refused: 0, objects: { created: 1 } })
    expect((await elsewhere.retrieve('AB12'))[0].articles.article).toMatchObject([{ tid: 'N1a' }])
  })

  test.each(['utf16le', 'utf16be'])('is recognised in %s, too', async (encoding) => {
    const text = catalogue('T_NEW_CATALOG', product('U16', '')).replace('UTF-8', 'UTF-16')
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
    const { json } = await send(encoding === 'utf16le' ? bytes : bytes.swap16(), 'name=u.xml')
    expect(json).toMatchObject({ layout: 'bmecat' })
  })

  test.each([
    [{ format: 'csv', layout: 'bmecat' }, 'layout: bmecat cannot be written as csv; choose xml or zip'],
    [{ format: 'xml', layout: 'gs1' }, 'layout: gs1 cannot be written as xml; it is only read'],
    [{ format: 'xml', layout: 'bmecat', series: 's' }, 'series: the layout bmecat cannot express deletions'],
  ])('cannot be exported as %j', async (body, sentence) => {
    const reply = await api.post('/api/v1/transfers/exports', { ...body, tids: ['R1'] })
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(sentence)])
  })
})

describe('GS1 XML', () => {
  const message = (command: string, items: string) =>
    `<m:catalogueItemNotificationMessage xmlns:m="urn:gs1:gdsn:catalogue_item_notification:xsd:3"><transaction><documentCommand><documentCommandHeader type="${command}"/><m:catalogueItemNotification>${items}</m:catalogueItemNotification></documentCommand></transaction></m:catalogueItemNotificationMessage>`
  const item = (gtin: string, inside: string) => `<catalogueItem><tradeItem><gtin>${gtin}</gtin><gdsnTradeItemClassification><gpcCategoryCode>Rain</gpcCategoryCode></gdsnTradeItemClassification>${inside}</tradeItem>` // prettier-ignore
  const described = (text: string) =>
    `<tradeItemInformation><extension><tradeItemDescriptionModule><tradeItemDescriptionInformation><tradeItemDescription languageCode="de">${text}</tradeItemDescription></tradeItemDescriptionInformation></tradeItemDescriptionModule><tradeItemMeasurementsModule><tradeItemMeasurements><netWeight measurementUnitCode="KGM">2.5</netWeight></tradeItemMeasurements></tradeItemMeasurementsModule></extension></tradeItemInformation>`

  test('brings the items of a hierarchy with their child GTINs, in the category with the GPC code', async () => {
    await putProfile('gs1', {
      columns: [
        { column: 'netWeight', attr: 'weight' },
        { column: 'childTradeItem_gtin', attr: 'sizes' },
        { column: 'tradeItemDescription', attr: 'caption' },
      ],
    })
    const child = (gtin: string) => `<childTradeItem><quantityOfNextLowerLevelTradeItem>6</quantityOfNextLowerLevelTradeItem><gtin>${gtin}</gtin></childTradeItem>` // prettier-ignore
    const lower = `<nextLowerLevelTradeItemInformation>${child('4012')}${child('4013')}</nextLowerLevelTradeItemInformation>`
    const pallet = item('4011', `<tradeItemUnitDescriptorCode>CASE</tradeItemUnitDescriptorCode>${lower}${described('Keks')}`) // prettier-ignore
    const file = message('ADD', `${pallet}<catalogueItemChildItemLink><quantity>6</quantity>${item('4012', described('Keks'))}</catalogueItem></catalogueItemChildItemLink></catalogueItem>`) // prettier-ignore
    const done = await run(file, 'name=g.xml&profile=gs1')
    expect(done, done.problem).toMatchObject({ layout: 'gs1', created: 2, refused: 0 })
    const [box, unit] = await retrieve('4011', '4012')
    expect([box, unit]).toMatchObject([{ name: 'Keks (4011)', node: '/Standard/Jackets/Rain' }, { name: 'Keks' }])
    expect(await valuesOf('4011')).toEqual({ caption: 'de_DE Keks', sizes: '4012|4013', weight: '2.5' })
    expect(done.notes).toContainEqual({ place: 'netWeight_UNIT', count: 2, reason: expect.any(String) })
    expect(await run(message('DELETE', `${item('4011', '')}</catalogueItem>`), 'name=g.xml&profile=gone')).toMatchObject({ deleted: 1 }) // prettier-ignore
  })

  test('and other XML that nobody knows is refused with the formats that are known', async () => {
    const done = await run('<ORDER xmlns="urn:order"/>', 'name=o.xml')
    expect([done.state, done.problem]).toEqual(['failed', expect.stringContaining('BMEcat')])
  })
})
