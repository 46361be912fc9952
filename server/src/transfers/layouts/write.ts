/** Pieces that writers of layouts use: the values of a product and its variations, by the columns of the layout. */
import { amountsOfPrice } from '@kontor/contract'
import { Problem } from '../../errors.ts'
import { rowsBy } from '../flatten.ts'
import type { ProductItem } from '../mapping.ts'
import { notationOf } from '../notation.ts'
import { type Column, fromProfile, type Level, levels } from '../plan.ts'
import type { WriterScope } from './layout.ts'

/** Where a column of the layout has its values from: the profile decides, then the layout. */
export function sourceOf(
  { profile, kindOf, locales }: WriterScope,
  heading: string,
  otherwise: Omit<Column, 'heading'> | undefined,
): Column | undefined {
  const given = profile?.columns?.find(({ column }) => column === heading)
  const level = levels[otherwise?.level ?? 0]
  const column = given ? fromProfile(heading, { level, ...given }) : otherwise && { ...otherwise, heading }
  if (!column || column.field === 'ignore') return undefined
  if (column.attr === undefined) return column
  const kind = kindOf(column.attr)
  if (!kind && given) throw new Problem('invalid', `column ${heading}: no attribute has the tid ${column.attr}, or you may not read it`) // prettier-ignore
  if (!kind) return undefined
  return kind.localized && column.locale === undefined && locales[0] !== undefined ? { ...column, locale: locales[0] } : column // prettier-ignore
}

/** A product, or one of its variations, and its cells. */
export interface Branch {
  get(heading: string): string
}

/** For branches only: never part of values. */
export const listSign = '\u001f'

/**
 * The variations of a product, or the product alone. A cell that is empty at the level of its column has the value of the
 * levels above, and without any the inherited one, such as a default of the category.
 */
export function branchesOf(product: ProductItem, columns: readonly Column[], scope: WriterScope): Branch[] {
  const spread = columns.flatMap((column) =>
    ([0, 1, 2] as const)
      .filter((level) => level <= column.level)
      .map((level: Level) => ({ ...column, level, ...writing(scope, column) })),
  )
  const deep = [...spread, { heading: '', level: 2 as const, field: 'tid' as const }]
  const inherited = rowsBy(deep, listSign, true)(product, scope.pathOf)
  return rowsBy(deep, listSign)(product, scope.pathOf).map((cells, row) => {
    const byHeading = new Map<string, string>()
    spread.forEach(({ heading, field }, i) => {
      if (field === undefined && inherited[row]![i] !== '') byHeading.set(heading, inherited[row]![i]!)
    })
    spread.forEach(({ heading, field }, i) => {
      const cell = cells[i]!
      const isFallback = field === 'tid' || field === 'name' || field === 'node' ? spread[i]!.level !== columns.find((one) => one.heading === heading)!.level : false // prettier-ignore
      if (cell !== '' && !isFallback) byHeading.set(heading, cell)
    })
    return { get: (heading) => byHeading.get(heading) ?? '' }
  })
}

function writing({ profile, kindOf }: WriterScope, { heading, attr }: Column) {
  const kind = attr === undefined ? undefined : kindOf(attr)
  const notation = notationOf(profile, heading, kind?.type, kind?.units)
  return notation ? { write: notation.write } : {}
}

/** A price has one amount in the files of shops. `currency` chooses one of several; `remedy` says where to give it. */
export function singleAmount(sent: string, currency: string | undefined, remedy: string): string {
  const amounts = amountsOfPrice(sent)
  if (amounts.length < 2) return sent
  const text = amounts.find((one) => currency !== undefined && one.endsWith(` ${currency}`))
  if (text === undefined) throw new Problem('invalid', remedy)
  return text
}

/** The values of a list in a cell of a branch. */
export const listOf = (cell: string): string[] => (cell === '' ? [] : cell.split(listSign))
