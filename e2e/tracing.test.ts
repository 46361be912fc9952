/** Traces of a real process, received by a fake collector. */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createDatabase, type TestDatabase } from '../server/test/database.ts'
import { type FakeCollector, type ReceivedSpan, startFakeCollector } from '../server/test/fake-collector.ts'
import { dataFolder, type Kontor, removeFolder, startKontor, tokenOf } from './kontor.ts'

const KONTOR_ADMIN_PASSWORD = 'eleven herons over the harbour'
const keywords = '/api/core/v1/common/keywords'
const KONTOR_DATA = dataFolder()
let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(async () => {
  await database.drop()
  removeFolder(KONTOR_DATA)
})

const start = (env: Record<string, string> = {}) =>
  startKontor({
    KONTOR_DATA,
    KONTOR_ADMIN_PASSWORD,
    KONTOR_WEBHOOK_PRIVATE: 'true',
    KONTOR_LOG_LEVEL: 'info',
    DATABASE_URL: database.poolConfig.connectionString,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    ...env,
  })

async function collector(options?: { silent: boolean }): Promise<FakeCollector> {
  const started = await startFakeCollector(options)
  onTestFinished(started.stop)
  return started
}

type Headers = Record<string, string>
async function call({ url }: Kontor, path: string, body: unknown, headers: Headers): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}
const bearer = async (kontor: Kontor) => ({ authorization: `Bearer ${await tokenOf(kontor, KONTOR_ADMIN_PASSWORD)}` })
const keyword = (value: string) => ({ schemaVersion: '5.6.0', kwds: { kwd: [{ name: { itm: [{ value }] } }] } })

/** A webhook for keywords. Returns the headers of the calls that its receiver got. */
async function addWebhook(kontor: Kontor, headers: Headers, path = '/hook') {
  const calls: IncomingHttpHeaders[] = []
  const server = createServer((request, reply) => {
    calls.push(request.headers)
    request.resume()
    reply.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  const created = await call(kontor, '/api/v1/webhooks', { url, types: ['kontor.keyword.*'] }, headers)
  expect(created.status).toBe(200)
  const { id } = (await created.json()) as { id: string }
  onTestFinished(async () => {
    await fetch(`${kontor.url}/api/v1/webhooks/${id}`, { method: 'DELETE', headers }).catch(() => {}) // it was stopped
    server.close()
    server.closeAllConnections()
  })
  return calls
}

const hex = (bytes: number) => randomBytes(bytes).toString('hex')
/** The trace context of a caller. */
function caller(flags: '00' | '01') {
  const [traceId, spanId] = [hex(16), hex(8)]
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}`, tracestate: 'shop=42' } }
}

const one = (spans: readonly ReceivedSpan[], name: RegExp) => {
  const found = spans.filter((span) => name.test(span.name))
  expect(found.map((span) => span.name)).toHaveLength(1)
  return found[0]!
}

test('a bulk message, its statements, its job and the webhook are one trace, which continues that of the caller', async () => {
  const { url, spans, faults, headers: received } = await collector()
  const kontor = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=harbour',
    OTEL_SERVICE_NAME: 'kontor-test',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  })
  const headers = await bearer(kontor)
  const calls = await addWebhook(kontor, headers)
  const { traceId, spanId, headers: context } = caller('01')
  const reply = await call(kontor, `${keywords}/bulk`, keyword('Traced'), { ...headers, ...context })
  expect(reply.status).toBe(200)
  const traced = () => spans.filter((span) => span.traceId === traceId)
  const last = [/^webhook delivery$/, /^job /, /^POST \/api/]
  await vi.waitUntil(() => last.every((pattern) => traced().some(({ name }) => pattern.test(name))))

  const trace = traced()
  const within = (span: ReceivedSpan) => trace.filter(({ parent }) => parent === span.spanId)
  const request = one(trace, /^POST \/api/)
  expect(request).toMatchObject({
    parent: spanId,
    name: `POST ${keywords}/bulk`,
    kind: 'server',
    traceState: 'shop=42',
    failed: false,
    attributes: { 'http.request.method': 'POST', 'http.route': `${keywords}/bulk`, 'http.response.status_code': 200 },
    resource: {
      'service.name': 'kontor-test',
      'service.version': expect.stringMatching(/^\d/),
      'deployment.environment.name': 'test',
    },
  })
  const job = one(trace, /^job /)
  expect(job).toMatchObject({
    parent: request.spanId,
    kind: 'consumer',
    attributes: { 'kontor.job.name': 'core.bulk' },
  })
  for (const [work, statement] of [
    [request, 'insert bulk_run'],
    [job, 'insert outbox'],
  ] as const) {
    expect(within(work)).toContainEqual(expect.objectContaining({ name: 'commit' }))
    expect(one(within(work), new RegExp(`^${statement}$`))).toMatchObject({
      kind: 'client',
      attributes: { 'db.system.name': 'postgresql', 'db.operation.name': 'insert' },
    })
  }
  const delivery = one(trace, /^webhook delivery$/)
  expect(delivery).toMatchObject({ parent: job.spanId, kind: 'consumer' })
  const post = one(within(delivery), /^POST$/)
  expect(post).toMatchObject({
    kind: 'client',
    attributes: { 'server.address': '127.0.0.1', 'http.response.status_code': 200 },
  })
  expect(calls.map(({ traceparent }) => traceparent)).toEqual([`00-${traceId}-${post.spanId}-01`])
  // Every parent is there, so nothing hangs in the air.
  const known = new Set([spanId, ...trace.map((span) => span.spanId)])
  expect(trace.filter(({ parent }) => !known.has(parent))).toEqual([])
  // The line of the request in the log.
  const lines = kontor
    .output()
    .split('\n')
    .filter((line) => line.includes(traceId))
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ route: `${keywords}/bulk`, trace_id: traceId, span_id: request.spanId }),
  )
  expect(received.map((each) => each['x-tenant'])).toContain('harbour')
  expect(faults).toEqual([])
})

test('a search is a span of its request; probes have no spans', async () => {
  const { url, spans, faults } = await collector()
  const kontor = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: url })
  const { traceId, headers } = caller('01')
  await fetch(`${kontor.url}/livez`)
  const body = { context: { searchType: 'INDEX', index: 'PRODUCT' } }
  expect((await call(kontor, '/api/v1/search', body, { ...(await bearer(kontor)), ...headers })).status).toBe(200)
  await vi.waitUntil(() => spans.some((span) => span.traceId === traceId && span.kind === 'server'))
  const trace = spans.filter((span) => span.traceId === traceId)
  expect(one(trace, /^search PRODUCT$/).parent).toBe(one(trace, /^POST/).spanId)
  expect(spans.filter(({ name }) => name.includes('livez'))).toEqual([])
  expect(faults).toEqual([])
})

test('a trace that the caller does not sample is passed on, and not recorded', async () => {
  const { url, spans } = await collector()
  const kontor = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: url })
  const headers = await bearer(kontor)
  const calls = await addWebhook(kontor, headers)
  const { traceId, headers: context } = caller('00')
  await call(kontor, `${keywords}/bulk`, keyword('Not sampled'), { ...headers, ...context })
  await vi.waitUntil(() => calls.length > 0)
  expect(calls[0]).toMatchObject({
    traceparent: expect.stringMatching(`^00-${traceId}-[0-9a-f]{16}-00$`),
    tracestate: 'shop=42',
  })
  await kontor.end('SIGTERM')
  expect(spans.length).toBeGreaterThan(0)
  expect(spans.filter((span) => span.traceId === traceId)).toEqual([])
})

test('the sampler of the environment is respected', async () => {
  const { url, bodies } = await collector()
  const kontor = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER: 'always_off' })
  await call(kontor, `${keywords}/persist`, keyword('Off'), { ...(await bearer(kontor)), ...caller('01').headers })
  expect(await kontor.end('SIGTERM')).toBe(0)
  expect(bodies).toEqual([])
})

test('spans contain no data of requests, neither of failed ones nor of secret addresses', async () => {
  const { url, spans, bodies } = await collector()
  const kontor = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: url })
  const headers = await bearer(kontor)
  const calls = await addWebhook(kontor, headers, '/hooks/planted-in-path?key=planted-in-query')
  const send = (path: string, body: unknown) => call(kontor, path, body, headers)
  await send(`${keywords}/persist`, keyword('planted-in-value'))
  await send(`${keywords}/persist`, keyword('planted-in-value')) // exists already
  await send(`${keywords}/retrieve`, { planted: 'planted-in-field' })
  await send(`${keywords}/bulk`, keyword('planted-in-bulk'))
  await send('/planted-in-unknown-path?token=planted-in-parameter', {})
  await send('/api/v1/search', {
    context: { searchType: 'INDEX', index: 'PRODUCT' },
    query: { queryType: 'FULLTEXT', value: 'planted-in-search' },
  })
  await fetch(`${kontor.url}/api/v1/search/storedsearch/planted-in-parameter`, { headers })
  await fetch(`${kontor.url}/api/v1/search/version`, { headers: { ...headers, 'x-planted': 'planted-in-header' } })
  await vi.waitUntil(() => calls.length >= 2)
  expect(await kontor.end('SIGTERM')).toBe(0)
  expect(spans.filter(({ kind }) => kind === 'server').length).toBeGreaterThanOrEqual(8)
  const text = bodies.join('\n')
  for (const secret of [
    /planted[\w-]*/,
    new RegExp(KONTOR_ADMIN_PASSWORD),
    new RegExp(headers.authorization.split('.').at(-1)!),
    /"admin"/,
  ])
    expect(text.match(secret)).toBeNull()
})

test.each([
  ['refuses connections', async () => 'http://127.0.0.1:1'],
  ['never answers', async () => (await collector({ silent: true })).url],
])('a collector that %s ends and delays nothing; what is lost is counted', async (_what, address) => {
  const kontor = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: await address(),
    OTEL_EXPORTER_OTLP_TIMEOUT: '500',
    OTEL_BSP_MAX_QUEUE_SIZE: '20',
  })
  const headers = await bearer(kontor)
  for (let i = 0; i < 30; i++) {
    expect((await call(kontor, `${keywords}/persist`, keyword(`Away ${i}`), headers)).status).toBe(200)
  }
  await vi.waitUntil(async () => {
    const metrics = await (await fetch(`${kontor.url}/metrics`)).text()
    return Number(/^kontor_spans_lost (\d+)$/m.exec(metrics)?.[1]) > 20 && /^kontor_spans_sent 0$/m.test(metrics)
  })
  await vi.waitUntil(() => kontor.output().includes('traces cannot be sent'))
  expect(await kontor.end('SIGTERM')).toBe(0)
})

test('without the setting nothing of the SDK is loaded', async () => {
  const note = `import { registerHooks } from 'node:module'
    registerHooks({ resolve(name, context, next) {
      const found = next(name, context)
      const part = /node_modules\\/(@opentelemetry\\/[^/]+)/.exec(found.url)
      if (part) console.error('loaded ' + part[1])
      return found
    } })`
  const loadedBy = async (env: Record<string, string>) => {
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(note)}`
    const kontor = await start({ ...env, NODE_OPTIONS })
    await call(kontor, `${keywords}/persist`, keyword('Loaded'), await bearer(kontor))
    await kontor.end('SIGTERM')
    return new Set([...kontor.output().matchAll(/^loaded (.*)$/gm)].map(([, name]) => name))
  }
  const { url } = await collector()
  expect(await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: url })).toContain('@opentelemetry/sdk-trace')
  // The metrics library loads the interface package on its own account.
  expect(await loadedBy({})).toEqual(new Set(['@opentelemetry/api']))
})
