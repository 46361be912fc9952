import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEditAutomaton } from './edit-automaton.ts'

/** Textbook implementation. */
function editsBetween(a: Uint8Array, b: Uint8Array): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i || j))
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const another = a[i - 1] === b[j - 1] ? 0 : 1
      rows[i]![j] = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + another)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        rows[i]![j] = Math.min(rows[i]![j]!, rows[i - 2]![j - 2]! + 1)
    }
  }
  return rows[a.length]![b.length]!
}

function distanceTo(typed: Uint8Array, word: Uint8Array, most: number): number {
  const { start, next, distanceAfter } = createEditAutomaton(typed, most)
  const states = new Int32Array(word.length + 1)
  states[0] = start
  for (let depth = 0; depth < word.length; depth++) {
    states[depth + 1] = next(states, word, depth)
    if (states[depth + 1] === 0) return Infinity
  }
  return distanceAfter(states[word.length]!, word.length)
}

const word = fc.array(fc.constantFrom(97, 98, 99), { maxLength: 9 }).map((letters) => Uint8Array.from(letters))

test('computes the edit distance up to the maximum', () => {
  fc.assert(
    fc.property(word, word, fc.constantFrom(1, 2), (typed, other, most) => {
      const edits = editsBetween(typed, other)
      expect(distanceTo(typed, other, most)).toBe(edits <= most ? edits : Infinity)
    }),
    { numRuns: 3000 },
  )
})

test.each([
  ['shoe', 'shoe', 0],
  ['shoe', 'hsoe', 1],
  ['shoe', 'she', 1],
  ['shoe', 'shooe', 1],
  ['shoe', 'sohe', 1],
  ['shoe', 'hose', 2],
  ['shoe', 'bath', Infinity],
  ['x'.repeat(64), `${'x'.repeat(31)}y${'x'.repeat(32)}`, 1],
])('from %s to %s it is %d', (typed, other, edits) => {
  expect(distanceTo(Buffer.from(typed), Buffer.from(other), 2)).toBe(edits)
})
