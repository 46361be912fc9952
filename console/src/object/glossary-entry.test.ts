import { expect, test } from 'vitest'
import { fromEntry, toEntry } from './glossary-entry.ts'

const items = (value: string, forbidden: string, instead = '') => [
  { key: 'value', value },
  { key: 'forbidden', value: forbidden },
  { key: 'useInstead', ...(instead && { value: instead }) },
]
const message = {
  tid: 'sail',
  parentTid: 'boats',
  type: 'term' as const,
  loc: 'en_GB',
  meta: { itm: items('sail', 'false') },
  links: { itms: [{ loc: 'de_DE', itm: items('Segel', 'true', 'Tuch') }] },
}

test('an entry has a text per locale and survives the way back into a message', () => {
  const entry = toEntry(message)
  expect(entry.wordings).toEqual({
    en_GB: { text: 'sail', forbidden: false, instead: '' },
    de_DE: { text: 'Segel', forbidden: true, instead: 'Tuch' },
  })
  expect(fromEntry(entry, 'boats')).toEqual(message)
})

test('an emptied translation is sent as a group without items, which removes it', () => {
  const entry = toEntry(message)
  const wordings = { ...entry.wordings, de_DE: { text: ' ', forbidden: true, instead: '' } }
  expect(fromEntry({ ...entry, wordings }, 'boats').links).toEqual({ itms: [{ loc: 'de_DE' }] })
})
