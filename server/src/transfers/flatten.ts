/** A product as rows of a table: one for each variation, article or product that has none below it. */
import type { Infer, Items, Links, Long } from '@kontor/contract'
import type { ProductItem } from './mapping.ts'
import { type Column, headingOf, type Level } from './plan.ts'

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
  readonly vals?: { readonly val?: readonly Val[] }
  readonly links?: Infer<typeof Links>
}

export const separator = '|'

/** The path of a linked asset; undefined if it is unknown. */
type PathOf = (tid: string) => string | undefined

/** The rows of a product, cell by cell in the order of the columns. */
export function* toRows(product: ProductItem, columns: readonly Column[], pathOf: PathOf): Generator<string[]> {
  const articles = product.articles?.article ?? []
  if (articles.length === 0) yield rowOf([product], columns, pathOf)
  for (const article of articles) {
    const variants = article.variants?.variant ?? []
    if (variants.length === 0) yield rowOf([product, article], columns, pathOf)
    for (const variant of variants) yield rowOf([product, article, variant], columns, pathOf)
  }
}

function rowOf(parts: readonly (Part & { node?: unknown })[], columns: readonly Column[], pathOf: PathOf): string[] {
  const texts = parts.map(textsOf)
  return columns.map(({ level, field, ...column }) => {
    const part = parts[level]
    if (!part) return ''
    if (field === 'tid' || field === 'name' || field === 'node') return String(part[field] ?? '')
    if (field === 'asset') return pathsOf(part, column.link, pathOf).join(separator)
    return texts[level]!.get(headingOf({ ...column, level: 0 })) ?? ''
  })
}

const assetGroups = ({ links }: Part) => links?.itms?.find(({ type }) => type === 'assetToProduct')?.itms ?? []
const assetsIn = ({ itm = [] }: Infer<typeof Items>) =>
  itm.flatMap(({ key, value }) => (key === 'assetTid' ? (value ?? []) : []))

const pathsOf = (part: Part, link: string | undefined, pathOf: PathOf): string[] =>
  assetGroups(part)
    .filter(({ type }) => type === link)
    .flatMap(assetsIn)
    .flatMap((tid) => pathOf(tid) ?? [])

/** The tids of the assets that are linked to a product, its articles and variations. */
export function assetsOf(product: ProductItem): string[] {
  const articles = product.articles?.article ?? []
  const parts: Part[] = [product, ...articles, ...articles.flatMap(({ variants }) => variants?.variant ?? [])]
  return parts.flatMap(assetGroups).flatMap(assetsIn)
}

/** The values of an object itself, by heading. */
function textsOf({ vals }: Part): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const val of vals?.val ?? []) {
    if (val.inheritance === 'inherited') continue
    for (const [locale, text] of localesOf(val)) {
      const heading = headingOf({ level: 0, attr: val.attr!, ...(val.parent !== undefined && { parent: val.parent }), ...(locale !== '' && { locale }) }) // prettier-ignore
      texts.set(heading, text)
    }
  }
  return texts
}

function localesOf({ itm = [], i18N, parent }: Val): [locale: string, text: string][] {
  if (i18N) return i18N.map(({ loc = '', itm: list = [] }) => [loc, joined(list, parent !== undefined)])
  if (itm.some(({ loc }) => loc !== undefined)) return itm.map((item) => [item.loc ?? '', textOf(item)])
  return [['', joined(itm, parent !== undefined)]]
}

/** A list keeps its order; the rows of a table also keep their positions. */
function joined(items: readonly Item[], isTable: boolean): string {
  if (!isTable) return items.map(textOf).join(separator)
  const cells: string[] = []
  items.forEach((item, i) => (cells[Number(item.pos ?? i)] = textOf(item)))
  return Array.from(cells, (cell) => cell ?? '').join(separator)
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
    for (const [heading, text] of textsOf(part)) if (text !== '') used.add(prefix + heading)
    for (const { type: link } of assetGroups(part))
      used.add(headingOf({ level, field: 'asset', ...(link !== undefined && { link }) }))
  }
  note(product, 0)
  for (const article of product.articles?.article ?? []) {
    note(article, 1)
    for (const variant of article.variants?.variant ?? []) note(variant, 2)
  }
}
