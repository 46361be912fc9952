/** Which attributes an asset or a directory can have, and how their values are read and answered. */
import { assetTypes } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { metaText } from '../../common/api.ts'
import type { Rights } from '../../core/access/permissions.ts'
import { Problem } from '../../errors.ts'
import {
  allowedRule,
  checkLocales,
  type DefinitionRow,
  mergeVals,
  type StoredValues,
  toDefinition,
  toRules,
  toVal,
  undefinedAttribute,
  type ValMessage,
  type ValueRule,
  visibleOf,
} from '../../values/api.ts'
import { findDefinitions } from './attribute-definitions.sql.ts'

/** Types of entries that can have attributes; the meta item assetTypes of a definition names some of them. */
export const owners: readonly string[] = [...assetTypes, 'DIR']

/** The types of entries that have the attribute; undefined for all. */
export function ownersOf({ definition }: Pick<DefinitionRow, 'definition'>): string[] | undefined {
  return metaText(definition.meta, 'assetTypes')
    ?.split(',')
    .map((type) => type.trim())
}

export interface Rules {
  /** Whether there is an attribute with this key. */
  has(key: string): boolean
  /** Merges values that were sent into stored ones. `type` is that of an asset, or DIR. */
  merge(type: string, stored: StoredValues, sent: readonly ValMessage[], rights: Rights): StoredValues
  /** The values that the caller may see, in the order of their definitions. */
  view(vals: StoredValues, rights: Rights): { val: ValMessage[] } | undefined
}

export async function loadRules(db: Db): Promise<Rules> {
  const definitions = await findDefinitions(db)
  const ownersByTid = new Map(definitions.map((row) => [row.tid, ownersOf(row)]))
  const rules = toRules(definitions.map(toDefinition))
  const ruleOf = (type: string, key: string): ValueRule | Problem => {
    const rule = rules.get(key)
    if (!rule) return undefinedAttribute()
    const types = ownersByTid.get(rule.table ?? rule.attr)
    if (types && !types.includes(type)) return new Problem('invalid', `belongs to ${types.join(', ')}, not to ${type}`)
    return rule
  }
  return {
    has: (key) => rules.has(key),
    merge(type, stored, sent, rights) {
      checkLocales(sent, rights, 'invalid')
      return mergeVals(stored, sent, (key) => allowedRule(key, ruleOf(type, key), rights))
    },
    view(vals, rights) {
      const val: ValMessage[] = []
      for (const [key, rule] of rules) {
        const visible = Object.hasOwn(vals, key) ? visibleOf(toVal(rule, vals[key]!), rights) : undefined
        if (visible) val.push(visible)
      }
      return val.length > 0 ? { val } : undefined
    },
  }
}
