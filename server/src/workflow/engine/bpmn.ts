// oxlint-disable-next-line typescript/triple-slash-reference -- packages that import this one need it too
/// <reference path="./bpmn-moddle.d.ts" />
/**
 * BPMN 2.0 files: read, judged, and made into a model that the engine runs.
 *
 * The file is read by bpmn-moddle, which knows the schema, and judged by our rules (rules.ts), which know what the engine
 * can do. A model is only made of a file without faults. It holds what the engine shares between all processes of a
 * definition; nothing in it changes while they run.
 */
import { BpmnModdle } from 'bpmn-moddle'
import * as behaviours from 'bpmn-elements'
import serialize, { type SerializableContext, TypeResolver } from 'moddle-context-serializer'
import { Problem } from '../../errors.ts'
import { type Element, flowsAt, type JobInputs, listOf, typeOf, within } from './element.ts'
import { extension } from './extension.ts'
import { type Fault, judge } from './rules.ts'

export interface Model {
  /** The id of its process. */
  readonly key: string
  readonly name: string
  readonly context: SerializableContext
  /** Every element of the process, by id. */
  readonly elements: ReadonlyMap<string, Element>
}

export interface Reading {
  readonly key?: string
  readonly name?: string
  readonly faults: readonly Fault[]
  readonly model?: Model
}

export async function readBpmn(xml: string, jobs: JobInputs): Promise<Reading> {
  const parsed = await parse(xml)
  if (!('definitions' in parsed)) return parsed
  const { definitions, faults: unread } = parsed
  const { process, faults } = judge(definitions, jobs)
  const all = [...unread, ...faults]
  const { id: key, name = key } = process ?? {}
  if (!process || !key || all.length > 0) return { key, name, faults: all }
  const elements = within(process)
  return { key, name, faults: [], model: { key, name: name!, context: toContext(parsed, key, elements), elements } }
}

/** The same, for a file that was judged before. */
export async function loadModel(xml: string, jobs: JobInputs): Promise<Model> {
  const { model, faults } = await readBpmn(xml, jobs)
  if (model) return model
  throw new Problem('invalid', faults.map(sentenceOf))
}

export const sentenceOf = ({ element, name, type, reason }: Fault): string =>
  [[type, element, name && name !== element && `(${name})`].filter(Boolean).join(' '), reason]
    .filter(Boolean)
    .join(': ')

interface Parsed {
  readonly definitions: Element
  readonly faults: readonly Fault[]
  readonly source: unknown
}

async function parse(xml: string): Promise<Parsed | { faults: readonly Fault[] }> {
  try {
    const source = await new BpmnModdle({ kontor: extension }).fromXML(xml)
    const faults = source.warnings.flatMap(toFault)
    return { definitions: source.rootElement as unknown as Element, faults, source }
  } catch (error) {
    const [line = 'it is empty'] = (error as Error).message.split('\n')
    return { faults: [{ reason: `this is no BPMN 2.0 file: ${line}` }] }
  }
}

interface Warning {
  readonly message: string
  readonly element?: unknown
  readonly property?: string
  readonly value?: string
}

/** What moddle could not make sense of. Drawings may be incomplete; the process may not. */
function toFault({ message, element, property, value }: Warning): Fault[] {
  const owner = element as Element | undefined
  // A text has no encoding any more; and what only describes may name what it likes.
  if (message.startsWith('unsupported document encoding')) return []
  if (
    owner &&
    /^(bpmndi|di|dc):|^bpmn:(Operation|Interface|ItemDefinition|Message|DataStore|Participant)/.test(owner.$type)
  )
    return []
  if (owner && property) {
    const reason = `${property.replace('bpmn:', '')} names ${value}, which is not in the file`
    return [{ element: owner.id, name: owner.name, type: typeOf(owner), reason }]
  }
  return [{ reason: message.split('\n')[0]! }]
}

interface Timers {
  _getTimers(message: unknown): { timeout: number }
}

/**
 * A timer that only ends when it is told to. The engine would end one that is overdue as soon as its process is loaded,
 * whatever it was loaded for: a task that somebody completes must not be overtaken by its own deadline.
 */
class PatientTimer extends (behaviours.TimerEventDefinition as unknown as new (...parts: unknown[]) => Timers) {
  override _getTimers(message: unknown) {
    const timers = super._getTimers(message)
    return { ...timers, timeout: Math.max(timers.timeout, 1) }
  }
}

/** For the engine: of several processes only the one that is run counts as executable. */
function toContext({ source }: Parsed, key: string, elements: ReadonlyMap<string, Element>): SerializableContext {
  const context = serialize(
    source as never,
    TypeResolver({ ...behaviours, TimerEventDefinition: PatientTimer } as never),
  )
  const { processes, activities } = (context as unknown as { elements: Serialized }).elements
  for (const process of processes) process.behaviour.isExecutable = process.id === key
  for (const activity of activities) {
    withoutTrigger(activity, key)
    failing(activity, elements.get(activity.id))
    joining(activity, elements)
  }
  return context
}

interface Serialized {
  readonly processes: readonly { readonly id: string; readonly behaviour: { isExecutable: boolean } }[]
  readonly activities: readonly Activity[]
}
interface Activity {
  readonly id: string
  readonly type: string
  readonly parent: { readonly id: string }
  readonly behaviour: { eventDefinitions?: unknown; Service?: unknown }
  Behaviour: unknown
}

/** A process is started by us, whatever its start event says it waits for. */
function withoutTrigger({ type, parent, behaviour }: Activity, key: string): void {
  if (type === 'bpmn:StartEvent' && parent.id === key) delete behaviour.eventDefinitions
}

/**
 * An end event with an error fails like a job: the engine tells the error only after it has completed the subprocess,
 * too late for the boundary event that is to catch it.
 */
function failing(activity: Activity, element: Element | undefined): void {
  if (activity.type !== 'bpmn:EndEvent') return
  const definition = listOf(element?.eventDefinitions).find(({ $type }) => $type === 'bpmn:ErrorEventDefinition')
  if (!definition) return
  const { errorCode: code = '', name = code } = (definition.errorRef ?? {}) as { errorCode?: string; name?: string }
  const error = Object.assign(
    new Error(`${element!.name ?? activity.id}: the error ${name || 'without a name'} is caught nowhere`),
    { code },
  )
  delete activity.behaviour.eventDefinitions
  activity.Behaviour = behaviours.ServiceTask
  activity.behaviour.Service = function Failing() {
    return { execute: (_: unknown, answer: (error: Error) => void) => answer(error) }
  }
}

/**
 * Where inclusive ways meet, the engine would go on with the first. Its parallel gateway waits until each of its ways was
 * taken or can no longer be, which is what is meant.
 */
function joining(activity: Activity, elements: ReadonlyMap<string, Element>): void {
  if (activity.type !== 'bpmn:InclusiveGateway') return
  const element = elements.get(activity.id)
  if (element && flowsAt(elements, 'targetRef', element).length > 1) activity.Behaviour = behaviours.ParallelGateway
}
