/** The fields of indexes, which change while they are read, and a start while the database is away for a moment. */
import { setTimeout } from 'node:timers/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createDatabase } from '../../../test/database.ts'
import { connect, type Database } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { openNotifier } from '../../core/outbox/notifier.ts'
import type { DocumentField, DocumentSource } from '../../core/outbox/documents.ts'
import { embeddedEngine } from './engine.ts'
import { createSearchService } from './service.ts'

const fieldsCalled = (...names: string[]) => names.map((name): DocumentField => ({ name, type: 'keyword', label: {} }))

/** `through`: how the service sees the database. */
async function openService(
  fields: DocumentSource['fields'],
  through: (database: Database) => Database = (database) => database,
) {
  const created = await createDatabase()
  const database = connect(created.poolConfig)
  const outbox = openNotifier(database)
  const folder = await mkdtemp(join(tmpdir(), 'kontor-service-'))
  const source: DocumentSource = {
    index: 'PRODUCT',
    kinds: [],
    dataTypes: new Set(),
    fields,
    read: async () => [],
    list: async () => [],
    count: async () => 0,
    find: async () => [],
    referred: async () => [],
  }
  const failed = vi.fn()
  const { signal: closing } = new AbortController()
  const engine = embeddedEngine({ folder, threads: 0 })
  const given = { engine, sources: [source], ...outbox, closing, failed }
  const service = createSearchService({ ...given, database: through(database) })
  onTestFinished(async () => {
    await service.close()
    await outbox.stop()
    await database.close()
    await created.drop()
    await rm(folder, { recursive: true })
  })
  return { running: await service.start(), database, failed }
}

test('of two overlapping reads of the fields, the later one wins', async () => {
  /** The second is that of the rebuild; it takes long, and ends with what was there when it began. */
  const second = Promise.withResolvers<DocumentField[]>()
  const fields = vi
    .fn<DocumentSource['fields']>(async () => fieldsCalled('old', 'new'))
    .mockImplementationOnce(async () => fieldsCalled('old'))
    .mockImplementationOnce(() => second.promise)
  const { running, database, failed } = await openService(fields)
  await vi.waitFor(() => expect(fields).toHaveBeenCalledTimes(2), 10_000)
  await database.run(sql`insert into outbox (object_id, data_type, event) values (1, 'attrDefinition', 'UPDATE')`)
  await setTimeout(1000) // time for a third call to overtake it
  second.resolve(fieldsCalled('old'))
  await vi.waitFor(() => expect(running.progress('PRODUCT').event).toBe('END'), 10_000)
  await vi.waitFor(() => expect(running.catalogue().get('PRODUCT')!.fields.has('new')).toBe(true), 10_000)
  expect(failed).not.toHaveBeenCalled()
})

test('an index is complete although the database was away when its feed began', async () => {
  let faults = 4 // of both the feed and the first look at what it must read
  const away = (database: Database): Database => ({
    ...database,
    separatePool(max) {
      const pool = database.separatePool(max)
      const rows: Database['rows'] = async (statement) => {
        if (statement.text.includes('pg_current_snapshot') && faults-- > 0) throw new Error('Connection terminated')
        return pool.rows(statement)
      }
      return { ...pool, rows }
    },
  })
  const { running } = await openService(async () => fieldsCalled('old'), away)
  await vi.waitFor(async () => expect(await running.isComplete('PRODUCT')).toBe(true), 20_000)
  expect(faults).toBeLessThan(0)
})
