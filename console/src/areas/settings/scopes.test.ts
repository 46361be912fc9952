import { expect, test } from 'vitest'
import { withScope } from './scopes.ts'

const grant = { visibleLocales: { only: ['de_DE'] } }

test('a permission is limited to subtrees of several trees', () => {
  const limited = withScope(withScope(grant, 'node', ['/Boats']), 'dir', ['/Pictures'])
  expect(limited).toEqual({ ...grant, scopes: { node: ['/Boats'], dir: ['/Pictures'] } })
})

test('a tree whose last path is removed is closed, not open', () => {
  const limited = { ...grant, scopes: { node: ['/Boats'], dir: ['/Pictures'] } }
  expect(withScope(limited, 'dir', [])).toEqual({ ...grant, scopes: { node: ['/Boats'], dir: [] } })
})

test('a permission without any limit has no scopes at all, not even an empty object', () => {
  expect(withScope({ ...grant, scopes: { node: ['/Boats'] } }, 'node', undefined)).toEqual(grant)
})
