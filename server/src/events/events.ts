/**
 * GET /events: the change feed, by long polling or as a stream.
 *
 * Every event carries its position. A client that continues after its last position gets every event once, those of one
 * object in the order of its changes. Positions are kept for KONTOR_OUTBOX_HOURS. An older position is answered with
 * 410; the client then reads everything and follows from the position before that read.
 */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { events as contract } from '@kontor/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerNow } from '../core/access/access.ts'
import type { OutboxNotifier } from '../core/outbox/notifier.ts'
import type { Caller, Services } from '../core/context.ts'
import {
  currentPosition,
  isKept,
  isPosition,
  oldestPosition,
  type Position,
  readSettled,
} from '../core/outbox/outbox.ts'
import type { RouteHandlers } from '../core/http/routes.ts'
import { mountStreams } from '../core/http/streaming.ts'
import { Problem } from '../errors.ts'
import { checkedTypes, toTypeFilter } from './types.ts'
import { type DescribedKinds, toEvents, type View } from './view.ts'

interface EventsNeeds {
  readonly kinds: DescribedKinds
  /** Fires at every commit. It connects when it is first used. */
  notifier(): Promise<OutboxNotifier>
  /** Aborted when the server stops. */
  readonly closing: AbortSignal
}

type Query = Readonly<Record<string, string | undefined>>

const heartbeat = 15_000
const mediaType = 'text/event-stream'

/** Maximum duration of a stream. The client reconnects, and its token is checked again. */
const longest = 5 * 60_000

export function events(needs: EventsNeeds) {
  const routes: RouteHandlers<Pick<typeof contract.routes, 'listEvents'>> = {
    async listEvents(_, { query, services, callerNow }) {
      const view = viewOf(services, needs, query)
      const { count = 100, wait = 0 } = query
      const from = await positionOf(services, query.after)
      const until = Date.now() + Number(wait) * 1000
      return waitForEvents(services, needs, view, callerNow, { from, count: Number(count), until })
    },
  }
  const plugin = (app: FastifyInstance, services: Services) => {
    mountStreams(app, services, contract, {
      streamEvents: async ({ request, reply }) => {
        await stream(services, needs, request, reply)
        return reply
      },
    })
  }
  return { contract, resources: {}, routes, plugin }
}

type ViewOf = (caller: Caller) => View

function viewOf({ database, config }: Services, { kinds }: EventsNeeds, { types }: Query): ViewOf {
  const wanted = toTypeFilter(checkedTypes(types?.split(',').map((type) => type.trim()) ?? []))
  return (reader) => ({ db: database, source: config.baseUrl, kinds, reader, wanted })
}

/** The start: after the given position, as long as it is kept. */
export async function positionOf({ database }: Pick<Services, 'database'>, after: string | undefined) {
  if (after === undefined || after === '') return currentPosition(database)
  if (after === '0') return oldestPosition(database)
  if (!isPosition(after))
    throw new Problem(
      'invalid',
      `after: ${after.slice(0, 50)} is not the id of an event; send the id of the last event that you have, or 0 to read from the beginning`,
    )
  if (await isKept(database, after)) return after
  throw new Problem(
    'gone',
    `after: events behind ${after} are no longer kept; read everything anew and follow from now`,
  )
}

async function waitForEvents(
  { database }: Services,
  { notifier, closing }: EventsNeeds,
  view: ViewOf,
  now: () => Promise<Caller>,
  { from, count, until }: { from: Position; count: number; until: number },
) {
  for (let at = from; ;) {
    const caller = await now()
    const next = Date.now() < until ? (await notifier()).next() : undefined
    const { changes, position } = await readSettled(database, at, count)
    const events = await toEvents(view(caller), changes)
    at = position
    if (events.length > 0 || Date.now() >= until || closing.aborted) return { events, position }
    if (changes.length === 0) await firstOf(next!, until - Date.now())
  }
}

/** Waits for the next commit, but not longer than the time left. The timer is cleared because commits are frequent. */
async function firstOf(ring: Promise<void>, milliseconds: number): Promise<void> {
  const rung = new AbortController()
  const late = pause(milliseconds, undefined, { ref: false, signal: rung.signal })
  await Promise.race([ring, late]).finally(() => rung.abort())
}

/**
 * Serves one client. The server reads on only when the client has taken what was sent, so a slow client costs nothing.
 * The stream ends when its token is no longer valid; the client reconnects with a new one.
 */
async function stream(services: Services, needs: EventsNeeds, request: FastifyRequest, reply: FastifyReply) {
  if (!request.headers.accept?.includes(mediaType))
    throw new Problem(
      'invalid',
      `Accept: this is a stream without an end; ask for ${mediaType}, or use ${contract.base}`,
    )
  const query = request.query as Query
  const view = viewOf(services, needs, query)
  let at = await positionOf(services, request.headers['last-event-id']?.toString() ?? query.after)
  const notifier = await needs.notifier()
  reply.hijack()
  const { raw } = reply
  const ended = new AbortController()
  raw.once('close', () => ended.abort())
  const over = AbortSignal.any([needs.closing, ended.signal, AbortSignal.timeout(longest)])
  const send = async (text: string) => {
    if (!raw.write(text) && !over.aborted) await once(raw, 'drain', { signal: over }).catch(() => {}) // over, or broken
  }
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': mediaType,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  try {
    await send(`retry: 2000\nid: ${at}\n\n`)
    for (let heard = Date.now(); !over.aborted;) {
      const next = notifier.next()
      const caller = await callerNow(request)
      const { changes, position } = await readSettled(services.database, at, 500)
      for (const event of await toEvents(view(caller), changes)) {
        heard = Date.now()
        await send(`id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      }
      at = position
      if (Date.now() - heard > heartbeat) {
        heard = Date.now()
        await send(`id: ${at}\n: still here\n\n`)
      }
      if (changes.length === 0 && !over.aborted) await next
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error // otherwise the caller may no longer read
  } finally {
    raw.end() // also after an error: the client reconnects at its position
  }
}
