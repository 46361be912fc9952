/** Attribute definitions, as far as operations need them. */
import type { DomainVal, FormatUnit, Infer, UnitSize } from '@kontor/contract'

export interface Definition {
  readonly tid: string
  readonly type?: string
  readonly localized?: string
  readonly multiValued?: { readonly value?: string }
  readonly format?: { readonly unit?: readonly Infer<typeof FormatUnit>[]; readonly family?: string }
  readonly domainVals?: { readonly domainVal?: readonly DomainValue[] }
}
type DomainValue = Pick<Infer<typeof DomainVal>, 'tid' | 'itm'>

export const typeOf = ({ type = 'text' }: Definition) => type
export const isOf = (definition: Definition, ...types: readonly string[]) => types.includes(typeOf(definition))
export const isLocalized = ({ localized }: Definition) => localized === 'true'
export const isList = ({ multiValued }: Definition) => multiValued?.value === 'true'

/** A unit or currency of the attribute, by its code. */
export function unitOf({ format }: Definition, code: string): UnitSize | undefined {
  const unit = format?.unit?.find((one) => one.code === code)
  return unit && { code, factor: Number(unit.factor ?? 1), ...(unit.offset && { offset: Number(unit.offset) }) }
}

export const isDomain = ({ domainVals }: Definition) => domainVals !== undefined

/**
 * The labels of domain values in a locale, or those of a list without locales. An object is read with labels of any locale,
 * and an earlier operation may have written keys.
 */
export function labelsIn(
  definition: Definition,
  locale: string | undefined,
  texts: readonly string[],
  labels: readonly string[],
) {
  if (!isDomain(definition)) return labels
  const known = valuesByText(definition)
  return texts.map((text, i) => {
    const value = known.get(text)
    return value ? labelIn(value, locale, labels[i] ?? text) : (labels[i] ?? text)
  })
}

function labelIn({ tid, itm = [] }: DomainValue, locale: string | undefined, label: string): string {
  const isOwn = label === tid || itm.some(({ value }) => value === label)
  if (!isOwn) return label // the category has another label
  const found = itm.find(({ loc }) => loc === locale) ?? itm.find(({ loc }) => loc === undefined) ?? itm[0]
  return found?.value ?? tid
}

const byText = new WeakMap<Definition, ReadonlyMap<string, DomainValue>>()

/** The values of a list by key and by label, as persist finds them. */
function valuesByText(definition: Definition): ReadonlyMap<string, DomainValue> {
  const cached = byText.get(definition)
  if (cached) return cached
  const found = new Map<string, DomainValue>()
  const values = definition.domainVals?.domainVal ?? []
  for (const value of values) found.set(value.tid, value)
  for (const value of values)
    for (const { value: label = '' } of value.itm ?? []) if (!found.has(label)) found.set(label, value)
  byText.set(definition, found)
  return found
}
