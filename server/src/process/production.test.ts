import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { connect, type Database } from '../adapters/postgres/db.ts'
import { commands } from '../admin/admin.ts'
import { readConfig } from '../config.ts'
import { checkDatabase, productionFaults } from './production.ts'

const valid = {
  KONTOR_PROFILE: 'production',
  KONTOR_BASE_URL: 'https://pim.example.com',
  DATABASE_URL: 'postgres://kontor:Vd7-kq2fXw@db.example.com/kontor',
  KONTOR_DATA: mkdtempSync(join(tmpdir(), 'kontor-production-')),
  KONTOR_METRICS_TOKEN: 'qW7-x2Lf9-Rt5-mB3kk',
}
const faultsOf = (env: Record<string, string | undefined>) => productionFaults(readConfig({ ...valid, ...env }))

test('an installation that follows the manual is accepted', () => {
  expect(faultsOf({})).toEqual([])
  expect(faultsOf({ DATABASE_URL: undefined, KONTOR_EMBEDDED_DATABASE: 'true' })).toEqual([])
  expect(faultsOf({ KONTOR_OIDC_ISSUER: 'http://127.0.0.1:8180/realms/shop' })).toEqual([])
})

test.each([
  ['an http address', { KONTOR_BASE_URL: 'http://pim.example.com' }, 'KONTOR_BASE_URL'],
  ['no address at all', { KONTOR_BASE_URL: undefined }, 'KONTOR_BASE_URL'],
  ['an http provider elsewhere', { KONTOR_OIDC_ISSUER: 'http://sso.example.com' }, 'KONTOR_OIDC_ISSUER'],
  ['the embedded database by accident', { DATABASE_URL: undefined }, 'DATABASE_URL'],
  ['a password of the manual', { DATABASE_URL: 'postgres://kontor:secret@db/kontor' }, 'DATABASE_URL'],
  ['a secret of the manual', { KONTOR_BLOBS: 's3://minioadmin:minioadmin@files?endpoint=http://s3' }, 'KONTOR_BLOBS'],
  ['a key that is easy to guess', { KONTOR_MASTER_KEY: 'abab'.repeat(10) }, 'KONTOR_MASTER_KEY'],
  ['a well-known password of the administrator', { KONTOR_ADMIN_PASSWORD: 'changeme' }, 'KONTOR_ADMIN_PASSWORD'],
  ['metrics that everybody can read', { KONTOR_METRICS_TOKEN: undefined }, 'KONTOR_METRICS_TOKEN'],
  ['a short token', { KONTOR_METRICS_TOKEN: 'short' }, 'KONTOR_METRICS_TOKEN'],
  ['an http origin', { KONTOR_CORS_ORIGINS: 'https://a.example.com,http://b.example.com' }, 'KONTOR_CORS_ORIGINS'],
])(
  '%s is refused with a message that names the setting but not its value',
  (_, env: Record<string, string | undefined>, name) => {
    const [fault, ...others] = faultsOf(env)
    expect(fault).toMatch(new RegExp(`^${name}: `))
    expect(others).toEqual([])
    expect(fault).not.toMatch(/minioadmin|changeme|abab|short/)
    expect(faultsOf({ ...env, KONTOR_PROFILE: 'trial' })).toEqual([])
  },
)

test('a data folder that other users can read is refused', () => {
  const data = mkdtempSync(join(tmpdir(), 'kontor-production-'))
  chmodSync(data, 0o755)
  expect(faultsOf({ KONTOR_DATA: data })).toEqual([expect.stringMatching(/^KONTOR_DATA: .*chmod 700/)])
})

test('`kontor config check` reports all faults without starting anything', async () => {
  const output: string[] = []
  const original = console.error
  console.error = (text: string) => void output.push(text)
  const env = { KONTOR_PROFILE: 'production', KONTOR_DATA: valid.KONTOR_DATA }
  expect(await commands.get('config check')!.run([], env)).toBe(1)
  console.error = original
  expect(output.join('\n')).toMatch(/KONTOR_BASE_URL: .*\nDATABASE_URL: /)
})

let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await createDatabase()
  db = connect({ ...database.poolConfig, max: 1 })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

test('a database that may lose committed transactions is refused', async () => {
  await db.pool.query('set synchronous_commit to off')
  await expect(checkDatabase(db, readConfig(valid))).rejects.toThrow('PostgreSQL: synchronous_commit is off')
  await expect(checkDatabase(db, readConfig({ ...valid, KONTOR_PROFILE: 'trial' }))).resolves.toBeUndefined()
})
