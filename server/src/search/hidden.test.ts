/** Routes around a search tell nothing of what the caller may not read: waiting, configurations, states, suggestions, events. */
import { beforeAll, describe, expect, test } from 'vitest'
import { bpmn } from '../../test/bpmn.ts'
import { createModel, jacket, pim, productCalls, schemaVersion, simple, vals } from '../../test/catalogue.ts'
import { readEvents } from '../../test/events.ts'
import { field, fullText, search, searchCalls } from '../../test/search.ts'
import { withServer } from '../../test/server.ts'
import { workflowCalls } from '../../test/workflow.ts'

const api = withServer()
const { call, find, found, wait, refused } = searchCalls(api)
const products = productCalls(api)
const flow = workflowCalls(api)
const tokens = new Map<string, string>()
const as = (role: string) => ({ token: tokens.get(role)! })

const read = { kind: '*', actions: ['read'] }
const roles: Record<string, object[]> = {
  narrow: [{ ...read, scopes: { node: ['/Standard/Jackets'] } }],
  buyer: [{ ...read, visibleAttributes: { except: ['material'] } }],
  foreign: [{ ...read, visibleLocales: { except: ['de_DE'] } }],
  deep: [{ ...read, scopes: { node: ['/Standard/Attic/Shelf'] } }],
  whole: [read],
}
/** A word of its own for each number, of letters only. */
const word = (i: number) => `zeta${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}x`
const boots = { node: '/Standard/Boots' }
const code = simple('code', 'AB1')
let hidden: number
let open: number

beforeAll(async () => {
  await createModel(api)
  const node = (parentPath: string, tid: string, value: string) => ({
    parentPath,
    tid,
    name: { itm: [{ value, loc: 'en_GB' }] },
  })
  const nodes = { node: [node('/Standard', 'Attic', 'Secret room'), node('/Standard/Attic', 'Shelf', 'Open shelf')] }
  const stored = await api.post(`${pim}/nodes/persist`, { schemaVersion, nodes }, { token: api.adminToken })
  expect(stored.text).not.toContain('ERROR')
  for (const [role, grants] of Object.entries(roles)) {
    const options = { method: 'PUT', token: api.adminToken } as const
    const reply = await api.post(`/api/v1/identity/roles/${role}`, { grants }, options)
    expect(reply.status, reply.text).toBe(200)
    tokens.set(role, await api.tokenFor({ name: role, roles: [role] }))
  }
  const many = Array.from({ length: 40 }, (_, i) => word(i)).join(' ')
  const german = { attr: 'caption', itm: [{ value: 'Geheimrat', loc: 'de_DE' }] }
  const made = await products.persist(
    jacket('P-SECRET', { ...boots, ...vals(code, simple('material', many)) }),
    jacket('P-SECRET2', { ...boots, ...vals(code, simple('material', many)) }),
    jacket('P-OPEN', vals(simple('material', 'zetaopen kryptonite'), german)),
  )
  expect(made.map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
  hidden = made[0]!.id
  open = made[2]!.id
  await wait('PRODUCT', ...made.map(({ id }) => id))
})

test('an object that was moved away is not returned, even before the index follows', async () => {
  const [made] = await products.persist(jacket('P-MOVED', vals(simple('material', 'felt'))))
  await wait('PRODUCT', made!.id)
  const command = (name: string) => call('/index', { index: 'PRODUCT', command: name }, { token: api.adminToken })
  await command('DISABLE_INCREMENTAL_UPDATES')
  try {
    await products.persist(jacket('P-MOVED', { ...boots, name: 'Moved', ...vals(code, simple('material', 'canary')) }))
    const shown = await find('PRODUCT', fullText('felt'), { resultAttributes: ['name', 'material'] }, as('narrow'))
    expect(shown.items ?? []).toEqual([])
    expect(await found('PRODUCT', fullText('felt'), {}, as('whole'), 'material')).toEqual(['canary'])
  } finally {
    await command('ENABLE_INCREMENTAL_UPDATES')
  }
})

test('waiting for a document that the caller may not read is the same as for one that does not exist', async () => {
  const waited = async (id: number, more = {}) => {
    const body = { index: 'PRODUCT', documents: [id], maxWait: 60_000, ...more }
    const { status, json } = await api.post(`${search}/documents/wait`, body, as('narrow'))
    return [status, json?.message?.replace(String(id), 'ID')]
  }
  expect((await waited(open))[0]).toBe(200)
  const unknown = await waited(999_999_999)
  expect(unknown[0]).toBe(404)
  expect(await waited(hidden)).toEqual(unknown)
  expect(await waited(hidden, { modifiedAt: 1 })).toEqual(unknown)
})

describe('a search configuration', () => {
  beforeAll(async () => {
    const put = (identifier: string, body: object) =>
      api.post(`${search}/configurations/${identifier}`, body, { method: 'PUT', token: api.adminToken })
    const lists = {
      resultAttributes: ['tid', 'material'],
      aggregationAttributes: ['material', 'itemType'],
      sortOptions: [{ attribute: 'material' }, { attribute: 'tid' }],
    }
    expect((await put('lists', { index: 'PRODUCT', ...lists })).status).toBe(200)
    const filter = field('material', 'EQ', 'secret cloth')
    expect((await put('filtered', { index: 'PRODUCT', filter })).status).toBe(200)
    const nodes = field('classificationPath', 'EQ', '/Standard/Boots')
    expect((await put('boots', { index: 'PRODUCT', filter: nodes })).status).toBe(200)
  })
  const listed = async (role: string) =>
    JSON.stringify((await api.get(`${search}/configurations`, as(role))).json.configurations)
  const run = (configIdentifier: string) => ({
    context: { searchType: 'CONFIG', configIdentifier },
    aggregationEnabled: true,
  })

  test('is listed without fields that the caller may not see, and without its filter', async () => {
    expect(await listed('whole')).toMatch(/material.*secret cloth|secret cloth.*material/)
    expect(await listed('buyer')).toContain('itemType')
    expect(await listed('buyer')).not.toMatch(/material|secret cloth/)
    expect(await listed('whole')).toContain('/Standard/Boots')
    expect(await listed('narrow')).not.toContain('/Standard/Boots')
  })

  test('is applied without fields that the caller may not see', async () => {
    const result = await call('', run('lists'), as('buyer'))
    expect(result.totalHitCount).toBeGreaterThan(0)
    expect(JSON.stringify(result)).not.toMatch(/material|zeta|kryptonite/)
  })

  test('with a filter on a hidden field is refused without its name', async () => {
    const [status, message] = await refused(run('filtered'), as('buyer'))
    expect([status, message]).toEqual([400, expect.stringContaining('/search/context: your roles do not let you see')])
    expect(message).not.toContain('material')
  })
})

test('a facet does not label a node above those that the caller may read', async () => {
  const [made] = await products.persist(jacket('P-DEEP', { node: '/Standard/Attic/Shelf' }))
  await wait('PRODUCT', made!.id)
  const facets = { aggregationEnabled: true, aggregationAttributes: ['classificationPath'] }
  const labels = async (role: string) => JSON.stringify((await find('PRODUCT', undefined, facets, as(role))).facets)
  expect(await labels('whole')).toMatch(/Secret room.*Open shelf/)
  expect(await labels('deep')).toMatch(/"label":"Attic".*Open shelf/)
  expect(await labels('deep')).not.toContain('Secret room')
})

test('the states of indexes count no documents for a caller who may not read all of them', async () => {
  const stateOf = async (role: string) => {
    const states = (await api.get(`${search}/index/state`, as(role))).json as { index: string; indexingState: object }[]
    return states.find(({ index }) => index === 'PRODUCT')!.indexingState
  }
  expect(await stateOf('whole')).toMatchObject({ totalDocuments: expect.any(Number) })
  expect(await stateOf('narrow')).toEqual({ state: expect.any(String), lag: expect.any(Number) })
})

describe('suggestions', () => {
  const typed = async (text: string, role: string) =>
    JSON.stringify(await call('/type-ahead', { index: 'PRODUCT', text }, as(role)))

  test('are complete, however many more frequent words the caller may not see', async () => {
    expect(await typed('zeta', 'narrow')).toContain('zetaopen')
    expect(await typed('zeta', 'narrow')).not.toContain(word(1))
  })

  test('and corrections contain no word of a hidden object, attribute or locale', async () => {
    const corrected = async (text: string, role: string) =>
      JSON.stringify([
        await find('PRODUCT', fullText(text), {}, as(role)),
        await find('GLOBAL', fullText(text), {}, as(role)),
        await typed(text, role),
      ])
    expect(await corrected('kryptonit', 'whole')).toContain('kryptonite')
    expect(await corrected('kriptonite', 'whole')).toContain('kryptonite')
    expect(await corrected('kriptonite', 'buyer')).not.toContain('kryptonite')
    expect((await corrected('geheimrta', 'whole')).toLowerCase()).toContain('geheimrat')
    expect((await corrected('geheimrta', 'foreign')).toLowerCase()).not.toContain('geheimrat')
    expect(await corrected(`${word(1)}y`, 'whole')).toContain(`"${word(1)}"`)
    expect(await corrected(`${word(1)}y`, 'narrow')).not.toContain(`"${word(1)}"`)
  })
})

test('a typing error is forgiven in a search of everything, alone and with filters', async () => {
  const both = [fullText('kriptonite'), field('itemType', 'IS_NOT_EMPTY')]
  for (const query of [both[0]!, { queryType: 'COMBINED', operator: 'AND', queries: both }]) {
    const found = await find('GLOBAL', query, {}, as('whole'))
    expect(found.suggest).toEqual(['kryptonite'])
    expect(found.totalHitCount).toBeGreaterThan(0)
    expect(found.items).toHaveLength(found.totalHitCount)
  }
})

test('completeness in a hidden locale is neither compared, counted nor sorted by', async () => {
  const context = { searchType: 'INDEX', index: 'PRODUCT' }
  const inGerman = { language: 'de_DE' }
  const query = field('completeness', 'IS_NOT_EMPTY')
  expect(await found('PRODUCT', query, inGerman, as('whole'))).toContain('P-OPEN')
  expect(await found('PRODUCT', query, inGerman, as('foreign'))).toEqual([])
  const counted = { ...inGerman, aggregationEnabled: true, aggregationAttributes: ['completeness'] }
  const { facets } = await find('PRODUCT', undefined, counted, as('foreign'))
  expect(facets[0].facets.map(({ count }: { count: number }) => count)).toEqual([0, 0, 0, 0, 0])
  const sorted = { context, ...inGerman, sortOptions: [{ attribute: 'completeness' }] }
  expect(await refused(sorted, as('foreign'))).toEqual([400, expect.stringContaining('see completeness of some')])
})

test('a process names its objects to callers who may read every object only', async () => {
  const attributes = { a: 'name="Inspect" kontor:candidateRoles="narrow,whole"' }
  const config = await flow.define(
    'F.WorkflowConfig.Inspection',
    bpmn('start > a:user > end', '', {}, '', attributes, 's'),
    {
      linkedTypes: ['product'],
    },
  )
  const id = await flow.startOne(config, { linkedObjects: [{ type: 'product', tid: 'P-SECRET' }] })
  await wait('FS_TABLE_WFL', id)
  const objects = { resultAttributes: ['id', 'objects'], aggregationEnabled: true, aggregationAttributes: ['objects'] }
  expect(JSON.stringify(await find('FS_TABLE_WFL', undefined, objects, as('whole')))).toContain('P-SECRET')
  const shown = await find('FS_TABLE_WFL', undefined, objects, as('narrow'))
  expect(shown.totalHitCount).toBe(1)
  expect(JSON.stringify(shown)).not.toContain('P-SECRET')
  for (const query of [field('objects', 'EQ', 'P-SECRET'), fullText('P-SECRET')]) {
    expect(await found('FS_TABLE_WFL', query, {}, as('whole'), 'id')).toEqual([id])
    expect(await found('FS_TABLE_WFL', query, {}, as('narrow'), 'id')).toEqual([])
  }
  const typed = await call('/type-ahead', { index: 'FS_TABLE_WFL', name: 'objects', text: 'P-S' }, as('narrow'))
  expect(JSON.stringify(typed).toLowerCase()).not.toContain('secret')
})

test('history and stored searches of others are not found, and their ids tell nothing', async () => {
  const { added } = await call('/history', { text: 'a secret plan' }, as('whole'))
  const { position } = await readEvents(api)
  await call('/history', { text: 'another secret plan' }, as('whole'))
  await products.persist(jacket('P-LATER'))
  const types = async (token: string) =>
    (await readEvents<{ type: string }>(api, `after=${position}`, token)).events.map(({ type }) => type)
  expect(await types(tokens.get('narrow')!)).toContain('kontor.product.created')
  expect(await types(tokens.get('narrow')!)).not.toContain('kontor.searchHistory.updated')
  expect(await types(api.adminToken)).toContain('kontor.searchHistory.updated')
  const waited = (id: number) =>
    api.post(`${search}/documents/wait`, { index: 'HISTORY', documents: [id] }, as('narrow'))
  expect((await waited(added.id)).status).toBe(404)

  const searchObject = { context: { searchType: 'INDEX', index: 'PRODUCT' }, query: fullText('secret') }
  const stored = await api.post(`${search}/storedsearch`, { name: 'Secret', searchObject }, as('whole'))
  const id = stored.json.id as number
  for (const method of ['GET', 'DELETE'] as const) {
    expect((await api.get(`${search}/storedsearch/${id}`, { ...as('narrow'), method })).status, method).toBe(404)
  }
  expect((await api.get(`${search}/storedsearch`, as('narrow'))).text).not.toContain('Secret')
  expect((await api.get(`${search}/storedsearch/${id}`, as('whole'))).status).toBe(200)
})
