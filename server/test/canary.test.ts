/**
 * Nothing hidden shows: every call that reads is made by a user whose role is narrowed to subtrees, attributes and locales,
 * with requests as wide as the contract allows, and no reply contains a secret from outside (canary-world.ts).
 *
 * The same calls of an administrator find every secret, so the test can fail. A call that is declared in the contract is
 * in the test; one that cannot be made from its declaration needs a line in `special` or `without`.
 */
import { formats, indexes } from '@kontor/contract'
import { beforeAll, expect, test } from 'vitest'
import { type ReadingCall, readingCalls, type Request, requestsOf } from './canary-requests.ts'
import { prepareJobs } from './canary-jobs.ts'
import { beginning, createWorld, type Names, narrowGrants, planted, secretsIn } from './canary-world.ts'
import { bpmn } from './bpmn.ts'
import { searchCalls } from './search.ts'
import { type Reply, withServer } from './server.ts'

const api = withServer()
let names: Names
const tokens = { narrow: '', admin: '' }
type Who = keyof typeof tokens
const core = '/api/core/v1'
const search = '/api/v1/search'

/** Calls that are not made, and why they tell nothing. */
// prettier-ignore
const without: Readonly<Record<string, string>> = {
  'PATCH /api/v1/identity/me':                  'changes oneself',
  'POST /api/v1/identity/me/password':          'changes oneself',
  'POST /api/v1/identity/me/two-factor':        'changes oneself',
  'PUT /api/v1/identity/me/two-factor':         'changes oneself',
  'POST /api/v1/identity/me/two-factor/remove': 'changes oneself',
  'POST /api/v1/identity/tokens':               'changes oneself',
  'DELETE /api/v1/identity/tokens/{id}':        'changes oneself',
  [`POST ${search}/history`]:                   'changes what one searched',
  [`DELETE ${search}/history`]:                 'changes what one searched',
  [`POST ${search}/storedsearch`]:              'changes one\'s own searches',
  [`PATCH ${search}/storedsearch/{id}`]:        'changes one\'s own searches',
  [`DELETE ${search}/storedsearch/{id}`]:       'changes one\'s own searches',
  [`POST ${search}/documents/wait`]:            'waits, and answers nothing',
  [`GET ${core}/dam/assets/signed/{ticket}`]:   'the bytes of a file, by an address from presigned-url',
  [`GET ${core}/dam/assets/signed`]:            'the bytes of files, by an address from presigned-url',
  [`PUT ${core}/dam/assets/signed/{ticket}`]:   'stores a file, by an address from presigned-url',
  [`GET ${core}/dam/assets/previews/bin/{file}`]: 'the bytes of a preview, by an address from previews/retrieve',
}
/** The records of one's own bulk run are those of persist, whichever resource received it. */
const isOneOfMany = (route: string) => route.endsWith('/bulk/{id}') && !route.includes('/products/')

/** Calls that are known to tell secrets, and not repaired yet. */
const known: ReadonlySet<string> = new Set([
  'GET /api/core/v1/pim/attribute-definitions',
  'GET /api/core/v1/pim/attributes/*',
  'GET /api/core/v1/pim/classes',
  'GET /api/core/v1/pim/classification-tree',
  'GET /api/core/v1/pim/products/bulk/{id}',
  'GET /api/v1/events',
  'GET /api/v1/identity/me',
  'GET /api/v1/search/fields',
  'GET /api/v1/transfers/{id}/file',
  'GET /api/v1/transfers/{id}/preview',
  'GET /api/v1/transfers/{id}/result',
  'GET /api/v1/transfers/{id}/rows',
  'POST /api/core/v1/cm/channels/briefings/retrieve',
  'POST /api/core/v1/cm/channels/retrieve',
  'POST /api/core/v1/cm/where-used/retrieve',
  'POST /api/core/v1/common/glossaries/retrieve',
  'POST /api/core/v1/dam/assets/histories/retrieve',
  'POST /api/core/v1/dam/assets/retrieve',
  'POST /api/core/v1/dam/attribute-definitions/retrieve',
  'POST /api/core/v1/dam/rncs/retrieve',
  'POST /api/core/v1/peo/peos/retrieve',
  'POST /api/core/v1/peo/peos/values/retrieve',
  'POST /api/core/v1/pim/attribute-definitions/query',
  'POST /api/core/v1/pim/attribute-definitions/retrieve',
  'POST /api/core/v1/pim/attributes/query',
  'POST /api/core/v1/pim/attributes/retrieve',
  'POST /api/core/v1/pim/classes/retrieve',
  'POST /api/core/v1/pim/data-items/get-by-ids',
  'POST /api/core/v1/pim/data-items/{id}/tree',
  'POST /api/core/v1/pim/products/history',
  'POST /api/core/v1/pim/products/page',
  'POST /api/core/v1/pim/products/retrieve',
  'POST /api/v1/search/fields',
  'POST /api/v1/search/type-ahead',
])

/** Requests that cannot be derived from the declaration of a call. */
const special: Readonly<Record<string, () => Request[] | Promise<Request[]>>> = {
  [`POST ${core}/cm/channels/briefings/retrieve`]: () =>
    names.tids.flatMap(
      (tid) =>
      [undefined, 'en_GB', 'fr_FR'].map((locale) => post(`${core}/cm/channels/briefings/retrieve`, { tids: [tid], briefingInfo: { briefingModuleCfgTid: 'page', ...(locale && { locale }) } })), // prettier-ignore
    ),
  [`POST ${core}/common/transform`]: () => [post(`${core}/common/transform`, { schemaVersion: '5.6.0', products: { product: [{ tid: 'x' }] } })], // prettier-ignore
  [`GET ${core}/dam/assets/bin`]: () => names.tids.map((tid) => get(`${core}/dam/assets/bin?assetTid=${tid}`)),
  'GET /api/v1/events': () => [get(`/api/v1/events?after=${first}&count=1000`)],
  [`POST ${search}`]: () => searches(search),
  [`POST ${search}/query`]: () => searches(`${search}/query`),
  [`POST ${search}/fields`]: () =>
    indexes.map((index) => post(`${search}/fields`, { index, showAllowedOperators: true })),
  [`GET ${search}/fields`]: () => indexes.map((index) => get(`${search}/fields?index=${index}&showAllowedOperators=true`)), // prettier-ignore
  [`POST ${search}/suggest`]: () => indexes.map((index) => post(`${search}/suggest`, { index, text: beginning, count: 50 })), // prettier-ignore
  [`POST ${search}/type-ahead`]: () =>
    indexes.flatMap((index) =>
      [beginning, 'o', 'open'].map((text) => post(`${search}/type-ahead`, { index, text, count: 50 })),
    ),
  [`POST ${search}/history/query`]: () => [post(`${search}/history/query`, { count: 200 }), post(`${search}/history/query`, { user: 'ada', count: 200 })], // prettier-ignore
  'POST /api/v1/workflow/definitions/check': () => [post('/api/v1/workflow/definitions/check', { xml: bpmn('start > end') })], // prettier-ignore
}
const post = (address: string, body: object): Request => ({ method: 'POST', address, body })
const get = (address: string): Request => ({ method: 'GET', address })

/** Everything in every index with all fields and facets. A hidden field is refused, so the fields are those of each caller. */
async function searches(address: string): Promise<Request[]> {
  const requests: Request[] = []
  for (const who of ['narrow', 'admin'] as const) {
    for (const index of indexes) {
      const { json } = await send(who, post(`${search}/fields`, { index }))
      const fields = (json.fields ?? []) as { fieldName: string; aggregatable: boolean }[]
      const wide = { context: { searchType: 'INDEX', index }, pageSize: 1000 }
      const fieldNames = fields.map(({ fieldName }) => fieldName)
      const shown = { resultAttributes: fieldNames, storedFields: fieldNames }
      const queries = [undefined, 'open', `${beginning}*`].map(
        (value) => value && { query: { queryType: 'FULLTEXT', value } },
      )
      requests.push(...queries.map((query) => post(address, { ...wide, ...shown, ...query })))
      for (const { fieldName, aggregatable } of fields) {
        const facets = { aggregationEnabled: true, aggregationMaxResults: 1000, aggregationAttributes: [fieldName] }
        if (aggregatable) requests.push(post(address, { ...wide, ...facets }))
      }
    }
  }
  return requests
}

let first = ''
beforeAll(async () => {
  first = (await api.get('/api/v1/events', { token: api.adminToken })).json.position
  tokens.admin = api.adminToken
  const options = { method: 'PUT', token: api.adminToken } as const
  await createWorld(api)
  const reply = await api.post('/api/v1/identity/roles/narrow', { grants: narrowGrants }, options)
  expect(reply.status, reply.text).toBe(200)
  tokens.narrow = await api.tokenFor({ name: 'nora', roles: ['narrow'] })
  names = await prepareJobs(api, Object.values(tokens))
  const products = names.ids.filter((id) => id < 880_000_000_000)
  await Promise.all(['PRODUCT', 'ASSET', 'CHANNEL'].map((index) => searchCalls(api).wait(index, ...products).catch(() => undefined))) // prettier-ignore
})

const send = (who: Who, { method, address, body }: Request, accept?: string): Promise<Reply> =>
  api.post(address, body, { method, token: tokens[who], ...(accept !== undefined && { accept }) })

/** The secrets in a reply that are not in its request. */
function toldBy({ headers, text }: Reply, { address, body }: Request): string[] {
  const sent = secretsIn(decodeURIComponent(address) + JSON.stringify(body ?? ''))
  return [...secretsIn(JSON.stringify(headers) + text)].filter((one) => !sent.has(one))
}

interface Told {
  readonly secrets: Set<string>
  answered: number
  failure?: string
}

async function callAll(call: ReadingCall, who: Who): Promise<Told> {
  const requests = (await special[call.route]?.()) ?? requestsOf(call, names)
  const accepted = call.formats === 'all' ? Object.values(formats).map(({ mediaType }) => mediaType) : [undefined]
  const told: Told = { secrets: new Set(), answered: 0 }
  for (const [n, request] of requests.entries()) {
    // All formats where that is cheap; else they take turns.
    const some = requests.length > 12 ? [accepted[n % accepted.length]] : accepted
    for (const accept of some) {
      const reply = await send(who, request, accept)
      if (reply.status < 300) told.answered++
      else told.failure ??= `${reply.status} ${reply.text.slice(0, 300)}`
      for (const one of toldBy(reply, request)) told.secrets.add(one)
    }
  }
  return told
}

const calls = readingCalls.filter(
  ({ route }) => !(route in without) && !isOneOfMany(route) && !route.endsWith('/stream'),
)

test('no reply to a narrow role contains a secret, and those to an administrator contain all of them', async () => {
  const leaks: Record<string, string[]> = {}
  const repaired: string[] = []
  const failed: string[] = []
  const found = new Set<string>()
  const report: string[] = []
  // The log of one's own requests comes first: later it repeats the names in them.
  for (const call of calls.toSorted(
    (a, b) => Number(b.route.includes('/requests')) - Number(a.route.includes('/requests')),
  )) {
    // prettier-ignore
    const narrow = await callAll(call, 'narrow')
    const admin = await callAll(call, 'admin')
    for (const one of admin.secrets) found.add(one)
    if (narrow.answered === 0) failed.push(`${call.route}: ${narrow.failure}`)
    const refusals = call.route.includes('search') ? ` ${narrow.failure ?? ''} ${admin.failure ?? ''}` : ''
    report.push(
      `${call.route}: ${narrow.answered} replies, ${admin.secrets.size} secrets for an administrator${refusals}`,
    )
    const told = [...narrow.secrets].sort()
    if (known.has(call.route)) report.push(`  known: ${told.join(', ')}`)
    else if (told.length > 0) leaks[call.route] = told
    if (known.has(call.route) && told.length === 0) repaired.push(call.route)
  }
  console.log(report.join('\n'))
  expect(
    planted().filter((one) => !found.has(one)),
    'secrets that no call shows to an administrator',
  ).toEqual([])
  expect(failed, 'calls that were never answered; give them requests in `special`').toEqual([])
  expect(leaks, 'secrets in replies to the narrow role').toEqual({})
  expect(repaired, 'leaks that are known no longer').toEqual([])
})

test('every call that is not made exists', () => {
  const routes = new Set(readingCalls.map(({ route }) => route))
  expect([...Object.keys(without), ...Object.keys(special)].filter((route) => !routes.has(route))).toEqual([])
})

test('the stream of events tells a narrow role no secret', async () => {
  const url = await api.listen()
  const read = async (who: Who) => {
    const end = new AbortController()
    const reply = await fetch(`${url}/api/v1/events/stream?after=${first}`, {
      headers: { authorization: `Bearer ${tokens[who]}`, accept: 'text/event-stream' },
      signal: end.signal,
    })
    let text = ''
    // The last event that the narrow role may see is about its own export.
    for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (text.includes('product-two')) break
    }
    end.abort()
    return secretsIn(text)
  }
  expect((await read('admin')).size).toBeGreaterThan(0)
  const told = [...(await read('narrow'))]
  if (!known.has('GET /api/v1/events')) expect(told).toEqual([])
})
