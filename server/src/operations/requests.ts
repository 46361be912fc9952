/**
 * Requests as an operator sees them: how many are in flight, and the outcome of each.
 *
 * Every request needs a place of its kind (ordinary requests, long polls, streams, sign-ins) and is refused when its caller
 * has taken a fair share of them (places.ts). Then it waits for its turn (turns.ts): a small request for KONTOR_MAX_WAIT,
 * because its sender does better to try again than to wait behind a queue that does not get shorter; a batch, a long poll
 * or a stream for a minute, because a few of them are enough to keep each other waiting. The caller is known in two steps:
 *
 *   at once             the address of an anonymous call, or of a call whose token is not verified yet
 *   after verification  the user; the address does not count any more, because many users can share one
 *
 * Calls with a token are counted apart from anonymous ones, so a flood without tokens does not keep users out, even from the
 * same address. Refused requests take no place. Every request is reported when it has ended, however it ended.
 * Fastify's onResponse does not run for an aborted reply, but its connection always closes.
 */
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../adapters/postgres/db.ts'
import type { Config } from '../config.ts'
import { Problem, type ProblemKind } from '../errors.ts'
import { watchConnections } from './connections.ts'
import { watchLoad } from './load.ts'
import { createPlaces, type Holder, type Places, type Refused, type Taken } from './places.ts'
import { createTurns, type Turns } from './turns.ts'
import { cutUnreadReplies } from './unread-replies.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A probe: also answered while the server is full. */
    probe?: true
    /** Its places are a quarter as many as those of ordinary requests. */
    signIn?: true
    /** A long poll: always, or when this query parameter is a positive number. */
    waits?: true | string
    /** The request or the reply is a file, or a stream of events. */
    streams?: true
  }
}

/** A finished request. */
export interface Ended {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** `broken`: the client disconnected, or the reply could not be finished. */
  readonly status: number | 'broken'
  readonly ms: number
}

/** `unverified requests` have a token that is being verified; they have places of their own for that time. */
export type Kind = 'requests' | 'long polls' | 'streams' | 'sign-ins' | 'unverified requests'

/** Counts what the limits do. */
interface Counters {
  refused(kind: Kind, reason: Refusal): void
  cut(): void
}

type Refusal = Refused['by'] | 'connection' | 'turn' | 'batch'

export interface Requests {
  inFlight(): number
  /** How many places of this kind are taken. */
  taken(kind: Kind): number
  /** Requests that wait for their turn. */
  waiting(): number
  /** Call it when the routes are guarded: from then on the user of a request is known. */
  admitUsers(): void
  /** From now on connections are closed after the reply, and nobody is slowed. */
  stopping(): void
}

/** A longer body is a batch. */
const smallBody = 64 * 1024
/** Milliseconds that a batch, a long poll or a stream may wait for its turn. */
const batchWait = 60_000
const waitedTooLong = (milliseconds: number) =>
  `the request has waited ${milliseconds / 1000} s for its turn, because many others of the same caller are running; send fewer at once, or try again later`

/** So many requests beyond a share wait about so many milliseconds for their refusal. */
const mostBraked = 1000
const brakeTime = 4000

/** Milliseconds after which a long poll or a stream leaves its turn to the next: it lasts long, but does little work. */
const firstWork = 250

/** A request in flight. */
interface Visit {
  readonly kind: Kind
  place?: Taken
  /** Whether its caller is known. */
  isAdmitted: boolean
  isOver: boolean
  readonly atEnd: (() => void)[]
}

export function watchRequests(
  app: FastifyInstance,
  limits: Config,
  database: Database,
  counters: Counters,
  onEnd: (ended: Ended) => void,
): Requests {
  const visits = new WeakMap<FastifyRequest, Visit>()
  const connections = new WeakMap<Socket, number>()
  const turns = createTurns(watchLoad(app, database))
  const { arrivalOf, ofUser } = createHolders(limits)
  const { places, take, refusal } = createAdmission(limits, counters)
  const inFlightOn = (socket: Socket) => connections.get(socket) ?? 0
  cutUnreadReplies(app, {
    seconds: limits.writeTimeout,
    silentSeconds: 2 * limits.requestTimeout,
    inFlightOn,
    onCut: counters.cut,
  })
  const { replied } = watchConnections(app.server, inFlightOn)
  let inFlight = 0
  let stopping = false

  app.addHook('onRequest', async (request, reply) => {
    const begun = performance.now()
    const { socket } = request.raw
    const visit: Visit = { kind: kindOf(request), isAdmitted: false, isOver: false, atEnd: [] }
    visits.set(request, visit)
    inFlight++
    connections.set(socket, inFlightOn(socket) + 1)
    reply.raw.once('close', () => {
      inFlight--
      connections.set(socket, inFlightOn(socket) - 1)
      replied(socket)
      visit.isOver = true
      for (const action of visit.atEnd) action()
      const status = reply.raw.writableEnded ? reply.statusCode : 'broken'
      onEnd({ request, reply, status, ms: performance.now() - begun })
    })
    if (request.routeOptions.config.probe) return
    if (inFlightOn(socket) > limits.maxPerConnection) {
      const most = `a connection may have ${limits.maxPerConnection} requests in flight`
      throw refusal(visit.kind, 'connection', `${most}; wait for replies before you send more`)
    }
    const isUnverified = hasToken(request)
    await take(visit, isUnverified ? 'unverified requests' : visit.kind, arrivalOf(request, isUnverified), reply)
  })
  app.addHook('onSend', async (request, reply) => {
    const visit = visits.get(request)
    if (visit?.isAdmitted === false) visit.place?.release() // a client may leave its 401 unread
    if (stopping) reply.header('connection', 'close')
  })

  return {
    inFlight: () => inFlight,
    taken: (kind) => places[kind].taken(),
    waiting: turns.waiting,
    admitUsers: () =>
      void app.addHook('onRequest', async (request, reply) => {
        const visit = visits.get(request)
        if (!visit?.place) return // a probe
        const { caller, ip } = request
        visit.isAdmitted = true
        if (caller) {
          visit.place.release()
          await take(visit, visit.kind, ofUser(caller.userId), reply)
        }
        if (visit.kind === 'sign-ins') return // identity/passwords has a queue of its own
        const isBatch = isLong(request)
        const wait = isBatch || visit.kind !== 'requests' ? batchWait : limits.maxWait
        const name = caller ? `user ${caller.userId}` : `address ${ip}`
        await waitForTurn(turns, visit, { name, isBatch, wait }, () =>
          refusal(visit.kind, wait === batchWait ? 'batch' : 'turn', waitedTooLong(wait)),
        )
      }),
    stopping() {
      stopping = true
      turns.hurry()
    },
  }
}

/** The places of each kind, and the refusal of those who have their share. */
function createAdmission({ maxInFlight, maxLongPolls, maxStreams }: Config, counters: Counters) {
  const places: Readonly<Record<Kind, Places>> = {
    requests: createPlaces(maxInFlight),
    'long polls': createPlaces(maxLongPolls),
    streams: createPlaces(maxStreams),
    'sign-ins': createPlaces(Math.ceil(maxInFlight / 4)),
    'unverified requests': createPlaces(maxInFlight),
  }
  const refusal = (kind: Kind, reason: Refusal, sentence: string) => {
    counters.refused(kind, reason)
    return new Problem(problemOf[reason], sentence)
  }
  let braked = 0
  /** Refusals cost time too. A client that does not wait before it tries again is kept waiting with its connection. */
  const brake = async () => {
    if (braked >= mostBraked) return
    braked++
    await pause(brakeTime * (0.5 + Math.random()), undefined, { ref: false }) // not all at the same moment
    braked--
  }
  return {
    places,
    refusal,
    /** Also tells the client what is left, in the headers of the draft for RateLimit fields. */
    async take(visit: Visit, kind: Kind, holders: readonly Holder[], reply: FastifyReply): Promise<void> {
      const { total } = places[kind]
      const taken = places[kind].take(holders)
      const policy = `"${kind.replace(' ', '-')}"`
      reply.header('ratelimit-policy', `${policy};q=${Math.ceil(holders[0]!.share * total)};qu="concurrent-requests"`)
      reply.header('ratelimit', `${policy};r=${'by' in taken ? 0 : taken.left}`)
      if ('by' in taken) {
        if (problemOf[taken.by] === 'tooMany') await brake()
        throw refusal(kind, taken.by, sentenceOf(taken, kind, total))
      }
      visit.place = taken
      atEnd(visit, taken.release)
    },
  }
}

/** The client may be gone already while its token was verified. */
function atEnd(visit: Visit, action: () => void): void {
  if (visit.isOver) action()
  else visit.atEnd.push(action)
}

/** Whether the body is that of a batch, or of unknown length. */
const isLong = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > smallBody

/** Stays pending when the client leaves meanwhile. */
function waitForTurn(
  turns: Turns,
  visit: Visit,
  { name, isBatch, wait }: { readonly name: string; readonly isBatch: boolean; readonly wait: number },
  tooLate: () => Problem,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      leave()
      reject(tooLate())
    }, wait)
    const leave = turns.enter(name, isBatch, () => {
      clearTimeout(timer)
      if (visit.kind !== 'requests') setTimeout(() => leave(), firstWork).unref()
      resolve()
    })
    atEnd(visit, () => {
      clearTimeout(timer)
      leave()
    })
  })
}

/** The holders of the place of a request. */
function createHolders(limits: Config) {
  const [userShare, addressShare, anonymousShare] = [limits.userShare, limits.addressShare, limits.anonymousShare].map(
    (percent) => percent / 100,
  ) as [number, number, number]
  const anonymous: Holder = { kind: 'anonymous', name: '', share: anonymousShare }
  return {
    ofUser: (id: string): Holder[] => [{ kind: 'user', name: id, share: userShare }],
    /** A whole office may arrive at once, but it takes only moments to verify a token. */
    arrivalOf({ ip, routeOptions }: FastifyRequest, isUnverified: boolean): Holder[] {
      if (isUnverified) return [{ kind: 'address', name: ip, share: 1 }]
      if (routeOptions.config.signIn) return [{ kind: 'address', name: ip, share: userShare }]
      return [{ kind: 'address', name: ip, share: addressShare }, anonymous]
    },
  }
}

const hasToken = ({ headers, routeOptions, is404 }: FastifyRequest) =>
  routeOptions.config.access !== 'public' && !is404 && headers.authorization !== undefined

function kindOf({ routeOptions: { config }, query }: FastifyRequest): Kind {
  const { signIn, waits, streams, longBody } = config
  if (signIn) return 'sign-ins'
  if (waits === true || (waits !== undefined && Number((query as Record<string, unknown>)[waits]) > 0))
    return 'long polls'
  return streams || longBody ? 'streams' : 'requests'
}

/** The caller can send fewer requests (429), or can only try again (503). */
const problemOf = {
  user: 'tooMany',
  address: 'tooMany',
  connection: 'tooMany',
  batch: 'tooMany',
  turn: 'unavailable',
  anonymous: 'unavailable',
  full: 'unavailable',
} as const satisfies Record<Refusal, ProblemKind>

function sentenceOf({ by, held }: Refused, kind: Kind, total: number): string {
  const part = `${held} of the ${total} places for ${kind}`
  return {
    user: `you have taken ${part}, your share at the moment; wait for replies before you send more`,
    address: `your address has taken ${part}, its share at the moment; wait for replies before you send more`,
    anonymous: `callers without a token have taken ${part}; send a token, or try again later`,
    full: `all ${total} places for ${kind} are taken; try again later`,
  }[by]
}

/** One line per request. */
export function logEnded({ request, reply, status, ms }: Ended): void {
  const { method, routeOptions, url, caller, log } = request
  const bytes = Number(reply.getHeader('content-length')) || undefined
  const line = { method, route: routeOptions.url ?? url.slice(0, 200), status, ms: Math.round(ms) }
  log.info({ ...line, user: caller?.userName, bytes }, 'request')
}
