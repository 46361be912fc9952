import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { connect, type Database, type Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { createDatabase } from '../../../test/database.ts'
import { openNotifier } from './notifier.ts'
import { writeChanges } from './history.sql.ts'
import {
  currentPosition,
  earlier,
  follow,
  forgetConsumer,
  isKept,
  isPosition,
  keepFrom,
  type OutboxRow,
  type Position,
  positionOf,
  readSettled,
  trimOutbox,
} from './outbox.ts'

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
beforeEach(async () => {
  await db.run(sql`delete from outbox_consumer`)
  await db.run(sql`delete from outbox`)
})

const write = (db: Db, ...ids: number[]) =>
  db.run(sql`
    insert into outbox (object_id, data_type, event) select id, 'keyword', 'UPDATE' from unnest(${ids}::bigint[]) as t (id)`)

async function followed(fault?: () => void, database = db) {
  const got: OutboxRow[] = []
  const positions: string[] = []
  const { notifier, committed, stop } = openNotifier(db)
  const follower = follow({
    database,
    notifier: await notifier(),
    from: await currentPosition(db),
    async accept(changes, position) {
      fault?.()
      got.push(...changes)
      positions.push(position)
    },
    failed: () => {},
  })
  onTestFinished(async () => {
    await follower.stop()
    await stop()
  })
  return { got, positions, committed, follower, ids: () => got.map(({ objectId }) => objectId) }
}

/** A transaction that stays open until the test ends it. */
async function open(...ids: number[]) {
  const end = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const done = db.transaction(async (inside) => {
    await write(inside, ...ids)
    begun.resolve()
    await end.promise
  })
  await begun.promise
  return async () => {
    end.resolve()
    await done
  }
}

/** Transactions of other databases of the cluster hold back the horizon too; committed rows settle when they end. */
const settled = (after: Position, count: number) =>
  vi.waitFor(async () => {
    const read = await readSettled(db, after, 10)
    expect(read.changes).toHaveLength(count)
    return read
  }, 30_000)

test('committed rows are passed on at once, even while another transaction is open', async () => {
  const { ids } = await followed()
  const commit = await open(1, 2)
  await write(db, 3)
  await vi.waitFor(() => expect(ids()).toEqual([3]), 30_000)
  await commit()
  await vi.waitFor(() => expect(ids()).toEqual([3, 1, 2]), 30_000)
})

test('the position waits for the oldest open transaction, so that a restart loses nothing', async () => {
  const { ids, follower } = await followed()
  const commit = await open(1)
  await write(db, 2)
  await vi.waitFor(() => expect(ids()).toEqual([2]), 30_000)
  const position = follower.position()
  await commit()
  const again = await settled(position, 2)
  expect(again.changes.map(({ objectId }) => objectId)).toEqual([1, 2])
})

test('settled changes are in transaction order, and appear only when no older one can follow', async () => {
  const from = await currentPosition(db)
  const commit = await open(1)
  await write(db, 2)
  expect((await readSettled(db, from, 10)).changes).toEqual([])
  await commit()
  await settled(from, 2)
  const first = await readSettled(db, from, 1)
  const second = await readSettled(db, first.position, 10)
  expect([...first.changes, ...second.changes].map(({ objectId }) => objectId)).toEqual([1, 2])
  expect(await readSettled(db, second.position, 10)).toEqual({ changes: [], position: second.position })
})

/** As a lock of a row: of one transaction at a time. */
const lockObject = (db: Db, id: number) => db.lock(sql`select pg_advisory_xact_lock(42, ${id})`)
const beginWriting = (db: Db) => db.run(sql`select pg_current_xact_id()`)
const writersOf = (id: number) =>
  db.rows<{ seq: number; writer: string }>(
    sql`select seq, writer::text from outbox where object_id = ${id} order by seq`,
  )

test.each<[string, (inside: Db) => Promise<unknown>]>([
  [
    'waited',
    async (inside) => {
      await lockObject(inside, 5)
      await write(inside, 5)
    },
  ],
  [
    'wrote with the statement that waited',
    (inside) =>
      inside.run(sql`
        with locked as materialized (select pg_advisory_xact_lock(42, 5))
        insert into outbox (object_id, data_type, event) select 5, 'keyword', 'UPDATE' from locked`),
  ],
])('changes of an object are in their order, although the transaction that %s began first', async (_, change) => {
  const from = await currentPosition(db)
  const [begun, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = db.transaction(async (inside) => {
    await beginWriting(inside)
    begun.resolve()
    await locked.promise
    await change(inside)
  })
  await begun.promise
  await db.transaction(async (inside) => {
    await lockObject(inside, 5)
    await write(inside, 5)
    locked.resolve()
    await vi.waitFor(async () =>
      expect(await db.rows(sql`select from pg_locks where locktype = 'advisory' and not granted`)).toHaveLength(1),
    )
  })
  await first
  const [earlierRow, laterRow] = await writersOf(5)
  expect(BigInt(earlierRow!.writer) > BigInt(laterRow!.writer), 'the second writer began first').toBe(true)
  const { changes } = await settled(from, 2)
  expect(changes.map(({ seq }) => seq)).toEqual([earlierRow!.seq, laterRow!.seq])
})

test('readers that continue while writers wait for each other get every change once, in the order of each object', async () => {
  let position = await currentPosition(db)
  const got: OutboxRow[] = []
  const readOn = async () => {
    const read = await readSettled(db, position, 3)
    got.push(...read.changes)
    position = read.position
    return read.changes.length
  }
  const writer = async (n: number) => {
    for (let i = 0; i < 25; i++) {
      const id = 1 + ((n * 5 + i * 3) % 4)
      await db
        .transaction(async (inside) => {
          await beginWriting(inside)
          await pause((n * 7 + i * 5) % 9)
          await lockObject(inside, id)
          await write(inside, id)
          await pause((n * 3 + i) % 5)
          if (i % 6 === 2) throw new Error('rolled back')
        })
        .catch(() => {})
    }
  }
  const written = new AbortController()
  const writing = Promise.all([1, 2, 3, 4, 5].map(writer)).finally(() => written.abort())
  while (!written.signal.aborted) if ((await readOn()) === 0) await pause(1)
  await writing
  const stored = await db.rows<{ seq: number }>(sql`select seq from outbox order by seq`)
  await vi.waitFor(async () => {
    await readOn()
    expect(got.length).toBeGreaterThanOrEqual(stored.length)
  }, 30_000)
  expect(got.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual(stored.map(({ seq }) => seq))
  for (const changes of Map.groupBy(got, ({ objectId }) => objectId).values())
    expect(changes.map(({ seq }) => seq)).toEqual(changes.map(({ seq }) => seq).toSorted((a, b) => a - b))
})

test('changes that were not accepted are passed again', async () => {
  let faults = 2
  const { ids } = await followed(() => {
    if (faults-- > 0) throw new Error('not now')
  })
  await write(db, 7)
  await vi.waitFor(() => expect(ids()).toEqual([7]), 30_000)
})

const changesOf = (...ids: number[]) => ids.map((id) => ({ dataType: 'keyword', id, event: 'UPDATE' }) as const)

test('changes that cannot be written leave nothing of their transaction', async () => {
  const unwritable = changesOf(5n as unknown as number)
  const written = db.transaction(
    (inside) => write(inside, 77),
    (inside) => writeChanges(inside, 'kim', unwritable),
  )
  await expect(written).rejects.toThrow('BigInt')
  expect(await db.rows(sql`select from outbox where object_id = 77`)).toEqual([])
})

test('rows that this process announces are passed on without being read', async () => {
  const unreadable = { ...db, rows: () => Promise.reject(new Error('cannot be read')) }
  const { ids, committed } = await followed(undefined, unreadable)
  committed(await writeChanges(db, 'kim', changesOf(5, 6), true))
  await vi.waitFor(() => expect(ids()).toEqual([5, 6]), 30_000)
})

test('announced rows that are read later are passed on once, equal to those of the outbox, and the position passes them', async () => {
  const { got, ids, committed, follower } = await followed()
  const commit = await open(1)
  const written = await writeChanges(db, 'kim', changesOf(5, 6), true)
  committed(written)
  await vi.waitFor(() => expect(ids()).toEqual([5, 6]), 30_000)
  expect(got.slice(0, 2)).toMatchObject(
    await db.rows(sql`
    select seq, xid::text, object_id as "objectId", data_type as "dataType", event, action, at
    from outbox where object_id > 1 order by seq`),
  )
  await commit()
  await vi.waitFor(
    () => expect(earlier(follower.position(), positionOf(written[0]!))).toBe(positionOf(written[0]!)),
    30_000,
  )
  await write(db, 7)
  await vi.waitFor(() => expect(ids()).toContain(7), 30_000)
  expect(ids()).toEqual([5, 6, 1, 7])
})

test('announced rows that were not accepted are read', async () => {
  let faults = 2
  const { ids, committed } = await followed(() => {
    if (faults-- > 0) throw new Error('not now')
  })
  committed(await writeChanges(db, 'kim', changesOf(8), true))
  await vi.waitFor(() => expect(ids()).toEqual([8]), 30_000)
})

test('writers that overtake each other and roll back lose nothing and repeat nothing', async () => {
  const { ids } = await followed()
  const wanted: number[] = []
  const writer = async (first: number) => {
    for (let i = 0; i < 30; i++) {
      const id = first + i
      const keeps = i % 7 !== 3
      if (keeps) wanted.push(id)
      await db
        .transaction(async (inside) => {
          await write(inside, id)
          await pause((id * 7) % 11)
          if (!keeps) throw new Error('rolled back')
        })
        .catch(() => {})
    }
  }
  await Promise.all([1000, 2000, 3000, 4000].map(writer))
  await vi.waitFor(() => expect(ids().length).toBeGreaterThanOrEqual(wanted.length), 30_000)
  expect(ids().sort((a, b) => a - b)).toEqual(wanted.sort((a, b) => a - b))
})

test('thousands of rows behind an open transaction are passed on once and at once', async () => {
  const { ids } = await followed()
  const commit = await open(1)
  await write(db, ...Array.from({ length: 6000 }, (_, i) => 10 + i))
  await vi.waitFor(() => expect(ids().length).toBe(6000), 30_000)
  await write(db, 9000)
  await vi.waitFor(() => expect(ids().at(-1)).toBe(9000), 30_000)
  await commit()
  await vi.waitFor(() => expect(ids().length).toBe(6002), 30_000)
  expect(new Set(ids()).size).toBe(6002)
})

test('rows that every consumer has passed are removed when they are old enough, and late consumers notice', async () => {
  const before = await currentPosition(db)
  await write(db, 1, 2)
  await settled(before, 2)
  const after = await currentPosition(db)
  expect(await keepFrom(db, 'slow', before)).toBe(true)
  expect(await keepFrom(db, 'quick', after)).toBe(true)
  await db.run(sql`update outbox set at = now() - interval '5 hours'`)
  await trimOutbox(db, 1)
  expect((await readSettled(db, before, 10)).changes.length).toBe(2)

  await forgetConsumer(db, 'slow')
  await trimOutbox(db, 8)
  expect((await readSettled(db, before, 10)).changes.length).toBe(2)
  await trimOutbox(db, 1)
  expect((await readSettled(db, before, 10)).changes).toEqual([])
  expect(await isKept(db, before)).toBe(false)
  expect(await keepFrom(db, 'slow', before)).toBe(false)
  expect(await isKept(db, after)).toBe(true)
  expect(await isKept(db, '9000000000.1'), 'of another database').toBe(false)
  expect(await keepFrom(db, 'restored', '9000000000.1')).toBe(false)
})

test('a consumer without a sign of life for a week does not keep rows', async () => {
  const before = await currentPosition(db)
  await keepFrom(db, 'gone', before)
  await write(db, 1)
  await settled(before, 1)
  await db.run(sql`update outbox set at = now() - interval '9 days'`)
  await db.run(sql`update outbox_consumer set seen_at = now() - interval '8 days' where name = 'gone'`)
  await trimOutbox(db, 1)
  expect(await db.rows(sql`select 1 as one from outbox`)).toEqual([])
})

test.each([
  ['123.0', true],
  ['1.99', true],
  ['', false],
  ['1', false],
  ['x.1', false],
  ["1.1'; drop", false],
  ['99999999999999999999.1', false],
])('whether %j is a position: %j', (text, expected) => expect(isPosition(text)).toBe(expected))

test('catchUp() waits until the present rows were accepted, and no longer', async () => {
  const faults = [new Error('not now'), new Error('nor now')]
  const { ids, follower } = await followed(() => {
    const fault = faults.pop()
    if (fault) throw fault
  })
  await write(db, 71, 72)
  await follower.catchUp()
  expect(ids()).toEqual([71, 72])
  await follower.catchUp()
})
test(
  'catchUp() rejects while changes are not accepted for long, and works again afterwards',
  { timeout: 20_000 },
  async () => {
    let fault: Error | undefined = new Error('away')
    const { ids, follower } = await followed(() => {
      if (fault) throw fault
    })
    await write(db, 73)
    await expect(follower.catchUp()).rejects.toThrow('away')
    fault = undefined
    await follower.catchUp()
    expect(ids()).toEqual([73])
  },
)
test('catchUp() polls when no announcement arrives', { timeout: 10_000 }, async () => {
  const notifier = { next: () => new Promise<void>(() => {}), subscribe: () => () => {}, stop: async () => {} }
  const got: number[] = []
  const follower = follow({
    database: db,
    notifier,
    from: await currentPosition(db),
    accept: async (changes) => void got.push(...changes.map(({ objectId }) => objectId)),
    failed: () => {},
  })
  onTestFinished(() => follower.stop())
  await follower.catchUp()
  await write(db, 76)
  await follower.catchUp()
  expect(got).toEqual([76])
})
test('catchUp() rejects after the follower was stopped', async () => {
  const { follower } = await followed(() => {
    throw new Error('never')
  })
  await write(db, 81)
  const waiting = follower.catchUp()
  waiting.catch(() => {})
  await follower.stop()
  await expect(waiting).rejects.toThrow('the outbox follower was stopped')
  await expect(follower.catchUp()).rejects.toThrow('the outbox follower was stopped')
})
