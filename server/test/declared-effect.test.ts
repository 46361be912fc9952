import { describe, expect, test } from 'vitest'
import { sql } from '../src/adapters/postgres/sql.ts'
import { checkEffect } from './declared-effect.ts'
import { withServer } from './server.ts'

const server = withServer()

describe('a statement declared as a read', () => {
  test.each([
    'insert into note (id) values ($1) returning id',
    'with gone as (delete from note returning id) select id from gone',
    'update note set body = $1 returning id',
    "select nextval('object_id_seq')",
    "select pg_notify('outbox', '')",
    'select pg_try_advisory_lock(1)',
    "select graphile_worker.add_job('x')",
  ])('is rejected if it writes: %s', (text) => {
    expect(() => checkEffect(text, 'read')).toThrow('declared as a read')
    expect(() => checkEffect(text, 'lock')).toThrow('declared as a lock')
    expect(() => checkEffect(text, 'write')).not.toThrow()
  })

  test.each([
    'select id from note order by id for update',
    'select id from note for no key update of note',
    "select id from history where action = 'update' or action like 'delete%' -- insert into",
    'select updated_at, "update" from note',
    'select pg_advisory_xact_lock(1), pg_try_advisory_xact_lock(2)',
  ])('may read and lock until the end of the transaction: %s', (text) => {
    expect(() => checkEffect(text, 'read')).not.toThrow()
  })

  test('is rejected by the test server before it is sent', async () => {
    const write = sql`update user_account set name = name`
    await expect(server.db.rows(write)).rejects.toThrow('declared as a read')
    await expect(server.db.transaction((db) => db.row(write))).rejects.toThrow('declared as a read')
    await expect(server.db.lock(write)).rejects.toThrow('declared as a lock')
  })
})
