/**
 * Every call of the Common area, as the contract declares it, and every status that it documents. What the calls do is
 * covered by the tests beside each resource.
 */
import { common, formats, type Infer, Pim, type Resource, type Route, schemaVersion, type Type } from '@kontor/contract'
import { describe, expect, test, vi } from 'vitest'
import { formatNames, itemsOf, meta, outcomes, postIn } from '../../test/common.ts'
import { withServer } from '../../test/server.ts'
import { sql } from '../adapters/postgres/sql.ts'

const pim = (contents: object): Infer<typeof Pim> => ({ schemaVersion, ...contents })
const action = (dataType: string, type: string, more: object) =>
  pim({ actions: { action: [{ dataType, type, ...more }] } })
const missing = { id: 99999999 }
const keyword = { name: { itm: [{ value: 'Sea' }] } }
const glossary = { name: 'Sailing', tid: 'sailing' }
const entry = { parentTid: 'sailing', type: 'term', loc: 'de_DE', meta: { itm: [{ value: 'Segel', key: 'value' }] } }
const tagging = itemsOf({ keywordPath: '/No/Such', assetTid: 'x' })
const link = { type: 'keywordToAsset', itms: [tagging] }
const message = { subject: 'Done', body: 'All of it.', recipientUser: 'kim' }

/** Requests of a call: a sound one; one that names only what does not exist, which is 404; one whose item does so. */
interface Sample {
  readonly sound?: object | undefined
  readonly notFound?: object | undefined
  readonly refused?: object | undefined
}
const persistSample = (container: string, element: string, sound: object, refused: object): Sample => ({
  sound: pim({ [container]: { [element]: [sound] } }),
  refused: pim({ [container]: { [element]: [refused] } }),
})
const deleteSample = (dataType: string): Sample => {
  const request = action(dataType, 'delete', missing)
  return { sound: request, refused: request }
}
const unlinking = action('productToProjectLink', 'unlink', meta({ productTid: 'no such', projectTid: 'no such' }))
const unlinkSample: Sample = { sound: unlinking, refused: unlinking }
const verbSamples: Record<keyof typeof common.resources, Partial<Record<string, Sample>>> = {
  keywords: {
    retrieve: { sound: { path: '/' }, notFound: { path: '/No/Such' } },
    persist: persistSample('kwds', 'kwd', keyword, missing),
    perform: deleteSample('keyword'),
  },
  glossaries: {
    retrieve: { sound: {}, notFound: { names: ['no such'] } },
    persist: persistSample('glossaries', 'glossary', glossary, missing),
    perform: deleteSample('glossary'),
  },
  glossaryEntries: {
    persist: persistSample('glossaryEntries', 'glossaryEntry', entry, { ...entry, parentTid: 'no such' }),
    perform: deleteSample('glossaryEntry'),
  },
  links: { persist: persistSample('links', 'itms', link, link) },
  'links/actions': { perform: unlinkSample },
  locales: { retrieve: { sound: { mode: 'ALL' }, notFound: { mode: 'TID', tids: ['xx_XX'] } } },
}
/** Calls of administrators have tests of their own. */
type UserRoute = Exclude<keyof typeof common.routes, 'putLocale' | 'putUnit' | 'deleteUnit'>
const routeSamples: Record<UserRoute, Sample> = {
  persistMessages: { sound: { messages: [message] } },
  listMessages: {},
  listRuns: {},
  listUnits: {},
  readMessages: { sound: { ids: [1] } },
  retrieveComponents: {},
  transform: { sound: pim({}) },
}

interface Call extends Sample {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly root?: Type | undefined
  readonly inAllFormats: boolean
}

function verbCalls(name: string, resource: Resource): Call[] {
  const samples = verbSamples[name as keyof typeof verbSamples]
  const verbs = (['retrieve', 'persist', 'perform'] as const).filter((verb) => resource[verb])
  expect(Object.keys(samples), name).toEqual(verbs)
  const call = (verb: string, sample: Sample, root: Type): Call => {
    const path = `${common.base}/${name}/${verb}`
    return { name: `${name}/${verb}`, method: 'POST', path, root, inAllFormats: true, ...sample }
  }
  return [
    ...verbs.map((verb) => call(verb, samples[verb]!, verb === 'retrieve' ? resource.retrieve! : Pim)),
    ...(resource.bulk ? [call('bulk', { sound: samples.persist!.sound }, Pim)] : []),
  ]
}

const routeCall = ([name, route]: [string, Route]): Call => ({
  name,
  method: route.method as 'GET' | 'POST',
  path: common.base + route.path,
  root: route.request,
  inAllFormats: route.formats === 'all',
  ...routeSamples[name as keyof typeof routeSamples],
})

const calls: Call[] = [
  ...Object.entries<Resource>(common.resources).flatMap(([name, resource]) => verbCalls(name, resource)),
  ...Object.entries<Route>(common.routes)
    .filter(([name]) => name in routeSamples)
    .map(routeCall),
]
const withBody = calls.filter(({ root }) => root)
const bulks = Object.entries<Resource>(common.resources).flatMap(([name, { bulk }]) => (bulk ? [name] : []))

const api = withServer()
const send = ({ method, path, sound }: Call, options = {}) => api.post(path, sound, { method, ...options })
const errorIn = (format: (typeof formatNames)[number], text: string) =>
  format === 'xml' ? text.includes('<status>ERROR</status>') : JSON.parse(text).status === 'ERROR'

describe('200', () => {
  test.each(calls)('$name', async (call) => {
    const reply = await send(call)
    expect(reply.status, reply.text).toBe(200)
  })

  test.each(
    calls
      .filter(({ inAllFormats }) => inAllFormats)
      .flatMap((call) => formatNames.map((format) => ({ ...call, format }))),
  )('$name in $format', async ({ name, path, root, sound, format }) => {
    const reply = await postIn(api, format, path, root!, sound!)
    expect(reply.status, reply.text).toBe(200)
    const type = name.endsWith('/bulk') ? 'text/plain;charset=UTF-8' : formats[format].contentType
    expect(reply.headers['content-type']).toBe(type)
  })

  test.each(calls.filter(({ refused }) => refused))(
    '$name: a missing object is reported in the record of its item',
    async ({ path, refused }) => {
      const reply = await api.post(path, refused)
      expect(reply.status).toBe(200)
      expect(reply.json.responses.response).toMatchObject([
        { status: 'ERROR', details: { itm: expect.arrayContaining([{ key: 'code', value: '1002' }]) } },
      ])
    },
  )
})

describe('400', () => {
  const broken = { xml: '<pim', json: '{"schemaVersion":', compact: '{"schemaVersion":' }

  test.each(
    withBody.flatMap((call) =>
      (call.inAllFormats ? formatNames : ['json' as const]).map((format) => ({ ...call, format })),
    ),
  )('$name: a broken message in $format', async ({ path, format }) => {
    const { contentType: type, mediaType: accept } = formats[format]
    const reply = await api.post(path, broken[format], { type, accept })
    expect(reply.status).toBe(400)
    expect(reply.headers['content-type']).toBe(type)
    expect(errorIn(format, reply.text)).toBe(true)
  })

  test.each(withBody)('$name: an unknown field is reported with its path', async ({ path, root }) => {
    const reply = await api.post(path, { schemaVersion, colour: 'red' })
    expect(reply.status).toBe(400)
    expect(reply.text).toContain(`/${root!.name}/`)
  })

  test.each(withBody)('$name: an unsupported media type', async ({ path, sound }) => {
    for (const type of ['application/yaml', 'application/jsonx', 'text/xml', 'application/json+other', '']) {
      expect((await api.post(path, sound, { type })).status, type).toBe(400)
    }
  })

  test.each(calls.filter(({ name, inAllFormats }) => inAllFormats && !name.endsWith('/bulk')))(
    '$name: an Accept that is not spoken',
    async (call) => {
      expect((await send(call, { accept: 'text/html' })).status).toBe(400)
    },
  )

  test.each(
    calls.filter(({ name }) => /persist$|perform$|bulk$|transform$|Messages$/.test(name) && name !== 'listMessages'),
  )('$name: no body', async ({ path }) => {
    expect((await api.post(path)).status).toBe(400)
  })

  test.each(calls.filter(({ name }) => /\/(persist|perform|bulk)$/.test(name)))(
    '$name: no items, or items of another call',
    async ({ path }) => {
      expect((await api.post(path, pim({}))).status).toBe(400)
      expect((await api.post(path, pim({ products: { product: [{ tid: 'x' }] } }))).status).toBe(400)
    },
  )
})

describe('401', () => {
  test.each(calls)('$name: no token, and an invalid token', async (call) => {
    for (const token of [null, 'x.y.z']) {
      const reply = await send(call, { token })
      expect(reply.status).toBe(401)
      expect(reply.headers['www-authenticate']).toMatch(/^Bearer/)
    }
  })
  test.each(bulks)('%s/bulk/{id}', async (name) => {
    expect((await api.get(`${common.base}/${name}/bulk/x`, { token: null })).status).toBe(401)
  })
})

describe('404', () => {
  test.each(
    calls.filter(({ notFound }) => notFound).flatMap((call) => formatNames.map((format) => ({ ...call, format }))),
  )('$name in $format', async ({ path, root, notFound, format }) => {
    const reply = await postIn(api, format, path, root!, notFound!)
    expect(reply.status).toBe(404)
    expect(errorIn(format, reply.text)).toBe(true)
    expect(reply.text).toContain('1002')
  })

  test.each(bulks)('%s/bulk/{id}: an unknown run, or one of another resource or user', async (name) => {
    const other = name === 'keywords' ? 'glossaries' : 'keywords'
    const body = verbSamples[other].persist!.sound
    const { text: id } = await api.post(`${common.base}/${other}/bulk`, body)
    const token = await api.tokenFor({})
    for (const run of ['x', '00000000-0000-4000-8000-000000000000', id]) {
      expect((await api.get(`${common.base}/${name}/bulk/${run}`)).status).toBe(404)
    }
    expect((await api.get(`${common.base}/${other}/bulk/${id}`, { token })).status).toBe(404)
  })
})

describe('bulk', () => {
  const numbered = (count: number, make: (i: number) => object) => Array.from({ length: count }, (_, i) => make(i))
  const name = (i: number) => ({ itm: [{ value: `bulk ${i}` }] })
  const samples: Record<string, { persist: object; perform?: object }> = {
    keywords: {
      persist: pim({ kwds: { kwd: numbered(501, (i) => ({ name: name(i) })) } }),
      perform: pim({
        actions: { action: numbered(501, (i) => ({ dataType: 'keyword', type: 'delete', path: `/bulk ${i}` })) },
      }),
    },
    glossaries: {
      persist: pim({ glossaries: { glossary: numbered(501, (i) => ({ name: `bulk ${i}`, tid: `b${i}` })) } }),
      perform: pim({
        actions: { action: numbered(501, (i) => ({ dataType: 'glossary', type: 'delete', tid: `b${i}` })) },
      }),
    },
    glossaryEntries: {
      persist: pim({ glossaryEntries: { glossaryEntry: numbered(501, (i) => ({ ...entry, tid: `e${i}` })) } }),
      perform: pim({
        actions: { action: numbered(501, (i) => ({ dataType: 'glossaryEntry', type: 'delete', tid: `e${i}` })) },
      }),
    },
    links: { persist: pim({ links: { itms: numbered(3, () => link) } }) },
  }

  test('every resource that has it settles any number of items, in every format', async () => {
    expect(Object.keys(samples)).toEqual(bulks)
    await api.startWorker()
    for (const resource of bulks) {
      for (const [verb, body] of Object.entries(samples[resource]!)) {
        const format = formatNames[bulks.indexOf(resource) % 3]!
        const path = `${common.base}/${resource}/bulk`
        const { text: id } = await postIn(api, format, path, Pim, body)
        const run = await vi.waitFor(
          async () => {
            const { json } = await api.get(`${path}/${id}`)
            expect(json.meta.itm).toContainEqual({ key: 'state', value: 'finished' })
            return json
          },
          { timeout: 20_000, interval: 50 },
        )
        const refusals = outcomes(run.responses.response).filter((outcome) => outcome !== 'SUCCESS')
        expect(refusals, `${resource} ${verb}`).toEqual(
          resource === 'links' ? Array(3).fill('no keyword has the path /No/Such') : [],
        )
        expect(run.responses.response).toHaveLength(resource === 'links' ? 3 : 501)
      }
    }
  })
})

describe('500 if the database schema is damaged', () => {
  const ruined = withServer()
  const lose = async (...tables: string[]) => {
    for (const table of tables) await ruined.db.pool.query(`alter table if exists ${table} rename to ${table}_lost`)
  }
  /** Nothing of the area can be read or written, but who calls is still known. */
  const loseArea = () =>
    lose('keyword', 'glossary', 'glossary_entry', 'link', 'locale', 'unit', 'message', 'message_read', 'bulk_run')
  const needsNoTable = ['retrieveComponents', 'transform']

  test.each(calls.filter(({ name }) => !needsNoTable.includes(name)))('$name', async ({ method, path, sound }) => {
    await loseArea()
    const reply = await ruined.post(path, sound, { method })
    expect(reply.status, reply.text).toBe(500)
    expect(reply.json).toMatchObject({
      status: 'ERROR',
      details: { itm: [{ key: 'supportId', value: expect.stringMatching(/^[0-9a-f-]{36}$/) }] },
      issues: [
        {
          itm: [
            { key: 'code', value: '1000' },
            { key: 'description', value: 'unknown internal error' },
          ],
        },
      ],
    })
    expect(reply.text, 'nothing of the inside').not.toMatch(/relation|select|insert|keyword|glossary|\.ts/)
  })

  test.each(formatNames)('is reported in %s', async (format) => {
    await loseArea()
    const { retrieve } = common.resources.locales
    const reply = await postIn(ruined, format, `${common.base}/locales/retrieve`, retrieve, { mode: 'ALL' })
    expect(reply.status).toBe(500)
    expect(errorIn(format, reply.text)).toBe(true)
  })

  test('retrieveComponents, when nothing at all is left', async () => {
    const token = await ruined.tokenFor({})
    const tables = await ruined.db.rows<{ name: string }>(
      sql`select tablename as name from pg_tables where schemaname = 'public'`,
    )
    await lose(...tables.map(({ name }) => name))
    const { path } = calls.find(({ name }) => name === 'retrieveComponents')!
    expect((await ruined.post(path, undefined, { token })).status).toBe(500)
  })
})
