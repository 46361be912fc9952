import { expect, test } from 'vitest'
import { namesOfPath, toNodeTree } from './model.ts'

const nodes = [
  { id: 1, path: '/Shop', tid: 'Shop', name: { itm: [{ value: 'Laden', loc: 'de_DE' }] }, productsBelow: 3 },
  { id: 2, parentId: 1, path: '/Shop/Boats', tid: 'Boats', productsBelow: 2 },
]
const tree = toNodeTree(nodes, 'de_DE', ({ productsBelow = 0 }) => String(productsBelow))

test('nodes become a tree by their parents, labelled by name or by tid', () => {
  expect(tree.roots).toEqual([{ key: '/Shop', label: 'Laden', end: '3', hasChildren: true }])
  expect(tree.childrenOf('/Shop')).toEqual([{ key: '/Shop/Boats', label: 'Boats', end: '2', hasChildren: false }])
  expect(tree.childrenOf('/Shop/Boats')).toEqual([])
})

test('a path is read as names, and parts of unknown nodes as they are', () => {
  expect(namesOfPath(tree, '/Shop/Boats/Sail', 'de_DE')).toEqual(['Laden', 'Boats', 'Sail'])
})
