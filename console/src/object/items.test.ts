import { describe, expect, test } from 'vitest'
import { fact, nameIn, technicalName, toItems, trimmedName, valueIn, withValue } from './items.ts'

const name = { itm: [{ value: 'Sail' }, { value: 'Segel', loc: 'de_DE' }, { value: 'Voile', loc: 'fr_FR' }] }

describe('names', () => {
  test.each([
    ['de_DE', 'Segel', 'the name of the locale'],
    ['de_AT', 'Segel', 'else the name of another country of the language'],
    ['en_GB', 'Sail', 'else the technical name'],
  ])('in %s the name is %s: %s', (locale, expected) => {
    expect(nameIn(name, locale)).toBe(expected)
  })

  test('without a technical name, any name is better than none', () => {
    expect(nameIn({ itm: [{ value: 'Voile', loc: 'fr_FR' }] }, 'de_DE')).toBe('Voile')
    expect(nameIn(undefined, 'de_DE')).toBe('')
  })

  test('the technical name is the one without a locale', () => {
    expect(technicalName(name)).toBe('Sail')
    expect(valueIn(name, undefined)).toBe('Sail')
    expect(valueIn(name, 'en_GB')).toBe('')
  })

  test('a changed name stays at its position, a new one is appended', () => {
    expect(withValue(name, 'de_DE', 'Tuch').itm[1]).toEqual({ value: 'Tuch', loc: 'de_DE' })
    expect(withValue(name, 'it_IT', 'Vela').itm.at(-1)).toEqual({ value: 'Vela', loc: 'it_IT' })
  })

  test('an emptied name is sent as a locale alone, which removes it', () => {
    expect(trimmedName(withValue(name, 'fr_FR', ' ')).itm.at(-1)).toEqual({ loc: 'fr_FR' })
  })
})

test('facts of an object are read from its items', () => {
  const object = { meta: { itm: toItems({ path: '/Sea', force: 'true' }) } }
  expect(fact(object, 'path')).toBe('/Sea')
  expect(fact(object, 'size')).toBeUndefined()
  expect(fact({}, 'path')).toBeUndefined()
})
