/**
 * Exports of Akeneo as CSV, workbook or JSON: products and product models, and the model itself (akeneo-model.ts).
 *
 *   name-en_US-ecommerce      name@en_US; other channels than ecommerce have their own attribute: name_print@en_US
 *   price-EUR                 price_EUR; an amount of price, if that is a price
 *   weight  weight-unit       weight as a measure: 0.82 kg; otherwise weight  weight_unit
 *   X_SELL-products           X_SELL_products, a list of identifiers; PACK-products-quantity is a list of numbers
 *   categories                the node of the product is the first that exists; the attribute categories has all codes
 *
 * A product model is a product, a model below it an article, and a product with a parent a variation.
 */
import { Problem } from '../../errors.ts'
import type { Bytes } from '../read/source.ts'
import { jsonObjects } from '../read/json.ts'
import { modelKind, modelRow } from './akeneo-model.ts'
import { flatten } from './akeneo-json.ts'
import { unitOf } from './akeneo-units.ts'
import type { DocumentReader, LayoutRow, LayoutScope, ObjectRow, TableReader, Target } from './layout.ts'
import { attribute, textCopy, type Cells, cellsOf, type Entry, field, nodeIn, type Refuse, partsOf, relist, tableRows, toBoolean, uniqueNames } from './parts.ts' // prettier-ignore

const identifiers = ['sku', 'identifier'] as const
const structural = new Set<string>([...identifiers, 'code', 'uuid', 'parent', 'categories'])
const lists = new Set(['groups'])
const associations = /-(groups|products|product_models|products-quantity|product_models-quantity|product_uuids)$/
const locale = /^[a-z]{2,3}_[A-Z]{2}$/
const mainChannel = 'ecommerce'
const nameCodes = ['name', 'label', 'title', 'product_name']
/** A file of the export, or one in the storage of Akeneo. */
const file = /^(?:files\/|(?=(?:[0-9a-f]\/){4}))(.+\.\w{2,5})$/
export const mediaHome = '/MAM/Akeneo'

interface Heading {
  readonly code: string
  readonly locale?: string
  readonly channel?: string
  /** A currency, or `unit` of a measurement. */
  readonly part?: string
}

function headingParts(heading: string): Heading {
  const [code = '', ...parts] = heading.split('-')
  const found: { locale?: string; channel?: string; part?: string } = {}
  for (const part of parts) {
    if (locale.test(part)) found.locale = part
    else if (part === 'unit' || /^[A-Z]{3}$/.test(part)) found.part = part
    else found.channel = part
  }
  return { code, ...found }
}

type Targets = (heading: string) => (level: 0 | 1 | 2) => Target

/** The targets of columns. A channel has an attribute of its own, unless it is the only one, or the main one. */
function targetsOf({ kindOf }: LayoutScope, headings: readonly string[] = []): Targets {
  const channels = new Set(headings.flatMap((heading) => (associations.test(heading) ? [] : (headingParts(heading).channel ?? [])))) // prettier-ignore
  const known = new Map<string, (level: 0 | 1 | 2) => Target>()
  const make = (heading: string) => {
    if (associations.test(heading)) return (level: 0 | 1 | 2) => attribute(level, heading.replaceAll('-', '_'), heading, { type: 'text', multi: true }) // prettier-ignore
    const { code, channel, part, locale: language } = headingParts(heading)
    const base = part === undefined ? code : `${code}_${part}`
    const own = `${base}_${channel}`
    const isShared = channel === undefined || channel === mainChannel || channels.size === 1
    const tid = (isShared && !kindOf(own)) || channel === undefined ? base : own
    const type = part === 'unit' ? 'text' : part === undefined ? undefined : 'number'
    const multi = lists.has(code)
    return (level: 0 | 1 | 2): Target => ({
      ...attribute(level, tid, heading, { ...(type && { type }), ...(multi && { type: 'text', multi }), label: base }),
      ...(language !== undefined && { locale: language }),
    })
  }
  return (heading) => {
    const target = known.get(heading) ?? make(heading)
    known.set(heading, target)
    return target
  }
}

interface Reading {
  readonly scope: LayoutScope
  readonly targets: Targets
  readonly nameOf: ReturnType<typeof uniqueNames>
  /** The products of the models below others, by their code. */
  readonly owners: Map<string, string>
}

/** The object that a record describes; its parents have to be known (`owners`). */
function entriesOf(
  cells: Cells,
  reading: Reading,
  refuse: Refuse,
): readonly Entry[] | Pick<ObjectRow, 'container' | 'item'> {
  const kind = modelKind(cells)
  if (kind) return modelRow(kind, cells, reading.scope)
  const isModel = cells.get('family_variant') !== ''
  const given = reading.scope.profile?.columns?.find((one) => one.field === 'tid')?.column
  const from = given ?? (isModel ? 'code' : (identifiers.find((one) => cells.get(one) !== '') ?? 'sku'))
  const tid = cells.get(from)
  if (tid === '') throw new Problem('invalid', `the row has no ${from}`)
  const parent = cells.get('parent')
  if (parent === '') return [...productEntries(tid, from, cells, reading, refuse), ...valueEntries(0, cells, reading)]
  const top = reading.owners.get(parent) ?? parent
  const article = isModel ? tid : parent
  if (isModel) reading.owners.set(tid, top)
  const above: Entry[] = [
    [field(0, 'tid', 'parent'), top],
    [field(1, 'tid', isModel ? from : 'parent'), article],
    [field(1, 'name', isModel ? from : 'parent'), article],
  ]
  if (isModel) return [...above, ...valueEntries(1, cells, reading)]
  return [...above, [field(2, 'tid', from), tid], [field(2, 'name', from), tid], ...valueEntries(2, cells, reading)]
}

function productEntries(tid: string, from: string, cells: Cells, { scope, nameOf }: Reading, refuse: Refuse): Entry[] {
  const categories = partsOf(cells.get('categories'), ',')
  const family = cells.get('family')
  const familyNode = scope.pathsOf(family).find((path) => path.startsWith('/families/'))
  const choices = categories.length > 0 ? categories.map((code) => [code]) : familyNode === undefined ? [] : [['families', family]] // prettier-ignore
  const node = nodeIn(scope, choices, 'categories', refuse)
  const named = nameCodes.flatMap((code) => cells.filled.filter(([heading]) => heading === code || heading.startsWith(`${code}-`)))[0] // prettier-ignore
  const list = { type: 'text', multi: true }
  return [
    [field(0, 'tid', from), tid],
    [field(0, 'name', named?.[0] ?? from), nameOf(node ?? '', named?.[1] ?? tid, tid)],
    ...(node === undefined ? [] : [[field(0, 'node', 'categories'), node] as const]),
    ...textCopy(scope, attribute(0, 'categories', 'categories', list), relist(cells.get('categories'), ',', scope)),
  ]
}

function valueEntries(level: 0 | 1 | 2, cells: Cells, { scope, targets }: Reading): Entry[] {
  const isA = (code: string, type: string) => scope.kindOf(code)?.type === type
  const partOf = (heading: string) => ({
    ...headingParts(heading),
    whole: heading.replace(/-(unit|[A-Z]{3})(?=-|$)/, ''),
  })
  const prices = Map.groupBy(
    cells.filled.filter(([heading]) => isA(partOf(heading).code, 'price') && partOf(heading).part !== undefined),
    ([heading]) => partOf(heading).whole,
  )
  const priceEntries = [...prices].map(([whole, amounts]): Entry => [
    targets(whole)(level),
    amounts.map(([heading, text]) => `${text} ${partOf(heading).part}`).join('; '),
  ])
  const others = cells.filled.flatMap(([heading, text]): Entry[] => {
    if (structural.has(heading)) return []
    const { code, part, whole } = partOf(heading)
    if (part !== undefined && (isA(code, 'price') || (part === 'unit' && isA(code, 'measure')))) return []
    if (isA(code, 'measure') && !associations.test(heading)) return [[targets(heading)(level), `${text} ${unitOf(unitCell(cells, whole))}`]] // prettier-ignore
    const [, path] = file.exec(text.trim()) ?? []
    if (path !== undefined) return [[{ ...field(level, 'asset', heading) }, `${scope.profile?.mediaPath ?? mediaHome}/${path}`]] // prettier-ignore
    const target = targets(heading)(level)
    const kind = scope.kindOf(target.attr!)
    // Akeneo separates quantities by another sign than codes.
    const listed = associations.test(heading) && heading.endsWith('-quantity') ? text.replaceAll('|', ',') : text
    if (kind?.multi ?? target.make?.multi) return [[target, relist(listed, ',', scope)]]
    if (kind?.type === 'boolean' || heading === 'enabled') return [[heading === 'enabled' ? { ...target, make: { type: 'boolean' } } : target, toBoolean(text)]] // prettier-ignore
    return [[target, text]]
  })
  return [...others, ...priceEntries]
}

/** The unit of a measurement: weight-unit, or weight-en_US-unit. */
const unitCell = (cells: Cells, heading: string) => {
  const [code = '', ...parts] = heading.split('-')
  return cells.get(`${heading}-unit`) || cells.get([code, 'unit', ...parts].join('-'))
}

export const akeneoTable: TableReader = {
  detects: (headings) => {
    const has = (...all: string[]) => all.every((one) => headings.has(one))
    const isProduct = (has('sku') || has('identifier')) && ['family', 'groups', 'categories', 'enabled', 'parent'].filter((one) => headings.has(one)).length >= 2 // prettier-ignore
    return !has('tid') && (isProduct || has('code', 'family_variant') || has('code', 'type', 'localizable') || has('attribute', 'code', 'sort_order') || has('code', 'attributes', 'attribute_as_label') || has('code', 'attributes', 'sort_order') || (has('code', 'parent') && [...headings].every((one) => one === 'code' || one === 'parent' || one.startsWith('label-')))) // prettier-ignore
  },
  async *rows(headings, rows, scope) {
    const reading = newReading(scope, headings)
    const parent = headings.indexOf('parent')
    for await (const page of pagesOf(rows)) {
      await findOwners(
        reading,
        page.flatMap((row) => ('cells' in row ? (row.cells[parent] ?? '') : [])),
      )
      yield* tableRows(headings, page, (cells, refuse) => entriesOf(cells, reading, refuse))
    }
  },
}

export const akeneoDocument: DocumentReader = {
  format: 'jsonl',
  detects: (head) =>
    /"(family_variant|identifier|values|localizable|sort_order)"\s*:/.test(head) && !/"tid"\s*:/.test(head),
  async *rows(bytes: Bytes, scope) {
    const reading = newReading(scope)
    let number = 0
    for await (const page of pagesOf(jsonObjects(bytes))) {
      const records = page.map(flatten)
      await findOwners(
        reading,
        records.map((record) => record.get('parent') ?? ''),
      )
      for (const record of records) yield documentRow(++number, record, reading)
    }
  },
}

function documentRow(number: number, record: ReadonlyMap<string, string>, reading: Reading): LayoutRow | ObjectRow {
  const faults: { from: string; reason: string }[] = []
  const refuse: Refuse = (from, reason) => void faults.push({ from, reason })
  try {
    const found = entriesOf(cellsOf([...record.keys()], [...record.values()]), reading, refuse)
    return 'container' in found ? { number, ...found } : { number, entries: found, faults }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { number, entries: [], faults: [{ from: '', reason: error.message }] }
  }
}

const newReading = (scope: LayoutScope, headings?: readonly string[]): Reading => ({
  scope,
  targets: targetsOf(scope, headings),
  nameOf: uniqueNames(),
  owners: new Map(),
})

/** The products of articles that an earlier file has brought. */
async function findOwners({ scope, owners }: Reading, parents: readonly string[]): Promise<void> {
  const unknown = [...new Set(parents.map((one) => one.trim()))].filter((code) => code !== '' && !owners.has(code))
  if (unknown.length > 0) for (const [code, product] of await scope.ownersOf(unknown)) owners.set(code, product)
}

async function* pagesOf<T>(items: AsyncIterable<T>, size = 200): AsyncGenerator<T[]> {
  let page: T[] = []
  for await (const item of items) {
    if (page.push(item) < size) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}
