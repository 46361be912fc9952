/** The columns, the sort order and the properties of a grid. */
import type { ReactNode } from 'react'
import type { Selection } from './selection.ts'

export interface Column<Row> {
  readonly id: string
  readonly title: string
  /** CSS, in rem: 12rem, minmax(10rem, 2fr). */
  readonly width: string
  readonly align?: 'end'
  readonly sortable?: boolean
  readonly show: (row: Row) => ReactNode
  /** An editor in place of the cell; it calls `close` when it is done. */
  readonly edit?: (row: Row, close: () => void) => ReactNode
}

export interface Sort {
  readonly column: string
  readonly descending: boolean
}

export interface GridProps<Row> {
  readonly label: string
  readonly rows: number
  /** Undefined while the row is not loaded. */
  readonly row: (index: number) => Row | undefined
  readonly keyOf: (row: Row) => string
  readonly columns: readonly Column<Row>[]
  readonly onOpen?: (row: Row) => void
  readonly sort?: Sort | undefined
  readonly onSort?: ((sort: Sort) => void) | undefined
  readonly selection?: Selection
  readonly onSelect?: (selection: Selection) => void
  /** Reports the range of rows that are drawn. */
  readonly onVisibleRows?: (first: number, last: number) => void
  readonly rowHeight?: number
  /** A new object scrolls to this row. */
  readonly jump?: { readonly index: number }
}

/** The layout of a row: all columns, after one for the checkbox where rows can be selected. */
export function rowStyle<Row>(columns: readonly Column<Row>[], selectable: boolean) {
  const widths = [...(selectable ? ['2.75rem'] : []), ...columns.map(({ width }) => width)]
  const least = widths.reduce((sum, width) => sum + Number(/[\d.]+(?=rem)/.exec(width)?.[0] ?? 0), 0)
  return { gridTemplateColumns: widths.join(' '), minWidth: `${least}rem` }
}
