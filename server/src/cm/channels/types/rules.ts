/**
 * Which attributes a channel can have: those of its kind. And how their values are read and shown.
 *
 * A selection of several values from a list is one text, `A,B`, as clients of channels expect it; a list of items is taken
 * too.
 */
import type { Rights } from '../../../core/access/permissions.ts'
import { Problem } from '../../../errors.ts'
import {
  columnKey,
  mergeVals,
  type StoredValues,
  toColumn,
  toDefinition,
  toRule,
  toVal,
  type ValMessage,
  type ValueRule,
  visibleOf,
} from '../../../values/api.ts'
import type { TypeRow } from './types.sql.ts'

export interface TypeRules {
  merge(stored: StoredValues, sent: readonly ValMessage[]): StoredValues
  show(vals: StoredValues, rights: Rights): ValMessage[]
}

export function toTypeRules({ tid, attrDefs }: TypeRow): TypeRules {
  const definitions = attrDefs.map(toDefinition)
  const rules = new Map(definitions.map((definition) => [definition.tid, toRule(definition)]))
  for (const { tid: table, columns } of definitions) {
    for (const column of columns) {
      const rule = rules.get(column)
      if (rule) rules.set(columnKey(table, column), toColumn(rules.get(table)!, rule))
    }
  }
  const ruleOf = (key: string) =>
    rules.get(key) ?? new Problem('invalid', `is not an attribute of the channel type ${tid}`)
  return {
    merge: (stored, sent) =>
      mergeVals(
        stored,
        sent.map((val) => fromSelection(rules.get(val.attr ?? ''), val)),
        ruleOf,
      ),
    show: (vals, rights) =>
      Object.entries(vals).flatMap(([key, stored]) => {
        const rule = rules.get(key)
        if (!rule) return []
        const asText = isSelection(rule) && Array.isArray(stored)
        const val = asText ? { itm: [{ value: stored.join(',') }], attr: rule.attr } : toVal(rule, stored)
        return visibleOf(val, rights) ?? []
      }),
  }
}

/** What clients show beside a channel: a picture by its address, and one in HTML; the kind says them in its meta. */
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
