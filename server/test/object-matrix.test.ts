/**
 * Access to objects: every call that names or lists objects of a tree × an editor with the object in scope and one without.
 *
 *   names    in scope the reply differs from that for an unknown object; out of scope it is exactly the same
 *   lists    in scope the object is in the reply, out of scope it is not
 *   acts     like names, and in scope the action is done
 *   stores   in scope it is done, out of scope it is refused; the sender necessarily learns that a tid is taken
 *
 * A call about such objects that is neither in the table nor among those without objects fails the test.
 */
import { type Area, areas, cm, peo } from '@kontor/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../src/adapters/postgres/sql.ts'
import { createModel, jacket, productCalls } from './catalogue.ts'
import { callsOf } from './channels.ts'
import { keyword, resourceOf } from './common.ts'
import { damCalls } from './dam.ts'
import { type CallOptions, type Reply, withServer } from './server.ts'

const api = withServer()
const core = '/api/core/v1'
const schemaVersion = '5.6.0'

/** Kinds of objects in trees, which grants can be narrowed to. */
const kinds = ['product', 'node', 'asset', 'version', 'dir', 'project', 'peo', 'keyword'] as const
type Kind = (typeof kinds)[number]
interface Thing {
  tid: string
  id: number
  path: string
}
interface Call {
  kind: Kind
  how: 'names' | 'lists' | 'acts' | 'stores'
  body?: ((it: Thing) => object) | undefined
  /** The values of path parameters, or the query. */
  at?: ((it: Thing) => Record<string, string> | string) | undefined
}

const names = (kind: Kind, body: Call['body'], at?: Call['at']): Call => ({ kind, how: 'names', body, at })
const lists = (kind: Kind, body: Call['body'], at?: Call['at']): Call => ({ kind, how: 'lists', body, at })
const acts = (kind: Kind, type: string, by: 'tid' | 'path' = 'tid') =>
  ({
    kind,
    how: 'acts',
    body: (it) => ({ schemaVersion, actions: { action: [{ type, dataType: kind, [by]: it[by] }] } }),
  }) satisfies Call
const stores = (kind: Kind, container: string, element: string, item: (it: Thing) => object) =>
  ({ kind, how: 'stores', body: (it) => ({ schemaVersion, [container]: { [element]: [item(it)] } }) }) satisfies Call
const byTids = ({ tid }: Thing) => ({ tids: [tid] })
const byTid = ({ tid }: Thing) => ({ tid })

/** In the order in which they are called: deletions are last. */
// prettier-ignore
const calls: Record<string, Call> = {
  [`POST ${core}/pim/products/query`]:           lists('product', () => ({})),
  [`POST ${core}/pim/products/page`]:            lists('product', () => ({})),
  [`POST ${core}/pim/products/retrieve`]:        names('product', byTids),
  [`POST ${core}/pim/products/history`]:         names('product', byTid),
  [`POST ${core}/cm/quality/retrieve`]:          names('product', ({ tid }) => ({ productTids: [tid] })),
  [`POST ${core}/pim/products/relations`]:       names('product', byTids),
  [`POST ${core}/pim/products/combinations/retrieve`]: names('product', byTid),
  [`POST ${core}/pim/products/combinations/persist`]: names('product', byTid),
  [`POST ${core}/pim/products/translations/retrieve`]: names('product', byTid),
  [`POST ${core}/pim/products/translations/confirm`]: names('product', ({ tid }) => ({ tid, texts: [{ attribute: 'caption', locale: 'de_DE' }] })),
  [`POST ${core}/pim/data-items/{id}/tree`]:     names('product', () => ({}), ({ tid }) => ({ id: tid })),
  [`POST ${core}/pim/data-items/get-by-ids`]:    names('product', ({ tid }) => ({ identities: [tid] })),
  [`PATCH ${core}/pim/data-items`]:              names('product', ({ tid }) => [{ tID: tid, values: [{ key: 'weight', items: [{ value: '7' }] }] }]),
  [`POST /api/v1/presence`]:                    names('product', ({ tid }) => ({ dataType: 'product', tid })),
  [`POST ${core}/pim/products/persist`]:         stores('product', 'products', 'product', byTid),
  [`GET ${core}/pim/classification-tree`]:       lists('node', undefined),
  [`POST ${core}/pim/classes/retrieve`]:         lists('node', () => ({ tids: ['Standard'], withNodes: true })),
  [`POST ${core}/pim/variation-axes/retrieve`]:  names('node', ({ path }) => ({ nodePath: path })),
  [`POST ${core}/pim/variation-axes/persist`]:   names('node', ({ path }) => ({ nodePath: path })),
  [`POST ${core}/pim/attributes/retrieve`]:      names('node', ({ path }) => ({ nodePaths: [path] })),
  [`GET ${core}/pim/attributes/*`]:              names('node', undefined, ({ path }) => path.slice(1)),

  [`POST ${core}/dam/dirs/retrieve`]:            names('dir', ({ path }) => ({ dirPath: path })),
  [`POST ${core}/dam/assets/query`]:             lists('asset', () => ({})),
  [`POST ${core}/dam/assets/retrieve`]:          names('asset', byTids),
  [`POST ${core}/dam/assets/duplicates/retrieve`]: names('asset', byTids),
  [`POST ${core}/dam/assets/similar/retrieve`]: names('asset', byTids),
  [`POST ${core}/dam/assets/versions/retrieve`]: names('asset', byTids),
  [`POST ${core}/dam/assets/histories/retrieve`]: names('asset', byTids),
  [`POST ${core}/dam/assets/previews/retrieve`]: names('asset', byTids),
  [`POST ${core}/dam/assets/variations/retrieve`]: names('asset', ({ tid }) => ({ assetTids: [tid] })),
  [`POST ${core}/dam/assets/statuses`]:          names('asset', byTids),
  [`POST ${core}/dam/assets/status`]:            names('asset', byTids),
  [`GET ${core}/dam/assets/bin`]:                names('asset', undefined, ({ tid }) => `?assetTid=${tid}`),
  [`GET ${core}/dam/assets/embedded`]:           names('asset', undefined, ({ tid }) => `?assetTid=${tid}`),
  [`GET ${core}/dam/renditions/bin`]:            names('asset', undefined, ({ tid }) => `?assetTid=${tid}&width=5`),
  [`POST ${core}/dam/renditions/media`]:         names('asset', byTids),
  [`POST ${core}/dam/renditions/urls`]:          names('asset', byTids),
  [`POST ${core}/dam/renditions/urls/revoke`]:   names('asset', byTids),
  [`POST ${core}/dam/assets/bin/retrieve`]:      names('asset', byTids),
  [`POST ${core}/dam/assets/presigned-url`]:     names('asset', byTid),
  [`POST ${core}/dam/assets/checkin`]:           names('asset', byTid),
  [`POST ${core}/dam/assets/versions/bin/chunked/start`]: names('asset', byTid),
  [`POST ${core}/dam/assets/persist`]:           stores('asset', 'assets', 'asset', byTid),
  [`POST ${core}/dam/dirs/persist`]:             stores('dir', 'dirs', 'dir', ({ tid }) => ({ tid, name: 'Sea' })),
  [`POST ${core}/dam/assets/versions/perform`]:  acts('version', 'restore'),
  [`POST ${core}/dam/assets/perform`]:           acts('asset', 'delete'),
  [`POST ${core}/dam/trash/retrieve`]:           lists('asset', () => ({})),
  [`POST ${core}/dam/trash/perform`]:            acts('asset', 'restore'),
  [`POST ${core}/dam/dirs/perform`]:             acts('dir', 'delete'),

  [`POST ${core}/peo/peos/query`]:               lists('peo', () => ({ names: ['Boat in the shop'] })),
  [`POST ${core}/peo/peos/retrieve`]:            names('peo', byTids),
  [`POST ${core}/peo/peos/values/retrieve`]:     names('peo', byTids),
  [`POST ${core}/peo/peos`]:                     lists('peo', () => ({})),
  [`POST ${core}/peo/peos/persist`]:             stores('peo', 'peos', 'peo', ({ tid }) => ({ tid, name: 'Boat in the shop' })),
  [`POST ${core}/peo/peos/perform`]:             acts('peo', 'delete'),

  [`POST ${core}/pim/products/perform`]:         acts('product', 'delete'),

  [`POST ${core}/cm/channels/query`]:            names('project', byTid),
  [`POST ${core}/cm/channels/retrieve`]:         names('project', byTids),
  [`POST ${core}/cm/channels/briefings/retrieve`]: names('project', ({ tid }) => ({ tids: [tid], briefingInfo: { briefingModuleCfgTid: 'page' } })),
  [`POST ${core}/cm/readiness/retrieve`]:        names('project', byTids),
  [`POST ${core}/cm/readiness/history`]:         names('project', byTids),
  [`POST ${core}/cm/channels/briefings/list`]:   names('project', byTids),
  [`POST ${core}/cm/channels/products/count`]:   names('project', byTids),
  [`POST ${core}/cm/channels/requirements/retrieve`]: names('project', byTids),
  [`POST ${core}/cm/channels/quality/retrieve`]: names('project', byTids),
  [`POST ${core}/cm/channels/quality/persist`]: { kind: 'project', how: 'acts', body: ({ tid }) => ({ tid, checks: [{ check: 'similarName' }] }) },
  [`POST ${core}/cm/channels/requirements/persist`]: { kind: 'project', how: 'acts', body: ({ tid }) => ({ tid, locales: ['en_GB'] }) },
  [`POST ${core}/cm/where-used/retrieve`]:       names('project', ({ tid }) => ({ dataType: 'project', tids: [tid] })),
  [`POST ${core}/cm/channels/briefings/persist`]: { kind: 'project', how: 'acts', body: ({ tid }) => ({ tid, briefingInfo: { briefingModuleCfgTid: 'page' }, layout: [{ id: '5' }] }) },
  [`POST ${core}/cm/channels/persist`]:          stores('project', 'projects', 'project', ({ tid }) => ({ tid, name: 'Shop' })),
  [`POST ${core}/cm/channels/actions/perform`]:  acts('project', 'delete'),

  [`POST ${core}/common/keywords/retrieve`]:     names('keyword', ({ path }) => ({ path })),
  [`POST ${core}/common/keywords/persist`]:      stores('keyword', 'kwds', 'kwd', ({ path }) => keyword('Below', path)),
  [`POST ${core}/common/keywords/perform`]:      acts('keyword', 'delete', 'path'),
}

/** Calls without single objects of a tree, or with the same implementation as one above. */
// prettier-ignore
const without: Record<string, string> = {
  [`GET ${core}/cm/channels/types`]:                     'kinds of channels, not channels',
  [`GET ${core}/peo/templates`]:                         'templates stand in no tree',
  [`POST ${core}/common/components/retrieve`]:           'parts of the server',
  [`GET ${core}/common/runs`]:                           'bulk runs of the caller',
  [`POST ${core}/common/transform`]:                     'nothing stored',
  [`POST ${core}/dam/rncs/retrieve`]:                    'storages; their directories are judged',
  [`GET ${core}/dam/renditions/profiles`]:               'ways to make pictures, not pictures',
  [`GET ${core}/pim/relation-types`]:                    'kinds of relations, not relations',
  [`POST ${core}/dam/assets/variations/types`]:          'kinds of variation',
  [`POST ${core}/dam/assets/variations/types/retrieve`]: 'kinds of variation',
}
/** Areas whose own tests have two such editors, because their replies combine many kinds. */
// prettier-ignore
const elsewhere: Record<string, string> = {
  '/api/core/v1/common/units': 'the same for everybody: server/src/common/units/units.test.ts',
  '/api/v1/identity': 'about oneself, or for administrators',
  '/api/v1/events':   'server/src/events/events.test.ts',
  '/api/v1/requests': 'about oneself',
  '/api/v1/webhooks': 'for administrators',
  '/api/v1/feeds':    'transfers with the rights of their owner: server/src/feeds/feeds.test.ts',
  '/api/v1/rules':    'changes with the rights of their owner: server/src/rules/rules.test.ts',
  '/api/v1/collections': 'only what the reader may read: server/src/collections/collections.test.ts',
  '/api/v1/shares':   'only what the owner may read: server/src/share/share.test.ts',
  '/api/v1/transfers': 'jobs with the rights of who asked: below',
  '/api/v1/changes':  'jobs with the rights of who asked: below',
  '/api/v1/search':   'server/src/search/rights.test.ts',
}
/** Uploads are forms, and chunks of the caller's own uploads; the tests of uploads cover them. */
const isUpload = (route: string) => /\/bin\/(persist|chunked)/.test(route)

test('every call about objects of a tree is in the table or an argued exception', () => {
  const isOfTree = (kind: string | undefined) => kind === undefined || kinds.some((one) => one === kind)
  const ofArea = ({ base, resources, routes }: Area) => [
    ...Object.entries(resources).flatMap(([name, { access, dataType, ...resource }]) =>
      (['query', 'retrieve', 'persist', 'perform'] as const)
        .filter((verb) => access === 'user' && resource[verb] && isOfTree(dataType))
        .map((verb) => `POST ${base}/${name}/${verb}`),
    ),
    ...Object.values(routes)
      .filter(({ access, needs }) => access === 'user' && isOfTree(needs?.kind))
      .map(({ method, path }) => `${method} ${base}${path}`),
  ]
  const isElsewhere = (route: string) => Object.keys(elsewhere).some((base) => route.split(' ')[1]!.startsWith(base))
  const missing = areas
    .flatMap(ofArea)
    .filter((route) => !(route in calls) && !(route in without) && !isElsewhere(route) && !isUpload(route))
  expect(missing).toEqual([])
})

const ghost: Thing = { tid: 'GHOST', id: 999_999_999, path: '/Ghost' }
const things = {} as Record<Kind, Thing>
const tokens = { in: '', out: '' }

beforeAll(async () => {
  await createModel(api)
  await createThings()
  const grant = (scopes: object) => [
    { kind: '*', actions: ['read', 'create', 'update', 'delete', 'link', 'checkout'], scopes },
  ]
  const roles = {
    in: { node: ['/Standard/Jackets'], dir: ['/main/Sea'], channel: ['/shop'], keyword: ['/Sea'] },
    out: { node: ['/Standard/Boots'], dir: ['/main/Land'], channel: ['/book'], keyword: ['/Land'] },
  }
  for (const who of ['in', 'out'] as const) {
    const body = { grants: grant(roles[who]) }
    const put = { method: 'PUT', token: api.adminToken } as const
    const { status, text } = await api.post(`/api/v1/identity/roles/editor-${who}`, body, put)
    expect(status, text).toBe(200)
    tokens[who] = await api.tokenFor({ name: `editor-${who}`, roles: [`editor-${who}`] })
  }
})

async function createThings(): Promise<void> {
  const dam = damCalls(api)
  const stored = async (records: Promise<{ id: number; tid: string }[]>, path: string, tid?: string) => {
    const [record] = await records
    expect(record).toMatchObject({ status: 'SUCCESS' })
    return { id: record!.id, tid: tid ?? record!.tid, path }
  }
  things.product = await stored(productCalls(api).persist(jacket('BOAT')), 'BOAT')
  things.node = { tid: 'Jackets', id: 999_999_997, path: '/Standard/Jackets' }
  const rncs = { rnc: [{ tid: 'main', name: 'Main' }] }
  await api.post(`${core}/dam/rncs/persist`, { schemaVersion, rncs }, { token: api.adminToken })
  await dam.createPath('/main/Land')
  things.dir = await stored(dam.createPath('/main/Sea'), '/main/Sea')
  const [asset] = await dam.addAssets('/main/Sea', 'boat.jpg')
  things.asset = { ...asset!, path: '/main/Sea/boat.jpg' }
  things.version = await addVersion(things.asset.id)
  const channels = callsOf(api, cm, 'channels')
  await channels.persist({ tid: 'book', type: 'Catalogue', name: 'book' })
  things.project = await stored(channels.persist({ tid: 'shop', type: 'Webshop', name: 'shop' }), '/shop')
  const extension = { tid: 'BOAT-SHOP', productTid: 'BOAT', templateTid: 'Default', name: 'Boat in the shop' }
  things.peo = await stored(callsOf(api, peo, 'peos').persist(extension), 'BOAT-SHOP')
  const pair = { itm: [{ key: 'peoTid', value: 'BOAT-SHOP' }, { key: 'projectTid', value: 'shop' }] } // prettier-ignore
  await callsOf(api, peo, 'peos/links').persist({ type: 'peoToProject', itms: [pair] })
  const keywords = resourceOf(api, 'keywords')
  things.keyword = await stored(keywords.persist(keyword('Sea'), keyword('Land')), '/Sea', 'Sea')
}

async function addVersion(assetId: number): Promise<Thing> {
  const row = await api.db.writeRow<{ id: number; tid: string }>(sql`
    insert into asset_version (tid, asset_id, name, type, sha256, size, mime, file_date, file_user, created_by)
    select 'EARLIER', id, name, type, sha256, size, mime, now(), 'kim', 'kim' from dam_entry where id = ${assetId}
    returning id, tid`)
  return { ...row!, path: '/main/Sea/boat.jpg' }
}

function ask(route: string, { body, at }: Call, it: Thing, token: string): Promise<Reply> {
  const [method = '', url = ''] = route.split(' ')
  const place = at?.(it)
  const address =
    typeof place === 'string'
      ? url.replace(/\*$/, '') + place
      : Object.entries(place ?? {}).reduce((path, [name, value]) => path.replace(`{${name}}`, value), url)
  return api.post(address, body?.(it), { method: method as CallOptions['method'], token })
}

/** The reply without values of the request, times and request ids. */
function outlineOf({ status, text }: Reply, { tid, id, path }: Thing): string {
  const stripped = [path, path.slice(1), tid, String(id)].reduce((all, one) => all.replaceAll(one, '…'), text)
  return `${status} ${stripped.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z?/gi, '…')}`
}

test('an export contains what its creator may see, and only its creator can read it', async () => {
  const at = '/api/v1/transfers'
  const worker = await api.startWorker()
  const started = async (token: string) => {
    const { json } = await api.post(`${at}/exports`, { format: 'jsonl', tids: ['BOAT'] }, { token })
    const state = async () => (await api.get(`${at}/${json.id}`, { token })).json.state
    await expect.poll(state, { timeout: 20_000 }).toMatch(/finished|failed/)
    return json.id as string
  }
  const [mine, theirs] = [await started(tokens.in), await started(tokens.out)]
  await worker.stop()
  expect((await api.get(`${at}/${mine}/file`, { token: tokens.in })).text).toContain('"BOAT"')
  expect((await api.get(`${at}/${theirs}/file`, { token: tokens.out })).text).not.toContain('"BOAT"')
  for (const path of [mine, `${mine}/file`, `${mine}/rows`]) {
    expect((await api.get(`${at}/${path}`, { token: tokens.out })).status).toBe(404)
  }
}, 60_000)

test('a change affects and shows only what its creator may change, and only its creator can read it', async () => {
  const at = '/api/v1/changes'
  const worker = await api.startWorker()
  const body = { selection: { tids: ['BOAT'] }, operations: [{ type: 'set', attribute: 'material', values: ['Oak'] }] }
  const started = async (token: string) => {
    const { json } = await api.post(at, body, { token })
    await api.post(`${at}/${json.id}/start`, undefined, { token })
    const state = async () => (await api.get(`${at}/${json.id}`, { token })).json.state
    await expect.poll(state, { timeout: 20_000 }).toMatch(/finished|failed/)
    return json.id as string
  }
  const theirs = await started(tokens.out)
  expect((await api.get(`${at}/${theirs}`, { token: tokens.out })).json).toMatchObject({ changed: 0, refused: 1 })
  const mine = await started(tokens.in)
  await worker.stop()
  expect((await api.get(`${at}/${mine}`, { token: tokens.in })).json).toMatchObject({ changed: 1, refused: 0 })
  for (const path of [mine, `${mine}/items`]) {
    expect((await api.get(`${at}/${path}`, { token: tokens.out })).status).toBe(404)
  }
}, 60_000)

describe.each(Object.entries(calls))('%s', (route, call) => {
  const asked = (who: 'in' | 'out', it: Thing) => ask(route, call, it, tokens[who])
  const it = () => things[call.kind]

  if (call.how === 'lists') {
    test('returns the object to a caller with the right, and not to others', async () => {
      const found = await asked('in', it())
      expect(found.text).toContain(it().tid)
      expect((await asked('out', it())).text).not.toContain(it().tid)
    })
    return
  }
  test('finds nothing out of scope', async () => {
    const hidden = await asked('out', it())
    expect(hidden.text).not.toMatch(/"SUCCESS"|^SUCCESS/)
    if (call.how === 'stores') return
    expect(outlineOf(hidden, it())).toBe(outlineOf(await asked('out', ghost), ghost))
  })
  test('finds objects in scope', async () => {
    const found = await asked('in', it())
    if (call.how === 'names') expect(outlineOf(found, it())).not.toBe(outlineOf(await asked('in', ghost), ghost))
    else expect(found.text).toContain('SUCCESS')
  })
})
