/**
 * The way from the outbox to receivers, run by every process with the worker role. A session lock decides which process
 * serves a webhook; when that process dies, another one goes on.
 *
 *   take over   outbox rows after the webhook's position become deliveries, and the position moves: one statement
 *   send        the oldest waiting deliveries, those of one object one after the other, several objects at a time
 *   note        the outcome
 *
 * A receiver that is down gets one delivery after growing pauses. Everything else waits in the table and, when that is
 * full, in the outbox, whose rows are kept for it. A process that dies between sending and noting leaves a delivery
 * that is sent again: receivers recognise repeats by the webhook-id, which stays the same.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../adapters/postgres/db.ts'
import { createSessionLocks } from '../adapters/postgres/session-locks.ts'
import { untilEnd } from '../adapters/tracing/tracing.ts'
import { post } from '../adapters/web/post.ts'
import type { Config } from '../config.ts'
import { demandRight } from '../core/access/access.ts'
import type { Caller, Services } from '../core/context.ts'
import type { OutboxNotifier } from '../core/outbox/notifier.ts'
import { currentPosition, keepFrom, readSettled } from '../core/outbox/outbox.ts'
import { Problem } from '../errors.ts'
import { toTypeFilter } from '../events/types.ts'
import { type DescribedKinds, toEvents } from '../events/view.ts'
import { type Origins, rememberOrigins } from './origins.ts'
import { signed } from './sign.ts'
import * as rows from './webhooks.sql.ts'

interface Delivering {
  readonly database: Database
  readonly config: Config
  readonly kinds: DescribedKinds
  readonly notifier: OutboxNotifier
  readonly callerNow: Services['callerNow']
  /** Opens the sealed secret. */
  open(secret: Buffer): string
  failed(error: unknown): void
  readonly tracing?: Services['tracing']
  readonly origins?: Origins
}

/** No more events are taken over while this many wait. */
const mostWaiting = 5000
const portion = 500
/** So many deliveries are read at a time; those that are not sent within a second wait until they are read again. */
const mostRead = 200
const sendsFor = 1000
const atOnce = 8
const lockSpace = 12
const hour = 3_600_000
/** Minimum time between two searches for due webhooks, in milliseconds. */
const lookEvery = 100

export function startDelivering(options: Omit<Delivering, 'origins'>): { stop(): Promise<void> } {
  const parts: Delivering = options.tracing ? { ...options, origins: rememberOrigins(options.notifier) } : options
  const { database, notifier, failed } = parts
  const stopping = new AbortController()
  const { signal } = stopping
  const locks = createSessionLocks(database.pool.options, lockSpace)
  const turns = new Map<string, Promise<void>>()
  /** Webhooks that were due again during their turn, which may have been over for the new events. */
  const again = new Set<string>()
  let wake = Promise.withResolvers<void>()

  const takeTurn = async (id: string) => {
    try {
      await serve(parts, id, () => !signal.aborted && locks.holds(id))
    } catch (error) {
      if (!signal.aborted) failed(error)
    } finally {
      await locks.release(id)
      turns.delete(id)
      if (again.delete(id)) setTimeout(() => wake.resolve(), lookEvery).unref()
    }
  }
  const look = async () => {
    const due = await rows.findDueHooks(database)
    for (const { id } of due) if (turns.has(id)) again.add(id)
    const free = due.map(({ id }) => id).filter((id) => !turns.has(id))
    for (const id of await locks.take(free)) turns.set(id, takeTurn(id))
  }
  const run = async () => {
    while (!signal.aborted) {
      const next = notifier.next()
      wake = Promise.withResolvers<void>()
      await look().catch((error: unknown) => signal.aborted || failed(error))
      // Not a race with a long-lived promise, which would keep a reference to every one of these.
      void Promise.all([next, pause(lookEvery, undefined, { ref: false })]).then(() => wake.resolve())
      await wake.promise
    }
    await Promise.all(turns.values())
    await locks.close()
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      wake.resolve()
      parts.origins?.stop()
      await running
    },
  }
}

/**
 * Reads the webhook and its owner again before each sending: somebody may have changed its address, secrets or state,
 * or the owner may have lost their rights before the events that were just taken over.
 */
async function serve(parts: Delivering, id: string, isOurs: () => boolean): Promise<void> {
  let due = await findDue(parts, id)
  while (due && isOurs()) {
    const taken = await takeOver(parts, due.hook, due.owner)
    due = await findDue(parts, id)
    const sent = due ? await sendDue(parts, due.hook) : 0
    if (taken + sent === 0) return
  }
}

/** The webhook with its owner, if it is due. Disables it if the owner may not have it any more. */
async function findDue(parts: Delivering, id: string) {
  const hook = await rows.findDueHook(parts.database, id)
  if (!hook) return undefined
  const owner = await ownerNow(parts, hook)
  if (!(owner instanceof Problem)) return { hook, owner }
  await rows.disable(parts.database, id, disowned(owner))
  return undefined
}

/** The administrator for whom the webhook sends, with the rights of now; a Problem if there is no such one any more. */
async function ownerNow({ callerNow }: Delivering, { principal }: rows.WebhookRow): Promise<Caller | Problem> {
  try {
    const owner = await callerNow(principal)
    demandRight(owner, 'admin')
    return owner
  } catch (error) {
    if (error instanceof Problem && error.kind === 'forbidden') return error
    throw error
  }
}
const disowned = ({ message }: Problem) => `${message}; an administrator who enables it again takes it over`

/** Turns changes since the position into deliveries. Returns the number of changes that were read. */
async function takeOver(
  { database, config, kinds }: Delivering,
  hook: rows.WebhookRow,
  reader: Caller,
): Promise<number> {
  const from = hook.position
  if (!(await keepFrom(database, `webhook:${hook.id}`, from))) return beginAnew(database, hook)
  if ((await rows.countWaiting(database, hook.id)) >= mostWaiting) return 0
  const { changes, position } = await readSettled(database, from, portion)
  if (changes.length === 0) return 0
  const view = { db: database, source: config.baseUrl, kinds, reader, wanted: toTypeFilter(hook.types) }
  const deliveries = (await toEvents(view, changes)).map((event) => ({
    eventId: event.id!,
    type: event.type!,
    subject: event.subject!,
    objectId: Number(event.data!.id),
    body: JSON.stringify(event),
  }))
  await rows.takeOver(database, hook.id, position, deliveries)
  return changes.length
}

/**
 * The webhook was disabled for so long that the outbox no longer has its position. The administrator must see this gap.
 */
async function beginAnew(database: Database, hook: rows.WebhookRow): Promise<number> {
  const position = await currentPosition(database)
  await rows.takeOver(database, hook.id, position, [])
  const problem = `events behind ${hook.position} are no longer kept; the receiver must read everything anew`
  await rows.noteHealth(database, hook.id, { failures: 0, problem, wait: 0 })
  return 0
}

/** Returns the number of attempts. */
async function sendDue(parts: Delivering, hook: rows.WebhookRow): Promise<number> {
  const { database, config } = parts
  const due = await rows.findDue(database, hook.id, hook.failures > 0 ? 1 : mostRead)
  if (due.length === 0) return 0
  const secrets = hook.secrets.map((secret) => parts.open(secret))
  const results = await sendAll(due, (delivery) => sendTraced(parts, hook, secrets, delivery))
  await rows.noteAttempts(
    database,
    results.map(({ attempt }) => attempt),
  )
  const down = results.find(({ down }) => down)
  if (results.some(({ gone }) => gone)) {
    await rows.disable(database, hook.id, 'the receiver answered 410 Gone')
  } else if (down) {
    const failures = hook.failures + 1
    const wait = Math.max(pauseAfter(config, failures), down.asked)
    await rows.noteHealth(database, hook.id, { failures, problem: down.attempt.problem, wait })
  } else if (hook.failures > 0) {
    await rows.noteHealth(database, hook.id, { failures: 0, problem: null, wait: 0 })
  }
  return results.length
}

/**
 * Sends what is due of several objects at a time. Later deliveries of an object wait if one is not delivered; all that are
 * left do so when the time is over, or when the receiver is not there.
 */
async function sendAll(due: readonly rows.DueRow[], send: (delivery: rows.DueRow) => Promise<Sent>): Promise<Sent[]> {
  const objects = Map.groupBy(due, ({ objectId }) => objectId).values()
  const results: Sent[] = []
  const end = performance.now() + sendsFor
  const isOver = () => performance.now() > end || results.some(({ down, gone }) => down || gone)
  const sendObject = async (deliveries: readonly rows.DueRow[]) => {
    for (const delivery of deliveries) {
      if (isOver()) return
      const sent = await send(delivery)
      results.push(sent)
      if (sent.attempt.state !== 'delivered') return
    }
  }
  const work = async () => {
    for (const deliveries of objects) await sendObject(deliveries) // all workers take from one iterator
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return results
}

interface Sent {
  readonly attempt: rows.Attempt
  /** The receiver is at fault, not this event. */
  readonly down: boolean
  readonly gone: boolean
  /** The pause that the receiver asks for, in milliseconds. */
  readonly asked: number
}

function sendTraced({ config, tracing, origins }: Delivering, ...delivery: Delivery): Promise<Sent> {
  if (!tracing) return send(config, ...delivery)
  const [{ id }, , { eventId, attempts }] = delivery
  const attributes = { 'kontor.webhook.id': id, 'kontor.event.id': eventId, 'kontor.attempt': attempts + 1 }
  const span = tracing.begin('webhook delivery', 'consumer', attributes, origins?.of(eventId))
  return untilEnd(span, async () => {
    const sent = await send(config, ...delivery)
    if (sent.attempt.state !== 'delivered') span.fail(String(sent.attempt.status ?? '_OTHER'))
    return sent
  })
}

type Delivery = [hook: rows.WebhookRow, secrets: readonly string[], due: rows.DueRow]

async function send(
  config: Config,
  { url }: rows.WebhookRow,
  secrets: readonly string[],
  { id, eventId, body, attempts, createdAt }: rows.DueRow,
): Promise<Sent> {
  const outcome = await postEvent(config, url, secrets, eventId, body)
  if (outcome.status !== null && outcome.status >= 200 && outcome.status < 300) {
    const attempt = { id, state: 'delivered', status: outcome.status, problem: null, wait: 0 } as const
    return { attempt, down: false, gone: false, asked: 0 }
  }
  const { status, problem, asked } = outcome
  const down = status === null || status >= 500 || status === 429
  const isOld = Date.now() - createdAt.getTime() > config.webhookDays * 24 * hour
  const state = !down && isOld ? 'refused' : 'waiting'
  const wait = down ? 0 : pauseAfter(config, attempts + 1)
  return { attempt: { id, state, status, problem, wait }, down, gone: status === 410, asked }
}

export interface Outcome {
  /** null: no answer. */
  readonly status: number | null
  readonly problem: string | null
  readonly asked: number
}

export async function postEvent(
  config: Config,
  url: string,
  secrets: readonly string[],
  eventId: string,
  body: string,
): Promise<Outcome> {
  const headers = { 'content-type': 'application/cloudevents+json; charset=UTF-8', ...signed(secrets, eventId, body) }
  const options = { allowPrivate: config.webhookPrivate, milliseconds: config.webhookSeconds * 1000 }
  try {
    const { status, retryAfter, text } = await post(url, body, headers, options)
    const asked = Math.min(Math.max(Number(retryAfter ?? 0) * 1000 || 0, 0), hour)
    return { status, problem: `answered ${status}${text === '' ? '' : `: ${text}`}`, asked }
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    return { status: null, problem: message || (code ?? 'no answer'), asked: 0 }
  }
}

/** Exponential back-off with jitter, up to an hour. */
function pauseAfter({ webhookRetry }: Config, failures: number): number {
  return Math.min(webhookRetry * 1000 * 2 ** (failures - 1), hour) * (0.8 + Math.random() * 0.4)
}
