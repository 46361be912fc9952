/** A row of a table as a product message: its product, article and variation. */
import type { Infer, Product } from '@kontor/contract'
import { Problem } from '../errors.ts'
import { joinList, splitList } from './lists.ts'
import type { Fault } from './outcomes.ts'
import type { CellNotation, LevelPlan, Plan, ValueGroup } from './plan.ts'
import type { CellFault, SourceRow } from './read/source.ts'

export type ProductItem = Infer<typeof Product>
type Item = { value?: string; loc?: string; pos?: number }
interface Part {
  tid?: string
  name?: string
  vals?: { val: object[] }
  links?: object
}

/** The row with the values that the profile gives it: those that its cells mean in the notation, and added columns. */
export function applyProfile({ headings, added, notations, separator }: Plan, row: SourceRow): SourceRow {
  if (!('cells' in row) || (notations.size === 0 && added.length === 0)) return row
  const cells = [...headings.map((_, i) => row.cells[i] ?? ''), ...added.map(({ valueOf }) => valueOf(row.cells))]
  const faults: CellFault[] = [...(row.faults ?? [])]
  for (const [index, notation] of notations) {
    try {
      cells[index] = readCell(notation, cells[index]!, separator)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      faults.push({ index, reason: error.message })
    }
  }
  return { ...row, cells, ...(faults.length > 0 && { faults }) }
}

function readCell({ read, isList, separator: own, prepare }: CellNotation, cell: string, separator: string): string {
  if (isList) return joinList(splitList(cell, own).map(read), separator)
  return read(prepare ? prepare(cell) : cell)
}

/**
 * `assetOf` finds the asset of a file in the zip (undefined during a check); throws if the zip has no such file. `warn` is
 * called for each file that is left out.
 */
export function toItem(
  plan: Plan,
  cells: readonly string[],
  assetOf: (name: string) => string,
  nodeOf: (text: string) => string = (text) => text,
  warn: (fault: Fault) => void = () => {},
): ProductItem {
  const linksOf = ({ assets, relations }: LevelPlan) => [
    ...groupOf('assetToProduct', toLinks(plan, assets, cells, assetOf, warn)),
    ...groupOf('productToProduct', toRelations(plan, relations, cells)),
  ]
  const [product, article, variant] = plan.levels.map((level) => toPart(plan, level, cells, linksOf(level)))
  const node = cellOf(cells, plan.levels[0].node)
  const below = variant && { variants: { variant: [variant] } }
  // A variation needs an article, even if the row has no other value for it.
  const articles = article || below ? { articles: { article: [{ ...article, ...below }] } } : undefined
  return { ...product, ...(node !== '' && { node: nodeOf(node) }), ...articles } as ProductItem
}

const cellOf = (cells: readonly string[], index: number) => (index < 0 ? '' : (cells[index] ?? '').trim())

function toPart(plan: Plan, level: LevelPlan, cells: readonly string[], links: readonly object[]): Part | undefined {
  const tid = cellOf(cells, level.tid)
  const name = cellOf(cells, level.name)
  const val = level.values.flatMap((group) => toVal(plan, group, cells) ?? [])
  const isThere = tid !== '' || name !== ''
  if (!isThere && level !== plan.levels[0]) return undefined
  return {
    ...(tid !== '' && { tid }),
    ...(name !== '' && { name }),
    ...(val.length > 0 && { vals: { val } }),
    ...(links.length > 0 && { links: { itms: links } }),
  }
}

/** The links to the files of a level, one group per column. */
function toLinks(
  { headings, separator }: Plan,
  assets: LevelPlan['assets'],
  cells: readonly string[],
  assetOf: (name: string) => string,
  warn: (fault: Fault) => void,
): object[] {
  return assets.flatMap(({ index, link, isOptional }) => {
    const itm = split(cellOf(cells, index), separator).flatMap((name) => {
      try {
        return toLink(assetOf(name))
      } catch (error) {
        if (!(error instanceof Problem) || !isOptional || !isAddress(name)) throw error
        warn({ ...(headings[index] !== undefined && { column: headings[index] }), reason: error.message })
        return []
      }
    })
    return itm.length > 0 ? [{ itm, ...(link !== undefined && { type: link }) }] : []
  })
}

const groupOf = (type: string, itms: readonly object[]) => (itms.length > 0 ? [{ type, itms }] : [])

const levelKeys: Readonly<Record<string, string>> = { article: 'targetArticleTid', variant: 'targetVariantTid' }

/** The relations of a level, each in a group of its own, because a group has one quantity. */
function toRelations({ separator }: Plan, relations: LevelPlan['relations'], cells: readonly string[]): object[] {
  return relations.flatMap(({ index, link, quantity }) => {
    const quantities = splitList(cellOf(cells, quantity), separator)
    return splitList(cellOf(cells, index), separator).flatMap((cell, pos) => {
      if (cell === '') return []
      const [, level = 'product', value = ''] = /^(?:(product|article|variant):)?(.*)$/s.exec(cell)!
      const amount = quantities[pos] ?? ''
      const itm = [
        { key: levelKeys[level] ?? 'targetProductTid', value, pos },
        ...(amount === '' ? [] : [{ key: 'quantity', value: amount }]),
      ]
      return [{ itm, ...(link !== undefined && { type: link }) }]
    })
  })
}

export const isAddress = (name: string) => /^https?:\/\//i.test(name)
const toLink = (value: string) => (value === '' ? [] : [{ key: 'assetTid', value }])
export const split = (cell: string, separator: string) => splitList(cell, separator).filter((part) => part !== '')

function toVal(plan: Plan, { attr, parent, multi, cells: places }: ValueGroup, cells: readonly string[]) {
  const head = { attr, ...(parent !== undefined && { parent }) }
  const isFilled = ({ index }: { readonly index: number }) => (cells[index] ?? '') !== ''
  const filled = places.filter(isFilled)
  if (filled.length === 0 && !plan.emptyClears) return undefined
  // A value without content would lose the locales that have no column, too.
  const empty = plan.emptyClears ? places.filter((one) => !isFilled(one)) : []
  const cleared = new Set(empty.flatMap(({ locale }) => locale ?? []))
  for (const { locale } of filled) if (locale !== undefined) cleared.delete(locale)
  if (filled.length + cleared.size === 0) return head
  if (!multi) return { ...head, itm: [...filled.map(({ index, locale }) => toItm(cells[index]!, locale)), ...[...cleared].map((loc) => toItm('', loc))] } // prettier-ignore
  const byLocale = Map.groupBy(filled, ({ locale }) => locale ?? '')
  /** Rows of a table keep their positions, also behind empty ones. */
  const listOf = (same: typeof filled): Item[] =>
    same.flatMap(({ index, position }) =>
      position === undefined
        ? (parent === undefined ? split : splitList)(cells[index]!, plan.separator).flatMap((value, pos) =>
            value === '' ? [] : [{ value, pos }],
          )
        : [{ value: cells[index]!, pos: position }],
    )
  if (byLocale.has('')) return { ...head, itm: listOf(filled) }
  const lists = [...byLocale].map(([loc, same]) => ({ loc, itm: listOf(same) }))
  return { ...head, i18N: [...lists, ...[...cleared].map((loc) => ({ loc, itm: [] }))] }
}

const toItm = (value: string, loc: string | undefined): Item => (loc === undefined ? { value } : { value, loc })
