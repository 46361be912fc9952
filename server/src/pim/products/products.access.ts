/**
 * What a caller may do with products, by the node they stand in; articles and variations follow their product. What may
 * not be read is as if it were not there.
 */
import type { Caller } from '../../core/context.ts'
import { type Action, allowsAt, type Rights, rightsAt } from '../../core/access/permissions.ts'
import { Problem, ValueProblem } from '../../errors.ts'
import type { Model } from '../model/model.ts'
import type { ValueRule } from '../../values/rule.ts'
import type { ValMessage } from '../../values/stored.ts'

export interface ProductAccess {
  may(action: Action, nodeId: number): boolean
  /** Refuses what the caller may not do. */
  demand(action: Action, nodeId: number): void
  /** Which attributes and locales the caller may see and edit; undefined means all, which is the usual case. */
  rights(nodeId: number): Rights | undefined
}

export function accessOf({ permissions }: Caller, model: Model): ProductAccess {
  const pathOf = (nodeId: number) => model.node(nodeId)?.path ?? ''
  const narrowed = permissions.some(
    (grant) => grant.visibleAttributes ?? grant.editableAttributes ?? grant.visibleLocales ?? grant.editableLocales,
  )
  const decided = new Map<string, boolean>()
  const known = new Map<number, Rights>()
  const may = (action: Action, nodeId: number) => {
    const key = `${action} ${nodeId}`
    const allowed = decided.get(key) ?? allowsAt(permissions, action, 'product', pathOf(nodeId))
    decided.set(key, allowed)
    return allowed
  }
  return {
    may,
    demand(action, nodeId) {
      if (may(action, nodeId)) return
      throw new Problem('forbidden', `your roles do not allow to ${action} products in ${pathOf(nodeId)}`)
    },
    rights(nodeId) {
      if (!narrowed) return undefined
      const rights = known.get(nodeId) ?? rightsAt(permissions, 'product', [pathOf(nodeId)])
      known.set(nodeId, rights)
      return rights
    },
  }
}

/** The rule of a value as it is for this caller: an attribute that cannot be seen has no definition. */
export function allowedRule(rule: ValueRule | Problem, { attribute }: Rights): ValueRule | Problem {
  if (rule instanceof Problem) return rule
  const { visible, editable } = attribute(rule.table ?? rule.attr)
  if (!visible) return new Problem('invalid', 'has no definition; only attributes that are defined can be stored')
  return editable ? rule : { ...rule, frozen: 'cannot be changed: your roles do not allow it' }
}

/** Refuses values in locales that the caller may not edit. */
export function checkLocales(vals: readonly ValMessage[], { locale }: Rights): void {
  for (const { attr = '', itm = [], i18N = [], inheritance } of vals) {
    const closed = [...itm, ...i18N].find(({ loc }) => loc !== undefined && !locale(loc).editable)
    if (closed && inheritance !== 'inherited') {
      throw new ValueProblem('forbidden', [[attr, `your roles do not allow to change values in ${closed.loc}`]])
    }
  }
}

/** What the caller may see of a value; undefined for nothing. */
export function visibleOf(val: ValMessage, { attribute, locale }: Rights): ValMessage | undefined {
  if (!attribute(val.parent ?? val.attr ?? '').visible) return undefined
  const isVisible = ({ loc }: { loc?: string }) => loc === undefined || locale(loc).visible
  const { itm, i18N, ...rest } = val
  const [items, groups] = [itm?.filter(isVisible) ?? [], i18N?.filter(isVisible) ?? []]
  if (items.length + groups.length === 0) return undefined
  return { ...(items.length > 0 && { itm: items }), ...(groups.length > 0 && { i18N: groups }), ...rest }
}
