import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { createDatabase } from '../../../test/database.ts'
import { connect, type Database } from './db.ts'
import { migrate, readMigrations, type Migration } from './migrate.ts'
import { sql } from './sql.ts'

/** Writes a folder of migration files and reads it. */
function read(files: Record<string, string>): Migration[] {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-migrations-'))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    return readMigrations(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const one = { '0001-one.sql': 'create table one (id int); insert into one values (1);\n' }
const two = { '0002-two.sql': 'alter table one add name text;' }
const slow = { '0002-slow.sql': 'select pg_sleep(0.3); insert into one values (2);' }

describe('files', () => {
  test('are read in the order of their numbers; the dump and other files are not migrations', () => {
    const migrations = read({ ...two, ...one, 'schema.sql': '', 'README.md': '' })
    expect(migrations.map(({ number, name }) => [number, name])).toEqual([
      [1, '0001-one'],
      [2, '0002-two'],
    ])
  })

  test('have the same checksum with any line endings', () => {
    const [unix] = read({ '0001-x.sql': 'select 1;\nselect 2;\n' })
    const [windows] = read({ '0001-x.sql': 'select 1;\r\nselect 2;\r\n' })
    expect(windows).toEqual(unix)
  })

  test('with malformed names are refused', () => {
    expect(() => read({ '1-one.sql': '' })).toThrow('The migration 1-one.sql must be named like 0001-objects.sql')
  })
})

describe('a database', () => {
  let database: Database
  let other: Database // like a second process
  beforeEach(async () => {
    const { poolConfig, drop } = await createDatabase()
    database = connect(poolConfig)
    other = connect(poolConfig)
    await database.run(sql`drop table schema_migration`)
    return async () => {
      await database.close()
      await other.close()
      await drop()
    }
  })
  const ids = async () => (await database.rows<{ id: number }>(sql`select id from one order by id`)).map(({ id }) => id)

  test('gets the migrations that it does not have', async () => {
    expect(await migrate(database, [])).toEqual([])
    expect(await migrate(database, read(one))).toEqual(['0001-one'])
    expect(await migrate(database, read({ ...one, ...two }))).toEqual(['0002-two'])
    expect(await migrate(database, read({ ...one, ...two }))).toEqual([])
    expect(await database.rows(sql`select id, name from one`)).toEqual([{ id: 1, name: null }])
  })

  test('is migrated once by two processes that start together', async () => {
    const migrations = read({ ...one, ...slow })
    const done = await Promise.all([migrate(database, migrations), migrate(other, migrations)])
    expect(done.flat()).toEqual(['0001-one', '0002-slow'])
    expect(await ids()).toEqual([1, 2])
  })

  test('keeps nothing of a failed file, and everything before it', async () => {
    const faulty = { '0002-faulty.sql': 'insert into one values (2); select nonsense;' }
    await expect(migrate(database, read({ ...one, ...faulty }))).rejects.toThrow(
      'The migration 0002-faulty failed and was undone: column "nonsense" does not exist',
    )
    expect(await ids()).toEqual([1])
    expect(await migrate(database, read({ ...one, ...two }))).toEqual(['0002-two'])
  })

  test('in use is not blocked by a waiting migration', async () => {
    await migrate(database, read(one))
    await other.transaction(async (db) => {
      await db.lock(sql`lock table one`)
      await expect(migrate(database, read({ ...one, ...two }), 100)).rejects.toThrow('lock timeout')
    })
  })

  test('in use is migrated as soon as it is free', async () => {
    await migrate(database, read(one))
    let migrating: Promise<string[]> | undefined
    await other.transaction(async (db) => {
      await db.lock(sql`lock table one`)
      migrating = migrate(database, read({ ...one, ...two }), 100)
      await expect(Promise.race([migrating, pause(250)])).resolves.toBeUndefined() // it has given up at least once
    })
    expect(await migrating).toEqual(['0002-two'])
  })

  test('that a newer version has added to can still be used by the old one', async () => {
    await migrate(database, read({ ...one, ...two }))
    expect(await migrate(other, read(one))).toEqual([])
  })

  test('is refused when it lacks what this version needs, but not when it lacks what this version no longer uses', async () => {
    const contract = { '0003-contract-0002-no-id.sql': 'alter table one drop id;' }
    await migrate(database, read({ ...one, ...two, ...contract }))
    await expect(migrate(other, read(one))).rejects.toThrow(
      'The database has the migration 0003-contract-0002-no-id, after which this version cannot run: run a newer version',
    )
    expect(await migrate(other, read({ ...one, ...two }))).toEqual([])
  })

  // prettier-ignore
  const refused: [string, Record<string, string>, string][] = [
    ['a changed file', { '0001-one.sql': 'select 1' }, 'The migration 0001-one was changed after it was applied to this database'],
    ['a number twice', { ...one, '0001-uno.sql': '' }, 'The migration 0001-uno has a number that was given already'],
    ['a gap', { ...one, '0003-three.sql': '' }, 'The migration 0003-three must have the number 2'],
  ]
  test.each(refused)('refuses %s', async (_, files, message) => {
    await migrate(database, read(one))
    await expect(migrate(database, read(files))).rejects.toThrow(message)
    expect(await ids()).toEqual([1])
  })
})
