/**
 * A product as rows of a table: one for each variation, article or product that has none below it. Articles and
 * variations have rows of their own only if there are columns for them.
 */
import type { Infer, Items, Links, Long } from '@kontor/contract'
import { joinList } from './lists.ts'
import type { ProductItem } from './mapping.ts'
import type { Notation } from './units.ts'
import { type Column, defaultSeparator, headingOf, type Level } from './plan.ts'

interface Item {
  readonly value?: string
  readonly key?: string
  readonly loc?: string
  readonly pos?: Long
}
interface Val {
  readonly attr?: string
  readonly parent?: string
  readonly inheritance?: string
  readonly itm?: readonly Item[]
  readonly i18N?: readonly { readonly loc?: string; readonly itm?: readonly Item[] }[]
}
interface Part {
  readonly tid?: string
  readonly name?: string
  readonly node?: unknown
  readonly vals?: { readonly val?: readonly Val[] }
  readonly links?: Infer<typeof Links>
}

/** The path of a linked asset; undefined if it is unknown. */
type PathOf = (tid: string) => string | undefined

export interface ExportColumn extends Column {
  /** How cells write its values. Default: as they are. */
  readonly write?: Notation['write']
  /** Between the values of a list. Default: that of the profile. */
  readonly separator?: string
}

/** The rows of a product, cell by cell in the order of the columns. */
export function* toRows(
  product: ProductItem,
  columns: readonly ExportColumn[],
  pathOf: PathOf,
  separator = defaultSeparator,
): Generator<string[]> {
  const deepest = Math.max(0, ...columns.map(({ level }) => level))
  for (const parts of branchesOf(product, deepest)) yield rowOf(parts, columns, pathOf, separator)
}

/** The product with each of its articles and variations, as far down as there are columns. */
function* branchesOf(product: ProductItem, deepest: number): Generator<(Part & { node?: unknown })[]> {
  const articles = deepest > 0 ? (product.articles?.article ?? []) : []
  if (articles.length === 0) yield [product]
  for (const article of articles) {
    const variants = deepest > 1 ? (article.variants?.variant ?? []) : []
    if (variants.length === 0) yield [product, article]
    for (const variant of variants) yield [product, article, variant]
  }
}

function rowOf(parts: readonly Part[], columns: readonly ExportColumn[], pathOf: PathOf, separator: string): string[] {
  const values = parts.map(valuesOf)
  return columns.map(({ level, field, position, write = asItIs, separator: own = separator, ...column }) => {
    const part = parts[level]
    if (!part) return ''
    if (field === 'tid' || field === 'name' || field === 'node') return write(String(part[field] ?? ''))
    if (field === 'asset') return joinList(pathsOf(part, column.link, pathOf).map(write), own)
    const found = values[level]!.get(headingOf({ ...column, level: 0 }))
    if (!found) return ''
    if (position === undefined) return cellOf(found, own, write)
    const one = found.items.find(({ pos }, i) => Number(pos ?? i) === position)
    return one ? write(textOf(one)) : ''
  })
}

const asItIs = (value: string) => value

const assetGroups = ({ links }: Part) => links?.itms?.find(({ type }) => type === 'assetToProduct')?.itms ?? []
const assetsIn = ({ itm = [] }: Infer<typeof Items>) =>
  itm.flatMap(({ key, value }) => (key === 'assetTid' ? (value ?? []) : []))

const pathsOf = (part: Part, link: string | undefined, pathOf: PathOf): string[] =>
  assetGroups(part)
    .filter(({ type }) => type === link)
    .flatMap(assetsIn)
    .flatMap((tid) => pathOf(tid) ?? [])

/** A product, its articles and variations. */
function partsOf(product: ProductItem): Part[] {
  const articles = product.articles?.article ?? []
  return [product, ...articles, ...articles.flatMap(({ variants }) => variants?.variant ?? [])]
}
/** The tids of the assets that are linked to them. */
export const assetsOf = (product: ProductItem): string[] => partsOf(product).flatMap(assetGroups).flatMap(assetsIn)
export const hasLinks = (product: ProductItem): boolean => partsOf(product).some(({ links }) => links !== undefined)

/** The items of one value in one language. */
interface Value {
  readonly items: readonly Item[]
  readonly isTable: boolean
}

/** The values of an object itself, by heading. */
function valuesOf({ vals }: Part): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>()
  for (const val of vals?.val ?? []) {
    if (val.inheritance === 'inherited') continue
    for (const [locale, items] of localesOf(val)) {
      const heading = headingOf({ level: 0, attr: val.attr!, ...(val.parent !== undefined && { parent: val.parent }), ...(locale !== '' && { locale }) }) // prettier-ignore
      values.set(heading, { items, isTable: val.parent !== undefined })
    }
  }
  return values
}

function localesOf({ itm = [], i18N }: Val): [locale: string, items: readonly Item[]][] {
  if (i18N) return i18N.map(({ loc = '', itm: list = [] }) => [loc, list])
  if (itm.some(({ loc }) => loc !== undefined)) return itm.map((item) => [item.loc ?? '', [item]])
  return [['', itm]]
}

/** A list keeps its order; the rows of a table also keep their positions. Only items of lists have positions. */
function cellOf({ items, isTable }: Value, separator: string, write: Notation['write']): string {
  const writtenOf = (item: Item) => write(textOf(item))
  if (items.length === 1 && items[0]!.pos === undefined) return writtenOf(items[0]!)
  if (!isTable) return joinList(items.map(writtenOf), separator)
  const cells: string[] = []
  items.forEach((item, i) => (cells[Number(item.pos ?? i)] = writtenOf(item)))
  return joinList(Array.from(cells, (cell) => cell ?? ''), separator) // prettier-ignore
}

/** The key of a choice, which is the same in every language. */
const textOf = ({ key, value = '' }: Item) => key ?? value

/** The columns for all values that attributes can have, in the order of their definition. */
export function allColumns(
  definitions: readonly { tid: string; type: string; localized: boolean; columns: readonly string[] }[],
  locales: readonly string[],
): Column[] {
  const made = (column: Omit<Column, 'heading'>): Column => ({ ...column, heading: headingOf(column) })
  const own = ([0, 1, 2] as const).flatMap((level: Level) => [
    made({ level, field: 'tid' }),
    made({ level, field: 'name' }),
    ...(level === 0 ? [made({ level, field: 'node' })] : []),
  ])
  const inTables = new Set(definitions.flatMap(({ columns }) => columns))
  const byTid = new Map(definitions.map((one) => [one.tid, one]))
  const attributes = definitions
    .filter(({ tid }) => !inTables.has(tid))
    .flatMap((one) =>
      one.type === 'table'
        ? one.columns.map((tid) => ({ attr: tid, parent: one.tid, localized: byTid.get(tid)?.localized ?? false }))
        : [{ attr: one.tid, localized: one.localized }],
    )
  const values = ([0, 1, 2] as const).flatMap((level) =>
    attributes.flatMap(({ localized, ...attribute }) =>
      localized ? locales.map((locale) => made({ level, ...attribute, locale })) : [made({ level, ...attribute })],
    ),
  )
  return [...own, ...values]
}

/** The columns in which the product has a value. */
export function noteUsed(product: ProductItem, used: Set<string>): void {
  const note = (part: Part, level: Level) => {
    const prefix = headingOf({ level, field: 'tid' }).slice(0, -3)
    used.add(`${prefix}tid`).add(`${prefix}name`)
    for (const [heading, { items }] of valuesOf(part))
      if (items.some((item) => textOf(item) !== '')) used.add(prefix + heading)
    for (const { type: link } of assetGroups(part))
      used.add(headingOf({ level, field: 'asset', ...(link !== undefined && { link }) }))
  }
  note(product, 0)
  for (const article of product.articles?.article ?? []) {
    note(article, 1)
    for (const variant of article.variants?.variant ?? []) note(variant, 2)
  }
}
