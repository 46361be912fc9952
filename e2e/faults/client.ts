/** Calls of the server, and what a client knows afterwards. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Operation } from './linear.ts'
import { createRandom, type Random } from './random.ts'
import { increase, password, renewToken, until, type World } from './world.ts'

export const core = '/api/core/v1'
export const schemaVersion = '5.6.0'

/**
 * unsent    the connection was refused, or the request was not looked at: nothing has happened
 * unknown   no whole reply, or one of 5xx: it has taken effect or not
 */
export interface Reply {
  readonly kind: 'ok' | 'refused' | 'unknown' | 'unsent'
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any
}
export interface Call {
  readonly method?: string
  readonly body?: unknown
  readonly type?: string
  readonly token?: string
  readonly headers?: Record<string, string>
  /** The address of the process; one after the other by default. */
  readonly at?: string
}

/** Milliseconds. */
const giveUpAfter = 20_000
/** The request was not looked at: the token is not valid at the moment, or there were too many requests. */
const ignored = new Set([401, 429])

/** The name of the number of writes that were answered with success. */
export const acknowledged = 'acknowledged writes'
const isWrite = (method: string, path: string) => method !== 'GET' && !/\/(retrieve|search)\b/.test(path)
/** Without the names of single objects. */
const routeOf = (path: string) => path.split('?')[0]!.replaceAll(/\/[\w-]{0,40}\d[\w-]{3,40}(?=\/|$)/g, '/…')

let calls = 0

export async function call(world: World, path: string, options: Call = {}): Promise<Reply> {
  const { urls, tokens } = world
  const { body, type, token = tokens.get('admin')!, headers = {}, at: url = urls[calls++ % urls.length]! } = options
  const method = options.method ?? (body === undefined ? 'GET' : 'POST')
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
  const begun = performance.now()
  const nothing = { status: 0, headers: new Headers(), bytes: Buffer.alloc(0), json: undefined }
  try {
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? new Uint8Array(Buffer.from(body)) : JSON.stringify(body) }),
      signal: AbortSignal.timeout(giveUpAfter),
    })
    const bytes = Buffer.from(await reply.arrayBuffer())
    const { status } = reply
    // Lines of JSON are not JSON.
    const isJson = /[/+]json\b/.test(reply.headers.get('content-type') ?? '') && bytes.length > 0
    const kind = status >= 500 ? 'unknown' : ignored.has(status) ? 'unsent' : status < 300 ? 'ok' : 'refused'
    const now = performance.now()
    if (kind === 'ok' && isWrite(method, path)) increase(world.counts, acknowledged)
    if (status === 500) void noteError(world, `${method} ${routeOf(path)}`, bytes.toString())
    if (kind === 'ok' && !path.includes('wait=')) world.latencies.push({ path, at: now, ms: now - begun })
    return { kind, status, headers: reply.headers, bytes, json: isJson ? JSON.parse(bytes.toString()) : undefined }
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string }
    if ((error as Error).name === 'TimeoutError')
      increase(world.counts, `no answer within ${giveUpAfter / 1000} s: ${method} ${routeOf(path)}`)
    return { ...nothing, kind: code === 'ECONNREFUSED' ? 'unsent' : 'unknown' }
  }
}

/** Counts a reply 500 by the cause that the server has logged with its support id. Only a damaged file may be the cause. */
async function noteError(world: World, route: string, text: string): Promise<void> {
  const servers = world.urls.map((_, number) => world.server(number))
  const id = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(text)?.[0] ?? text
  await pause(500)
  const lines = servers.flatMap((one) => one.output().split('\n'))
  const cause = lines.find((line) => line.includes(id))?.replaceAll(id, '…')
  const what = `answered with 500: ${route} ${(cause ?? text).slice(0, 600)}`
  if (!world.counts.has(what) && !cause?.includes('"type":"Corrupt"')) world.seen.push(what)
  increase(world.counts, what)
}

/** The records of a persist or perform. */
export const recordsOf = ({ json }: Reply): { status: string; id: number; tid: string; description: string }[] =>
  json?.responses?.response ?? []

/** The tids of the objects that a search has found. */
export const tidsIn = (json: unknown): string[] =>
  ((json as Found | undefined)?.items ?? []).flatMap(({ attributes }) =>
    attributes.filter(({ name }) => name === 'tid').map(({ value }) => value),
  )
interface Found {
  readonly items?: readonly { readonly attributes: readonly { readonly name: string; readonly value: string }[] }[]
}

/** Creates an editor with a token; another OpenID provider needs no user. A busy server may refuse the first attempts. */
export async function createUser(world: World, name: string): Promise<void> {
  const body = { name, password, roles: ['user', 'editor'] }
  const isCreated = async () => {
    const { status } = await call(world, '/api/v1/identity/users', { body })
    return status === 200 || status === 201 || status === 409
  }
  if (!world.places.has('identity')) await until(isCreated, 60, `user ${name} is created`)
  await until(() => renewToken(world, name).then(() => true), 60, `user ${name} has a token`)
}

/** One of the clients of a run: its random choices, and a name that no other has. */
export interface Client {
  readonly world: World
  readonly random: Random
  readonly name: string
  /** A name that was not used before. */
  fresh(): string
  call(path: string, options?: Call): Promise<Reply>
}

export function createClient(world: World, seed: number, name: string): Client {
  const random = createRandom(seed)
  let n = 0
  return { world, random, name, fresh: () => `${name}-${n++}`, call: (path, options) => call(world, path, options) }
}

/** An object with more lost replies is left alone: the checker would have to try too many orders. */
const mostLost = 8

/** Histories by key, one per object. */
export class History<Input, Output> {
  readonly byKey = new Map<string, Operation<Input, Output>[]>()
  readonly #lost = new Map<string, number>()

  /** The key of the object to use for this name: another one after many lost replies. */
  keyOf(name: string): string {
    for (let n = 0; ; n++) {
      const key = n === 0 ? name : `${name}.${n}`
      if ((this.#lost.get(key) ?? 0) < mostLost) return key
    }
  }

  /** Runs an operation and notes it with its times. Returns the reply. */
  async note(
    key: string,
    input: Input,
    run: () => Promise<Reply>,
    outputOf: (reply: Reply) => Output | undefined,
  ): Promise<Reply> {
    const from = performance.now()
    const reply = await run()
    const to = performance.now()
    if (reply.kind === 'unsent') return reply
    const output = reply.kind === 'unknown' ? undefined : outputOf(reply)
    if (output === undefined) this.#lost.set(key, (this.#lost.get(key) ?? 0) + 1)
    const operation = { input, output, from, to: output === undefined ? Infinity : to }
    const known = this.byKey.get(key)
    if (known) known.push(operation)
    else this.byKey.set(key, [operation])
    return reply
  }
}

/** A history on one line, for messages. */
export const describe = (operations: readonly Operation<unknown, unknown>[]) =>
  operations
    .map(({ input, output, from, to }) => {
      const times = `${from.toFixed(0)}-${to === Infinity ? '?' : to.toFixed(0)}`
      return `${times} ${JSON.stringify(input)} ${JSON.stringify(output) ?? 'lost'}`
    })
    .join('; ')
