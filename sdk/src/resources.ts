/** Makes the methods of a resource (query, retrieve, persist, perform, bulk) from its row in the contract. */
import {
  decode,
  encode,
  formats,
  type Infer,
  Pim,
  type Resource,
  type ResponseRecord,
  schemaVersion,
  type Type,
} from '@kontor/contract'
import { bytesOf, chunksOf, crypto, type Reply, sleep } from './runtime.ts'
import type { Transport } from './transport.ts'

export type Records = Infer<typeof ResponseRecord>[]

export interface WriteOptions {
  /** Repeating a call with the same key has no second effect. By default, the SDK generates a key for each call. */
  readonly idempotencyKey?: string
  /** Stores the whole batch or nothing. */
  readonly atomic?: boolean
  /** Returns the records that the call would produce, and stores nothing. */
  readonly dryRun?: boolean
  /** For a single object: its ETag. The call fails with status 412 if the object has changed since. */
  readonly ifMatch?: string
}

export interface Tagged<T> {
  readonly object: T
  /** For `ifMatch`. undefined if this kind of object has none. */
  readonly etag?: string
}

/** A bulk message that the server processes in the background. */
export interface BulkRun {
  readonly id: string
  state(): Promise<{ state: string; processed: number; total: number }>
  /** Waits for the end of the run and returns its records. */
  done(): Promise<Records>
}

export function resourceCalls(transport: Transport, path: string, resource: Resource): object {
  const { container, element, dataType } = resource
  const envelope = (name: string, list: string, items: readonly object[]) => ({
    schemaVersion,
    [name]: { [list]: items },
  })
  const write = async (verb: string, message: object, options: WriteOptions = {}) => {
    const { idempotencyKey, atomic, dryRun, ifMatch } = options
    const reply = await post(transport, `${path}/${verb}`, Pim, message, {
      idempotencyKey: idempotencyKey ?? crypto.randomUUID(),
      headers: {
        ...(atomic && { 'kontor-atomic': 'true' }),
        ...(dryRun && { 'kontor-dry-run': 'true' }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
    })
    return readRecords(transport, reply)
  }
  const actionEnvelope = (actions: readonly object[]) =>
    envelope(
      'actions',
      'action',
      actions.map((action) => ({ dataType, ...action })),
    )
  const retrieve = (request: object) =>
    post(transport, `${path}/retrieve`, resource.retrieve!, request, {
      format: formats.json,
      accept: transport.format.mediaType,
    })
  const stream = (request: object = {}) => streamObjects(transport, path, resource, request)
  return {
    query: async (request: object = {}) => {
      const { request: requestType, reply: replyType } = resource.query!
      const reply = await post(transport, `${path}/query`, requestType, request, {
        accept: formats.json.mediaType,
        format: formats.json,
      })
      return decode(formats.json, replyType, await bytesOf(reply))
    },
    pages: (request: object = {}, count = 1000) => readPages(transport, path, resource, request, count),
    stream,
    async retrieveMessage(request: object = {}) {
      return decode(transport.format, Pim, await bytesOf(await retrieve(request)))
    },
    async retrieveTagged(request: object) {
      const reply = await retrieve(request)
      const message = decode(transport.format, Pim, await bytesOf(reply)) as Record<string, Record<string, object[]>>
      const object = message[container]?.[element]?.[0]
      const etag = reply.headers.get('etag')
      return object && { object, ...(etag !== null && { etag }) }
    },
    async retrieve(request?: object) {
      const objects: object[] = []
      for await (const object of stream(request)) objects.push(object)
      return objects
    },
    persist: (objects: readonly object[], options?: WriteOptions) =>
      write('persist', envelope(container, element, objects), options),
    perform: (actions: readonly object[], options?: WriteOptions) => write('perform', actionEnvelope(actions), options),
    async bulk(objects: readonly object[], { idempotencyKey }: WriteOptions = {}) {
      const reply = await post(transport, `${path}/bulk`, Pim, envelope(container, element, objects), {
        idempotencyKey: idempotencyKey ?? crypto.randomUUID(),
      })
      return bulkRun(transport, path, await reply.text())
    },
  }
}

async function* readPages(transport: Transport, path: string, resource: Resource, request: object, count: number) {
  const { request: requestType, reply: replyType } = resource.query!
  const json = { accept: formats.json.mediaType, format: formats.json }
  for (let next: string | null = ''; next !== null;) {
    const page = `count=${count}${next && `&after=${next}`}`
    const reply: Reply = await post(transport, `${path}/query?${page}`, requestType, request, json)
    next = reply.headers.get('kontor-next')
    yield decode(formats.json, replyType, await bytesOf(reply))
  }
}

interface PostOptions {
  idempotencyKey?: string
  headers?: Record<string, string>
  accept?: string
  format?: (typeof formats)[keyof typeof formats]
}

function post(transport: Transport, path: string, root: Type, message: object, options: PostOptions = {}) {
  const { format = transport.format, accept = transport.format.mediaType, headers, idempotencyKey } = options
  return transport.send({
    method: 'POST',
    path,
    body: encode(format, root, message),
    headers: { 'content-type': format.contentType, accept, ...headers },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  })
}

/** Yields each object as soon as it has arrived completely. The message as a whole is never in memory. */
async function* streamObjects(transport: Transport, path: string, { retrieve, container }: Resource, request: object) {
  const { format } = transport
  const reply = await post(transport, `${path}/retrieve`, retrieve!, request, {
    format: formats.json,
    accept: format.mediaType,
  })
  const arrived: object[] = []
  const reader = format.codec.reader(Pim, { sink: (name, item) => void (name === container && arrived.push(item)) })
  for await (const chunk of chunksOf(reply.body)) {
    reader.write(chunk)
    yield* arrived.splice(0)
  }
  reader.end()
  yield* arrived
}

async function readRecords(transport: Transport, reply: Reply): Promise<Records> {
  const { responses } = decode(transport.format, Pim, await bytesOf(reply)) as Infer<typeof Pim>
  return responses?.response ?? []
}

function bulkRun(transport: Transport, path: string, id: string): BulkRun {
  const fetchRun = async () => {
    const { format } = transport
    const reply = await transport.send({
      method: 'GET',
      path: `${path}/bulk/${id}`,
      headers: { accept: format.mediaType },
    })
    return decode(format, Pim, await bytesOf(reply)) as Infer<typeof Pim>
  }
  const stateOf = ({ meta }: Infer<typeof Pim>) => {
    const valueOf = (key: string) => meta?.itm?.find((item) => item.key === key)?.value ?? ''
    return { state: valueOf('state'), processed: Number(valueOf('processed')), total: Number(valueOf('total')) }
  }
  return {
    id,
    state: async () => stateOf(await fetchRun()),
    async done() {
      for (let wait = 100; ; wait = Math.min(wait * 1.5, 5000)) {
        const message = await fetchRun()
        if (['finished', 'failed'].includes(stateOf(message).state)) return message.responses?.response ?? []
        await sleep(wait)
      }
    },
  }
}
