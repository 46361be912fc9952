import { describe, expect, test } from 'vitest'
import { rowStyle } from './column.ts'
import { moveBy } from './keys.ts'
import { choose, chosenCount, everything, isChosen, noSelection } from './selection.ts'

describe('keys in a grid', () => {
  const extent = { rows: 100, columns: 3, page: 10 }
  test.each([
    ['ArrowDown', false, { row: 6, column: 1 }],
    ['ArrowLeft', false, { row: 5, column: 0 }],
    ['PageDown', false, { row: 15, column: 1 }],
    ['PageUp', false, { row: 0, column: 1 }],
    ['Home', false, { row: 5, column: 0 }],
    ['Home', true, { row: 0, column: 0 }],
    ['End', true, { row: 99, column: 2 }],
  ] as const)('%s (with Ctrl: %s)', (key, far, cell) => {
    expect(moveBy(key, far, { row: 5, column: 1 }, extent)).toEqual(cell)
  })

  test('the active cell never leaves the grid', () => {
    expect(moveBy('ArrowUp', false, { row: 0, column: 0 }, extent)).toEqual({ row: 0, column: 0 })
    expect(moveBy('ArrowRight', false, { row: 0, column: 2 }, extent)).toEqual({ row: 0, column: 2 })
    expect(moveBy('ArrowDown', false, { row: 0, column: 0 }, { ...extent, rows: 0 })).toBeUndefined()
  })
})

describe('selection', () => {
  test('rows are selected one by one', () => {
    const selection = choose(choose(noSelection, ['a', 'b'], true), ['a'], false)
    expect(isChosen(selection, 'a')).toBe(false)
    expect(isChosen(selection, 'b')).toBe(true)
    expect(chosenCount(selection, 1000)).toBe(1)
  })
  test('all rows except some are selected, whether they are loaded or not', () => {
    const selection = choose(everything, ['a'], false)
    expect(isChosen(selection, 'a')).toBe(false)
    expect(isChosen(selection, 'never loaded')).toBe(true)
    expect(chosenCount(selection, 1000)).toBe(999)
    expect(chosenCount(choose(selection, ['a'], true), 1000)).toBe(1000)
  })
})

test('a row is at least as wide as the minimum widths of its columns', () => {
  const column = (width: string) => ({ id: width, title: '', width, show: () => '' })
  const columns = [column('minmax(10rem, 2fr)'), column('7rem')]
  expect(rowStyle(columns, false)).toEqual({ gridTemplateColumns: 'minmax(10rem, 2fr) 7rem', minWidth: '17rem' })
  expect(rowStyle(columns, true).gridTemplateColumns).toBe('2.75rem minmax(10rem, 2fr) 7rem')
})
