/** The verbs of one resource as calls. */
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
import type { Transport } from './transport.ts'
import { crypto, piecesOf, type Reply, setTimeout } from './surroundings.ts'

export type Records = Infer<typeof ResponseRecord>[]

/** How a call that writes is sent. */
export interface WriteOptions {
  /** Repeats of a call with the same key have one effect. A new one is made when absent. */
  readonly idempotencyKey?: string
  /** All or nothing for the whole batch. */
  readonly atomic?: boolean
  /** Only what would become of each object; nothing is stored. */
  readonly dryRun?: boolean
}

/** A bulk message while the server settles it. */
export interface BulkRun {
  readonly id: string
  state(): Promise<{ state: string; processed: number; total: number }>
  /** Waits for the end and returns the records. */
  done(): Promise<Records>
}

export function resourceCalls(transport: Transport, path: string, resource: Resource): object {
  const { container, element, dataType } = resource
  const envelope = (name: string, list: string, items: readonly object[]) => ({
    schemaVersion,
    [name]: { [list]: items },
  })
  const write = async (verb: string, message: object, { idempotencyKey, atomic, dryRun }: WriteOptions = {}) => {
    const reply = await post(transport, `${path}/${verb}`, Pim, message, {
      idempotencyKey: idempotencyKey ?? crypto.randomUUID(),
      headers: { ...(atomic && { 'kontor-atomic': 'true' }), ...(dryRun && { 'kontor-dry-run': 'true' }) },
    })
    return readRecords(transport, reply)
  }
  const actions = (list: readonly object[]) =>
    envelope(
      'actions',
      'action',
      list.map((action) => ({ dataType, ...action })),
    )
  const stream = (request: object = {}) => streamObjects(transport, path, resource, request)
  return {
    query: async (request: object = {}) => {
      const { request: asks, reply: answers } = resource.query!
      const reply = await post(transport, `${path}/query`, asks, request, {
        accept: formats.json.mediaType,
        format: formats.json,
      })
      return decode(formats.json, answers, await bytesOf(reply))
    },
    stream,
    async retrieveMessage(request: object = {}) {
      const options = { format: formats.json, accept: transport.format.mediaType }
      const reply = await post(transport, `${path}/retrieve`, resource.retrieve!, request, options)
      return decode(transport.format, Pim, await bytesOf(reply))
    },
    async retrieve(request?: object) {
      const objects: object[] = []
      for await (const object of stream(request)) objects.push(object)
      return objects
    },
    persist: (objects: readonly object[], options?: WriteOptions) =>
      write('persist', envelope(container, element, objects), options),
    perform: (list: readonly object[], options?: WriteOptions) => write('perform', actions(list), options),
    async bulk(objects: readonly object[], { idempotencyKey }: WriteOptions = {}) {
      const reply = await post(transport, `${path}/bulk`, Pim, envelope(container, element, objects), {
        idempotencyKey: idempotencyKey ?? crypto.randomUUID(),
      })
      return bulkRun(transport, path, await reply.text())
    },
  }
}

interface PostOptions {
  idempotencyKey?: string
  headers?: Record<string, string>
  accept?: string
  format?: (typeof formats)[keyof typeof formats]
}

export function post(transport: Transport, path: string, root: Type, message: object, options: PostOptions = {}) {
  const { format = transport.format, accept = transport.format.mediaType, headers, idempotencyKey } = options
  return transport.send({
    method: 'POST',
    path,
    body: encode(format, root, message),
    headers: { 'content-type': format.contentType, accept, ...headers },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  })
}

/** Each object as soon as it has arrived whole; the message is never held. */
async function* streamObjects(transport: Transport, path: string, { retrieve, container }: Resource, request: object) {
  const { format } = transport
  const reply = await post(transport, `${path}/retrieve`, retrieve!, request, {
    format: formats.json,
    accept: format.mediaType,
  })
  const arrived: object[] = []
  const reader = format.codec.reader(Pim, { sink: (name, item) => void (name === container && arrived.push(item)) })
  for await (const chunk of piecesOf(reply.body)) {
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

const bytesOf = async (reply: Reply) => new Uint8Array(await reply.arrayBuffer())

function bulkRun(transport: Transport, path: string, id: string): BulkRun {
  const show = async () => {
    const { format } = transport
    const reply = await transport.send({
      method: 'GET',
      path: `${path}/bulk/${id}`,
      headers: { accept: format.mediaType },
    })
    return decode(format, Pim, await bytesOf(reply)) as Infer<typeof Pim>
  }
  const stateOf = ({ meta }: Infer<typeof Pim>) => {
    const fact = (key: string) => meta?.itm?.find((item) => item.key === key)?.value ?? ''
    return { state: fact('state'), processed: Number(fact('processed')), total: Number(fact('total')) }
  }
  return {
    id,
    state: async () => stateOf(await show()),
    async done() {
      for (let wait = 100; ; wait = Math.min(wait * 1.5, 5000)) {
        const message = await show()
        if (['finished', 'failed'].includes(stateOf(message).state)) return message.responses?.response ?? []
        await new Promise<void>((resolve) => setTimeout(resolve, wait))
      }
    },
  }
}
