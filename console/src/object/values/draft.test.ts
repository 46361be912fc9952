import { describe, expect, test } from 'vitest'
import { displayTextOf, textsOf, toVal, type ValMessage } from './draft.ts'

const plain = { key: 'x', localized: false, multiple: false }

// prettier-ignore
const forms: [string, { localized?: boolean; multiple?: boolean; parent?: string }, Map<string, string[]>, ValMessage][] = [
  ['one text', {}, new Map([['', ['a']]]), { attr: 'x', itm: [{ value: 'a' }] }],
  ['nothing', {}, new Map([['', []]]), { attr: 'x' }],
  ['a list', { multiple: true }, new Map([['', ['a', 'b']]]), { attr: 'x', itm: [{ value: 'a', pos: 0 }, { value: 'b', pos: 1 }] }],
  ['languages', { localized: true }, new Map([['en_GB', ['a']], ['de_DE', ['b']]]), { attr: 'x', itm: [{ value: 'a', loc: 'en_GB' }, { value: 'b', loc: 'de_DE' }] }],
  ['lists by language', { localized: true, multiple: true }, new Map([['en_GB', ['a']]]), { attr: 'x', i18N: [{ loc: 'en_GB', itm: [{ value: 'a', pos: 0 }] }] }],
  ['a column with an empty row', { parent: 't' }, new Map([['', ['a', '', 'c']]]), { attr: 'x', parent: 't', itm: [{ value: 'a', pos: 0 }, { value: 'c', pos: 2 }] }],
]

describe('texts survive the way into a message and back', () => {
  test.each(forms)('%s', (_name, { parent, ...kind }, byLocale, message) => {
    expect(toVal({ ...plain, ...kind }, byLocale, parent)).toEqual(message)
    for (const [locale, texts] of byLocale) expect(textsOf(message, locale)).toEqual(texts)
  })
})

test('an emptied language is sent without a value, which removes it', () => {
  expect(toVal({ ...plain, localized: true }, new Map([['en_GB', []]]))).toEqual({ attr: 'x', itm: [{ loc: 'en_GB' }] })
})

test('domain values are edited by key and displayed by label', () => {
  const val: ValMessage = {
    attr: 'x',
    itm: [
      { value: 'Red', key: 'red', pos: 0 },
      { value: 'Blue', key: 'blue', pos: 1 },
    ],
  }
  expect(textsOf(val, '')).toEqual(['red', 'blue'])
  expect(displayTextOf(val, 'en_GB')).toBe('Red, Blue')
})
