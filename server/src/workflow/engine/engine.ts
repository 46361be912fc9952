/**
 * Computes one step of a process in memory: from a stored state and one input to the next state in which everything
 * waits.
 *
 *   state + variables + input  ->  bpmn-elements runs until every branch waits  ->  state, waits, passed elements
 *
 * bpmn-elements runs synchronously and never stays in memory: the process is built, advanced and discarded, so any
 * server process can compute the next step. It starts no timers and calls no services; the caller stores the waits and
 * acts on them. Variables are not part of the state. The collection of a loop is, because it must not change while the
 * loop runs.
 */
import { Context, Definition, Environment } from 'bpmn-elements'
import type { Model } from './bpmn.ts'
import { type Element, listOf, textOf, typeOf } from './element.ts'
import { evaluate, type Scope } from './expressions.ts'

type WaitKind = 'task' | 'service' | 'timer' | 'message'

/** A task, service, timer or message that the process waits for. The key is unique in the process and never reused. */
export interface Wait {
  readonly key: string
  readonly kind: WaitKind
  readonly element: string
  /** The list item, if the element is repeated for a list. */
  readonly item?: unknown
  readonly due?: Date
  /** Id in the file and name of a message or signal. */
  readonly message?: { readonly id: string; readonly name: string }
}

type Happening = 'entered' | 'completed' | 'discarded' | 'taken' | 'timer' | 'caught'
interface Passed {
  readonly element: string
  readonly event: Happening
}

/** The outcome of a wait. */
export type Input =
  | { readonly kind: 'done'; readonly key: string }
  | { readonly kind: 'error'; readonly key: string; readonly code: string; readonly message: string }
  | { readonly kind: 'timer'; readonly key: string }
  | { readonly kind: 'message'; readonly id: string }

export interface Step {
  readonly status: 'running' | 'finished' | 'failed'
  readonly state: string
  /** All waits of the process; `fresh` are those added by this step. */
  readonly waits: readonly Wait[]
  readonly fresh: readonly Wait[]
  readonly passed: readonly Passed[]
  readonly problem?: string
  /** Every expression that was evaluated, with its value. Processes with equal values take the same step. */
  readonly looked: readonly (readonly [text: string, value: unknown])[]
}

export const begin = (model: Model, variables: Scope): Step =>
  run(model, variables, (process) => process.definition.run())

export function advance(model: Model, variables: Scope, state: string, input: Input): Step {
  return run(model, variables, (process) => {
    const { engine, collections, alive } = JSON.parse(state) as Stored
    for (const [key, list] of collections) process.collections.set(key, list)
    for (const [key, execution] of alive) process.alive.set(key, execution)
    // The stored state is opaque to us, so it is not typed.
    process.definition.recover(engine as never)
    process.definition.resume()
    for (const [key, { element }] of process.alive) noteSignal(process, model, element, key)
    process.resumed = new Set(process.waits.keys())
    // The compiler does not relate the kind of an input to its handler.
    inputs[input.kind](process, input as never)
  })
}

const inputs: { [K in Input['kind']]: (process: Running, input: Extract<Input, { kind: K }>) => void } = {
  done: ({ definition, calls }, { key }) => {
    const call = calls.get(key)
    if (call) call.done(null, {})
    else definition.signal({ executionId: key })
  },
  error: ({ calls }, { key, code, message }) => calls.get(key)?.done(Object.assign(new Error(message), { code })),
  timer: ({ calls }, { key }) => calls.get(key)?.done(),
  message: ({ definition }, { id }) => definition.signal({ id }),
}

interface Stored {
  readonly engine: object
  readonly alive: readonly (readonly [string, Execution])[]
  readonly collections: readonly (readonly [string, readonly unknown[]])[]
}

interface Call {
  done(error?: Error | null, output?: object): void
}

/** One execution of an element, with the executions of its enclosing subprocesses, innermost first. */
interface Execution {
  readonly element: string
  readonly parents: readonly string[]
}

/** A process while it is in memory. */
interface Running {
  readonly definition: Definition
  readonly waits: Map<string, Wait>
  /** Callbacks by which services and timers report completion to the engine. */
  readonly calls: Map<string, Call>
  readonly collections: Map<string, readonly unknown[]>
  /** Executions that were entered and not left yet, by id. */
  readonly alive: Map<string, Execution>
  readonly passed: Passed[]
  readonly looked: [string, unknown][]
  /** Keys of the waits that existed when the step began. */
  resumed: ReadonlySet<string>
  problem?: string
}

function run(model: Model, variables: Scope, move: (process: Running) => void): Step {
  const process = build(model, variables)
  try {
    move(process)
  } catch (error) {
    process.problem ??= (error as Error).message
  }
  const { definition, waits, resumed, passed, looked, problem, collections, alive } = process
  const status = problem === undefined ? (definition.isRunning ? 'running' : 'finished') : 'failed'
  const open = status === 'running' ? [...waits.values()] : []
  return {
    status,
    state:
      status === 'running'
        ? JSON.stringify({ engine: withoutVariables(definition), collections: [...collections], alive: [...alive] })
        : '',
    waits: open,
    fresh: open.filter(({ key }) => !resumed.has(key)),
    passed,
    looked,
    ...(problem !== undefined && { problem }),
  }
}

const withoutVariables = (definition: Definition) => ({ ...definition.getState(), environment: {} })

function build(model: Model, variables: Scope): Running {
  const parts: Omit<Running, 'definition'> = {
    waits: new Map(),
    calls: new Map(),
    collections: new Map(),
    alive: new Map(),
    passed: [],
    looked: [],
    resumed: new Set(),
  }
  // The library's types of these hooks are stricter than its documented interface.
  const environment = new Environment({
    timers: timersOf(parts) as never,
    expressions: expressionsOf(model, variables, parts) as never,
    extensions: { kontor: servicesOf(parts) as never },
  })
  const process: Running = Object.assign(parts, { definition: new Definition(Context(model.context, environment)) })
  process.definition.broker.subscribeTmp(
    'event',
    '#',
    (key: string, message: unknown) => note(process, model, key, (message as Message).content),
    {
      noAck: true,
    },
  )
  process.definition.on('error', (error: Error) => (process.problem = error.message))
  return process
}

interface Message {
  readonly content: Content
}
interface Content {
  readonly id: string
  readonly type: string
  readonly executionId: string
  readonly isRootScope?: boolean
  readonly expireAt?: Date
  readonly parent?: { readonly executionId?: string; readonly path?: readonly { readonly executionId?: string }[] }
  readonly message?: { readonly id?: string; readonly name?: string }
}

type Parts = Omit<Running, 'definition'>

/** Records timers instead of starting them. */
function timersOf(parts: Parts) {
  const { waits, calls } = parts
  const clear = (key: unknown) => {
    waits.delete(key as string)
    calls.delete(key as string)
  }
  const register = (content: Content) => ({
    setTimeout: (done: () => void, delay: number) => {
      const { executionId: key, id: element } = content
      const due = content.expireAt ?? new Date(Date.now() + delay)
      waits.set(key, { key, kind: 'timer', element, due, ...itemOf(content, parts) })
      calls.set(key, {
        done: () => {
          clear(key)
          done()
        },
      })
      return key
    },
    clearTimeout: clear,
  })
  return { register, setTimeout: () => undefined, clearTimeout: clear }
}

/** Records service calls instead of making them. */
const servicesOf = (parts: Parts) => (activity: { type: string; behaviour: { Service?: unknown } }) => {
  if (!/^bpmn:(Service|Send|BusinessRule)Task$/.test(activity.type)) return undefined
  const { waits, calls } = parts
  activity.behaviour.Service = function Service() {
    let key = ''
    const forget = () => {
      waits.delete(key)
      calls.delete(key)
    }
    return {
      execute({ content }: Message, answer: (error: Error | null, output?: object) => void) {
        key = content.executionId
        waits.set(key, { key, kind: 'service', element: content.id, ...itemOf(content, parts) })
        calls.set(key, {
          done: (error = null, output) => {
            forget()
            answer(error, output)
          },
        })
      },
      discard: forget,
      stop: forget,
    }
  }
  return undefined
}

function expressionsOf(model: Model, variables: Scope, parts: Parts) {
  const { collections, looked } = parts
  const resolve = (text: unknown, message: Message) => {
    if (typeof text !== 'string') return text
    const { content } = message
    const ofLoop = content?.isRootScope && collectionOf(model.elements.get(content.id)) === text
    const known = ofLoop ? collections.get(content.executionId) : undefined
    if (known) return known
    const value = evaluate(text, { ...variables, ...(content && itemOf(content, parts)) })
    if (text.includes('${')) looked.push([text, value])
    if (!ofLoop) return value
    const list = Array.isArray(value) ? value : value === null || value === '' ? [] : [value]
    collections.set(content.executionId, list)
    return list
  }
  return { resolveExpression: resolve, isExpression: () => true, hasExpression: () => true }
}

const collectionOf = (element: Element | undefined) =>
  textOf((element?.loopCharacteristics as Element | undefined)?.collection)

/** The list item of an execution: its own, or that of an enclosing subprocess. */
function itemOf({ executionId }: Content, { collections, alive }: Parts): { item?: unknown } {
  const { parents = [] } = aliveOf(alive, executionId) ?? {}
  for (const id of [executionId, ...parents]) {
    const list = collections.get(baseOf(id))
    if (list) return { item: list[Number(id.slice(id.lastIndexOf('_') + 1))] }
  }
  return {}
}

/** Executions of a repeated element have the id of the whole loop and their number: `task_ab12_3`. */
const baseOf = (executionId: string) => executionId.slice(0, executionId.lastIndexOf('_'))
const aliveOf = (alive: Parts['alive'], id: string) => alive.get(id) ?? alive.get(baseOf(id))

/** Handles the events of the engine: records waits for people and messages, and every element that is passed. */
function note(process: Running, model: Model, key: string, content: Content): void {
  const element = model.elements.get(content.id)
  if (!element) return
  const { id, executionId } = content
  if (key === 'activity.enter') {
    process.alive.set(executionId, { element: id, parents: parentsOf(content) })
    noteSignal(process, model, id, executionId)
  }
  if (key === 'activity.wait') {
    const wait = waitOf(element, content)
    if (wait) process.waits.set(wait.key, { ...wait, ...itemOf(content, process) })
  }
  if (key === 'activity.consumed' || key === 'activity.catch') forgetWait(process, executionId)
  if (key === 'activity.leave') leave(process, executionId)
  const event = happenings.get(key)
  // Boundary events are entered and left together with their task, so both are left out of the history.
  if (event && !(element.$type === 'bpmn:BoundaryEvent' && (event === 'entered' || event === 'discarded'))) {
    process.passed.push({ element: id, event })
  }
}

const happenings = new Map<string, Happening>([
  ['activity.enter', 'entered'],
  ['activity.end', 'completed'],
  ['activity.discard', 'discarded'],
  ['flow.take', 'taken'],
  ['activity.timeout', 'timer'],
  ['activity.catch', 'caught'],
])

const parentsOf = ({ parent }: Content) =>
  [parent?.executionId, ...(parent?.path ?? []).map(({ executionId }) => executionId)].filter((id) => id !== undefined)

/** The engine reports waits for messages, but not for signals, so these are recorded here. */
function noteSignal({ waits }: Running, model: Model, id: string, key: string): void {
  const element = model.elements.get(id)!
  if (!/^bpmn:(IntermediateCatch|Boundary)Event$/.test(element.$type)) return
  const definition = listOf(element.eventDefinitions).find(({ $type }) => $type === 'bpmn:SignalEventDefinition')
  if (!definition?.signalRef) return
  const { id: signal, name = signal } = definition.signalRef as Element
  waits.set(key, { key, kind: 'message', element: id, message: { id: signal!, name: name! } })
}

function forgetWait({ waits }: Running, key: string): void {
  const kind = waits.get(key)?.kind
  if (kind === 'task' || kind === 'message') waits.delete(key)
}

/** Removes the waits of an element that is left: its own, those of its repetitions, and those of nested elements. */
function leave({ waits, calls, alive }: Running, executionId: string): void {
  const isOf = (id: string) => id === executionId || id.startsWith(`${executionId}_`)
  const isIn = (id: string) => isOf(id) || (aliveOf(alive, id)?.parents.some(isOf) ?? false)
  for (const key of [...waits.keys()].filter(isIn)) {
    waits.delete(key)
    calls.delete(key)
  }
  for (const id of [...alive.keys()].filter(isIn)) alive.delete(id)
}

function waitOf(element: Element, { executionId: key, message }: Content): Wait | undefined {
  const type = typeOf(element)
  if (type === 'userTask' || type === 'manualTask') return { key, kind: 'task', element: element.id! }
  if (!message?.id) return undefined
  return { key, kind: 'message', element: element.id!, message: { id: message.id, name: message.name ?? message.id } }
}

/** Whether a boundary event of the element, or of an enclosing subprocess, catches an error with this code. */
export function isCaught({ elements }: Model, id: string, code: string): boolean {
  for (let at = elements.get(id); at; at = at.$parent) {
    for (const event of elements.values()) {
      if (event.$type === 'bpmn:BoundaryEvent' && event.attachedToRef === at && catches(event, code)) return true
    }
  }
  return false
}

const catches = ({ eventDefinitions }: Element, code: string) =>
  listOf(eventDefinitions).some(({ $type, errorRef }) => {
    if ($type !== 'bpmn:ErrorEventDefinition') return false
    const expected = (errorRef as Element | undefined)?.errorCode
    return expected === undefined || expected === code
  })
