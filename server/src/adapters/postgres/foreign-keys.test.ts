/** Every foreign key has an index, so that deleting a referenced row does not scan the referencing table. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { connect, type Database } from './db.ts'
import { sql } from './sql.ts'

/** Foreign keys that need none. */
const exceptions: Readonly<Record<string, string>> = {
  dam_entry_rnc_id_fkey: 'storages are never deleted',
  user_session_user_id_fkey: 'users are never deleted',
  offline_session_user_id_fkey: 'users are never deleted',
}

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

/** A partial index serves a foreign key only if its condition is that the column is not null. */
const unindexed = sql`
  select conname as name from pg_constraint c
  where contype = 'f' and connamespace = 'public'::regnamespace
    and not exists (
      select from pg_index i
      where i.indrelid = c.conrelid and i.indisvalid
        and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey
        and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = (
          select format('(%I IS NOT NULL)', attname) from pg_attribute
          where attrelid = c.conrelid and attnum = c.conkey[1])))
  order by conname collate "C"`

test('every foreign key has an index that begins with its columns', async () => {
  const found = await database.rows<{ name: string }>(unindexed)
  expect(found.map(({ name }) => name)).toEqual(Object.keys(exceptions).toSorted())
})

test('an index on other columns, or with another condition, does not count', async () => {
  await database.run(sql`create table part (id int primary key, whole_id int references part, gone boolean)`)
  await database.run(sql`create index on part (id, whole_id)`)
  await database.run(sql`create index on part (whole_id) where not gone`)
  expect(await database.rows(unindexed)).toContainEqual({ name: 'part_whole_id_fkey' })
  await database.run(sql`create index on part (whole_id, gone) where whole_id is not null`)
  expect(await database.rows(unindexed)).not.toContainEqual({ name: 'part_whole_id_fkey' })
})
