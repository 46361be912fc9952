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

/** A process that follows, and what its notifier said: the objects it was told of, or `read` to read the outbox. */
async function startProcess() {
  vi.useFakeTimers({ toFake: ['setInterval'] }) // nobody looks by himself
  onTestFinished(() => void vi.useRealTimers())
  const { notifier, committed, stop } = openNotifier(db)
  onTestFinished(stop)
  const heard: (number[] | 'read')[] = []
  const { subscribe } = await notifier()
  subscribe((told) => heard.push(told?.map(({ objectId }) => objectId) ?? 'read'))
  return { heard, committed }
}

const tell = (db: Db, ...ids: number[]) =>
  writeChanges(
    db,
    'kim',
    ids.map((id) => ({ dataType: 'keyword', id, event: 'UPDATE' }) as const),
    true,
  )

test('nobody is woken to read what was told, but for what the same transaction wrote besides', async () => {
  const { heard, committed } = await startProcess()
  committed(await db.transaction((inside) => tell(inside, 1, 2)))
  const rows = await db.transaction(async (inside) => {
    await inside.run(sql`insert into outbox (object_id, data_type, event) values (3, 'keyword', 'UPDATE')`)
    return tell(inside, 4)
  })
  committed(rows)
  await vi.waitFor(() => expect(heard).toEqual(expect.arrayContaining([[1, 2], [4], 'read'])), 30_000)
  expect(heard).toHaveLength(3)
})

test('another process is woken by what this one has committed, for many commits at once', async () => {
  const [one, other] = [await startProcess(), await startProcess()]
  for (let id = 1; id <= 40; id++) one.committed(await db.transaction((inside) => tell(inside, id)))
  await vi.waitFor(() => expect(other.heard).toContain('read'), 30_000)
  const before = other.heard.length
  await new Promise((resolve) => setTimeout(resolve, 50)) // the last ones come together
  one.committed(await db.transaction((inside) => tell(inside, 41)))
  await vi.waitFor(() => expect(other.heard.length).toBeGreaterThan(before), 30_000)
  expect(other.heard.every((said) => said === 'read')).toBe(true)
  expect(one.heard).toEqual(Array.from({ length: 41 }, (_, i) => [i + 1]))
})
