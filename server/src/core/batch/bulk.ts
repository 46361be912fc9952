/**
 * Bulk: the same messages as persist and perform, of any length, processed by a job.
 *
 *   POST   checks the message and stores it chunk by chunk while it arrives; a fault anywhere removes it all (400). When the
 *          message is complete, one transaction releases the run and enqueues its job; the reply is the id of the run.
 *   job    processes one chunk per transaction together with its records, so a crash neither loses nor repeats an item.
 *   GET    returns state, counts and the records so far.
 */
import { Pim, schemaVersion, type Verb } from '@kontor/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addJob } from '../../adapters/jobs/jobs.ts'
import { Problem } from '../../errors.ts'
import { callerOf, demandRight } from '../access/access.ts'
import { inBatch, isAtomic, type Services } from './batch.ts'
import * as rows from './bulk.sql.ts'
import { toStored } from '../context.ts'
import { toExactJson } from '../exact-json.ts'
import { toProblem } from '../http/failure.ts'
import type { Mounted } from './handlers.ts'
import { idempotencyOf, once } from '../http/idempotency.ts'
import { limitsOf, readMessage, requestDigest } from '../http/message.ts'
import { replyFormat } from '../http/negotiate.ts'
import { needsOf } from '../access/permissions.ts'
import { replyMeta, sendContents } from '../http/reply.ts'
import { containersOf, type Sent, settleItems, wrongContainer } from './settle.ts'

export const bulkJob = 'core.bulk'
/** A chunk is one transaction: so many items, or fewer if they are large. */
const chunkSize = 500
const chunkBytes = 4 * 1024 * 1024

export function mountBulk(
  app: FastifyInstance,
  services: Services,
  mounted: Mounted,
  refusal: 'unauthorized' | 'forbidden',
): void {
  const { resource } = mounted
  const options = (verb: Verb) => ({
    config: {
      access: resource.access,
      refusal,
      needs: needsOf(resource, verb),
      query: {},
      ...(verb === 'bulk' && { longBody: true as const }),
    },
  })
  app.get<{ Params: { id: string } }>(`${mounted.path}/bulk/:id`, options('retrieve'), (request, reply) =>
    showRun(services, mounted, request, request.params.id, reply),
  )
  if (resource.bulk === 'write') {
    app.post(`${mounted.path}/bulk`, options('bulk'), (request, reply) => receiveRun(services, mounted, request, reply))
  }
}

async function receiveRun(services: Services, mounted: Mounted, request: FastifyRequest, reply: FastifyReply) {
  if (isAtomic(request)) {
    throw new Problem('invalid', 'Kontor-Atomic: a bulk run is settled in parts; send persist or perform instead')
  }
  const caller = callerOf(request)
  const runId = await rows.insertRun(services.database, mounted.path, toStored(caller))
  try {
    const { verb, total, idempotency } = await storeChunks(services, mounted, request, runId)
    const first = await inBatch(services, caller, (ctx) =>
      once(ctx, idempotency, async () => {
        await rows.releaseRun(ctx.db, runId, verb, total)
        await addJob(ctx.db, bulkJob, { runId })
        return runId
      }),
    )
    if (first !== runId) await rows.deleteUnreleased(services.database, runId)
    return reply.type('text/plain;charset=UTF-8').send(first)
  } catch (error) {
    await rows.deleteUnreleased(services.database, runId).catch(() => {}) // otherwise the sweep removes it
    throw error
  }
}

async function storeChunks(
  { database, config }: Services,
  { resource }: Mounted,
  request: FastifyRequest,
  runId: string,
) {
  const verbs = (['persist', 'perform'] as const).filter((one) => resource[one])
  let waiting: Sent[] = []
  let verb: 'persist' | 'perform' | undefined
  let chunks = 0
  let total = 0
  let bytes = 0
  const digest = requestDigest(request)
  const sink = (container: string, item: object) => {
    verb ??= verbs.find((one) => containersOf(resource, one).includes(container))
    const expected = (verb ? [verb] : verbs).flatMap((one) => containersOf(resource, one))
    if (!expected.includes(container)) throw wrongContainer(container, expected)
    waiting.push({ container, item })
  }
  const flush = async (least: number) => {
    while (waiting.length >= least) {
      const chunk = waiting.splice(0, chunkSize)
      total += chunk.length
      await rows.insertChunk(database, runId, chunks++, toExactJson(chunk))
      bytes = 0
    }
  }
  const options = {
    maxBytes: config.maxBulkBody,
    limits: limitsOf(config),
    sink,
    drain: (read: number) => flush((bytes += read) < chunkBytes ? chunkSize : 1),
    digest,
  }
  await readMessage(request, Pim, options)
  await flush(1)
  if (!verb) {
    const expected = verbs.flatMap((one) => containersOf(resource, one)).join(' or ')
    throw new Problem('invalid', `/pim: nothing to do; send at least one item in ${expected}`)
  }
  return { verb, total, idempotency: idempotencyOf(request, digest) }
}

async function showRun(
  services: Services,
  { path }: Mounted,
  request: FastifyRequest,
  id: string,
  reply: FastifyReply,
) {
  const format = replyFormat(request)
  const caller = callerOf(request)
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
  const run = isId ? await rows.findRun(services.database, id) : undefined
  const visible = run && run.resource === path && (run.userName === caller.userName || caller.roles.has('admin'))
  if (!visible) throw new Problem('notFound', `no bulk run has the id ${id.slice(0, 100)}`)
  const meta = replyMeta(services.config, {
    state: run.state,
    processed: String(run.processed),
    total: String(run.total),
    ...(run.problem !== null && { problem: run.problem }),
  })
  return sendContents(reply, format, { schemaVersion, meta }, { responses: rows.recordsOf(services.database, run.id) })
}

interface BulkJob {
  readonly services: Services
  readonly resources: ReadonlyMap<string, Mounted>
  /** Logs the error and returns its support id. */
  fail(error: unknown): string
}

/**
 * The job: processes chunk after chunk until none is left or the worker stops; then another job continues. The queue
 * retries it while the database is unavailable. Any other error ends the run as failed.
 */
export async function runBulk(job: BulkJob, runId: string, stop: AbortSignal): Promise<void> {
  const { database } = job.services
  const run = await rows.findRun(database, runId)
  if (!run) return
  try {
    while (await settleNext(job, run)) {
      if (stop.aborted) return void (await addJob(database, bulkJob, { runId }))
    }
  } catch (error) {
    const { kind, message } = toProblem(error as Error)
    if (kind === 'unavailable') throw error
    const problem = kind === 'forbidden' ? message : `internal error, support id ${job.fail(error)}`
    await rows.endRun(database, runId, 'failed', problem)
  }
}

async function settleNext({ services, resources }: BulkJob, { id: runId, ...run }: rows.Run): Promise<boolean> {
  const mounted = resources.get(run.resource)!
  const caller = await services.callerNow(run.principal)
  demandRight(caller, mounted.resource.access, needsOf(mounted.resource, run.verb))
  return inBatch(services, caller, async (ctx) => {
    if (!(await rows.lockOpenRun(ctx.db, runId))) return false
    const chunk = await rows.nextChunk(ctx.db, runId)
    if (!chunk) {
      await rows.endRun(ctx.db, runId, 'finished')
      return false
    }
    const records = await settleItems(ctx, mounted, run.verb, chunk.items, false)
    await rows.settleChunk(ctx.db, runId, chunk.number, toExactJson(records), chunk.items.length)
    return true
  })
}
