/**
 * A table of what every comparator finds on every field type, localized or not, with one value, several and none. Both
 * the embedded engine and the oracle must agree with it, so neither can change alone.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { comparatorTests } from './comparators.ts'
import { createOracle } from './oracle.ts'
import type { Comparator, IndexSchema, Operand, Scalar, SearchDocument, LogicalQuery } from './port.ts'
import { createIndex } from './store/generation-index.ts'

// prettier-ignore
const schema: IndexSchema = {
  locales: ['de_DE', 'en_GB'],
  defaultLocale: 'en_GB',
  fields: [
    { name: 'text',    type: 'text', weight: 1 },
    { name: 'title',   type: 'text', localized: true },
    { name: 'keyword', type: 'keyword' },
    { name: 'label',   type: 'keyword', localized: true, weight: 1 },
    { name: 'number',  type: 'number' },
    { name: 'date',    type: 'date' },
    { name: 'boolean', type: 'boolean' },
  ],
}
const day = (text: string) => ({ from: Date.parse(text), to: Date.parse(text) + 86_400_000 })
const at = (text: string) => Date.parse(text)

type Values = Record<string, Scalar[] | Record<string, Scalar[]>>
const documents: SearchDocument[] = (
  [
    [
      1,
      {
        text: ['Red Shoe'],
        title: { de_DE: ['Roter Schuh'], en_GB: ['Red shoe'] },
        keyword: ['Red'],
        label: { de_DE: ['Rot'] },
        number: [5],
        date: [at('2024-05-01T10:00Z')],
        boolean: [true],
      },
    ],
    [
      2,
      {
        text: ['Blue shoelace', 'red'],
        title: { en_GB: ['Blue shoes'] },
        keyword: ['Blue', 'Dark red'],
        label: { en_GB: ['Blue'] },
        number: [10, 2],
        date: [at('2024-05-02T00:00Z')],
        boolean: [false],
      },
    ],
    [
      3,
      {
        text: ['10 mm'],
        title: { de_DE: ['Neue blaue Schuhe'] },
        keyword: ['9 mm'],
        label: { de_DE: ['Blau'], en_GB: ['Red'] },
        number: [-1.5],
      },
    ],
    [4, {}],
  ] as [number, Values][]
).map(([id, values]) => ({
  id,
  fields: new Map(
    Object.entries(values).map(([name, of]) => [name, new Map(Array.isArray(of) ? [['', of]] : Object.entries(of))]),
  ),
}))

interface Case {
  field: string
  comparator: Comparator
  operands?: Operand[]
  keyword?: boolean
  locale?: string
  /** The documents that the comparator finds. Its negation finds all others. */
  finds: number[]
}
// prettier-ignore
const cases: Case[] = [
  // Text by words
  { field: 'text', comparator: 'EQ',               operands: ['shoe red'],     finds: [1] },
  { field: 'text', comparator: 'EQ',               operands: ['red'],          finds: [1, 2] },
  { field: 'text', comparator: 'EQ',               operands: ['!'],            finds: [] },
  { field: 'text', comparator: 'LIKE',             operands: ['red sho'],      finds: [1, 2] },
  { field: 'text', comparator: 'LIKE',             operands: ['re shoelace'],  finds: [] },
  { field: 'text', comparator: 'TERM_STARTS_WITH', operands: ['SHO'],          finds: [1, 2] },
  { field: 'text', comparator: 'TERM_ENDS_WITH',   operands: ['ace'],          finds: [2] },
  { field: 'text', comparator: 'TERM_ENDS_WITH',   operands: ['e'],            finds: [1, 2] },
  { field: 'text', comparator: 'TERM_ENDS_WITH',   operands: ['Hoe'],          finds: [1] },
  { field: 'text', comparator: 'TERM_ENDS_WITH',   operands: ['ue'],           finds: [2] },
  { field: 'text', comparator: 'TERM_WILDCARD',    operands: ['sh?*'],         finds: [1, 2] },
  { field: 'text', comparator: 'TERM_WILDCARD',    operands: ['r?d'],          finds: [1, 2] },
  // Text as a whole value
  { field: 'text', comparator: 'EQ',               operands: ['red'],          keyword: true, finds: [2] },
  { field: 'text', comparator: 'TERM_STARTS_WITH', operands: ['red'],          keyword: true, finds: [1, 2] },
  { field: 'text', comparator: 'TERM_ENDS_WITH',   operands: ['shoe'],         keyword: true, finds: [1] },
  { field: 'text', comparator: 'TERM_WILDCARD',    operands: ['*e shoe*'],     keyword: true, finds: [2] },
  { field: 'text', comparator: 'IN',               operands: ['red', '10 MM'], finds: [2, 3] },
  { field: 'text', comparator: 'GT',               operands: ['9 mm'],         finds: [1, 2, 3] },
  { field: 'text', comparator: 'GE',               operands: ['red shoe'],     finds: [1] },
  { field: 'text', comparator: 'LT',               operands: ['blue'],         finds: [3] },
  { field: 'text', comparator: 'LE',               operands: ['red'],          finds: [2, 3] },
  { field: 'text', comparator: 'IS_EMPTY',         finds: [4] },
  // Localized text: one locale, or any
  { field: 'title', comparator: 'EQ',       operands: ['schuh'], locale: 'de_DE', finds: [1, 3] },
  { field: 'title', comparator: 'EQ',       operands: ['schuh'], locale: 'de_AT', finds: [1, 3] },
  { field: 'title', comparator: 'EQ',       operands: ['shoe'],                   finds: [1, 2] },
  { field: 'title', comparator: 'EQ',       operands: ['shoe'],  locale: 'de_DE', finds: [] },
  { field: 'title', comparator: 'TERM_ENDS_WITH', operands: ['oe'],               finds: [1] },
  { field: 'title', comparator: 'TERM_ENDS_WITH', operands: ['ue'],               finds: [2, 3] },
  { field: 'title', comparator: 'TERM_ENDS_WITH', operands: ['e'], locale: 'de_DE', finds: [3] },
  { field: 'title', comparator: 'IS_EMPTY', locale: 'de_DE', finds: [2, 4] },
  { field: 'title', comparator: 'IS_EMPTY', finds: [4] },
  // Keyword
  { field: 'keyword', comparator: 'EQ',               operands: ['RED'],        finds: [1] },
  { field: 'keyword', comparator: 'LIKE',             operands: ['dar'],        finds: [2] },
  { field: 'keyword', comparator: 'LIKE',             operands: ['red'],        finds: [1, 2] },
  { field: 'keyword', comparator: 'GT',               operands: ['Blue'],       finds: [1, 2] },
  { field: 'keyword', comparator: 'GE',               operands: ['red'],        finds: [1] },
  { field: 'keyword', comparator: 'LT',               operands: ['10 mm'],      finds: [3] },
  { field: 'keyword', comparator: 'LE',               operands: ['blue'],       finds: [2, 3] },
  { field: 'keyword', comparator: 'IN',               operands: ['red', 'blue'], finds: [1, 2] },
  { field: 'keyword', comparator: 'IS_EMPTY',         finds: [4] },
  { field: 'keyword', comparator: 'TERM_STARTS_WITH', operands: ['dark r'],     finds: [2] },
  { field: 'keyword', comparator: 'TERM_ENDS_WITH',   operands: ['RED'],        finds: [1, 2] },
  { field: 'keyword', comparator: 'TERM_WILDCARD',    operands: ['?* mm'],      finds: [3] },
  { field: 'label',   comparator: 'EQ',       operands: ['red'],                   finds: [3] },
  { field: 'label',   comparator: 'EQ',       operands: ['blau'], locale: 'de_DE', finds: [3] },
  { field: 'label',   comparator: 'LIKE',     operands: ['bl'],                    finds: [2, 3] },
  { field: 'label',   comparator: 'IS_EMPTY', locale: 'en_GB', finds: [1, 4] },
  // Numbers
  { field: 'number', comparator: 'EQ',               operands: [10],         finds: [2] },
  { field: 'number', comparator: 'EQ',               operands: ['5.0'],      finds: [1] },
  { field: 'number', comparator: 'EQ',               operands: ['five'],     finds: [] },
  { field: 'number', comparator: 'GT',               operands: [5],          finds: [2] },
  { field: 'number', comparator: 'GE',               operands: [5],          finds: [1, 2] },
  { field: 'number', comparator: 'LT',               operands: [2],          finds: [3] },
  { field: 'number', comparator: 'LE',               operands: [2],          finds: [2, 3] },
  { field: 'number', comparator: 'IN',               operands: [5, 2, 7],    finds: [1, 2] },
  { field: 'number', comparator: 'IS_EMPTY',         finds: [4] },
  { field: 'number', comparator: 'LIKE',             operands: ['1'],        finds: [2] },
  { field: 'number', comparator: 'TERM_STARTS_WITH', operands: ['-1'],       finds: [3] },
  { field: 'number', comparator: 'TERM_ENDS_WITH',   operands: ['5'],        finds: [1, 3] },
  { field: 'number', comparator: 'TERM_WILDCARD',    operands: ['1?'],       finds: [2] },
  // Dates: an instant, or a day as a whole
  { field: 'date', comparator: 'EQ',               operands: [day('2024-05-01')],          finds: [1] },
  { field: 'date', comparator: 'EQ',               operands: [at('2024-05-01T10:00Z')],    finds: [1] },
  { field: 'date', comparator: 'EQ',               operands: [at('2024-05-01')],           finds: [] },
  { field: 'date', comparator: 'GT',               operands: [day('2024-05-01')],          finds: [2] },
  { field: 'date', comparator: 'GE',               operands: [day('2024-05-01')],          finds: [1, 2] },
  { field: 'date', comparator: 'LT',               operands: [day('2024-05-02')],          finds: [1] },
  { field: 'date', comparator: 'LE',               operands: [day('2024-05-01')],          finds: [1] },
  { field: 'date', comparator: 'IN',               operands: [day('2024-05-02'), day('2020-01-01')], finds: [2] },
  { field: 'date', comparator: 'IS_EMPTY',         finds: [3, 4] },
  { field: 'date', comparator: 'LIKE',             operands: ['2024-05-01'],               finds: [1] },
  { field: 'date', comparator: 'TERM_STARTS_WITH', operands: ['2024'],                     finds: [1, 2] },
  { field: 'date', comparator: 'TERM_ENDS_WITH',   operands: ['10:00:00.000Z'],            finds: [1] },
  { field: 'date', comparator: 'TERM_WILDCARD',    operands: ['*-02t*'],                   finds: [2] },
  // Booleans
  { field: 'boolean', comparator: 'EQ',               operands: [true],        finds: [1] },
  { field: 'boolean', comparator: 'EQ',               operands: ['false'],     finds: [2] },
  { field: 'boolean', comparator: 'GT',               operands: [false],       finds: [1] },
  { field: 'boolean', comparator: 'GE',               operands: [false],       finds: [1, 2] },
  { field: 'boolean', comparator: 'LT',               operands: [true],        finds: [2] },
  { field: 'boolean', comparator: 'LE',               operands: [true],        finds: [1, 2] },
  { field: 'boolean', comparator: 'IN',               operands: [true, false], finds: [1, 2] },
  { field: 'boolean', comparator: 'IS_EMPTY',         finds: [3, 4] },
  { field: 'boolean', comparator: 'LIKE',             operands: ['tr'],        finds: [1] },
  { field: 'boolean', comparator: 'TERM_STARTS_WITH', operands: ['f'],         finds: [2] },
  { field: 'boolean', comparator: 'TERM_ENDS_WITH',   operands: ['e'],         finds: [1, 2] },
  { field: 'boolean', comparator: 'TERM_WILDCARD',    operands: ['?alse'],     finds: [2] },
  // An unknown field
  { field: 'unknown', comparator: 'EQ',       operands: ['x'], finds: [] },
  { field: 'unknown', comparator: 'IS_EMPTY', finds: [1, 2, 3, 4] },
]

const negations = Object.fromEntries(
  Object.entries(comparatorTests).flatMap(([name, { test: of, negated }]) =>
    negated
      ? [[Object.keys(comparatorTests).find((each) => comparatorTests[each as Comparator].test === of)!, name]]
      : [],
  ),
) as Partial<Record<Comparator, Comparator>>

const all = documents.map(({ id }) => id)
const rows = cases.flatMap((each): Case[] => {
  const negation = negations[each.comparator]
  return negation
    ? [each, { ...each, comparator: negation, finds: all.filter((id) => !each.finds.includes(id)) }]
    : [each]
})

const index = createIndex({ schema })
const oracle = createOracle(schema)

beforeAll(async () => {
  oracle.apply({ put: documents, remove: [] })
  await index.apply({ put: documents, remove: [] }, '1')
})

describe.each([
  ['the embedded engine', (query: LogicalQuery) => index.search(query)],
  ['the oracle', async (query: LogicalQuery) => oracle.search(query)],
])('%s', (_, search) => {
  test.each(rows)(
    '$field $comparator $operands ($locale, whole: $keyword) finds $finds',
    async ({ finds, ...predicate }) => {
      const { hits } = await search({
        predicate: { kind: 'field', operands: [], ...predicate },
        sort: [{ field: 'none' }],
        offset: 0,
        limit: 10,
      })
      expect(hits.map(({ id }) => id).sort()).toEqual(finds)
    },
  )
})

test('every comparator has a case on every type of field', () => {
  const types = new Map(schema.fields.map(({ name, type }) => [name, type]))
  const seen = new Set(rows.map(({ field, comparator }) => `${types.get(field)} ${comparator}`))
  const wanted = [...new Set(types.values())].flatMap((type) =>
    Object.keys(comparatorTests).map((each) => `${type} ${each}`),
  )
  expect(wanted.filter((each) => !seen.has(each))).toEqual([])
})
