/**
 * What the values of one attribute may be, made ready once so that thousands of values are judged fast.
 *
 * A rule is made of what a definition says, or of what is left of it at a classification node. Nothing here knows where
 * definitions are kept, so that every area can use it with its own.
 */
import { ShortHead } from '@kontor/contract'
import { Problem } from '../errors.ts'
import { compareNumbers, compareTexts, type DataType, type ReadScalar, scalars } from './scalars.ts'
import type { ValMessage } from './stored.ts'

/** What is said of an attribute; a parsed definition is one. */
export interface Constraints {
  readonly tid: string
  readonly type: DataType
  /** Whether there is a value per locale. */
  readonly localized: boolean
  /** Whether there is a list of values, and the longest it may be. */
  readonly multi: boolean
  readonly cardinality: number | undefined
  readonly domain: { readonly values: ReadonlyMap<string, Texts>; readonly allowNewValue: boolean } | undefined
  readonly range: Range | undefined
  readonly validation: Validation | undefined
  /** The columns of a table. */
  readonly columns: readonly string[]
}
/** A text per locale; the one under '' has none. */
type Texts = Readonly<Record<string, string>>
interface Range {
  readonly from?: string
  readonly to?: string
  readonly intOnly: boolean
}
interface Validation {
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  matches(text: string): boolean
}

export interface ValueRule {
  /** Identifier of the attribute; of a column, with that of its table in front: `sizes/width`. */
  readonly key: string
  readonly attr: string
  /** The table that the attribute is a column of. Its values stand in rows, of which some may be empty. */
  readonly table?: string
  /** What every value of the attribute says of it when it is shown. */
  readonly head: ShortHead
  readonly dataType: DataType
  readonly localized: boolean
  readonly multiple: boolean
  /** The largest number of values, or of rows. */
  readonly cardinality: number
  readonly domain: Domain | undefined
  /** Of a table: its columns. */
  readonly columns?: readonly string[]
  /** Why values cannot be changed, if they cannot. */
  readonly frozen?: string
  /** The stored form of a text. Throws a Problem that says what is wrong with it. */
  readonly read: (text: string) => string
}

/** A list of values, each with its label per locale; a value is stored by its key alone. */
export interface Domain {
  readonly labels: ReadonlyMap<string, Labels>
  /** Keys by label, for senders that know only what people see. */
  readonly byLabel: ReadonlyMap<string, string>
  /** Whether other values are allowed too. */
  readonly open: boolean
}
export interface Labels {
  readonly any: string
  readonly byLocale: Texts
}

export function toRule(constraints: Constraints): ValueRule {
  return withHead(ruleOf(constraints))
}

function ruleOf(constraints: Constraints): Omit<ValueRule, 'head'> {
  const { tid: attr, type: dataType, localized, multi: multiple, cardinality = Infinity, domain, columns } = constraints
  return {
    key: attr,
    attr,
    dataType,
    localized,
    multiple,
    cardinality,
    domain: domain && toDomain(domain),
    ...(dataType === 'table' && { columns }),
    read:
      dataType === 'table'
        ? () => refuse(`is a table; send its columns, each with parent ${attr}`)
        : reader(dataType, constraints),
  }
}

/** The rule of a table's column: a list of its own type, by rows. */
export const toColumn = (table: ValueRule, column: ValueRule): ValueRule =>
  withHead({
    ...column,
    key: columnKey(table.attr, column.attr),
    table: table.attr,
    multiple: true,
    cardinality: table.cardinality,
  })
export const columnKey = (table: string, column: string) => `${table}/${column}`

function withHead(rule: Omit<ValueRule, 'head'>): ValueRule {
  const type = typeOf(rule)
  const isSaid = rule.dataType !== 'text' && rule.dataType !== 'ref'
  const head = new ShortHead({
    attr: rule.attr,
    ...(type !== undefined && { type }),
    ...(rule.table !== undefined && { parent: rule.table }),
    ...(isSaid && { dataType: rule.dataType }),
  })
  return { ...rule, head }
}

/** `simple` is what a val without a type is. */
function typeOf({
  localized,
  multiple,
  domain,
}: Pick<ValueRule, 'localized' | 'multiple' | 'domain'>): ValMessage['type'] {
  if (domain) return localized ? (multiple ? 'multi_loc_domain' : 'loc_domain') : multiple ? 'multi_domain' : 'domain'
  return localized ? (multiple ? 'multi_loc' : 'localized') : multiple ? 'multiple' : undefined
}

export function refuse(sentence: string): never {
  throw new Problem('invalid', sentence)
}

function toDomain({ values, allowNewValue }: NonNullable<Constraints['domain']>): Domain {
  const labels = new Map<string, Labels>()
  const byLabel = new Map<string, string>()
  for (const [key, texts] of values) {
    labels.set(key, { any: texts[''] ?? Object.values(texts)[0] ?? key, byLocale: texts })
    for (const label of Object.values(texts)) if (!byLabel.has(label)) byLabel.set(label, key)
  }
  return { labels, byLabel, open: allowNewValue }
}

type Check = (text: string) => void

function reader(dataType: Exclude<DataType, 'table'>, { validation, range }: Constraints): (text: string) => string {
  const { read, expected } = scalars[dataType]
  const checks = [...textChecks(validation), ...rangeChecks(dataType, read, range)]
  return (text) => {
    const stored = read(text) ?? refuse(`${quoted(text)} is not ${expected}`)
    for (const check of checks) check(stored)
    return stored
  }
}

function textChecks(validation: Validation | undefined): Check[] {
  if (!validation) return []
  const { pattern, minLength = 0, maxLength = Infinity } = validation
  return [
    (text) => {
      const { length } = isPlain.test(text) ? text : [...text]
      if (length < minLength) refuse(`${quoted(text)} has ${length} characters; at least ${minLength} are needed`)
      if (length > maxLength) refuse(`${quoted(text)} has ${length} characters; at most ${maxLength} are allowed`)
      if (!validation.matches(text)) refuse(`${quoted(text)} does not match ${pattern}`)
    },
  ]
}
/** Without surrogate pairs, which are one character each. */
const isPlain = /^[^\ud800-\udfff]*$/

function rangeChecks(dataType: DataType, read: ReadScalar, range: Range | undefined): Check[] {
  if (!range || (dataType !== 'number' && dataType !== 'date')) return []
  const compare = dataType === 'number' ? compareNumbers : compareTexts
  const [from, to] = [range.from, range.to].map((bound) => (bound === undefined ? undefined : read(bound)))
  const whole = dataType === 'number' && range.intOnly
  return [
    (text) => {
      if (whole && text.includes('.')) refuse(`${text} is not a whole number`)
      if (from !== undefined && compare(text, from) < 0) refuse(`${text} is below ${from}, the least value allowed`)
      if (to !== undefined && compare(text, to) > 0) refuse(`${text} is above ${to}, the largest value allowed`)
    },
  ]
}

/** A text as a sentence quotes it. */
export const quoted = (text: string) => `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`
