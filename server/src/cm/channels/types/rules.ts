/**
 * Which attributes a channel can have, by its type, and how their values are read and answered.
 *
 * Clients of channels expect a selection of several values from a list as one text, `A,B`. A list of items is accepted
 * too.
 */
import type { Rights } from '../../../core/access/permissions.ts'
import { Problem } from '../../../errors.ts'
import {
  allowedRule,
  mergeVals,
  type StoredValues,
  toDefinition,
  toRules,
  toVal,
  type ValMessage,
  type ValueRule,
  visibleOf,
} from '../../../values/api.ts'
import type { TypeRow } from './types.sql.ts'

export interface TypeRules {
  merge(stored: StoredValues, sent: readonly ValMessage[], rights: Rights): StoredValues
  /** The values that the caller may see. */
  view(vals: StoredValues, rights: Rights): ValMessage[]
}

export function toTypeRules({ tid, attrDefs }: TypeRow): TypeRules {
  const rules = toRules(attrDefs.map(toDefinition))
  const ruleOf = (key: string) =>
    rules.get(key) ?? new Problem('invalid', `is not an attribute of the channel type ${tid}`)
  return {
    merge(stored, sent, rights) {
      const split = sent.map((val) => fromSelection(rules.get(val.attr ?? ''), val))
      return mergeVals(stored, split, (key) => allowedRule(key, ruleOf(key), rights))
    },
    view: (vals, rights) =>
      Object.entries(vals).flatMap(([key, stored]) => {
        const rule = rules.get(key)
        if (!rule) return []
        const asText = isSelection(rule) && Array.isArray(stored)
        const val = asText ? { itm: [{ value: stored.join(',') }], attr: rule.attr } : toVal(rule, stored)
        return visibleOf(val, rights) ?? []
      }),
  }
}

/** The icons that clients display beside a channel, as an address and as HTML, from the meta items of its type. */
export function iconsOf({ meta }: TypeRow): Record<'icon' | 'htmlIcon', string> {
  const text = (key: string) => meta.find((item) => item.key === key)?.value ?? ''
  return { icon: text('icon'), htmlIcon: text('htmlIcon') }
}

const isSelection = ({ domain, multiple, localized }: ValueRule) => domain !== undefined && multiple && !localized

function fromSelection(rule: ValueRule | undefined, val: ValMessage): ValMessage {
  const [only, ...others] = val.itm ?? []
  if (!rule || !isSelection(rule) || !only || others.length > 0 || only.key !== undefined) return val
  if (rule.domain!.labels.has(only.value ?? '')) return val
  const values = (only.value ?? '').split(',').filter((text) => text.trim() !== '')
  return { ...val, itm: values.map((value, pos) => ({ value: value.trim(), pos })) }
}
