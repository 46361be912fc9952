/** The server is killed (kill -9) while a rule changes products. The next process continues, and changes each product once. */
import { createClient, passwordTokens } from '@kontor/sdk'
import { afterAll, expect, test, vi } from 'vitest'
import { createDatabase } from '../server/test/database.ts'
import { connect } from '../server/src/adapters/postgres/db.ts'
import { sql } from '../server/src/adapters/postgres/sql.ts'
import { dataFolder, removeFolder, startKontor } from './kontor.ts'

const folder = dataFolder()
afterAll(() => removeFolder(folder))
const count = 3000
const password = 'a quiet heron by the weir'
const named = (value: string) => ({ name: { itm: [{ value, loc: 'en_GB' }] } })

test('a rule continues after kill -9, and no product is left out or changed twice', async () => {
  const { poolConfig, drop } = await createDatabase()
  const env = { KONTOR_DATA: folder, DATABASE_URL: poolConfig.connectionString, KONTOR_ADMIN_PASSWORD: password }
  const clientOf = (baseUrl: string) =>
    createClient({ baseUrl, tokens: passwordTokens({ baseUrl }, 'admin', password) })
  let kontor = await startKontor(env)
  let client = clientOf(kontor.url)
  await client.pim.classes.persist([{ tid: 'Std', ...named('Std') }])
  await client.pim['attribute-definitions'].persist([{ tid: 'title', type: 'text', ...named('Title') }])
  const products = Array.from({ length: count }, (_, i) => ({ tid: `K${i}`, name: `Kayak ${i}`, node: '/Std' }))
  for (let at = 0; at < count; at += 1000) await client.pim.products.persist(products.slice(at, at + 1000))
  const condition = { queryType: 'FIELD', name: 'classificationPath', comparator: 'EQ', value: '/Std' } as const
  const operations = [{ type: 'concatenate' as const, attribute: 'title', template: 'The {$name}' }]
  const params = { name: 'titles' }
  await client.rules.putRule({ params, body: { condition, operations } })
  const search = { context: { searchType: 'INDEX', index: 'PRODUCT' }, query: condition } as const
  const found = async () => (await client.search.search({ body: search })).totalHitCount
  await vi.waitUntil(async () => (await found()) === count, { timeout: 60_000, interval: 100 })
  const { id } = await client.rules.runRule({ params })
  const run = async () => client.changes.getChange({ params: { id: id! } })
  for (let kills = 0; kills < 3; kills++) {
    await vi.waitUntil(
      async () => {
        const { processed = 0, state } = await run()
        return Number(processed) > (kills * count) / 5 || state === 'finished'
      },
      { timeout: 60_000, interval: 10 },
    )
    await kontor.end('SIGKILL')
    kontor = await startKontor(env)
    client = clientOf(kontor.url)
  }
  await vi.waitUntil(async () => (await run()).state === 'finished', { timeout: 60_000, interval: 100 })
  expect(await run()).toMatchObject({ changed: count })
  const db = connect(poolConfig)
  const counts = await db.row(sql`
    select count(*) filter (where vals->>'title' = 'The ' || name) as titled,
      (select count(*) from history where data_type = 'product' and changes ? 'vals.title') as changes
    from product`)
  expect(counts).toEqual({ titled: count, changes: count })
  await db.close()
  await kontor.end('SIGTERM')
  await drop()
})
