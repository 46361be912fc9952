import { describe, expect, test } from 'vitest'
import { constantHeading, withConstant } from './constants.ts'

describe('a constant', () => {
  test.each([
    [{ field: 'node' }, 'node'],
    [{ attr: 'TITLE', locale: 'de_DE' }, 'TITLE@de_DE'],
    [{ attr: 'COLOUR', level: 'article' }, 'article:COLOUR'],
    [{ attr: 'TECH/VALUE' }, 'TECH/VALUE'],
    [{ attr: 'status' }, 'product:status'],
    [{ field: 'relation', linkType: 'Accessory' }, 'relation/Accessory'],
    [{ field: 'quantity', linkType: 'Bundle', level: 'variant' }, 'variant:relation/Bundle/quantity'],
  ] as const)('for %j has the heading %s', (target, heading) => {
    expect(constantHeading({ column: '', ...target })).toBe(heading)
  })

  test('is set, replaced, and removed when it is empty', () => {
    const one = withConstant({ trim: true }, 'node', '/Shop')
    expect(one).toEqual({ trim: true, constants: { node: '/Shop' } })
    expect(withConstant(one, 'node', '/Sea')).toEqual({ trim: true, constants: { node: '/Sea' } })
    expect(withConstant(one, 'node', '')).toEqual({ trim: true })
  })
})
