import { describe, expect, test } from 'vitest'
import { type AttributeKind, columnOf, headingOf, toPlan } from './plan.ts'

const kinds: Readonly<Record<string, AttributeKind>> = {
  TITLE: { localized: true, multi: false },
  BULLETS: { localized: true, multi: true },
  COLOUR: { localized: false, multi: false },
  TAGS: { localized: false, multi: true },
  TECH: { localized: false, multi: false },
  TECH_VALUE: { localized: false, multi: false },
}
const planOf = (headings: string[], profile?: Parameters<typeof toPlan>[1]) =>
  toPlan(headings, profile, (attr) => kinds[attr])

describe('a heading', () => {
  test.each([
    ['names an attribute', 'TITLE', { level: 0, attr: 'TITLE' }],
    ['names an attribute in a locale', 'TITLE@de_DE', { level: 0, attr: 'TITLE', locale: 'de_DE' }],
    ['names one value of a list', 'BULLETS@de_DE#0', { level: 0, attr: 'BULLETS', locale: 'de_DE', position: 0 }],
    ['names one value of a list without languages', 'TAGS#12', { level: 0, attr: 'TAGS', position: 12 }],
    ['names an attribute of the article', 'article:COLOUR', { level: 1, attr: 'COLOUR' }],
    ['names an attribute of the variation', 'variant:COLOUR', { level: 2, attr: 'COLOUR' }],
    ['names a column of a table attribute', 'TECH/TECH_VALUE', { level: 0, attr: 'TECH_VALUE', parent: 'TECH' }],
    ['names the tid of the product', 'tid', { level: 0, field: 'tid' }],
    ['names the node of the product', 'node', { level: 0, field: 'node' }],
    ['names the name of a variation', 'variant:name', { level: 2, field: 'name' }],
    ['names assets', 'asset', { level: 0, field: 'asset' }],
    ['names assets with a type of link', 'asset/Main_Image', { level: 0, field: 'asset', link: 'Main_Image' }],
    ['names assets of an article', 'article:asset/Main_Image', { level: 1, field: 'asset', link: 'Main_Image' }],
  ] as const)('%s', (_what, heading, meaning) => {
    expect(columnOf(heading)).toEqual({ heading, ...meaning })
    expect(headingOf(meaning)).toBe(heading)
  })

  test.each(['status', 'message', '', '  '])('%j is passed over', (heading) => {
    expect(columnOf(heading)).toEqual({ heading, level: 0, field: 'ignore' })
  })

  test('may have spaces around it, and is reported as it was written', () => {
    expect(columnOf(' TITLE@de_DE ')).toEqual({ heading: ' TITLE@de_DE ', level: 0, attr: 'TITLE', locale: 'de_DE' })
  })

  test.each(['TITLE@german', 'TITLE@', 'BULLETS#first', 'BULLETS#0@de_DE', 'shelf:COLOUR', 'TITLE@de_DE@en_GB'])(
    '%s is not understood',
    (heading) => {
      expect(columnOf(heading)).toBeUndefined()
    },
  )
})

describe('a profile', () => {
  const columns = [
    { column: 'Bezeichnung', attr: 'TITLE', locale: 'de_DE' },
    { column: 'Vorteil 1', attr: 'BULLETS', locale: 'de_DE', position: 0 },
    { column: 'Farbe', attr: 'COLOUR', level: 'article' },
    { column: 'Wert', attr: 'TECH/TECH_VALUE' },
    { column: 'Bild', field: 'asset', linkType: 'Main_Image' },
    { column: 'EAN', field: 'tid', level: 'variant' },
    { column: 'COLOUR', field: 'ignore' },
    { column: 'Leer' },
  ] as const
  const profile = { columns: [...columns] }

  test.each([
    ['Bezeichnung', { level: 0, attr: 'TITLE', locale: 'de_DE' }],
    ['Vorteil 1', { level: 0, attr: 'BULLETS', locale: 'de_DE', position: 0 }],
    ['Farbe', { level: 1, attr: 'COLOUR' }],
    ['Wert', { level: 0, attr: 'TECH_VALUE', parent: 'TECH' }],
    ['Bild', { level: 0, field: 'asset', link: 'Main_Image' }],
    ['EAN', { level: 2, field: 'tid' }],
  ])('gives the heading %s its meaning', (heading, meaning) => {
    expect(columnOf(heading, profile)).toEqual({ heading, ...meaning })
  })

  test('overrides the meaning that a heading has by itself', () => {
    expect(columnOf('COLOUR', profile)).toEqual({ heading: 'COLOUR', level: 0, field: 'ignore' })
  })

  test('leaves the headings alone that it does not list', () => {
    expect(columnOf('TITLE@en_GB', profile)).toEqual(columnOf('TITLE@en_GB'))
  })

  test('that lists a column without a meaning makes it a fault', () => {
    expect([...planOf(['Leer'], profile).faults.keys()]).toEqual(['Leer'])
  })
})

describe('a plan', () => {
  test('knows the places of the fields at every level', () => {
    const { levels } = planOf(['name', 'tid', 'article:tid', 'node', 'variant:name'])
    expect(levels[0]).toMatchObject({ tid: 1, name: 0, node: 3 })
    expect(levels[1]).toMatchObject({ tid: 2, name: -1, node: -1 })
    expect(levels[2]).toMatchObject({ tid: -1, name: 4, node: -1 })
  })

  test('keeps every column of assets with its type of link', () => {
    expect(planOf(['asset', 'tid', 'asset/Main_Image']).levels[0].assets).toEqual([
      { index: 0, link: undefined, isOptional: false },
      { index: 2, link: 'Main_Image', isOptional: false },
    ])
  })

  test('puts the languages and positions of an attribute together, though other columns are between them', () => {
    const { levels, faults } = planOf(['BULLETS@de_DE#0', 'TITLE@de_DE', 'BULLETS@de_DE#1', 'TITLE@en_GB'])
    expect(faults.size).toBe(0)
    expect(levels[0].values).toEqual([
      {
        attr: 'BULLETS',
        parent: undefined,
        multi: true,
        cells: [
          { index: 0, locale: 'de_DE', position: 0 },
          { index: 2, locale: 'de_DE', position: 1 },
        ],
      },
      {
        attr: 'TITLE',
        parent: undefined,
        multi: false,
        cells: [
          { index: 1, locale: 'de_DE', position: undefined },
          { index: 3, locale: 'en_GB', position: undefined },
        ],
      },
    ])
  })

  test('keeps the same attribute of different levels apart', () => {
    const { levels } = planOf(['COLOUR', 'article:COLOUR'])
    expect(levels.map(({ values }) => values.map(({ cells }) => cells[0]!.index))).toEqual([[0], [1], []])
  })

  test('reads a column of a table as a list, though the attribute has one value', () => {
    expect(planOf(['TECH/TECH_VALUE']).levels[0].values).toMatchObject([
      { attr: 'TECH_VALUE', parent: 'TECH', multi: true },
    ])
  })

  test('takes the separator and the meaning of empty cells from the profile', () => {
    expect(planOf([])).toMatchObject({ separator: '|', emptyClears: false })
    expect(planOf([], { separator: ';', emptyClears: true })).toMatchObject({ separator: ';', emptyClears: true })
  })

  test.each([
    ['is not understood', 'TITLE@german', 'this heading is not understood; give it a meaning in a profile'],
    ['names no attribute', 'WEIGHT', 'no attribute has the tid WEIGHT'],
    ['names no table attribute', 'SPECS/TECH_VALUE', 'no attribute has the tid SPECS'],
    ['lacks a language', 'TITLE', 'TITLE is localized; name the language, as in TITLE@en_GB'],
    ['has a language too many', 'COLOUR@de_DE', 'COLOUR has no languages; leave out @de_DE'],
  ])('says what is wrong with a heading that %s, and does not read that column', (_what, heading, fault) => {
    const { faults, levels } = planOf([heading, 'TAGS'])
    expect([...faults]).toEqual([[heading, fault]])
    expect(levels[0].values.map(({ attr, cells }) => [attr, cells[0]!.index])).toEqual([['TAGS', 1]])
  })

  test('neither reads nor faults the columns of a result file', () => {
    const { faults, levels } = planOf(['tid', 'status', 'message'])
    expect(faults.size).toBe(0)
    expect(levels[0]).toEqual({ tid: 0, name: -1, node: -1, assets: [], relations: [], values: [] })
  })
})
