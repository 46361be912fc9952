/** Which attributes an asset or a directory can have, and how their values are read and shown. */
import type { Db } from '../../adapters/postgres/db.ts'
import { metaText } from '../../common/api.ts'
import { Problem } from '../../errors.ts'
import {
  columnKey,
  type DefinitionRow,
  type RuleOf,
  type StoredValues,
  toColumn,
  toDefinition,
  toRule,
  toVal,
  type ValMessage,
  type ValueRule,
} from '../../pim/api.ts'
import { findDefinitions } from './attribute-definitions.sql.ts'

/** What the meta item assetTypes may name. */
export const assetTypes = ['IMG', 'VID', 'AUD', 'PDF', 'OFFICE', 'PREPRESS', 'DOC', 'LAYOUT', 'C360', 'C3D', 'FILE']
export const owners: readonly string[] = [...assetTypes, 'DIR']

/** The types of entries that have the attribute; undefined: all. */
export function typesOf({ definition }: Pick<DefinitionRow, 'definition'>): string[] | undefined {
  const said = metaText(definition.meta, 'assetTypes')
  return said?.split(',').map((type) => type.trim())
}

export interface Rules {
  /** The rules for values that entries of a type may have: a type of asset, or DIR. */
  storable(type: string): RuleOf
  show(vals: StoredValues): { val: ValMessage[] } | undefined
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
  return {
    storable: (type) => (key) => {
      const known = rules.get(key)
      if (!known) throw new Problem('invalid', 'has no definition; only attributes that are defined can be stored')
      if (known.types && !known.types.includes(type))
        throw new Problem('invalid', `belongs to ${known.types.join(', ')}, not to ${type}`)
      return known.rule
    },
    show(vals) {
      const val = Object.entries(vals).flatMap(([key, stored]) => {
        const known = rules.get(key)
        return known ? [toVal(known.rule, stored)] : []
      })
      return val.length > 0 ? { val } : undefined
    },
  }
}
