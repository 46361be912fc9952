/** The narrow role and an administrator prepare what is read later: exports, imports, bulk runs, searches and workflows. */
import { expect, vi } from 'vitest'
import { sql } from '../src/adapters/postgres/sql.ts'
import { hidden, type Names, namesOf, secret } from './canary-world.ts'
import type { TestServer } from './server.ts'

const at = '/api/v1/transfers'

/** Returns the names of everything that exists then. */
export async function prepareJobs(api: TestServer, tokens: readonly string[]): Promise<Names> {
  const worker = await api.startWorker()
  const ids: string[] = []
  const profile = await api.post(`${at}/profiles/shared`, sharedProfile(), { method: 'PUT', token: api.adminToken })
  expect(profile.status, profile.text).toBe(200)
  for (const token of tokens) {
    const orders = [{ format: 'jsonl' }, { format: 'json' }, { format: 'csv' }, { format: 'csv', inherited: true }, { format: 'xml' }, { format: 'csv', layout: 'shopify' }, { format: 'xml', layout: 'google' }, { format: 'xml', layout: 'bmecat' }, { format: 'xml', layout: 'xliff', translation: { source: 'en_GB', target: 'fr_FR', state: 'all', memory: true } }] // prettier-ignore
    for (const order of orders) {
      const reply = await api.post(`${at}/exports`, { ...order, nodePaths: ['/Standard'] }, { token })
      if (reply.status < 300) ids.push(reply.json.id)
    }
    const done = [
      await importOne(api, token),
      await importOne(api, token, '&profile=shared'),
      await runFeed(api, token, `feed-${ids.length}`),
      await runRule(api, token, `rule-${ids.length}`),
    ]
    ids.push(...done, ...(await changeAll(api, token)))
    const stored = { name: 'mine', searchObject: { context: { searchType: 'INDEX', index: 'PRODUCT' } } }
    expect((await api.post('/api/v1/search/storedsearch', stored, { token })).status).toBe(201)
    const start = { configIdentifier: 'review', processStartRequests: [{ linkedObjects: [{ type: 'product', tid: 'product-in' }] }] } // prettier-ignore
    expect((await api.post('/api/v1/workflow/start', start, { token })).text).toContain('success')
    const bulk = await api.post('/api/core/v1/pim/products/bulk', { schemaVersion: '5.6.0', products: { product: [{ tid: 'bulk', name: 'Bulk', node: '/Standard/In' }] } }, { token }) // prettier-ignore
    expect(bulk.status, bulk.text).toBe(200)
    ids.push(bulk.text)
  }
  const waiting = async () =>
    (await api.db.rows(sql`
      select 1 from bulk_change where state not in ('finished', 'failed', 'previewed') union all
      select 1 from transfer where state not in ('finished', 'failed', 'received') union all
      select 1 from feed_run where state = 'running' union all
      select 1 from bulk_run where state not in ('finished', 'failed')`)).length // prettier-ignore
  await vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 60_000, interval: 100 })
  await worker.stop()
  const names = await namesOf(api)
  return { ...names, tids: [...names.tids, ...ids] }
}

/**
 * A collection of an administrator with assets in and out of scope, which the narrow role may see and shares further, and one
 * that it may not see. Returns the ids and the path of the page.
 */
export async function prepareSharing(api: TestServer, narrow: string) {
  const admin = { token: api.adminToken }
  const made = async (path: string, body: object, token = api.adminToken) => {
    const reply = await api.post(path, body, { token })
    expect(reply.status, reply.text).toBe(200)
    return reply.json
  }
  const add = ['asset-in', secret('assetTid'), 'picture-in']
  const ids: number[] = []
  for (const collection of [
    { name: 'Mixed', roles: ['narrow'] },
    { name: secret('collectionName'), description: secret('collectionText') },
  ]) {
    const { id } = await made('/api/v1/collections', collection)
    await made(`/api/v1/collections/${id}/assets`, { add })
    ids.push(id)
  }
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  const page = { kind: 'download', title: 'Mixed', expiresAt, collection: ids[0], original: true, metadata: 'embed' }
  const share = await made('/api/v1/shares', page, narrow)
  await made('/api/v1/shares', { ...page, title: secret('shareTitle'), message: secret('shareText') })
  const asset = (await api.get(`/api/v1/collections/${ids[0]}/assets`, admin)).json.assets[0].id as number
  const { id: own } = await made('/api/v1/collections', { name: 'Own' }, narrow)
  return { own: own as number, collections: ids, share: share.id as number, page: new URL(share.url).pathname, asset }
}

/** It names attributes, categories and a folder that the narrow role may not see. */
const sharedProfile = () => ({
  separator: ';',
  mediaPath: `/main/${secret('dirName')}`,
  constants: {
    [hidden.text]: secret('constant'),
    'caption@fr_FR': secret('constantFr'),
    node: `/Standard/${secret('nodeTid')}`,
  },
  columns: [
    { column: secret('columnHeading'), attr: hidden.text },
    { column: 'size', attr: `${hidden.table}/${hidden.column}` },
    { column: 'category', field: 'node', values: { in: '/Standard/In', out: `/Standard/${secret('nodeTid')}` } },
  ],
})

async function runFeed(api: TestServer, token: string, name: string): Promise<string> {
  const feed = { direction: 'export', export: { format: 'csv', nodePaths: ['/Standard'] }, place: { kind: 'download' } }
  expect((await api.post(`/api/v1/feeds/${name}`, feed, { token, method: 'PUT' })).status).toBe(200)
  expect((await api.post(`/api/v1/feeds/${name}/run`, undefined, { token })).status).toBe(200)
  return name
}

/** The preview is about every product that the user may read; the run changes only imported ones. */
async function runRule(api: TestServer, token: string, name: string): Promise<string> {
  const at = `/api/v1/rules/${name}`
  const operations = [{ type: 'set', attribute: 'note', values: ['by rule'] }]
  const condition = { queryType: 'FIELD', name: 'tid', comparator: 'EQ', value: 'imported' }
  for (const [rule, command] of [
    [{ operations }, 'preview'],
    [{ operations, condition }, 'run'],
  ] as const) {
    const saved = await api.post(at, rule, { token, method: 'PUT' })
    expect(saved.status, saved.text).toBe(200)
    const reply = await api.post(`${at}/${command}`, undefined, { token })
    expect(reply.status, reply.text).toBe(200)
  }
  return name
}

async function importOne(api: TestServer, token: string, options = ''): Promise<string> {
  const table = 'tid,name,node,note\nimported,Imported,/Standard/In,n\n'
  const received = await api.post(`${at}/imports?name=x.csv${options}`, table, {
    token,
    type: 'application/octet-stream',
  })
  expect(received.status, received.text).toBe(200)
  expect((await api.post(`${at}/${received.json.id}/start`, undefined, { token })).status).toBe(200)
  return received.json.id
}

/** Changes of everything that can be selected, of which one is previewed and one is run. */
async function changeAll(api: TestServer, token: string): Promise<string[]> {
  const note = { type: 'findReplace', attribute: 'note', find: 'o', replacement: '0' }
  const place = { type: 'link', dataType: 'project', to: 'below' }
  const caption = { type: 'set', attribute: 'caption', locale: 'en_GB', values: ['Changed'] }
  const ids: string[] = []
  const byName = { type: 'linkByName', template: '{product}[_{number}]', linkType: 'Main' }
  const products = { selection: { nodePaths: ['/Standard'] } }
  const files = { kind: 'asset', selection: { folderPaths: ['/main'] } }
  const bodies = [
    ['preview', { ...products, operations: [note, place, caption] }],
    ['start', { ...products, operations: [note] }],
    ['preview', { ...files, operations: [byName] }],
    ['preview', { ...files, operations: [{ ...byName, matchBy: 'name' }] }],
    [
      'preview',
      { ...files, operations: [{ type: 'rename', template: '[{$product}_{$productName}_]{$folder}_{$number:1}' }] },
    ],
  ] as const
  for (const [command, body] of bodies) {
    const made = await api.post('/api/v1/changes', body, { token })
    expect(made.status, made.text).toBe(200)
    expect((await api.post(`/api/v1/changes/${made.json.id}/${command}`, undefined, { token })).status).toBe(200)
    ids.push(made.json.id)
  }
  return ids
}
