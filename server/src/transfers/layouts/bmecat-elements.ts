/** One PRODUCT of BMEcat 2005.2, with its parts in the order of the specification. */
import { extname } from 'node:path'
import { amountsOfPrice, partsOfMeasure } from '@kontor/contract'
import { Problem } from '../../errors.ts'
import type { ProductItem } from '../mapping.ts'
import { type BmecatOptions, element, escape, type Languages, leaf } from './bmecat-xml.ts'
import { tradeCodeOf } from './unece.ts'

type Part = Pick<ProductItem, 'tid' | 'name' | 'vals' | 'links'>

export interface WrittenPart {
  readonly part: Part
  /** The product and the article above it. */
  readonly above: readonly Part[]
}

interface Text {
  readonly text: string
  readonly locale: string | undefined
}
/** Values of an attribute that become one element or feature. */
interface Written {
  readonly name: string
  readonly label: string | undefined
  /** Of the attribute. */
  readonly type?: string | undefined
  readonly texts: readonly Text[]
}

interface Rule {
  readonly max: number
  /** Whether the text may have a language. */
  readonly ml?: boolean
  readonly many?: boolean
  readonly pattern?: RegExp
}
const number = { max: 30, pattern: /^-?\d+(\.\d+)?$/ }
const unit = { max: 3, pattern: /^[A-Z0-9]{2,3}$/ }

const maxName = 150
/** An attribute for it has the texts in all languages. Otherwise it is the name. */
const shorts: Readonly<Record<string, Rule>> = { DESCRIPTION_SHORT: { max: maxName, ml: true } }
/** The elements that attributes can become, in their order, and what they can hold. */
const details: Readonly<Record<string, Rule>> = {
  DESCRIPTION_LONG: { max: 64_000, ml: true },
  INTERNATIONAL_PID: { max: 100, many: true },
  SUPPLIER_ALT_PID: { max: 50 },
  BUYER_PID: { max: 50, many: true },
  MANUFACTURER_PID: { max: 50 },
  MANUFACTURER_NAME: { max: 50 },
  MANUFACTURER_TYPE_DESCR: { max: 50, ml: true },
  ERP_GROUP_BUYER: { max: 10 },
  ERP_GROUP_SUPPLIER: { max: 10 },
  DELIVERY_TIME: number,
  KEYWORD: { max: 50, ml: true, many: true },
  REMARKS: { max: 64_000, ml: true },
  SEGMENT: { max: 100, ml: true, many: true },
}
const order: Readonly<Record<string, Rule>> = {
  ORDER_UNIT: unit,
  CONTENT_UNIT: unit,
  NO_CU_PER_OU: number,
  PRICE_QUANTITY: number,
  QUANTITY_MIN: number,
  QUANTITY_INTERVAL: number,
  QUANTITY_MAX: number,
}
const date = { max: 30, pattern: /^\d{4}-\d\d-\d\d(T|$)/ }
const priceParts: Readonly<Record<string, Rule>> = {
  VALID_START_DATE: date,
  VALID_END_DATE: date,
  PRICE_CURRENCY: { max: 3, pattern: /^[A-Z]{3}$/ },
  TAX: number,
}

/** PRICE_net_list_10_DE: the type, the quantity from which it applies, and the territories. */
const priceName = /^PRICE_(gros_list|net_customer|net_customer_exp|net_list|nrp|udp_[A-Za-z0-9]{1,16})(?:_(\d+(?:\.\d+)?))?((?:_[A-Z]{2}(?:-[A-Z0-9]{1,3})?)*)$/ // prettier-ignore
const references = /^PRODUCT_REFERENCE_(accessories|base_product|consists_of|diff_orderunit|followup|mandatory|similar|select|sparepart|others)$/ // prettier-ignore
const featureGroup = /^REFERENCE_FEATURE_(GROUP_ID|SYSTEM_NAME)_(ETIM|ECLASS)$/

const fits = ({ max, ml = false, many = false, pattern }: Rule, texts: readonly Text[]) =>
  texts.every(({ text, locale }) => text.length <= max && (ml || locale === undefined) && (pattern?.test(text) ?? true)) && // prettier-ignore
  (many || new Set(texts.map(({ locale }) => locale)).size === texts.length)

export function toElements({ part, above }: WrittenPart, options: BmecatOptions, languages: Languages): string {
  const all = writtenOf(part, above.at(-1), options)
  const byName = new Map(all.map((one) => [one.name, one]))
  const used = new Set<string>()
  const take = (rules: Readonly<Record<string, Rule>>, name: string, attributes = {}): string => {
    const found = byName.get(name)
    if (!found || !fits(rules[name]!, found.texts)) return ''
    used.add(name)
    return found.texts.map(({ text, locale }) => leaf(name, text, { ...attributes, ...languages.of(locale) })).join('')
  }
  const described = Object.keys(details)
    .map((name) => take(details, name, name === 'INTERNATIONAL_PID' ? { type: 'gtin' } : {}))
    .join('')
  const ordered = orderOf((name) => take(order, name), options)
  const prices = pricesOf(all, used, (name) => take(priceParts, name))
  const linked = all.flatMap(({ name, texts }) => {
    const [, type] = references.exec(name) ?? []
    if (type === undefined || !texts.every(({ text }) => text.length <= maxPid)) return []
    used.add(name)
    return texts.map(({ text }) => element('PRODUCT_REFERENCE', leaf('PROD_ID_TO', text), { type }))
  })
  const { name = part.tid! } = part
  const numbers = [...above, part].map((one) => numberOf(one, options))
  const levels = ['KONTOR_PRODUCT', 'KONTOR_ARTICLE'].flatMap((one, i) =>
    i < above.length ? asText(one, numbers[i]) : [],
  )
  const short = take(shorts, 'DESCRIPTION_SHORT') || leaf('DESCRIPTION_SHORT', name.slice(0, maxName))
  const kept = [...(isNamedBy(name, used, byName, options) ? [] : asText('KONTOR_NAME', name)), ...levels]
  const features = [...kept, ...all.filter((one) => !used.has(one.name))]
  const base = above.length === 0 ? '' : element('PRODUCT_REFERENCE', leaf('PROD_ID_TO', numbers.at(-2)!), { type: 'base_product' }) // prettier-ignore
  return element(
    'PRODUCT',
    leaf('SUPPLIER_PID', numbers.at(-1)!) +
      element('PRODUCT_DETAILS', short + described) +
      blocksOf(features, options, languages) +
      ordered +
      prices +
      mediaOf(part, options) +
      linked.join('') +
      base,
    { mode: 'new' },
  )
}

const maxPid = 32

/** Whether a reader takes the name from the short description: that of the first language, or of the only one. */
function isNamedBy(
  name: string,
  used: ReadonlySet<string>,
  all: ReadonlyMap<string, Written>,
  { locales }: BmecatOptions,
): boolean {
  // prettier-ignore
  if (!used.has('DESCRIPTION_SHORT')) return name.length <= maxName
  const texts = all.get('DESCRIPTION_SHORT')!.texts.filter(({ text }) => text !== '')
  return (texts.find(({ locale }) => locale === locales[0]) ?? texts[0])?.text === name
}

/** The SUPPLIER_PID: its own value of the attribute that the profile names, or the tid. */
export function numberOf({ tid = '', vals }: Part, { numberAttr }: BmecatOptions): string {
  const given = numberAttr === undefined ? undefined : vals?.val?.find(({ attr, parent, inheritance }) => attr === numberAttr && parent === undefined && inheritance !== 'inherited') // prettier-ignore
  const number = given?.itm?.[0]?.value || tid
  if (number.length <= maxPid) return number
  throw new Problem('invalid', `layout bmecat: a SUPPLIER_PID has at most ${maxPid} characters, but ${number === tid ? 'the tid' : `that of ${tid.slice(0, 100)},`} ${number.slice(0, 100)} has ${number.length}; give the column SUPPLIER_PID an attribute with a shorter number in a profile`) // prettier-ignore
}

const asText = (name: string, text: string | undefined): Written[] =>
  text === undefined ? [] : [{ name, label: undefined, texts: [{ text, locale: undefined }] }]

/** The values of the object. Of inherited ones, those that the object above does not have: an import hands them down. */
function writtenOf({ vals }: Part, above: Part | undefined, options: BmecatOptions): Written[] {
  const { nameOf, labelOf, kindOf, locales, numberAttr } = options
  const found = new Map<string, Written & { texts: Text[] }>()
  const handed = new Map((above?.vals?.val ?? []).map((val) => [keyOf(val), contentOf(val)]))
  // A value can be there as inherited from above and as the default; the default wins, and comes last.
  const own = new Map((vals?.val ?? []).map((val) => [keyOf(val), val]))
  for (const val of own.values()) {
    const { attr = '', parent, inheritance, itm = [], i18N } = val
    if (parent === undefined && attr === numberAttr) continue
    if (inheritance === 'inherited' && handed.get(keyOf(val)) === contentOf(val)) continue
    const lists = i18N ? i18N.map(({ loc, itm: list = [] }) => ({ loc, list })) : itm.map((one) => ({ loc: one.loc, list: [one] })) // prettier-ignore
    for (const { loc, list } of lists) {
      if (loc !== undefined && !locales.includes(loc)) continue
      const own = parent === undefined ? attr : `${parent}/${attr}`
      const name = nameOf(own, loc) ?? own
      const written = found.get(name) ?? { name, label: labelOf(attr), type: kindOf(attr)?.type, texts: [] }
      found.set(name, written)
      for (const { key, value = '' } of list) written.texts.push({ text: key ?? value, locale: loc })
    }
  }
  return [...found.values()].filter(({ texts }) => texts.some(({ text }) => text !== ''))
}

type Val = NonNullable<NonNullable<Part['vals']>['val']>[number]
const keyOf = ({ attr, parent }: Val) => `${parent ?? ''}/${attr}`
const contentOf = ({ itm, i18N }: Val) => JSON.stringify([itm, i18N], (_, one) => (typeof one === 'bigint' ? String(one) : one)) // prettier-ignore

function orderOf(take: (name: string) => string, { catalog }: BmecatOptions): string {
  const own = take('ORDER_UNIT')
  const content = take('CONTENT_UNIT')
  const contents = content === '' ? '' : content + take('NO_CU_PER_OU')
  const others = Object.keys(order).slice(3).map(take)
  return element('PRODUCT_ORDER_DETAILS', (own || leaf('ORDER_UNIT', catalog.orderUnit ?? 'C62')) + contents + others.join('')) // prettier-ignore
}

/** A product needs a price; without one it is on request. */
function pricesOf(all: readonly Written[], used: Set<string>, take: (name: string) => string): string {
  const validity = ['VALID_START_DATE', 'VALID_END_DATE'].map(take).join('')
  const shared = ['PRICE_CURRENCY', 'TAX'].map(take)
  const prices = all.flatMap((one) => {
    const [, type, bound, territories = ''] = priceName.exec(one.name) ?? []
    const amounts = type === undefined ? [] : amountsIn(one)
    if (amounts.length === 0) return []
    used.add(one.name)
    const [currency, tax] = shared
    const areas = territories.split('_').map((area) => leaf('TERRITORY', area))
    const condition = tax + leaf('LOWER_BOUND', bound ?? '') + areas.join('')
    return amounts.map(
      ({ number: amount, unit: own }) =>
      element('PRODUCT_PRICE', leaf('PRICE_AMOUNT', amount) + (leaf('PRICE_CURRENCY', own) || currency) + condition, { price_type: type! }), // prettier-ignore
    )
  })
  const none = `<PRODUCT_PRICE price_type="on_request">${shared.join('')}</PRODUCT_PRICE>`
  return element('PRODUCT_PRICE_DETAILS', validity + (prices.length > 0 ? prices.join('') : none))
}

/** One amount per currency for a price, one without a currency for a number; none if the elements cannot hold it. */
function amountsIn({ type, texts }: Written): { number: string; unit: string }[] {
  if (texts.length !== 1) return []
  if (type !== 'price') return fits(number, texts) ? [{ number: texts[0]!.text, unit: '' }] : []
  const found = amountsOfPrice(texts[0]!.text).map(partsOfMeasure)
  return found.every((one) => one !== undefined) ? found : []
}

// Features

const systems: readonly { readonly name: string; readonly codes: RegExp; readonly version: string }[] = [
  { name: 'ETIM', codes: /^EF\d{6}$/, version: '9.0' },
  { name: 'ECLASS', codes: /^\d{4}-\d#02-/, version: '13.0' },
]
const maxUnit = 20

/** Features of a system have a block of their own; the others are in one without a system. */
function blocksOf(all: readonly Written[], options: BmecatOptions, languages: Languages): string {
  const texts = new Map(all.map((one) => [one.name, one.texts]))
  const measures = new Set(all.flatMap(({ name, type }) => (type === 'measure' ? [name] : [])))
  const single = (name: string) => {
    const found = texts.get(name)
    return found?.length === 1 && found[0]!.locale === undefined ? found[0]!.text : undefined
  }
  const unitOf = (name: string) => {
    const found = texts.has(name) && !measures.has(name) ? single(`${name}_UNIT`) : undefined
    return found !== undefined && found.length <= maxUnit ? found : undefined
  }
  const isUnit = (name: string) => name.endsWith('_UNIT') && unitOf(name.slice(0, -'_UNIT'.length)) !== undefined
  const features = all.filter(({ name }) => !isUnit(name))
  const isHead = (name: string) => featureGroup.test(name) && single(name) !== undefined
  const systemOf = (name: string) => systems.find(({ codes }) => codes.test(name))?.name
  const blocks = [undefined, ...systems].map((system) => {
    const own = features.filter(({ name }) => !isHead(name) && systemOf(name) === system?.name)
    const given = system && single(`REFERENCE_FEATURE_SYSTEM_NAME_${system.name}`)
    const group = system && single(`REFERENCE_FEATURE_GROUP_ID_${system.name}`)
    const version = system && (system.name === 'ETIM' ? options.catalog.etim : options.catalog.eclass)
    if (own.length === 0 && group === undefined) return ''
    const head = system ? leaf('REFERENCE_FEATURE_SYSTEM_NAME', given ?? `${system.name}-${version ?? system.version}`) : '' // prettier-ignore
    const written = own.map((one) => featureOf(one, unitOf(one.name), languages))
    return element('PRODUCT_FEATURES', head + leaf('REFERENCE_FEATURE_GROUP_ID', group ?? '') + written.join(''))
  })
  return blocks.join('')
}

function featureOf(written: Written, given: string | undefined, languages: Languages): string {
  const { name, label } = written
  const [texts, unitName] = given === undefined ? measured(written) : [written.texts, given]
  const values = texts.map(({ text, locale }) => {
    const [attribute] = Object.entries(languages.of(locale))
    return `<FVALUE${attribute ? ` ${attribute[0]}="${attribute[1]}"` : ''}>${escape(text)}</FVALUE>`
  })
  const described = label === undefined || label === name ? '' : leaf('FDESCR', label.slice(0, 250))
  return element('FEATURE', leaf('FNAME', name) + values.join('') + leaf('FUNIT', unitName ?? '') + described)
}

/** The numbers of a measure, and their unit if it is the same for all. */
function measured({ type, texts }: Written): [texts: readonly Text[], unit?: string] {
  const parts = type === 'measure' ? texts.map(({ text }) => partsOfMeasure(text)) : []
  const [code, ...others] = new Set(parts.map((one) => tradeCodeOf(one?.unit ?? '')))
  if (!code || others.length > 0 || code.length > maxUnit) return [texts]
  return [texts.map((one, i) => ({ ...one, text: parts[i]!.number })), code]
}

// Files

const types: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg', '.png': 'image/png', '.gif': 'image/gif', '.svg': 'image/svg+xml',
  '.webp': 'image/webp', '.tif': 'image/tiff', '.tiff': 'image/tiff', '.pdf': 'application/pdf', '.zip': 'application/zip',
  '.mp4': 'video/mp4', '.txt': 'text/plain', '.html': 'text/html',
} // prettier-ignore
const maxSource = 255

/** By the path in the DAM, without the slash at its beginning: the name of the file in a zip with the catalogue. */
function mediaOf({ links }: Part, { pathOf, purposeOf }: BmecatOptions): string {
  const groups = links?.itms?.find(({ type }) => type === 'assetToProduct')?.itms ?? []
  const files = groups.flatMap(({ type, itm = [] }) =>
    itm.flatMap(({ key, value = '' }) => {
      const path = key === 'assetTid' ? pathOf(value) : undefined
      return path === undefined || path.length > maxSource ? [] : [{ path, purpose: purposeOf(type) }]
    }),
  )
  const mimes = files.map(({ path, purpose }, i) =>
    element(
      'MIME',
      leaf('MIME_TYPE', types[extname(path).toLowerCase()] ?? 'application/octet-stream') +
        leaf('MIME_SOURCE', path) +
        leaf('MIME_PURPOSE', purpose) +
        leaf('MIME_ORDER', String(i + 1)),
    ),
  )
  return element('MIME_INFO', mimes.join(''))
}
