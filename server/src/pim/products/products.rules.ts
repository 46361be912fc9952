/**
 * Applies the attributes of a classification node to the products in it: which values each level may store, must have,
 * inherits and has by default.
 *
 *   option READONLY       values cannot be changed         restriction required    a new object needs a value, and none
 *   option SYNCHRONIZED   only the uppermost level has                             can be taken away
 *                         values; the others show them     restriction mandatory   nor is anything saved without one
 *   option OVERWRITE      each level may have its own
 *
 * For an attribute that the node does not have, the definition alone decides, or it is refused; that is a setting. Rules
 * are compiled on first use, once for each state of the model.
 */
import { because } from '@kontor/contract'
import type { Rights } from '../../core/access/permissions.ts'
import { orProblem } from '../../core/batch/batch.ts'
import { Problem, type ValueFault, ValueProblem } from '../../errors.ts'
import {
  columnKey,
  type Definition,
  isLocalized,
  mergeVals,
  noValues,
  plainOf,
  refuse,
  type StoredValue,
  type StoredValues,
  toColumn,
  toRule,
  type ValueRule,
} from '../../values/api.ts'
import type { EffectiveAttribute, Level } from '../model/effective.ts'
import type { Model } from '../model/model.ts'
import type { LevelNumber } from './products.sql.ts'

export const levels = ['p', 'a', 'v'] as const satisfies readonly Level[]
const plurals: Record<Level, string> = { p: 'products', a: 'articles', v: 'variations' }

export interface NodeRules {
  /** The rule for storing a value at a level, by the key of the value; or the reason why it cannot be stored. */
  storable(level: LevelNumber, key: string): ValueRule | Problem
  /** The rule for a stored value in replies; undefined if its attribute was deleted. */
  viewRule(key: string): ValueRule | undefined
  /** Whether a level without a value of its own has the value of the level above. */
  inherits(key: string, level: LevelNumber): boolean
  /** The values that a level has until something is stored there or above. */
  defaults(level: LevelNumber): StoredValues
  /** The attribute by its key, if the node has it at the level. */
  attribute(level: LevelNumber, key: string): EffectiveAttribute | undefined
  /** The attributes that an object of a level must have. */
  required(level: LevelNumber): readonly EffectiveAttribute[]
  /** The required attributes that an object has no value of. `above`: the values of the objects above it. */
  lacking(level: LevelNumber, vals: StoredValues, above: readonly StoredValues[]): readonly EffectiveAttribute[]
}

/** Refuses to save an object that lacks required values, and names those that the caller may see. `before` is undefined for a new object. */
export function refuseLack(
  lacking: readonly EffectiveAttribute[],
  before: StoredValues | undefined,
  rights: Rights | undefined,
): void {
  const faults = lacking.filter(
    (attribute) => attribute.restriction === 'mandatory' || before === undefined || hasValue(attribute, before),
  )
  const visible = faults.filter(({ key }) => !rights || rights.attribute(key).visible)
  if (visible.length > 0) throw new ValueProblem('invalid', visible.map(lackOf))
  if (faults.length > 0) throw new Problem('invalid', because('requiredHidden'))
}

/** Refuses to remove a language of an attribute that is required in all languages. */
export function refuseLostLocales(
  required: readonly EffectiveAttribute[],
  before: StoredValues,
  after: StoredValues,
): void {
  const faults = required.flatMap(({ key, definition }): ValueFault[] => {
    if (definition.required !== 'requiredInAllLanguages') return []
    const kept = localesOf(after[key])
    const lost = [...localesOf(before[key])].filter((locale) => !kept.has(locale))
    return lost.map((locale) => [key, because('requiredInLocale', { locale })])
  })
  if (faults.length > 0) throw new ValueProblem('invalid', faults)
}

function localesOf(value: StoredValue | undefined): ReadonlySet<string> {
  const plain = value === undefined ? undefined : plainOf(value)
  return new Set(plain !== undefined && isLocalized(plain) ? Object.keys(plain) : [])
}

export const lackOf = ({ key, restriction, nodePath }: EffectiveAttribute): ValueFault => [
  key,
  because('required', { restriction, node: nodePath }),
]

/** A table has a value when one of its columns has. */
function hasValue({ key, definition }: EffectiveAttribute, values: StoredValues): boolean {
  if (definition.columns.length === 0) return Object.hasOwn(values, key)
  return definition.columns.some((column) => Object.hasOwn(values, columnKey(key, column)))
}

export type Rules = (model: Model, nodeId: number) => NodeRules

/** `onlyOfNode`: attributes that the node does not have cannot be stored. */
export function createRules(onlyOfNode: boolean): Rules {
  const known = new WeakMap<Model, Map<number, NodeRules>>()
  const compiled = new WeakMap<object, ValueRule>()
  const ruleOf = (source: Definition | EffectiveAttribute): ValueRule => {
    let rule = compiled.get(source)
    if (!rule) compiled.set(source, (rule = toRule('definition' in source ? narrowed(source) : source)))
    return rule
  }
  return (model, nodeId) => {
    let ofModel = known.get(model)
    if (!ofModel) known.set(model, (ofModel = new Map()))
    let rules = ofModel.get(nodeId)
    if (!rules) ofModel.set(nodeId, (rules = nodeRules(model, nodeId, onlyOfNode, ruleOf)))
    return rules
  }
}

const narrowed = ({ definition, cardinality, domain, range }: EffectiveAttribute): Definition => ({
  ...definition,
  cardinality,
  domain,
  range,
})

type MakeRule = (source: Definition | EffectiveAttribute) => ValueRule

function nodeRules(model: Model, nodeId: number, onlyOfNode: boolean, make: MakeRule): NodeRules {
  const attributes = model.attributesOf(nodeId)
  const find = (key: string) => findRule(model, attributes, make, key)
  const viewRule = memoized(find)
  const storable = levels.map((level) =>
    memoized((key: string): ValueRule | Problem =>
      orProblem(() => {
        const rule = find(key) ?? refuse('has no definition; only attributes that are defined can be stored')
        const attribute = attributes.get(rule.table ?? key)
        if (attribute) return atLevel(rule, attribute, level)
        return onlyOfNode ? refuse(`is not an attribute of the node ${model.node(nodeId)?.path}`) : rule
      })(undefined),
    ),
  )
  const needed = levels.map((level) =>
    [...attributes.values()].filter((one) => one.restriction !== 'optional' && one.levels.has(level)),
  )
  const defaults = levels.map((level) => defaultsOf(attributes, level, make))
  const inherits = (key: string, level: LevelNumber) => {
    const attribute = attributes.get(viewRule(key)?.table ?? key)
    return !attribute || (attribute.inheritance === 'visible' && attribute.levels.has(levels[level]))
  }
  return {
    storable: (level, key) => storable[level]!(key),
    viewRule,
    inherits,
    defaults: (level) => defaults[level]!,
    attribute(level, key) {
      const attribute = attributes.get(key)
      return attribute?.levels.has(levels[level]) ? attribute : undefined
    },
    required: (level) => needed[level]!,
    lacking: (level, vals, above) =>
      needed[level]!.filter((attribute) => {
        const inherited = inherits(attribute.key, level) ? [...above, ...defaults.slice(0, level)] : []
        return ![vals, defaults[level]!, ...inherited].some((values) => hasValue(attribute, values))
      }),
  }
}

/** A key is that of an attribute, or of a column of a table. */
function findRule(
  model: Model,
  attributes: ReadonlyMap<string, EffectiveAttribute>,
  make: MakeRule,
  key: string,
): ValueRule | undefined {
  const source = (tid: string) => attributes.get(tid) ?? model.definition(tid)
  const own = source(key)
  if (own) return make(own)
  for (let at = key.indexOf('/'); at > 0; at = key.indexOf('/', at + 1)) {
    const [table, column] = [source(key.slice(0, at)), source(key.slice(at + 1))]
    const tableRule = table && make(table)
    if (column && tableRule?.columns?.includes(key.slice(at + 1))) return toColumn(tableRule, make(column))
  }
  return undefined
}

function atLevel(rule: ValueRule, { levels: has, option, nodePath }: EffectiveAttribute, level: Level): ValueRule {
  if (!has.has(level)) {
    const others = levels.filter((one) => has.has(one)).map((one) => plurals[one])
    refuse(`belongs to ${others.join(' and ')}, not to ${plurals[level]}`)
  }
  const top = levels.find((one) => has.has(one))!
  if (option === 'READONLY') return { ...rule, frozen: `cannot be changed: it is READONLY at the node ${nodePath}` }
  if (option === 'SYNCHRONIZED' && level !== top) {
    return { ...rule, frozen: `cannot be changed here: it is SYNCHRONIZED, so only ${plurals[top]} have it` }
  }
  return rule
}

/** Only the uppermost level of an attribute has the default value; the others inherit it. */
function defaultsOf(attributes: ReadonlyMap<string, EffectiveAttribute>, level: Level, make: MakeRule): StoredValues {
  const values: Record<string, StoredValue> = {}
  for (const [key, attribute] of attributes) {
    const { defaultVal, levels: has } = attribute
    if (!defaultVal || levels.find((one) => has.has(one)) !== level) continue
    const itm = defaultVal.tid === undefined ? defaultVal.itm : [{ key: defaultVal.tid }]
    const merged = orProblem(() => mergeVals(noValues, [{ attr: key, ...(itm && { itm }) }], () => make(attribute)))(
      undefined,
    )
    // A default value that does not fit its attribute (any more) is ignored.
    if (!(merged instanceof Problem)) Object.assign(values, merged)
  }
  return values
}

function memoized<V>(make: (key: string) => V): (key: string) => V {
  const known = new Map<string, V>()
  return (key) => {
    if (known.has(key)) return known.get(key)!
    const value = make(key)
    if (known.size < 10_000) known.set(key, value) // keys come from clients: bound the memory
    return value
  }
}
