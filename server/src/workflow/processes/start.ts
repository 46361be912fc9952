/**
 * Starts workflows: many in one request, each validated on its own.
 *
 *   parameters   only those that the configuration defines, with its defaults
 *   linked       found by id or tid, one statement per kind of object; objects that the caller may not read do not exist
 *   first step   computed once for all processes whose expressions have equal values
 *
 * Each start is validated before anything is stored. An invalid start returns its issues; the others are started.
 */
import { randomUUID } from 'node:crypto'
import type {
  BulkStartRequest,
  Infer,
  LinkedObject,
  ProcessStartRequest,
  ResponseDto,
  workflow,
} from '@kontor/contract'
import { mayAct, type TargetRow } from '../../common/api.ts'
import { inBatch } from '../../core/batch/batch.ts'
import { type Caller, type Context, toStored } from '../../core/context.ts'
import { once } from '../../core/http/idempotency.ts'
import { nameOf, namesOf } from '../../core/batch/identify.ts'
import { newIds } from '../../core/batch/ids.sql.ts'
import type { RouteHandler } from '../../core/http/routes.ts'
import { Problem, type ProblemKind, problems } from '../../errors.ts'
import { type ConfigurationRow, listConfigurations } from '../configurations/configurations.sql.ts'
import { findVersion } from '../definitions/definitions.sql.ts'
import type { Step } from '../engine/engine.ts'
import { evaluate, type Scope } from '../engine/expressions.ts'
import type { Model } from '../engine/bpmn.ts'
import type { Engine } from '../engine/threaded.ts'
import { dataTypes } from '../linked.ts'
import type { Runtime } from '../runtime.ts'
import { readValues, type Value } from '../value-types.ts'
import * as rows from './processes.sql.ts'
import { storeStarts } from './steps.ts'

type Request = Infer<typeof BulkStartRequest>
type Start = Infer<typeof ProcessStartRequest>
type Linked = Infer<typeof LinkedObject>
type Response = Infer<typeof ResponseDto>

const maxStarts = 1000

export const start =
  (runtime: Runtime): RouteHandler<typeof workflow.routes.start> =>
  async (_, { body, caller, services, idempotency, status }) => {
    const starts = body.processStartRequests
    if (starts.length > maxStarts) {
      throw new Problem('invalid', `/bulkStartRequest/processStartRequests: more than ${maxStarts}; send fewer`)
    }
    const replies = await inBatch(services, caller, (ctx) => once(ctx, idempotency, () => startAll(ctx, runtime, body)))
    if (replies.every((reply) => reply.status === 'error')) status(500)
    return replies
  }

/** Starts processes in the caller's transaction; returns a reply for each start. */
export async function startAll(
  ctx: Context,
  runtime: Runtime,
  { configIdentifier, processStartRequests }: Request,
): Promise<Response[]> {
  const configured = await findConfigured(ctx, runtime, configIdentifier)
  if (isRefused(configured)) return processStartRequests.map(() => toReply(configured))
  const find = await findLinked(ctx, runtime, processStartRequests)
  const judged = processStartRequests.map((one) => judge(configured.configuration, one, find))
  const started = await begun(
    ctx,
    runtime,
    configured,
    judged.filter((one): one is Judged => !isRefused(one)),
  )
  let next = 0
  return judged.map((one) => toReply(isRefused(one) ? one : started[next++]!))
}

interface IssueOf {
  readonly kind: ProblemKind
  readonly content: string
}
interface Refused {
  readonly issues: readonly IssueOf[]
}
const isRefused = <T extends object>(outcome: T | Refused): outcome is Refused => 'issues' in outcome
const refused = (kind: ProblemKind, content: string): Refused => ({ issues: [{ kind, content }] })

function toReply(outcome: Refused | { readonly tid: string }): Response {
  if (!isRefused(outcome)) return { tid: outcome.tid, status: 'success', dataType: 'workflow' }
  const issues = outcome.issues.map(({ kind, content }) => {
    const { code, description } = problems[kind]
    return { code, description, content }
  })
  return { status: 'error', dataType: 'workflow', issues }
}

interface Configured {
  readonly configuration: ConfigurationRow
  readonly definitionId: number
  readonly model: Model
}

async function findConfigured({ db }: Context, { models }: Runtime, identifier: string): Promise<Configured | Refused> {
  const [configuration] = await listConfigurations(db, identifier)
  if (!configuration) return refused('notFound', `no workflow configuration has the identifier ${identifier}`)
  if (!configuration.enabled) return refused('invalid', `the workflow configuration ${identifier} is switched off`)
  const { definitionKey: key, definitionVersion } = configuration
  const version = await findVersion(db, key, definitionVersion)
  if (!version) return refused('notFound', `the definition ${key} of ${identifier} is not deployed`)
  return { configuration, definitionId: version.id, model: await models.of(db, version.id) }
}

// Validation of a start

type Find = (linked: Linked) => TargetRow | undefined

async function findLinked({ db, caller }: Context, { targets }: Runtime, starts: readonly Start[]): Promise<Find> {
  const all = starts.flatMap(({ linkedObjects = [] }) => linkedObjects)
  const found = new Map<string, TargetRow>()
  for (const [type, linked] of Map.groupBy(all, ({ type = '' }) => type)) {
    const dataType = dataTypes.get(type)
    const named = linked.filter(({ id, tid }) => (id === undefined) !== (tid === undefined))
    if (dataType === undefined || named.length === 0) continue
    for (const row of (await targets.get(dataType)?.lock(db, namesOf(named))) ?? []) {
      if (!mayAct(caller, 'read', dataType, row)) continue
      found.set(`${type} ${nameOf({ id: row.id })}`, row).set(`${type} ${nameOf({ tid: row.tid })}`, row)
    }
  }
  return (linked) => found.get(`${linked.type} ${nameOf(linked)}`)
}

interface Judged {
  readonly objects: readonly { type: string; dataType: string; id: number; tid: string }[]
  readonly parameters: Readonly<Record<string, Value | Value[]>>
}

function judge(
  configuration: ConfigurationRow,
  { linkedObjects = [], parameters = [] }: Start,
  find: Find,
): Judged | Refused {
  const issues: IssueOf[] = []
  const objects = linkedObjects.flatMap((linked, i) => {
    const fault = faultOf(configuration, linked)
    const row = fault ? undefined : find(linked)
    if (row) return [{ type: linked.type!, dataType: dataTypes.get(linked.type!)!, id: row.id, tid: row.tid }]
    const place = `linkedObjects[${i + 1}]`
    issues.push(
      fault
        ? { kind: 'invalid', content: `${place}: ${fault}` }
        : { kind: 'notFound', content: `${place}: no ${linked.type} has the ${nameOf(linked)}` },
    )
    return []
  })
  const read = readParameters(configuration, parameters)
  issues.push(...read.faults.map((content) => ({ kind: 'invalid' as const, content })))
  return issues.length > 0 ? { issues } : { objects, parameters: read.values }
}

function faultOf({ identifier, linkedTypes }: ConfigurationRow, { type = '', id, tid }: Linked): string | undefined {
  if (!dataTypes.has(type))
    return `type: unknown type "${type.slice(0, 50)}"; expected one of ${[...dataTypes.keys()].join(', ')}`
  if (!linkedTypes.includes(type)) {
    return `type: ${identifier} takes ${linkedTypes.length > 0 ? linkedTypes.join(', ') : 'no linked objects'}, not ${type}`
  }
  if ((id === undefined) === (tid === undefined)) return 'give either id or tid'
  return undefined
}

function readParameters({ identifier, parameters }: ConfigurationRow, given: NonNullable<Start['parameters']>) {
  const values: Record<string, Value | Value[]> = {}
  const faults: string[] = []
  const known = new Map(parameters.map((parameter) => [parameter.key, parameter]))
  const sent = new Map<string, readonly string[]>()
  given.forEach(({ key = '', type, values: texts = [] }, i) => {
    const rule = known.get(key)
    const place = `parameters[${i + 1}]`
    if (!rule) {
      const names = [...known.keys()].join(', ') || 'none'
      faults.push(`${place}: ${identifier} has no parameter "${key.slice(0, 50)}"; it has ${names}`)
    } else if (type !== undefined && type !== rule.type)
      faults.push(`${place}: ${key} has the type ${rule.type}, not ${type}`)
    else if (sent.has(key)) faults.push(`${place}: ${key} is given twice; give all its values at once`)
    else sent.set(key, texts)
  })
  for (const { key, type, multiple = false, required = false, defaultValues = [], allowedValues = [] } of parameters) {
    const texts = sent.get(key) ?? defaultValues
    if (texts.length === 0) {
      if (required) faults.push(`parameters: ${key} is missing`)
      values[key] = multiple ? [] : ''
      continue
    }
    const read = readValues({ key, type, multiple, allowedValues }, texts)
    if ('fault' in read) faults.push(`parameters: ${read.fault}`)
    else values[key] = read.value
  }
  return { values, faults }
}

// The first step

async function begun(
  ctx: Context,
  runtime: Runtime,
  { configuration, definitionId, model }: Configured,
  judged: readonly Judged[],
) {
  if (judged.length === 0) return []
  const ids = await newIds(ctx.db, judged.length)
  const stepFor = sharedSteps(runtime.engine, model)
  const begun: Begun[] = []
  for (const [i, one] of judged.entries()) {
    const process = { id: ids[i]!, tid: randomUUID(), objects: one.objects }
    const variables = variablesOf(ctx.caller, process, one)
    begun.push({ ...process, variables, step: await stepFor(variables) })
  }
  const failed = ({ step }: { step: Step }) => step.status === 'failed'
  const sound = begun.filter((one) => !failed(one))
  if (sound.length > 0) await store(ctx, runtime, { configuration, definitionId, model }, sound)
  return begun.map((one) =>
    failed(one) ? refused('invalid', `it fails in its first step: ${one.step.problem}`) : { tid: one.tid },
  )
}

interface Begun {
  readonly id: number
  readonly tid: string
  readonly objects: Judged['objects']
  readonly variables: Scope
  readonly step: Step
}

async function store(
  ctx: Context,
  runtime: Runtime,
  { configuration, definitionId, model }: Configured,
  begun: readonly Begun[],
) {
  const { identifier, name, candidateRoles, deadline, escalationRole } = configuration
  const defaults = {
    candidateRoles,
    ...(deadline !== null && { deadline }),
    ...(escalationRole !== null && { escalationRole }),
  }
  const states = [...new Set(begun.map(({ step }) => step.state))]
  const facts = {
    configIdentifier: identifier,
    name,
    definitionId,
    principal: toStored(ctx.caller),
    defaults,
  }
  await rows.insertProcesses(
    ctx.db,
    facts,
    states,
    begun.map(({ step, ...process }) => ({ ...process, state: step.status, engine: states.indexOf(step.state) })),
  )
  const moves = begun.map(({ id, variables, step }) => ({ process: { id, name, defaults, variables }, model, step }))
  await storeStarts(ctx, runtime, moves)
}

/** Returns a function that computes first steps. A step is reused if all its expressions have the same values again. */
function sharedSteps(engine: Engine, model: Model): (variables: Scope) => Promise<Step> {
  const known: Step[] = []
  const fits = (variables: Scope) => (step: Step) =>
    step.looked.every(([text, value]) => JSON.stringify(evaluate(text, variables)) === JSON.stringify(value))
  return async (variables) => {
    const same = known.find(fits(variables))
    if (same) return same
    const step = await engine.begin(model, variables)
    if (known.length < 20) known.push(step)
    return step
  }
}

/** The initial variables of a process: its starter, its linked objects, its parameters. */
function variablesOf(
  { userName }: Caller,
  { id, tid }: { id: number; tid: string },
  { objects, parameters }: Judged,
): Scope {
  const tids = (type: string) => objects.filter((one) => one.type === type).map((one) => one.tid)
  return {
    ...parameters,
    process: { id, tid },
    starter: userName,
    linked: objects.map((one) => ({ type: one.type, id: one.id, tid: one.tid })),
    products: tids('product'),
    files: tids('file'),
    projects: tids('project'),
    peos: tids('peo'),
    glossaries: tids('glossary'),
  }
}
