import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { administer, createDatabase, type TestDatabase } from '../../../test/database.ts'
import { connect, type Database } from './db.ts'
import { listen } from './listen.ts'
import { sql } from './sql.ts'

let source: TestDatabase
let database: Database
let name: string
beforeAll(async () => {
  source = await createDatabase()
  // Keeps its connections, so that the test can observe the database while no new connection is allowed.
  database = connect({ ...source.poolConfig, idleTimeoutMillis: 0 })
  name = (await database.connection()).database!
})
afterAll(async () => {
  await database.close()
  await source.drop()
})

/** Allows or refuses new connections; existing ones stay. */
const allow = (allowed: boolean) =>
  administer(inject('postgres').url, `alter database ${name} with allow_connections ${allowed}`)
const listening = async () =>
  (
    await database.rows<{ pid: number }>(sql`
      select pid from pg_stat_activity where datname = ${name} and query like 'listen %'`)
  ).map(({ pid }) => pid)
const breakOff = async () => {
  for (const pid of await listening()) await database.run(sql`select pg_terminate_backend(${pid})`)
}
/** Long enough for several attempts. */
const outage = 2500

test('after an outage exactly one connection listens, and none after stop', async () => {
  const received: string[] = []
  const missed = vi.fn()
  const listener = await listen(database, 'outbox', { received: (message) => received.push(message), missed })
  await allow(false)
  await breakOff()
  await pause(outage)
  expect(missed).not.toHaveBeenCalled()
  await allow(true)
  await vi.waitFor(() => expect(missed).toHaveBeenCalled(), 10_000)
  await pause(1500) // a second connection would have been made by now
  expect(await listening()).toHaveLength(1)
  expect(missed).toHaveBeenCalledOnce()
  await database.run(sql`select pg_notify('outbox', 'back')`)
  await vi.waitFor(() => expect(received).toEqual(['back']), 10_000)
  await listener.stop()
  await vi.waitFor(async () => expect(await listening()).toEqual([]), 10_000)
})

test('a listener that failed to connect does not connect later by itself', async () => {
  const missed = vi.fn()
  const other = connect(source.poolConfig)
  await allow(false)
  await expect(listen(other, 'outbox', { received: () => {}, missed })).rejects.toThrow('not currently accepting')
  await allow(true)
  await pause(1500)
  expect(missed).not.toHaveBeenCalled()
  expect(await listening()).toEqual([])
  await other.close()
})

test('a listener that is stopped while it reconnects gives up', async () => {
  const listener = await listen(database, 'outbox', { received: () => {}, missed: () => {} })
  await allow(false)
  await breakOff()
  await pause(600)
  await listener.stop()
  await allow(true)
  await pause(1500)
  expect(await listening()).toEqual([])
})
