/**
 * Bulk: the same messages as persist and perform, of any length, settled by a job.
 *
 *   POST   the message is checked and stored chunk by chunk while it arrives; a fault anywhere removes it all (400).
 *          When it is whole, one transaction releases the run and enqueues its job; the run's id is the reply.
 *   job    settles one chunk per transaction together with its records, so a crash neither loses nor repeats an item.
 *   GET    state, counts and the records so far.
 */
import { Pim, schemaVersion, type Verb } from '@kontor/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addJob } from '../adapters/jobs/jobs.ts'
import { Problem } from '../errors.ts'
import { callerOf } from './access.ts'
import { inBatch, type Services } from './batch.ts'
import * as rows from './bulk.sql.ts'
import type { Caller } from './context.ts'
import type { Mounted } from './handlers.ts'
import { idempotencyOf, once } from './idempotency.ts'
import { limitsOf, readMessage, requestDigest } from './message.ts'
import { replyFormat } from './negotiate.ts'
import { needsOf } from './permissions.ts'
import { replyMeta, sendContents } from './reply.ts'
import { containersOf, type Sent, settleItems, wrongContainer } from './settle.ts'

export const bulkJob = 'core.bulk'
const chunkSize = 500

export function mountBulk(
  app: FastifyInstance,
  services: Services,
  mounted: Mounted,
  refusal: 'unauthorized' | 'forbidden',
): void {
  const { resource } = mounted
  const options = (verb: Verb) => ({ config: { access: resource.access, refusal, needs: needsOf(resource, verb) } })
  app.get<{ Params: { id: string } }>(`${mounted.path}/bulk/:id`, options('retrieve'), (request, reply) =>
    showRun(services, mounted, request, request.params.id, reply),
  )
  if (resource.bulk === 'write') {
    app.post(`${mounted.path}/bulk`, options('bulk'), (request, reply) => receiveRun(services, mounted, request, reply))
  }
}

async function receiveRun(services: Services, mounted: Mounted, request: FastifyRequest, reply: FastifyReply) {
  const caller = callerOf(request)
  const principal = { userId: caller.userId, userName: caller.userName, roles: [...caller.roles] }
  const runId = await rows.insertRun(services.database, mounted.path, principal)
  try {
    const { verb, total, idempotency } = await storeChunks(services, mounted, request, runId)
    const first = await inBatch(services, caller, (ctx) =>
      once(ctx, idempotency, async () => {
        await rows.releaseRun(ctx.db, runId, verb, total)
        await addJob(ctx.db, bulkJob, { runId })
        return runId
      }),
    )
    if (first !== runId) await rows.deleteRun(services.database, runId)
    return reply.type('text/plain;charset=UTF-8').send(first)
  } catch (error) {
    await rows.deleteRun(services.database, runId).catch(() => {}) // else the sweep finds it
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
      await rows.insertChunk(database, runId, chunks++, toJson(chunk))
    }
  }
  const options = {
    maxBytes: config.maxBulkBody,
    limits: limitsOf(config),
    sink,
    drain: () => flush(chunkSize),
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

/** The job: settles chunk after chunk until none is left. `fail` logs what went wrong and returns its support id. */
export async function runBulk(
  services: Services,
  resources: ReadonlyMap<string, Mounted>,
  runId: string,
  fail: (error: unknown) => string,
): Promise<void> {
  const run = await rows.findRun(services.database, runId)
  if (!run) return
  const roles = new Set(run.principal.roles)
  const caller: Caller = { ...run.principal, roles, permissions: await services.permissionsOf(roles) }
  try {
    while (await settleNext(services, resources, caller, runId)) continue
  } catch (error) {
    await rows.endRun(services.database, runId, 'failed', `internal error, support id ${fail(error)}`)
  }
}

function settleNext(services: Services, resources: ReadonlyMap<string, Mounted>, caller: Caller, runId: string) {
  return inBatch(services, caller, async (ctx) => {
    const run = await rows.lockOpenRun(ctx.db, runId)
    if (!run) return false
    const chunk = await rows.nextChunk(ctx.db, runId)
    if (!chunk) {
      await rows.endRun(ctx.db, runId, 'finished')
      return false
    }
    const records = await settleItems(ctx, resources.get(run.resource)!, run.verb, chunk.items, false)
    await rows.settleChunk(ctx.db, runId, chunk.number, toJson(records), chunk.items.length)
    return true
  })
}

/** JSON that keeps an int64 exact. Large numbers are rare, and the plain way is several times faster. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? rawJSON(part.toString()) : part))
  }
}
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }
