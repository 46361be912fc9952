import { describe, expect, test } from 'vitest'
import { Entries, OnlyEntry } from './entries.ts'

function entriesOf(...pairs: readonly (readonly [string, number])[]): Entries<number> {
  const entries = new Entries<number>()
  for (const [key, value] of pairs) entries.add(key, value)
  return entries
}
const [few, only] = [entriesOf(['b', 2], ['a', 1], ['', 0]), new OnlyEntry('a', 1)]

describe.each([
  [
    'entries in a list',
    few,
    [
      ['b', 2],
      ['a', 1],
      ['', 0],
    ],
  ],
  ['no entries', entriesOf(), []],
  ['an only entry', only, [['a', 1]]],
] as const)('%s', (_what, entries, pairs) => {
  const map = new Map<string, number>(pairs)
  test('iterates like a Map', () => {
    const walked: [string, number][] = []
    entries.forEach((value, key) => walked.push([key, value]))
    expect(walked).toEqual(pairs)
    expect([...entries]).toEqual(pairs)
    expect([...entries.entries()]).toEqual(pairs)
    expect([[...entries.keys()], [...entries.values()]]).toEqual([[...map.keys()], [...map.values()]])
    expect(new Map(entries)).toEqual(map)
  })
  test('finds like a Map', () => {
    expect(entries.size).toBe(map.size)
    for (const key of ['a', 'b', '', 'c'])
      expect([entries.has(key), entries.get(key)]).toEqual([map.has(key), map.get(key)])
  })
})

test('setting an existing key replaces its value', () => {
  const entries = entriesOf(['a', 1], ['b', 2])
  entries.set('a', 3)
  entries.set('c', 4)
  expect([...entries]).toEqual([
    ['a', 3],
    ['b', 2],
    ['c', 4],
  ])
})
