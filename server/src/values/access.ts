/** The rights of a caller to see and change attribute values. */
import { because } from '@kontor/contract'
import type { Rights } from '../core/access/permissions.ts'
import { Problem, ValueProblem } from '../errors.ts'
import { keyOf, type ValueRule } from './rule.ts'
import type { ValMessage } from './stored.ts'

/** The rule as it holds for this caller: an attribute that the caller cannot see has no definition. */
export function allowedRule(key: string, rule: ValueRule | Problem, { attribute }: Rights): ValueRule | Problem {
  const { visible, editable } = attribute(key)
  if (!visible) return undefinedAttribute()
  if (rule instanceof Problem) return rule
  return editable ? { ...rule, inLocale: (locale) => attribute(key, locale) } : readOnly(rule)
}
export const undefinedAttribute = () => new Problem('invalid', because('undefinedAttribute'))
export const readOnly = (rule: ValueRule): ValueRule => ({
  ...rule,
  frozen: because('readOnly'),
})

/** Refuses values in locales that the caller may not edit. */
export function checkLocales(
  vals: readonly ValMessage[],
  { attribute, locale }: Rights,
  kind: 'forbidden' | 'invalid' = 'forbidden',
): void {
  for (const val of vals) {
    const { attr = '', itm = [], i18N = [], inheritance } = val
    const key = keyOf(val)
    const isDenied = (loc: string) =>
      !locale(loc).editable || (attribute(key).editable && !attribute(key, loc).editable)
    const denied = [...itm, ...i18N].find(({ loc }) => loc !== undefined && isDenied(loc))
    if (denied && inheritance !== 'inherited') {
      throw new ValueProblem(kind, [[attr, because('localeReadOnly', { locale: denied.loc! })]])
    }
  }
}

/** The part of a value that the caller may see; undefined for nothing. */
export function visibleOf(val: ValMessage, { attribute }: Rights): ValMessage | undefined {
  const key = keyOf(val)
  if (!attribute(key).visible) return undefined
  const isVisible = ({ loc }: { loc?: string }) => loc === undefined || attribute(key, loc).visible
  const { itm, i18N, ...rest } = val
  const [items, groups] = [itm?.filter(isVisible) ?? [], i18N?.filter(isVisible) ?? []]
  if (items.length + groups.length === 0) return undefined
  return { ...(items.length > 0 && { itm: items }), ...(groups.length > 0 && { i18N: groups }), ...rest }
}
