/**
 * Access rights: every route of the server × six callers, with the expected reply for each.
 *
 * The routes of areas follow their declarations; the table below has the others. A route in neither fails the test, and so does
 * an entry without a route. Bodies are empty: a caller without the right is refused before the body is read.
 */
import { type Area, areas, type Resource, type Route } from '@kontor/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { type CallOptions, withServer } from './server.ts'

const api = withServer({ KONTOR_METRICS_TOKEN: 'of a test' })

/** public: everybody. read, write: callers who may read or write such objects. admin: administrators. */
type Entry = 'public' | 'read' | 'write' | 'admin'
type Answer = 'in' | 401 | 403

const realm = '/auth/realms/kontor'
const openid = `${realm}/protocol/openid-connect`

/** Routes that no area declares. */
// prettier-ignore
const others: Record<string, Entry> = {
  'GET /':                                    'public',
  'GET /kontor.svg':                          'public',
  'GET /console/:file':                       'public',
  'GET /livez':                               'public',
  'GET /readyz':                              'public',
  'GET /metrics':                             'public', // has a token of its own
  'GET /api/openapi.json':                    'public',
  'GET /api/core/v1/schema/pim.xsd':          'public',
  'GET /api/docs':                            'public',
  'GET /api/docs/page.css':                   'public',
  'GET /api/docs/page.js':                    'public',
  [`GET ${realm}/.well-known/openid-configuration`]: 'public',
  [`GET ${openid}/auth`]:                     'public',
  [`POST ${openid}/auth`]:                    'public',
  [`GET ${openid}/auth/:uid`]:                'public',
  [`POST ${openid}/token`]:                   'public',
  [`POST ${openid}/token/introspect`]:        'public', // authenticates the client by its secret
  [`POST ${openid}/revoke`]:                  'public',
  [`GET ${openid}/certs`]:                    'public',
  [`GET ${openid}/userinfo`]:                 'public', // reads the token itself, to answer as RFC 6750 demands
  [`POST ${openid}/userinfo`]:                'public',
  [`GET ${openid}/logout`]:                   'public',
  [`POST ${openid}/logout`]:                  'public',
  [`POST ${openid}/logout/confirm`]:          'public',
  [`GET ${openid}/logout/success`]:           'public',
  [`GET ${realm}/login/:uid`]:                'public',
  [`POST ${realm}/login/:uid`]:               'public',
  [`POST ${realm}/login/:uid/code`]:          'public',
  [`POST ${realm}/login/:uid/password`]:      'public',
  [`GET ${realm}/password`]:                  'public',
  [`POST ${realm}/password`]:                 'public',
  [`GET ${realm}/login.css`]:                 'public',
  [`GET ${realm}/kontor.svg`]:                'public',
}

const dam = '/api/core/v1/dam/assets'

/** Routes that an area declares with another method. */
// prettier-ignore
const otherMethods: Record<string, Entry> = {
  'POST /api/wfl/v1/workflow/start':                       'write', // as the documentation of the interface has it
  [`POST ${dam}/bin/chunked/persist/:uploadId`]:          'write',
  [`POST ${dam}/versions/bin/chunked/persist/:uploadId`]: 'write',
}

/** Uploads list 403 for an existing file; a caller without the right gets 401. */
const listsFileExists = (route: string) => /\/assets\/(variations\/|versions\/)?bin\/(chunked|persist)/.test(route)

interface Row {
  route: string
  entry: Entry
  /** The status for a caller without the right. */
  refusal: 401 | 403
}

const verbs = { query: 'read', retrieve: 'read', persist: 'write', perform: 'write' } as const

function ofResource(path: string, resource: Resource): Row[] {
  const { access, statuses } = resource
  const row = (route: string, verb: keyof NonNullable<typeof statuses>, entry: Entry): Row => ({
    route,
    entry: access === 'user' ? entry : access,
    refusal: statuses?.[verb]?.includes(403) ? 403 : 401,
  })
  const declared = Object.entries(verbs).filter(([verb]) => resource[verb as keyof typeof verbs])
  return [
    ...declared.map(([verb, entry]) => row(`POST ${path}/${verb}`, verb as keyof typeof verbs, entry)),
    ...(resource.bulk ? [row(`GET ${path}/bulk/:id`, 'bulk', 'read')] : []),
    ...(resource.bulk === 'write' ? [row(`POST ${path}/bulk`, 'bulk', 'write')] : []),
  ]
}

function ofRoute(base: string, { access, method, path, needs, statuses, refusal }: Route): Row {
  const action = needs?.action ?? (method === 'GET' ? 'read' : 'update')
  return {
    route: `${method} ${base}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    entry: access === 'user' ? (action === 'read' ? 'read' : 'write') : access,
    refusal: refusal ?? (statuses.includes(403) && !listsFileExists(path) ? 403 : 401),
  }
}

const ofArea = ({ base, resources, routes }: Area): Row[] => [
  ...Object.entries(resources).flatMap(([name, resource]) => ofResource(`${base}/${name}`, resource)),
  ...Object.values(routes).map((route) => ofRoute(base, route)),
]

const expected = new Map(
  [
    ...areas.flatMap(ofArea),
    ...Object.entries({ ...otherMethods, ...others }).map(([route, entry]): Row => ({ route, entry, refusal: 401 })),
  ].map((row) => [row.route, row]),
)

// prettier-ignore
const callers = ['no token', 'no role', 'reader', 'editor in scope', 'editor out of scope', 'admin'] as const
type CallerName = (typeof callers)[number]

/** The scopes of the two editors apply to objects, not to routes: both may call, and only one of them finds anything. */
const isIn: Record<Exclude<Entry, 'public'>, readonly CallerName[]> = {
  read: ['reader', 'editor in scope', 'editor out of scope', 'admin'],
  write: ['editor in scope', 'editor out of scope', 'admin'],
  admin: ['admin'],
}

function answerFor({ entry, refusal }: Row, caller: CallerName): Answer {
  if (entry === 'public' || isIn[entry].includes(caller)) return 'in'
  return caller === 'no token' ? 401 : refusal
}

const tokens = new Map<CallerName, string | null>()
const content = { kind: '*', actions: ['read', 'create', 'update', 'delete', 'link', 'checkout', 'share'] }
beforeAll(async () => {
  const scoped = (top: string) => ({ grants: [{ ...content, scopes: { keyword: [top] } }] })
  const put = { method: 'PUT', token: api.adminToken } as const
  const kwd = ['Sea', 'Land'].map((value) => ({ name: { itm: [{ value }] } }))
  const keywords = { schemaVersion: '5.6.0', kwds: { kwd } }
  await api.post('/api/core/v1/common/keywords/persist', keywords, { token: api.adminToken })
  await api.post('/api/v1/identity/roles/in-scope', scoped('/Sea'), put)
  await api.post('/api/v1/identity/roles/out-of-scope', scoped('/Land'), put)
  const roles: Record<CallerName, string[] | undefined> = {
    'no token': undefined,
    'no role': [],
    reader: ['reader'],
    'editor in scope': ['in-scope'],
    'editor out of scope': ['out-of-scope'],
    admin: ['admin'],
  }
  for (const caller of callers) {
    const given = roles[caller]
    tokens.set(caller, given ? await api.tokenFor({ roles: given }) : null)
  }
})

/** The routes of the server, without the HEAD of every GET. */
const registered = () =>
  api.app.routes.filter(({ method }) => method !== 'HEAD').map(({ method, url }) => `${method} ${url}`)

test('every route is in the matrix, and no other', () => {
  const routes = new Set(registered())
  const areasInUse = areas.filter(({ base }) => [...routes].some((route) => route.includes(` ${base}/`)))
  const declared = new Set([...areasInUse.flatMap(ofArea).map(({ route }) => route), ...Object.keys(others)])
  expect([...routes].filter((route) => !expected.has(route))).toEqual([])
  expect([...declared].filter((route) => !routes.has(route))).toEqual([])
})

test('exactly the routes that are declared public are public', () => {
  const open = api.app.routes.filter(({ access }) => access === 'public').map(({ method, url }) => `${method} ${url}`)
  const declared = [...expected.values()].filter(({ entry }) => entry === 'public').map(({ route }) => route)
  expect(open.filter((route) => !route.startsWith('HEAD ') && !declared.includes(route))).toEqual([])
})

describe.each(callers)('%s', (caller) => {
  test('may call the routes of the matrix and is refused by the others with the expected status', async () => {
    const wrong: string[] = []
    for (const route of registered()) {
      const row = expected.get(route)
      if (!row || row.entry === 'public') continue
      const [method = '', url = ''] = route.split(' ')
      const address = url.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000').replace('*', '1')
      const options = { method: method as CallOptions['method'], token: tokens.get(caller) }
      const { status } = await api.post(address, method === 'GET' ? undefined : {}, options)
      const answer = status === 401 || status === 403 ? status : 'in'
      if (answer !== answerFor(row, caller)) wrong.push(`${route}: ${answer}, not ${answerFor(row, caller)}`)
    }
    expect(wrong).toEqual([])
  })
})
