/**
 * The server is killed (kill -9) while it delivers the file of a feed. The next process takes the run over and delivers the
 * same file under the same name and key.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient, passwordTokens } from '@kontor/sdk'
import { afterAll, expect, test, vi } from 'vitest'
import { createDatabase } from '../server/test/database.ts'
import { dataFolder, removeFolder, startKontor } from './kontor.ts'

const folder = dataFolder()
afterAll(() => removeFolder(folder))
const password = 'a quiet heron by the weir'

test('a run whose process was killed is taken over and delivers once', async () => {
  const calls: { key: unknown; name: unknown; body: string }[] = []
  let answers = false
  const receiver = createServer((request, reply) => {
    let body = ''
    request
      .on('data', (chunk: Buffer) => (body += chunk.toString()))
      .on('end', () => {
        const { 'idempotency-key': key, 'content-disposition': name } = request.headers
        calls.push({ key, name, body })
        if (answers) reply.end()
      })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { poolConfig, drop } = await createDatabase()
  const env = {
    KONTOR_DATA: folder,
    DATABASE_URL: poolConfig.connectionString,
    KONTOR_ADMIN_PASSWORD: password,
    KONTOR_ROLES: 'api,worker',
    KONTOR_FEED_PRIVATE: 'true',
  }
  const clientOf = (baseUrl: string) =>
    createClient({ baseUrl, tokens: passwordTokens({ baseUrl }, 'admin', password) })
  const killed = await startKontor(env)
  const client = clientOf(killed.url)
  await client.pim.classes.persist([{ tid: 'Std', name: { itm: [{ value: 'Std', loc: 'en_GB' }] } }])
  await client.pim.products.persist([{ tid: 'K1', name: 'Kayak', node: '/Std' }])
  const params = { name: 'shop' }
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/in`
  const body = { direction: 'export', export: { format: 'jsonl' }, place: { kind: 'https', url } } as const
  await client.feeds.putFeed({ params, body })
  const { id } = await client.feeds.runFeed({ params })
  await vi.waitUntil(() => calls.length === 1, { timeout: 60_000, interval: 20 })
  await killed.end('SIGKILL')
  answers = true
  const next = await startKontor(env)
  const runs = async () => (await clientOf(next.url).feeds.listRuns({ params })).runs ?? []
  await vi.waitUntil(async () => (await runs())[0]?.state === 'finished', { timeout: 60_000, interval: 50 })
  expect(await runs()).toEqual([expect.objectContaining({ id, attempts: 0 })])
  expect(calls).toHaveLength(2)
  expect(calls[1]).toEqual(calls[0])
  expect(calls[1]!.body).toContain('"K1"')
  await next.end('SIGTERM')
  receiver.closeAllConnections()
  receiver.close()
  await drop()
})
