/** Statements that need a few rows of a large table do not read the whole table, whatever the plan was made for. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { isLinked } from '../../common/links/links.sql.ts'
import { findDue } from '../../webhooks/webhooks.sql.ts'
import { connect, type Database, type Db } from './db.ts'
import { type Sql, sql } from './sql.ts'

const many = 20_000
const hook = '0f0e0d0c-0b0a-4908-8706-050403020100'

let source: TestDatabase
let database: Database
beforeAll(async () => {
  source = await createDatabase()
  database = connect(source.poolConfig)
})
afterAll(async () => {
  await database.close()
  await source.drop()
})

/** How many rows of a table are read without an index; a transaction sees its own numbers at once. */
async function rowsScanned(table: string, run: (db: Db) => Promise<unknown>): Promise<number> {
  const scanned = sql`select seq_tup_read::int as rows from pg_stat_xact_user_tables where relname = ${table}`
  return database.transaction(async (db) => {
    const before = await db.row<{ rows: number }>(scanned)
    await run(db)
    const after = await db.row<{ rows: number }>(scanned)
    return after!.rows - before!.rows
  })
}
const one = (statement: Sql) => (db: Db) => db.run(statement)

test('a deletion finds the links of what is deleted, even after one that deleted very much', async () => {
  await database.run(sql`
    insert into keyword (id, name, path, created_by, modified_by)
    select n, 'k' || n, '/k' || n, 'admin', 'admin' from generate_series(1, ${many}::int) n`)
  await database.run(sql`
    insert into link (kind, from_id, to_id, created_by)
    select 'keywordToKeyword', n, ${many}::int + 1 - n, 'admin' from generate_series(1, ${many}::int) n`)
  await database.run(sql`analyze`)
  const scanned = await rowsScanned('link', async (db) => {
    await db.run(sql`delete from keyword where id <= ${many / 4}`)
    await db.run(sql`delete from keyword where id = ${many / 2}`)
  })
  expect(scanned).toBe(0)
  const left = await database.row<{ count: number }>(sql`select count(*) from link`)
  expect(left!.count).toBe(many / 2 - 2)
})

test('a round of a webhook reads what waits, not what was delivered', async () => {
  await database.run(sql`
    insert into webhook (id, url, secrets, position, created_by, principal)
    values (${hook}::uuid, 'https://example.com/', array['\\x00'::bytea], '0', 'admin', '{}')`)
  await database.run(sql`
    insert into webhook_delivery (webhook_id, event_id, type, subject, object_id, body, state)
    select ${hook}::uuid, n::text, 'kontor.product.update', 's', n * 7919 % 5000, repeat('x', 300),
      case when n % 3 = 0 then 'waiting' else 'delivered' end
    from generate_series(1, ${many}::int) n`)
  await database.run(sql`analyze`)
  expect(await rowsScanned('webhook_delivery', (db) => findDue(db, hook, 200))).toBe(0)
})

test('whether a product has links is found by index, although the objects that have links have many', async () => {
  await database.run(sql`update link set from_id = ${many * 2} + from_id % 3`)
  await database.run(sql`analyze link`)
  const none = [7, 8, 9].map((n) => many * 3 + n)
  const asked = sql`select ${isLinked(sql`o.id`)} from unnest(${none}::bigint[]) as o (id)`
  expect(await rowsScanned('link', one(asked))).toBe(0)
})

test('this test sees a table that is read as a whole', async () => {
  expect(await rowsScanned('link', one(sql`select from link where created_by = 'admin' limit 10`))).toBeGreaterThan(0)
})
