/** Rules of /workflow/processes: list and inspect processes, cancel and delete them, send them messages. */
import { because } from '@kontor/contract'
import type { Infer, ProcessMessage, workflow, WorkflowProcess } from '@kontor/contract'
import { inBatch, type Services } from '../../core/batch/batch.ts'
import type { Caller, Context } from '../../core/context.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { typeOf } from '../engine/element.ts'
import type { Model } from '../engine/bpmn.ts'
import { idOf, idsOf, pageOf } from '../identify.ts'
import { endJob, findJob, jobsOf } from '../jobs/jobs.sql.ts'
import { toJob } from '../jobs/jobs.ts'
import { findFilter, isRecord, type Sight, sightOf } from '../linked.ts'
import type { Runtime } from '../runtime.ts'
import { tasksOf } from '../tasks/tasks.sql.ts'
import { countTasks } from '../tasks/tasks.sql.ts'
import { type Result, toError, toResult, toTask } from '../tasks/tasks.ts'
import { isVariable } from '../value-types.ts'
import { viewerOf } from '../viewer.ts'
import { moveOn } from './advance.ts'
import * as rows from './processes.sql.ts'
import { insertEvents } from './steps.sql.ts'

type Routes = Pick<
  typeof workflow.routes,
  'queryProcesses' | 'retrieveProcess' | 'cancelProcesses' | 'deleteProcesses' | 'sendMessage' | 'retrieveStatistics'
>

const maxEvents = 10_000

export const processes = (runtime: Runtime): RouteHandlers<Routes> => ({
  async queryProcesses(ctx, { body = {} }) {
    const { db, caller } = ctx
    const { before, count, linkedObject, ...rest } = body
    const object = linkedObject && (await findFilter(ctx, runtime.targets, linkedObject))
    if (linkedObject && !object) return { processes: [], total: 0 }
    const filter = { ...rest, ...(object && { object }) }
    const viewer = viewerOf(caller)
    const found = await rows.listProcesses(db, viewer, filter, before, pageOf(count))
    const sight = await sightOf(ctx, runtime.targets, found)
    return {
      processes: found.map((row) => toProcess(row, sight(row))),
      total: await rows.countProcesses(db, viewer, filter),
    }
  },

  retrieveProcess: (ctx, { params }) => retrieveProcess(runtime, ctx, idOf(params.id)),

  async cancelProcesses(_, { body: { ids, reason }, caller, services }) {
    const text = reason?.trim() ?? ''
    if (text.length > 2000) throw new Problem('invalid', 'reason: has more than 2000 characters')
    const results: Result[] = []
    for (const id of idsOf(ids, 1000)) {
      results.push(await inBatch(services, caller, (ctx) => cancel(ctx, id, text)).catch(toResult(id)))
    }
    return results
  },

  async deleteProcesses(_, { body, caller, services }) {
    const ids = idsOf(body.ids, 1000)
    return inBatch(services, caller, async (ctx) => {
      const gone = await removeEnded(ctx, ids)
      const states = new Map((await rows.findStates(ctx.db, ids)).map(({ id, state }) => [id, state]))
      return ids.map((id): Result => {
        if (gone.has(id)) return { id, status: 'success' }
        return toError(
          id,
          states.has(id)
            ? new Problem('inUse', because('processRunning', { id, state: states.get(id)! }))
            : new Problem('notFound', `no process has the id ${id}`),
        )
      })
    })
  },

  sendMessage: (_, { body, caller, services }) => sendMessage(runtime, services, caller, body),

  async retrieveStatistics({ db, caller }) {
    const viewer = viewerOf(caller)
    const inbox = { scope: 'inbox', states: ['open'] } as const
    const counts = await rows.countByConfiguration(db, viewer)
    return {
      workflows: counts.map(({ averageSeconds, ...row }) => ({
        ...row,
        ...(averageSeconds !== null && { averageSeconds }),
      })),
      myOpenTasks: await countTasks(db, viewer, inbox),
      myOverdueTasks: await countTasks(db, viewer, { ...inbox, overdue: true }),
    }
  },
})

async function retrieveProcess(runtime: Runtime, ctx: Pick<Context, 'db' | 'caller'>, id: number) {
  const { db, caller } = ctx
  const viewer = viewerOf(caller)
  const found = await rows.findProcess(db, viewer, id)
  if (!found) throw new Problem('notFound', `no process has the id ${id}`)
  const { variables, ...process } = found
  const sight = (await sightOf(ctx, runtime.targets, [process]))(process)
  const model = await runtime.models.of(db, process.definitionId)
  const events = await rows.listEvents(db, id, maxEvents)
  const elementsWith = (...kinds: string[]) => [
    ...new Set(events.filter(({ event }) => kinds.includes(event)).map(({ element }) => element)),
  ]
  return {
    process: toProcess(process, sight),
    variables: toVariables(variables, sight),
    tasks: (await tasksOf(db, viewer, id)).map((task) => toTask(task, sight)),
    jobs: (await jobsOf(db, id)).map((job) => toJob(job, sight)),
    history: events.map((event) => toEvent(model, event, sight)),
    doneElements: elementsWith('completed'),
    takenFlows: elementsWith('taken'),
  }
}

async function sendMessage(
  runtime: Runtime,
  services: Services,
  caller: Caller,
  { name, processIds, values }: Infer<typeof ProcessMessage>,
): Promise<Result[]> {
  const given = valuesIn(values)
  const waiting = await rows.findWaiting(services.database, viewerOf(caller), name, processIds)
  const results: Result[] = []
  for (const [processId, jobs] of Map.groupBy(waiting, (one) => one.processId)) {
    const [job] = jobs as [(typeof jobs)[0]]
    results.push(await deliver(services, runtime, caller, processId, job, given).catch(toResult(processId)))
  }
  const answered = new Set(results.map(({ id }) => id))
  for (const id of processIds ?? []) {
    if (!answered.has(id))
      results.push(toError(id, new Problem('notFound', `the process ${id} does not wait for ${name}`)))
  }
  return results
}

async function cancel(ctx: Context, id: number, reason: string): Promise<Result> {
  const { db, caller } = ctx
  const viewer = viewerOf(caller)
  const process = (await rows.findProcess(db, viewer, id)) && (await rows.lockProcess(db, id))
  if (!process) throw new Problem('notFound', `no process has the id ${id}`)
  if (process.state !== 'running') throw new Problem('invalid', because('processEnded', { id, state: process.state }))
  if (process.starter !== caller.userName && !viewer.isAdmin) {
    throw new Problem('forbidden', because('processOfOthers', { id, user: process.starter }))
  }
  await rows.cancelProcess(db, id, reason || `cancelled by ${caller.userName}`)
  await insertEvents(db, caller.userName, [
    { processId: id, element: '', event: 'cancelled', ...(reason && { text: reason }) },
  ])
  ctx.record({ dataType: 'workflow', id, event: 'UPDATE', action: 'cancel' })
  return { id, status: 'success' }
}

/** Deletes those of the processes that have ended; returns their ids. */
export async function removeEnded(ctx: Context, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const gone = (await rows.deleteEnded(ctx.db, ids)).map(({ id }) => id)
  for (const id of gone) ctx.record({ dataType: 'workflow', id, event: 'DELETE' })
  return new Set(gone)
}

const deliver = (
  services: Services,
  runtime: Runtime,
  caller: Caller,
  processId: number,
  { id, messageId }: { id: number; messageId: string },
  values: Readonly<Record<string, unknown>>,
): Promise<Result> =>
  inBatch(services, caller, async (ctx) => {
    const viewer = viewerOf(caller)
    const process = (await rows.findProcess(ctx.db, viewer, processId)) && (await rows.lockProcess(ctx.db, processId))
    const job = await findJob(ctx.db, id)
    if (!process || job?.state !== 'waiting')
      throw new Problem('notFound', `the process ${processId} does not wait for it any more`)
    await endJob(ctx.db, id, 'done')
    await moveOn(ctx, runtime, process, { kind: 'message', id: messageId }, values)
    return { id: processId, status: 'success' }
  })

function valuesIn(values: unknown): Readonly<Record<string, unknown>> {
  if (values === undefined || values === null) return {}
  if (typeof values !== 'object' || Array.isArray(values)) throw new Problem('invalid', 'values: expected an object')
  const bad = Object.keys(values).find((key) => !isVariable(key))
  if (bad !== undefined) throw new Problem('invalid', `values: ${bad.slice(0, 50)} cannot be the name of a variable`)
  return values as Record<string, unknown>
}

/** The reason of a cancellation is written by a person; every other text of a process by a job or the engine. */
const wordsOf = (state: string, { text, report }: Sight) => (state === 'cancelled' ? text : report)

function toProcess(
  { startedAt, endedAt, problem, nextDue, ...row }: rows.ProcessRow,
  sight: Sight,
): Infer<typeof WorkflowProcess> {
  return {
    ...row,
    linkedObjects: sight.linkedObjects,
    activeElements: [...row.activeElements],
    startedAt: startedAt.toISOString(),
    ...(endedAt && { endedAt: endedAt.toISOString() }),
    ...(problem !== null && { problem: wordsOf(row.state, sight)(problem) }),
    ...(nextDue !== null && { nextDue: new Date(nextDue).toISOString() }),
  }
}

function toVariables({ error, ...variables }: Readonly<Record<string, unknown>>, { value, report }: Sight) {
  const reported = isRecord(error) ? { error: { ...error, message: report(String(error.message)) } } : {}
  return { ...Object.fromEntries(Object.entries(variables).map(([name, one]) => [name, value(one)])), ...reported }
}

function toEvent({ elements }: Model, { at, element: id, event, user, text }: rows.EventRow, sight: Sight) {
  const element = elements.get(id)
  return {
    at: at.toISOString(),
    event,
    user,
    ...(id && { element: id }),
    ...(element && { type: typeOf(element), ...(element.name && { name: element.name }) }),
    ...(text !== null && { text: wordsOf(event, sight)(text) }),
  }
}
