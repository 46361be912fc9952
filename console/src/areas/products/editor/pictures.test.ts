import { expect, test } from 'vitest'
import { moved, picturesOf } from './pictures.ts'

test('pictures of all roles are in the order of their positions, and those without one come last', () => {
  const item = (value: string, pos?: number) => ({ key: 'assetTid', value, ...(pos !== undefined && { pos }) })
  const itms = [
    { itm: [item('late'), item('second', 1)] },
    { type: 'Main', itm: [item('first', 0)] },
    { type: 'Zoom', itm: [item('last')] },
  ]
  const links = { itms: [{ type: 'assetToProduct', itms }] }
  expect(picturesOf({ links }).map(({ tid, linkType }) => [tid, linkType])).toEqual([
    ['first', 'Main'],
    ['second', ''],
    ['late', ''],
    ['last', 'Zoom'],
  ])
})

test('an entry is moved to another place, at most to the ends', () => {
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
  expect(moved(['a', 'b', 'c'], 0, 9)).toEqual(['b', 'c', 'a'])
  expect(moved(['a', 'b', 'c'], 1, -1)).toEqual(['b', 'a', 'c'])
})
