import { expect, test } from 'vitest'
import { ordersFor, orderStep } from './order.ts'

const siblings = [
  { tid: 'a', order: orderStep },
  { tid: 'b', order: 2 * orderStep },
]

// prettier-ignore
test.each([
  ['first', 0, 0],
  ['between', 1, 1.5 * orderStep],
  ['last', 2, 3 * orderStep],
])('moving a channel %s changes only that channel', (_, index, order) => {
  expect(ordersFor(siblings, 'm', index)).toEqual([{ tid: 'm', order }])
})

test('an only child gets a position with space on both sides', () => {
  expect(ordersFor([], 'm', 0)).toEqual([{ tid: 'm', order: orderStep }])
})

test('siblings are renumbered when two neighbours leave no position between them', () => {
  const close = [
    { tid: 'a', order: 7 },
    { tid: 'b', order: 8 },
  ]
  expect(ordersFor(close, 'm', 1)).toEqual([
    { tid: 'a', order: orderStep },
    { tid: 'm', order: 2 * orderStep },
    { tid: 'b', order: 3 * orderStep },
  ])
})
