/** The committed dumps are those of the migrations. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { connect, type Database } from './db.ts'
import { dumpSchema, dumpTables } from './schema.ts'

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

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

test('schema.sql is the result of the migrations; npm run db:schema rewrites it', async () => {
  expect(read('../../../migrations/schema.sql')).toBe(await dumpSchema(database))
})

test('tables.ts has the columns of the migrations; npm run db:schema rewrites it', async () => {
  expect(read('tables.ts')).toBe(await dumpTables(database))
})
