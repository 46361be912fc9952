/**
 * Rules of /workflow/tasks: the inbox, and the actions on tasks.
 *
 *   assigned to me                                   all actions
 *   assigned to nobody, and I am a candidate         claim it, or complete it, which claims it
 *   assigned to somebody else                        no action, except for administrators
 *
 * Claiming, unclaiming, delegating and changing are done for all tasks at once. Completing advances a process, so each
 * task is completed in its own transaction, and a refused one does not affect the others.
 */
import { because, type Infer, type TaskCompletion, type workflow, type WorkflowTask } from '@kontor/contract'
import { inBatch } from '../../core/batch/batch.ts'
import type { Caller, Context } from '../../core/context.ts'
import { once } from '../../core/http/idempotency.ts'
import type { Call, RouteHandlers } from '../../core/http/routes.ts'
import { Problem, problems, textOf } from '../../errors.ts'
import { idOf, idsOf, pageOf } from '../identify.ts'
import { findFilter, type Sight, sightOf } from '../linked.ts'
import type { Runtime } from '../runtime.ts'
import { moveOn } from '../processes/advance.ts'
import { lockProcess, type Viewer } from '../processes/processes.sql.ts'
import { viewerOf } from '../viewer.ts'
import { readForm } from './form.ts'
import { mail, type Notice, notify } from './notices.ts'
import * as rows from './tasks.sql.ts'

type Routes = Pick<
  typeof workflow.routes,
  | 'queryTasks'
  | 'retrieveTask'
  | 'claimTasks'
  | 'unclaimTasks'
  | 'completeTasks'
  | 'delegateTasks'
  | 'listTaskPeople'
  | 'changeTasks'
  | 'commentTask'
>
export interface Result {
  id: number
  status: 'success' | 'error'
  issues?: { code: string; description: string; content: string }[]
}

const maxTasks = 1000
const maxPeople = 200

export const tasks = (runtime: Runtime): RouteHandlers<Routes> => ({
  async queryTasks(ctx, { body = {} }) {
    const { db, caller } = ctx
    const viewer = viewerOf(caller)
    const {
      scope = 'inbox',
      states = ['open'],
      sort = 'newest',
      offset = 0,
      count,
      linkedObject,
      processIds,
      ...rest
    } = body
    if (offset < 0 || offset > 10_000) throw new Problem('invalid', 'offset: expected 0 to 10000')
    const object = linkedObject && (await findFilter(ctx, runtime.targets, linkedObject))
    if (linkedObject && !object) return { tasks: [], total: 0 }
    const filter = {
      ...rest,
      scope,
      states,
      ...(processIds && { processIds }),
      ...(object && { object }),
    }
    const found = await rows.listTasks(db, viewer, filter, { sort, offset, count: pageOf(count) })
    const sight = await sightOf(ctx, runtime.targets, found)
    return { tasks: found.map((task) => toTask(task, sight(task))), total: await rows.countTasks(db, viewer, filter) }
  },

  retrieveTask: (ctx, { params }) => retrieveTask(ctx, runtime, idOf(params.id)),

  claimTasks: (_, call) =>
    settle(call, call.body.ids, claimable, (ctx, ids) => rows.assignTasks(ctx.db, ids, ctx.caller.userName)),

  unclaimTasks: (_, call) => settle(call, call.body.ids, ownable, (ctx, ids) => rows.assignTasks(ctx.db, ids, null)),

  async completeTasks(_, call) {
    const { body, caller, services, idempotency } = call
    const sent = body.tasks
    idsOf(
      sent.map(({ id }) => id),
      maxTasks,
    )
    const results: Result[] = []
    for (const [i, task] of sent.entries()) {
      const key = idempotency && { ...idempotency, key: `${idempotency.key} ${i}` }
      const done = await inBatch(services, caller, (ctx) => once(ctx, key, () => complete(ctx, runtime, task))).catch(
        toResult(task.id),
      )
      results.push(done)
    }
    return results
  },

  async delegateTasks(_, call) {
    const { ids, assignee, comment } = call.body
    if (!(await runtime.exists(call.services.database, assignee)))
      throw new Problem('notFound', because('noAssignee', { user: assignee }))
    return settle(call, ids, delegable, (ctx, allowed) => delegate(ctx, runtime, allowed, assignee, comment))
  },

  async listTaskPeople({ db, caller }, { params }) {
    const { candidateUsers, candidateRoles, assignee } = await findTask(db, viewerOf(caller), idOf(params.id))
    const found = await runtime.peopleWith(db, candidateUsers, candidateRoles, maxPeople)
    return { users: found.filter((name) => name !== assignee) }
  },

  changeTasks(_, call) {
    const { priority, dueDate } = call.body
    if (priority === undefined && dueDate === undefined)
      throw new Problem('invalid', 'nothing to change; give priority or dueDate')
    if (priority !== undefined && (priority < 0 || priority > 100))
      throw new Problem('invalid', 'priority: expected 0 to 100')
    return settle(call, call.body.ids, delegable, (ctx, ids) => rows.changeTasks(ctx.db, ids, priority, dueDate))
  },

  commentTask: (_, { params, body: { text }, caller, services }) =>
    inBatch(services, caller, async (ctx) => {
      const { db } = ctx
      const id = idOf(params.id)
      const { state } = await findTask(db, viewerOf(caller), id)
      if (text.trim() === '' || text.length > maxComment)
        throw new Problem('invalid', because('commentLength', { max: maxComment }))
      if (state === 'cancelled') throw new Problem('invalid', because('taskCancelled', { id }))
      await rows.insertComments(db, [id], caller.userName, text)
      return retrieveTask(ctx, runtime, id)
    }),
})

async function delegate(
  ctx: Context,
  runtime: Runtime,
  ids: readonly number[],
  assignee: string,
  comment: string | undefined,
): Promise<void> {
  await rows.assignTasks(ctx.db, ids, assignee)
  if (comment !== undefined) await rows.insertComments(ctx.db, ids, ctx.caller.userName, comment)
  const notice: Notice = {
    user: assignee,
    subject: ids.length > 1 ? `${ids.length} tasks were given to you` : 'A task was given to you',
    body: `${ctx.caller.userName} gave you ${ids.length > 1 ? `${ids.length} tasks` : 'a task'}.${comment ? ` ${comment}` : ''}`,
    parameters: ids.length > 1 ? { tasks: String(ids.length) } : { taskId: String(ids[0]) },
  }
  await notify(ctx, [notice])
  await mail(ctx, runtime, [notice])
}

const maxComment = 10_000

async function findTask(db: Context['db'], viewer: Viewer, id: number): Promise<rows.TaskRow> {
  const task = await rows.findTask(db, viewer, id)
  if (!task) throw new Problem('notFound', `no task has the id ${id}`)
  return task
}

async function retrieveTask(ctx: Pick<Context, 'db' | 'caller'>, { targets }: Runtime, id: number) {
  const task = await findTask(ctx.db, viewerOf(ctx.caller), id)
  return toTask(task, (await sightOf(ctx, targets, [task]))(task))
}

// Rules for actions on tasks

type Refuse = (task: rows.HeldTask, caller: Caller) => Problem | undefined

const ended: Refuse = ({ id, state }) =>
  state === 'open' ? undefined : new Problem('invalid', because('taskEnded', { id, state }))
const isAdmin = ({ roles }: Caller) => roles.has('admin')

const ofAnother: Refuse = ({ id, assignee }, { userName }) =>
  assignee !== null && assignee !== userName
    ? new Problem('locked', because('assigned', { id, user: assignee }))
    : undefined
const notForMe: Refuse = ({ id, isCandidate, assignee }, caller) =>
  isCandidate || assignee === caller.userName || isAdmin(caller)
    ? undefined
    : new Problem('forbidden', because('taskOfOthers', { id }))

const first =
  (...rules: Refuse[]): Refuse =>
  (task, caller) => {
    for (const rule of rules) {
      const problem = rule(task, caller)
      if (problem) return problem
    }
    return undefined
  }
const claimable = first(ended, ofAnother, notForMe)
const ownable = first(ended, (task, caller) => (isAdmin(caller) ? undefined : first(ofAnother, notForMe)(task, caller)))
const delegable = ownable

/** Applies a change to a set of tasks: permitted ones with one statement; each of the others gets its own error. */
async function settle<B>(
  { services, caller, idempotency }: Call<B>,
  named: Parameters<typeof idsOf>[0],
  refuse: Refuse,
  change: (ctx: Context, ids: readonly number[]) => Promise<unknown>,
): Promise<Result[]> {
  const ids = idsOf(named, maxTasks)
  return inBatch(services, caller, (ctx) =>
    once(ctx, idempotency, async () => {
      const found = new Map((await rows.lockTasks(ctx.db, viewerOf(caller), ids)).map((task) => [task.id, task]))
      const outcomes = ids.map((id) => {
        const task = found.get(id)
        return task ? refuse(task, caller) : new Problem('notFound', `no task has the id ${id}`)
      })
      const sound = ids.filter((_, i) => !outcomes[i])
      if (sound.length > 0) await change(ctx, sound)
      for (const process of new Set(sound.map((id) => found.get(id)!.processId))) {
        ctx.record({ dataType: 'workflow', id: process, event: 'UPDATE', action: 'task' })
      }
      return ids.map((id, i): Result => (outcomes[i] ? toError(id, outcomes[i]) : { id, status: 'success' }))
    }),
  )
}

async function complete(
  ctx: Context,
  runtime: Runtime,
  { id: named, values, comment }: Infer<typeof TaskCompletion>,
): Promise<Result> {
  const { db, caller } = ctx
  const id = Number(named)
  const unknown = new Problem('notFound', `no task has the id ${id}`)
  // Lock the process before its tasks, in the same order as every step of a process does.
  const process = await lockProcess(db, (await rows.findProcessOf(db, id)) ?? 0)
  const [task] = process ? await rows.lockTasks(db, viewerOf(caller), [id]) : []
  if (!process || !task) throw unknown
  const problem = first(ended, (one, who) => (isAdmin(who) ? undefined : first(ofAnother, notForMe)(one, who)))(
    task,
    caller,
  )
  if (problem) throw problem
  const answers = readForm(task.form, values)
  await rows.completeTask(db, id, caller.userName, answers)
  if (comment !== undefined) await rows.insertComments(db, [id], caller.userName, comment)
  await moveOn(ctx, runtime, process, { kind: 'done', key: task.waitKey }, answers)
  return { id, status: 'success' }
}

export function toError(id: number, { kind, messages }: Problem): Result {
  const { code, description } = problems[kind]
  return { id, status: 'error', issues: messages.map((message) => ({ code, description, content: textOf(message) })) }
}

export const toResult = (id: number) => (error: unknown) => {
  if (error instanceof Problem) return toError(id, error)
  throw error
}

export function toTask(row: rows.TaskRow, { linkedObjects, text, value }: Sight): Infer<typeof WorkflowTask> {
  const {
    dueDate,
    createdAt,
    claimedAt,
    endedAt,
    item,
    assignee,
    completedBy,
    values,
    comments,
    starter: _starter,
    ...rest
  } = row
  const dates = { dueDate, createdAt, claimedAt, endedAt }
  const given = { item: value(item), assignee, completedBy, values: value(values) }
  return {
    ...rest,
    candidateUsers: [...rest.candidateUsers],
    candidateRoles: [...rest.candidateRoles],
    form: rest.form.map((field) => ({ ...field, allowedValues: [...field.allowedValues] })),
    name: text(rest.name),
    description: text(rest.description),
    linkedObjects,
    comments: comments.map((one) => ({ ...one, text: text(one.text), at: new Date(one.at).toISOString() })),
    ...Object.fromEntries(Object.entries(dates).flatMap(([key, date]) => (date ? [[key, date.toISOString()]] : []))),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)),
  }
}
