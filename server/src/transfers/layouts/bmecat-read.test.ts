import { describe, expect, test } from 'vitest'
import { rootOf } from '../read/xml-elements.ts'
import { readBmecat, surveyBmecat } from './bmecat-read.ts'
import { readGs1 } from './gs1-read.ts'
import type { TradeRecord } from './trade.ts'

async function* inPieces(file: string | Buffer, size = 61) {
  const bytes = Buffer.from(file as string)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
async function read(file: string | Buffer) {
  const notes: string[] = []
  const records: TradeRecord[] = []
  const survey = await surveyBmecat(inPieces(file))
  for await (const one of readBmecat(inPieces(file), survey, (place) => void notes.push(place))) records.push(one)
  return { notes, records, survey }
}
/** By name and language. */
const valuesOf = ({ fields }: TradeRecord) =>
  Object.fromEntries(fields.map(({ name, lang, values }) => [lang === undefined ? name : `${name}@${lang}`, values.join('|')])) // prettier-ignore

const header = (languages = '<LANGUAGE>deu</LANGUAGE>') =>
  `<HEADER><CATALOG>${languages}<CATALOG_ID>C</CATALOG_ID><CATALOG_VERSION>1.0</CATALOG_VERSION><CURRENCY>EUR</CURRENCY></CATALOG><SUPPLIER><SUPPLIER_NAME>S</SUPPLIER_NAME></SUPPLIER></HEADER>`
const old = (articles: string, more = '', root = 'T_NEW_CATALOG') =>
  `<?xml version="1.0" encoding="ISO-8859-1"?>\n<!DOCTYPE BMECAT SYSTEM "bmecat_new_catalog_1_2.dtd">\n<BMECAT version="1.2">${header()}<${root}>${articles}${more}</${root}></BMECAT>`
const article = (aid: string, name: string, more = '') =>
  `<ARTICLE><SUPPLIER_AID>${aid}</SUPPLIER_AID><ARTICLE_DETAILS><DESCRIPTION_SHORT>${name}</DESCRIPTION_SHORT></ARTICLE_DETAILS>${more}</ARTICLE>`

describe('BMEcat', () => {
  test('of version 1.2 is read with the names of 2005, in its encoding, whatever the pieces', async () => {
    const features = `<ARTICLE_FEATURES><REFERENCE_FEATURE_SYSTEM_NAME>ETIM-8.0</REFERENCE_FEATURE_SYSTEM_NAME><REFERENCE_FEATURE_GROUP_ID>EC000001</REFERENCE_FEATURE_GROUP_ID>
      <FEATURE><FNAME>EF000008</FNAME><FVALUE>12.5</FVALUE><FUNIT>MMT</FUNIT></FEATURE><FEATURE><FNAME>EF000009</FNAME><FVALUE>-</FVALUE></FEATURE>
      <FEATURE><FNAME>Farbe</FNAME><VARIANTS><VARIANT><FVALUE>rot</FVALUE></VARIANT></VARIANTS></FEATURE></ARTICLE_FEATURES>`
    const prices = `<ARTICLE_PRICE_DETAILS><DATETIME type="valid_start_date"><DATE>2026-01-01</DATE></DATETIME><ARTICLE_PRICE price_type="net_list"><PRICE_AMOUNT>9.50</PRICE_AMOUNT><TAX>0.19</TAX></ARTICLE_PRICE><ARTICLE_PRICE price_type="net_list"><PRICE_AMOUNT>8</PRICE_AMOUNT><LOWER_BOUND>10</LOWER_BOUND><TERRITORY>AT</TERRITORY></ARTICLE_PRICE></ARTICLE_PRICE_DETAILS>`
    const file = Buffer.from(old(article('A1', 'Größe &amp; <![CDATA[<Maß>]]>', features + prices)), 'latin1')
    const { notes, records } = await read(file)
    expect(valuesOf(records[0]!)).toEqual({
      SUPPLIER_PID: 'A1',
      DESCRIPTION_SHORT: 'Größe & <Maß>',
      REFERENCE_FEATURE_SYSTEM_NAME_ETIM: 'ETIM-8.0',
      REFERENCE_FEATURE_GROUP_ID_ETIM: 'EC000001',
      EF000008: '12.5',
      EF000008_UNIT: 'MMT',
      PRICE_net_list: '9.50',
      PRICE_net_list_10_AT: '8',
      PRICE_CURRENCY: 'EUR',
      TAX: '0.19',
      VALID_START_DATE: '2026-01-01',
    })
    expect(notes).toEqual(['FEATURE/VARIANTS'])
  })

  test('has groups from the top, also of a tree that runs in a circle, and distinct names within a group', async () => {
    const group = (id: string, parent: string) =>
      `<CATALOG_STRUCTURE type="node"><GROUP_ID>${id}</GROUP_ID><GROUP_NAME>Name ${id}</GROUP_NAME><PARENT_ID>${parent}</PARENT_ID></CATALOG_STRUCTURE>`
    const system = `<CATALOG_GROUP_SYSTEM><GROUP_SYSTEM_ID>x</GROUP_SYSTEM_ID>${group('1', '0')}${group('2', '1')}${group('3', '4')}${group('4', '3')}</CATALOG_GROUP_SYSTEM>`
    const put = (aid: string, id: string) =>
      `<ARTICLE_TO_CATALOGGROUP_MAP><ART_ID>${aid}</ART_ID><CATALOG_GROUP_ID>${id}</CATALOG_GROUP_ID></ARTICLE_TO_CATALOGGROUP_MAP>`
    const articles = ['A', 'B', 'C', 'D'].map((aid) => article(aid, 'Same')).join('')
    const { records, notes } = await read(old(`${system}${articles}${put('A', '2')}${put('B', '2')}${put('C', '3')}${put('A', '1')}`)) // prettier-ignore
    expect(records.map(({ groups }) => groups.map(({ code, name }) => `${code} ${name}`))).toEqual([
      ['1 Name 1', '2 Name 2'],
      ['1 Name 1', '2 Name 2'],
      ['4 Name 4', '3 Name 3'],
      [],
    ])
    expect(records.map((one) => valuesOf(one).DESCRIPTION_SHORT)).toEqual(['Same', 'Same (B)', 'Same', 'Same'])
    expect(notes).toEqual(['DESCRIPTION_SHORT', 'PRODUCT_TO_CATALOGGROUP_MAP'])
  })

  test('of version 2005.2 has languages, deletions, and the levels that Kontor writes', async () => {
    const languages = '<LANGUAGE>eng</LANGUAGE><LANGUAGE default="true">deu</LANGUAGE>'
    const details = `<PRODUCT_DETAILS><DESCRIPTION_SHORT lang="eng">Lamp</DESCRIPTION_SHORT><DESCRIPTION_SHORT lang="deu">Lampe</DESCRIPTION_SHORT><INTERNATIONAL_PID type="gtin">40</INTERNATIONAL_PID><BUYER_PID type="erp">7</BUYER_PID><KEYWORD>a</KEYWORD><KEYWORD>b</KEYWORD></PRODUCT_DETAILS>`
    const features = `<PRODUCT_FEATURES><FEATURE><FNAME>KONTOR_PRODUCT</FNAME><FVALUE>P</FVALUE></FEATURE><FEATURE><FT_IDREF>0173-1#02-AAB381#003</FT_IDREF><FVALUE lang="deu">rot</FVALUE><FVALUE lang="eng">red</FVALUE></FEATURE></PRODUCT_FEATURES>`
    const file = `<b:BMECAT xmlns:b="http://www.bmecat.org/bmecat/2005.2" version="2005.2">${header(languages)}<T_UPDATE_PRODUCTS><FORMULAS><FORMULA/></FORMULAS><PRODUCT mode="delete"><SUPPLIER_PID>X</SUPPLIER_PID></PRODUCT><PRODUCT mode="update"><SUPPLIER_PID type="supplier_specific">P1</SUPPLIER_PID>${details}${features}</PRODUCT></T_UPDATE_PRODUCTS></b:BMECAT>`
    const { records, notes, survey } = await read(file)
    expect([survey.language, notes]).toEqual(['deu', ['T_UPDATE_PRODUCTS/FORMULAS']])
    expect(records.map(({ isDeletion, parents }) => [isDeletion, parents])).toEqual([[true, []], [false, ['P']]]) // prettier-ignore
    expect(valuesOf(records[1]!)).toEqual({
      SUPPLIER_PID: 'P1',
      'DESCRIPTION_SHORT@eng': 'Lamp',
      'DESCRIPTION_SHORT@deu': 'Lampe',
      INTERNATIONAL_PID: '40',
      BUYER_PID_erp: '7',
      KEYWORD: 'a|b',
      '0173-1#02-AAB381#003@deu': 'rot',
      '0173-1#02-AAB381#003@eng': 'red',
    })
  })

  const lol = '<!DOCTYPE BMECAT [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
  test.each([
    ['entities', `${lol}<BMECAT>&b;</BMECAT>`, /cannot be read.*entity/],
    ['depth', `<BMECAT>${'<a>'.repeat(200)}`, /nested more than 100 deep/],
    ['a large article', `<BMECAT><T_NEW_CATALOG><ARTICLE>${'<a/>'.repeat(200_000)}`, /ARTICLE.* is larger than/],
    ['a long text', `<BMECAT><T_NEW_CATALOG>${'x'.repeat(9_000_000)}`, /is longer than/],
    ['a cut end', '<BMECAT><T_NEW_CATALOG>', /cannot be read/],
    ['an unknown encoding', '<?xml version="1.0" encoding="ebcdic"?><BMECAT/>', /ebcdic is not supported/],
    ['wrong bytes', Buffer.from('<BMECAT>\xff</BMECAT>', 'latin1'), /not valid in the encoding/],
    ['another root', '<CATALOGUE/>', /expected the root element BMECAT/],
  ])('with %s is refused in words', async (_, file, sentence) => {
    await expect(read(file as string)).rejects.toThrow(sentence)
  })
})

test('GS1 XML has the trade items of a hierarchy with languages, units, codes and child GTINs', async () => {
  const item = (gtin: string, inside: string) =>
    `<catalogueItem><catalogueItemState><x/></catalogueItemState><tradeItem><gtin>${gtin}</gtin>${inside}</tradeItem>`
  const pallet = '<nextLowerLevelTradeItemInformation><childTradeItem><quantityOfNextLowerLevelTradeItem>6</quantityOfNextLowerLevelTradeItem><gtin>2</gtin></childTradeItem></nextLowerLevelTradeItemInformation>' // prettier-ignore
  const unit = `<brandOwner><gln>4000001000005</gln></brandOwner><gdsnTradeItemClassification><gpcCategoryCode>10000161</gpcCategoryCode></gdsnTradeItemClassification>
    <tradeItemInformation><extension><d:tradeItemDescriptionModule xmlns:d="urn:gs1:gdsn:trade_item_description:xsd:3"><tradeItemDescriptionInformation><tradeItemDescription languageCode="de">Keks</tradeItemDescription><tradeItemDescription languageCode="en">Biscuit</tradeItemDescription></tradeItemDescriptionInformation></d:tradeItemDescriptionModule>
    <tradeItemMeasurementsModule><tradeItemMeasurements><height measurementUnitCode="MMT">120</height></tradeItemMeasurements></tradeItemMeasurementsModule>
    <n><nutrientHeader><nutrientDetail><nutrientTypeCode>FAT</nutrientTypeCode><quantityContained measurementUnitCode="GRM">21</quantityContained></nutrientDetail></nutrientHeader></n></extension>
    <avpList><stringAVP attributeName="colour">red</stringAVP></avpList></tradeItemInformation>`
  const file = `<m:catalogueItemNotificationMessage xmlns:m="urn:gs1:gdsn:catalogue_item_notification:xsd:3"><transaction><documentCommand><documentCommandHeader type="DELETE"/><m:catalogueItemNotification>${item('9', '')}</catalogueItem></m:catalogueItemNotification></documentCommand></transaction>
    <transaction><documentCommand><documentCommandHeader type="ADD"/><m:catalogueItemNotification>${item('1', pallet)}<catalogueItemChildItemLink><quantity>6</quantity>${item('2', unit)}</catalogueItem></catalogueItemChildItemLink></catalogueItem></m:catalogueItemNotification></documentCommand></transaction></m:catalogueItemNotificationMessage>`
  const notes: string[] = []
  const records: TradeRecord[] = []
  for await (const one of readGs1(inPieces(file), (place) => void notes.push(place))) records.push(one)
  expect(records.map(({ isDeletion }) => isDeletion)).toEqual([true, false, false])
  expect(valuesOf(records[1]!)).toEqual({ gtin: '1', quantityOfNextLowerLevelTradeItem: '6', childTradeItem_gtin: '2' })
  expect(valuesOf(records[2]!)).toEqual({
    gtin: '2',
    brandOwner_gln: '4000001000005',
    gpcCategoryCode: '10000161',
    'tradeItemDescription@de': 'Keks',
    'tradeItemDescription@en': 'Biscuit',
    height: '120',
    height_UNIT: 'MMT',
    quantityContained_FAT: '21',
    quantityContained_FAT_UNIT: 'GRM',
    colour: 'red',
  })
  expect([records[2]!.groups, notes]).toEqual([[{ code: '10000161', name: '10000161' }], []])
})

test('the root of a document is found behind its declaration, comments and document type', () => {
  expect(rootOf('\ufeff<?xml version="1.0"?>\n<!-- <a> -->\n<!DOCTYPE BMECAT [ <!ENTITY x "y"> ]>\n<b:BMECAT x="1">')).toBe('BMECAT') // prettier-ignore
  expect(rootOf('tid;name')).toBe('')
})
