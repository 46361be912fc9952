/**
 * Stores the results of a step, in its transaction: the state of the process, tasks for people, jobs for the queue, the
 * history, and messages to the users who have new tasks.
 *
 * One process or a thousand (a bulk start) take the same number of statements.
 */
import { addJobs } from '../../adapters/jobs/jobs.ts'
import type { Context } from '../../core/context.ts'
import { newIds } from '../../core/batch/ids.sql.ts'
import type { Model } from '../engine/bpmn.ts'
import { type Element, extensionsOf, listOf, textOf } from '../engine/element.ts'
import type { Step, Wait } from '../engine/engine.ts'
import { asText, evaluate, type Scope } from '../engine/expressions.ts'
import { notifyTasks } from '../tasks/notices.ts'
import { momentOf } from '../time.ts'
import type { Runtime } from '../runtime.ts'
import type { Defaults } from './processes.sql.ts'
import * as rows from './steps.sql.ts'

interface Moving {
  readonly id: number
  readonly name: string
  readonly defaults: Defaults
  readonly variables: Scope
}

export interface Move {
  readonly process: Moving
  readonly model: Model
  readonly step: Step
}

/** The queue name of workflow jobs. */
export const workflowJob = 'workflow.job'

/** Stores the first steps of processes that are already inserted. */
export async function storeStarts(ctx: Context, runtime: Runtime, moves: readonly Move[]): Promise<void> {
  await storeWaits(ctx, runtime, moves)
  const events = moves.flatMap(({ process, step }) => [
    { processId: process.id, element: '', event: 'started' },
    ...eventsOf(process.id, step),
  ])
  await rows.insertEvents(ctx.db, ctx.caller.userName, events)
  for (const { process } of moves) ctx.record({ dataType: 'workflow', id: process.id, event: 'CREATE' })
}

/** Stores a step of a locked process. Tasks and jobs it no longer waits for are cancelled. */
export async function storeStep(ctx: Context, runtime: Runtime, move: Move): Promise<void> {
  const { process, step } = move
  const { id, variables } = process
  await rows.updateProcess(ctx.db, { id, state: step.status, engine: step.state, problem: step.problem, variables })
  await rows.cancelOthers(
    ctx.db,
    id,
    step.waits.map(({ key }) => key),
  )
  await storeWaits(ctx, runtime, [move])
  await rows.insertEvents(ctx.db, ctx.caller.userName, eventsOf(id, step))
  ctx.record({ dataType: 'workflow', id, event: 'UPDATE', action: step.status === 'running' ? 'advance' : step.status })
}

function eventsOf(processId: number, { passed, status, problem }: Step): rows.NewEvent[] {
  const end = { processId, element: '', event: status, ...(problem !== undefined && { text: problem }) }
  return [...passed.map((one) => ({ processId, ...one })), ...(status === 'running' ? [] : [end])]
}

async function storeWaits(ctx: Context, runtime: Runtime, moves: readonly Move[]): Promise<void> {
  const waits = moves.flatMap((move) => move.step.fresh.map((wait) => ({ move, wait })))
  if (waits.length === 0) return
  const ids = await newIds(ctx.db, waits.length)
  const numbered = waits.map((one, i) => ({ ...one, id: ids[i]! }))
  const tasks = numbered.filter(({ wait }) => wait.kind === 'task').map(toTask)
  if (tasks.length > 0) {
    await rows.insertTasks(ctx.db, tasks)
    await notifyTasks(ctx, runtime, tasks, new Map(moves.map(({ process }) => [process.id, process])))
  }
  const jobs = numbered.filter(({ wait }) => wait.kind !== 'task').map(toJob)
  if (jobs.length > 0) await rows.insertJobs(ctx.db, jobs)
  await enqueue(ctx, jobs)
}

/** Adds jobs to the queue at their due time. Messages are left out, because they arrive from outside. */
export async function enqueue(
  { db }: Pick<Context, 'db'>,
  jobs: readonly Pick<rows.NewJob, 'id' | 'kind' | 'runAt'>[],
) {
  const due = jobs.filter(({ kind }) => kind !== 'message')
  if (due.length === 0) return
  await addJobs(
    db,
    workflowJob,
    due.map(({ id, runAt }) => ({ payload: { jobId: id }, key: `${workflowJob}:${id}`, ...(runAt && { runAt }) })),
  )
}

interface Numbered {
  readonly id: number
  readonly move: Move
  readonly wait: Wait
}

/** Creates the task that an element describes, with its expressions evaluated. */
function toTask({ id, wait, move: { process, model } }: Numbered): rows.NewTask {
  const element = model.elements.get(wait.element)!
  const scope = { ...process.variables, ...('item' in wait && { item: wait.item }) }
  const textFor = (value: unknown) => {
    const text = textOf(value)
    return text === undefined ? '' : asText(evaluate(text, scope)).trim()
  }
  const { candidateRoles, deadline } = process.defaults
  const assignee = textFor(element.assignee)
  const users = namesIn(textFor(element.candidateUsers))
  const roles = namesIn(textFor(element.candidateRoles))
  const dueAt = momentOf(textFor(element.due) || (deadline ?? ''))
  return {
    id,
    processId: process.id,
    waitKey: wait.key,
    element: wait.element,
    name: (textFor(element.name) || wait.element).slice(0, 255),
    description: listOf(element.documentation)
      .map((one) => textFor(one.text))
      .join('\n'),
    ...(wait.item !== undefined && { item: asText(wait.item) }),
    ...(assignee !== '' && { assignee }),
    candidateUsers: users,
    // A task without candidates would wait forever.
    candidateRoles: roles.length > 0 || users.length > 0 || assignee !== '' ? roles : orAdmin(candidateRoles),
    priority: priorityOf(textFor(element.priority)),
    ...(dueAt && { dueAt }),
    form: formOf(element),
  }
}

const orAdmin = (roles: readonly string[]) => (roles.length > 0 ? roles : ['admin'])
const namesIn = (text: string) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
const priorityOf = (text: string) => (/^\d+$/.test(text) ? Math.min(Number(text), 100) : 50)

const formOf = (element: Element) =>
  extensionsOf(element, 'Form').flatMap(({ fields }) =>
    listOf(fields).map(({ key, name, type, required, multiple, values, default: defaultValue }) => ({
      key,
      name: name ?? key,
      type: type ?? 'string',
      required: required === 'true',
      multiple: multiple === 'true',
      allowedValues: namesIn(textOf(values) ?? ''),
      ...(defaultValue !== undefined && { defaultValue }),
    })),
  )

function toJob({ id, wait, move: { process, model } }: Numbered): rows.NewJob {
  const element = model.elements.get(wait.element)!
  const job = wait.kind === 'service' ? textOf(element.job) : wait.message?.name
  return {
    id,
    processId: process.id,
    waitKey: wait.key,
    kind: wait.kind as rows.NewJob['kind'],
    element: wait.element,
    name: (element.name ?? wait.element).slice(0, 255),
    ...(job !== undefined && { job }),
    ...(wait.message && { messageId: wait.message.id }),
    ...(wait.item !== undefined && { item: wait.item }),
    ...(wait.due && { runAt: wait.due }),
  }
}
