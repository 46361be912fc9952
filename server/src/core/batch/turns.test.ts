import { expect, test } from 'vitest'
import { inTurns } from './turns.ts'

test('keeps the order and lets others have their turn between expensive items', async () => {
  let turns = 0
  const ticking = setInterval(() => turns++, 1)
  const seen = await inTurns([1, 2, 3, 4, 5], (item, index) => {
    for (const end = performance.now() + 15; performance.now() < end;);
    return [item, index, turns > 0]
  })
  clearInterval(ticking)
  expect(seen.map(([item, index]) => [item, index])).toEqual([1, 2, 3, 4, 5].map((item, i) => [item, i])) // prettier-ignore
  expect(seen.at(-1)![2]).toBe(true)
})
