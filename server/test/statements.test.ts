/** The numbers of statements with which the capacity model computes. They depend on neither the model nor the data. */
import { beforeAll, expect, test } from 'vitest'
import { statements } from '../../tools/capacity.ts'
import { createModel, pim, schemaVersion } from './catalogue.ts'
import { type Reply, withServer } from './server.ts'

const api = withServer()
const tids = Array.from({ length: 50 }, (_, i) => `P-${i}`)
const persist = (product: object[]) => api.post(`${pim}/products/persist`, { schemaVersion, products: { product } })
const retrieve = (some: readonly string[]) => api.post(`${pim}/products/retrieve`, { tids: some })
const change = (value: string) => persist([{ tid: 'P-0', vals: { val: [{ attr: 'material', itm: [{ value }] }] } }])

beforeAll(async () => {
  await createModel(api)
  await persist(tids.map((tid) => ({ tid, name: tid, node: '/Standard/Jackets' })))
})

/** Of the second call, because the first one may fill caches. */
async function sentBy(call: (n: number) => Promise<Reply>): Promise<number> {
  await call(1)
  const before = api.statements.length
  const { status, text } = await call(2)
  expect([status, text.includes('ERROR')]).toEqual([200, false])
  return api.statements.length - before
}

test('a call sends as many statements as the capacity model assumes', async () => {
  const found = {
    retrieve: await sentBy(() => retrieve(tids.slice(0, 1))),
    page: await sentBy(() => retrieve(tids)),
    change: await sentBy((n) => change(`Wool ${n}`)),
  }
  expect(statements).toEqual(found)
})
