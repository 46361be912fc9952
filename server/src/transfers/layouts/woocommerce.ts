/**
 * Products of WooCommerce as CSV. A row of the type variation belongs to the product that `Parent` names, by SKU or by `id:`
 * and the id of an earlier row. Lists are separated by commas, categories from the top down by >.
 */
import { Problem } from '../../errors.ts'
import { joinList } from '../lists.ts'
import type { LayoutScope, TableReader } from './layout.ts'
import { attribute, textCopy, type Cells, type Entry, field, nodeIn, type Refuse, partsOf, pictures, relist, slug, tableRows, toBoolean, uniqueNames } from './parts.ts' // prettier-ignore

const ofAttribute = /^Attribute (\d{1,3}) (name|value\(s\)|visible|global|default)$/
const structural = new Set(['ID', 'SKU', 'Name', 'Parent', 'Categories', 'Images', 'Position'])
const lists = new Set(['Tags', 'Grouped products', 'Upsells', 'Cross-sells', 'Categories'])
const booleans = new Set(['Published', 'Is featured?', 'In stock?', 'Sold individually?', 'Allow customer reviews?'])
const texts = new Set(['Description', 'Short description'])
const list = { type: 'text', multi: true } as const
/** Line breaks of texts are written as a backslash and an n; these two characters have another backslash before them. */
const unescaped = (text: string) => text.replaceAll(/(\\?)\\n/g, (_, sign: string) => (sign === '' ? '\n' : '\\n'))

/** `Weight (kg)` is weight, `Meta: _gtin` is gtin. */
const attributeOf = (heading: string) => slug(heading.replace(/^Meta: /, '').replace(/ \([^)]*\)$/, ''))

export const woocommerceTable: TableReader = {
  detects: (headings) => headings.has('Type') && headings.has('SKU') && ['Regular price', 'Attribute 1 name', 'Visibility in catalog', 'Parent'].some((one) => headings.has(one)), // prettier-ignore
  rows(headings, rows, scope) {
    const tidById = new Map<string, string>()
    const nameOf = uniqueNames()
    return tableRows(headings, rows, (cells, refuse) => {
      const [id, sku] = [cells.get('ID'), cells.get('SKU')]
      if (id === '' && sku === '') throw new Problem('invalid', 'the row has neither a SKU nor an ID')
      const tid = sku === '' ? `id-${id}` : sku
      if (id !== '') tidById.set(id, tid)
      const isVariation = partsOf(cells.get('Type').toLowerCase(), ',').includes('variation')
      return isVariation
        ? variationEntries(tid, parentOf(cells.get('Parent'), tidById), cells, scope, nameOf)
        : productEntries(tid, cells, scope, nameOf, refuse)
    })
  },
}

function parentOf(parent: string, tidById: ReadonlyMap<string, string>): string {
  const [, id] = /^id:\s*(\d+)$/.exec(parent) ?? []
  const found = id === undefined ? parent : tidById.get(id)
  if (found !== undefined && found !== '') return found
  throw new Problem(
    'invalid',
    id === undefined
      ? 'Parent is empty; a variation needs the SKU of its product, or id: and its ID'
      : `Parent: no earlier row has the ID ${id}; sort the product before its variations`,
  )
}

type NameOf = ReturnType<typeof uniqueNames>

function productEntries(tid: string, cells: Cells, scope: LayoutScope, nameOf: NameOf, refuse: Refuse): Entry[] {
  const categories = partsOf(cells.get('Categories'), ',')
  const paths = categories.map((one) => partsOf(one, '>'))
  const node = nodeIn(scope, paths, 'Categories', refuse)
  const name = cells.get('Name')
  return [
    [field(0, 'tid', 'SKU'), tid],
    ...(name === '' ? [] : [[field(0, 'name', 'Name'), nameOf(node ?? '', name, tid)] as const]),
    ...(node === undefined ? [] : [[field(0, 'node', 'Categories'), node] as const]),
    ...textCopy(scope, attribute(0, 'categories', 'Categories', list), joinList(categories, scope.separator)),
    ...pictures(0, 'Images', partsOf(cells.get('Images'), ','), scope),
    ...valueEntries(0, cells, scope),
  ]
}

function variationEntries(tid: string, parent: string, cells: Cells, scope: LayoutScope, nameOf: NameOf): Entry[] {
  const values = valueEntries(2, cells, scope)
  const name = cells.get('Name') || tid
  return [
    [field(0, 'tid', 'Parent'), parent],
    [field(1, 'tid', 'Parent'), parent],
    [field(1, 'name', 'Parent'), parent],
    [field(2, 'tid', 'SKU'), tid],
    [field(2, 'name', 'Name'), nameOf(`variation of ${parent}`, name, tid)],
    ...pictures(2, 'Images', partsOf(cells.get('Images'), ','), scope),
    ...values,
  ]
}

function valueEntries(level: 0 | 2, cells: Cells, scope: LayoutScope): Entry[] {
  return cells.filled.flatMap(([heading, text]): Entry[] => {
    const [, number, part] = ofAttribute.exec(heading) ?? []
    if (number !== undefined) {
      const name = cells.get(`Attribute ${number} name`)
      if (part !== 'value(s)' || name === '') return []
      return [[attribute(level, slug(name) || `attribute_${number}`, `Attribute ${name}`, { ...list, label: name }), relist(text, ',', scope)]] // prettier-ignore
    }
    if (structural.has(heading)) return []
    const make = { ...(lists.has(heading) ? list : booleans.has(heading) ? { type: 'boolean' } : {}), label: heading }
    const target = attribute(level, attributeOf(heading), heading, make)
    if (texts.has(heading)) return [[target, unescaped(text.trim())]]
    return [[target, lists.has(heading) ? relist(text, ',', scope) : booleans.has(heading) ? published(text) : text.trim()]] // prettier-ignore
  })
}

/** -1 is a draft. */
const published = (text: string) => (text.trim() === '-1' ? 'false' : toBoolean(text))
