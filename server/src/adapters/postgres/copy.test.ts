import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { copyIn, copyOut, openSession, type Session } from './copy.ts'
import { connect, type Database } from './db.ts'
import { sql } from './sql.ts'

let source: TestDatabase
let database: Database
let client: Session
beforeAll(async () => {
  source = await createDatabase()
  database = connect(source.poolConfig)
  await database.run(sql`create table note (id int primary key, body text)`)
  client = await openSession(database)
})
afterAll(async () => {
  await client.end()
  await database.close()
  await source.drop()
})
beforeEach(async () => {
  await database.run(sql`truncate note`)
})

const outOf = 'copy (select id, body from note order by id) to stdout'
const into = 'copy note (id, body) from stdin'
const count = async () => (await client.query<{ n: number }>('select count(*)::int as n from note')).rows[0]!.n

test('a table goes out as text and comes in again, with the number of its rows', async () => {
  await database.run(sql`insert into note select n, repeat('ä', 1000) from generate_series(1, 3000) as n`)
  const out = copyOut(client, outOf)
  const written = await text(out.stream)
  expect(await out.countRows()).toBe(3000)
  await database.run(sql`truncate note`)
  expect(await copyIn(client, into, [Buffer.from(written)])).toBe(3000)
  const again = copyOut(client, outOf)
  expect(await text(again.stream)).toBe(written)
  expect(await again.countRows()).toBe(3000)
})

test('a table without rows goes out as nothing', async () => {
  const out = copyOut(client, outOf)
  expect(await text(out.stream)).toBe('')
  expect(await out.countRows()).toBe(0)
})

test('a source larger than the buffers of the connection comes in whole', async () => {
  const lines = function* () {
    for (let n = 0; n < 200_000; n++) yield Buffer.from(`${n}\t${'x'.repeat(50)}\n`)
  }
  expect(await copyIn(client, into, lines())).toBe(200_000)
  expect(await count()).toBe(200_000)
})

test('a failed statement reports its error, and the session can be used again', async () => {
  await expect(text(copyOut(client, 'copy nowhere to stdout').stream)).rejects.toThrow('"nowhere" does not exist')
  await expect(copyIn(client, 'copy nowhere from stdin', [Buffer.from('1\n')])).rejects.toThrow('does not exist')
  await expect(copyIn(client, into, [Buffer.from('1\ta\nx\tb\n')])).rejects.toThrow('invalid input syntax')
  expect(await count()).toBe(0)
})

test('an error of the source aborts the COPY inside the transaction and is reported', async () => {
  await client.query('begin')
  const breaking = async function* () {
    yield Buffer.from('1\ta\n')
    throw new Error('the disk is gone')
  }
  await expect(copyIn(client, into, breaking())).rejects.toThrow('the disk is gone')
  await expect(client.query('select 1')).rejects.toThrow('current transaction is aborted')
  await client.query('rollback')
  expect(await count()).toBe(0)
})

test('a reader that stops early does not keep the session from ending', async () => {
  await database.run(sql`insert into note select n, repeat('x', 1000) from generate_series(1, 20000) as n`)
  const other = await openSession(database)
  const { stream } = copyOut(other, outOf)
  for await (const _ of stream as Readable) break
  await other.end()
})
