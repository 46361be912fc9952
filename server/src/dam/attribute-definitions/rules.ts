/** Which attributes an asset or a directory can have, and how their values are read and shown. */
import { assetTypes } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { metaText } from '../../common/api.ts'
import type { Rights } from '../../core/access/permissions.ts'
import { Problem, ValueProblem } from '../../errors.ts'
import {
  columnKey,
  type DefinitionRow,
  mergeVals,
  type StoredValues,
  toColumn,
  toDefinition,
  toRule,
  toVal,
  type ValMessage,
  type ValueRule,
} from '../../values/api.ts'
import { findDefinitions } from './attribute-definitions.sql.ts'

/** What the meta item assetTypes may name. */
export const owners: readonly string[] = [...assetTypes, 'DIR']

/** The types of entries that have the attribute; undefined: all. */
export function typesOf({ definition }: Pick<DefinitionRow, 'definition'>): string[] | undefined {
  const said = metaText(definition.meta, 'assetTypes')
  return said?.split(',').map((type) => type.trim())
}

export interface Rules {
  /** The values with those sent put over them. `type` is that of an asset, or DIR. */
  merge(type: string, stored: StoredValues, sent: readonly ValMessage[], rights: Rights): StoredValues
  /** What of the values the caller may see, in the order of their definitions. */
  show(vals: StoredValues, rights: Rights): { val: ValMessage[] } | undefined
}

export async function loadRules(db: Db): Promise<Rules> {
  const rules = new Map<string, { readonly rule: ValueRule; readonly types?: readonly string[] }>()
  const parsed = (await findDefinitions(db)).map((row) => ({ row, definition: toDefinition(row) }))
  for (const { row, definition } of parsed) rules.set(row.tid, { rule: toRule(definition), types: typesOf(row) })
  for (const { row, definition } of parsed) {
    const table = rules.get(row.tid)!
    for (const tid of definition.columns) {
      const column = rules.get(tid)
      if (column) rules.set(columnKey(row.tid, tid), { rule: toColumn(table.rule, column.rule), types: table.types })
    }
  }
  const ruleOf = (type: string, key: string, { attribute }: Rights): ValueRule => {
    const known = rules.get(key)
    const right = attribute(known?.rule.attr ?? key)
    if (!known || !right.visible) refuse('has no definition; only attributes that are defined can be stored')
    if (known.types && !known.types.includes(type)) refuse(`belongs to ${known.types.join(', ')}, not to ${type}`)
    return right.editable ? known.rule : { ...known.rule, frozen: 'cannot be changed: your roles do not allow it' }
  }
  return {
    merge(type, stored, sent, rights) {
      for (const val of sent) checkLocales(val, rights)
      return mergeVals(stored, sent, (key) => ruleOf(type, key, rights))
    },
    show(vals, rights) {
      const val: ValMessage[] = []
      for (const [key, { rule }] of rules) {
        if (Object.hasOwn(vals, key) && rights.attribute(rule.attr).visible)
          val.push(...visibleLocales(toVal(rule, vals[key]!), rights))
      }
      return val.length > 0 ? { val } : undefined
    },
  }
}

function refuse(reason: string): never {
  throw new Problem('invalid', reason)
}

function checkLocales({ attr = '', itm = [], i18N = [] }: ValMessage, { locale }: Rights): void {
  const denied = [...itm, ...i18N].find(({ loc }) => loc !== undefined && !locale(loc).editable)
  if (denied) throw new ValueProblem('invalid', [[attr, `your roles do not allow to change values in ${denied.loc}`]])
}

function visibleLocales(val: ValMessage, { locale }: Rights): ValMessage[] {
  const isVisible = ({ loc }: { loc?: string }) => loc === undefined || locale(loc).visible
  const { itm, i18N, ...rest } = val
  if ([...(itm ?? []), ...(i18N ?? [])].every(isVisible)) return [val]
  const [items, groups] = [itm?.filter(isVisible) ?? [], i18N?.filter(isVisible) ?? []]
  if (items.length + groups.length === 0) return []
  return [{ ...(items.length > 0 && { itm: items }), ...(groups.length > 0 && { i18N: groups }), ...rest }]
}
