import { describe, expect, test } from 'vitest'
import { type Grant, noLimits, stateOf, toBlocks, toggled, toGrants } from './blocks.ts'

const inBoats = { scopes: { node: ['/Shop/Boats'] } }

describe('blocks of permissions', () => {
  test('join grants with the same limits and give them back', () => {
    const grants: Grant[] = [
      { kind: 'product', actions: ['read', 'update'], ...inBoats },
      { kind: 'article', actions: ['read'], ...inBoats },
      { kind: 'asset', actions: ['read'] },
    ]
    const blocks = toBlocks(grants)
    expect(blocks).toEqual([
      { limits: inBoats, allowed: { product: ['read', 'update'], article: ['read'] } },
      { limits: {}, allowed: { asset: ['read'] } },
    ])
    expect(toGrants(blocks)).toEqual(grants)
  })

  test('keep an empty limit, which closes a tree', () => {
    const grants: Grant[] = [
      { kind: 'product', actions: ['read'], scopes: { node: [] } },
      { kind: 'asset', actions: ['read'] },
    ]
    expect(toGrants(toBlocks(grants))).toEqual(grants)
  })

  test('of a role without permissions are one empty block', () => {
    expect(toBlocks([])).toEqual([noLimits])
    expect(toGrants([noLimits])).toEqual([])
  })
})

describe('a cell', () => {
  test('is included by everything in its row or column', () => {
    const block = { limits: {}, allowed: { '*': ['read'], product: ['*'], asset: ['update'] } }
    expect(stateOf(block, 'product', 'read')).toBe('all')
    expect(stateOf(block, 'product', 'delete')).toBe('all')
    expect(stateOf(block, 'product', '*')).toBe('own')
    expect(stateOf(block, 'asset', 'update')).toBe('own')
    expect(stateOf(block, 'asset', 'delete')).toBe('none')
    expect(stateOf({ limits: {}, allowed: { '*': ['*'] } }, 'asset', 'delete')).toBe('all')
  })

  test('brings reading along, and takes everything away with it', () => {
    const changed = toggled(noLimits, 'product', 'update')
    expect(changed.allowed).toEqual({ product: ['read', 'update'] })
    expect(toggled(changed, 'product', 'update').allowed).toEqual({ product: ['read'] })
    expect(toggled(changed, 'product', 'read').allowed).toEqual({})
  })

  test('does not repeat a right that everything includes', () => {
    const block = { limits: {}, allowed: { '*': ['read'] } }
    expect(toggled(block, 'product', 'update').allowed).toEqual({ '*': ['read'], product: ['update'] })
    expect(toggled(block, 'product', '*').allowed).toEqual({ '*': ['read'], product: ['*'] })
  })
})
