/**
 * GS1 XML of the Global Data Synchronisation Network: the trade items of a catalogue item notification, each a product.
 *
 * A message nests the items of a hierarchy of packages, from the pallet to the unit. Each one names the GTINs of the
 * next lower level itself, so that items can be read one by one.
 */
import { Problem } from '../../errors.ts'
import type { Bytes } from '../read/source.ts'
import { type Treatment, type XmlElement, xmlEvents } from '../read/xml-elements.ts'
import { childrenOf, type Note, textOf, TradeFields, type TradeRecord } from './trade.ts'

const roots = ['catalogueItemNotificationMessage', 'catalogueItemNotification', 'catalogueItem', 'tradeItem']
export const isGs1Root = (name: string) => roots.includes(name)

/** Elements on the way to the trade items, which hold facts about the message and not about the items. */
const onTheWay = new Set([
  ...roots,
  'transaction',
  'documentCommand',
  'documentCommandOperand',
  'catalogueItemChildItemLink',
  'catalogueItemReference',
])

function treat(name: string, path: readonly string[]): Treatment {
  if (name === 'tradeItem') return 'read'
  if (path.length === 1 || onTheWay.has(name)) return 'enter'
  return name === 'documentCommandHeader' ? 'enter' : 'skip'
}

/** `note` receives what the records do not contain. */
export async function* readGs1(bytes: Bytes, note: Note): AsyncGenerator<TradeRecord> {
  let command = 'ADD'
  for await (const { treatment, path, element } of xmlEvents(bytes, treat)) {
    if (!isGs1Root(path[0]!))
      throw new Problem('invalid', `expected the root element ${roots[0]}, but it is ${path[0]!.slice(0, 50)}`)
    if (element.name === 'documentCommandHeader') command = element.attributes.type ?? 'ADD'
    if (treatment === 'skip' && path.includes('catalogueItem') && !transport.has(element.name))
      note(path.slice(path.indexOf('catalogueItem')).join('/'), 'this element is not imported')
    if (treatment === 'read') yield toRecord(element, command)
  }
}

/** Facts about the exchange. The quantity of a link is also in the trade item above it. */
const transport = new Set(['dataRecipient', 'sourceDataPool', 'catalogueItemState', 'quantity'])

function toRecord(item: XmlElement, command: string): TradeRecord {
  const fields = new TradeFields()
  for (const child of item.children) addElement(fields, child, item.name, '')
  const { text: code = '' } = gpcOf(item) ?? {}
  const tid = textOf(item, 'gtin')
  const groups = code === '' ? [] : [{ code, name: gpcNameOf(item) || code }]
  const commands = { isDeletion: command === 'DELETE', isNew: command === 'ADD' }
  return { tid, name: nameOf(fields, tid), fields: fields.list, groups, isRooted: false, ...commands, parents: [] }
}

/** Descriptions that can be the name of a product, best first. */
const names = ['tradeItemDescription', 'regulatedProductName', 'functionalName', 'descriptionShort', 'brandName']
export const gs1Name = names[0]!

/** Packages often have the description of their content, but names are unique within a category: theirs have the GTIN. */
function nameOf({ list }: TradeFields, gtin: string): string {
  const valueOf = (name: string) => list.find((field) => field.name === name)?.values[0]
  const found = names.map(valueOf).find((value) => value !== undefined)
  if (found === undefined) return gtin
  const isPackage = (valueOf('tradeItemUnitDescriptorCode') ?? baseUnit) !== baseUnit
  return isPackage ? `${found} (${gtin})` : found
}
const baseUnit = 'BASE_UNIT_OR_EACH'

const gpcNameOf = (item: XmlElement) =>
  childrenOf(item, 'gdsnTradeItemClassification').flatMap((one) => childrenOf(one, 'gpcCategoryName'))[0]?.text ?? ''
const gpcOf = (item: XmlElement) =>
  childrenOf(item, 'gdsnTradeItemClassification').flatMap((one) => childrenOf(one, 'gpcCategoryCode'))[0]

/** Names that say little without their parent: brandOwner_gln, childTradeItem_gtin. */
const vague = new Set(['gtin', 'gln', 'partyName', 'quantity', 'value', 'code', 'startDateTime', 'endDateTime', 'contactName']) // prettier-ignore

/** Elements that occur once for each code of a list: the code is part of the names below them. */
const coded: ReadonlyMap<string, string> = new Map([
  ['nutrientDetail', 'nutrientTypeCode'],
  ['allergen', 'levelOfContainmentCode'],
  ['referencedFileHeader', 'referencedFileTypeCode'],
  ['tradeItemDateOnPackaging', 'tradeItemDateOnPackagingTypeCode'],
])

/** Attributes about code lists, not about the item. */
const technical = /^codeList|^schemaLocation$|^noNamespace/

function addElement(fields: TradeFields, element: XmlElement, parent: string, code: string): void {
  const { name, attributes, children, text } = element
  if (children.length > 0) {
    const by = coded.get(name)
    const inner = by === undefined ? code : textOf(element, by)
    for (const child of children) if (child.name !== by) addElement(fields, child, name, inner)
    return
  }
  const { languageCode, measurementUnitCode, attributeName, ...others } = attributes
  const plain = attributeName ?? (vague.has(name) && parent !== 'tradeItem' ? `${parent}_${name}` : name)
  const key = code === '' ? plain : `${plain}_${code}`
  const multi = parent === 'childTradeItem' || name === 'uniformResourceIdentifier'
  fields.add(key, text, { lang: languageCode, multi, unit: measurementUnitCode })
  if (measurementUnitCode !== undefined) fields.add(`${key}_UNIT`, measurementUnitCode, { unitOf: key })
  for (const [attribute, value] of Object.entries(others))
    if (!technical.test(attribute)) fields.add(`${key}_${attribute}`, value)
}
