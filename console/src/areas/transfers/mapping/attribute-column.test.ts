import { expect, test } from 'vitest'
import { attributeColumn, kindOf, nameOfFile, withColumn, withNotation } from './attribute-column.ts'
import type { Profile } from './use-mapping.ts'

test('the type of a new attribute is guessed from the cells of its column', () => {
  const typeOf = (...cells: string[]) => kindOf(cells, '|').type
  expect(typeOf('Red', 'Blue')).toBe('text')
  expect(typeOf()).toBe('text')
  expect(typeOf('1,25', '12.5', '-3', '1.250,50', '0')).toBe('number')
  expect(typeOf('1,25', 'heavy')).toBe('text')
  expect(typeOf('01.09.2026', '1.10.2026')).toBe('date')
  expect(typeOf('2026-09-01', '9/30/2026')).toBe('date')
  expect(typeOf('ja', 'Nein')).toBe('boolean')
  expect(typeOf('yes', '1')).toBe('text')
})

test('postcodes and identifiers are texts', () => {
  expect(kindOf(['01234', '22767'], '|').type).toBe('text')
  expect(kindOf(['4006381333931'], '|').type).toBe('text')
})

test('cells with several values make a list of values', () => {
  expect(kindOf(['S|M', 'L'], '|')).toEqual({ type: 'text', multiValued: true })
  expect(kindOf(['54; 58', '72'], ';')).toEqual({ type: 'number', multiValued: true })
  expect(kindOf(['S', 'L'], '|').multiValued).toBe(false)
})

test('a column keeps its level and its template when its target becomes an attribute', () => {
  const target = { column: 'Farbe', field: 'name', level: 'article', template: '{Marke}', linkType: 'parts' } as const
  expect(attributeColumn('Farbe', target, 'colour', 'de_DE')).toEqual({ column: 'Farbe', template: '{Marke}', attr: 'colour', level: 'article', locale: 'de_DE' }) // prettier-ignore
  expect(attributeColumn('Farbe', undefined, 'colour')).toEqual({ column: 'Farbe', attr: 'colour' })
})

test('a column replaces its former meaning in the same place, and a new one is the last', () => {
  const columns = [{ column: 'A' }, { column: 'B' }, { column: 'B' }]
  expect(withColumn({ columns }, { column: 'A', attr: 'a' }).columns?.[0]).toEqual({ column: 'A', attr: 'a' })
  expect(withColumn({ columns }, { column: 'B', attr: 'b' }).columns).toEqual([{ column: 'A' }, { column: 'B', attr: 'b' }]) // prettier-ignore
  expect(withColumn({}, { column: 'C' }).columns).toEqual([{ column: 'C' }])
})

test('a guessed notation adds to a profile and changes nothing that a person has set', () => {
  const guessed: Profile = { decimal: ',', dateFormat: 'D.M.YYYY', trueWords: ['ja'], falseWords: ['nein'], headerRow: 9 } // prettier-ignore
  expect(withNotation({ headerRow: 2 }, guessed)).toEqual({ decimal: ',', dateFormat: 'D.M.YYYY', headerRow: 2, trueWords: ['ja'], falseWords: ['nein'] }) // prettier-ignore
  expect(withNotation({ dateFormat: 'M/D/YYYY', trueWords: ['x', 'ja'] }, guessed)).toMatchObject({ dateFormat: 'M/D/YYYY', trueWords: ['x', 'ja'] }) // prettier-ignore
  expect(withNotation({}, {})).toEqual({})
})

test('a file name becomes a name for people', () => {
  expect(nameOfFile('artikel_liste-2026.xlsx')).toBe('Artikel liste 2026')
  expect(nameOfFile('Preise')).toBe('Preise')
})
