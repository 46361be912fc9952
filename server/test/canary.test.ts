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
import { prepareJobs, prepareSharing } from './canary-jobs.ts'
import { beginning, createWorld, hidden, type Names, narrowGrants, planted, secret, secretsIn } from './canary-world.ts'
import { bpmn } from './bpmn.ts'
import { picture, upload } from './files.ts'
import { searchCalls } from './search.ts'
import { type Reply, withServer } from './server.ts'

const api = withServer()
let names: Names
let shared: Awaited<ReturnType<typeof prepareSharing>>
const tokens = { narrow: '', admin: '' }
type Who = keyof typeof tokens
const core = '/api/core/v1'
const search = '/api/v1/search'

/** Calls that are not made, and why no secret can be in their replies. */
// prettier-ignore
const without: Readonly<Record<string, string>> = {
  'PATCH /api/v1/identity/me':                  'changes oneself',
  'POST /api/v1/identity/me/password':          'changes oneself',
  'POST /api/v1/identity/me/two-factor':        'changes oneself',
  'PUT /api/v1/identity/me/two-factor':         'changes oneself',
  'POST /api/v1/identity/me/two-factor/remove': 'changes oneself',
  'POST /api/v1/identity/tokens':               'changes oneself',
  'DELETE /api/v1/identity/tokens/{id}':        'changes oneself',
  'POST /api/v1/identity/backchannel-logout':   'ends sessions, and answers nothing',
  [`POST ${search}/history`]:                   'changes what one searched',
  [`DELETE ${search}/history`]:                 'changes what one searched',
  [`POST ${search}/storedsearch`]:              'changes one\'s own searches',
  [`PATCH ${search}/storedsearch/{id}`]:        'changes one\'s own searches',
  [`DELETE ${search}/storedsearch/{id}`]:       'changes one\'s own searches',
  [`POST ${search}/documents/wait`]:            'waits, and answers nothing',
  'POST /api/v1/collections':                  'changes one\'s own collections',
  'PUT /api/v1/collections/{id}':              'changes one\'s own collections',
  'DELETE /api/v1/collections/{id}':           'changes one\'s own collections',
  'POST /api/v1/shares/{id}/revoke':           'changes one\'s own pages',
  'POST /api/v1/shares/{id}/files':            'decides about files that one was sent',
  'GET /api/v1/shares/{id}/files/{file}/preview': 'a file that one was sent',
  'GET /api/v1/shares/{id}/files/{file}/bin':  'a file that one was sent',
  'GET /share/{token}/preview/{asset}':        'the bytes of a picture, by an address from the page',
  'GET /share/{token}/media/{asset}':          'the bytes of a film or a sound, by an address from the page',
  'POST /share/{token}':                       'checks a password, and answers nothing',
  'POST /share/{token}/files':                 'takes a file, and answers nothing',
  'GET /api/v1/feeds/{name}/file/{token}':      'the file of an export, by an address of its owner',
  [`GET ${core}/dam/assets/signed/{ticket}`]:   'the bytes of a file, by an address from presigned-url; refusals are read below',
  [`GET ${core}/dam/assets/signed`]:            'the bytes of files, by an address from presigned-url; refusals are read below',
  [`PUT ${core}/dam/assets/signed/{ticket}`]:   'stores a file, by an address from presigned-url',
  [`GET ${core}/dam/assets/previews/bin/{file}`]: 'the bytes of a preview, by an address from previews/retrieve',
  [`GET ${core}/dam/renditions/files/{name}`]:  'the bytes of a picture, by an address from renditions/urls; refusals are read below',
  [`GET ${core}/dam/renditions/media/{name}`]:  'the bytes of a film or a sound, by an address from renditions/media; refusals are read below',
  [`GET ${core}/dam/renditions/iiif/{image}`]:  'the bytes of a picture, by an address from renditions/urls; refusals are read below',
  [`GET ${core}/dam/renditions/iiif/{image}/info.json`]: 'the size of a picture, by an address from renditions/urls; refusals are read below',
  [`GET ${core}/dam/renditions/iiif/{image}/{region}/{size}/{rotation}/{file}`]: 'the bytes of a picture, by an address from renditions/urls; refusals are read below',
}
/** The records of one's own bulk run are those of persist, whichever resource received it. */
const isOneOfMany = (route: string) => route.endsWith('/bulk/{id}') && !route.includes('/products/')

/** Requests that cannot be derived from the declaration of a call. */
const special: Readonly<Record<string, () => Request[] | Promise<Request[]>>> = {
  [`POST ${core}/cm/channels/briefings/retrieve`]: () =>
    names.tids.flatMap(
      (tid) =>
      [undefined, 'en_GB', 'fr_FR'].map((locale) => post(`${core}/cm/channels/briefings/retrieve`, { tids: [tid], briefingInfo: { briefingModuleCfgTid: 'page', ...(locale && { locale }) } })), // prettier-ignore
    ),
  [`POST ${core}/cm/channels/briefings/list`]: () =>
    names.tids.map((tid) => post(`${core}/cm/channels/briefings/list`, { tids: [tid] })),
  [`POST ${core}/common/transform`]: () => [post(`${core}/common/transform`, { schemaVersion: '5.6.0', products: { product: [{ tid: 'x' }] } })], // prettier-ignore
  'POST /api/v1/changes/patterns': () =>
    [{ tids: names.tids }, { folderPaths: ['/main'] }, ...shared.collections.map((collection) => ({ collection }))].map(
      (selection) => post('/api/v1/changes/patterns', { selection }),
    ),
  [`GET ${core}/dam/assets/bin`]: () =>
    names.tids.flatMap((tid) => ['', '&metadata=embed', '&metadata=sidecar'].map((more) => get(`${core}/dam/assets/bin?assetTid=${tid}${more}`))), // prettier-ignore
  [`GET ${core}/dam/assets/embedded`]: () => names.tids.map((tid) => get(`${core}/dam/assets/embedded?assetTid=${tid}`)), // prettier-ignore
  [`POST ${core}/dam/assets/similar/retrieve`]: () =>
    [{}, ...names.tids.map((tid) => ({ tids: [tid] }))].map((body) =>
      post(`${core}/dam/assets/similar/retrieve`, body),
    ),
  [`GET ${core}/dam/renditions/bin`]: () => names.tids.flatMap((tid) => ['', '&metadata=embed'].map((more) => get(`${core}/dam/renditions/bin?assetTid=${tid}&width=5${more}`))), // prettier-ignore
  [`POST ${core}/dam/renditions/media`]: () => names.tids.map((tid) => post(`${core}/dam/renditions/media`, { tids: [tid] })), // prettier-ignore
  [`POST ${core}/dam/renditions/urls`]: () => names.tids.map((tid) => post(`${core}/dam/renditions/urls`, { tids: [tid], width: 5 })), // prettier-ignore
  [`POST ${core}/pim/products/combinations/retrieve`]: () =>
    names.tids.map((tid) => post(`${core}/pim/products/combinations/retrieve`, { tid })),
  [`POST ${core}/pim/products/translations/retrieve`]: () =>
    names.tids.map((tid) => post(`${core}/pim/products/translations/retrieve`, { tid })),
  'POST /api/v1/transfers/translations/suggestions': () =>
    names.tids.flatMap((tid) => ['fr_FR', 'de_DE'].map((target) => post('/api/v1/transfers/translations/suggestions', { tid, source: 'en_GB', target }))), // prettier-ignore
  'GET /api/v1/collections/{id}': () => shared.collections.map((id) => get(`/api/v1/collections/${id}`)),
  'GET /api/v1/collections/{id}/assets': () => shared.collections.map((id) => get(`/api/v1/collections/${id}/assets`)),
  'POST /api/v1/collections/{id}/assets': () => names.tids.map((tid) => post(`/api/v1/collections/${shared.own}/assets`, { remove: [tid] })), // prettier-ignore
  'GET /api/v1/collections/{id}/zip': () => shared.collections.flatMap((id) => ['', '?metadata=embed'].map((more) => get(`/api/v1/collections/${id}/zip${more}`))), // prettier-ignore
  'GET /api/v1/shares/{id}': () => [get(`/api/v1/shares/${shared.share}`)],
  'GET /api/v1/shares/{id}/log': () => [get(`/api/v1/shares/${shared.share}/log`)],
  'GET /api/v1/shares/{id}/files': () => [get(`/api/v1/shares/${shared.share}/files`)],
  'GET /share/{token}': () => [get(shared.page)],
  'GET /share/{token}/zip': () => [get(`${shared.page}/zip?format=original`)],
  'GET /share/{token}/file/{asset}': () => [shared.asset, ...names.ids].map((id) => get(`${shared.page}/file/${id}?format=original`)), // prettier-ignore
  'GET /api/v1/transfers/profiles/{name}': () => [get('/api/v1/transfers/profiles/shared')],
  'GET /api/v1/transfers/profiles/{name}/versions': () => [get('/api/v1/transfers/profiles/shared/versions')],
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

interface SearchField {
  readonly fieldName: string
  readonly aggregatable: boolean
  readonly nestedFields?: readonly SearchField[]
}

/** Everything in every index with all fields and facets. A hidden field is refused, so the fields are those of each caller. */
async function searches(address: string): Promise<Request[]> {
  const requests: Request[] = []
  for (const who of ['narrow', 'admin'] as const) {
    for (const index of indexes) {
      const { json } = await send(who, post(`${search}/fields`, { index }))
      const fields = ((json.fields ?? []) as SearchField[]).flatMap((one) => one.nestedFields ?? [one])
      const wide = { context: { searchType: 'INDEX', index }, pageSize: 1000 }
      const fieldNames = fields.map(({ fieldName }) => fieldName)
      const shown = { resultAttributes: fieldNames, storedFields: fieldNames }
      const queries = [undefined, 'open', `${beginning}*`].map(
        (value) => value && { query: { queryType: 'FULLTEXT', value } },
      )
      requests.push(...queries.map((query) => post(address, { ...wide, ...shown, ...query })))
      // The two calls have one implementation, so one of them is enough for the facets.
      for (const { fieldName, aggregatable } of address === search ? fields : []) {
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
  shared = await prepareSharing(api, tokens.narrow)
  const products = names.ids.filter((id) => id < 880_000_000_000)
  await Promise.all(['PRODUCT', 'ASSET', 'CHANNEL'].map((index) => searchCalls(api).wait(index, ...products).catch(() => undefined))) // prettier-ignore
})

const send = (who: Who, { method, address, body }: Request, accept?: string): Promise<Reply> =>
  api.post(address, body, { method, token: tokens[who], ...(accept !== undefined && { accept }) })

/** The secrets in a reply that are not in its request. */
function secretsOf({ headers, text }: Reply, { address, body }: Request): string[] {
  const sent = secretsIn(decodeURIComponent(address) + JSON.stringify(body ?? ''))
  return [...secretsIn(JSON.stringify(headers) + text)].filter((one) => !sent.has(one))
}

interface Answers {
  readonly secrets: Set<string>
  answered: number
  failure?: string
}

async function callAll(call: ReadingCall, who: Who): Promise<Answers> {
  const requests = (await special[call.route]?.()) ?? requestsOf(call, names)
  const accepted = call.formats === 'all' ? Object.values(formats).map(({ mediaType }) => mediaType) : [undefined]
  const answers: Answers = { secrets: new Set(), answered: 0 }
  for (const [n, request] of requests.entries()) {
    // All formats where that is cheap; else they take turns.
    const some = requests.length > 12 ? [accepted[n % accepted.length]] : accepted
    for (const accept of some) {
      const reply = await send(who, request, accept)
      if (reply.status < 300) answers.answered++
      else answers.failure ??= `${reply.status} ${reply.text.slice(0, 300)}`
      for (const one of secretsOf(reply, request)) answers.secrets.add(one)
    }
  }
  return answers
}

const calls = readingCalls.filter(
  ({ route }) => !(route in without) && !isOneOfMany(route) && !route.endsWith('/stream'),
)

test('no reply to a narrow role contains a secret, and those to an administrator contain all of them', async () => {
  const leaks: Record<string, string[]> = {}
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
    report.push(`${call.route}: ${narrow.answered} replies, ${admin.secrets.size} secrets for an administrator`)
    if (narrow.secrets.size > 0) leaks[call.route] = [...narrow.secrets].sort()
  }
  console.log(report.join('\n'))
  expect(
    planted().filter((one) => !found.has(one)),
    'secrets that no call shows to an administrator',
  ).toEqual([])
  expect(failed, 'calls that were never answered; give them requests in `special`').toEqual([])
  expect(leaks, 'secrets in replies to the narrow role').toEqual({})
}, 600_000)

test('every call that is not made exists', () => {
  const routes = new Set(readingCalls.map(({ route }) => route))
  expect([...Object.keys(without), ...Object.keys(special)].filter((route) => !routes.has(route))).toEqual([])
})

test('the stream of events contains no secret for a narrow role', async () => {
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
  expect([...(await read('narrow'))]).toEqual([])
})

const schemaVersion = '5.6.0'
const persist = (path: string, container: string, element: string, item: object) =>
  post(`${core}/${path}/persist`, { schemaVersion, [container]: { [element]: [item] } })
const perform = (path: string, action: object) =>
  post(`${core}/${path}/perform`, { schemaVersion, actions: { action: [action] } })
const attributeAt = async (path: string, key: string) => {
  const request = post(`${core}/pim/attributes/retrieve`, { nodePaths: [path] })
  return (await send('admin', request)).json.attrs.attr.find((one: { key: string }) => one.key === key).id as number
}
const outsideNode = () => `/Standard/${secret('nodeTid')}`
const keywordsOf = (...paths: string[]) => ({ itms: [{ type: 'kwds', itm: paths.map((value) => ({ value })) }] })
/** In the order in which they are sent. */
// prettier-ignore
const refusals: Readonly<Record<string, () => Request | Promise<Request>>> = {
  'a value for the list of a hidden attribute':   async () => ({ method: 'PUT', address: `${core}/pim/attributes/${await attributeAt('/Standard', hidden.text)}/domain-value?domainValue=x` }),
  'a value for the list of an attribute outside': async () => ({ method: 'PUT', address: `${core}/pim/attributes/${await attributeAt(outsideNode(), 'color')}/domain-value?domainValue=x` }),
  'a keyword outside for an asset':          () => persist('dam/assets', 'assets', 'asset', { tid: 'asset-in', links: keywordsOf(`/${secret('keywordPath')}`) }),
  'an attribute of a node outside':          () => persist('pim/attributes', 'attrs', 'attr', { nodePath: outsideNode(), key: 'caption' }),
  'an attribute of a node above':            () => persist('pim/attributes', 'attrs', 'attr', { nodePath: '/Standard', key: 'caption' }),
  'a hidden attribute of a node':            () => persist('pim/attributes', 'attrs', 'attr', { nodePath: '/Standard/In', key: hidden.text }),
  'the deletion of an attribute outside':    async () => perform('pim/attributes', { type: 'delete', dataType: 'attribute', id: await attributeAt(outsideNode(), 'note') }),
  'a change of a hidden definition':         () => persist('pim/attribute-definitions', 'attrDefs', 'attrDef', { tid: hidden.text, type: 'text', name: { itm: [{ value: 'x', loc: 'en_GB' }] } }),
  'a change that values outside forbid':     () => persist('pim/attribute-definitions', 'attrDefs', 'attrDef', { tid: 'note', type: 'number' }),
  'the deletion of a hidden definition':     () => perform('pim/attribute-definitions', { type: 'delete', dataType: 'attrDefinition', tid: hidden.required }),
  'the deletion of a definition in use':     () => perform('pim/attribute-definitions', { type: 'delete', dataType: 'attrDefinition', tid: 'note' }),
  'a group with a hidden attribute':         () => persist('pim/attribute-groups', 'attrGroups', 'attrGroup', { tid: 'open', references: { itm: [{ value: 'note' }, { value: hidden.text }] } }),
  'an attribute moved into a group that a role names': () => persist('pim/attribute-groups', 'attrGroups', 'attrGroup', { tid: 'closed', references: { itm: [{ value: 'note' }] } }),
  'the deletion of a group that a role names': () => perform('pim/attribute-groups', { type: 'delete', dataType: 'attrGroup', tid: 'closed' }),
  'a product without a hidden value that is required': () => persist('pim/products', 'products', 'product', { tid: 'new', name: 'New', node: '/Standard/In', vals: { val: [{ attr: 'caption', itm: [{ value: 'x', loc: 'en_GB' }] }] } }),
  'a value of a hidden attribute':           () => persist('pim/products', 'products', 'product', { tid: 'product-in', vals: { val: [{ attr: hidden.text, itm: [{ value: 'x' }] }] } }),
  'a value in a hidden locale':              () => persist('pim/products', 'products', 'product', { tid: 'product-in', vals: { val: [{ attr: 'caption', itm: [{ value: 'x', loc: 'fr_FR' }] }] } }),
  'a briefing in a hidden locale':           () => post(`${core}/cm/channels/briefings/persist`, { tid: 'in', briefingInfo: { briefingModuleCfgTid: 'page', locale: 'fr_FR' }, layout: [{ name: 'x' }] }),
  'a product moved outside':                 () => persist('pim/products', 'products', 'product', { tid: 'product-in', node: outsideNode() }),
  'an asset moved outside':                  () => perform('dam/assets', { type: 'move', dataType: 'asset', tid: 'asset-in', meta: { itm: [{ key: 'destinationDirPath', value: `/main/${secret('dirName')}` }] } }),
  'the deletion of an asset that is in use': () => perform('dam/assets', { type: 'delete', dataType: 'asset', tid: 'asset-in' }),
  'the deletion of a product that is in use': () => perform('pim/products', { type: 'delete', dataType: 'product', tid: 'product-in' }),
  'the deletion of a channel that is in use': () => perform('cm/channels/actions', { type: 'delete', dataType: 'project', tid: 'in' }),
  'the deletion of a keyword that is in use': () => perform('common/keywords', { type: 'delete', dataType: 'keyword', path: '/In' }),
  'the deletion of the classification':      () => perform('pim/classes', { type: 'delete', dataType: 'classification', tid: 'Standard', meta: { itm: [{ key: 'force', value: 'true' }] } }),
}

test.each(Object.entries(refusals))('%s is refused, and the refusal contains no secret', async (_, requestFor) => {
  const request = await requestFor()
  const reply = await send('narrow', request)
  expect(reply.status >= 400 || /"ERROR"/.test(reply.text), reply.text).toBe(true)
  expect(secretsOf(reply, request)).toEqual([])
})

test('numbers count what the narrow role may read', async () => {
  const ask = async (who: Who, path: string, body: object) => (await send(who, post(`${core}/${path}`, body))).json
  const used = async (who: Who) => (await ask(who, 'cm/where-used/retrieve', { dataType: 'asset', tids: ['asset-in'] })).objects[0] // prettier-ignore
  expect((await used('narrow')).total).toBe((await used('narrow')).uses.length)
  expect((await used('admin')).total).toBeGreaterThan((await used('narrow')).total)
  const usage = async (who: Who) => (await ask(who, 'pim/attribute-definitions/usage', { tids: ['note', hidden.required] })).attributes // prettier-ignore
  expect(await usage('narrow')).toEqual([{ tid: 'note', nodes: 0, objects: 1 }])
  expect(await usage('admin')).toMatchObject([{ tid: 'note', nodes: 1, objects: 2 }, { tid: hidden.required }])
  const words = async (who: Who) => {
    const [glossary] = (await ask(who, 'common/glossaries/retrieve', {})).glossaries.glossary
    return glossary.meta.itm.find(({ key }: { key: string }) => key === 'getNumberOfTerms').value
  }
  expect([await words('narrow'), await words('admin')]).toEqual(['1', '2'])
  const ready = async (who: Who) => (await ask(who, 'cm/readiness/retrieve', { productTids: ['product-two'] })).objects[0].locales // prettier-ignore
  const english = ({ locale }: { locale: string }) => locale === 'en_GB'
  expect((await ready('narrow')).find(english)).toMatchObject({ required: 1, missing: 1 })
  expect((await ready('admin')).find(english)).toMatchObject({ required: 2, missing: 2 })
  expect((await ready('narrow')).map(({ locale }: { locale: string }) => locale)).not.toContain('fr_FR')
})

test('a node outside is answered like one that does not exist', async () => {
  const paths = [outsideNode(), '/Standard/None']
  const asked = [
    (path: string) => post(`${core}/pim/products/query`, { nodePaths: [path] }),
    (path: string) => post(`${core}/pim/products/page`, { nodePath: path }),
    (path: string) => post(`${core}/pim/attributes/query`, { nodePath: path }),
  ]
  for (const request of asked) {
    const replies = await Promise.all(paths.map((path) => send('narrow', request(path))))
    expect(replies.map(({ status }) => status)).toEqual([404, 404])
  }
})

test('refusals at public addresses name no folder, which people outside must not learn', async () => {
  const admin = { token: api.adminToken }
  const tid = 'ending'
  const path = `/main/${secret('dirName')}/ending.png`
  expect((await upload(api, { path, tid, doPreviewsAsync: false }, await picture(9, 8, 'png'), admin)).text).toContain(
    'SUCCESS',
  )
  const dam = `${core}/dam`
  const ways = [{ width: 5 }, { profile: 'open' }, { iiif: true }, { media: true }]
  await api.post(`${dam}/renditions/profiles/open`, { width: 5 }, { ...admin, method: 'PUT' })
  const made = await Promise.all(ways.map((how) => api.post(`${dam}/renditions/urls`, { tids: [tid], ...how }, admin)))
  const urls = made.map(({ json }, i) => json.urls[0].url + (ways[i]!.iiif ? '/info.json' : ''))
  for (const body of [{ tid }, { tids: [tid] }, { tids: [tid], profile: 'open' }])
    urls.push((await api.post(`${dam}/assets/presigned-url`, body, admin)).text)
  const usageRights = { validUntil: '2020-01-31T00:00:00.000Z' }
  await api.post(`${dam}/assets/persist`, { schemaVersion, assets: { asset: [{ tid, usageRights }] } }, admin)
  for (const url of urls) {
    const { pathname, search } = new URL(url)
    const { statusCode, body } = await api.app.http.inject({ url: pathname + search })
    expect([url, statusCode, body]).toEqual([url, 403, expect.stringContaining('ending.png must not be used')])
    expect([...secretsIn(body)]).toEqual([])
  }
})
