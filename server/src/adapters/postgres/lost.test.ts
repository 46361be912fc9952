import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { isUnreachable } from './lost.ts'

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

test('a database that refuses connections cannot be reached', async () => {
  const error = await new Client({ host: '127.0.0.1', port: await closedPort() }).connect().then(
    () => undefined,
    (error: Error) => error,
  )
  expect(error && isUnreachable(error)).toBe(true)
})

test('neither can one whose name has several addresses, all of which refuse', () => {
  const refusals = ['::1', '127.0.0.1'].map((address) => new Error(`connect ECONNREFUSED ${address}:5432`))
  expect(isUnreachable(Object.assign(new AggregateError(refusals), { code: 'ECONNREFUSED' }))).toBe(true)
})

test('a fault of a statement does not mean that the database cannot be reached', () => {
  expect(isUnreachable(Object.assign(new Error('duplicate key value'), { code: '23505' }))).toBe(false)
})
