/**
 * Requirements for a BPMN file that is to be run, as tables: the elements that the engine supports, and the rules for
 * each.
 *
 * A fault names its element and the remedy. A purely descriptive model (without conditions or jobs) is rejected at
 * deployment, not in the middle of a process.
 */
import { parameterTypes } from '@kontor/contract'
import { type Element, extensionsOf, flowsAt, type JobInputs, listOf, textOf, typeOf, within } from './element.ts'
import { faultOf, isExpression } from './expressions.ts'
import { timerFault } from './timers.ts'
import { isVariable } from '../value-types.ts'

export interface Fault {
  readonly element?: string
  readonly name?: string
  readonly type?: string
  readonly reason: string
}

interface RuleContext {
  readonly process: Element
  readonly elements: ReadonlyMap<string, Element>
  readonly jobs: JobInputs
  /** Ids of the other processes in the file. */
  readonly processes: ReadonlySet<string>
}
type Rule = (element: Element, context: RuleContext) => readonly (string | undefined)[]

const expressionIn = (what: string, text: string | undefined) => {
  const fault = text === undefined ? undefined : faultOf(text)
  return fault && `${what}: ${fault}`
}

const person: Rule = (element) => [
  ...['assignee', 'candidateUsers', 'candidateRoles', 'due', 'priority'].map((name) =>
    expressionIn(`kontor:${name}`, textOf(element[name])),
  ),
  ...extensionsOf(element, 'Form').flatMap(({ fields }) => listOf(fields).flatMap(fieldFaults)),
]

function fieldFaults({ key, type }: Element): (string | undefined)[] {
  const [name, kind] = [textOf(key) ?? '', textOf(type) ?? 'string']
  return [
    isVariable(name)
      ? undefined
      : `the field "${name}" of its form cannot be a variable; use letters, digits and _, and no reserved word`,
    parameterTypes.some((known) => known === kind)
      ? undefined
      : `the field ${name} has the unknown type "${kind}"; expected one of ${parameterTypes.join(', ')}`,
  ]
}

const system: Rule = (element, { jobs }) => {
  const job = textOf(element.job)
  if (!job) return [`has no kontor:job; name one of ${[...jobs.keys()].join(', ')}`]
  const known = jobs.get(job)
  if (!known) return [`unknown kontor:job ${job}; expected one of ${[...jobs.keys()].join(', ')}`]
  const given = extensionsOf(element, 'Input')
  const names = new Set(given.map(({ name }) => name ?? ''))
  return [
    ...Object.entries(known).map(([name, must]) =>
      must && !names.has(name) ? `the job ${job} needs a kontor:input named ${name}` : undefined,
    ),
    ...[...names].map((name) =>
      Object.hasOwn(known, name)
        ? undefined
        : `the job ${job} takes no input named ${name}; it takes ${Object.keys(known).join(', ') || 'none'}`,
    ),
    ...given.map((input) => expressionIn(`kontor:input ${input.name}`, textOf(input.text))),
  ]
}

/** Flows out of a branching gateway need conditions; otherwise the engine cannot choose one. */
const diverging: Rule = (element, { elements }) => {
  const outgoing = flowsAt(elements, 'sourceRef', element)
  if (outgoing.length < 2) return []
  return outgoing
    .filter((flow) => flow !== element.default && !flow.conditionExpression)
    .map(
      (flow) =>
        `the sequence flow ${flow.id}${flow.name ? ` (${flow.name})` : ''} has no condition; give it one, or make it the default`,
    )
}

const oneWay: Rule = (element, { elements }) => {
  const ways = (['targetRef', 'sourceRef'] as const).map((end) => flowsAt(elements, end, element).length)
  return [ways.every((count) => count > 1) ? 'joins ways and parts them; draw a gateway for each' : undefined]
}

const flow: Rule = ({ conditionExpression, sourceRef, targetRef }) => {
  const condition = conditionExpression as Element | undefined
  if (!sourceRef || !targetRef) return ['connects nothing; it needs sourceRef and targetRef']
  if (!condition) return []
  if (condition.language)
    return [`its condition is in ${String(condition.language)}; write it as an expression like \${approved == true}`]
  const text = textOf(condition) ?? ''
  if (!isExpression(text))
    return [`its condition "${text.slice(0, 60)}" is not an expression; write it like \${approved == true}`]
  return [expressionIn('its condition', text)]
}

const loop: Rule = ({ loopCharacteristics }) => {
  const characteristics = loopCharacteristics as Element | undefined
  if (!characteristics) return []
  const { collection, loopCardinality, completionCondition, loopCondition, loopMaximum } = characteristics
  const texts = [collection, loopCardinality, completionCondition, loopCondition].map(textOf)
  const ends = textOf(collection) ?? textOf(loopCardinality) ?? textOf(loopCondition) ?? loopMaximum
  return [
    ends === undefined
      ? 'repeats without an end; give it kontor:collection, a loopCardinality or a loopCondition'
      : undefined,
    ...texts.map((text) => expressionIn('its loop', text)),
  ]
}

const called: Rule = (element, { processes }) => {
  const name = textOf(element.calledElement)
  if (name && processes.has(name)) return []
  return [
    `calls ${name ?? 'nothing'}, which is not a process of this file; use a service task with the job startWorkflow`,
  ]
}

const boundary: Rule = ({ attachedToRef, eventDefinitions }) => [
  attachedToRef ? undefined : 'is attached to nothing; it needs attachedToRef',
  listOf(eventDefinitions).length > 0 ? undefined : 'waits for nothing; it needs an event definition',
]
const catching: Rule = ({ eventDefinitions }) => [
  listOf(eventDefinitions).length > 0 ? undefined : 'waits for nothing; it needs an event definition',
]
const receiving: Rule = ({ messageRef }) => [messageRef ? undefined : 'waits for no message; it needs messageRef']
const ordinary: Rule = ({ triggeredByEvent }) => [
  triggeredByEvent
    ? 'is started by an event, which is not run; attach a boundary event to a subprocess instead'
    : undefined,
]
const none: Rule = () => []
const refuse =
  (reason: string): Rule =>
  () => [reason]

const ordered = 'the order of its steps is left to people; draw them with sequence flows, or as one user task'
const script = 'scripts are not run on the server; use an expression in a condition, or a service task with a job'
const choreography = 'choreographies describe and cannot be run; draw a process'

/** Every element that a process may contain. */
// prettier-ignore
const rules: Readonly<Record<string, readonly Rule[]>> = {
  startEvent: [], endEvent: [], intermediateThrowEvent: [],
  intermediateCatchEvent: [catching], boundaryEvent: [boundary],
  task: [loop], userTask: [person, loop], manualTask: [person, loop],
  serviceTask: [system, loop], sendTask: [system, loop], businessRuleTask: [system, loop],
  receiveTask: [receiving, loop], callActivity: [called, loop],
  subProcess: [loop, ordinary], transaction: [loop],
  exclusiveGateway: [diverging], inclusiveGateway: [diverging, oneWay], parallelGateway: [], eventBasedGateway: [],
  sequenceFlow: [flow],
  dataObject: [], dataObjectReference: [], dataStoreReference: [], textAnnotation: [], group: [], association: [],
  scriptTask: [refuse(script)],
  complexGateway: [refuse('complex gateways are not run; use an inclusive or an exclusive gateway')],
  adHocSubProcess: [refuse(ordered)],
  choreographyTask: [refuse(choreography)], subChoreography: [refuse(choreography)], callChoreography: [refuse(choreography)],
}

const timer: Rule = ({ timeDuration, timeDate, timeCycle }) => {
  const given = Object.entries({ timeDuration, timeDate, timeCycle }).flatMap(([kind, value]) => {
    const text = textOf(value)
    return text ? [{ kind, text }] : []
  })
  if (given.length !== 1) return ['its timer needs one of timeDuration, timeDate and timeCycle']
  const [{ kind, text }] = given as [{ kind: string; text: string }]
  if (text.includes('${')) return [expressionIn(`its ${kind}`, text)]
  const fault = timerFault(kind, text)
  return [fault && `its ${kind} "${text.slice(0, 60)}" ${fault}`]
}

const naming =
  (property: string, what: string): Rule =>
  (definition) => [definition[property] ? undefined : `names no ${what}; it needs ${property}`]

/**
 * Rules for the definitions of events. An error or escalation definition without a reference catches every error or
 * escalation.
 */
// prettier-ignore
const eventRules: Readonly<Record<string, Rule>> = {
  timerEventDefinition: timer,
  messageEventDefinition: naming('messageRef', 'message'),
  signalEventDefinition: naming('signalRef', 'signal'),
  errorEventDefinition: none, escalationEventDefinition: none, terminateEventDefinition: none,
  linkEventDefinition: none, compensateEventDefinition: none, cancelEventDefinition: none,
  conditionalEventDefinition: refuse('conditions are not watched; use a gateway after the task that changes the value'),
}

/** Returns the process of the file that is to be run, and all faults that prevent it. */
export function judge(definitions: Element, jobs: JobInputs): { process?: Element; faults: Fault[] } {
  const all = listOf(definitions.rootElements).filter(({ $type }) => $type === 'bpmn:Process')
  const process = executableOf(all)
  if (typeof process === 'string') return { faults: [{ reason: process }] }
  const elements = within(process)
  const processes = new Set(all.filter((one) => one !== process).flatMap(({ id }) => id ?? []))
  const context = { process, elements, jobs, processes }
  const faults = [...elements.values()].flatMap((element) =>
    element === process ? [] : reasonsFor(element, context).map((reason) => faultAt(element, reason)),
  )
  return { process, faults: [...startFaults(process), ...faults] }
}

export const faultAt = (element: Element, reason: string): Fault => ({
  ...(element.id !== undefined && { element: element.id }),
  ...(element.name !== undefined && { name: element.name }),
  type: typeOf(element),
  reason,
})

function reasonsFor(element: Element, context: RuleContext): string[] {
  const applied = rules[typeOf(element)]
  if (!applied) return ['is not supported; use an element of BPMN 2.0 that can be run']
  const events = listOf(element.eventDefinitions).flatMap((definition) =>
    // Processes are started explicitly, so the trigger of their start event does not matter.
    element.$type === 'bpmn:StartEvent' && element.$parent === context.process
      ? []
      : (eventRules[typeOf(definition)] ?? refuse(`${typeOf(definition)} is not supported`))(definition, context),
  )
  return [...applied.flatMap((rule) => rule(element, context)), ...events].filter((reason) => reason !== undefined)
}

/** The process marked as executable; if none is marked, the only process with elements. */
function executableOf(processes: readonly Element[]): Element | string {
  const marked = processes.filter(({ isExecutable }) => isExecutable === true)
  const candidates =
    marked.length > 0 ? marked : processes.filter(({ flowElements }) => listOf(flowElements).length > 0)
  const [process, other] = candidates
  if (!process) return 'the file holds no process with elements; draw one'
  if (other)
    return `the file holds several processes (${candidates.map(({ id }) => id).join(', ')}); mark the one to run with isExecutable="true"`
  return process
}

function startFaults(process: Element): Fault[] {
  const starts = listOf(process.flowElements).filter(({ $type }) => $type === 'bpmn:StartEvent')
  if (starts.length <= 1) return []
  const names = starts.map(({ id }) => id).join(', ')
  return [faultAt(process, `has several start events (${names}), and a start cannot choose one; keep one`)]
}
