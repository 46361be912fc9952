/**
 * The typed client. Its calls are made from the contract's tables, so every resource and route there is a method here:
 *
 *   const kontor = createClient({ baseUrl, tokens: passwordTokens({ baseUrl }, 'admin', password) })
 *   const records = await kontor.common.keywords.persist([{ name: { itm: [{ value: 'Sea' }] } }])
 *   for await (const product of kontor.pim.products.stream({ tids })) …
 */
import {
  type Action,
  type Area,
  areas,
  type cm,
  type common,
  type dam,
  type events,
  type identity,
  type workflow,
  type Infer,
  type peo,
  type Pim,
  type pim,
  type requests,
  type Resource,
  type Route,
  type search,
  type transfer,
  type webhooks,
} from '@kontor/contract'
import { type EventFeed, eventFeed } from './events.ts'
import { type BulkRun, type Records, resourceCalls, type WriteOptions } from './resources.ts'
import { routeCall } from './routes.ts'
import { piecesOf } from './surroundings.ts'
import { type Call, type ClientOptions, createTransport } from './transport.ts'
import { type FileTransfers, fileTransfers } from './transfers.ts'
import { uploadCalls, type Uploads } from './uploads.ts'

type ActionValue = Infer<typeof Action>

interface Calls<R extends Resource> {
  query: R['query'] extends { request: infer Q; reply: infer A } ? (request?: Infer<Q>) => Promise<Infer<A>> : never
  /** All objects at once. */
  retrieve: (request?: Infer<R['retrieve']>) => Promise<Infer<R['item']>[]>
  /** The whole message, with what comes along with the objects: entries of glossaries, extensions of channels. */
  retrieveMessage: (request?: Infer<R['retrieve']>) => Promise<Infer<typeof Pim>>
  /** Object by object, while they arrive. */
  stream: (request?: Infer<R['retrieve']>) => AsyncIterable<Infer<R['item']>>
  /** One record per object: what is refused is a value, not an error. */
  persist: (objects: readonly Infer<R['item']>[], options?: WriteOptions) => Promise<Records>
  perform: (actions: readonly ActionOf<R>[], options?: WriteOptions) => Promise<Records>
  bulk: (objects: readonly Infer<R['item']>[], options?: WriteOptions) => Promise<BulkRun>
}
type ActionOf<R extends Resource> = Omit<ActionValue, 'type' | 'dataType'> & {
  type: keyof R['perform'] & string
  dataType?: string
}
type Offered<R extends Resource> = {
  [
    V in keyof Calls<R> as V extends 'stream' | 'retrieveMessage'
      ? 'retrieve' extends keyof R
        ? V
        : never
      : V extends keyof R
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

type AreaClient<A extends Area> = { [N in keyof A['resources']]: Offered<A['resources'][N]> } & {
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
  readonly requests: AreaClient<typeof requests>
  readonly webhooks: AreaClient<typeof webhooks>
  readonly transfers: AreaClient<typeof transfer> & FileTransfers
  /** Files in chunks, resumable: what the interface spreads over several calls. */
  readonly uploads: Uploads
  /** Any other call, with token and repeats: the reply piece by piece. */
  send(call: RawCall): AsyncIterable<Uint8Array>
}
export type RawCall = Omit<Call, 'signal'>

export function createClient(options: ClientOptions): Client {
  const transport = createTransport(options)
  const client = areas.map((area) => [
    area.base.split('/').at(-1)!,
    Object.fromEntries([
      ...Object.entries(area.resources).map(([name, resource]) => [
        name,
        resourceCalls(transport, `${area.base}/${name}`, resource),
      ]),
      ...Object.entries(area.routes).map(([name, route]) => [name, routeCall(transport, area.base, route)]),
    ]),
  ])
  const made = Object.fromEntries(client) as Client
  return {
    ...made,
    events: { ...made.events, ...eventFeed(transport) },
    transfers: { ...made.transfers, ...fileTransfers(transport) },
    uploads: uploadCalls(transport),
    async *send(call) {
      yield* piecesOf((await transport.send(call)).body)
    },
  }
}
