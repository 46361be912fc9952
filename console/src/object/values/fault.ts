/** Rules for values that can be checked while they are typed. */
import { amountsOfPrice, partsOfMeasure, toBase, unitFinder, type UnitSize } from '@kontor/contract'
import type { Attribute } from './attribute.ts'
import type { Texts } from './draft.ts'

/** Anticipates a refusal of the server while the value is typed. The server has the final say. */
export function faultOf(attribute: Attribute, texts: Texts): string | undefined {
  for (const text of texts) {
    if (text === '') continue
    if (attribute.dataType === 'number') {
      if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$/.test(text.trim())) return `${text}?`
      if (attribute.wholeOnly && !/^[+-]?\d+$/.test(text.trim())) return `0, 1, 2 …`
      if (attribute.from && Number(text) < Number(attribute.from)) return `≥ ${attribute.from}`
      if (attribute.to && Number(text) > Number(attribute.to)) return `≤ ${attribute.to}`
    }
    if (attribute.units) {
      const base = baseOf(attribute.units, text)
      if (base === undefined) return `${text}?`
      if (attribute.from && base < (baseOf(attribute.units, attribute.from) ?? base)) return `≥ ${attribute.from}`
      if (attribute.to && base > (baseOf(attribute.units, attribute.to) ?? base)) return `≤ ${attribute.to}`
    }
    const wrong = attribute.currencies && amountsOfPrice(text).find((amount) => !isAmount.test(amount))
    if (wrong) return `${wrong}?`
    const { length } = [...text]
    if (attribute.maxLength !== undefined && length > attribute.maxLength) return `${length} / ${attribute.maxLength}`
    if (attribute.minLength !== undefined && length < attribute.minLength) return `${length} / ≥ ${attribute.minLength}`
  }
  return undefined
}

/** A number, and something behind it. */
const isAmount = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})? \S+$/

/** An amount in the base unit; undefined if it is not a number with a known unit. */
function baseOf(units: readonly UnitSize[], text: string): number | undefined {
  const parts = partsOfMeasure(text)
  const unit = parts && unitFinder(units)(parts.unit)
  return unit && toBase(Number(parts.number), unit)
}
