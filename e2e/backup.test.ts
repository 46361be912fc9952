/** `kontor backup` on a running system, and `kontor restore` on another machine that continues with it. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { dataFolder, type Kontor, removeFolder, startKontor, tokenOf } from './kontor.ts'

const KONTOR_ADMIN_PASSWORD = 'a quiet heron by the weir'
const KONTOR_MASTER_KEY = 'a master key for tests, which is not secret'
const [source, target, backups] = [dataFolder(), dataFolder(), dataFolder()]
afterAll(() => [source, target, backups].forEach(removeFolder))

const main = fileURLToPath(new URL('../cli/src/main.ts', import.meta.url))
const kontor = (data: string, ...args: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const env = { PATH: process.env.PATH, KONTOR_DATA: data, KONTOR_MASTER_KEY }
    execFile(process.execPath, [main, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    )
  })
const keywords = async (server: Kontor, verb: string, body: object) => {
  const authorization = `Bearer ${await tokenOf(server, KONTOR_ADMIN_PASSWORD)}`
  const headers = { authorization, 'content-type': 'application/json' }
  const address = `${server.url}/api/core/v1/common/keywords/${verb}`
  return (await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })).text()
}

test('a backup of an embedded database in use can be restored into another embedded database', async () => {
  const folder = join(backups, 'nightly')
  const server = await startKontor({ KONTOR_DATA: source, KONTOR_ADMIN_PASSWORD, KONTOR_MASTER_KEY })
  const kwds = { kwd: [{ name: { itm: [{ value: 'Carried over' }] } }] }
  expect(await keywords(server, 'persist', { schemaVersion: '5.6.0', kwds })).toContain('SUCCESS')
  expect(await kontor(source, 'backup', folder)).toMatchObject({ code: 0, output: expect.stringContaining('is whole') })
  expect(await kontor(source, 'backup', 'verify', folder)).toMatchObject({ code: 0 })
  expect(await kontor(source, 'restore', folder)).toMatchObject({
    code: 1,
    output: expect.stringContaining('not empty'),
  })
  expect(await kontor(target, 'restore', folder)).toMatchObject({
    code: 0,
    output: expect.stringContaining('Restored'),
  })
  const restored = await startKontor({ KONTOR_DATA: target, KONTOR_MASTER_KEY })
  expect(await keywords(restored, 'retrieve', { path: '/' })).toContain('Carried over')
}, 600_000)
