/** Moves of the active cell by key: from cell to cell, to the ends, by pages. */
export interface Cell {
  readonly row: number
  readonly column: number
}
interface Extent {
  readonly rows: number
  readonly columns: number
  readonly page: number
}

// prettier-ignore
const moves = {
  ArrowUp:    ({ row, column }: Cell) => ({ row: row - 1, column }),
  ArrowDown:  ({ row, column }: Cell) => ({ row: row + 1, column }),
  ArrowLeft:  ({ row, column }: Cell) => ({ row, column: column - 1 }),
  ArrowRight: ({ row, column }: Cell) => ({ row, column: column + 1 }),
  PageUp:     ({ row, column }: Cell, { page }: Extent) => ({ row: row - page, column }),
  PageDown:   ({ row, column }: Cell, { page }: Extent) => ({ row: row + page, column }),
  Home:       ({ row }: Cell, _extent: Extent, far: boolean) => ({ row: far ? 0 : row, column: 0 }),
  End:        ({ row }: Cell, { rows, columns }: Extent, far: boolean) => ({ row: far ? rows - 1 : row, column: columns - 1 }),
}
export type Key = keyof typeof moves

/** Undefined for a key that does not move. */
export function moveBy(key: Key, far: boolean, from: Cell, extent: Extent): Cell | undefined {
  const move = Object.hasOwn(moves, key) ? moves[key] : undefined
  if (!move || extent.rows === 0) return undefined
  const { row, column } = move(from, extent, far)
  return { row: within(row, extent.rows), column: within(column, extent.columns) }
}
const within = (at: number, count: number) => Math.min(Math.max(at, 0), count - 1)
