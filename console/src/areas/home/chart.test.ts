import { expect, test } from 'vitest'
import { baseOf, plot, toPath, toPoints } from './chart.ts'

test('the days of a channel are counted over all languages, and a day without requirements is left out', () => {
  const days = [
    { day: '2026-11-15', required: 10, missing: 5 },
    { day: '2026-11-15', required: 10, missing: 0 },
    { day: '2026-11-16', required: 0, missing: 0 },
    { day: '2026-11-17', required: 3, missing: 1 },
  ]
  expect(toPoints(days, '2026-11-17')).toEqual([
    { ago: 2, percent: 75 },
    { ago: 0, percent: 66 },
  ])
})

test('the axis begins below the lowest value, and a line goes from the left to the right edge', () => {
  const points = [
    { ago: 10, percent: 62 },
    { ago: 0, percent: 100 },
  ]
  expect(baseOf([{ key: 'a', label: 'a', points }])).toBe(50)
  expect(baseOf([])).toBe(90)
  const [first, last] = toPath(points, 10, 50)
  expect(first!.x).toBe(plot.left)
  expect(last).toEqual({ x: plot.width - plot.right, y: plot.top })
})
