import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, jacket, meta, pim, productCalls, schemaVersion, simple, vals } from '../../../test/catalogue.ts'
import { changesBy } from '../../../test/common.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const { persist, retrieve, perform } = productCalls(api)
beforeAll(() => createModel(api))
const statuses = (records: { status: string }[]) => records.map(({ status }) => status)
const link = async (from: string, to: string, type = 'Accessory') => {
  const itm = [
    { key: 'sourceProductTid', value: from },
    { key: 'targetProductTid', value: to },
  ]
  const links = { itms: [{ type: 'productToProduct', itms: [{ type, itm }] }] }
  return (await api.post(`${pim}/products/links/persist`, { schemaVersion, links })).json.responses.response
}

describe('copy', () => {
  test('copies articles, variations, values and links under the same node', async () => {
    const article = [{ name: 'a', variants: { variant: [{ name: 'v', ...vals(simple('material', 'wool')) }] } }]
    await persist(jacket('Src', { ...vals(simple('weight', '5')), articles: { article } }), jacket('Friend'))
    await link('Src', 'Friend')
    const [record] = await perform({
      type: 'copy',
      tid: 'Src',
      ...meta({ newProductName: 'Copy', newProductTid: 'Cpy' }),
    })
    expect(record).toMatchObject({ action: 'copy', status: 'SUCCESS', tid: 'Cpy', dataType: 'product' })
    const [copy] = await retrieve('Cpy')
    expect(copy).toMatchObject({ name: 'Copy', node: '/Standard/Jackets', vals: { val: [{ attr: 'weight' }] } })
    expect(copy.articles.article[0].variants.variant[0]).toMatchObject({
      name: 'v',
      vals: { val: [{ attr: 'material' }, {}] },
    })
    expect(JSON.stringify(copy.links)).toContain('Friend')
    expect(copy.articles.article[0].tid).not.toBe((await retrieve('Src'))[0].articles.article[0].tid)
  })

  test('is refused without a name, with a taken name or tid, and for an unknown product', async () => {
    await persist(jacket('C1'), jacket('C2'))
    const records = await perform(
      { type: 'copy', tid: 'C1' },
      { type: 'copy', tid: 'C1', ...meta({ newProductName: 'Jacket C2' }) },
      { type: 'copy', tid: 'C1', ...meta({ newProductName: 'Fresh', newProductTid: 'C2' }) },
      { type: 'copy', tid: 'nobody', ...meta({ newProductName: 'x' }) },
      { type: 'copy', ...meta({ newProductName: 'x' }) },
    )
    expect(statuses(records)).toEqual(['ERROR', 'ERROR', 'ERROR', 'ERROR', 'ERROR'])
    expect(records[0].description).toBe('meta newProductName is missing')
  })
})

describe('delete', () => {
  test('deletes the product with its articles and variations, by tid or id, once', async () => {
    const [{ id }] = (await persist(jacket('D1'), jacket('D2'))) as unknown as [{ id: number }]
    const records = await perform({ type: 'delete', id }, { type: 'delete', tid: 'D2' }, { type: 'delete', tid: 'D2' })
    expect(statuses(records)).toEqual(['SUCCESS', 'SUCCESS', 'ERROR'])
    expect((await api.post(`${pim}/products/retrieve`, { tids: ['D1', 'D2'] })).status).toBe(404)
  })

  test('of a product in use is refused without force', async () => {
    await persist(jacket('U1'), jacket('U2'))
    await link('U1', 'U2')
    const [refused] = await perform({ type: 'delete', tid: 'U2' })
    expect(refused.description).toMatch(/U2 is in use by product U1 \(productToProduct Accessory\)/)
    expect(statuses(await perform({ type: 'delete', tid: 'U2', ...meta({ force: 'true' }) }))).toEqual(['SUCCESS'])
    expect((await retrieve('U1'))[0].links).toBeUndefined()
  })

  test('with force is noted by its user in the history of each product that was linked to it', async () => {
    const [linker, doomed] = (await persist(jacket('H1'), jacket('H2'))) as unknown as { id: number }[]
    await link('H1', 'H2')
    const { history, outbox } = await changesBy(api, () =>
      perform({ type: 'delete', tid: 'H2', ...meta({ force: 'true' }) }),
    )
    const removed = { kind: 'productToProduct', type: 'Accessory', from: linker!.id, to: doomed!.id }
    const ofLinker = {
      id: linker!.id,
      dataType: 'product',
      action: 'unlink',
      user: 'kim',
      changes: { link: removed },
    }
    expect(history.filter(({ id }) => id === linker!.id)).toEqual([ofLinker])
    expect(outbox.filter(({ id }) => id === linker!.id)).toHaveLength(1)
  })
})

describe('links', () => {
  test('are in the product until unlink removes them', async () => {
    await persist(jacket('L1'), jacket('L2'))
    expect((await link('L1', 'L2'))[0]).toMatchObject({ status: 'SUCCESS', dataType: 'link' })
    expect(JSON.stringify((await retrieve('L1'))[0].links)).toContain('L2')
    const unlink = {
      dataType: 'productToProductLink',
      type: 'unlink',
      ...meta({ sourceProductTid: 'L1', targetProductTid: 'L2', linkType: 'Accessory' }),
    }
    const send = async () =>
      (await api.post(`${pim}/products/links/perform`, { schemaVersion, actions: { action: [unlink] } })).json.responses
        .response
    expect(statuses(await send())).toEqual(['SUCCESS'])
    expect(statuses(await send())).toEqual(['ERROR'])
    expect((await retrieve('L1'))[0].links).toBeUndefined()
  })

  test('between many products are all created, with one record each; unknown ends are refused alone', async () => {
    await persist(...['N1', 'N2', 'N3', 'N4'].map((tid) => jacket(tid)))
    const keys = (key: string, ...tids: string[]) => tids.map((value) => ({ key, value }))
    const itm = [...keys('sourceProductTid', 'N1', 'N2'), ...keys('targetProductTid', 'N3', 'N4', 'nobody')]
    const links = { itms: [{ type: 'productToProduct', itms: [{ type: 'Set', itm }] }] }
    const reply = await api.post(`${pim}/products/links/persist`, { schemaVersion, links })
    expect(statuses(reply.json.responses.response).toSorted()).toEqual([
      'ERROR',
      'ERROR',
      'SUCCESS',
      'SUCCESS',
      'SUCCESS',
      'SUCCESS',
    ])
  })

  test('of another kind are refused here', async () => {
    const links = { itms: [{ type: 'assetToProduct', itms: [{ itm: [] }] }] }
    const reply = await api.post(`${pim}/products/links/persist`, { schemaVersion, links })
    expect(reply.json.responses.response[0].description).toContain('expected productToProduct')
  })
})

test('bulk stores thousands of products, with a record for each', async () => {
  await api.startWorker()
  const product = Array.from({ length: 1500 }, (_, i) => jacket(`bulk-${i}`))
  const { text: id } = await api.post(`${pim}/products/bulk`, { schemaVersion, products: { product } })
  let reply = await api.get(`${pim}/products/bulk/${id}`)
  for (let i = 0; i < 200 && !reply.text.includes('"finished"'); i++) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    reply = await api.get(`${pim}/products/bulk/${id}`)
  }
  expect(statuses(reply.json.responses.response)).toEqual(Array.from({ length: 1500 }, () => 'SUCCESS'))
})
