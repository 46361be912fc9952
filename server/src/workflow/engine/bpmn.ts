// oxlint-disable-next-line typescript/triple-slash-reference -- packages that import this one need it too
/// <reference path="./bpmn-moddle.d.ts" />
/**
 * BPMN 2.0 files: parsed, validated, and converted into a model that the engine runs.
 *
 * bpmn-moddle parses the file against the BPMN schema; our rules (rules.ts) check that the engine supports it. Only a
 * file without faults becomes a model. A model is shared by all processes of a definition and is never modified.
 */
import { BpmnModdle } from 'bpmn-moddle'
import * as behaviours from 'bpmn-elements'
import serialize, { type SerializableContext, TypeResolver } from 'moddle-context-serializer'
import { Problem } from '../../errors.ts'
import { type Element, flowsAt, type JobInputs, listOf, within } from './element.ts'
import { extension } from './extension.ts'
import { type Fault, faultAt, judge } from './rules.ts'
import { PatientTimer } from './timers.ts'

export interface Model {
  /** The id of the process. */
  readonly key: string
  readonly name: string
  readonly context: SerializableContext
  /** The file. */
  readonly xml: string
  /** Every element of the process, by id. */
  readonly elements: ReadonlyMap<string, Element>
}

export interface Reading {
  readonly key?: string | undefined
  readonly name?: string | undefined
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
  const context = toContext(parsed, key, elements)
  return { key, name, faults: [], model: { key, name: name!, xml, context, elements } }
}

/** The same for a file that has been validated before. */
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
    return { faults: [{ reason: `this is not a BPMN 2.0 file: ${line}` }] }
  }
}

interface Warning {
  readonly message: string
  readonly element?: unknown
  readonly property?: string
  readonly value?: string
}

/** Converts a warning of moddle to faults. Diagram data may be incomplete; the process itself may not. */
function toFault({ message, element, property, value }: Warning): Fault[] {
  const owner = element as Element | undefined
  // The file is already decoded, so its encoding does not matter, and purely descriptive elements may refer to
  // anything.
  if (message.startsWith('unsupported document encoding')) return []
  if (
    owner &&
    /^(bpmndi|di|dc):|^bpmn:(Operation|Interface|ItemDefinition|Message|DataStore|Participant)/.test(owner.$type)
  )
    return []
  if (owner && property) {
    const reason = `${property.replace('bpmn:', '')} names ${value}, which is not in the file`
    return [faultAt(owner, reason)]
  }
  return [{ reason: message.split('\n')[0]! }]
}

/** The context for the library. Of several processes, only the selected one is marked as executable. */
function toContext({ source }: Parsed, key: string, elements: ReadonlyMap<string, Element>): SerializableContext {
  // moddle, the serializer and the engine each declare their own types for the same objects.
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

/** Kontor starts processes itself, so the trigger of the start event is removed. */
function withoutTrigger({ type, parent, behaviour }: Activity, key: string): void {
  if (type === 'bpmn:StartEvent' && parent.id === key) delete behaviour.eventDefinitions
}

/**
 * Makes an error end event fail like a service task. The library reports the error only after it has completed the
 * subprocess, too late for the boundary event that should catch it.
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
 * Replaces a joining inclusive gateway, which in the library continues with the first flow. Its parallel gateway waits
 * until every flow was taken or can no longer be taken, as BPMN requires.
 */
function joining(activity: Activity, elements: ReadonlyMap<string, Element>): void {
  if (activity.type !== 'bpmn:InclusiveGateway') return
  const element = elements.get(activity.id)
  if (element && flowsAt(elements, 'targetRef', element).length > 1) activity.Behaviour = behaviours.ParallelGateway
}
