/** Whole catalogues as suppliers send them, made to the public specification, in a system without any model. */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { withServer } from '../../../test/server.ts'
import { transferCalls } from '../../../test/transfers.ts'

const api = withServer()
const { run } = transferCalls(api)
const sample = (name: string) => readFileSync(new URL(`../../../test/layouts/${name}`, import.meta.url))

beforeAll(async () => {
  api.token = api.adminToken // may create the model
  await api.startWorker()
})

const valuesOf = async (tid: string): Promise<Record<string, string[]>> => {
  const { json } = await api.post('/api/core/v1/pim/products/retrieve', { tids: [tid] })
  const [{ name, node, vals }] = json.products.product
  const values = vals.val.map(({ attr, itm }: { attr: string; itm: { value: string }[] }) => [attr, itm.map(({ value }) => value)]) // prettier-ignore
  return { name: [name], node: [node], ...Object.fromEntries(values) }
}

test('a catalogue of BMEcat 1.2 in ISO-8859-1 becomes products with features, prices by quantity and a category', async () => {
  const done = await run(sample('bmecat-1.2.xml'), 'name=catalogue.xml&createModel=true')
  expect(done, done.problem).toMatchObject({ layout: 'bmecat', refused: 0, objects: { created: 2 } })
  expect(await valuesOf('TS-100')).toMatchObject({
    name: ['Einsteckschloss für Zimmertüren'],
    INTERNATIONAL_PID: ['4006381333931'],
    MANUFACTURER_PID: ['M-100'],
    KEYWORD: ['Schloss', 'Tür'],
    Dornmass: ['55'],
    Dornmass_UNIT: ['MMT'],
    Farbe: ['weiß'],
    REFERENCE_FEATURE_GROUP_ID_ECLASS: ['23300601'],
    PRICE_net_list_DE: ['18.9'],
    PRICE_net_list_50_DE: ['16.5'],
    PRODUCT_REFERENCE_accessories: ['TS-200'],
  })
  expect((await valuesOf('TS-200')).node).toEqual((await valuesOf('TS-100')).node)
  const again = await run(sample('bmecat-1.2.xml'), 'name=catalogue.xml')
  expect(again).toMatchObject({ refused: 0, objects: { created: 0, updated: 0, unchanged: 2 } })
})
