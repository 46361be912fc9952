/** Relevance: the hits that users expect first. The oracle does not define it. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { FieldValues, IndexSchema, Predicate, Scalar, SearchDocument } from '../port.ts'
import { createIndex } from '../store/generation-index.ts'

const schema: IndexSchema = {
  locales: ['de_DE', 'en_GB'],
  defaultLocale: 'en_GB',
  fields: [
    { name: 'tid', type: 'keyword', weight: 10 },
    { name: 'name', type: 'text', localized: true, weight: 3 },
    { name: 'body', type: 'text', localized: true, weight: 1, long: true },
  ],
}
const valuesIn = (locale: string, values: Scalar[]): FieldValues => new Map([[locale, values]])
const document = (id: number, name: string, body = '', tid = `t${id}`): SearchDocument => ({
  id,
  fields: new Map([
    ['tid', valuesIn('', [tid])],
    ['name', valuesIn('en_GB', [name])],
    ['body', valuesIn('en_GB', [body])],
  ]),
})
const filler = Array.from({ length: 20 }, (_, i) => document(100 + i, 'plain thing', 'nothing of interest'))

async function ranked(text: string, batches: SearchDocument[][]): Promise<number[]> {
  const index = createIndex({ schema })
  for (const put of batches) await index.apply({ put, remove: [] }, 'x')
  const { hits } = await index.search({ predicate: { kind: 'text', text }, offset: 0, limit: 10 })
  expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a))
  return hits.map(({ id }) => id)
}

// prettier-ignore
const cases: [what: string, text: string, documents: SearchDocument[], order: number[]][] = [
  ['a word in the name beats one in the body', 'shoe', [document(1, 'cap', 'a red shoe'), document(2, 'shoe', 'a red cap')], [2, 1]],
  ['an identifier beats a name',               'k7',   [document(1, 'k7 k7 k7'), document(2, 'cap', '', 'k7')], [2, 1]],
  ['a short text beats a long one',            'shoe', [document(1, 'a very long name of some shoe of ours'), document(2, 'shoe')], [2, 1]],
  ['two occurrences beat one',                 'shoe', [document(1, 'cap', 'shoe and lace'), document(2, 'cap', 'shoe by shoe')], [2, 1]],
  ['ties are sorted by ID',                    'shoe', [document(2, 'shoe'), document(1, 'shoe')], [1, 2]],
]
test.each(cases)('%s', async (_, text, documents, order) => {
  expect(await ranked(text, [[...documents, ...filler]])).toEqual(order)
  expect(await ranked(text, [...documents.map((each) => [each]), filler])).toEqual(order)
})
describe('compounds', () => {
  const lexicon = new Map([['de', new Set(['dam', 'led', 'schuh'])]])
  async function found(text: string, names: string[]): Promise<number[]> {
    const index = createIndex({ schema, lexicon })
    const put = names.map((name, i): SearchDocument => ({
      id: i + 1,
      fields: new Map([['name', valuesIn('de_DE', [name])]]),
    }))
    await index.apply({ put, remove: [] }, 'x')
    const { hits } = await index.search({ predicate: { kind: 'text', text, locale: 'de_DE' }, offset: 0, limit: 10 })
    return hits.map(({ id }) => id)
  }
  test('score lower than the word itself', async () => {
    expect(await found('Schuh', ['Damenschuhe', 'Schuhe', 'Hut'])).toEqual([2, 1])
  })
  test('of one part together score like one word with their total frequency', async () => {
    expect(await found('Schuh', ['Damenschuhe Hut', 'Damenschuhe Lederschuhe', 'Lederschuh Hut'])).toEqual([2, 1, 3])
  })
  test('match their part in a phrase', async () => {
    const names = ['rote Damenschuhe', 'Damenschuhe, rote', 'rote Hüte, Schuhe', 'rote Lederschuhe Damen']
    expect(await found('"rote Schuhe"', names)).toEqual([1, 4])
    expect(await found('"Schuhe Damen"', names)).toEqual([4])
  })
})

describe('with very many documents', () => {
  const kinds: [what: string, predicate: Predicate][] = [
    ['that have a word', { kind: 'text', text: 'lamp', locale: 'en_GB' }],
    ['that have a word or an inflected form', { kind: 'text', text: 'shoe', locale: 'en_GB' }],
    ['that have two words', { kind: 'text', text: 'lamp shoe', locale: 'en_GB' }],
    ['that have a word in any language', { kind: 'text', text: 'lamp' }],
    ['that have a word in one field', { kind: 'field', field: 'body', comparator: 'EQ', operands: ['lamp'] }],
    [
      'that pass a filter',
      {
        kind: 'and',
        of: [
          { kind: 'text', text: 'shoe' },
          { kind: 'field', field: 'tid', comparator: 'TERM_WILDCARD', operands: ['*1*'] },
        ],
      },
    ],
  ]
  const index = createIndex({ schema })
  beforeAll(async () => {
    // Each word, inflected forms and other words, often enough for many different, and many equal, profiles and scores.
    const some = (i: number, most: number) =>
      Array.from({ length: 1 + ((i * 7) % most) }, (_, k) => ['lamp', 'shoe', 'shoes', 'red', 'cap'][(i * (k + 3)) % 5])
    const put = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) =>
        document(from + i, some((from + i) * 31, 3).join(' '), some((from + i) * 17, 40).join(' ')),
      )
    await index.apply({ put: put(0, 4000), remove: [] }, '1')
    await index.apply({ put: put(4000, 9000), remove: [17, 18, 19] }, '2')
    await index.apply({ put: put(100, 120), remove: Array.from({ length: 300 }, (_, i) => 3 * i) }, '3')
  })
  test.each(kinds)('%s, every page is a slice of the full result', async (_, predicate) => {
    const all = await index.search({ predicate, offset: 0, limit: 10_000 })
    expect(all.hits.length).toBe(all.total)
    expect(all.hits).toEqual(all.hits.toSorted((a, b) => b.score - a.score || a.id - b.id))
    for (const [offset, limit] of [
      [0, 20],
      [7, 1],
      [500, 300],
      [all.total - 1, 5],
      [0, 0],
    ] as const) {
      const page = await index.search({ predicate, offset, limit })
      expect(page.total).toBe(all.total)
      expect(page.hits).toEqual(all.hits.slice(offset, offset + limit))
    }
  })
  test('ties are sorted by ID across segments', async () => {
    const words = ['ant', 'bee', 'cat', 'dog', 'eel', 'fox', 'gnu']
    const text = words.map((word, i) => `${word} `.repeat(i + 1)).join('')
    const equal = createIndex({ schema })
    const put = (from: number) => Array.from({ length: 1500 }, (_, i) => document(from + i, text))
    await equal.apply({ put: put(3000), remove: [] }, '1')
    await equal.apply({ put: put(0), remove: [] }, '2')
    for (const word of words) {
      const { hits } = await equal.search({ predicate: { kind: 'text', text: word }, offset: 0, limit: 30 })
      expect(hits.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, i) => i))
    }
  })
})
