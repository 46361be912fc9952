/**
 * Products of Shopware 6 as CSV, by the default profile or one made from it. A row with `parent` (a product number) or
 * `parent_id` (the id of an earlier row) is a variant. Lists are separated by |. Translations have columns such as
 * `translations.de-DE.name` or `name_de-DE`; those of `translations.DEFAULT` are in the first locale of content.
 */
import { Problem } from '../../errors.ts'
import { joinList } from '../lists.ts'
import type { LayoutScope, TableReader, Target } from './layout.ts'
import { attribute, textCopy, type Cells, type Entry, field, nodeIn, type Refuse, partsOf, pictures, relist, slug, tableRows, toBoolean, uniqueNames } from './parts.ts' // prettier-ignore

const identifiers = ['product_number', 'productNumber'] as const
const structural = new Set([...identifiers, 'id', 'parent', 'parent_id', 'parentId', 'cover_media_url', 'media', 'categories', 'options', 'properties']) // prettier-ignore
/** Identifiers of other tables of Shopware, which mean nothing elsewhere. */
const foreignIds = /(_id|Id|Ids|_ids)$/
const booleans = new Set(['active', 'shipping_free', 'is_closeout', 'mark_as_topseller'])
const translated = /^(?:translations\.(DEFAULT|[a-z]{2}-[A-Z]{2})\.(.+)|(.+)_([a-z]{2}-[A-Z]{2}))$/
const uuid = /^[0-9a-f]{32}$/
const list = { type: 'text', multi: true } as const

export const shopwareTable: TableReader = {
  detects: (headings) =>
    identifiers.some((one) => headings.has(one)) && ['price_net', 'price_gross', 'tax_rate', 'tax_name', 'manufacturer_name', 'cover_media_url', 'parent_id', 'translations.DEFAULT.name'].some((one) => headings.has(one)), // prettier-ignore
  rows(headings, rows, scope) {
    const numberById = new Map<string, string>()
    const nameOf = uniqueNames()
    const targets = new Map(headings.map((heading) => [heading, translationOf(heading, headings, scope)]))
    return tableRows(headings, rows, (cells, refuse) => {
      const tid = cells.get(...identifiers)
      if (tid === '') throw new Problem('invalid', 'the row has no product_number')
      if (cells.get('id') !== '') numberById.set(cells.get('id'), tid)
      const parent = parentOf(cells, numberById)
      const level = parent === undefined ? 0 : 2
      const values = cells.filled.flatMap(([heading, text]) => valueEntries(level, heading, text, targets.get(heading)))
      const own = parent === undefined ? productEntries(tid, cells, scope, nameOf, refuse) : variantEntries(tid, parent, cells, scope) // prettier-ignore
      return [...own, ...values]
    })
  },
}

function parentOf(cells: Cells, numberById: ReadonlyMap<string, string>): string | undefined {
  const parent = cells.get('parent', 'parent_id', 'parentId')
  if (parent === '') return undefined
  const found = numberById.get(parent) ?? (uuid.test(parent) ? undefined : parent)
  if (found !== undefined) return found
  throw new Problem('invalid', `parent_id: no earlier row has the id ${parent}; sort the product before its variants`)
}

/** The attribute and locale of a column; no locale if the file does not translate it. */
function translationOf(heading: string, headings: readonly string[], { locales, kindOf }: LayoutScope) {
  const [, given, name = '', plain = '', suffix] = translated.exec(heading) ?? []
  const base = name || plain || heading
  const language = given ?? suffix
  if (language !== undefined && language !== 'DEFAULT') return { base, locale: language.replace('-', '_') }
  const isTranslated = kindOf(attributeName(base))?.localized ?? headings.some((one) => {
    const parts = translated.exec(one)
    return parts && (parts[2] ?? parts[3]) === base && parts[1] !== 'DEFAULT'
  }) // prettier-ignore
  const first = locales[0]
  const isGiven = headings.some((one) => one !== heading && translated.test(one) && one.includes(base) && first !== undefined && one.includes(first.replace('_', '-'))) // prettier-ignore
  if (!isTranslated || first === undefined) return { base }
  return isGiven ? undefined : { base, locale: first }
}

/** The name of a product is a field, and its translations are an attribute. */
const attributeName = (base: string) => (base === 'name' ? 'product_name' : slug(base))

type Translation = ReturnType<typeof translationOf>

function valueEntries(level: 0 | 2, heading: string, text: string, translation: Translation): Entry[] {
  if (!translation || structural.has(heading) || foreignIds.test(heading)) return []
  const { base, locale } = translation
  if (base === 'name' && locale === undefined) return []
  const type = booleans.has(base) ? 'boolean' : /description|name/.test(base) ? 'text' : undefined
  const target: Target = { ...attribute(level, attributeName(base), heading, { ...(type && { type }), label: base }), ...(locale !== undefined && { locale }) } // prettier-ignore
  return [[target, booleans.has(base) ? toBoolean(text) : text.trim()]]
}

const nameIn = (cells: Cells) =>
  cells.get('name', 'translations.DEFAULT.name') || (cells.filled.find(([heading]) => /^(translations\..+\.name|name_.+)$/.test(heading))?.[1] ?? '') // prettier-ignore

function productEntries(
  tid: string,
  cells: Cells,
  scope: LayoutScope,
  nameOf: ReturnType<typeof uniqueNames>,
  refuse: Refuse,
) {
  const categories = partsOf(cells.get('categories'), '|')
  const paths = categories.filter((one) => !uuid.test(one)).map((one) => partsOf(one, '>'))
  const node = nodeIn(scope, paths, 'categories', refuse)
  const name = nameIn(cells)
  const entries: Entry[] = [
    [field(0, 'tid', 'product_number'), tid],
    ...(name === '' ? [] : [[field(0, 'name', 'name'), nameOf(node ?? '', name, tid)] as const]),
    ...(node === undefined ? [] : [[field(0, 'node', 'categories'), node] as const]),
    ...textCopy(scope, attribute(0, 'categories', 'categories', list), joinList(categories, scope.separator)),
  ]
  return [...entries, ...pictureEntries(0, cells, scope), ...optionEntries(0, 'properties', cells, scope)]
}

function variantEntries(tid: string, parent: string, cells: Cells, scope: LayoutScope): Entry[] {
  return [
    [field(0, 'tid', 'parent'), parent],
    [field(1, 'tid', 'parent'), parent],
    [field(1, 'name', 'parent'), parent],
    [field(2, 'tid', 'product_number'), tid],
    [field(2, 'name', 'product_number'), tid],
    ...pictureEntries(2, cells, scope),
    ...optionEntries(2, 'options', cells, scope),
  ]
}

const pictureEntries = (level: 0 | 2, cells: Cells, scope: LayoutScope): Entry[] => {
  const all = [cells.get('cover_media_url'), ...partsOf(cells.get('media'), '|')].filter((one) => one !== '')
  return pictures(level, 'cover_media_url', [...new Set(all)], scope)
}

/** `Colour: Red|Size: M`: a value per group; others as one list. */
function optionEntries(level: 0 | 2, heading: string, cells: Cells, scope: LayoutScope): Entry[] {
  const cell = cells.get(heading)
  const pairs = partsOf(cell, '|').map((one) => /^([^:>]+)[:>]\s*(.+)$/.exec(one))
  if (pairs.length === 0) return []
  if (pairs.some((pair) => pair === null)) return [[attribute(level, slug(heading), heading, list), relist(cell, '|', scope)]] // prettier-ignore
  const groups = Map.groupBy(pairs, (pair) => pair![1]!.trim())
  return [...groups].map(([group, values]) => [attribute(level, slug(group), `${heading} ${group}`, { ...list, label: group }), joinList(values.map((pair) => pair![2]!.trim()), scope.separator)]) // prettier-ignore
}
