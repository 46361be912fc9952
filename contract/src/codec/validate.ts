/**
 * Validates a JSON value against the description of its type, and normalises it to the form that values have in memory.
 *
 *   sent                               result
 *   an alias of a field                the field's own name
 *   "12" for 12, true for a flag       12, "true"
 *   [12] where a field allows it       12
 *   [] for a list, "" for a text       absent: XML cannot distinguish them
 *
 * Any other difference from the description is a fault.
 *
 * Each type is compiled once into a function that validates a value of it. Compact JSON follows the same rules: its form
 * unfolds each object just before the object is validated.
 */
import { maxList, type Field, type FieldKind, type Type } from '../schema/describe.ts'
import { BadMessage, defaultLimits, listFault, type Fault } from './codec.ts'
import { Inspection, nameAsSent, stepOf } from './inspection.ts'
import { ruleOf, scalarFault, scalarOf, quoteValue, type ScalarRule } from './scalars.ts'

/** Unfolds a value of a format: returns the value in its full form. */
export type Unfold = (value: unknown, at: Inspection) => unknown
interface Form {
  /** For an object of this type: unfolds its own fields, not those of nested objects. */
  readonly object: (type: Type) => Unfold | undefined
  /** For a list of objects of this type. */
  readonly list: (type: Type) => Unfold | undefined
}

/** Returns the normalised value, or undefined if it is absent. Reports faults to `at`; a refused value is returned as sent. */
export type Read = (value: unknown, at: Inspection) => unknown

export type JsonObject = Record<string, unknown>
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Compiles types for one form, each type once. */
export function shapesOf(form: Form): (type: Type) => Read {
  const shapes = new WeakMap<Type, Read>()
  const shapeOf = (type: Type): Read => {
    let shape = shapes.get(type)
    if (!shape) shapes.set(type, (shape = readerOfObject(type, form, shapeOf)))
    return shape
  }
  return shapeOf
}

const plain: Form = { object: () => undefined, list: () => undefined }
export const plainShapeOf = shapesOf(plain)

/** Validates a parsed value. Returns the normalised value (changed in place where possible) and all faults. */
export function check(
  type: Type,
  value: unknown,
  limits = defaultLimits,
): { value: unknown; faults: readonly Fault[] } {
  const at = new Inspection(type.name, limits)
  try {
    return { value: plainShapeOf(type)(value, at), faults: at.faults }
  } catch (error) {
    if (error instanceof BadMessage) return { value, faults: error.faults }
    throw error
  }
}

// Objects

interface Rule {
  readonly name: string
  readonly step: string
  readonly read: Read
  readonly required: boolean
}
type Rules = ReadonlyMap<string, Rule>

function readerOfObject(type: Type, form: Form, shapeOf: (type: Type) => Read): Read {
  const unfold = form.object(type)
  let rules: Rules | undefined
  let required: Rule[] = []
  return (sent, at) => {
    const value = unfold === undefined ? sent : unfold(sent, at)
    if (!isObject(value)) return refuse(value, '', at, notA('an object', value))
    if (at.depth > at.limits.depth) return refuseDepth(value, '', at)
    if (rules === undefined) {
      rules = rulesOf(type, form, shapeOf) // lazily, because a type can contain itself
      required = [...new Set(rules.values())].filter((rule) => rule.required)
    }
    const kept = readFields(value, rules, at)
    for (const rule of required) if (kept[rule.name] === undefined) at.fault(rule.step, 'this field is missing')
    return kept
  }
}

function rulesOf(type: Type, form: Form, shapeOf: (type: Type) => Read): Rules {
  const rules = new Map<string, Rule>()
  for (const [name, field] of Object.entries(type.fields)) {
    const step = stepOf(name, field)
    const rule = {
      name,
      step,
      read: readers[field.kind](field, step, form, shapeOf),
      required: field.required ?? false,
    }
    for (const key of [name, ...(field.aliases ?? [])]) rules.set(key, rule)
  }
  return rules
}

function readFields(value: JsonObject, rules: Rules, at: Inspection): JsonObject {
  let count = 0
  let needsCopy = false
  for (const key in value) {
    if (++count > at.limits.attributes) {
      at.fault('', `an object has more than ${at.limits.attributes} fields`)
      break
    }
    const sent = value[key]
    const rule = rules.get(key)
    if (rule === undefined) at.fault(nameAsSent(key), unknownField(rules))
    else if (sent !== undefined) {
      const kept = rule.read(sent, at)
      if (kept !== sent) value[key] = kept
      if (kept === undefined || rule.name !== key) needsCopy = true
    }
  }
  return needsCopy ? withFieldNames(value, rules, at) : value
}

/** Copies the object with aliases replaced by field names, and without absent fields. */
function withFieldNames(value: JsonObject, rules: Rules, at: Inspection): JsonObject {
  const kept: JsonObject = {}
  for (const key in value) {
    const rule = rules.get(key)
    if (rule === undefined || value[key] === undefined) continue
    if (kept[rule.name] !== undefined) at.fault(rule.step, `this field is given twice, once as ${nameAsSent(key)}`)
    kept[rule.name] = value[key]
  }
  return kept
}

// Fields

// prettier-ignore
const readers: Record<FieldKind, (field: Field, step: string, form: Form, shapeOf: (type: Type) => Read) => Read> = {
  attr:     (field, step) => single(field, scalar(field, step)),
  text:     (field) => emptyIsAbsent(scalar(field, '')),
  leaf:     (field, step) => inside(single(field, scalar(field, step)), step),
  leaves:   (field, step) => inside(list(field, scalar(field, ''), step), step),
  child:    (field, step, _form, shapeOf) => child(field.type!(), step, shapeOf),
  children: (field, step, form, shapeOf) => unfolding(form.list(field.type!()), list(field, shapeOf(field.type!()), step)),
  map:      (_field, step) => inside((value, at) => texts(value, step, at), step),
  anything: (_field, step) => inside((value, at) => anything(value, step, at, at.depth + 1), step),
}

function scalar(field: Field, step: string): Read {
  const rule = ruleOf(field)
  if (field.scalar !== 'string') return (value, at) => checkedScalar(rule, value, step, at)
  return (value, at) =>
    typeof value === 'string' && !at.suspicious && value.length <= at.limits.text
      ? value
      : checkedScalar(rule, value, step, at)
}

function checkedScalar(rule: ScalarRule, value: unknown, step: string, at: Inspection): unknown {
  const found = rule.fromJson(value)
  if (found === undefined) return refuse(value, step, at, scalarFault(rule, value))
  if (typeof found === 'string' && found.length > at.limits.text)
    return refuse(value, step, at, `the text is longer than ${at.limits.text} characters`)
  return found
}

const single = ({ inList }: Field, read: Read): Read =>
  inList ? (value, at) => read(Array.isArray(value) && value.length === 1 ? value[0] : value, at) : read

const emptyIsAbsent =
  (read: Read): Read =>
  (value, at) =>
    value === '' ? undefined : read(value, at)

/** Checks the depth of an element without fields, which is one level deeper than its object. */
const inside =
  (read: Read, step: string): Read =>
  (value, at) =>
    at.depth < at.limits.depth ? read(value, at) : refuseDepth(value, step, at)

const unfolding = (unfold: Unfold | undefined, read: Read): Read =>
  unfold ? (value, at) => read(unfold(value, at), at) : read

function child(type: Type, step: string, shapeOf: (type: Type) => Read): Read {
  const read = shapeOf(type)
  return (value, at) => {
    at.enter(step)
    const kept = read(value, at)
    at.leave()
    return kept
  }
}

function list({ maxItems = maxList, keepsEmpty }: Field, read: Read, step: string): Read {
  return (value, at) => {
    if (!Array.isArray(value)) return refuse(value, step, at, notA('a list', value))
    if (value.length === 0) return keepsEmpty ? value : undefined
    if (at.checked?.has(value)) return value
    if (at.limits.lists && value.length > maxItems) return refuse(value, step, at, listFault(maxItems))
    at.enter(step)
    for (let i = 0; i < value.length; i++) {
      at.move(i + 1)
      const sent: unknown = value[i]
      const kept = read(sent, at)
      if (kept !== sent) value[i] = kept
    }
    at.leave()
    return value
  }
}

// Fields without a type (JSON only)

const string = scalarOf('string')
const long = scalarOf('long')

function texts(value: unknown, step: string, at: Inspection): unknown {
  if (!isObject(value)) return refuse(value, step, at, notA('an object', value))
  const kept = Object.create(null) as JsonObject
  for (const key of Object.keys(value))
    if (isKey(key, step, at)) kept[key] = checkedScalar(string, value[key], `${step}/${nameAsSent(key)}`, at)
  return kept
}

/** Any JSON value that can be stored and returned: within the depth limit, and with valid texts, keys and numbers. */
function anything(value: unknown, step: string, at: Inspection, depth: number): unknown {
  if (typeof value === 'string') return checkedScalar(string, value, step, at)
  if (typeof value === 'number' || typeof value === 'bigint') return anyNumber(value, step, at)
  if (typeof value !== 'object' || value === null) return value
  if (depth > at.limits.depth) return refuseDepth(value, step, at)
  if (at.limits.lists && Array.isArray(value) && value.length > maxList)
    return refuse(value, step, at, listFault(maxList))
  const entries = value as JsonObject
  for (const key of Object.keys(value))
    if (Array.isArray(value) || isKey(key, step, at)) entries[key] = anything(entries[key], step, at, depth + 1)
  return value
}

/** A long stays exact. */
function anyNumber(value: number | bigint, step: string, at: Inspection): unknown {
  const found = long.fromJson(value) ?? Number(value)
  return Number.isFinite(found) || typeof found === 'bigint'
    ? found
    : refuse(value, step, at, 'a number is out of range')
}

function isKey(key: string, step: string, at: Inspection): boolean {
  checkedScalar(string, key, step, at)
  if (key !== '__proto__') return true
  at.fault(step, `the key '__proto__' is not allowed`)
  return false
}

// Refusals

const unknownField = (rules: Rules) =>
  `unknown field; allowed here: ${[...new Set(rules.values())].map(({ name }) => name).join(', ')}`

const notA = (expected: string, value: unknown) => `${quoteValue(value)} is not ${expected}`

function refuse(value: unknown, step: string, at: Inspection, message: string): unknown {
  at.fault(step, value === null ? 'null is not a value; leave the field out' : message)
  return value
}

const refuseDepth = (value: unknown, step: string, at: Inspection) =>
  refuse(value, step, at, `objects are nested more than ${at.limits.depth} levels deep`)
