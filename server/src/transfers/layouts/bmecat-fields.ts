/** The parts of a product of BMEcat as texts by name. */
import type { XmlElement } from '../read/xml-elements.ts'
import { childOf, childrenOf, currencyField, type Note, textOf, type TradeFields } from './trade.ts'

/** 2005.2 writes the locale, older versions the language. */
export const langOf = ({ attributes: { lang, locale } }: XmlElement): string | undefined => locale ?? lang

/** Elements with a text, by name: those with a type have it in the name, such as BUYER_PID_erp. */
export function addLeaves(fields: TradeFields, part: XmlElement): void {
  if (part.name === 'PACKING_UNIT') return addPacking(fields, part)
  if (part.children.length > 0) {
    for (const child of part.children) addLeaves(fields, child)
    return
  }
  const { type } = part.attributes
  const own = part.name === 'EAN' ? 'INTERNATIONAL_PID' : part.name
  const name = type === undefined || isUsual(own, type) ? own : `${own}_${type}`
  fields.add(name, part.text, { lang: langOf(part), multi: repeatable.has(part.name) })
}
/** By code, and not under the names of the product's own quantities: PACKING_UNIT_QUANTITY_MIN_CT. */
function addPacking(fields: TradeFields, unit: XmlElement): void {
  const code = textOf(unit, 'PACKING_UNIT_CODE')
  for (const child of unit.children) {
    const name = child.name.replace(/^(PACKING_UNIT_)?/, 'PACKING_UNIT_')
    if (child.name !== 'PACKING_UNIT_CODE') fields.add(`${name}_${code}`, child.text, { lang: langOf(child) })
  }
}
const repeatable = new Set(['KEYWORD', 'SEGMENT', 'SPECIAL_TREATMENT_CLASS', 'INTERNATIONAL_RESTRICTIONS'])
const isUsual = (name: string, type: string) =>
  (name === 'INTERNATIONAL_PID' && /^(ean|gtin)/i.test(type)) || name === 'SUPPLIER_PID'

// Features

const featureParts = new Set(['FNAME', 'FT_IDREF', 'FVALUE', 'VALUE_IDREF', 'FUNIT', 'FORDER', 'FDESCR', 'FEATURE'])

/** ETIM-8.0 is ETIM; ECLASS-13.0 and the older E-CL@SS are ECLASS. */
function systemOf(name: string): string {
  if (/^etim/i.test(name)) return 'ETIM'
  return /^e-?cl(ass|@ss)/i.test(name) ? 'ECLASS' : name.replaceAll(/[^\w.-]+/g, '_')
}

export function addFeatures(fields: TradeFields, block: XmlElement, note: Note): void {
  const system = systemOf(textOf(block, 'REFERENCE_FEATURE_SYSTEM_NAME'))
  for (const part of block.children) {
    if (part.name === 'FEATURE') addFeature(fields, part, note)
    else if (part.name === 'FEATURE_GROUP') addFeatures(fields, part, note)
    else if (part.name.startsWith('REFERENCE_FEATURE_'))
      fields.add(system === '' ? part.name : `${part.name}_${system}`, part.text)
    else note(`PRODUCT_FEATURES/${part.name}`, 'this element is not imported')
  }
}

/** A value of ETIM that was not given. */
const absent = '-'

function addFeature(fields: TradeFields, feature: XmlElement, note: Note): void {
  const names = childrenOf(feature, 'FNAME')
  const code = textOf(feature, 'FT_IDREF') || (names[0]?.text ?? '')
  if (code === '') return note('FEATURE/FTEMPLATE', 'a feature without FNAME or FT_IDREF is not imported')
  const label = textOf(feature, 'FDESCR') || names[0]?.text
  const values = feature.children.filter(({ name }) => name === 'FVALUE' || name === 'VALUE_IDREF')
  const unit = textOf(feature, 'FUNIT')
  const more = { label, unit, multi: values.filter((one) => langOf(one) === langOf(values[0]!)).length > 1 }
  for (const value of values) if (value.text !== absent) fields.add(code, value.text, { lang: langOf(value), ...more })
  fields.add(`${code}_UNIT`, unit, { label: `${label} (unit)`, unitOf: code })
  for (const child of feature.children) {
    if (child.name === 'FEATURE') addFeature(fields, child, note)
    else if (!featureParts.has(child.name)) note(`FEATURE/${child.name}`, 'this element is not imported')
  }
}

// Prices

/** By type of price, quantity from which it applies and territory: PRICE_net_list, PRICE_net_list_10, PRICE_nrp_DE. */
export function addPrices(fields: TradeFields, details: XmlElement, note: Note, usual: string): void {
  let first = ''
  const prices = childrenOf(details, 'PRODUCT_PRICE')
  for (const price of prices) {
    const territories = childrenOf(price, 'TERRITORY').map(({ text }) => text)
    const bound = Number(textOf(price, 'LOWER_BOUND') || 1)
    const suffix = [...(bound > 1 ? [String(bound)] : []), ...territories].map((one) => `_${one}`).join('')
    const name = `PRICE_${price.attributes.price_type ?? 'net_list'}${suffix}`
    const amount = textOf(price, 'PRICE_AMOUNT')
    const currency = textOf(price, 'PRICE_CURRENCY') || (amount === '' ? '' : usual)
    if (!fields.addAmount(name, amount, currency))
      note(name, 'of several prices for the same case, the first one is imported')
    first ||= currency
    const taxes = childOf(price, 'TAX_DETAILS') ?? price
    addOnce(fields, 'TAX', textOf(taxes, 'TAX'), note)
    for (const child of price.children)
      if (!priceParts.has(child.name)) note(`PRODUCT_PRICE/${child.name}`, 'this element is not imported')
  }
  addFactor(fields, prices, note)
  // Behind the prices: a price that is stored with its currency does not need it.
  if (!fields.has(currencyField)) fields.add(currencyField, first)
  for (const child of details.children) {
    if (child.name === 'PRODUCT_PRICE') continue
    const type = child.attributes.type?.toUpperCase()
    if (child.name === 'DATETIME' && type !== undefined) addOnce(fields, type, textOf(child, 'DATE'), note)
    else addOnce(fields, child.name, child.text, note)
  }
}
const priceParts = new Set(['PRICE_AMOUNT', 'PRICE_CURRENCY', 'TAX', 'TAX_DETAILS', 'PRICE_FACTOR', 'LOWER_BOUND', 'TERRITORY']) // prettier-ignore

/** Prices without a factor have the factor 1. */
function addFactor(fields: TradeFields, prices: readonly XmlElement[], note: Note): void {
  const factors = new Set(prices.map((price) => textOf(price, 'PRICE_FACTOR') || '1'))
  for (const factor of factors) if (Number(factor) !== 1) addOnce(fields, 'PRICE_FACTOR', factor, note)
  if (factors.size > 1 && factors.has('1'))
    note('PRICE_FACTOR', 'some prices of a product have no factor; ask the supplier which ones it applies to')
}

/** Prices repeat these; another value of one of them would be lost. */
function addOnce(fields: TradeFields, name: string, value: string, note: Note): void {
  if (value === '') return
  const known = fields.list.find((field) => field.name === name)?.values[0]
  if (known === undefined) fields.add(name, value)
  else if (known !== value) note(name, 'of several values of the prices of a product, the first one is imported')
}

// Files and references

/** By purpose: MIME_normal, MIME_data_sheet. */
export function addMedia(fields: TradeFields, info: XmlElement, note: Note): void {
  for (const mime of childrenOf(info, 'MIME')) {
    const name = `MIME_${textOf(mime, 'MIME_PURPOSE') || 'others'}`
    for (const { text } of childrenOf(mime, 'MIME_SOURCE')) fields.add(name, text, { multi: true })
    for (const child of mime.children)
      if (!mimeParts.has(child.name)) note(`MIME/${child.name}`, 'texts about files are not imported')
  }
}
const mimeParts = new Set(['MIME_SOURCE', 'MIME_PURPOSE', 'MIME_TYPE', 'MIME_ORDER'])

/** By type: PRODUCT_REFERENCE_accessories. */
export function addReferences(fields: TradeFields, reference: XmlElement): void {
  const name = `PRODUCT_REFERENCE_${reference.attributes.type ?? 'others'}`
  fields.add(name, textOf(reference, 'PROD_ID_TO'), { multi: true })
}
