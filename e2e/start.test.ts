/** Starting the server: first start, restart, roles, and settings that it refuses. */
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createDatabase } from '../server/test/database.ts'
import { signIn } from '../server/test/token.ts'
import { dataFolder, removeFolder, runKontor, startKontor, tokenOf } from './kontor.ts'

const folders: string[] = []
const newFolder = () => {
  const folder = dataFolder()
  folders.push(folder)
  return folder
}
afterAll(() => folders.forEach(removeFolder))

const keywords = '/api/core/v1/common/keywords'
const call = (url: string, token: string, body: object = {}) =>
  fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })

describe('on an empty data folder', () => {
  const KONTOR_DATA = newFolder()
  let password = ''

  test('Kontor starts and shows the password of its first administrator once', async () => {
    const kontor = await startKontor({ KONTOR_DATA })
    password = /admin, password: ([^\s"]+)/.exec(kontor.output())![1]!
    expect(password.length).toBeGreaterThanOrEqual(20)
    const file = join(KONTOR_DATA, 'admin-password')
    expect(readFileSync(file, 'utf8')).toBe(`${password}\n`)
    expect(statSync(file).mode & 0o777).toBe(0o600)

    const token = await tokenOf(kontor, password)
    expect((await signIn(kontor.issuer, 'admin', 'admin')).status).toBe(401)
    const message = { schemaVersion: '5.6.0', kwds: { kwd: [{ name: { itm: [{ value: 'Kept' }] } }] } }
    expect((await call(`${kontor.url}${keywords}/persist`, token, message)).status).toBe(200)
    expect((await fetch(`${kontor.url}/readyz`)).status).toBe(200)
    expect(await kontor.end('SIGTERM')).toBe(0)
  })

  test('after a restart it has its data, shows no password, and accepts the first one', async () => {
    mkdirSync(join(KONTOR_DATA, 'tmp'), { recursive: true })
    writeFileSync(join(KONTOR_DATA, 'tmp', 'leftover'), '')
    utimesSync(join(KONTOR_DATA, 'tmp', 'leftover'), 0, 0)
    const kontor = await startKontor({ KONTOR_DATA })
    expect(kontor.output()).not.toContain('password')
    const token = await tokenOf(kontor, password)
    const reply = await call(`${kontor.url}${keywords}/retrieve`, token, { path: '/' })
    expect(await reply.text()).toContain('"path":"/Kept"')
    expect(readdirSync(join(KONTOR_DATA, 'tmp'))).toEqual([])

    const second = await runKontor({ KONTOR_DATA })
    expect(second.code).toBe(1)
    expect(second.output.trim()).toBe(
      `Kontor cannot start: The data folder ${KONTOR_DATA} is in use by process ${kontor.child.pid}. ` +
        'Stop that process, or let both use one PostgreSQL server by DATABASE_URL',
    )
    expect((await fetch(`${kontor.url}/readyz`)).status).toBe(200)
  })

  test('it starts after the password file was deleted, and creates no new one', async () => {
    const file = join(KONTOR_DATA, 'admin-password')
    removeFolder(file)
    const kontor = await startKontor({ KONTOR_DATA })
    expect(kontor.output()).not.toContain('password')
    expect(readdirSync(KONTOR_DATA)).not.toContain('admin-password')
    await tokenOf(kontor, password)
  })
})

describe('on a PostgreSQL server', () => {
  test('Kontor uses KONTOR_ADMIN_PASSWORD without showing or storing it, and creates no embedded database', async () => {
    const { poolConfig, drop } = await createDatabase()
    const KONTOR_DATA = newFolder()
    const secret = join(KONTOR_DATA, 'secret')
    writeFileSync(secret, 'a quiet heron by the weir\n')
    const env = { KONTOR_DATA, DATABASE_URL: poolConfig.connectionString, KONTOR_ADMIN_PASSWORD_FILE: secret }
    const kontor = await startKontor(env)
    expect(kontor.output()).not.toContain('heron')
    expect(readdirSync(KONTOR_DATA)).not.toContain('cluster')
    expect(readdirSync(KONTOR_DATA)).not.toContain('admin-password')
    await tokenOf(kontor, 'a quiet heron by the weir')
    expect(await kontor.end('SIGINT')).toBe(0)
    await drop()
  })

  test('a process with only the role worker does not listen', async () => {
    const { poolConfig, drop } = await createDatabase()
    const port = await occupyPort()
    const DATABASE_URL = poolConfig.connectionString
    const kontor = await startKontor({
      KONTOR_DATA: newFolder(),
      DATABASE_URL,
      KONTOR_ROLES: 'worker',
      KONTOR_PORT: String(port.number),
    })
    expect(kontor.output()).toContain('Kontor is ready: worker, without an HTTP port')
    expect(await kontor.end('SIGTERM')).toBe(0)
    await port.close()
    await drop()
  })

  test('a port in use and an unreachable database are reported in one sentence', async () => {
    const { poolConfig, drop } = await createDatabase()
    const port = await occupyPort()
    const KONTOR_DATA = join(newFolder(), 'data')
    const taken = await runKontor({
      KONTOR_DATA,
      DATABASE_URL: poolConfig.connectionString,
      KONTOR_PORT: String(port.number),
      KONTOR_ADMIN_PASSWORD: 'a quiet heron by the weir',
    })
    expect(taken.code).toBe(1)
    expect(taken.output).toMatch(
      new RegExp(`^Kontor cannot start: KONTOR_PORT: ${port.number} is in use by another program\n$`, 'm'),
    )
    await port.close()
    await drop()
    const missing = await runKontor({ KONTOR_DATA, DATABASE_URL: `postgres://kontor@127.0.0.1:${port.number}/kontor` })
    expect(missing.code).toBe(1)
    expect(missing.output).toMatch(/^Kontor cannot start: .*ECONNREFUSED.*\n$/m)
  })
})

test('all invalid settings are reported at once', async () => {
  const { code, output } = await runKontor({
    KONTOR_DATA: '/nowhere',
    KONTOR_PORT: 'many',
    KONTOR_ROLES: 'cook',
    DATABASE_URL: 'mysql://secret@host',
    KONTOR_ADMIN_PASSWORD_FILE: '/nowhere/secret',
  })
  expect(code).toBe(1)
  expect(output.trimEnd().split('\n')).toEqual([
    'Invalid settings:',
    'KONTOR_PORT: expected a whole number from 0 to 65535, found "many"',
    'KONTOR_ADMIN_PASSWORD: the file /nowhere/secret cannot be read',
    'KONTOR_ROLES: expected api or worker or search, found "cook"',
    'DATABASE_URL: expected an address like postgres://user:password@host/database',
  ])
})

async function occupyPort() {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port: number } = server.address() as { port: number }
  return { number, close: () => new Promise((resolve) => server.close(resolve)) }
}
