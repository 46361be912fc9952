/**
 * Effective values of a product extension object: its own values override those of the product, as the template allows.
 *
 * Localized values are merged by locale: an object with a German value inherits the other locales from the product.
 * Each value states its source: `origin` is peo, product, article, variant or default; `inheritance` is overridden
 * (replaces a value of the product), own (the product has none) or inherited.
 */
import { isLocalized, plainOf, type StoredValue, toVal, type ValMessage } from '../../values/api.ts'
import { type ProductView } from '../../pim/api.ts'
import type { Behaviour, TemplateRow } from '../templates/templates.sql.ts'
import type { PeoRow } from './peos.sql.ts'

export interface EffectiveValue {
  readonly value: StoredValue
  readonly origin: string
  readonly inheritance: 'overridden' | 'own' | 'inherited'
}

const overridable: Behaviour = { mode: 'overridden', required: false }
const hidden: Behaviour = { mode: 'hidden', required: false }

/** The behaviour of an attribute in a template. */
export function behaviourOf({ attributes }: TemplateRow, attr: string): Behaviour {
  if (Object.hasOwn(attributes, attr)) return attributes[attr]!
  return Object.keys(attributes).length === 0 ? overridable : hidden
}

/** The effective values, by value key. */
export function effectiveValues(
  { vals }: Pick<PeoRow, 'vals'>,
  template: TemplateRow,
  product: ProductView,
): Map<string, EffectiveValue> {
  const keys = new Set([...product.values.keys(), ...Object.keys(vals)])
  return new Map(
    [...keys].flatMap((key) => {
      const value = effectiveValue({ vals }, template, product, key)
      return value ? [[key, value]] : []
    }),
  )
}

/** The effective value of one key; undefined if there is none or the template hides it. */
export function effectiveValue(
  { vals }: Pick<PeoRow, 'vals'>,
  template: TemplateRow,
  product: ProductView,
  key: string,
): EffectiveValue | undefined {
  const rule = product.viewRule(key)
  if (!rule) return undefined
  const { mode } = behaviourOf(template, rule.table ?? rule.attr)
  if (mode === 'hidden') return undefined
  const above = product.values.get(key)
  const own = mode === 'overridden' && Object.hasOwn(vals, key) ? vals[key] : undefined
  if (own === undefined) return above && { ...above, inheritance: 'inherited' }
  const value = above ? overlay(above.value, own) : own
  return { value, origin: 'peo', inheritance: above ? 'overridden' : 'own' }
}

function overlay(above: StoredValue, own: StoredValue): StoredValue {
  const [below, over] = [plainOf(above), plainOf(own)]
  return isLocalized(below) && isLocalized(over) ? { ...below, ...over } : own
}

export function toVals(effective: ReadonlyMap<string, EffectiveValue>, product: ProductView): ValMessage[] {
  return [...effective].flatMap(
    ([key, { value, origin, inheritance }]) =>
      product.visible(toVal(product.viewRule(key)!, value, { origin, inheritance })) ?? [],
  )
}
