/**
 * Products of Shopify as CSV. Rows with the same handle are one product; each row is a variant, a picture, or both. Values of
 * the product, and the names of its options, are in its first row only. Both the headings of 2025 and the older ones are read.
 */
import { Problem } from '../../errors.ts'
import { joinList } from '../lists.ts'
import type { LayoutScope, TableReader } from './layout.ts'
import { attribute, textCopy, type Cells, type Entry, field, nodeIn, type Refuse, partsOf, pictures, relist, slug, tableRows, toBoolean, uniqueNames } from './parts.ts' // prettier-ignore

/** The older heading by the newer one. */
// prettier-ignore
const renamed: Readonly<Record<string, string>> = {
  'URL handle': 'Handle', 'Description': 'Body (HTML)', 'Product category': 'Product Category',
  'Published on online store': 'Published', 'SKU': 'Variant SKU', 'Barcode': 'Variant Barcode',
  'Option1 name': 'Option1 Name', 'Option1 value': 'Option1 Value', 'Option2 name': 'Option2 Name',
  'Option2 value': 'Option2 Value', 'Option3 name': 'Option3 Name', 'Option3 value': 'Option3 Value',
  'Price': 'Variant Price', 'Compare-at price': 'Variant Compare At Price', 'Charge tax': 'Variant Taxable',
  'Tax code': 'Variant Tax Code', 'Inventory tracker': 'Variant Inventory Tracker',
  'Inventory quantity': 'Variant Inventory Qty', 'Continue selling when out of stock': 'Variant Inventory Policy',
  'Weight value (grams)': 'Variant Grams', 'Weight unit for display': 'Variant Weight Unit',
  'Requires shipping': 'Variant Requires Shipping', 'Fulfillment service': 'Variant Fulfillment Service',
  'Product image URL': 'Image Src', 'Image position': 'Image Position', 'Image alt text': 'Image Alt Text',
  'Variant image URL': 'Variant Image', 'Gift card': 'Gift Card', 'SEO title': 'SEO Title',
  'SEO description': 'SEO Description',
}
const older = (heading: string) => renamed[heading] ?? heading

export const optionNumbers = [1, 2, 3] as const
/** Read by themselves. */
const structural = new Set([
  'Handle', 'Title', 'Tags', 'Variant SKU', 'Image Src', 'Image Position', 'Image Alt Text', 'Variant Image',
  ...optionNumbers.flatMap((n) => [`Option${n} Name`, `Option${n} Value`, `Option${n} Linked To`]),
]) // prettier-ignore
const categoryColumns = new Set(['Product Category', 'Type'])
const booleans = new Set(['Published', 'Gift Card', 'Variant Requires Shipping', 'Variant Taxable'])
const numbers = /^(Variant (Grams|Inventory Qty|Price|Compare At Price)|Cost per item|(Price|Compare At Price) \/ .+)$/
const ofVariant = /^(Variant |Cost per item$|(Price|Compare At Price|Included) \/ )/

/** The attribute of a column: `Variant Price` is price. */
export const attributeOf = (heading: string): string =>
  slug(/\(product\.metafields\.[\w-]+\.([\w-]+)\)$/.exec(heading)?.[1] ?? heading.replace(/^Variant /, ''))
export const levelOf = (heading: string): 0 | 2 => (ofVariant.test(heading) ? 2 : 0)
export const optionsAttribute = 'options'
/** The option of a product that has none. */
export const noOption = { name: 'Title', value: 'Default Title' } as const

const typeOf = (heading: string) =>
  booleans.has(heading) ? 'boolean' : numbers.test(heading) ? 'number' : heading.startsWith('Body') ? 'text' : undefined

/** The facts of a product that later rows need. */
interface Started {
  readonly title: string
  readonly options: readonly string[]
  readonly images: string[]
  /** The chosen options by the tid of the variant. */
  readonly variants: Map<string, string>
}

export const shopifyTable: TableReader = {
  detects: (headings) =>
    (headings.has('Handle') && (headings.has('Option1 Name') || headings.has('Variant SKU') || headings.has('Body (HTML)'))) ||
    (headings.has('URL handle') && headings.has('Option1 name')), // prettier-ignore
  toKnown: older,
  rows(sent, rows, scope) {
    const started = new Map<string, Started>()
    const nameOf = uniqueNames()
    const from = new Map(sent.map((heading) => [older(heading), heading]))
    const named = (heading: string) => from.get(heading) ?? heading
    const work = (cells: Cells, refuse: Refuse): Entry[] => {
      const handle = cells.get('Handle', 'URL handle')
      if (handle === '') throw new Problem('invalid', 'the row has no Handle; every row of a product has it')
      const read = (heading: string) => cells.get(heading, named(heading))
      const before = started.get(handle)
      const title = before?.title ?? read('Title')
      const options = before?.options ?? optionNumbers.map((n) => read(`Option${n} Name`))
      const now: Started = before ?? { title, options, images: [], variants: new Map() }
      started.set(handle, now)
      const image = read('Image Src')
      if (image !== '') now.images.push(image)
      const variant = variantEntries(handle, now, read, named, scope)
      return [
        [field(0, 'tid', named('Handle')), handle],
        ...(before ? [] : productEntries(handle, now, read, named, { scope, nameOf, refuse })),
        ...(image === '' ? [] : pictures(0, named('Image Src'), now.images, scope, [image])),
        ...variant,
        ...cells.filled.flatMap(([heading, text]) =>
          valueEntries(older(heading), heading, text, variant.length > 0, scope),
        ),
      ]
    }
    return tableRows(sent, rows, work)
  },
}

type Read = (heading: string) => string

function productEntries(
  handle: string,
  { title, options }: Started,
  read: Read,
  named: Read,
  { scope, nameOf, refuse }: { scope: LayoutScope; nameOf: ReturnType<typeof uniqueNames>; refuse: Refuse },
): Entry[] {
  const categories = [partsOf(read('Product Category'), '>'), partsOf(read('Type'), '/')].filter(({ length }) => length > 0) // prettier-ignore
  const node = title === '' ? undefined : nodeIn(scope, categories, named('Product Category'), refuse)
  const names = options.filter((name) => name !== '' && name !== noOption.name)
  const list = { type: 'text', multi: true }
  const tags = relist(read('Tags'), ',', scope)
  return [
    ...(title === '' ? [] : [[field(0, 'name', named('Title')), nameOf(node ?? '', title, handle)] as const]),
    ...(node === undefined ? [] : [[field(0, 'node', named('Product Category')), node] as const]),
    ...(tags === '' ? [] : [[attribute(0, 'tags', named('Tags'), list), tags] as const]),
    ...(names.length === 0
      ? []
      : [[attribute(0, optionsAttribute, named('Option1 Name'), { ...list, label: 'Options' }), joinList(names, scope.separator)] as const]), // prettier-ignore
  ]
}

function variantEntries(
  handle: string,
  { title, options, variants }: Started,
  read: Read,
  named: Read,
  scope: LayoutScope,
) {
  const sku = read('Variant SKU')
  const values = optionNumbers.map((n) => read(`Option${n} Value`))
  const chosen = values.filter((value) => value !== '')
  if (sku === '' && chosen.length === 0 && read('Variant Price') === '') return []
  const isDefault = chosen.length === 0 || (chosen.length === 1 && chosen[0] === noOption.value)
  const lacking = values.findIndex((value, i) => value !== '' && options[i] === '')
  if (lacking >= 0)
    throw new Problem(
      'invalid',
      `Option${lacking + 1} Value has a value, but the first row of the product has no Option${lacking + 1} Name`,
    )
  const tid = sku === '' ? [handle, ...chosen.map(slug)].join('-') : sku
  const earlier = variants.get(tid)
  if (earlier !== undefined && earlier !== chosen.join(' / '))
    throw new Problem('invalid', `the variant ${earlier} has the ${named('Variant SKU')} ${tid.slice(0, 100)}, too; give each variant its own`) // prettier-ignore
  variants.set(tid, chosen.join(' / '))
  const entries: Entry[] = [
    [field(1, 'tid', named('Handle')), handle],
    [field(1, 'name', named('Title')), title === '' ? handle : title.slice(0, 255)],
    [field(2, 'tid', named('Variant SKU')), tid],
    [field(2, 'name', named('Option1 Value')), isDefault ? noOption.value : chosen.join(' / ')],
  ]
  if (!isDefault)
    values.forEach((value, i) => {
      if (value !== '') entries.push([optionTarget(options[i]!), value])
    })
  return [...entries, ...pictures(2, named('Variant Image'), partsOf(read('Variant Image'), ' '), scope)]
}

/** An option may be the first of one product and the second of another, so it has a heading of its own. */
const optionTarget = (name: string) => attribute(2, slug(name) || 'option', `Option ${name}`, { type: 'text', label: name }) // prettier-ignore

function valueEntries(heading: string, from: string, text: string, hasVariant: boolean, scope: LayoutScope): Entry[] {
  const level = levelOf(heading)
  if (structural.has(heading) || (level === 2 && !hasVariant)) return []
  const type = typeOf(heading)
  const target = attribute(level, attributeOf(heading), from, { ...(type && { type }), label: heading })
  if (categoryColumns.has(heading)) return textCopy(scope, target, text.trim())
  return [[target, booleans.has(heading) ? toBoolean(text) : text.trim()]]
}
