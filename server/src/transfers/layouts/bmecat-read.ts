/**
 * BMEcat 1.2, 2005, 2005.1 and 2005.2, article by article. The names of 1.2 become those of 2005: ARTICLE is PRODUCT,
 * SUPPLIER_AID is SUPPLIER_PID. So one profile reads all versions.
 *
 * A catalogue names the groups of its products behind the products, so it is surveyed before it is read.
 */
import { Problem } from '../../errors.ts'
import type { Bytes } from '../read/source.ts'
import { type Treatment, type XmlElement, xmlEvents } from '../read/xml-elements.ts'
import {
  childOf,
  childrenOf,
  currencyField,
  type Note,
  textOf,
  type TradeGroup,
  TradeFields,
  type TradeRecord,
} from './trade.ts'
import { addFeatures, addLeaves, addMedia, addPrices, addReferences, langOf } from './bmecat-fields.ts'

export interface BmecatSurvey {
  /** The language of texts that name none. */
  readonly language: string | undefined
  readonly currency: string
  readonly groups: ReadonlyMap<string, Group>
  /** The group of a product, by SUPPLIER_PID. */
  readonly groupOf: ReadonlyMap<string, string>
  /** Short descriptions that several products have. */
  readonly repeated: ReadonlySet<string>
}

interface Group extends TradeGroup {
  readonly parent: string
  readonly isRoot: boolean
}

/** Entries of a survey: groups, assignments and short descriptions. A larger catalogue has to be split. */
const maxSurvey = 2_000_000

/** The name in version 2005. */
const nameIn2005 = (name: string): string =>
  renamed.get(name) ?? name.replace(/^ARTICLE(?=_|$)/, 'PRODUCT').replace(/_AID$/, '_PID')
const renamed = new Map([
  ['ART_ID', 'PROD_ID'],
  ['ART_ID_TO', 'PROD_ID_TO'],
  ['ARTICLE_TO_CATALOGGROUP_MAP', 'PRODUCT_TO_CATALOGGROUP_MAP'],
])
const in2005 = ({ name, attributes, children, text, content }: XmlElement): XmlElement => ({
  name: nameIn2005(name),
  attributes,
  children: children.map(in2005),
  content,
  text,
})

const map = 'PRODUCT_TO_CATALOGGROUP_MAP'
const transaction = /^T_(NEW_CATALOG|UPDATE_PRODUCTS|UPDATE_PRICES|NEW_PRODUCTDATA)$/

function treat(name: string, path: readonly string[]): Treatment {
  if (path.length === 1) return 'enter'
  if (path.length === 2) return name === 'HEADER' ? 'read' : transaction.test(name) ? 'enter' : 'skip'
  if (path[2] === 'CATALOG_GROUP_SYSTEM') return path.length === 3 ? 'enter' : name === 'CATALOG_STRUCTURE' ? 'read' : 'skip' // prettier-ignore
  const known = nameIn2005(name)
  return known === 'PRODUCT' || known === map ? 'read' : 'skip'
}

/** Elements that are part of the structure and hold no data of products. */
const silent = new Set(['GROUP_SYSTEM_ID', 'GROUP_SYSTEM_NAME', 'GROUP_SYSTEM_DESCRIPTION'])

export async function surveyBmecat(bytes: Bytes): Promise<BmecatSurvey> {
  const groups = new Map<string, Group>()
  const groupOf = new Map<string, string>()
  const seen = new Set<string>()
  const repeated = new Set<string>()
  let header: XmlElement | undefined
  for await (const { treatment, path, element: sent } of xmlEvents(bytes, treat)) {
    demandBmecat(path)
    if (treatment !== 'read') continue
    const element = in2005(sent)
    if (element.name === 'HEADER') header = element
    if (element.name === 'CATALOG_STRUCTURE') {
      const code = textOf(element, 'GROUP_ID')
      const name = inLanguage(childrenOf(element, 'GROUP_NAME'), headerOf(header).language) || code
      groups.set(code, { code, name, parent: textOf(element, 'PARENT_ID'), isRoot: element.attributes.type === 'root' })
    }
    if (element.name === map && element.attributes.mode !== 'delete') {
      const product = textOf(element, 'PROD_ID')
      if (!groupOf.has(product)) groupOf.set(product, textOf(element, 'CATALOG_GROUP_ID'))
    }
    if (element.name === 'PRODUCT') {
      const name = shortNameOf(element, headerOf(header).language)
      if (seen.has(name)) repeated.add(name)
      seen.add(name)
    }
    if (groups.size + groupOf.size + seen.size > maxSurvey)
      throw new Problem('invalid', 'the catalogue is too large for one import; split it into several files')
  }
  return { ...headerOf(header), groups, groupOf, repeated }
}

function demandBmecat([root = '']: readonly string[]): void {
  if (root !== 'BMECAT')
    throw new Problem('invalid', `expected the root element BMECAT, but it is ${root.slice(0, 50)}`)
}

function headerOf(header: XmlElement | undefined) {
  const catalog = header && childOf(header, 'CATALOG')
  if (!catalog) return { language: undefined, currency: '' }
  const languages = catalog.children.filter(({ name }) => name === 'LANGUAGE' || name === 'LOCALE')
  const first = languages.find(({ attributes }) => attributes.default === 'true') ?? languages[0]
  return { language: first?.text, currency: textOf(catalog, 'CURRENCY') }
}

/** The text in the language of the catalogue, otherwise the first. */
function inLanguage(elements: readonly XmlElement[], language: string | undefined): string {
  const own = elements.find((one) => langOf(one) === undefined || langOf(one) === language)
  return (own ?? elements[0])?.text ?? ''
}
const shortNameOf = (product: XmlElement, language: string | undefined) => {
  const details = childOf(product, 'PRODUCT_DETAILS')
  return details ? inLanguage(childrenOf(details, 'DESCRIPTION_SHORT'), language) : ''
}

/** `note` receives what the records do not contain. */
export async function* readBmecat(bytes: Bytes, survey: BmecatSurvey, note: Note): AsyncGenerator<TradeRecord> {
  const taken = new Set<string>()
  for await (const { treatment, path, element: sent } of xmlEvents(bytes, treat)) {
    demandBmecat(path)
    if (treatment === 'skip' && !silent.has(sent.name)) note(path.slice(1).join('/'), 'this element is not imported')
    if (treatment !== 'read') continue
    const element = in2005(sent)
    if (element.name === 'CATALOG_STRUCTURE') noteGroup(element, note)
    if (element.name === map) noteAssignment(element, survey, note)
    if (element.name === 'PRODUCT') yield toRecord(element, path[1]!, survey, taken, note)
  }
}

const groupParts = new Set(['GROUP_ID', 'GROUP_NAME', 'PARENT_ID', 'GROUP_ORDER'])
function noteGroup({ children }: XmlElement, note: Note): void {
  for (const { name } of children)
    if (!groupParts.has(name)) note(`CATALOG_STRUCTURE/${name}`, 'categories are imported with their names only')
}

function noteAssignment(element: XmlElement, { groupOf }: BmecatSurvey, note: Note): void {
  if (element.attributes.mode === 'delete')
    note(map, 'an assignment is not removed; assign the product to another category') // prettier-ignore
  else if (groupOf.get(textOf(element, 'PROD_ID')) !== textOf(element, 'CATALOG_GROUP_ID'))
    note(map, 'a product has one category: its first one is imported')
}

function toRecord(
  product: XmlElement,
  inside: string,
  survey: BmecatSurvey,
  taken: Set<string>,
  note: Note,
): TradeRecord {
  const fields = new TradeFields()
  for (const part of product.children) {
    const add = parts.get(part.name)
    if (add) add(fields, part, note, survey.currency)
    else addLeaves(fields, part)
  }
  const hasPrice = fields.list.some(({ name }) => name.startsWith('PRICE_'))
  if (hasPrice && !fields.has(currencyField)) fields.add(currencyField, survey.currency)
  const own = new Map(fields.list.map(({ name, values }) => [name, values[0]!]))
  const parents = levels.flatMap((name) => own.get(name) ?? [])
  const pid = own.get('SUPPLIER_PID') ?? ''
  const groups = groupsOf(survey, pid)
  const isRooted = survey.groups.get(groups[0]?.code ?? '')?.isRoot ?? false
  const { mode = inside === 'T_NEW_CATALOG' ? 'new' : 'update' } = product.attributes
  const record = { groups, isRooted, isDeletion: mode === 'delete', isNew: mode === 'new', parents }
  const short = shortNameOf(product, survey.language)
  const name = own.get(longName) ?? (isTaken(record, short, survey, taken) ? `${short} (${pid})` : short)
  if (name.endsWith(` (${pid})`))
    note('DESCRIPTION_SHORT', 'several products of a category have this text: the names of all but the first one end with their SUPPLIER_PID') // prettier-ignore
  // Kontor writes names of their own besides short descriptions, and those that are too long for them.
  const isFromShort = !own.has(longName) || (short.length === maxShort && name.startsWith(short))
  const named = fields.list.flatMap((field) => {
    if (field.name === longName || levels.includes(field.name)) return []
    return field.name === 'DESCRIPTION_SHORT' && field.values[0] === short && isFromShort ? { ...field, values: [name] } : field // prettier-ignore
  })
  return { tid: pid, name, fields: named, ...record }
}

/** Features that Kontor writes: the levels above an article or variation, and a name that is too long for its element. */
const levels: readonly string[] = ['KONTOR_PRODUCT', 'KONTOR_ARTICLE']
const longName = 'KONTOR_NAME'
/** The length of DESCRIPTION_SHORT at most. */
const maxShort = 150

/** Whether an earlier product of the category has this name: names are unique within a category. */
function isTaken(
  { groups, isDeletion, parents }: Pick<TradeRecord, 'groups' | 'isDeletion' | 'parents'>,
  name: string,
  { repeated }: BmecatSurvey,
  taken: Set<string>,
): boolean {
  if (isDeletion || parents.length > 0 || !repeated.has(name)) return false
  const key = `${groups.at(-1)?.code ?? ''}\n${name}`
  const before = taken.size
  return taken.add(key).size === before
}

const parts: ReadonlyMap<string, (fields: TradeFields, part: XmlElement, note: Note, currency: string) => void> =
  new Map([
    ['PRODUCT_FEATURES', addFeatures],
    ['PRODUCT_PRICE_DETAILS', addPrices],
    ['MIME_INFO', addMedia],
    ['PRODUCT_REFERENCE', addReferences],
  ])

/** From the top. A parent that does not exist ends the path, as does one that is already in it. */
function groupsOf({ groups, groupOf }: BmecatSurvey, pid: string): Group[] {
  const path: Group[] = []
  const code = groupOf.get(pid)
  let group = code === undefined ? undefined : (groups.get(code) ?? { code, name: code, parent: '', isRoot: false })
  while (group && !path.includes(group)) {
    path.unshift(group)
    group = groups.get(group.parent)
  }
  return path
}
