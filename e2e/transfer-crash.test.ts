/** The server is killed (kill -9) during an import. The next process continues it, and stores each row exactly once. */
import { createClient, passwordTokens } from '@kontor/sdk'
import { afterAll, expect, test, vi } from 'vitest'
import { createDatabase } from '../server/test/database.ts'
import { connect } from '../server/src/adapters/postgres/db.ts'
import { sql } from '../server/src/adapters/postgres/sql.ts'
import { dataFolder, removeFolder, startKontor } from './kontor.ts'

const folder = dataFolder()
afterAll(() => removeFolder(folder))
const rows = 12_000
const password = 'a quiet heron by the weir'

test('an import continues after kill -9, and no row is lost or stored twice', async () => {
  const { poolConfig, drop } = await createDatabase()
  const env = {
    KONTOR_DATA: folder,
    DATABASE_URL: poolConfig.connectionString,
    KONTOR_ADMIN_PASSWORD: password,
    KONTOR_ROLES: 'api,worker',
  }
  const clientOf = (baseUrl: string) =>
    createClient({ baseUrl, tokens: passwordTokens({ baseUrl }, 'admin', password) })
  let kontor = await startKontor(env)
  let client = clientOf(kontor.url)
  await client.pim.classes.persist([{ tid: 'Std', name: { itm: [{ value: 'Std', loc: 'en_GB' }] } }])
  const lines = Array.from({ length: rows }, (_, i) => `K${i},Kayak ${i},/Std`)
  const file = new File([`tid,name,node\n${lines.join('\n')}\n`], 'kayaks.csv')
  const { id } = await client.transfers.send(file)
  const params = { id: id! }
  await client.transfers.controlTransfer({ params: { ...params, command: 'start' } })
  for (let kills = 0; kills < 3; kills++) {
    await vi.waitUntil(
      async () => {
        const { processed = 0, state } = await client.transfers.getTransfer({ params })
        return Number(processed) > (kills * rows) / 5 || state !== 'running'
      },
      { timeout: 60_000, interval: 10 },
    )
    await kontor.end('SIGKILL')
    kontor = await startKontor(env)
    client = clientOf(kontor.url)
  }
  const done = await client.transfers.watch(id!)
  expect(done).toMatchObject({ state: 'finished', processed: rows, created: rows, updated: 0, refused: 0 })
  const db = connect(poolConfig)
  const counts = await db.row(sql`
    select (select count(*) from product) as products,
      (select count(*) from history where data_type = 'product' and action = 'create') as created,
      (select count(*) from outbox where data_type = 'product') as announced`)
  expect(counts).toEqual({ products: rows, created: rows, announced: rows })
  await db.close()
  await kontor.end('SIGTERM')
  await drop()
})
