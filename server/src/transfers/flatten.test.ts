import { describe, expect, test } from 'vitest'
import { allColumns, assetsOf, noteUsed, rowsBy } from './flatten.ts'
import { type ProductItem, toItem } from './mapping.ts'
import { type AttributeKind, columnOf, toPlan } from './plan.ts'

const kinds: Readonly<Record<string, AttributeKind>> = {
  TITLE: { localized: true, multi: false },
  BULLETS: { localized: true, multi: true },
  COLOUR: { localized: false, multi: false },
  TAGS: { localized: false, multi: true },
  TECH: { localized: false, multi: false },
  TECH_VALUE: { localized: false, multi: false },
}
const rowsOf = (product: ProductItem, headings: readonly string[], pathOf = (tid: string): string | undefined => tid) =>
  rowsBy(headings.map((heading) => columnOf(heading)!))(product, pathOf)
const linked = (value: string, type?: string) => ({
  itms: [
    { type: 'assetToProduct', itms: [{ itm: [{ key: 'assetTid', value }], ...(type !== undefined && { type }) }] },
  ],
})

describe('a product becomes', () => {
  const headings = ['tid', 'article:tid', 'variant:tid']

  test('one row if it has no articles', () => {
    expect(rowsOf({ tid: 'P1' }, headings)).toEqual([['P1', '', '']])
  })

  test('a row for each variation, and for each article without variations', () => {
    const article = [{ tid: 'A1', variants: { variant: [{ tid: 'V1' }, { tid: 'V2' }] } }, { tid: 'A2' }]
    expect(rowsOf({ tid: 'P1', articles: { article } }, headings)).toEqual([
      ['P1', 'A1', 'V1'],
      ['P1', 'A1', 'V2'],
      ['P1', 'A2', ''],
    ])
  })
})

describe('a cell', () => {
  test('is empty where the value is inherited', () => {
    const val = [
      { attr: 'COLOUR', inheritance: 'inherited', itm: [{ value: 'red' }] },
      { attr: 'TAGS', itm: [{ value: 'new' }] },
    ]
    expect(rowsOf({ tid: 'P1', vals: { val } } as ProductItem, ['COLOUR', 'TAGS'])).toEqual([['', 'new']])
  })

  test('has the key of a choice, not its text', () => {
    const val = [{ attr: 'COLOUR', itm: [{ key: 'RED', value: 'rot' }] }]
    expect(rowsOf({ tid: 'P1', vals: { val } }, ['COLOUR'])).toEqual([['RED']])
  })

  test('of a table leaves room for the rows without a value', () => {
    const val = [{ attr: 'TECH_VALUE', parent: 'TECH', itm: [{ value: '30', pos: 2 }, { value: '10', pos: 0 }] }] // prettier-ignore
    expect(rowsOf({ tid: 'P1', vals: { val } }, ['TECH/TECH_VALUE'])).toEqual([['10||30']])
  })

  test('has the paths of the assets with its type of link only, without unknown ones', () => {
    const product = { tid: 'P1', links: linked('known', 'Main_Image'), articles: { article: [{ tid: 'A1', links: linked('gone') }] } } // prettier-ignore
    const pathOf = (tid: string) => (tid === 'known' ? 'folder/a.png' : undefined)
    const headings = ['asset/Main_Image', 'asset', 'article:asset']
    expect(rowsOf(product, headings, pathOf)).toEqual([['folder/a.png', '', '']])
  })
})

test('a row that is imported and exported again is the same row', () => {
  const row = {
    tid: 'P1',
    name: 'Jacket',
    node: 'N1',
    'TITLE@de_DE': 'Jacke',
    'TITLE@en_GB': 'Jacket',
    'BULLETS@de_DE': 'warm|leicht',
    TAGS: 'new|sale',
    'TECH/TECH_VALUE': '10||30',
    asset: 'a.png|b.png',
    'asset/Main_Image': 'c.png',
    'article:tid': 'A1',
    'article:COLOUR': 'red',
    'variant:tid': 'V1',
    'variant:TITLE@de_DE': 'Jacke in M',
  }
  const headings = Object.keys(row)
  const plan = toPlan(headings, undefined, (attr) => kinds[attr])
  const item = toItem(plan, Object.values(row), (path) => `tid of ${path}`)
  expect(rowsOf(item, headings, (tid) => tid.replace('tid of ', ''))).toEqual([Object.values(row)])
})

test('the assets of all levels are found', () => {
  const variant = [{ tid: 'V1', links: linked('c', 'Main_Image') }]
  const article = [{ tid: 'A1', links: linked('b'), variants: { variant } }]
  expect(assetsOf({ tid: 'P1', links: linked('a'), articles: { article } })).toEqual(['a', 'b', 'c'])
})

test('links to anything else are not assets', () => {
  const links = { itms: [{ type: 'productToProduct', itms: [{ itm: [{ key: 'productTid', value: 'P2' }] }] }] }
  expect(assetsOf({ tid: 'P1', links } as ProductItem)).toEqual([])
})

describe('all columns', () => {
  const definitions = [
    { tid: 'TITLE', type: 'text', localized: true, columns: [] },
    { tid: 'TECH', type: 'table', localized: false, columns: ['TECH_VALUE'] },
    { tid: 'TECH_VALUE', type: 'text', localized: false, columns: [] },
  ]
  const columns = allColumns(definitions, ['de_DE', 'en_GB'])

  test('are the fields, then the attributes of each level by locale and by column of a table', () => {
    const fields = ['tid', 'name', 'node', 'article:tid', 'article:name', 'variant:tid', 'variant:name']
    const values = ['TITLE@de_DE', 'TITLE@en_GB', 'TECH/TECH_VALUE']
    expect(columns.map(({ heading }) => heading)).toEqual([
      ...fields,
      ...['', 'article:', 'variant:'].flatMap((level) => values.map((value) => level + value)),
    ])
  })

  test('have the meaning that an import gives to their headings', () => {
    expect(columns.map(({ heading }) => columnOf(heading))).toEqual(columns)
  })
})

test('the used columns are those with a value at some level', () => {
  const used = new Set<string>()
  const article = [{ tid: 'A1', vals: { val: [{ attr: 'COLOUR', itm: [{ value: 'red' }] }] } }]
  const val = [{ attr: 'TITLE', itm: [{ value: 'Jacke', loc: 'de_DE' }, { value: '', loc: 'en_GB' }] }] // prettier-ignore
  noteUsed({ tid: 'P1', vals: { val }, links: linked('a', 'Main_Image'), articles: { article } }, used)
  expect([...used].toSorted()).toEqual(
    ['tid', 'name', 'TITLE@de_DE', 'asset/Main_Image', 'article:tid', 'article:name', 'article:COLOUR'].toSorted(),
  )
})
