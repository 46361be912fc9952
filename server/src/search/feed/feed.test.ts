/** One index and its source when reading fails, is paused, or the process dies: nothing that was accepted is lost. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDatabase } from '../../../test/database.ts'
import { connect, type Database } from '../../adapters/postgres/db.ts'
import { type DocumentSource, plainFields } from '../../core/outbox/documents.ts'
import type { OutboxRow } from '../../core/outbox/outbox.ts'
import { type Indexes, type IndexSchema, openIndexes } from '@kontor/search-engine'
import { documentMaker, type Entry } from './catalogue.ts'
import { createFeed, type Feed } from './feed.ts'
import { type Progress, rebuildIndex } from './rebuild.ts'

const schema: IndexSchema = {
  locales: ['en_GB'],
  defaultLocale: 'en_GB',
  fields: [
    { name: 'name', type: 'text', weight: 1 },
    { name: '_scope', type: 'keyword' },
    { name: '_refs', type: 'keyword' },
  ],
}
/** Every product says the name of the keyword. */
const keyword = 1_000_000
let names: Map<number, string>
let word: string
/** Calls that can be made in the present state. */
let reads: (id: number) => boolean
let refers: boolean
const demand = (possible: boolean) => {
  if (!possible) throw new Error('the database is away')
}
const source: DocumentSource = {
  index: 'PRODUCT',
  kinds: [],
  dataTypes: new Set(['product']),
  fields: async () => [],
  async read(_db, ids) {
    demand(ids.every(reads))
    return ids
      .filter((id) => names.has(id))
      .map((id) => ({ id, fields: plainFields({ name: `${names.get(id)} ${word}` }), scopes: {}, refs: [keyword] }))
  },
  list: async (_db, after) => [...names.keys()].filter((id) => id > after).toSorted((a, b) => a - b),
  count: async () => names.size,
  find: async () => [],
  async referred(_db, changes) {
    demand(refers)
    return changes.flatMap(({ dataType, objectId }) => (dataType === 'keyword' ? [objectId] : []))
  },
}
const entry = { source, toDocument: documentMaker({ spread: [], locales: [] }) } as unknown as Entry

let database: Database
let drop: () => Promise<void>
let folder: string
let indexes: Indexes
let feed: Feed
beforeAll(async () => {
  const created = await createDatabase()
  drop = created.drop
  database = connect(created.poolConfig)
})
afterAll(async () => {
  await database.close()
  await drop()
})
beforeEach(async () => {
  names = new Map([[1, 'first']])
  word = 'old'
  reads = () => true
  refers = true
  folder = await mkdtemp(join(tmpdir(), 'kontor-feed-'))
  indexes = await openIndexes({ folder, threads: 0 })
  const index = await indexes.open('PRODUCT', schema)
  feed = createFeed({ db: database, index, entry: () => entry, failed: () => {} })
})
afterEach(async () => {
  await indexes.close()
  await rm(folder, { recursive: true })
})

const rebuild = (report: (progress: Progress) => void = () => {}) =>
  rebuildIndex({ database, feed, plan: async () => ({ schema }), signal: new AbortController().signal, report })
const late = String(10 ** 12)
const changeOf = (dataType: string, objectId: number, xid = late): OutboxRow => {
  return { seq: objectId, xid, objectId, dataType, event: 'UPDATE', action: null, at: new Date() }
}
const found = async (text: string) => {
  const { hits } = await feed.index.search({ predicate: { kind: 'text', text }, offset: 0, limit: 1000 })
  return hits.length
}
/** So many that they are worked off in portions. */
const addMany = () => {
  for (let id = 2; id <= 500; id++) names.set(id, 'other')
}
const later = (count: number) => `${10 ** 12 + count}.0`

test('changes held back by a pause are read later if the first read fails', async () => {
  await rebuild()
  await feed.pause(true)
  names.set(2, 'second')
  await feed.accept([changeOf('product', 2)], later(1))
  reads = () => false
  await expect(feed.pause(false)).rejects.toThrow('away')
  reads = () => true
  await feed.accept([], later(2))
  expect(await found('second')).toBe(1)
})

test('the position stays before waiting changes while the backlog is applied', async () => {
  addMany()
  await rebuild()
  word = 'new'
  await feed.accept([changeOf('keyword', keyword)], later(1))
  await feed.pause(true)
  await feed.accept([changeOf('product', 1)], later(2))
  await feed.settled()
  expect(await found('new')).toBe(500)
  expect(feed.index.appliedPosition()).toBe(later(1))
})

test('the position stays before changes that could not be read while the backlog is applied', async () => {
  addMany()
  await rebuild()
  word = 'new'
  await feed.accept([changeOf('keyword', keyword)], later(1))
  names.set(1000, 'unreadable')
  reads = (id) => id !== 1000
  await expect(feed.accept([changeOf('product', 1000)], later(2))).rejects.toThrow('away')
  await feed.settled()
  expect(feed.index.appliedPosition()).toBe(later(1))
})

test('settled() rejects if the backlog failed, and the next change retries it', async () => {
  addMany()
  await rebuild()
  word = 'new'
  await feed.accept([changeOf('keyword', keyword)], later(1))
  reads = () => false
  await expect(feed.settled()).rejects.toThrow('away')
  reads = () => true
  await feed.accept([], later(2))
  await feed.settled()
  expect(await found('new')).toBe(500)
})

test('after a rebuild that fails behind the switch, the next change or a restart applies the recorded changes', async () => {
  const broken = rebuild(({ event }) => {
    if (event !== 'SET_ALIAS') return // until then all documents are read
    word = 'new'
    void feed.accept([changeOf('keyword', keyword)], later(1))
    refers = false
  })
  await expect(broken).rejects.toThrow('away')
  expect(await found('old')).toBe(1)
  expect(feed.index.appliedPosition()).not.toBe(later(1))
  refers = true
  await feed.accept([], later(2))
  expect([await found('old'), await found('new')]).toEqual([0, 1])
})

test('changes committed before a rebuild began are not applied to it again', async () => {
  names.set(2, 'second')
  await rebuild()
  const read: number[] = []
  reads = (id) => read.push(id) > 0
  await rebuild(({ event, documentsProcessed }) => {
    if (event === 'ADD_DOCUMENTS' && documentsProcessed === 0)
      void feed
        .accept([changeOf('product', 1, '1')], later(1))
        .then(() => feed.accept([changeOf('product', 2)], later(2)))
  })
  const times = (id: number) => read.filter((each) => each === id).length
  // By the index that serves and by the new one; what changed meanwhile then by the new one, before and after the switch.
  expect([times(1), times(2)]).toEqual([2, 4])
})
