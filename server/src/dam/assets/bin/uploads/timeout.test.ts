/** Uploads may take longer than other requests: a steady upload is not interrupted, a stalled one is aborted. */
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, test, vi } from 'vitest'
import { openConnection } from '../../../../../test/connection.ts'
import { bytesOf, dam, form, makeDirs, paramsPart, payloadPart, storedFiles } from '../../../../../test/files.ts'
import { withServer } from '../../../../../test/server.ts'

const api = withServer({ KONTOR_REQUEST_TIMEOUT: '2' })
let address = ''
beforeAll(async () => {
  await makeDirs(api, '/MAM/slow')
  address = await api.listen()
})

async function begin(name: string, bytes: string) {
  const { body, type } = form(paramsPart({ path: `/MAM/slow/${name}`, tid: name }), payloadPart(bytes, name))
  const connection = await openConnection(address)
  connection.head(
    `POST ${dam}/assets/bin/persist HTTP/1.1`,
    `authorization: Bearer ${api.token}`,
    `content-type: ${type}`,
    `content-length: ${body.length}`,
  )
  return { connection, text: body.toString() }
}

test('a slow upload continues as long as data arrives', async () => {
  const { connection, text } = await begin('steady.txt', 'x'.repeat(1000))
  for (let at = 0; at < text.length; at += 200) {
    connection.write(text.slice(at, at + 200))
    await pause(800)
  }
  await vi.waitUntil(() => connection.received().startsWith('HTTP/1.1 200'), { timeout: 10_000 })
  expect((await bytesOf(api, '/assets/bin?assetTid=steady.txt')).bytes.toString()).toBe('x'.repeat(1000))
  connection.destroy()
})

test('a stalled upload is aborted and stores nothing', async () => {
  const before = await storedFiles(api)
  const { connection, text } = await begin('stopped.txt', 'x'.repeat(1000))
  connection.write(text.slice(0, 700))
  await vi.waitUntil(() => connection.ended(), { timeout: 15_000 })
  expect(connection.received()).toMatch(/^HTTP\/1\.1 408 [^]*the request took too long to arrive/)
  await vi.waitUntil(async () => (await storedFiles(api)).length === before.length, { timeout: 5000 })
  expect((await bytesOf(api, '/assets/bin?assetTid=stopped.txt')).status).toBe(404)
})
