/** Tables that are divided by time: nothing is lost, nothing fails, and what is too old is dropped as a whole. */
import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { createModel, jacket, pim, productCalls, simple, vals } from '../../../test/catalogue.ts'
import { administer, createDatabase, withDatabase } from '../../../test/database.ts'
import { untilReleased } from '../../../test/events.ts'
import { withServer } from '../../../test/server.ts'
import { connect, type Db } from '../../adapters/postgres/db.ts'
import { migrate, readMigrations } from '../../adapters/postgres/migrate.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { verifyAudit } from '../../identity/audit/audit-chain.ts'
import { sweep } from '../../operations/sweep.ts'
import { insertEvents } from '../access/audit.sql.ts'
import { currentPosition, forgetConsumer, isKept, keepFrom, trimOutbox } from '../outbox/outbox.ts'
import { findUndivided, makePartitions, partitionedTables } from './partitions.ts'
import { addLimit, findPartitions } from './partitions.sql.ts'

const tables = partitionedTables({ historyDays: 3650, outboxHours: 72 })
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000)
const daily = [{ table: 'outbox', period: 'day', key: 'seq' }] as const
const monthly = [{ table: 'history', period: 'month' }] as const

async function freshDatabase(max = 5) {
  const source = await createDatabase()
  const db = connect({ ...source.poolConfig, max })
  onTestFinished(async () => {
    await db.close()
    await source.drop()
  })
  return db
}
const insertAt = (db: Db, objectId: number, at: Date) =>
  db.run(
    sql`insert into history (object_id, data_type, action, user_name, at) values (${objectId}, 'product', 'update', 'kim', ${at})`,
  )
const namesOf = async (db: Db, table: string) => (await findPartitions(db, table)).map(({ name }) => name)
const historyOf = async (db: Db) =>
  (await db.rows<{ id: number }>(sql`select object_id as id from history order by at`)).map(({ id }) => id)

/** From the beginning of time without a gap, and a default. */
async function expectGapless(db: Db, table: string) {
  const partitions = await findPartitions(db, table)
  expect(partitions.at(-1)!.isDefault).toBe(true)
  const bounded = partitions.slice(0, -1)
  expect(bounded[0]!.from).toBeNull()
  bounded.slice(1).forEach(({ from }, i) => expect(from).toEqual(bounded[i]!.to))
  return bounded
}

describe('through HTTP', () => {
  const api = withServer()
  const { persist } = productCalls(api)
  const entries = async (body: object = {}) => {
    const { status, json, text } = await api.post(`${pim}/products/history`, { tid: 'B', ...body })
    expect(status, text).toBe(200)
    return json.entries
  }
  const change = (value: string) => persist({ tid: 'B', ...vals(simple('material', value)) })
  beforeAll(async () => {
    await createModel(api)
    await persist(jacket('B', vals(simple('material', 'wool'))))
    await change('silk')
  })

  test('the history of a product is the same after its table was divided, and goes on', async () => {
    const before = await entries()
    await makePartitions(api.db, tables)
    for (const { table } of tables) await expectGapless(api.db, table)
    expect(await findUndivided(api.db, tables)).toEqual([])
    expect(await entries()).toEqual(before)
    await change('linen')
    const after = await entries()
    expect(after.slice(1)).toEqual(before)
    expect(after[0].changes).toEqual([{ field: 'vals.material', from: 'silk', to: 'linen' }])
    expect(await entries({ before: after[0].id, count: 1 })).toEqual([before[0]])
  })

  test('a change in a month without a partition is kept and found, and its partition is made later', async () => {
    const { id } = (await api.db.row<{ id: number }>(sql`select id from product where tid = 'B'`))!
    const inTwoYears = daysAgo(-730)
    await insertAt(api.db, id, inTwoYears)
    const found = await entries()
    expect(found[0]).toMatchObject({ at: inTwoYears.toISOString(), action: 'update' })
    expect(await findUndivided(api.db, tables)).toEqual(['history'])
    await makePartitions(api.db, tables, { now: inTwoYears })
    expect(await findUndivided(api.db, tables)).toEqual([])
    await expectGapless(api.db, 'history')
    expect(await entries()).toEqual(found)
  })

  test('changes go on while a large table is divided, and are recorded once', async () => {
    const kept = await entries({ count: 100 })
    await insertAt(api.db, 1, daysAgo(-1500)) // so that the default partition has a row and must be divided
    const dividing = makePartitions(api.db, tables, { now: daysAgo(-1500), small: 0 })
    for (let i = 0; i < 10; i++) await change(`during ${i}`)
    await dividing
    expect(await findUndivided(api.db, tables)).toEqual([])
    const during = (await entries({ count: 100 })).filter(({ id }: { id: number }) => id > kept[1].id)
    expect(during.filter(({ changes = [] }: { changes?: object[] }) => changes.length > 0)).toHaveLength(10)
  })

  test('the audit log is one chain over its partitions, and neither its times nor its rows can be changed', async () => {
    const { db } = api
    const event = {
      actor: 'kim',
      client: '',
      session: '',
      address: '',
      action: 'test',
      object: 'x',
      outcome: 'success',
      detail: '{}',
      supportId: '',
    } as const
    await insertEvents(db, [event, event])
    expect((await verifyAudit(db)).fault).toBeUndefined()
    const newest = (await findPartitions(db, 'audit_event')).findLast(({ from }) => from && from < new Date())
    const forged = db.pool
      .query(`insert into audit_event (at, actor, client, session, address, action, object, outcome, detail, support_id)
      values ('2020-01-01', 'kim', '', '', '', 'test', 'x', 'success', '{}', '')`)
    await expect(forged).rejects.toThrow('the time of an audit event is set by the database')
    for (const statement of ['delete from', 'truncate'])
      for (const table of ['audit_event', newest?.name ?? 'audit_event_before'])
        await expect(db.pool.query(`${statement} ${table}`), `${statement} ${table}`).rejects.toThrow()
  })
})

test('partitions that are too old are dropped as a whole, and nothing else', async () => {
  const db = await freshDatabase()
  for (let days = 200; days >= 0; days -= 20) await makePartitions(db, monthly, { now: daysAgo(days) })
  for (const days of [190, 120, 50, 0]) await insertAt(db, days, daysAgo(days))
  const before = await namesOf(db, 'history')
  const config = { historyDays: 100, outboxHours: 72, idempotencyHours: 24, bulkDays: 7 } as Parameters<typeof sweep>[1]
  await sweep(db, config)
  const after = await namesOf(db, 'history')
  const left = await historyOf(db)
  // The partition in which the limit is, is kept whole.
  expect(left.slice(-2)).toEqual([50, 0])
  expect(left).not.toContain(190)
  expect(after).toEqual(before.slice(before.length - after.length))
  expect(after.length).toBeLessThan(before.length - 2)
  await insertAt(db, 7, new Date())
  await sweep(db, config)
  expect(await namesOf(db, 'history')).toEqual(after)
})

test('a partition of the outbox is dropped once every consumer has passed it, and late consumers notice', async () => {
  const db = await freshDatabase()
  for (let days = 12; days >= 0; days--) await makePartitions(db, daily, { now: daysAgo(days) })
  const start = await currentPosition(db)
  const insert = (days: number) =>
    db.run(
      sql`insert into outbox (object_id, data_type, event, at) values (${days}, 'product', 'UPDATE', ${daysAgo(days)})`,
    )
  const stored = async () =>
    (await db.rows<{ id: number }>(sql`select object_id as id from outbox order by seq`)).map(({ id }) => id)
  await insert(10)
  await untilReleased(db)
  const between = await currentPosition(db)
  await insert(8)
  await insert(0)
  await untilReleased(db)
  await keepFrom(db, 'slow', between)
  await trimOutbox(db, 72)
  expect(await stored()).toEqual([8, 0])
  expect([await isKept(db, start), await isKept(db, between)]).toEqual([false, true])
  await forgetConsumer(db, 'slow')
  await trimOutbox(db, 72)
  expect(await stored()).toEqual([0])
  expect(await isKept(db, between)).toBe(false)
  expect(await isKept(db, await currentPosition(db))).toBe(true)
})

test('processes that make partitions at the same time do not disturb each other', async () => {
  const db = await freshDatabase(10)
  for (let months = 0; months < 3; months++) await insertAt(db, months, daysAgo(months * 30))
  const now = new Date()
  await Promise.all(
    Array.from({ length: 6 }, (_, i) => makePartitions(db, tables, { now, ...(i % 2 === 0 && { small: 0 }) })),
  )
  await makePartitions(db, tables, { now })
  for (const { table } of tables) await expectGapless(db, table)
  expect(await historyOf(db)).toEqual([2, 1, 0])
  const made = await namesOf(db, 'history')
  await makePartitions(db, tables, { now })
  expect(await namesOf(db, 'history')).toEqual(made)
})

test('dividing that was interrupted for months makes no write fail once a server starts', async () => {
  const db = await freshDatabase()
  await insertAt(db, 1, daysAgo(90))
  await addLimit(db, 'history', 'history_default', null, daysAgo(30))
  await expect(insertAt(db, 2, new Date())).rejects.toThrow('history_limit')
  await makePartitions(db, tables, { leaveLarge: true, small: 0 })
  await insertAt(db, 2, new Date())
  expect(await historyOf(db)).toEqual([1, 2])
})

test('an upgrade keeps every row and number, and the version before goes on with its prepared statements', async () => {
  const { url } = inject('postgres')
  const name = `kontor_test_${randomBytes(8).toString('hex')}`
  await administer(url, `create database ${name}`)
  const old = connect({ connectionString: withDatabase(url, name), max: 1 })
  const db = connect({ connectionString: withDatabase(url, name) })
  onTestFinished(async () => {
    await old.close()
    await db.close()
    await administer(url, `drop database ${name} with (force)`)
  })
  const migrations = readMigrations(new URL('../../../migrations', import.meta.url))
  await migrate(
    db,
    migrations.filter(({ number }) => number < 30),
  )
  // as the version before wrote them
  const write = async (id: number) =>
    (await old.writeRow<{ seq: number }>(sql`
      with noted as (
        insert into history (object_id, data_type, action, user_name, changes)
        values (${id}, 'product', 'link', 'kim', ${JSON.stringify({ a: id })}::jsonb)
      )
      insert into outbox (object_id, data_type, event, action) values (${id}, 'product', 'UPDATE', 'link')
      returning seq`))!
  const first = await write(1)
  const audit = () =>
    old.run(sql`
    insert into audit_event (actor, client, session, address, action, object, outcome, detail, support_id)
    values ('kim', '', '', '', 'test', 'x', 'success', '{}', '')`)
  await audit()
  const read = async () => [
    await db.rows(sql`select id, object_id, data_type, action, at, user_name, changes from history order by id`),
    await db.rows(sql`select seq, xid, object_id, data_type, event, at, action from outbox order by seq`),
    await db.rows(sql`select seq, at, actor, action, previous, hash from audit_event order by seq`),
  ]
  const before = await read()
  await migrate(db, migrations)
  expect(await read()).toEqual(before)
  const second = await write(2)
  expect(second.seq).toBe(first.seq + 1)
  await audit()
  const between = await read()
  await makePartitions(db, tables, { small: 0 })
  expect(await namesOf(db, 'history')).toContain('history_before')
  expect(await read()).toEqual(between)
  expect((await write(3)).seq).toBe(first.seq + 2)
  await audit()
  const after = await read()
  expect(after.map((rows) => rows.length)).toEqual([3, 3, 3])
  expect(after[0]!.map((row) => (row as { id: number }).id)).toEqual([1, 2, 3])
  expect((await verifyAudit(db)).fault).toBeUndefined()
})
