/**
 * The rule for the values of one attribute, compiled once so that thousands of values are checked fast.
 *
 * A rule is made from a definition, or from a definition as a classification node narrows it. Nothing here knows where
 * definitions are stored, so every area can use it with its own.
 */
import { type AttributeType, because, ShortHead } from '@kontor/contract'
import type { Right } from '../core/access/permissions.ts'
import { type Message, Problem } from '../errors.ts'
import { type ScalarRules, scalarOf, typeRules } from './attribute-types.ts'
import type { Definition, Domain, Range, Validation } from './definition.ts'
import type { Default } from './definition-parts.ts'
import type { Names } from './definition-row.ts'
import type { ValMessage } from './stored.ts'

/** The part of a definition that decides about values. */
export type Constraints = Omit<Definition, 'id' | 'required' | 'row'>

export interface ValueRule {
  /** Identifier of the attribute; of a column, with that of its table in front: `sizes/width`. */
  readonly key: string
  readonly attr: string
  /** The table that the attribute is a column of. Its values are rows, of which some may be empty. */
  readonly table?: string
  /** The fields that every value of the attribute has in replies. */
  readonly head: ShortHead
  readonly dataType: AttributeType
  readonly localized: boolean
  readonly multiple: boolean
  /** The largest number of values, or of rows. */
  readonly cardinality: number
  readonly domain: DomainRule | undefined
  /** The columns of a table. */
  readonly columns?: readonly string[]
  /** Why values cannot be changed, if they cannot. */
  readonly frozen?: Message
  /** The rights of the caller on the value in a locale; absent for callers with all rights. */
  readonly inLocale?: (locale: string) => Right
  /** The stored form of a text. Throws a Problem that explains what is wrong with the text. */
  readonly read: (text: string) => string
  /** Whether a text removes the value, as an empty one does. */
  readonly isBlank?: ((text: string) => boolean) | undefined
}

/** A list of values, each with its label per locale; a value is stored by its key alone. */
export interface DomainRule {
  readonly labels: ReadonlyMap<string, Labels>
  /** Keys by label, for senders that know only labels. */
  readonly byLabel: ReadonlyMap<string, string>
  /** Whether other values are allowed too. */
  readonly open: boolean
}
export interface Labels {
  readonly any: string
  readonly byLocale: Names
}

export function toRule(constraints: Constraints): ValueRule {
  return withHead(ruleOf(constraints))
}

function ruleOf(constraints: Constraints): Omit<ValueRule, 'head'> {
  const { tid: attr, type: dataType, localized, multi: multiple, cardinality = Infinity, domain, columns } = constraints
  const scalar = scalarOf(dataType, constraints.format)
  return {
    key: attr,
    attr,
    dataType,
    localized,
    multiple,
    cardinality,
    domain: domain && toDomainRule(domain),
    ...(!scalar && { columns }),
    ...(scalar?.isBlank && { isBlank: scalar.isBlank }),
    read: scalar ? reader(scalar, constraints) : () => refuse(`is a table; send its columns, each with parent ${attr}`),
  }
}

/** Refuses a default value that could not be stored as a value of the attribute. */
export function checkDefaultFits(constraints: Constraints, { itm = [] }: Default): void {
  const { cardinality, domain, multiple, read } = toRule(constraints)
  const most = multiple ? cardinality : 1
  for (const [loc = '', items] of Map.groupBy(itm, (item) => item.loc)) {
    if (items.length > most)
      refuse(`defaultVal: ${items.length} values${loc && ` in ${loc}`}, but the attribute takes at most ${most}`)
  }
  if (domain) return
  for (const { value = '' } of itm) {
    try {
      read(value)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      refuse(`defaultVal: ${error.message}`)
    }
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
/** The rules of a set of definitions by key: of every attribute, then of every column of a table. */
export function toRules(definitions: readonly Definition[]): ReadonlyMap<string, ValueRule> {
  const rules = new Map(definitions.map((definition) => [definition.tid, toRule(definition)]))
  for (const { tid: table, columns } of definitions) {
    for (const column of columns) {
      const rule = rules.get(column)
      if (rule) rules.set(columnKey(table, column), toColumn(rules.get(table)!, rule))
    }
  }
  return rules
}

export const columnKey = (table: string, column: string) => `${table}/${column}`
/** The key of a value: its attribute, or table and column. */
export const keyOf = ({ attr = '', parent }: Pick<ValMessage, 'attr' | 'parent'>) =>
  parent === undefined ? attr : columnKey(parent, attr)

function withHead(rule: Omit<ValueRule, 'head'>): ValueRule {
  const type = typeOf(rule)
  const head = new ShortHead({
    attr: rule.attr,
    ...(type !== undefined && { type }),
    ...(rule.table !== undefined && { parent: rule.table }),
    ...(typeRules[rule.dataType].isNamed && { dataType: rule.dataType }),
  })
  return { ...rule, head }
}

/** A val without a type is `simple`. */
function typeOf({
  localized,
  multiple,
  domain,
}: Pick<ValueRule, 'localized' | 'multiple' | 'domain'>): ValMessage['type'] {
  if (domain) return localized ? (multiple ? 'multi_loc_domain' : 'loc_domain') : multiple ? 'multi_domain' : 'domain'
  return localized ? (multiple ? 'multi_loc' : 'localized') : multiple ? 'multiple' : undefined
}

export function refuse(message: Message): never {
  throw new Problem('invalid', message)
}

function toDomainRule({ values, allowNewValue }: Domain): DomainRule {
  const labels = new Map<string, Labels>()
  const byLabel = new Map<string, string>()
  for (const [key, texts] of values) {
    labels.set(key, { any: texts[''] ?? Object.values(texts)[0] ?? key, byLocale: texts })
    for (const label of Object.values(texts)) if (!byLabel.has(label)) byLabel.set(label, key)
  }
  return { labels, byLabel, open: allowNewValue }
}

type Check = (text: string) => void

function reader(scalar: ScalarRules, { validation, range }: Constraints): (text: string) => string {
  const { read, refusal, expected, hint } = scalar
  const checks = [...textChecks(validation), ...rangeChecks(scalar, range)]
  const refuseText = (text: string) => {
    if (refusal) return refuse(because(refusal, { value: quoted(text) }))
    const more = hint?.(text)
    return refuse(`${quoted(text)} is not ${expected}${more === undefined ? '' : `; ${more}`}`)
  }
  return (text) => {
    const stored = read(text) ?? refuseText(text)
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
      if (length < minLength) refuse(because('tooShort', { value: quoted(text), length, min: minLength }))
      if (length > maxLength) refuse(because('tooLong', { value: quoted(text), length, max: maxLength }))
      if (!validation.matches(text)) refuse(because('notMatching', { value: quoted(text), pattern: pattern ?? '' }))
    },
  ]
}
/** Without surrogate pairs, each of which counts as one character. */
const isPlain = /^[^\ud800-\udfff]*$/

function rangeChecks({ read, compare, isWhole }: ScalarRules, range: Range | undefined): Check[] {
  if (!range || !compare) return []
  const [from, to] = [range.from, range.to].map((bound) => (bound === undefined ? undefined : read(bound)))
  return [
    (text) => {
      if (range.intOnly && isWhole?.(text) === false) refuse(because('notWhole', { value: text }))
      if (from !== undefined && compare(text, from) < 0) refuse(because('belowMinimum', { value: text, min: from }))
      if (to !== undefined && compare(text, to) > 0) refuse(because('aboveMaximum', { value: text, max: to }))
    },
  ]
}

/** A text in quotation marks, shortened, for error messages. */
export const quoted = (text: string) => `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`
