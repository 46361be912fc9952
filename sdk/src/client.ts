/**
 * The typed client. Its methods are made from the contract's tables: every resource and every route there has one.
 *
 *   const kontor = createClient({ baseUrl, tokens: passwordTokens({ baseUrl }, 'admin', password) })
 *   const records = await kontor.common.keywords.persist([{ name: { itm: [{ value: 'Sea' }] } }])
 *   for await (const product of kontor.pim.products.stream({ tids })) …
 */
import {
  type Action,
  type Area,
  areas,
  type care,
  type change,
  type cm,
  type collection,
  type common,
  type dam,
  type events,
  type feed,
  type identity,
  type workflow,
  type Infer,
  type peo,
  type Pim,
  type pim,
  type presence,
  type requests,
  type rule,
  type Resource,
  type Route,
  type search,
  type shares,
  type system,
  type transfer,
  type webhooks,
} from '@kontor/contract'
import { type EventFeed, eventFeed } from './events.ts'
import { type BulkRun, type Records, resourceCalls, type Tagged, type WriteOptions } from './resources.ts'
import { routeCall } from './routes.ts'
import { chunksOf } from './runtime.ts'
import { type Call, type ClientOptions, createTransport, type Transport } from './transport.ts'
import { type FileTransfers, fileTransfers } from './transfers.ts'
import { uploadCalls, type Uploads } from './uploads.ts'

type ActionValue = Infer<typeof Action>

interface Calls<R extends Resource> {
  query: R['query'] extends { request: infer Q; reply: infer A } ? (request?: Infer<Q>) => Promise<Infer<A>> : never
  /** The pages of a query, each fetched when the loop asks for it. */
  pages: R['query'] extends { request: infer Q; reply: infer A }
    ? (request?: Infer<Q>, count?: number) => AsyncIterable<Infer<A>>
    : never
  retrieve: (request?: Infer<R['retrieve']>) => Promise<Infer<R['item']>[]>
  /** The whole message, including related objects: entries of glossaries, extensions of channels. */
  retrieveMessage: (request?: Infer<R['retrieve']>) => Promise<Infer<typeof Pim>>
  /** One object with its ETag; undefined if it was not found. */
  retrieveTagged: (request: Infer<R['retrieve']>) => Promise<Tagged<Infer<R['item']>> | undefined>
  /** Yields objects one by one while they arrive. */
  stream: (request?: Infer<R['retrieve']>) => AsyncIterable<Infer<R['item']>>
  /** Returns one record per object. A rejected object is a record with an error, not an exception. */
  persist: (objects: readonly Infer<R['item']>[], options?: WriteOptions) => Promise<Records>
  perform: (actions: readonly ActionOf<R>[], options?: WriteOptions) => Promise<Records>
  bulk: (objects: readonly Infer<R['item']>[], options?: WriteOptions) => Promise<BulkRun>
}
type ActionOf<R extends Resource> = Omit<ActionValue, 'type' | 'dataType'> & {
  type: keyof R['perform'] & string
  dataType?: string
}
/** The methods of the verbs that a resource supports. */
type ResourceClient<R extends Resource> = {
  [
    V in keyof Calls<R> as V extends 'stream' | 'retrieveMessage' | 'retrieveTagged'
      ? 'retrieve' extends keyof R
        ? V
        : never
      : (V extends 'pages' ? 'query' : V) extends keyof R
        ? V
        : never
  ]: Calls<R>[V]
}
type RouteArguments<R extends Route> = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: R['requestList'] extends object
    ? Infer<R['requestList']>[]
    : R['request'] extends object
      ? Infer<R['request']>
      : never
  /** For writes that the caller repeats: the same one each time. Default: a new one for each call. */
  idempotencyKey?: string
}
type RouteReply<R extends Route> = R['replyList'] extends object
  ? Infer<R['replyList']>[]
  : R['reply'] extends 'text' | 'string'
    ? string
    : R['reply'] extends 'map'
      ? Record<string, string>
      : R['reply'] extends 'bytes'
        ? AsyncIterable<Uint8Array>
        : R['reply'] extends object
          ? Infer<R['reply']>
          : void

type AreaClient<A extends Area> = { [N in keyof A['resources']]: ResourceClient<A['resources'][N]> } & {
  [N in keyof A['routes']]: (call?: RouteArguments<A['routes'][N]>) => Promise<RouteReply<A['routes'][N]>>
}

export interface Client {
  readonly common: AreaClient<typeof common>
  readonly cm: AreaClient<typeof cm>
  readonly peo: AreaClient<typeof peo>
  readonly pim: AreaClient<typeof pim>
  readonly dam: AreaClient<typeof dam>
  readonly identity: AreaClient<typeof identity>
  readonly search: AreaClient<typeof search>
  readonly workflow: AreaClient<typeof workflow>
  readonly events: AreaClient<typeof events> & EventFeed
  readonly presence: AreaClient<typeof presence>
  readonly requests: AreaClient<typeof requests>
  readonly system: AreaClient<typeof system>
  readonly webhooks: AreaClient<typeof webhooks>
  readonly changes: AreaClient<typeof change>
  readonly transfers: AreaClient<typeof transfer> & FileTransfers
  readonly feeds: AreaClient<typeof feed>
  readonly rules: AreaClient<typeof rule>
  /** The care of stored files, for administrators. */
  readonly care: AreaClient<typeof care>
  readonly collections: AreaClient<typeof collection>
  readonly shares: AreaClient<typeof shares>
  /** Resumable uploads of files in chunks. */
  readonly uploads: Uploads
  /**
   * Sends any other call with token and retries, and yields the body of the reply in chunks. A write needs an
   * `idempotencyKey`, because it may be sent more than once.
   */
  send(call: RawCall): AsyncIterable<Uint8Array>
}
export type RawCall = Omit<Call, 'signal'>

export function createClient(options: ClientOptions): Client {
  const transport = createTransport(options)
  const client = Object.fromEntries(
    areas.map((area) => [area.base.split('/').at(-1)!, areaClient(transport, area)]),
  ) as unknown as Client
  return {
    ...client,
    events: { ...client.events, ...eventFeed(transport) },
    transfers: { ...client.transfers, ...fileTransfers(transport) },
    uploads: uploadCalls(transport),
    async *send(call) {
      yield* chunksOf((await transport.send(call)).body)
    },
  }
}

function areaClient(transport: Transport, { base, resources, routes }: Area): object {
  return Object.fromEntries([
    ...Object.entries(resources).map(([name, resource]) => [
      name,
      resourceCalls(transport, `${base}/${name}`, resource),
    ]),
    ...Object.entries(routes).map(([name, route]) => [name, routeCall(transport, base, route)]),
  ])
}
