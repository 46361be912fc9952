import { expect, test } from 'vitest'
import { allOf, itemKey, ownName, toItem, toMessage } from './product.ts'
import type { Attribute } from '../../../object/values/attribute.ts'

const product = {
  tid: 'P',
  name: 'Boat',
  articles: {
    article: [
      {
        tid: 'A',
        name: 'Red',
        variants: {
          variant: [
            { tid: 'V1', name: 'S' },
            { tid: 'V2', name: 'M' },
          ],
        },
      },
      { tid: 'B', name: 'Blue' },
    ],
  },
}
const root = toItem(product)
const title = { key: 'title', localized: true, multiple: false } as Attribute

test('a product becomes a list of items, each after its parent', () => {
  expect(allOf(root).map(itemKey)).toEqual(['p:P', 'a:A', 'v:V1', 'v:V2', 'a:B'])
  expect(allOf(root)[2]!.parent!.tid).toBe('A')
})

test('only changed items are sent, with the path to them', () => {
  const changes = new Map([['title', new Map([['en_GB', ['Small']]])]])
  const val = [{ attr: 'title', itm: [{ value: 'Small', loc: 'en_GB' }] }]
  expect(toMessage(root, new Map([['v:V1', changes]]), () => title)).toEqual({
    tid: 'P',
    articles: { article: [{ tid: 'A', variants: { variant: [{ tid: 'V1', vals: { val } }] } }] },
  })
  expect(toMessage(root, new Map([['p:P', changes]]), () => title)).toEqual({ tid: 'P', vals: { val } })
})

test.each([
  ['Kalmar, signal red', ['Kalmar'], 'signal red'],
  ['Kalmar, signal red, XS', ['Kalmar', 'Kalmar, signal red'], 'XS'],
  ['Kalmar, XS', ['Kalmar', 'Signal red'], 'XS'],
  ['Kalmar (blue)', ['Kalmar'], 'blue'],
  ['XS', ['Kalmar', 'Red'], 'XS'],
  ['Kalmar', ['Kalmar'], 'Kalmar'],
])('the own name of %s below %j is %s', (name, above, own) => {
  const parent = above.reduce<object | undefined>((outer, one) => ({ name: one, parent: outer }), undefined)
  expect(ownName({ name, parent } as Parameters<typeof ownName>[0])).toBe(own)
})
