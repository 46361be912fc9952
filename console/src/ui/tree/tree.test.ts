import { describe, expect, test } from 'vitest'
import { dropSpotAt } from './drop-spot.ts'
import { effectOf, toLines, type TreeItem } from './lines.ts'

const item = (key: string, hasChildren = false): TreeItem => ({ key, label: key, hasChildren })
const roots = [item('a', true), item('b', true), item('c')]
const children: Record<string, TreeItem[]> = { a: [item('a1', true), item('a2')], a1: [item('a1x')] }
const linesOf = (...open: string[]) => toLines(roots, { open: new Set(open), childrenOf: (key) => children[key] })
const keysOf = (...open: string[]) => linesOf(...open).map((line) => line.item?.key ?? '…')

describe('lines of a tree', () => {
  test('a closed tree shows its roots', () => {
    expect(keysOf()).toEqual(['a', 'b', 'c'])
  })
  test('the children of open items follow their parent', () => {
    expect(keysOf('a', 'a1')).toEqual(['a', 'a1', 'a1x', 'a2', 'b', 'c'])
    expect(linesOf('a', 'a1').map(({ level }) => level)).toEqual([1, 2, 3, 2, 1, 1])
  })
  test('an open item inside a closed one stays invisible', () => {
    expect(keysOf('a1')).toEqual(['a', 'b', 'c'])
  })
  test('a placeholder stands for children that are loading', () => {
    expect(keysOf('b')).toEqual(['a', 'b', '…', 'c'])
    expect(linesOf('b')[2]).toEqual({ level: 2, parent: 'b' })
  })
})

describe('keys in a tree', () => {
  const open = new Set(['a'])
  const lines = linesOf('a') // a, a1, a2, b, c
  test.each([
    ['ArrowDown', 0, { goTo: 1 }],
    ['ArrowDown', 4, { goTo: 4 }],
    ['ArrowUp', 0, { goTo: 0 }],
    ['End', 0, { goTo: 4 }],
    ['ArrowRight', 1, { open: true }],
    ['ArrowRight', 0, { goTo: 1 }],
    ['ArrowRight', 4, { goTo: 4 }],
    ['ArrowLeft', 0, { open: false }],
    ['ArrowLeft', 2, { goTo: 0 }],
    ['Enter', 3, 'choose'],
    ['x', 3, undefined],
  ])('%s on line %i', (key, at, effect) => {
    expect(effectOf(key, lines, at, open)).toEqual(effect)
  })
})

test.each([
  [0.1, ['into'], 'into'],
  [0.1, ['into', 'before', 'after'], 'before'],
  [0.5, ['into', 'before', 'after'], 'into'],
  [0.9, ['into', 'before', 'after'], 'after'],
  [0.4, ['before', 'after'], 'before'],
  [0.6, ['before', 'after'], 'after'],
] as const)('a drop at %d of the height with the spots %j goes %s', (share, allowed, spot) => {
  expect(dropSpotAt(share, allowed)).toBe(spot)
})
