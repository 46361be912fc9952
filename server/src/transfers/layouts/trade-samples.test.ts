/** Whole catalogues as suppliers send them, made to the public specification, in systems without any model of their own. */
import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { type TestServer, withServer } from '../../../test/server.ts'
import { transferCalls } from '../../../test/transfers.ts'

const here = withServer()
const elsewhere = withServer()
/** For BMEcat 1.2, whose texts have no languages, and for GS1, so that no attribute of the others is taken. */
const apart = withServer()
const { run, exported } = transferCalls(here)
const sample = (name: string) => readFileSync(new URL(`../../../test/layouts/${name}`, import.meta.url))

/** Attributes that keep amounts with their currency or unit. All others are made by the imports. */
const amounts = [
  ['PRICE_net_list', 'price', { unit: [{ code: 'EUR' }, { code: 'CHF' }] }],
  ['EF000008', 'measure', { family: 'length' }],
  ['Lichtstrom', 'measure', { family: 'brightness' }],
  ['Motorleistung', 'measure', { family: 'power' }],
  ['height', 'measure', { family: 'length' }],
  ['grossWeight', 'measure', { family: 'mass' }],
  ['quantityContained_ENER-', 'measure', { family: 'energy' }, { multiValued: { value: 'true' } }],
] as const
const attrDef = amounts.map(([tid, type, format, more]) => ({ tid, type, format, name: { itm: [{ value: tid, loc: 'en_GB' }] }, ...more })) // prettier-ignore

beforeAll(async () => {
  for (const api of [here, elsewhere, apart]) {
    api.token = api.adminToken // may create the model
    await api.startWorker()
    await createAmounts(api)
  }
})
const createAmounts = async (api: TestServer) => {
  const { text } = await api.post('/api/core/v1/pim/attribute-definitions/persist', { schemaVersion: '5.6.0', attrDefs: { attrDef } }) // prettier-ignore
  expect(text).not.toContain('ERROR')
}

interface Item {
  readonly value: string
  readonly loc?: string
}
interface Value {
  readonly attr: string
  readonly itm?: readonly Item[]
  readonly i18N?: readonly { readonly loc: string; readonly itm: readonly Item[] }[]
}
/** Texts by attribute, those in a language with its locale in front. */
const valuesOf = async (tid: string, api: TestServer = here): Promise<Record<string, string[]>> => {
  const { json } = await api.post('/api/core/v1/pim/products/retrieve', { tids: [tid] })
  const [{ name, node, vals }] = json.products.product
  const shown = ({ value, loc }: Item) => (loc === undefined ? value : `${loc} ${value}`)
  const values = vals.val.map(({ attr, itm = [], i18N = [] }: Value) => [attr, [...itm, ...i18N.flatMap(({ loc, itm: list }) => list.map(({ value }) => ({ value, loc })))].map(shown)]) // prettier-ignore
  return { name: [name], node: [node], ...Object.fromEntries(values) }
}
/** The names of the categories below a node. */
const namesOf = async (path: string): Promise<string[]> => {
  const { json } = await here.post('/api/core/v1/pim/nodes/retrieve', { path })
  const nodes: { name: { itm: Item[] } }[] = json.nodes.node
  return nodes.flatMap(({ name }) => name.itm.map(({ value, loc }) => `${loc} ${value}`)).toSorted()
}
/** The paths of the files that are linked with a product. */
const filesOf = async (tid: string, api: TestServer = here): Promise<string[]> => {
  const { json } = await api.post('/api/core/v1/pim/products/retrieve', { tids: [tid] })
  const groups = json.products.product[0].links?.itms[0].itms ?? []
  const tids = groups.flatMap(({ itm }: { itm: Item[] }) => itm.map(({ value }) => value))
  if (tids.length === 0) return []
  const found = (await api.post('/api/core/v1/dam/assets/retrieve', { tids })).json
  return found.assets.asset.map(({ path }: { path: string }) => path).toSorted()
}
const zipOf = (files: Readonly<Record<string, Buffer>>): Promise<Buffer> => {
  const zip = new ZipFile()
  for (const [name, bytes] of Object.entries(files)) zip.addBuffer(bytes, name)
  zip.end()
  return buffer(zip.outputStream)
}
const placesIn = ({ notes }: { notes: { place: string }[] }) => notes.map(({ place }) => place)

test('a catalogue of BMEcat 1.2 in ISO-8859-1 becomes products with features, prices by quantity and a category', async () => {
  const { run: send } = transferCalls(apart)
  const done = await send(sample('bmecat-1.2.xml'), 'name=catalogue.xml&createModel=true')
  expect(done, done.problem).toMatchObject({ layout: 'bmecat', refused: 0, objects: { created: 2 } })
  const lock = await valuesOf('TS-100', apart)
  expect(lock).toMatchObject({
    name: ['Einsteckschloss für Zimmertüren'],
    INTERNATIONAL_PID: ['4006381333931'],
    MANUFACTURER_PID: ['M-100'],
    KEYWORD: ['Schloss', 'Tür'],
    Dornmass: ['55'],
    Dornmass_UNIT: ['MMT'],
    Farbe: ['weiß'],
    REFERENCE_FEATURE_GROUP_ID_ECLASS: ['23300601'],
    PRICE_net_list_DE: ['18.9'],
    PRICE_net_list_50_DE: ['16.5'],
    PRODUCT_REFERENCE_accessories: ['TS-200'],
  })
  expect((await valuesOf('TS-200', apart)).node).toEqual(lock.node)
  const again = await send(sample('bmecat-1.2.xml'), 'name=catalogue.xml')
  expect(again).toMatchObject({ refused: 0, objects: { created: 0, updated: 0, unchanged: 2 } })
})

test('a catalogue of BMEcat 2005 has texts in two languages, features of ETIM, amounts in units and prices by quantity', async () => {
  const bytes = await zipOf({ 'catalogue.xml': sample('bmecat-2005.xml'), 'media/DL-150.jpg': Buffer.from('picture') })
  const done = await run(bytes, 'name=catalogue.zip&createModel=true')
  expect(done, done.problem).toMatchObject({ layout: 'bmecat', refused: 0, objects: { created: 2 } })
  // The gross price has no factor; the address of a page is not a file of the zip.
  expect(placesIn(done)).toEqual(['PRICE_FACTOR', 'MIME/MIME_DESCR', 'MIME_others'])
  expect(await valuesOf('KS-DL-150')).toEqual({
    name: ['LED-Einbauleuchte 150'],
    node: ['/KS/KS-L'],
    DESCRIPTION_SHORT: ['de_DE LED-Einbauleuchte 150', 'en_GB LED downlight 150'],
    DESCRIPTION_LONG: ['de_DE Einbauleuchte für Decken, dimmbar, 3000 K.', 'en_GB Downlight for ceilings, dimmable, 3000 K.'], // prettier-ignore
    INTERNATIONAL_PID: ['4023456700016'],
    MANUFACTURER_PID: ['DL150W'],
    MANUFACTURER_NAME: ['Kupferstern'],
    SPECIAL_TREATMENT_CLASS_WEEE: ['4'],
    KEYWORD: ['de_DE Downlight', 'de_DE Spot'],
    REMARKS: ['de_DE Ohne Treiber'],
    PRODUCT_STATUS_new_product: ['Neu ab März'],
    REFERENCE_FEATURE_SYSTEM_NAME_ETIM: ['ETIM-8.0'],
    REFERENCE_FEATURE_GROUP_ID_ETIM: ['EC001744'],
    EF000008: ['150 mm'],
    EF000049: ['62.5'],
    EF000049_UNIT: ['MMT'],
    EF000007: ['EV000202', 'EV000116'],
    EF000137: ['true'],
    Lichtstrom: ['1350 lm'],
    Betriebstemperatur: ['-20'],
    Betriebstemperatur_UNIT: ['CEL'],
    ORDER_UNIT: ['CT'],
    CONTENT_UNIT: ['C62'],
    NO_CU_PER_OU: ['6'],
    PRICE_QUANTITY: ['1'],
    QUANTITY_MIN: ['2'],
    QUANTITY_INTERVAL: ['2'],
    VALID_START_DATE: ['2026-02-01'],
    VALID_END_DATE: ['2026-12-31'],
    PRICE_gros_list: ['42.9'],
    PRICE_net_customer: ['27.35'],
    PRICE_net_customer_100: ['24.1'],
    PRICE_CURRENCY: ['EUR'],
    PRICE_FACTOR: ['0.95'],
    TAX: ['0.19'],
    PRODUCT_REFERENCE_mandatory: ['KS-MCB-16'],
    CUSTOMS_NUMBER: ['94051140'],
    COUNTRY_OF_ORIGIN: ['CN'],
  })
  expect(await namesOf('/KS')).toEqual(['de_DE Leitungsschutzschalter', 'de_DE Leuchten'])
  expect(await filesOf('KS-DL-150')).toEqual(['/MAM/Import/DL-150.jpg'])
  expect(await valuesOf('KS-MCB-16')).toMatchObject({ node: ['/KS/KS-S'], EF000008: ['17.5 mm'], PRICE_CURRENCY: ['EUR'] }) // prettier-ignore
})

test('a catalogue of BMEcat 2005.2 keeps features of ETIM and ECLASS, prices by currency and packages, and goes around', async () => {
  const files = ['docs/UP-25-60_de.pdf', 'images/UP-25-60.jpg', 'images/UP-25-80.jpg']
  const pictures = Object.fromEntries(files.map((name) => [name, Buffer.from(name)]))
  const bytes = await zipOf({ 'catalogue.xml': sample('bmecat-2005.2.xml'), ...pictures })
  const done = await run(bytes, 'name=catalogue.zip&createModel=true')
  expect(done, done.problem).toMatchObject({ layout: 'bmecat', refused: 0, objects: { created: 3 } })
  expect(placesIn(done)).toEqual(['T_NEW_CATALOG/CLASSIFICATION_SYSTEM', 'FEATURE/FVALUE_DETAILS', 'MIME/MIME_ALT'])
  expect(await valuesOf('WR-UP-25-60')).toMatchObject({
    name: ['Umwälzpumpe UP 25-60'],
    node: ['/WR/WR-10/WR-11'],
    KEYWORD: ['de_DE Heizungspumpe', 'de_DE Nassläufer', 'en_GB heating pump'],
    BUYER_PID_buyer_specific: ['700-4711'],
    REFERENCE_FEATURE_GROUP_ID_ETIM: ['EC011439'],
    EF000008: ['130 mm'],
    EF000040: ['180.5'],
    EF000040_UNIT: ['MMT'],
    EF000007: ['EV000072'],
    REFERENCE_FEATURE_GROUP_ID_ECLASS: ['36410101'],
    '0173-1#02-AAB713#005': ['2.6'],
    '0173-1#02-AAB713#005_UNIT': ['KGM'],
    '0173-1#02-AAO677#002': ['de_DE Wellenreich Pumpen GmbH', 'en_GB Wellenreich Pumps'],
    Anschluss: ['G 1½', 'Rp 1'],
    Motorleistung: ['34 W'],
    QUANTITY_MIN: ['1'],
    PACKING_UNIT_QUANTITY_MIN_CT: ['12'],
    PACKING_UNIT_QUANTITY_MAX_PF: ['96'],
    PRICE_net_list: ['248 EUR; 239.5 CHF'],
    PRICE_net_list_10: ['231.2'],
    PRICE_nrp_DE: ['329'],
    VALID_END_DATE: ['2026-12-31'],
    PRODUCT_REFERENCE_accessories: ['WR-ISO-60'],
    PRODUCT_REFERENCE_similar: ['WR-UP-25-80'],
    CUSTOMS_NUMBER: ['84137030'],
  })
  expect(await valuesOf('WR-UP-25-60')).not.toHaveProperty('EF000049') // the value - of ETIM
  expect(await valuesOf('WR-UP-25-80')).toMatchObject({ EF000008: ['13.5 cm'], PRICE_net_list: ['312 EUR'] })
  expect(await valuesOf('WR-ISO-60')).toMatchObject({ node: ['/WR/WR-20'], ORDER_UNIT: ['SET'], NO_CU_PER_OU: ['2'] })
  expect(await filesOf('WR-UP-25-60')).toEqual([`/MAM/Import/${files[0]}`, `/MAM/Import/${files[1]}`])

  const tids = ['WR-UP-25-60', 'WR-UP-25-80', 'WR-ISO-60']
  const written = await exported({ format: 'zip', layout: 'bmecat', tids })
  const there = await transferCalls(elsewhere).run(written, 'name=back.zip&createModel=true')
  expect(there, there.problem).toMatchObject({ layout: 'bmecat', refused: 0, objects: { created: 3 } })
  expect(there.notes).toBeUndefined()
  const catalogue = (await exported({ format: 'xml', layout: 'bmecat', tids })).toString()
  expect(catalogue).toContain('<PRODUCT_PRICE_DETAILS><VALID_START_DATE>2026-03-01</VALID_START_DATE><VALID_END_DATE>2026-12-31</VALID_END_DATE><PRODUCT_PRICE ') // prettier-ignore
  expect(catalogue).toContain('<DESCRIPTION_SHORT locale="de-DE">Wärmedämmschale</DESCRIPTION_SHORT><DESCRIPTION_SHORT locale="en-GB">Insulating shell</DESCRIPTION_SHORT>') // prettier-ignore
  for (const tid of tids) {
    expect(await valuesOf(tid, elsewhere), tid).toEqual(await valuesOf(tid))
    expect(await filesOf(tid, elsewhere), tid).toEqual(await filesOf(tid))
  }
  const back = await run(written, 'name=back.zip')
  expect(back).toMatchObject({ refused: 0, objects: { created: 0, updated: 0, unchanged: 3 } })
})

test('a catalogue item notification of GS1 has a product per level of its hierarchy, with child GTINs, nutrients and allergens', async () => {
  const { run: send } = transferCalls(apart)
  const picture = '04034567100015_C1N1.jpg'
  const bytes = await zipOf({ 'cin.xml': sample('gs1-cin.xml'), [picture]: Buffer.from(picture) })
  const done = await send(bytes, 'name=cin.zip&createModel=true')
  expect(done, done.problem).toMatchObject({ layout: 'gs1', refused: 0, objects: { created: 3 } })
  expect(done.notes).toBeUndefined()
  const [pallet, box, unit] = ['24034567100019', '14034567100012', '04034567100015']
  expect(await valuesOf(pallet!, apart)).toMatchObject({
    name: [`Haferkekse 200 g (${pallet})`],
    tradeItemUnitDescriptorCode: ['PALLET'],
    childTradeItem_gtin: [box],
    quantityOfNextLowerLevelTradeItem: ['60'],
    quantityOfLayersPerPallet: ['5'],
    height: ['1150 mm'],
    grossWeight: ['198 kg'],
  })
  expect(await valuesOf(box!, apart)).toMatchObject({ childTradeItem_gtin: [unit], quantityOfNextLowerLevelTradeItem: ['12'], height: ['21 cm'] }) // prettier-ignore
  const values = await valuesOf(unit!, apart)
  expect(values).toMatchObject({
    name: ['Haferkekse 200 g'],
    node: [expect.stringMatching(/\/10000161$/)],
    gpcCategoryName: ['Biscuits/Cookies (Shelf Stable)'],
    tradeItemDescription: ['de_DE Haferkekse 200 g', 'en_GB Oat biscuits 200 g'],
    brandName: ['Kornhaus'],
    brandOwner_gln: ['4034567000001'],
    targetMarketCountryCode: ['276'],
    additionalTradeItemIdentification: ['HK-200'],
    isTradeItemAConsumerUnit: ['true'],
    height: ['190 mm'],
    depth: ['62'],
    depth_UNIT: ['MMT'],
    grossWeight: ['212 g'],
    netContent: ['200'],
    'quantityContained_ENER-': ['1985 kJ', '474 kcal'],
    quantityContained_FAT: ['21.5'],
    quantityContained_FAT_UNIT: ['GRM'],
    allergenTypeCode_CONTAINS: ['AW', 'AM'],
    allergenTypeCode_MAY_CONTAIN: ['AN'],
    ingredientStatement: [
      'de_DE Haferflocken 42 %, Weizenmehl, Butter, Zucker',
      'en_GB Oat flakes 42 %, wheat flour, butter, sugar',
    ],
  })
  expect(values).not.toHaveProperty('childTradeItem_gtin')
  expect(await filesOf(unit!, apart)).toEqual([`/MAM/Import/${picture}`])
  const again = await send(bytes, 'name=cin.zip')
  expect(again).toMatchObject({ refused: 0, objects: { created: 0, updated: 0, unchanged: 3 } })
})
