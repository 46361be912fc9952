import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Infer, Product } from '@kontor/contract'
import { withServer } from '../../server/test/server.ts'
import { readCsv } from '../../server/src/transfers/read/csv.ts'
import { toXlsx } from '../../server/src/transfers/write/tables.ts'
import { runCli, temporaryFolder } from '../test/run-cli.ts'

const api = withServer()
const samples = fileURLToPath(new URL('../../server/test/layouts/', import.meta.url))
const envOf = (url: string) => ({ KONTOR_CLI_HOME: temporaryFolder(), KONTOR_URL: url, KONTOR_TOKEN: api.adminToken })

type Found = Infer<typeof Product>
const products = async (...tids: string[]): Promise<Found[]> =>
  (await api.post('/api/core/v1/pim/products/retrieve', { tids }, { token: api.adminToken })).json.products.product
const values = ({ vals }: Pick<Found, 'vals'>) =>
  Object.fromEntries((vals?.val ?? []).filter((one) => one.inheritance !== 'inherited').map(({ attr, itm = [] }) => [attr, itm.map(({ value, key, loc }) => `${loc === undefined ? '' : `${loc} `}${key ?? value}`)])) // prettier-ignore

test('an export of Akeneo becomes the model, the products and their files, and a second run changes nothing', async () => {
  const worker = await api.startWorker()
  const env = envOf(await api.listen())
  const folder = temporaryFolder()
  cpSync(join(samples, 'akeneo'), folder, { recursive: true })
  // one file as a workbook, one more as JSON, and one that Kontor does not need
  const { headings, rows } = await readCsv(Readable.from([readFileSync(join(folder, 'families.csv'))]))
  const cells = async function* () {
    for await (const row of rows) if ('cells' in row) yield row.cells
  }
  writeFileSync(join(folder, 'families.xlsx'), await buffer(toXlsx(headings!, cells())))
  rmSync(join(folder, 'families.csv'))
  cpSync(join(samples, 'akeneo-products.json'), join(folder, 'products_2.json'))
  writeFileSync(join(folder, 'channels.csv'), 'code;label-en_US\necommerce;Shop\n')

  const first = await runCli(['migrate', 'akeneo', folder], env)
  expect([first.code, first.stdout.trim().split('\n')]).toEqual([
    0,
    [
      'files: 1 created, 0 unchanged, 0 refused',
      'attributes.csv: 11 created, 0 updated, 0 refused',
      'attribute_groups.csv: 2 created, 0 updated, 0 refused',
      'attribute_options.csv: 0 created, 3 updated, 0 refused (6 rows)',
      'categories.csv: 4 created, 0 updated, 0 refused',
      'families.xlsx: 1 created, 0 updated, 0 refused',
      'product_models.csv: 1 created, 0 updated, 0 refused (2 rows)',
      'products.csv: 1 created, 1 updated, 0 refused (3 rows)',
      'products_2.json: 2 created, 0 updated, 0 refused',
      'channels.csv: not imported; Kontor has no such objects',
    ],
  ])
  const [jacket, scarf, beanie] = await products('AK-JACKET', 'AK-SCARF', 'AK-BEANIE')
  expect(jacket).toMatchObject({ name: 'Harbour Jacket', node: '/master/clothing/jackets' })
  expect(values(jacket!)).toMatchObject({
    name: ['de_DE Hafenjacke', 'en_US Harbour Jacket'],
    description: ['de_DE Warm und wasserdicht.', 'en_US Warm and waterproof.'],
    description_print: ['en_US A warm jacket.'],
    materials: ['wool', 'cotton'],
    categories: ['jackets', 'sale'],
  })
  const [navy] = jacket!.articles!.article!
  expect([navy!.tid, values(navy!).color]).toEqual(['AK-JACKET-NAVY', ['navy']])
  const [small] = navy!.variants!.variant!
  expect(values(small!)).toMatchObject({ price_EUR: ['129'], price_USD: ['139'], weight: ['0.82 kg'], size: ['s'], waterproof: ['true'] }) // prettier-ignore
  expect(JSON.stringify(small!.links)).toContain('assetTid')
  expect(scarf).toMatchObject({ node: '/master/clothing' })
  expect(values(scarf!)).toMatchObject({ enabled: ['false'], groups: ['winter', 'promo'], X_SELL_products: ['AK-JACKET-NAVY-S', 'AK-JACKET-NAVY-M'] }) // prettier-ignore
  expect(values(beanie!)).toMatchObject({ name: ['de_DE Mütze, "warm" {1}', 'en_US Beanie'], materials: ['wool', 'cotton'], price_EUR: ['19.9'] }) // prettier-ignore

  const { json } = await api.post('/api/core/v1/pim/attribute-groups/retrieve', {})
  const groups = json.attrGroups.attrGroup.map(({ tid, references }: { tid: string; references: { itm: { value: string }[] } }) => [tid, ...references.itm.map(({ value }) => value)]) // prettier-ignore
  expect(groups).toEqual([['marketing', 'name', 'description'], ['technical', 'weight', 'waterproof']]) // prettier-ignore

  const second = await runCli(['migrate', 'akeneo', folder], env)
  expect(second.code).toBe(0)
  for (const line of second.stdout.trim().split('\n').slice(0, -1)) expect(line).toMatch(/: 0 created, (0 updated, )?\d+ unchanged, 0 refused/) // prettier-ignore
  await worker.stop()
})

test('a folder without exports is refused', async () => {
  const { code, stderr } = await runCli(['migrate', 'akeneo', temporaryFolder()])
  expect([code, stderr]).toEqual([2, expect.stringContaining('expected files such as attributes.csv')])
})
