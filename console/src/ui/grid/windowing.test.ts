import { expect, test } from 'vitest'
import { scrollTo, windowOf } from './windowing.ts'

const view = 800

test('a short list is drawn at its natural position', () => {
  expect(windowOf(1000, 40, 4000, view)).toEqual({ first: 88, count: 45, top: 3520, height: 40_000 })
  expect(windowOf(5, 40, 0, view)).toEqual({ first: 0, count: 5, top: 0, height: 200 })
  expect(windowOf(0, 40, 0, view)).toEqual({ first: 0, count: 0, top: 0, height: 0 })
})

test('a million rows fit into the height that browsers can scroll, down to the last row', () => {
  const rows = 1_000_000
  const { height } = windowOf(rows, 40, 0, view)
  expect(height).toBeLessThan(33_000_000)
  const end = windowOf(rows, 40, height - view, view)
  expect(end.first + end.count).toBe(rows)
  // the last row ends at the bottom of the content
  expect(end.top + end.count * 40).toBeCloseTo(height, 3)
})

test.each([10, 1000, 1_000_000, 5_000_000])('every one of %i rows can be scrolled into view', (rows) => {
  for (const row of [0, 1, Math.floor(rows / 3), rows - 1]) {
    for (const from of [0, 500]) {
      const at = scrollTo(row, rows, 40, from, view)
      const { first, count, top } = windowOf(rows, 40, at, view)
      expect(row >= first && row < first + count).toBe(true)
      const y = top + (row - first) * 40
      expect(y).toBeGreaterThanOrEqual(at - 0.01)
      expect(y + 40).toBeLessThanOrEqual(at + view + 0.01)
    }
  }
})
