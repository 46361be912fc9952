/** Attribute definitions, as far as operations need them. */
import type { FormatUnit, Infer, UnitSize } from '@kontor/contract'

export interface Definition {
  readonly tid: string
  readonly type?: string
  readonly localized?: string
  readonly multiValued?: { readonly value?: string }
  readonly format?: { readonly unit?: readonly Infer<typeof FormatUnit>[]; readonly family?: string }
}

export const typeOf = ({ type = 'text' }: Definition) => type
export const isOf = (definition: Definition, ...types: readonly string[]) => types.includes(typeOf(definition))
export const isLocalized = ({ localized }: Definition) => localized === 'true'
export const isList = ({ multiValued }: Definition) => multiValued?.value === 'true'

/** A unit or currency of the attribute, by its code. */
export function unitOf({ format }: Definition, code: string): UnitSize | undefined {
  const unit = format?.unit?.find((one) => one.code === code)
  return unit && { code, factor: Number(unit.factor ?? 1), ...(unit.offset && { offset: Number(unit.offset) }) }
}
