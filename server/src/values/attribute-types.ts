/**
 * The types of attributes: everything that differs between them on the server, one row each. Nothing else asks for a type
 * by name, except for tables, which have columns instead of values.
 *
 * A value is stored as text. `read` brings every notation to one stored form, so that equal values are equal texts, and
 * replies and exports carry the stored form as it is.
 *
 *   type      sent                               stored
 *   text      as it is                           as it is
 *   ref       the tid of an object               as it is
 *   number    +01.50   1e3   -0                  1.5   1000   0
 *   date      2024-02-25   …T08:00+02:00         2024-02-25T00:00:00.000Z   UTC, in milliseconds
 *   boolean   TRUE   0                           true   false
 *   table     (its columns)                      see stored.ts
 *   identifier  4 006381 333931                  4006381333931           see identifiers.ts
 *   measure   1.50kg   15e-1 Kilogramm           1.5 kg                  see measures.ts
 *   price     $ 21.50; 19.99 EUR                 19.99 EUR; 21.5 USD    see prices.ts
 *   richtext  <b onclick=…>New</b><script>…       <strong>New</strong>   see richtext.ts
 *
 * Identifiers, measures and prices have a `format` in their definition. Their values are texts for clients that do not know them.
 *
 * To add a type, edit at most six source files:
 *
 *   1. contract/src/schema/words.ts                   the enumeration; OpenAPI, XSD, demo and console derive from it
 *   2. this file                                      the row (the compiler demands it)
 *   3. server/migrations/<next>.sql                   the CHECK constraints of attr_def and dam_attr_def (a test compares)
 *   4. console/src/areas/model/texts.ts, languages/   its name in every language (the compiler demands it)
 *   5. console/src/object/values/value-field.tsx      its editor; without one it is edited as a text
 *   6. console/src/areas/model/definition-form.tsx    the fields of its range or list, if it has any
 *
 * and add its samples to attribute-types.test.ts, which demands them. docs/openapi.json and server/migrations/schema.sql
 * are generated.
 */
import { type AttributeType, attributeTypes, type Infer, plainText, type ValueFormat } from '@kontor/contract'
import type { DocumentField, FieldScalar } from '../core/outbox/documents.ts'
import { readDate } from '../core/dates.ts'
import { identifierRules } from './identifiers.ts'
import { measureRules, toUnitSize } from './measures.ts'
import { compareNumbers, compareTexts, isWholeNumber, readNumber } from './numbers.ts'
import { priceRules } from './prices.ts'
import { isBlankRichtext, readRichtext, richtextHint } from './richtext.ts'

/** The `format` of a definition. */
export type Format = Infer<typeof ValueFormat>

/** The stored form of a text, or undefined if the text is not a value of the type. */
type ReadScalar = (text: string) => string | undefined

export interface ScalarRules {
  readonly read: ReadScalar
  /** A description for error messages: "… is not a number such as 12.5". */
  readonly expected: string
  /** Whether a text removes the value, as an empty one does. */
  readonly isBlank?: (text: string) => boolean
  /** The reason why a text is wrong, or the remedy. */
  readonly hint?: (text: string) => string | undefined
  /** The reason for which a text is refused; absent for types that take every text. */
  readonly refusal?: 'notNumber' | 'notDate' | 'notBoolean'
  /** The order of stored values. Only types that have one may have a range. */
  readonly compare?: (a: string, b: string) => number
  /** For ranges with intOnly: whether a stored value is whole. */
  readonly isWhole?: (stored: string) => boolean
  /** The search field that its values become. */
  readonly field: {
    readonly type: DocumentField['type']
    readonly toField: (stored: string) => FieldScalar
    readonly units?: DocumentField['units']
    /** text: searched by words only. */
    readonly isLong?: true
  }
  /** Instead of one search field: one for each part of a value, by its name. */
  readonly parts?: ReadonlyMap<string, (stored: string) => FieldScalar | undefined>
}

export interface TypeRules {
  /** Rules for a single value. A table has none: its columns are attributes of their own. */
  readonly scalar?: (format: Format) => ScalarRules
  /** The fields of `format` that definitions of the type have. */
  readonly format?: readonly (keyof Format)[]
  /** Other words for the type that messages may use. */
  readonly synonyms?: readonly string[]
  /** Whether a definition may have a list of values. */
  readonly allowsList: boolean
  /** Whether a definition may have a pattern and bounds of the length. */
  readonly allowsValidation: boolean
  /** Whether replies name the type beside each value. Clients take a value without a type for a text. */
  readonly isNamed: boolean
}

const asItIs = (text: string) => text
const always = (rules: ScalarRules) => () => rules
const booleans = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['1', 'true'],
  ['0', 'false'],
])

export const typeRules: Readonly<Record<AttributeType, TypeRules>> = {
  text: {
    scalar: always({ read: asItIs, expected: 'a text', field: { type: 'text', toField: asItIs } }),
    synonyms: ['string'],
    allowsList: true,
    allowsValidation: true,
    isNamed: false,
  },
  ref: {
    scalar: always({ read: asItIs, expected: 'the tid of an object', field: { type: 'keyword', toField: asItIs } }),
    allowsList: true,
    allowsValidation: false,
    isNamed: false,
  },
  number: {
    scalar: always({
      read: readNumber,
      expected: 'a number such as 12.5',
      refusal: 'notNumber',
      compare: compareNumbers,
      isWhole: isWholeNumber,
      field: { type: 'number', toField: Number },
    }),
    synonyms: ['real'],
    allowsList: true,
    allowsValidation: false,
    isNamed: true,
  },
  date: {
    scalar: always({
      read: readDate,
      expected: 'a date such as 2024-02-25 or 2024-02-25T08:00:00.000Z',
      refusal: 'notDate',
      compare: compareTexts,
      field: { type: 'date', toField: Date.parse },
    }),
    allowsList: true,
    allowsValidation: false,
    isNamed: true,
  },
  boolean: {
    scalar: always({
      read: (text) => booleans.get(text) ?? booleans.get(text.trim().toLowerCase()),
      expected: 'true or false',
      refusal: 'notBoolean',
      field: { type: 'boolean', toField: (stored) => stored === 'true' },
    }),
    allowsList: false,
    allowsValidation: false,
    isNamed: true,
  },
  table: { allowsList: false, allowsValidation: false, isNamed: true },
  identifier: {
    scalar: ({ scheme }) => ({ ...identifierRules(scheme), field: { type: 'keyword', toField: asItIs } }),
    format: ['scheme', 'unique'],
    allowsList: false,
    allowsValidation: true,
    isNamed: false,
  },
  price: {
    scalar: ({ unit = [] }) => {
      const { amountIn, codes, ...rules } = priceRules(unit)
      const parts = new Map(codes.map((code) => [code, amountIn(code)]))
      return { ...rules, field: { type: 'number', toField: Number }, parts }
    },
    format: ['unit'],
    allowsList: false,
    allowsValidation: false,
    isNamed: false,
  },
  richtext: {
    scalar: always({
      read: readRichtext,
      expected: 'formatted text (HTML) with something to read',
      hint: richtextHint,
      isBlank: isBlankRichtext,
      field: { type: 'text', toField: plainText, isLong: true },
    }),
    allowsList: false,
    allowsValidation: false,
    isNamed: false,
  },
  measure: {
    scalar: ({ unit = [] }) => {
      const { baseOf, ...rules } = measureRules(unit)
      return { ...rules, field: { type: 'number', toField: baseOf, units: unit.map(toUnitSize) } }
    },
    format: ['family', 'unit'],
    allowsList: false,
    allowsValidation: false,
    isNamed: false,
  },
}

const byWord = new Map<string, AttributeType>(
  attributeTypes.flatMap((type) => [type, ...(typeRules[type].synonyms ?? [])].map((word) => [word, type] as const)),
)
/** The type that a word of a message means; case does not matter. */
export const attributeTypeOf = (word: string): AttributeType | undefined => byWord.get(word.trim().toLowerCase())

const noFormat: Format = {}
/** The rules for single values of a definition; undefined for a table. */
export const scalarOf = (type: AttributeType, format: Format = noFormat): ScalarRules | undefined =>
  typeRules[type].scalar?.(format)

/** The types that have a property, for error messages: "number or date". */
export const typesWhere = (has: (rules: TypeRules, scalar: ScalarRules | undefined) => unknown): string =>
  attributeTypes.filter((type) => has(typeRules[type], scalarOf(type))).join(' or ')
