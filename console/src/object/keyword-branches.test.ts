import { expect, test } from 'vitest'
import { ancestorsOf, joinBranches, parentOf } from './keyword-branches.ts'

const keywords = (...paths: string[]) => paths.map((path) => ({ path }))
const pathsOf = (list: readonly { path?: string }[] | undefined) => list?.map(({ path }) => path)

test('a path knows its parent and all of its ancestors', () => {
  expect(parentOf('/Sea')).toBe('')
  expect(parentOf('/Sea/Boats/Sail')).toBe('/Sea/Boats')
  expect(ancestorsOf('/Sea')).toEqual([])
  expect(ancestorsOf('/Sea/Boats/Sail')).toEqual(['/Sea', '/Sea/Boats'])
})

test('branches of two levels join into one tree', () => {
  const { byPath, childrenOf } = joinBranches(
    ['', '/Sea'],
    [keywords('/Land', '/Sea', '/Sea/Boats'), keywords('/Sea/Boats', '/Sea/Boats/Sail')],
  )
  expect(byPath.size).toBe(4)
  expect(pathsOf(childrenOf(''))).toEqual(['/Land', '/Sea'])
  expect(pathsOf(childrenOf('/Sea'))).toEqual(['/Sea/Boats'])
  expect(pathsOf(childrenOf('/Sea/Boats'))).toEqual(['/Sea/Boats/Sail'])
  expect(childrenOf('/Land')).toEqual([])
})

test('a branch that is loading shows the level known from its parent, or nothing yet', () => {
  const { childrenOf } = joinBranches(
    ['', '/Sea', '/Land'],
    [keywords('/Land', '/Sea', '/Sea/Boats'), undefined, undefined],
  )
  expect(pathsOf(childrenOf('/Sea'))).toEqual(['/Sea/Boats'])
  expect(childrenOf('/Land')).toBeUndefined()
})

test('a keyword can have children until the branch above it is loaded', () => {
  const loading = joinBranches(['', '/Sea'], [keywords('/Sea', '/Sea/Boats'), undefined])
  expect(loading.childrenOf('/Sea/Boats')).toBeUndefined()
  const loaded = joinBranches(['', '/Sea'], [keywords('/Sea', '/Sea/Boats'), keywords('/Sea/Boats')])
  expect(loaded.childrenOf('/Sea/Boats')).toEqual([])
})
