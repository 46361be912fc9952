import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { connect, type Database, type Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { createDatabase } from '../../../test/database.ts'
import { openNotifier } from './notifier.ts'
import { writeChanges } from './history.sql.ts'

let db: Database
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createDatabase()
  drop = database.drop
  db = connect(database.poolConfig)
})
afterAll(async () => {
  await db.close()
  await drop()
})

/** A process with a subscription, and its notifications: the ids of announced objects, or `read` to read the outbox. */
async function startProcess() {
  vi.useFakeTimers({ toFake: ['setInterval'] }) // no polling
  onTestFinished(() => void vi.useRealTimers())
  const { notifier, committed, stop } = openNotifier(db)
  onTestFinished(stop)
  const received: (number[] | 'read')[] = []
  const { subscribe } = await notifier()
  subscribe((rows) => received.push(rows?.map(({ objectId }) => objectId) ?? 'read'))
  return { received, committed }
}

const write = (db: Db, ...ids: number[]) =>
  writeChanges(
    db,
    'kim',
    ids.map((id) => ({ dataType: 'keyword', id, event: 'UPDATE' }) as const),
    true,
  )

test('announced rows are not read again, unless the same transaction wrote other rows', async () => {
  const { received, committed } = await startProcess()
  committed(await db.transaction((inside) => write(inside, 1, 2)))
  const rows = await db.transaction(async (inside) => {
    await inside.run(sql`insert into outbox (object_id, data_type, event) values (3, 'keyword', 'UPDATE')`)
    return write(inside, 4)
  })
  committed(rows)
  await vi.waitFor(() => expect(received).toEqual(expect.arrayContaining([[1, 2], [4], 'read'])), 30_000)
  expect(received).toHaveLength(3)
})

test('another process is notified once for many commits of this one', async () => {
  const [one, other] = [await startProcess(), await startProcess()]
  for (let id = 1; id <= 40; id++) one.committed(await db.transaction((inside) => write(inside, id)))
  await vi.waitFor(() => expect(other.received).toContain('read'), 30_000)
  const before = other.received.length
  await new Promise((resolve) => setTimeout(resolve, 50)) // the last commits are announced together
  one.committed(await db.transaction((inside) => write(inside, 41)))
  await vi.waitFor(() => expect(other.received.length).toBeGreaterThan(before), 30_000)
  expect(other.received.every((one) => one === 'read')).toBe(true)
  expect(one.received).toEqual(Array.from({ length: 41 }, (_, i) => [i + 1]))
})
