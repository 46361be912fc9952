/**
 * A fake OpenTelemetry collector: takes traces by OTLP over HTTP as JSON and keeps them. It is strict: a message that does
 * not follow the protocol is answered with 400 and kept as a fault. Redirects, partial success and gRPC are not faked.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Scalar = string | number | boolean
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  /** '' for the first span of a trace. */
  readonly parent: string
  readonly name: string
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  readonly failed: boolean
  readonly traceState: string
  readonly attributes: Readonly<Record<string, Scalar>>
  /** The attributes of the process. */
  readonly resource: Readonly<Record<string, Scalar>>
}

export interface FakeCollector {
  readonly url: string
  readonly spans: ReceivedSpan[]
  /** Everything that was received, to look for what must not be there. */
  readonly bodies: string[]
  readonly headers: Record<string, string | string[] | undefined>[]
  readonly faults: string[]
  stop(): Promise<void>
}

/** With `silent` it accepts connections and never answers. */
export async function startFakeCollector({ silent = false } = {}): Promise<FakeCollector> {
  const [spans, bodies, faults]: [ReceivedSpan[], string[], string[]] = [[], [], []]
  const headers: FakeCollector['headers'] = []
  const server = createServer(async (request, reply) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (silent) return
    bodies.push(body)
    headers.push(request.headers)
    try {
      demand(request.method === 'POST' && request.url === '/v1/traces', `${request.method} ${request.url}`)
      demand(request.headers['content-type'] === 'application/json', `${request.headers['content-type']}`)
      spans.push(...readSpans(JSON.parse(body)))
      reply.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    } catch (error) {
      faults.push(String(error))
      reply.writeHead(400).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}`, spans, bodies, headers, faults, stop }
}

type Json = Record<string, unknown>
const kinds = ['', 'internal', 'server', 'client', 'producer', 'consumer'] as const

function readSpans(message: Json): ReceivedSpan[] {
  return listOf(message, 'resourceSpans').flatMap((group) => {
    const resource = attributesOf(group.resource as Json)
    return listOf(group, 'scopeSpans').flatMap((scope) =>
      listOf(scope, 'spans').map((span) => ({ ...readSpan(span), resource })),
    )
  })
}

function readSpan(span: Json): Omit<ReceivedSpan, 'resource'> {
  const { traceId, spanId, parentSpanId = '', name, kind, status, traceState = '' } = span
  demand(isHex(traceId, 32) && isHex(spanId, 16), `ids ${traceId} ${spanId}`)
  demand(parentSpanId === '' || isHex(parentSpanId, 16), `parent ${parentSpanId}`)
  demand(typeof name === 'string' && name !== '', 'a span without a name')
  demand(typeof kind === 'number' && kind >= 1 && kind <= 5, `kind ${kind}`)
  const [start, end] = [span.startTimeUnixNano, span.endTimeUnixNano]
  demand(/^\d{19}$/.test(String(start)) && BigInt(String(end)) >= BigInt(String(start)), `times ${start} ${end}`)
  return {
    traceId: traceId as string,
    spanId: spanId as string,
    parent: parentSpanId as string,
    name: name as string,
    kind: kinds[kind as 1],
    failed: (status as Json | undefined)?.code === 2,
    traceState: traceState as string,
    attributes: attributesOf(span),
  }
}

function attributesOf(holder: Json): Record<string, Scalar> {
  return Object.fromEntries(
    listOf(holder, 'attributes').map(({ key, value }) => {
      const [[type, content] = [], ...others] = Object.entries(value as Json)
      demand(typeof key === 'string' && others.length === 0, `attribute ${String(key)}`)
      demand(['stringValue', 'intValue', 'doubleValue', 'boolValue'].includes(type ?? ''), `${String(key)}: ${type}`)
      return [key as string, content as Scalar]
    }),
  )
}

function listOf(holder: Json, name: string): Json[] {
  const list = holder[name] ?? []
  demand(Array.isArray(list), `${name} is not a list`)
  return list as Json[]
}

const isHex = (text: unknown, length: number) =>
  typeof text === 'string' && text.length === length && /^[0-9a-f]*[1-9a-f][0-9a-f]*$/.test(text)

function demand(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}
