import { expect, test } from 'vitest'
import { chosenWidgets, moved } from './widgets.ts'

test('the chosen widgets come in their order, unknown ones are left out, and without any the default is shown', () => {
  expect(chosenWidgets(['quality', 'gone', 'blockers'])).toEqual(['quality', 'blockers'])
  expect(chosenWidgets(undefined)).toContain('blockers')
  expect(chosenWidgets(['gone'])).toEqual(chosenWidgets(undefined))
})

test('an entry moves by one place, and stays at the ends', () => {
  expect(moved(['a', 'b', 'c'], 1, -1)).toEqual(['b', 'a', 'c'])
  expect(moved(['a', 'b', 'c'], 1, 1)).toEqual(['a', 'c', 'b'])
  expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b'])
  expect(moved(['a', 'b'], 1, 1)).toEqual(['a', 'b'])
})
