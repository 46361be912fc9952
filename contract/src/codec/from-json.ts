/**
 * Reads JSON. Items are validated as they arrive. All other values are collected in the shell, which is validated at the
 * end. Compact JSON is read here too: only its notation differs.
 */
import { maxList, type Type } from '../schema/describe.ts'
import {
  BadMessage,
  defaultLimits,
  listFault,
  streamedField,
  type Reader,
  type ReadOptions,
  type Sink,
} from './codec.ts'
import { Inspection, nameAsSent, stepOf } from './inspection.ts'
import { JsonSplitter, type Descends, type SplitHandler } from './json-splitter.ts'
import { plainShapeOf, type JsonObject, type Read } from './validate.ts'

/** The differences between plain and compact JSON. */
interface Notation {
  readonly shapeOf: (type: Type) => Read
  /** Whether an object of this type may be written as its list. */
  readonly foldsToList: (type: Type) => boolean
}

export const jsonReader = readerOf({ shapeOf: plainShapeOf, foldsToList: () => false })

export function readerOf(notation: Notation): (root: Type, options?: ReadOptions) => Reader {
  const plans = new WeakMap<Type, Plan>()
  return (root, options = {}) => {
    let plan = plans.get(root)
    if (!plan) plans.set(root, (plan = planOf(root, notation)))
    return new JsonReader(plan, options)
  }
}

/** A message type, prepared once: the properties of the root by name and alias. */
interface Plan {
  readonly root: Type
  readonly read: Read
  readonly properties: ReadonlyMap<string, Property>
}
interface Property {
  readonly name: string
  readonly step: string
  readonly descends: Descends
  /** The streamed list, if the property is a container. */
  readonly list: StreamedList | undefined
}
interface StreamedList {
  readonly name: string
  readonly names: readonly string[]
  readonly step: string
  readonly read: Read
  readonly maxItems: number
}

const readsWhole: Descends = { object: false, list: false }
const descendsIntoList: Descends = { object: false, list: true }

function planOf(root: Type, notation: Notation): Plan {
  const properties = new Map<string, Property>()
  for (const [name, field] of Object.entries(root.fields)) {
    const container = field.kind === 'child' ? field.type!() : undefined
    const list = container && listOf(container, notation)
    const descends = list ? { object: true, list: notation.foldsToList(container!) } : readsWhole
    const property = { name, step: stepOf(name, field), descends, list }
    for (const key of [name, ...(field.aliases ?? [])]) properties.set(key, property)
  }
  return { root, read: notation.shapeOf(root), properties }
}

function listOf(container: Type, notation: Notation): StreamedList | undefined {
  const found = streamedField(container)
  if (!found) return undefined
  const [name, field] = found
  return {
    name,
    names: [name, ...(field.aliases ?? [])],
    step: stepOf(name, field),
    read: notation.shapeOf(field.type!()),
    maxItems: field.maxItems ?? maxList,
  }
}

class JsonReader implements Reader, SplitHandler {
  readonly #plan: Plan
  readonly #at: Inspection
  readonly #sink: Sink | undefined
  readonly #splitter: JsonSplitter
  readonly #shell: JsonObject = {}
  /** The streamed lists, whose items are already validated. */
  readonly #checked = new Set<unknown>()
  /** Whether a text of the shell may contain illegal characters. */
  #suspicious = false

  // The current position: a property of the root, the open container, a property of that container, its list.
  #property: Property | undefined
  #name = ''
  #container: JsonObject | undefined
  #list: unknown[] | undefined
  #count = 0

  constructor(plan: Plan, options: ReadOptions) {
    const { charset = 'utf-8', limits = defaultLimits, sink } = options
    this.#plan = plan
    this.#sink = sink
    this.#at = new Inspection(plan.root.name, limits)
    this.#splitter = new JsonSplitter(this, limits)
    if (!/^utf-?8$/i.test(charset)) this.fail(`JSON must be in UTF-8, not in ${nameAsSent(charset)}`)
  }

  write(chunk: Uint8Array): void {
    this.#splitter.write(chunk)
  }

  end(): object {
    this.#splitter.end()
    const at = this.#at
    at.suspicious = this.#suspicious
    at.checked = this.#checked
    const message = this.#plan.read(this.#shell, at) as JsonObject
    if (at.faults.length > 0) throw new BadMessage(at.faults)
    if (this.#sink) this.#handOver(message, this.#sink)
    return message
  }

  /** Removes all items from the shell, and passes on those that could not be streamed. */
  #handOver(message: JsonObject, sink: Sink): void {
    for (const { name, list } of new Set(this.#plan.properties.values())) {
      const container = message[name] as Record<string, object[]> | undefined
      const items = list && container?.[list.name]
      if (!items) continue
      if (!this.#checked.has(items)) for (const item of items) sink(name, item)
      delete container[list.name]
    }
  }

  property(name: string): Descends {
    const owner = this.#container ?? this.#shell
    const known = this.#container ? undefined : this.#plan.properties.get(name)
    const inList = this.#container && this.#property?.list?.names.includes(name)
    this.#at.enter(inList ? this.#property!.list!.step : (known?.step ?? nameAsSent(name)))
    if (Object.hasOwn(owner, name)) this.fail('this field is given twice')
    if (name === '__proto__') this.fail('unknown field')
    this.#name = name
    if (inList) return descendsIntoList
    if (!this.#container) this.#property = known
    return known?.descends ?? readsWhole
  }

  propertyValue(value: unknown, suspicious: boolean): void {
    const owner = this.#container ?? this.#shell
    owner[this.#name] = value
    this.#suspicious ||= suspicious
    this.#at.leave()
  }

  openContainer(): void {
    this.#shell[this.#name] = this.#container = {}
  }

  closeContainer(): void {
    this.#container = undefined
    this.#at.leave()
  }

  openList(): void {
    const { name, step } = this.#property!.list!
    this.#list = []
    this.#count = 0
    this.#checked.add(this.#list)
    if (this.#container) this.#container[this.#name] = this.#list
    else {
      this.#shell[this.#name] = { [name]: this.#list }
      this.#at.enter(step, 1)
    }
  }

  items(values: readonly unknown[], suspicious: boolean): void {
    const at = this.#at
    const { name, list } = this.#property!
    at.suspicious = suspicious
    for (const value of values) {
      const faults = at.faults.length
      at.move(++this.#count)
      const item = list!.read(value, at) as object
      if (at.faults.length > faults) continue
      if (this.#sink) this.#sink(name, item)
      if (!this.#sink || this.#count === 1) this.#list!.push(item)
      if (this.#list!.length > list!.maxItems && at.limits.lists) this.fail(listFault(list!.maxItems))
    }
  }

  closeList(): void {
    this.#list = undefined
    this.#at.leave()
    if (!this.#container) this.#at.leave()
  }

  fail(message: string, ahead = 0, steps: readonly (string | number)[] = []): never {
    if (this.#list) this.#at.move(this.#count + ahead + 1)
    const path = this.#at.path() + steps.map(writtenStep).join('')
    throw new BadMessage([...this.#at.faults, { path, message }])
  }
}

/** A step into a value that is not validated yet, with the name as it was sent. */
const writtenStep = (step: string | number) => (typeof step === 'number' ? `[${step + 1}]` : `/${nameAsSent(step)}`)
