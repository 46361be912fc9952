/** Attribute definitions and lists of values as the rest of the PIM area uses them: parsed from what was sent. */
import { attributeTypes, type DomainRange, type DomainVals, type Infer } from '@kontor/contract'
import { type AttributeType, type DefinitionRow, type Names } from './definition-row.ts'
import { compilePattern } from './pattern.ts'

/** The values a list allows, in the list's order. */
export interface Domain {
  /** Labels per locale by key; the label under '' has no locale. */
  readonly values: ReadonlyMap<string, Names>
  /** Whether users may add values. */
  readonly allowNewValue: boolean
}

export interface Range {
  /** Numbers or dates as text, by the type of the attribute; open where absent. */
  readonly from?: string
  readonly to?: string
  readonly intOnly: boolean
}

export interface Validation {
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  /** Whether the whole text matches the pattern; true without one. */
  matches(text: string): boolean
}

export interface Definition {
  readonly id: number
  readonly tid: string
  readonly type: AttributeType
  /** Whether there is a value per locale. */
  readonly localized: boolean
  /** Whether there is a list of values, and the longest it may be. */
  readonly multi: boolean
  readonly cardinality: number | undefined
  readonly required: 'optional' | 'required' | 'requiredInAllLanguages'
  readonly domain: Domain | undefined
  readonly range: Range | undefined
  readonly validation: Validation | undefined
  /** The tids of a table's columns, in their order. */
  readonly columns: readonly string[]
  readonly row: DefinitionRow
}

/** Other words for the same type. */
const synonyms = new Map<string, AttributeType>([
  ['string', 'text'],
  ['real', 'number'],
])
export function attributeTypeOf(word: string): AttributeType | undefined {
  const plain = word.trim().toLowerCase()
  return attributeTypes.find((type) => type === plain) ?? synonyms.get(plain)
}

export function toDefinition(row: DefinitionRow): Definition {
  const { required = 'optional', multiValued, domainVals, domainRange, validation, references } = row.definition
  return {
    id: row.id,
    tid: row.tid,
    type: row.type,
    localized: row.localized,
    multi: row.multi,
    // A table has rows by nature; of a table the cardinality bounds these.
    cardinality: row.multi || row.type === 'table' ? multiValued?.cardinality : 1,
    required,
    domain: toDomain(domainVals),
    range: toRange(domainRange),
    validation: validation && toValidation(row.tid, validation),
    columns: (references?.itm ?? []).flatMap(({ key, value }) => value ?? key ?? []),
    row,
  }
}

export function toDomain(sent: Infer<typeof DomainVals> | null | undefined): Domain | undefined {
  if (!sent) return undefined
  const values = new Map((sent.domainVal ?? []).map(({ tid, itm }) => [tid, toNames(itm)]))
  const allowNewValue = sent.allowNewValue === 'true'
  return values.size > 0 || allowNewValue ? { values, allowNewValue } : undefined
}

export const toNames = (items: readonly { loc?: string; value?: string }[] = []): Names =>
  Object.fromEntries(items.flatMap(({ loc = '', value }) => (value === undefined ? [] : [[loc, value]])))

export const toItems = (names: Names) =>
  Object.entries(names).map(([loc, value]) => (loc === '' ? { value } : { value, loc }))

export function toRange(sent: Infer<typeof DomainRange> | null | undefined): Range | undefined {
  if (!sent) return undefined
  const { from, to, intOnly } = sent
  if (from === undefined && to === undefined && intOnly !== 'true') return undefined
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }), intOnly: intOnly === 'true' }
}

function toValidation(tid: string, sent: { type?: string; minLength?: number; maxLength?: number }): Validation {
  const { type: pattern, minLength, maxLength } = sent
  let test: ((text: string) => boolean) | undefined
  return {
    ...(pattern !== undefined && { pattern }),
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    matches(text) {
      if (pattern === undefined) return true
      test ??= compilePattern(`validation of ${tid}`, pattern) // most definitions of a model are never asked
      return test(text)
    },
  }
}
