/** The answer that a process gets when it asks the feeding one to catch up. */
import { SearchUnavailable } from '@kontor/search-engine'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { connect, type Database } from '../../adapters/postgres/db.ts'
import { takeTurns } from './turns.ts'

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

/** The one that asks; another one feeds. */
async function asking(key: string, catchUp: () => Promise<void>) {
  const nothing = async () => {}
  const options = { database, key, begin: nothing, end: nothing, catchUp, failed: () => {} }
  const feeding = await takeTurns(options)
  const other = await takeTurns({ ...options, catchUp: () => Promise.reject(new Error('not its turn')) })
  onTestFinished(async () => {
    await other.stop()
    await feeding.stop()
  })
  return other
}

test('an engine that the feeding process does not reach is away for the others too, at once', async () => {
  const other = await asking('away', () => Promise.reject(new SearchUnavailable('refused')))
  await expect(other.ask('PRODUCT')).rejects.toThrow('does not reach the engine')
})

test('after another fault it is asked again', async () => {
  const faults = [new Error('the database is away')]
  const other = await asking('again', async () => {
    const fault = faults.pop()
    if (fault) throw fault
  })
  await other.ask('PRODUCT')
  expect(faults).toEqual([])
})
