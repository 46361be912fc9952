/** Random documents and queries for the conformance tests, from few words and values, so that many of them match. */
import * as fc from 'fast-check'
import { comparatorTests } from './comparators.ts'
import type {
  Comparator,
  FacetRequest,
  FieldDefinition,
  IndexSchema,
  LogicalQuery,
  Operand,
  Predicate,
  Scalar,
  SearchDocument,
  SortKey,
} from './port.ts'

// prettier-ignore
export const schema: IndexSchema = {
  locales: ['de_DE', 'en_GB', 'fr_FR'],
  defaultLocale: 'en_GB',
  fields: [
    { name: 'name',     type: 'text', localized: true, weight: 3 },
    { name: 'body',     type: 'text', localized: true, weight: 1, long: true },
    { name: 'note',     type: 'text' },
    { name: 'sku',      type: 'keyword', weight: 10 },
    { name: 'colour',   type: 'keyword' },
    { name: 'label',    type: 'keyword', localized: true },
    { name: 'category', type: 'keyword', path: true },
    { name: 'price',    type: 'number' },
    { name: 'rate',     type: 'number', localized: true },
    { name: 'changed',  type: 'date' },
    { name: 'active',   type: 'boolean' },
  ],
}

const words = [
  'Schuh',
  'Schuhe',
  'Damenschuhe',
  'Größe',
  'groesse',
  'rot',
  'ROT',
  'l’eau',
  'été',
  'AB-12/5',
  'AB125',
  '9 mm',
  '10 mm',
  'M8x20',
  '1,5',
  'größer',
  'x',
  'shoes',
  'shoe',
  'a/b',
]
const word = fc.constantFrom(...words)
const phrase = fc.array(word, { minLength: 1, maxLength: 4 }).map((some) => some.join(' '))
const path = fc
  .array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom('a', 'b', 'c') }, fc.constantFrom('', ' ', 'A', 'ä')), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.join('/'))
const extreme = fc.constantFrom(0, -0, 5e-324, 1.7e308, -1.7e308, 2 ** 53, 2 ** 53 + 2, 8.64e15, 8.64e15 + 1, -8.64e15)
const number = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -3, max: 12 }) },
  { weight: 4, arbitrary: fc.constantFrom(0.5, 1.25, 1e9, -1e-3) },
  { weight: 1, arbitrary: extreme },
)
const day = 86_400_000
const date = fc.integer({ min: 0, max: 6 }).map((days) => 1_700_000_000_000 + days * (day / 3))
/** Lone surrogates, NUL, letters that fold to another length or to nothing, and differences beyond the compared length. */
const odds = [
  '',
  ' ',
  'Ærø',
  '…',
  '𝒳',
  'é',
  'é',
  'ZZ"top',
  ' rot ',
  'ro\0t',
  'ro\ud835t',
  '\udcb3',
  '\uffffrot',
  '\u0301',
  'İ',
  'ﬁ',
  'ẞ',
]
const longOdds = ['x', 'y', '𝒳'].map((last) => `${'lang'.repeat(127)}abc${last}${last}`)
const odd = fc.constantFrom(...odds, ...longOdds)

const valueOf: Record<FieldDefinition['type'], (field: FieldDefinition) => fc.Arbitrary<Scalar>> = {
  text: () => fc.oneof({ weight: 6, arbitrary: phrase }, { weight: 1, arbitrary: odd }),
  keyword: (field) => (field.path ? path : fc.oneof({ weight: 6, arbitrary: word }, { weight: 1, arbitrary: odd })),
  number: () => fc.oneof({ weight: 9, arbitrary: number }, fc.constantFrom(NaN, Infinity, -Infinity)),
  date: () => fc.oneof({ weight: 9, arbitrary: date }, extreme),
  boolean: () => fc.boolean(),
}

const valuesOf = (field: FieldDefinition) =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 3, arbitrary: fc.array(valueOf[field.type](field), { maxLength: 3 }) },
  )

const fieldValues = (field: FieldDefinition) =>
  fc.array(valuesOf(field), { minLength: field.localized ? 3 : 1, maxLength: field.localized ? 3 : 1 }).map((lists) => {
    return new Map(lists.map((values, i) => [field.localized ? schema.locales[i]! : '', values]))
  })

export const document = (id: fc.Arbitrary<number>): fc.Arbitrary<SearchDocument> =>
  fc.tuple(id, ...schema.fields.map(fieldValues)).map(([number, ...values]) => ({
    id: number,
    fields: new Map(schema.fields.map(({ name }, i) => [name, values[i]!])),
  }))

const locale = fc.option(fc.constantFrom('de_DE', 'en_GB', 'fr_FR', 'de_AT', 'sv_SE'), { nil: undefined })
const field = fc.constantFrom(...schema.fields)
const pattern = fc
  .array(fc.constantFrom('*', '?', '𝒳', 's', 'sch', 'r', 'o', 'a', '1', 'uh'), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''))

function operandOf({ type, path: isPath }: FieldDefinition, comparator: Comparator): fc.Arbitrary<Operand> {
  const { test } = comparatorTests[comparator]
  if (test === 'wildcard') return pattern
  const part = fc.constantFrom('', '\ud835', ...'s e oe oesse sch uhe r a 1 5 mm tr 2023 z lang'.split(' '))
  if (test === 'starts' || test === 'ends') return fc.oneof(part, word)
  if (test === 'like') return fc.oneof(part, phrase, odd)
  if (type === 'number') return number
  if (type === 'date')
    return fc.oneof(
      date,
      extreme,
      date.map((time) => ({ from: time - (time % day), to: time - (time % day) + day })),
    )
  if (type === 'boolean') return fc.boolean()
  return isPath ? path : fc.oneof(phrase, word, odd)
}

const fieldPredicate: fc.Arbitrary<Predicate> = fc
  .tuple(field, fc.constantFrom(...(Object.keys(comparatorTests) as Comparator[])), locale, fc.boolean())
  .chain(([of, comparator, language, keyword]) =>
    fc
      .array(operandOf(of, comparator), { minLength: 1, maxLength: comparatorTests[comparator].test === 'in' ? 4 : 1 })
      .map((operands): Predicate => ({
        kind: 'field',
        field: of.name,
        comparator,
        operands,
        keyword,
        locale: language,
      })),
  )

const quoted = fc.oneof({ weight: 3, arbitrary: phrase }, { weight: 1, arbitrary: phrase.map((text) => `"${text}"`) })
const some = <T>(values: readonly T[]) => fc.option(fc.subarray([...values]), { nil: undefined, freq: 2 })
const textPredicate: fc.Arbitrary<Predicate> = fc
  .record({
    texts: fc.array(quoted, { minLength: 1, maxLength: 2 }),
    locale,
    fields: some(['name', 'body', 'sku']),
    locales: some(schema.locales),
  })
  .map(({ texts, ...where }) => ({ kind: 'text', text: texts.join(' '), ...where }))

export const predicate = fc.letrec<{ tree: Predicate }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    { weight: 6, arbitrary: fieldPredicate },
    { weight: 3, arbitrary: textPredicate },
    { weight: 1, arbitrary: fc.constant({ kind: 'all' as const }) },
    {
      weight: 1,
      arbitrary: fc
        .array(fc.integer({ min: 1, max: 30 }), { maxLength: 8 })
        .map((ids) => ({ kind: 'ids' as const, ids })),
    },
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom('and' as const, 'or' as const), fc.array(tie('tree'), { maxLength: 3 }))
        .map(([kind, of]) => ({ kind, of })),
    },
    { weight: 2, arbitrary: tie('tree').map((of) => ({ kind: 'not' as const, of })) },
  ),
})).tree

const sortKey: fc.Arbitrary<SortKey> = fc
  .tuple(fc.constantFrom(...schema.fields.filter(({ long }) => !long)), fc.boolean(), locale)
  .map(([of, descending, language]) => ({ field: of.name, descending, locale: language }))

const facet: fc.Arbitrary<FacetRequest> = fc
  .tuple(field, locale, fc.integer({ min: 1, max: 5 }), fc.boolean(), fc.boolean(), fc.option(fieldPredicate))
  .map(([of, language, limit, countEmpty, fixed, within]) => ({
    field: of.name,
    locale: language,
    limit,
    countEmpty,
    ...(within ? { within } : {}),
    ...(fixed ? { ranges: [{ to: 1 }, { from: 1, to: 5 }, { from: 3 }] } : {}),
  }))

export const query: fc.Arbitrary<LogicalQuery> = fc.record({
  predicate,
  sort: fc.array(sortKey, { minLength: 1, maxLength: 2 }),
  offset: fc.integer({ min: 0, max: 6 }),
  limit: fc.integer({ min: 0, max: 12 }),
  facets: fc.array(facet, { maxLength: 3 }),
})

export type Step =
  | { do: 'apply'; put: SearchDocument[]; remove: number[] }
  | { do: 'seal' }
  | { do: 'maintain' }
  | { do: 'search'; query: LogicalQuery }

const id = fc.integer({ min: 1, max: 30 })
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('apply' as const),
      put: fc.array(document(id), { maxLength: 6 }),
      remove: fc.array(id, { maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'seal' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'maintain' as const }) },
  { weight: 8, arbitrary: query.map((each) => ({ do: 'search' as const, query: each })) },
)
