import { beforeAll, expect, test } from 'vitest'
import { createModel, jacket, pim, productCalls, simple, vals } from '../../../test/catalogue.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const { persist, retrieve } = productCalls(api)
beforeAll(async () => {
  await createModel(api)
  const article = [{ tid: 'A', name: 'article', variants: { variant: [{ tid: 'V', name: 'variation' }] } }]
  await persist(jacket('P', { ...vals(simple('material', 'wool')), articles: { article } }))
})

test('get-by-ids returns items by type and tid or by plain tid, and a state for each', async () => {
  const reply = await api.post(`${pim}/data-items/get-by-ids`, { identities: ['product:P', 'V', 'article:nobody'] })
  expect(reply.status).toBe(200)
  expect(reply.json.results.map(({ tID, informationType }: Record<string, string>) => [informationType, tID])).toEqual([
    ['Product', 'P'],
    ['Variation', 'V'],
  ])
  expect(reply.json.states.map(({ status }: { status: string }) => status)).toEqual(['ok', 'ok', 'notFound'])
})

test('get-by-ids marks inherited values', async () => {
  const reply = await api.post(`${pim}/data-items/get-by-ids`, { identities: ['variation:V'] })
  expect(reply.json.results[0].values).toContainEqual(
    expect.objectContaining({ key: 'material', inheritance: true, origin: 'product' }),
  )
})

test('values are listed by group, and those of chosen groups can be asked for', async () => {
  const grouped = (tid: string, ...attributes: string[]) => ({
    tid,
    name: { itm: [{ value: tid, loc: 'en_GB' }] },
    references: { itm: attributes.map((value) => ({ value })) },
  })
  const attrGroup = [grouped('first', 'weight', 'color'), grouped('second', 'material')]
  await api.post(`${pim}/attribute-groups/persist`, { schemaVersion: '5.6.0', attrGroups: { attrGroup } })
  await persist(jacket('G', vals(simple('code', 'AB1'), simple('material', 'wool'), simple('color', 'red'), simple('weight', '3')))) // prettier-ignore
  const ask = (more: object) => api.post(`${pim}/data-items/get-by-ids`, { identities: ['product:G'], ...more })
  const listed = async (more: object = {}) =>
    (await ask(more)).json.results[0].values.map(({ key, group }: { key: string; group?: string }) => [group, key])
  expect(await listed()).toEqual([
    ['first', 'weight'],
    ['first', 'color'],
    ['second', 'material'],
    [undefined, 'code'],
  ])
  expect(await listed({ groups: ['second'] })).toEqual([['second', 'material']])
  const unknown = await ask({ groups: ['none'] })
  expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining('no group of attributes has the tid none')]) // prettier-ignore
})

test('tree returns an item with the items above and below it', async () => {
  const reply = await api.post(`${pim}/data-items/A/tree`)
  expect(reply.json.results[0]).toMatchObject({
    tID: 'P',
    children: [{ tID: 'A', children: [{ tID: 'V' }] }],
  })
})

test.each([
  ['no identity', '/get-by-ids', { identities: [] }, 400],
  ['an unknown field', '/get-by-ids', { ids: ['P'] }, 400],
  ['an item that does not exist', '/nobody/tree', undefined, 404],
])('%s is refused', async (_what, path, body, status) => {
  expect((await api.post(`${pim}/data-items${path}`, body)).status).toBe(status)
  expect((await api.post(`${pim}/data-items${path}`, body, { token: null })).status).toBe(401)
})

test('PATCH changes values of items at every level; a refusal is reported for its item', async () => {
  const list = [
    { tID: 'V', informationType: 'Variation', values: [{ key: 'weight', items: [{ value: '7' }] }] },
    { tID: 'P', values: [{ key: 'weight', items: [{ value: 'heavy' }] }] },
    { tID: 'nobody', values: [] },
  ]
  const reply = await api.post(`${pim}/data-items`, list, { method: 'PATCH' })
  expect(reply.json.results.map(({ status }: { status: string }) => status)).toEqual(['SUCCESS', 'ERROR', 'ERROR'])
  const [product] = await retrieve('P')
  expect(product.articles.article[0].variants.variant[0].vals.val).toContainEqual({
    attr: 'weight',
    dataType: 'number',
    itm: [{ value: '7' }],
  })
})
