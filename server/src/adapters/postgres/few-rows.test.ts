/** Statements that need a few rows of a large table do not read the whole table, whatever the plan was made for. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { isLinked } from '../../common/links/links.sql.ts'
import { findLocked } from '../../dam/dirs/dirs.sql.ts'
import { findBlockers, trashEntries, unlinkAssets } from '../../dam/trash/trash.sql.ts'
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

/** How many rows of a table are read, with an index or without; a transaction sees its own numbers at once. */
async function rowsRead(
  table: string,
  run: (db: Db) => Promise<unknown>,
  first: (db: Db) => Promise<void> = async () => {},
): Promise<number> {
  const read = sql`
    select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = ${table}`
  return database.transaction(async (db) => {
    await first(db)
    const before = await db.row<{ rows: number }>(read)
    await run(db)
    const after = await db.row<{ rows: number }>(read)
    return after!.rows - before!.rows
  })
}
const one = (statement: Sql) => async (db: Db) => void (await db.run(statement))

test('a deletion finds the links of what is deleted, even after one that deleted very much', async () => {
  await database.run(sql`
    insert into keyword (id, name, path, created_by, modified_by)
    select n, 'k' || n, '/k' || n, 'admin', 'admin' from generate_series(1, ${many}::int) n`)
  await database.run(sql`
    insert into link (kind, from_id, to_id, created_by)
    select 'keywordToKeyword', n, ${many}::int + 1 - n, 'admin' from generate_series(1, ${many}::int) n`)
  await database.run(sql`analyze`)
  const read = await rowsRead(
    'link',
    one(sql`delete from keyword where id = ${many / 2}`),
    one(sql`delete from keyword where id <= ${many / 4}`),
  )
  expect(read).toBeLessThan(10)
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
  expect(await rowsRead('webhook_delivery', (db) => findDue(db, hook, 200))).toBeLessThan(1000)
})

test('whether a product has links is found by index, although the objects that have links have many', async () => {
  await database.run(sql`update link set from_id = ${many * 2} + from_id % 3`)
  await database.run(sql`analyze link`)
  const none = [7, 8, 9].map((n) => many * 3 + n)
  const asked = sql`select ${isLinked(sql`o.id`)} from unnest(${none}::bigint[]) as o (id)`
  expect(await rowsRead('link', one(asked))).toBe(0)
})

describe('in a store with many files in few folders', () => {
  const [store, folder] = [100_000, (n: number) => 100_000 + n]
  beforeAll(async () => {
    await database.run(sql`
      insert into rnc (id, tid, name, created_by, modified_by) values (${store}, 'FILES', 'FILES', 'admin', 'admin')`)
    await database.run(sql`
      insert into dam_entry (id, kind, tid, rnc_id, name, name_key, path, path_key, created_by, modified_by)
      select ${store}::int + n, 'dir', 'd' || n, ${store}, 'd' || n, 'd' || n, '/FILES/d' || n, '/files/d' || n, 'admin', 'admin'
      from generate_series(1, ${many}::int) n`)
    await database.run(sql`insert into blob (sha256, size) values (repeat('a', 64), 1)`)
    await database.run(sql`
      insert into dam_entry (id, kind, tid, rnc_id, parent_id, name, name_key, type, sha256, size, mime, import_status,
        locked_by, locked_at, created_by, modified_by)
      select ${folder(many)}::int + n, 'asset', 'a' || n, ${store}, ${store}::int + 1 + n % 20, 'a' || n, 'a' || n, 'IMG',
        repeat('a', 64), 1, 'image/png', 'available', case when n % 2 = 0 then 'eva' end, case when n % 2 = 0 then now() end,
        'admin', 'admin'
      from generate_series(1, ${many}::int) n`)
    await database.run(sql`analyze`)
  })

  test('a file that is checked out is found below a folder by index', async () => {
    const read = await rowsRead('dam_entry', async (db) => {
      expect(await findLocked(db, [folder(1)], 'admin')).toHaveLength(1)
      expect(await findLocked(db, [folder(many)], 'admin')).toEqual([])
    })
    expect(read).toBeLessThan(1100)
  })

  test('a file or an empty folder is deleted without a look at the others', async () => {
    const parts = [folder(many), folder(many) + 1].map((id) => ({ id, topId: id }))
    const read = await rowsRead('dam_entry', async (db) => {
      expect(await findBlockers(db, parts, 'admin')).toEqual([])
      await unlinkAssets(db, parts, 'admin')
      await trashEntries(db, parts, 'admin')
    })
    expect(read).toBeLessThan(100)
    const gone = await database.rows<{ name: string }>(
      sql`select name from dam_entry where deleted_at is not null order by name`,
    )
    expect(gone.map(({ name }) => name)).toEqual(['a1', `d${many}`])
  })
})
