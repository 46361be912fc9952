/**
 * The four verbs, implemented once for every resource of the Core API.
 *
 * A request goes one way: access -> body by the contract -> verb (here) -> the resource's handler -> its SQL; the reply is
 * encoded on the way out. A handler gets whole batches and costs a constant number of statements. A verb in the contract
 * without a handler, or a handler without a verb, does not compile.
 */
import { BadMessage, check, formats, Pim, queryPaging, type Resource, schemaVersion, type Verb } from '@kontor/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { byKey } from '../../adapters/postgres/db.ts'
import { Problem } from '../../errors.ts'
import { callerOf } from '../access/access.ts'
import { DryRun, inBatch, isAtomic, isDryRun, NotAtomic, type Services } from '../batch/batch.ts'
import { mountBulk } from '../batch/bulk.ts'

import type { Mounted } from '../batch/handlers.ts'
import { pagingOf } from '../batch/paging.ts'
import { idempotencyOf, once } from './idempotency.ts'
import { limitsOf, readMessage, requestDigest, requestLimits, toProblem } from './message.ts'
import { replyFormat } from './negotiate.ts'
import { needsOf } from '../access/permissions.ts'
import { replyMeta, sendContents, sendTids, sendValue } from './reply.ts'
import { staleContext } from './staleness.ts'
import { containersOf, type Sent, settleItems, toRecords, wrongContainer } from '../batch/settle.ts'

export function mountResource(app: FastifyInstance, services: Services, mounted: Mounted): void {
  const { path, resource, handlers } = mounted
  const refusalOf = (verb: Verb) => (resource.statuses?.[verb]?.includes(403) ? 'forbidden' : 'unauthorized')
  const post = (verb: Verb, run: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) => {
    const { access } = resource
    app.post(
      `${path}/${verb}`,
      {
        config: {
          access,
          refusal: refusalOf(verb),
          needs: needsOf(resource, verb),
          query: verb === 'query' ? queryPaging : {},
        },
      },
      run,
    )
  }

  if (handlers.query) post('query', (request, reply) => query(services, mounted, request, reply))
  if (handlers.retrieve) post('retrieve', (request, reply) => retrieve(services, mounted, request, reply))
  if (handlers.persist) post('persist', (request, reply) => settle(services, mounted, 'persist', request, reply))
  if (handlers.perform) post('perform', (request, reply) => settle(services, mounted, 'perform', request, reply))
  if (resource.bulk) mountBulk(app, services, mounted, refusalOf('bulk'))
}

async function query(
  services: Services,
  { resource, handlers }: Mounted,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const format = replyFormat(request)
  const body = await readRequest(services, request, resource.query!.request)
  const paging = pagingOf(request, reply)
  const answer = await handlers.query!({ ...staleContext(services, request, reply), paging }, body)
  if ('tids' in answer && isStream(answer.tids)) return sendTids(reply, format, resource.query!.reply, answer.tids)
  if (format === formats.xml) return sendValue(reply, format, resource.query!.reply, answer)
  // An empty list is sent as such; the contract's JSON would omit it.
  return reply.type(formats.json.contentType).send(JSON.stringify(answer))
}

const isStream = (tids: unknown): tids is AsyncIterable<readonly string[]> =>
  typeof tids === 'object' && tids !== null && Symbol.asyncIterator in tids

async function retrieve(
  services: Services,
  { resource, handlers }: Mounted,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const format = replyFormat(request)
  const body = await readRequest(services, request, resource.retrieve!)
  const tag = (etag: string) => void reply.header('etag', etag)
  const contents = await handlers.retrieve!({ ...staleContext(services, request, reply), tag }, body)
  const meta = replyMeta(services.config, { itemInformationType: resource.dataType })
  return sendContents(reply, format, { schemaVersion, meta }, contents)
}

async function readRequest(services: Services, request: FastifyRequest, root: NonNullable<Resource['retrieve']>) {
  const { config } = services
  const body = await readMessage(request, root, { maxBytes: config.maxBody, limits: requestLimits(config) })
  if (body) return body
  const { faults } = check(root, {})
  if (faults.length > 0) throw toProblem(new BadMessage(faults))
  return {}
}

/** So many items of a batch are each found by key. */
const mostByKey = 4

/** persist and perform: reads the batch, processes it in one transaction and replies with a record per item. */
async function settle(
  services: Services,
  mounted: Mounted,
  verb: 'persist' | 'perform',
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const format = replyFormat(request)
  const [atomic, dryRun] = [isAtomic(request), isDryRun(request)]
  if (dryRun) reply.header('kontor-dry-run', 'true')
  const { items, idempotency } = await readBatch(services, mounted.resource, verb, request)
  const ifMatch = ifMatchOf(request, verb === 'persist' && mounted.resource.tagged === true)
  const few = verb === 'persist' && items.length <= mostByKey && mounted.handlers.findsByKey
  const planned = few ? { ...services, database: byKey(services.database) } : services
  const records = await inBatch(planned, callerOf(request), async (ctx) => {
    const settled = () => settleItems({ ...ctx, ifMatch }, mounted, verb, items, atomic)
    if (dryRun) throw new DryRun(await settled())
    return once(ctx, idempotency, settled)
  }).catch((error: unknown) => {
    if (error instanceof DryRun) return error.records
    if (!(error instanceof NotAtomic)) throw error
    return toRecords(mounted.resource, verb, items, error.outcomes)
  })
  const meta = replyMeta(services.config)
  return sendValue(reply, format, Pim, { schemaVersion, meta, responses: { response: records } })
}

/** Refused where nothing would compare it, because the caller relies on it. */
function ifMatchOf({ headers }: FastifyRequest, isTaken: boolean): readonly string[] | undefined {
  const given = headers['if-match']
  if (given !== undefined && !isTaken)
    throw new Problem('invalid', 'If-Match: this call does not compare versions; leave the header out')
  return given?.split(',').map((etag) => etag.trim())
}

async function readBatch(
  { config }: Services,
  resource: Resource,
  verb: 'persist' | 'perform',
  request: FastifyRequest,
) {
  const items: Sent[] = []
  const expected = containersOf(resource, verb)
  const digest = requestDigest(request)
  const sink = (container: string, item: object) => {
    if (!expected.includes(container)) throw wrongContainer(container, expected)
    if (items.push({ container, item }) > config.maxItems) {
      throw new Problem('invalid', `/pim/${container}: more than ${config.maxItems} items; send less, or use bulk`)
    }
  }
  const options = { maxBytes: config.maxBody, limits: limitsOf(config), sink, digest }
  await readMessage(request, Pim, options)
  if (items.length === 0) throw new Problem('invalid', `/pim/${expected[0]}: nothing to do; send at least one item`)
  return { items, idempotency: idempotencyOf(request, digest) }
}
