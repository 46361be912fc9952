/** A backup of a system that runs, by the command, and another machine that goes on with it. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { dataFolder, type Kontor, removeFolder, startKontor, tokenOf } from './kontor.ts'

const KONTOR_ADMIN_PASSWORD = 'a quiet heron by the weir'
const KONTOR_MASTER_KEY = 'of a test, which need not be secret'
const [here, there, backups] = [dataFolder(), dataFolder(), dataFolder()]
afterAll(() => [here, there, backups].forEach(removeFolder))

const main = fileURLToPath(new URL('../cli/src/main.ts', import.meta.url))
const kontor = (data: string, ...args: string[]) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    const env = { PATH: process.env.PATH, KONTOR_DATA: data, KONTOR_MASTER_KEY }
    execFile(process.execPath, [main, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), said: stdout + stderr }),
    )
  })
const keywords = async (server: Kontor, verb: string, body: object) => {
  const authorization = `Bearer ${await tokenOf(server, KONTOR_ADMIN_PASSWORD)}`
  const headers = { authorization, 'content-type': 'application/json' }
  const address = `${server.url}/api/core/v1/common/keywords/${verb}`
  return (await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })).text()
}

test('a backup taken while the embedded database is in use is restored into another embedded one', async () => {
  const folder = join(backups, 'nightly')
  const server = await startKontor({ KONTOR_DATA: here, KONTOR_ADMIN_PASSWORD, KONTOR_MASTER_KEY })
  const kwds = { kwd: [{ name: { itm: [{ value: 'Carried over' }] } }] }
  expect(await keywords(server, 'persist', { schemaVersion: '5.6.0', kwds })).toContain('SUCCESS')
  expect(await kontor(here, 'backup', folder)).toMatchObject({ code: 0, said: expect.stringContaining('is whole') })
  expect(await kontor(here, 'backup', 'verify', folder)).toMatchObject({ code: 0 })
  expect(await kontor(here, 'restore', folder)).toMatchObject({ code: 1, said: expect.stringContaining('not empty') })
  expect(await kontor(there, 'restore', folder)).toMatchObject({ code: 0, said: expect.stringContaining('Restored') })
  const other = await startKontor({ KONTOR_DATA: there, KONTOR_MASTER_KEY })
  expect(await keywords(other, 'retrieve', { path: '/' })).toContain('Carried over')
}, 240_000)
