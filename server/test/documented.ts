/**
 * Every call of an area and every status that the contract documents for it, in every format of the call.
 *
 *   describeStatuses(pim, samples, { prepare, tables: ['product', …] })
 *
 * Fails for a call without a sample and for a documented status that nothing provokes. The tests of each resource check what
 * the calls do.
 */
import { type Area, encode, formats, Pim, type Resource, type Type, usualStatuses, type Verb } from '@kontor/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { type FormatName, formatNames, formatsFor } from './common.ts'
import { type CallOptions, type Reply, type TestServer, withServer } from './server.ts'

/** A request that provokes a status. */
export interface Sent {
  /** Path below the base, with the query, if the path of the call has parameters. */
  readonly path?: string
  readonly body?: object
}
/** Requests of a call by status; 200 is required. The statuses that all calls share are derived from it. */
export interface Sample extends Partial<Record<404 | 400, Sent | undefined>> {
  readonly 200: Sent
  /** A documented status that cannot occur, with the reason. */
  readonly never?: Readonly<Record<number, string>>
}
/** By `resource/verb`, or by route name. */
export type Samples = Readonly<Record<string, Sample>>

interface Call {
  readonly name: string
  readonly method: NonNullable<CallOptions['method']>
  readonly base: string
  readonly path: string
  readonly root: Type | undefined
  readonly spoken: readonly FormatName[]
  readonly statuses: readonly number[]
  readonly sample: Sample
}

export interface Setting {
  /** Creates the objects of the samples; returns the values of path parameters. */
  prepare(api: TestServer): Promise<Readonly<Record<string, string | number>>>
  /** Tables without which no call of the area can work. */
  readonly tables: readonly string[]
}

export function describeStatuses(area: Area, samples: Samples, { prepare, tables }: Setting): void {
  const api = withServer()
  let known = {}
  beforeAll(async () => void (known = await prepare(api)))
  const calls = callsOf(area, samples)
  const each = (status: number) =>
    calls.flatMap((call, n) => formatsFor(status, call.spoken, n).map((format) => ({ ...call, call, format })))

  test('every call has a sample, and every sample a call', () => {
    expect(Object.keys(samples).toSorted()).toEqual(calls.map(({ name }) => name).toSorted())
  })

  for (const status of [200, 400, 401, 403, 404]) {
    const documenting = each(status).filter(({ call }) => isToBeSeen(call, status))
    if (documenting.length === 0) continue
    test.each(documenting)(`${status}: $name in $format`, async ({ call, format }) => {
      const { text, ...reply } = await provoke(api, filled(call, known), format, status)
      expect(reply.status, text).toBe(status)
      if (status >= 400) expectError(format, text)
    })
  }

  describe('500, when the database is broken', () => {
    const ruined = withServer()
    beforeAll(async () => {
      known = await prepare(ruined)
      for (const table of tables) await ruined.db.pool.query(`alter table ${table} rename to ${table}_lost`)
    })
    test.each(each(500).filter(({ call }) => isToBeSeen(call, 500)))('$name in $format', async ({ call, format }) => {
      const reply = await send(ruined, filled(call, known), format, call.sample[200])
      expect(reply.status, reply.text).toBe(500)
      expectError(format, reply.text)
      expect(reply.text, 'nothing of the inside').not.toMatch(/relation|select |insert |_lost|\.ts/)
    })
  })
}

/** The call with its path parameters filled in. */
function filled(call: Call, known: Readonly<Record<string, unknown>>): Call {
  const fill = (sent: Sent | undefined) =>
    sent?.path === undefined
      ? sent
      : { ...sent, path: sent.path.replace(/\{(\w+)\}/g, (_, name) => String(known[name])) }
  const { 200: sound, 400: invalid, 404: missing } = call.sample
  return { ...call, sample: { ...call.sample, 200: fill(sound)!, 400: fill(invalid), 404: fill(missing) } }
}

const isToBeSeen = ({ statuses, sample }: Call, status: number) =>
  statuses.includes(status) && sample.never?.[status] === undefined

function callsOf({ base, resources, routes }: Area, samples: Samples): Call[] {
  const sampleOf = (name: string) => {
    if (!samples[name]) throw new Error(`${name} has no sample`)
    return samples[name]
  }
  const verbs = Object.entries(resources).flatMap(([name, resource]) =>
    verbsOf(resource).map(([verb, root]): Call => {
      const [path, statuses] = [`/${name}/${verb}`, resource.statuses?.[verb] ?? usualStatuses]
      const sample = sampleOf(`${name}/${verb}`)
      return { name: `${name}/${verb}`, method: 'POST', base, path, root, spoken: formatNames, statuses, sample }
    }),
  )
  const others = Object.entries(routes).map(([name, route]): Call => {
    const { method, path, request: root, statuses } = route
    const spoken = route.formats === 'all' ? formatNames : (['json'] as const)
    return { name, method, base, path, root, spoken, statuses, sample: sampleOf(name) }
  })
  return [...verbs, ...others]
}

function verbsOf({ query, retrieve, persist, perform, bulk }: Resource): [Verb, Type][] {
  return [
    ...(query ? [['query', query.request] as [Verb, Type]] : []),
    ...(retrieve ? [['retrieve', retrieve] as [Verb, Type]] : []),
    ...(persist ? [['persist', Pim] as [Verb, Type]] : []),
    ...(perform ? [['perform', Pim] as [Verb, Type]] : []),
    ...(bulk === 'write' ? [['bulk', Pim] as [Verb, Type]] : []),
  ]
}

/** How to provoke a status if a call has no sample for it. */
const provocations: Record<number, (call: Call, format: FormatName, api: TestServer) => Promise<CallOptions | string>> =
  {
    200: async () => ({}),
    400: async (_call, format) => (format === 'xml' ? '<pim' : '{"schemaVersion":'),
    401: async () => ({ token: null }),
    403: async (_call, _format, api) => ({ token: await api.tokenFor({ roles: [] }) }),
    404: async () => ({}),
  }

async function provoke(api: TestServer, call: Call, format: FormatName, status: number): Promise<Reply> {
  const own = call.sample[status as 404]
  if (own) return send(api, call, format, own)
  if (status === 404) throw new Error(`${call.name} documents 404, and has no sample for it`)
  const found = await provocations[status]!(call, format, api)
  return typeof found === 'string'
    ? send(api, call, format, call.sample[200], {}, found)
    : send(api, call, format, call.sample[200], found)
}

/** Sends as an administrator by default, who may do everything. */
function send(
  api: TestServer,
  { base, method, path: own, root }: Call,
  format: FormatName,
  { path = own, body }: Sent,
  options: CallOptions = {},
  raw?: string,
): Promise<Reply> {
  const { contentType: type, mediaType: accept } = formats[format]
  const text =
    raw ?? (body === undefined ? undefined : root ? encode(formats[format], root, body) : JSON.stringify(body))
  return api.post(base + path, text, { method, type, accept, token: api.adminToken, ...options })
}

function expectError(format: FormatName, text: string): void {
  if (format === 'xml') expect(text).toContain('<status>ERROR</status>')
  else expect(JSON.parse(text)).toMatchObject({ status: 'ERROR' })
}
