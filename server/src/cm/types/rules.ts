/**
 * Which attributes a channel can have: those of its kind. And how their values are read and shown.
 *
 * A selection of several values from a list is one text, `A,B`, as clients of channels expect it; a list of items is taken
 * too.
 */
import { Problem } from '../../errors.ts'
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
} from '../../pim/api.ts'
import type { TypeRow } from './types.sql.ts'

export interface TypeRules {
  merge(stored: StoredValues, sent: readonly ValMessage[]): StoredValues
  show(vals: StoredValues, isVisible: (attr: string) => boolean): ValMessage[]
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
    show: (vals, isVisible) =>
      Object.entries(vals).flatMap(([key, stored]) => {
        const rule = rules.get(key)
        if (!rule || !isVisible(rule.table ?? rule.attr)) return []
        return isSelection(rule) && Array.isArray(stored)
          ? [{ itm: [{ value: stored.join(',') }], attr: rule.attr }]
          : [toVal(rule, stored)]
      }),
  }
}

const isSelection = ({ domain, multiple, localized }: ValueRule) => domain !== undefined && multiple && !localized

function fromSelection(rule: ValueRule | undefined, val: ValMessage): ValMessage {
  const [only, ...others] = val.itm ?? []
  if (!rule || !isSelection(rule) || !only || others.length > 0 || only.key !== undefined) return val
  if (rule.domain!.labels.has(only.value ?? '')) return val
  const values = (only.value ?? '').split(',').filter((text) => text.trim() !== '')
  return { ...val, itm: values.map((value, pos) => ({ value: value.trim(), pos })) }
}
