/**
 * Runs a job. Its changes to our objects, its completion, and the next step of its process are one transaction.
 *
 *   queue ---> open? ---> prepare (external) --> transaction: lock process, still open? run, done, next step
 *                                          '---> refused: an error for the process, or failed until somebody retries it
 *                                          '---> broken: retried later, a few times
 *
 * After a crash before the commit the job is unchanged and the queue delivers it again; after the commit it is no
 * longer open. So our objects are changed exactly once. External calls carry the id of the job.
 */
import { isUnreachable } from '../../adapters/postgres/lost.ts'
import { demandRight } from '../../core/access/access.ts'
import { inBatch } from '../../core/batch/batch.ts'
import type { Caller, Context } from '../../core/context.ts'
import { Problem, problems } from '../../errors.ts'
import { extensionsOf, textOf } from '../engine/element.ts'
import { isCaught } from '../engine/engine.ts'
import { evaluate } from '../engine/expressions.ts'
import type { Model } from '../engine/bpmn.ts'
import type { Runtime } from '../runtime.ts'
import { moveOn } from '../processes/advance.ts'
import { type LockedProcess, lockProcess } from '../processes/processes.sql.ts'
import { enqueue } from '../processes/steps.ts'
import { notifyFailure } from '../tasks/notices.ts'
import * as rows from './jobs.sql.ts'
import { jobTypes, Refusal, type RunningJob } from './job-types.ts'

export async function runJob(runtime: Runtime, jobId: number): Promise<void> {
  const { services, models } = runtime
  const found = await rows.findOpen(services.database, jobId)
  if (!found) return
  const { userId, userName } = found.principal
  const starter = async () => {
    const caller = await services.callerNow(found.principal)
    demandRight(caller, 'user', { kind: 'workflow', any: ['create'] }) // as the start did
    return caller
  }
  const nobody: Caller = { userId, userName, roles: new Set(), permissions: [] }
  const orNobody = (error: unknown) => {
    if (error instanceof Problem && error.kind === 'forbidden') return nobody
    throw error
  }
  if (found.kind === 'timer') {
    return inBatch(services, await starter().catch(orNobody), (ctx) => fire(ctx, runtime, found))
  }
  const model = await models.of(services.database, found.definitionId)
  try {
    await starter()
    const type = jobTypes.get(found.job ?? '')
    if (!type) throw new Problem('notFound', `there is no job ${found.job}`)
    const prepared = await type.prepare?.(runtime, toRunning(model, found, found.variables))
    await inBatch(services, await starter(), (ctx) =>
      whileOpen(ctx, found, async (process) => {
        const running = toRunning(model, found, process.variables)
        const result = type.run ? await type.run(ctx, runtime, running) : prepared
        await rows.endJob(ctx.db, jobId, 'done')
        await moveOn(ctx, runtime, process, { kind: 'done', key: found.waitKey }, resultOf(model, found, result))
      }),
    )
  } catch (error) {
    if (isOurs(error)) throw error
    await inBatch(services, await starter().catch(orNobody), (ctx) =>
      failed(ctx, runtime, model, found, error as Error),
    )
  }
}

/** Locks the process and runs `work` only if the job is still open. */
async function whileOpen(
  ctx: Context,
  { id, processId }: rows.OpenJob,
  work: (process: LockedProcess, job: rows.OpenJob) => Promise<void>,
) {
  const process = await lockProcess(ctx.db, processId)
  const job = await rows.findJob(ctx.db, id)
  if (process?.state === 'running' && job?.state === 'waiting') await work(process, job)
}

const fire = (ctx: Context, runtime: Runtime, found: rows.FoundJob) =>
  whileOpen(ctx, found, async (process) => {
    await rows.endJob(ctx.db, found.id, 'done')
    await moveOn(ctx, runtime, process, { kind: 'timer', key: found.waitKey })
  })

function toRunning(
  model: Model,
  { id, element, item, tid, name, processId }: rows.FoundJob,
  variables: RunningJob['variables'],
): RunningJob {
  const scope = { ...variables, ...(item !== null && { item }) }
  const given = extensionsOf(model.elements.get(element)!, 'Input')
  const inputs = Object.fromEntries(given.map((input) => [input.name!, evaluate(textOf(input.text) ?? '', scope)]))
  return { id, process: { id: processId, tid, name }, variables, item, inputs }
}

/** The result, under the name of the variable that the service task assigns it to. */
function resultOf(model: Model, { element }: rows.OpenJob, result: unknown): Record<string, unknown> {
  const variable = textOf(model.elements.get(element)?.result)
  return variable === undefined ? {} : { [variable]: result ?? true }
}

/**
 * The database cannot be reached, is stopping, or a statement waited for too long. The outcome of the job is unknown, so the
 * queue delivers it again.
 */
const isOurs = (error: unknown) =>
  isUnreachable(error as Error) || /^57|^55P03$/.test((error as { code?: string }).code ?? '')

/** Seconds before each retry of a broken job. */
const pauses = [5, 30, 120, 600, 1800]

async function failed(ctx: Context, runtime: Runtime, model: Model, found: rows.FoundJob, error: Error): Promise<void> {
  await whileOpen(ctx, found, async (process, job) => {
    const code =
      error instanceof Refusal ? error.code : error instanceof Problem ? problems[error.kind].code : undefined
    const pause = pauses[job.attempts]
    if (code === undefined && pause !== undefined) return later(ctx, found.id, pause, error.message)
    const { message } = error
    const { waitKey: key } = found
    if (isCaught(model, found.element, code ?? 'FAILED')) {
      await rows.endJob(ctx.db, found.id, 'done', message)
      return moveOn(
        ctx,
        runtime,
        process,
        { kind: 'error', key, code: code ?? 'FAILED', message },
        { error: { code: code ?? 'FAILED', message } },
      )
    }
    await rows.endJob(ctx.db, found.id, 'failed', message)
    await notifyFailure(ctx, process, message)
    ctx.record({ dataType: 'workflow', id: process.id, event: 'UPDATE', action: 'jobFailed' })
  })
}

async function later(ctx: Context, id: number, seconds: number, problem: string): Promise<void> {
  const runAt = new Date(Date.now() + seconds * 1000)
  await rows.delayJob(ctx.db, id, runAt, problem)
  await enqueue(ctx, [{ id, kind: 'service', runAt }])
}
