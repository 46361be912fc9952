/**
 * The server is killed (kill -9) during an import. The next process continues it, and stores each row exactly once; the
 * command line waits for that.
 */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient, passwordTokens } from '@kontor/sdk'
import { afterAll, expect, test, vi } from 'vitest'
import { createDatabase } from '../server/test/database.ts'
import { connect } from '../server/src/adapters/postgres/db.ts'
import { sql } from '../server/src/adapters/postgres/sql.ts'
import { dataFolder, removeFolder, startKontor, tokenOf } from './kontor.ts'

const folder = dataFolder()
afterAll(() => removeFolder(folder))
const rows = 12_000
const password = 'a quiet heron by the weir'
const table = (prefix: string) =>
  ['tid,name,node', ...Array.from({ length: rows }, (_, i) => `${prefix}${i},Kayak ${prefix}${i},/Std`), ''].join('\n')

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
  const { id } = await client.transfers.send(new File([table('K')], 'kayaks.csv'))
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

test('an import of translations continues after kill -9: each text is stored once, and none is stale', async () => {
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
  const named = (value: string) => ({ name: { itm: [{ value, loc: 'en_GB' }] } })
  await client.pim.classes.persist([{ tid: 'Std', ...named('Std') }])
  await client.pim['attribute-definitions'].persist([{ tid: 'TITLE', type: 'text', localized: 'true', ...named('Title') }]) // prettier-ignore
  const texts = 4000
  const titles = (of: (i: number) => string, loc: string, more: object = {}) =>
    Array.from({ length: texts }, (_, i) => ({ tid: `K${i}`, ...more, ...('node' in more && { name: `Kayak ${i}` }), vals: { val: [{ attr: 'TITLE', itm: [{ value: of(i), loc }] }] } })) // prettier-ignore
  const store = async (products: ReturnType<typeof titles>) => {
    for (let from = 0; from < texts; from += 1000) await client.pim.products.persist(products.slice(from, from + 1000))
  }
  await store(titles((i) => `Kayak ${i}`, 'en_GB', { node: '/Std' }))
  await store(titles((i) => `Kajak ${i}`, 'de_DE'))
  await store(titles((i) => `New kayak ${i}`, 'en_GB')) // every German text is stale now
  const units = Array.from({ length: texts }, (_, i) => `<file id="product.K${i}"><unit id="p.TITLE"><segment state="final"><source>New kayak ${i}</source><target>Neuer Kajak ${i}</target></segment></unit></file>`) // prettier-ignore
  const xliff = `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en-GB" trgLang="de-DE">${units.join('')}</xliff>` // prettier-ignore
  const { id } = await client.transfers.send(new File([xliff], 'kayaks.xlf'))
  const params = { id: id! }
  await client.transfers.controlTransfer({ params: { ...params, command: 'start' } })
  for (let kills = 0; kills < 2; kills++) {
    await vi.waitUntil(
      async () => {
        const { processed = 0, state } = await client.transfers.getTransfer({ params })
        return Number(processed) > (kills * texts) / 4 || state !== 'running'
      },
      { timeout: 60_000, interval: 10 },
    )
    await kontor.end('SIGKILL')
    kontor = await startKontor(env)
    client = clientOf(kontor.url)
  }
  const done = await client.transfers.watch(id!)
  expect(done).toMatchObject({ state: 'finished', processed: texts, updated: texts, refused: 0 })
  const db = connect(poolConfig)
  const counts = await db.row(sql`
    select (select count(*) from product where vals -> 'TITLE' ->> 'de_DE' = 'Neuer Kajak ' || substr(tid, 2)) as stored,
      (select count(*) from history where changes ? 'vals.TITLE.de_DE' and changes #>> '{vals.TITLE.de_DE,to}' like 'Neuer%') as recorded,
      (select count(*) from stale_text) as stale`)
  expect(counts).toEqual({ stored: texts, recorded: texts, stale: 0 })
  await db.close()
  await kontor.end('SIGTERM')
  await drop()
})

test('kontor import outlives a restart of the server, and says which import it is', async () => {
  const { poolConfig, drop } = await createDatabase()
  const env = {
    KONTOR_DATA: folder,
    DATABASE_URL: poolConfig.connectionString,
    KONTOR_ADMIN_PASSWORD: password,
    KONTOR_ROLES: 'api,worker',
  }
  const kontor = await startKontor(env)
  const { url } = kontor
  const client = createClient({ baseUrl: url, tokens: passwordTokens({ baseUrl: url }, 'admin', password) })
  await client.pim.classes.persist([{ tid: 'Std', name: { itm: [{ value: 'Std', loc: 'en_GB' }] } }])
  const cli = { KONTOR_URL: url, KONTOR_TOKEN: await tokenOf(kontor, password), KONTOR_CLI_HOME: join(folder, 'cli') }
  const program = fileURLToPath(new URL('../cli/bin/kontor.mjs', import.meta.url))
  const run = (...args: string[]) =>
    new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      const { PATH = '' } = process.env
      execFile(process.execPath, [program, ...args], { env: { PATH, ...cli } }, (error, stdout, stderr) =>
        resolve({ code: error ? error.code : 0, stdout, stderr }),
      )
    })
  writeFileSync(join(folder, 'canoes.csv'), table('C'))
  const imported = run('import', join(folder, 'canoes.csv'))
  await vi.waitUntil(
    async () => {
      const { transfers = [] } = await client.transfers.listTransfers()
      return transfers.some(({ processed = 0 }) => Number(processed) > 1000)
    },
    { timeout: 60_000, interval: 10 },
  )
  await kontor.end('SIGKILL')
  const again = await startKontor({ ...env, KONTOR_PORT: new URL(url).port })
  const { code, stdout, stderr } = await imported
  expect([code, stdout]).toEqual([0, `${rows} created, 0 updated, 0 refused\n`])
  const [, id] = /^transfer (\S+)$/m.exec(stderr)!
  expect((await run('transfers')).stdout).toBe(`${id}\timport\tfinished\t100 %\tcanoes.csv\n`)
  await again.end('SIGTERM')
  await drop()
})
