/**
 * An attribute as it holds at a node: each field from the node, else from the nearest node above that overrides it, else
 * from the definition.
 */
import type { DefaultValue, Infer } from '@kontor/contract'
import { type Definition, type Domain, type Range, toDomain, toRange } from '../../values/api.ts'
import type { AttributeRow, NodeRow } from './model.sql.ts'

/** Product, article, variation. */
export type Level = 'p' | 'a' | 'v'
const allLevels: ReadonlySet<Level> = new Set(['p', 'a', 'v'])

export interface EffectiveAttribute {
  /** The id of the attribute at the nearest node that has it. */
  readonly id: number
  readonly key: string
  readonly definition: Definition
  /** The nearest node that has the attribute: the node itself, or the one it is inherited from. */
  readonly nodeId: number
  readonly nodePath: string
  readonly levels: ReadonlySet<Level>
  readonly inheritance: 'visible' | 'not_visible'
  readonly restriction: 'optional' | 'required' | 'mandatory'
  readonly option: 'READONLY' | 'OVERWRITE' | 'SYNCHRONIZED'
  /** The largest number of values; undefined for no limit. */
  readonly cardinality: number | undefined
  readonly domain: Domain | undefined
  readonly range: Range | undefined
  readonly defaultVal: Infer<typeof DefaultValue> | undefined
  readonly row: AttributeRow
}

export function toEffective(
  row: AttributeRow,
  node: NodeRow,
  definition: Definition,
  above: EffectiveAttribute | undefined,
): EffectiveAttribute {
  return {
    id: row.id,
    key: definition.tid,
    definition,
    nodeId: node.id,
    nodePath: node.path,
    levels: row.level === null ? (above?.levels ?? allLevels) : new Set([...row.level] as Level[]),
    inheritance: row.inheritance ?? above?.inheritance ?? 'visible',
    restriction: row.restriction ?? above?.restriction ?? restrictionOf(definition),
    option: row.option ?? above?.option ?? 'OVERWRITE',
    cardinality: row.cardinality ?? above?.cardinality ?? definition.cardinality,
    domain: narrow(toDomain(row.domainVals), above?.domain ?? definition.domain),
    range: toRange(row.domainRange) ?? above?.range ?? definition.range,
    defaultVal: row.defaultVal ?? above?.defaultVal ?? definition.row.definition.defaultVal,
    row,
  }
}

const restrictionOf = ({ required }: Definition) => (required === 'optional' ? 'optional' : 'required')

/** The list of the node; labels that it lacks come from the wider list. */
function narrow(own: Domain | undefined, wider: Domain | undefined): Domain | undefined {
  if (!own || !wider) return own ?? wider
  const values = new Map([...own.values].map(([key, labels]) => [key, { ...wider.values.get(key), ...labels }]))
  return { values, allowNewValue: own.allowNewValue }
}
