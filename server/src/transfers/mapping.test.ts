import { describe, expect, test } from 'vitest'
import { split, toItem } from './mapping.ts'
import { type AttributeKind, toPlan } from './plan.ts'

const kinds: Readonly<Record<string, AttributeKind>> = {
  TITLE: { localized: true, multi: false },
  BULLETS: { localized: true, multi: true },
  COLOUR: { localized: false, multi: false },
  TAGS: { localized: false, multi: true },
  TECH: { localized: false, multi: false },
  TECH_VALUE: { localized: false, multi: false },
}
type Profile = Parameters<typeof toPlan>[1]
/** The message for one row, given as its cells by heading. */
const itemOf = (row: Record<string, string>, profile?: Profile, assetOf = (name: string) => `tid of ${name}`) => {
  const plan = toPlan(Object.keys(row), profile, (attr) => kinds[attr])
  expect([...plan.faults]).toEqual([])
  return toItem(plan, Object.values(row), assetOf)
}

describe('a row becomes', () => {
  test('a product with its fields and values', () => {
    expect(itemOf({ tid: 'P1', name: 'Jacket', node: 'N1', COLOUR: 'red' })).toEqual({
      tid: 'P1',
      name: 'Jacket',
      node: 'N1',
      vals: { val: [{ attr: 'COLOUR', itm: [{ value: 'red' }] }] },
    })
  })

  test('a product with an article and a variation below it', () => {
    const row = { tid: 'P1', 'article:tid': 'A1', 'article:COLOUR': 'red', 'variant:tid': 'V1', 'variant:name': 'M' }
    expect(itemOf(row)).toEqual({
      tid: 'P1',
      articles: {
        article: [
          {
            tid: 'A1',
            vals: { val: [{ attr: 'COLOUR', itm: [{ value: 'red' }] }] },
            variants: { variant: [{ tid: 'V1', name: 'M' }] },
          },
        ],
      },
    })
  })

  test('a variation below an article without a tid, if the row names only the variation', () => {
    expect(itemOf({ tid: 'P1', 'article:tid': '', 'variant:tid': 'V1' })).toEqual({
      tid: 'P1',
      articles: { article: [{ variants: { variant: [{ tid: 'V1' }] } }] },
    })
  })

  test('a product alone, if the row has neither the tid nor the name of an article', () => {
    expect(itemOf({ tid: 'P1', 'article:tid': '', 'article:COLOUR': 'red' })).toEqual({ tid: 'P1' })
  })
})

describe('cells', () => {
  const valsOf = (row: Record<string, string>, profile?: Profile) => itemOf(row, profile).vals?.val

  test('of one attribute in several languages become one value', () => {
    expect(valsOf({ 'TITLE@de_DE': 'Jacke', COLOUR: 'red', 'TITLE@en_GB': 'Jacket' })).toEqual([
      { attr: 'TITLE', itm: [{ value: 'Jacke', loc: 'de_DE' }, { value: 'Jacket', loc: 'en_GB' }] }, // prettier-ignore
      { attr: 'COLOUR', itm: [{ value: 'red' }] },
    ])
  })

  test('of one list become one value with their positions', () => {
    expect(valsOf({ 'BULLETS@de_DE#1': 'leicht', 'BULLETS@de_DE#0': 'warm', 'BULLETS@en_GB#0': 'warm' })).toEqual([
      {
        attr: 'BULLETS',
        i18N: [
          { loc: 'de_DE', itm: [{ value: 'leicht', pos: 1 }, { value: 'warm', pos: 0 }] }, // prettier-ignore
          { loc: 'en_GB', itm: [{ value: 'warm', pos: 0 }] },
        ],
      },
    ])
  })

  test('without a position are split into the values of a list, without spaces and gaps', () => {
    expect(valsOf({ TAGS: 'new | warm||' })).toEqual([
      { attr: 'TAGS', itm: [{ value: 'new', pos: 0 }, { value: 'warm', pos: 1 }] }, // prettier-ignore
    ])
  })

  test('of a table keep the positions of its rows, also behind an empty one', () => {
    expect(valsOf({ 'TECH/TECH_VALUE': '10||30' })).toEqual([
      { attr: 'TECH_VALUE', parent: 'TECH', itm: [{ value: '10', pos: 0 }, { value: '30', pos: 2 }] }, // prettier-ignore
    ])
  })

  test('are split at the separator of the profile', () => {
    expect(valsOf({ TAGS: 'a|b;c' }, { separator: ';' })).toEqual([
      { attr: 'TAGS', itm: [{ value: 'a|b', pos: 0 }, { value: 'c', pos: 1 }] }, // prettier-ignore
    ])
  })

  test('of an attribute with one value are not split, and keep their spaces', () => {
    expect(valsOf({ COLOUR: ' red | blue ' })).toEqual([{ attr: 'COLOUR', itm: [{ value: ' red | blue ' }] }])
  })

  test('that are empty leave the value alone', () => {
    expect(itemOf({ tid: 'P1', COLOUR: '', 'BULLETS@de_DE': '' })).toEqual({ tid: 'P1' })
  })

  test('that are empty clear the value if the profile says so', () => {
    expect(valsOf({ tid: 'P1', COLOUR: '', 'TECH/TECH_VALUE': '' }, { emptyClears: true })).toEqual([
      { attr: 'COLOUR' },
      { attr: 'TECH_VALUE', parent: 'TECH' },
    ])
  })

  test('that are empty clear only the locale of their column', () => {
    const row = { tid: 'P1', 'TITLE@en_GB': 'Coat', 'TITLE@de_DE': '', 'BULLETS@de_DE': '', 'BULLETS@en_GB': 'a|b' }
    expect(valsOf(row, { emptyClears: true })).toEqual([
      { attr: 'TITLE', itm: [{ value: 'Coat', loc: 'en_GB' }, { value: '', loc: 'de_DE' }] },
      { attr: 'BULLETS', i18N: [{ loc: 'en_GB', itm: [{ value: 'a', pos: 0 }, { value: 'b', pos: 1 }] }, { loc: 'de_DE', itm: [] }] },
    ]) // prettier-ignore
    expect(valsOf({ tid: 'P1', 'TITLE@de_DE': '' }, { emptyClears: true })).toEqual([
      { attr: 'TITLE', itm: [{ value: '', loc: 'de_DE' }] },
    ])
  })

  test('that a short row does not have count as empty', () => {
    const plan = toPlan(['tid', 'name', 'COLOUR'], undefined, (attr) => kinds[attr])
    expect(toItem(plan, [' P1 '], String)).toEqual({ tid: 'P1' })
  })
})

describe('assets', () => {
  test('are linked by the tids of their files, for each type of link', () => {
    expect(itemOf({ tid: 'P1', asset: 'a.png|b.png', 'asset/Main_Image': 'c.png' }).links).toEqual({
      itms: [
        {
          type: 'assetToProduct',
          itms: [
            { itm: [{ key: 'assetTid', value: 'tid of a.png' }, { key: 'assetTid', value: 'tid of b.png' }] }, // prettier-ignore
            { itm: [{ key: 'assetTid', value: 'tid of c.png' }], type: 'Main_Image' },
          ],
        },
      ],
    })
  })

  test('without a tid, as during a check, are not linked', () => {
    expect(itemOf({ tid: 'P1', asset: 'a.png' }, undefined, () => '')).toEqual({ tid: 'P1' })
  })

  test('that are missing refuse the row', () => {
    const missing = () => {
      throw new Error('no such file')
    }
    expect(() => itemOf({ tid: 'P1', asset: 'a.png' }, undefined, missing)).toThrow('no such file')
  })
})

test('an empty cell has no parts', () => {
  expect(split('', '|')).toEqual([])
  expect(split(' | ', '|')).toEqual([])
})
