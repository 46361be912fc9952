import { expect, test } from 'vitest'
import { toSheets } from './briefing.ts'

const attribute = (measures: Readonly<Record<string, string>>) =>
  Object.entries(measures).map(([identifier, value]) => ({ identifier, value }))
const box = (name: string, measures: Readonly<Record<string, string>>) => ({ name, attribute: attribute(measures) })

test('boxes are drawn lowest first, with their position and size', () => {
  const upper = box('upper', { xpos: '10', ypos: '20.5', width: '30', height: '40', zpos: '2' })
  const lower = box('lower', { zpos: '1' })
  const layout = [{ attribute: attribute({ width: '210', height: '297' }), boxes: { box: [upper, lower] } }]
  const [sheet] = toSheets({ layout })
  expect(sheet).toMatchObject({ width: 210, height: 297 })
  expect(sheet!.boxes.map(({ name }) => name)).toEqual(['lower', 'upper'])
  expect(sheet!.boxes[1]).toMatchObject({ x: 10, y: 20.5, width: 30, height: 40 })
})

test('a page without a size is as large as its boxes need, and a measure that is not a number counts as zero', () => {
  const boxes = { box: [box('a', { xpos: '10', width: '90', ypos: 'top', height: '50' })] }
  expect(toSheets({ layout: [{ boxes }] })).toMatchObject([{ width: 100, height: 50 }])
})
