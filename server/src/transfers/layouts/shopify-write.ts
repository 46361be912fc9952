/** Writes products as CSV of Shopify, with the headings that all versions of Shopify read. */
import type { ProductItem } from '../mapping.ts'
import type { Column } from '../plan.ts'
import { withUnits } from '../units.ts'
import { toCsv } from '../write/tables.ts'
import type { LayoutWriter, WriterScope } from './layout.ts'
import { slug } from './parts.ts'
import { attributeOf, levelOf, noOption, optionNumbers, optionsAttribute } from './shopify.ts'
import { type Branch, branchesOf, listOf, singleAmount, sourceOf } from './write.ts'

const headings = [
  'Handle', 'Title', 'Body (HTML)', 'Vendor', 'Product Category', 'Type', 'Tags', 'Published',
  ...optionNumbers.flatMap((n) => [`Option${n} Name`, `Option${n} Value`]),
  'Variant SKU', 'Variant Grams', 'Variant Inventory Tracker', 'Variant Inventory Qty', 'Variant Inventory Policy',
  'Variant Fulfillment Service', 'Variant Price', 'Variant Compare At Price', 'Variant Requires Shipping',
  'Variant Taxable', 'Variant Barcode', 'Image Src', 'Image Position', 'Image Alt Text', 'Gift Card', 'SEO Title',
  'SEO Description', 'Variant Image', 'Variant Weight Unit', 'Variant Tax Code', 'Cost per item', 'Status',
] // prettier-ignore

/** Columns that are not an attribute of their own name; undefined for those that are written by themselves. */
const special: Readonly<Record<string, Omit<Column, 'heading'> | undefined>> = {
  Handle: { level: 0, field: 'tid' },
  Title: { level: 0, field: 'name' },
  'Variant SKU': { level: 2, field: 'tid' },
  'Image Src': { level: 0, attr: 'images' },
  'Variant Image': { level: 2, attr: 'images' },
  ...Object.fromEntries(['Image Position', ...optionNumbers.flatMap((n) => [`Option${n} Name`, `Option${n} Value`])].map((one) => [one, undefined])), // prettier-ignore
}
const booleans = new Set(['Published', 'Gift Card', 'Variant Requires Shipping', 'Variant Taxable'])
const own = { options: 'options of the product', name: 'name of the variation', ownImages: 'images of the variation' }

export const shopifyWriter: LayoutWriter = {
  formats: ['csv'],
  write(_format, pages, scope) {
    const extra = (scope.profile?.columns ?? []).map(({ column }) => column).filter((one) => !headings.includes(one) && !one.startsWith('Option ')) // prettier-ignore
    const all = [...headings, ...extra]
    const columns = [
      ...all.flatMap((heading) => sourceOf(scope, heading, defaultOf(heading, scope)) ?? []),
      ...(scope.kindOf(optionsAttribute) ? [{ heading: own.options, level: 0 as const, attr: optionsAttribute }] : []),
      { heading: own.name, level: 2 as const, field: 'name' as const },
    ]
    const rows = async function* () {
      for await (const page of pages) for (const product of page) yield* rowsOf(product, all, columns, scope)
    }
    return toCsv(all, rows(), { keepsFormulas: true, delimiter: scope.profile?.delimiter })
  },
}

/** Without the attribute of a type, the type of a product is its category. */
function defaultOf(heading: string, { kindOf }: WriterScope): Omit<Column, 'heading'> | undefined {
  if (heading in special) return special[heading]
  if (heading === 'Type' && !kindOf(attributeOf(heading))) return { level: 0, field: 'node' }
  return { level: levelOf(heading), attr: attributeOf(heading) }
}

function* rowsOf(
  product: ProductItem,
  all: readonly string[],
  columns: readonly Column[],
  scope: WriterScope,
): Generator<string[]> {
  const [first] = branchesOf(product, columns, scope)
  const names = optionsOf(first!, scope)
  const chosen = names.map((name): Column => ({ heading: optionHeading(name), level: 2, attr: scope.kindOf(slug(name)) ? slug(name) : name })) // prettier-ignore
  const branches = branchesOf(product, [...columns, ...chosen.filter(({ attr }) => scope.kindOf(attr!))], scope)
  const images = listOf(first!.get('Image Src'))
  const typeOf = new Map(columns.map(({ heading, attr = '' }) => [heading, scope.kindOf(attr)?.type]))
  const amount = (heading: string, branch: Branch) => {
    const cell = branch.get(heading)
    if (typeOf.get(heading) === 'price') return numberOf(heading, cell, product.tid!)
    // A measure has its unit with it.
    return heading === 'Variant Grams' && cell.includes(' ') ? grams.write(cell) : cellOf(heading, branch)
  }
  const count = Math.max(branches.length, images.length)
  for (let i = 0; i < count; i++) {
    const branch = branches[i]
    const cells = new Map<string, string>([['Handle', product.tid ?? '']])
    for (const heading of branch ? all : []) {
      const isRepeated = levelOf(heading) === 2 || heading === 'Variant Image'
      if (i === 0 || isRepeated) cells.set(heading, amount(heading, branch!))
    }
    if (branch) optionCells(cells, branch, names, i === 0)
    cells.set('Image Src', images[i] ?? '')
    cells.set('Image Position', images[i] === undefined ? '' : String(i + 1))
    yield all.map((heading) => cells.get(heading) ?? '')
  }
}

/** The amount of a price. Shopify has one currency. */
const numberOf = (heading: string, price: string, tid: string) =>
  singleAmount(price, undefined, `layout shopify: ${heading} has one amount, but that of ${tid.slice(0, 100)} (${price.slice(0, 100)}) has amounts in several currencies; choose one as unit of the column ${heading} in a profile`).replace(/ \S+$/, '') // prettier-ignore

const grams = withUnits('g', undefined)

function cellOf(heading: string, branch: Branch): string {
  const cell = branch.get(heading)
  if (booleans.has(heading)) return cell.toUpperCase()
  if (heading === 'Variant Image') return branch.get('Variant Image') === branch.get('Image Src') ? '' : (listOf(cell)[0] ?? '') // prettier-ignore
  if (heading === 'Type' && cell.startsWith('/')) return cell.slice(cell.lastIndexOf('/') + 1)
  return listOf(cell).join(', ')
}

const optionHeading = (name: string) => `Option ${name}`

/** The names of the options: of the product, or the same for all of them by a constant of the profile. */
function optionsOf(branch: Branch, { profile }: WriterScope): string[] {
  const given = listOf(branch.get(own.options))
  const names =
    given.length > 0 ? given : (profile?.constants?.[optionsAttribute]?.split(profile.separator ?? '|') ?? [])
  return names.map((name) => name.trim()).filter((name) => name !== '').slice(0, optionNumbers.length) // prettier-ignore
}

/** Without options, the variations of a product differ by their names. */
function optionCells(cells: Map<string, string>, branch: Branch, names: readonly string[], isFirst: boolean): void {
  const name = branch.get(own.name)
  if (names.length > 0) {
    names.forEach((option, i) => {
      if (isFirst) cells.set(`Option${i + 1} Name`, option)
      cells.set(`Option${i + 1} Value`, branch.get(optionHeading(option)))
    })
    return
  }
  const isDefault = name === '' || name === noOption.value
  if (isFirst) cells.set('Option1 Name', isDefault ? noOption.name : 'Variant')
  cells.set('Option1 Value', isDefault ? noOption.value : name)
}
