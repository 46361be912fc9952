/** The committed dump and the migrations say the same. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createDatabase } from '../../../test/database.ts'
import { connect } from './db.ts'
import { dumpSchema } from './schema.ts'

test('schema.sql is what the migrations make; npm run db:schema writes it anew', async () => {
  const { poolConfig, drop } = await createDatabase()
  const database = connect(poolConfig)
  const dump = await dumpSchema(database)
  await database.close()
  await drop()
  expect(readFileSync(new URL('../../../migrations/schema.sql', import.meta.url), 'utf8')).toBe(dump)
})
