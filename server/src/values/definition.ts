/** Attribute definitions, parsed from their rows. Rules for values are built from them. */
import type { AttributeType, DomainRange, DomainVals, Infer } from '@kontor/contract'
import { type Format, typeRules } from './attribute-types.ts'
import type { DefinitionRow, Names } from './definition-row.ts'
import { compilePattern } from './pattern.ts'

/** The values of a list, in the list's order. */
export interface Domain {
  /** Labels per locale by key; the label under '' has no locale. */
  readonly values: ReadonlyMap<string, Names>
  /** Whether users may add values. */
  readonly allowNewValue: boolean
}

export interface Range {
  /** In stored form, by the type of the attribute; without a bound the range is open. */
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
  /** Whether there is a list of values. */
  readonly multi: boolean
  /** The largest number of values, or of rows of a table; undefined for any number. */
  readonly cardinality: number | undefined
  readonly required: 'optional' | 'required' | 'requiredInAllLanguages'
  readonly domain: Domain | undefined
  readonly range: Range | undefined
  readonly validation: Validation | undefined
  /** Of identifiers and measures. */
  readonly format: Format | undefined
  /** The tids of a table's columns, in their order. */
  readonly columns: readonly string[]
  readonly row: DefinitionRow
}

export function toDefinition(row: DefinitionRow): Definition {
  const { required = 'optional', multiValued, domainVals, domainRange, validation, references, format } = row.definition
  const isTable = !typeRules[row.type].scalar
  return {
    id: row.id,
    tid: row.tid,
    type: row.type,
    localized: row.localized,
    multi: row.multi,
    cardinality: row.multi || isTable ? multiValued?.cardinality : 1,
    required,
    domain: toDomain(domainVals),
    range: toRange(domainRange),
    validation: validation && toValidation(row.tid, validation),
    format,
    columns: (references?.itm ?? []).flatMap(({ key, value }) => value ?? key ?? []),
    row,
  }
}

export function toDomain(stored: Infer<typeof DomainVals> | null | undefined): Domain | undefined {
  if (!stored) return undefined
  const values = new Map((stored.domainVal ?? []).map(({ tid, itm }) => [tid, toNames(itm)]))
  const allowNewValue = stored.allowNewValue === 'true'
  return values.size > 0 || allowNewValue ? { values, allowNewValue } : undefined
}

export const toNames = (items: readonly { loc?: string; value?: string }[] = []): Names =>
  Object.fromEntries(items.flatMap(({ loc = '', value }) => (value === undefined ? [] : [[loc, value]])))

export const toItems = (names: Names) =>
  Object.entries(names).map(([loc, value]) => (loc === '' ? { value } : { value, loc }))

export function toRange(stored: Infer<typeof DomainRange> | null | undefined): Range | undefined {
  if (!stored) return undefined
  const { from, to, intOnly } = stored
  if (from === undefined && to === undefined && intOnly !== 'true') return undefined
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }), intOnly: intOnly === 'true' }
}

function toValidation(tid: string, stored: { type?: string; minLength?: number; maxLength?: number }): Validation {
  const { type: pattern, minLength, maxLength } = stored
  let test: ((text: string) => boolean) | undefined
  return {
    ...(pattern !== undefined && { pattern }),
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    matches(text) {
      if (pattern === undefined) return true
      test ??= compilePattern(`validation of ${tid}`, pattern) // compiled on first use: most definitions are never tested
      return test(text)
    },
  }
}
