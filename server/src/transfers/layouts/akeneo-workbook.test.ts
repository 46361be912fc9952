/** An export of Akeneo as a workbook, with the parts and cells that its writer makes: all texts inline, no empty cells. */
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { ZipFile } from 'yazl'
import { withServer } from '../../../test/server.ts'
import { transferCalls } from '../../../test/transfers.ts'
import { readCsv } from '../read/csv.ts'
import { createGauge, type Source } from '../read/source.ts'
import { readXlsx } from '../read/xlsx.ts'
import { openZip } from '../read/zip.ts'

const api = withServer()
const { run } = transferCalls(api)
const at = (name: string) => new URL(`../../../test/layouts/${name}`, import.meta.url)
const sample = (name: string) => readFileSync(at(name))

interface Valued {
  readonly vals?: { readonly val: readonly { attr: string; itm: readonly { value: string; loc?: string }[] }[] }
}
const values = ({ vals }: Valued) =>
  Object.fromEntries((vals?.val ?? []).map(({ attr, itm }) => [attr, itm.map(({ value, loc }) => (loc === undefined ? value : `${loc} ${value}`))])) // prettier-ignore
const product = async (tid: string) =>
  (await api.post('/api/core/v1/pim/products/retrieve', { tids: [tid] })).json.products.product[0]

// So the workbook need not be opened in a review.
test('the workbook has the cells of the table', async () => {
  const cellsOf = async ({ headings, rows }: Source) =>
    (await Readable.from(rows).toArray()).map(({ cells }: { cells: string[] }) => headings!.map((heading, i) => [heading, cells[i] ?? ''])) // prettier-ignore
  const zip = await openZip(fileURLToPath(at('akeneo.xlsx')))
  onTestFinished(() => zip.close())
  const table = await readCsv(Readable.from([sample('akeneo/products.csv')]))
  expect(await cellsOf(await readXlsx(zip, createGauge()))).toEqual(await cellsOf(table))
})

test('a workbook of Akeneo becomes products and variations with amounts, texts by language, associations and files', async () => {
  api.token = api.adminToken // may create the model
  await api.startWorker()
  for (const name of ['attributes', 'attribute_options', 'categories', 'families', 'product_models']) {
    const done = await run(sample(`akeneo/${name}.csv`), `name=${name}.csv&createModel=true`)
    expect(done, `${name} ${done.problem}`).toMatchObject({ layout: 'akeneo', refused: 0 })
  }
  const picture = 'files/fj-1/navy.jpg'
  const zip = new ZipFile()
  zip.addBuffer(sample('akeneo.xlsx'), 'export_products.xlsx')
  zip.addBuffer(sample(`akeneo/${picture}`), picture)
  zip.end()
  const bytes = await buffer(zip.outputStream)
  const done = await run(bytes, 'name=export.zip&createModel=true')
  expect(done, done.problem).toMatchObject({ layout: 'akeneo', total: 3, refused: 0, objects: { created: 1, updated: 1 } }) // prettier-ignore

  const [navy] = (await product('AK-JACKET')).articles.article
  const [small, medium] = navy.variants.variant
  expect([small.tid, medium.tid]).toEqual(['AK-JACKET-NAVY-S', 'AK-JACKET-NAVY-M'])
  expect(values(small)).toMatchObject({ weight: ['0.82 kg'], price_EUR: ['129'], price_USD: ['139'], size: ['S'], waterproof: ['true'] }) // prettier-ignore
  expect([JSON.stringify(small.links), medium.links]).toEqual([expect.stringContaining('assetTid'), undefined])
  const scarf = await product('AK-SCARF')
  expect(scarf.node).toBe('/master/clothing')
  expect(values(scarf)).toMatchObject({
    name: ['de_DE Schal', 'en_US Scarf'],
    description: ['en_US A scarf, hand-made.'],
    description_print: ['en_US Scarf.'],
    color: ['Rot'],
    enabled: ['false'],
    groups: ['winter', 'promo'],
    release_date: [expect.stringMatching(/^2026-10-01/)],
    X_SELL_products: ['AK-JACKET-NAVY-S', 'AK-JACKET-NAVY-M'],
  })
  const again = await run(bytes, 'name=export.zip')
  expect(again).toMatchObject({ refused: 0, objects: { created: 0, updated: 0, unchanged: 2 } })
})
