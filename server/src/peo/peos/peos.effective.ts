/**
 * What a product extension object says in the end: the product's values with its own put over them, as its template has it.
 *
 * A localized value is overlaid locale by locale: an object that says something in German leaves the other locales to the
 * product. Each value tells where it comes from: `origin` peo, product, article, variant or default; `inheritance`
 * overridden (over a value of the product), own (where the product has none) or inherited.
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

const free: Behaviour = { mode: 'overridden', required: false }
const notThere: Behaviour = { mode: 'hidden', required: false }

/** How an attribute behaves by the template. */
export function behaviourOf({ attributes }: TemplateRow, attr: string): Behaviour {
  if (Object.hasOwn(attributes, attr)) return attributes[attr]!
  return Object.keys(attributes).length === 0 ? free : notThere
}

/** By the key of the value. */
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

/** Of one key; undefined where there is nothing to say, or the template hides it. */
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
