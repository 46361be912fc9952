/**
 * A product as rows of a table: one for each variation, article or product that has none below it. Articles and
 * variations have rows of their own only if there are columns for them.
 */
import type { Infer, Items, Links, Long } from '@kontor/contract'
import { joinList } from './lists.ts'
import type { ProductItem } from './mapping.ts'
import type { UsedValue } from './needs.ts'
import type { Notation } from './units.ts'
import { type Column, defaultSeparator, headingOf, type Level, ownHeadingOf } from './plan.ts'

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

/** Makes the rows of products, cell by cell in the order of the columns. */
type ToRows = (product: ProductItem, pathOf: PathOf) => string[][]

/** `inherited`: with the values that the parts of a product inherit. */
export function rowsBy(columns: readonly ExportColumn[], separator = defaultSeparator, inherited = false): ToRows {
  const deepest = Math.max(0, ...columns.map(({ level }) => level))
  const cells = columns.map((column, index) => ({ index, column, separator: column.separator ?? separator }))
  const levels = ([0, 1, 2] as const).map((level) => {
    const own = cells.filter(({ column }) => column.level === level)
    return {
      fields: own.filter(({ column }) => column.field !== undefined),
      values: Map.groupBy(
        own.filter(({ column }) => column.field === undefined),
        ({ column }) => nameOf(column),
      ),
    }
  })
  return (product, pathOf) =>
    [...branchesOf(product, deepest)].map((parts) => {
      const row = columns.map(() => '')
      parts.forEach((part, level) => fill(row, part, levels[level]!, pathOf, inherited))
      return row
    })
}

/** A column, with the place of its cell in a row. */
interface Cell {
  readonly index: number
  readonly column: ExportColumn
  readonly separator: string
}
/** The cells for a part of the product. */
interface PartCells {
  readonly fields: readonly Cell[]
  /** By the name of the attribute. */
  readonly values: ReadonlyMap<string, readonly Cell[]>
}

const nameOf = ({ attr = '', parent }: Pick<Val, 'attr' | 'parent'>) =>
  parent === undefined ? attr : `${parent}/${attr}`

function fill(row: string[], part: Part, { fields, values }: PartCells, pathOf: PathOf, inherited: boolean): void {
  for (const { index, column, separator } of fields) {
    const { field, link, write = asItIs } = column
    if (field === 'tid' || field === 'name' || field === 'node') row[index] = write(String(part[field] ?? ''))
    else if (field === 'asset') row[index] = joinList(pathsOf(part, link, pathOf).map(write), separator)
    else if (field === 'relation' || field === 'quantity') row[index] = relationCell(part, link, field, separator)
  }
  for (const val of part.vals?.val ?? []) {
    const cells = values.get(nameOf(val))
    if (!cells || (val.inheritance === 'inherited' && !inherited)) continue
    for (const [locale, items] of localesOf(val))
      for (const { index, column, separator } of cells)
        if ((column.locale ?? '') === locale) row[index] = cellOf(items, val.parent !== undefined, column, separator)
  }
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

const asItIs = (value: string) => value

const assetGroups = ({ links }: Part) => links?.itms?.find(({ type }) => type === 'assetToProduct')?.itms ?? []
const assetsIn = ({ itm = [] }: Infer<typeof Items>) =>
  itm.flatMap(({ key, value }) => (key === 'assetTid' ? (value ?? []) : []))

const pathsOf = (part: Part, link: string | undefined, pathOf: PathOf): string[] =>
  assetGroups(part)
    .filter(({ type }) => type === link)
    .flatMap(assetsIn)
    .flatMap((tid) => pathOf(tid) ?? [])

const relationGroups = ({ links }: Part) => links?.itms?.find(({ type }) => type === 'productToProduct')?.itms ?? []
const levelPrefixes: Readonly<Record<string, string>> = {
  targetProductTid: '',
  targetArticleTid: 'article:',
  targetVariantTid: 'variant:',
}
const quantityIn = ({ itm = [] }: Infer<typeof Items>) => itm.find(({ key }) => key === 'quantity')?.value ?? ''

/** The tids or the quantities of the relations of a type, in their order. */
function relationCell(part: Part, link: string | undefined, field: 'relation' | 'quantity', separator: string): string {
  const related = relationGroups(part)
    .filter(({ type }) => type === link)
    .flatMap((group) =>
      (group.itm ?? []).flatMap(({ key = '', value = '', pos }) => {
        const prefix = levelPrefixes[key]
        if (prefix === undefined) return []
        // A tid that looks as if it had a prefix gets one.
        const isPlain = prefix !== '' || !/^(product|article|variant):/.test(value)
        return [
          {
            relation: (isPlain ? prefix : 'product:') + value,
            quantity: quantityIn(group),
            pos: Number(pos ?? Infinity),
          },
        ]
      }),
    )
    .toSorted((a, b) => (a.pos === b.pos ? 0 : a.pos - b.pos))
  if (field === 'quantity' && related.every(({ quantity }) => quantity === '')) return ''
  return joinList(related.map((one) => one[field]), separator) // prettier-ignore
}

/** A product, its articles and variations. */
function partsOf(product: ProductItem): Part[] {
  const articles = product.articles?.article ?? []
  return [product, ...articles, ...articles.flatMap(({ variants }) => variants?.variant ?? [])]
}
/** The tids of the assets that are linked to them. */
export const assetsOf = (product: ProductItem): string[] => partsOf(product).flatMap(assetGroups).flatMap(assetsIn)
export const hasLinks = (product: ProductItem): boolean => partsOf(product).some(({ links }) => links !== undefined)

function localesOf({ itm = [], i18N }: Val): [locale: string, items: readonly Item[]][] {
  if (i18N) return i18N.map(({ loc = '', itm: list = [] }) => [loc, list])
  if (itm.some(({ loc }) => loc !== undefined)) return itm.map((item) => [item.loc ?? '', [item]])
  return [['', itm]]
}

/** A list keeps its order; the rows of a table also keep their positions. Only items of lists have positions. */
function cellOf(
  items: readonly Item[],
  isTable: boolean,
  { position, write = asItIs }: ExportColumn,
  separator: string,
): string {
  const writtenOf = (item: Item) => write(textOf(item))
  if (position !== undefined) {
    const one = items.find(({ pos }, i) => Number(pos ?? i) === position)
    return one ? writtenOf(one) : ''
  }
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

/** The keys of attributes, by level, all of whose columns are used. */
export function completeKeys(columns: readonly Column[], used: ReadonlySet<string>): string[][] {
  return ([0, 1, 2] as const).map((level) => {
    const own = columns.filter((column) => column.level === level && column.field === undefined)
    const open = new Set(own.flatMap((column) => (used.has(column.heading) ? [] : nameOf(column))))
    return [...new Set(own.map(nameOf))].filter((name) => !open.has(name))
  })
}

/** Adds the column of a value. An article or variation without values also has a tid and a name. */
export function noteValue({ level, key, locale }: UsedValue, used: Set<string>): void {
  const prefix = prefixOf(level)
  used.add(`${prefix}tid`).add(`${prefix}name`)
  if (key !== '') used.add(ownHeadingOf(prefix + key + (locale === '' ? '' : `@${locale}`)))
}

const prefixOf = (level: Level) => headingOf({ level, field: 'tid' }).slice(0, -3)

/** The columns in which the product has a value. */
export function noteUsed(product: ProductItem, used: Set<string>, inherited = false): void {
  const note = (part: Part, level: Level) => {
    const prefix = prefixOf(level)
    used.add(`${prefix}tid`).add(`${prefix}name`)
    for (const val of part.vals?.val ?? []) {
      if (val.inheritance === 'inherited' && !inherited) continue
      const name = prefix + nameOf(val)
      for (const [locale, items] of localesOf(val))
        if (items.some((item) => textOf(item) !== ''))
          used.add(ownHeadingOf(locale === '' ? name : `${name}@${locale}`))
    }
    for (const { type: link } of assetGroups(part))
      used.add(headingOf({ level, field: 'asset', ...(link !== undefined && { link }) }))
    for (const group of relationGroups(part)) {
      // A heading names the type, and separates it from the rest by a slash.
      if (group.type === undefined || group.type.includes('/')) continue
      used.add(headingOf({ level, field: 'relation', link: group.type }))
      if (quantityIn(group) !== '') used.add(headingOf({ level, field: 'quantity', link: group.type }))
    }
  }
  note(product, 0)
  for (const article of product.articles?.article ?? []) {
    note(article, 1)
    for (const variant of article.variants?.variant ?? []) note(variant, 2)
  }
}
