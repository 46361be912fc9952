/** Documents that build workers read themselves. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  openIndexes,
  type EmbeddedIndexes as Indexes,
  type IndexSchema,
  type DocumentReader,
  type EmbeddedSearchIndex as SearchIndex,
} from '../index.ts'

const schema: IndexSchema = { locales: [], defaultLocale: 'en_GB', fields: [{ name: 'name', type: 'text', weight: 1 }] }

/** Has every document but the tenth, and none after the hundredth; an option reverses their order. */
const module = `data:text/javascript,${encodeURIComponent(`
  export const openReader = ({ word }) => async (ids) => {
    if (ids.some((id) => id > 100)) throw new Error('the database is gone')
    const document = (id) => ({ id, fields: new Map([['name', new Map([['', [word + ' ' + id]]])]]) })
    const found = ids.filter((id) => id !== 10).map(document)
    return word === 'backwards' ? found.reverse() : found
  }`)}`
const readerWith = (word: string): DocumentReader => ({ module, options: { word } })
const idsFrom = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-reader-'))
})
afterAll(() => rm(folder, { recursive: true }))
const opened: Indexes[] = []
afterEach(() => Promise.all(opened.splice(0).map((indexes) => indexes.close())))

async function open(): Promise<SearchIndex> {
  const indexes = await openIndexes({ folder, threads: 2 })
  opened.push(indexes)
  return indexes.open('PRODUCT', schema)
}
async function count(index: SearchIndex, text: string): Promise<number> {
  return (await index.search({ predicate: { kind: 'text', text }, offset: 0, limit: 0 })).total
}
async function rebuildBy(index: SearchIndex, word: string): Promise<void> {
  const next = await index.rebuild(schema)
  for (let first = 1; first <= 100; first += 20) await next.collect(readerWith(word), idsFrom(first, 20))
  await next.finish('a')
  await next.activate()
}

test('build workers read documents by ID and skip missing ones', async () => {
  const index = await open()
  await rebuildBy(index, 'boat')
  expect([await count(index, 'boat'), await count(index, '11'), await count(index, '10')]).toEqual([99, 1, 0])
})
test('every rebuild uses its own reader options', async () => {
  const index = await open()
  await rebuildBy(index, 'ship')
  expect([await count(index, 'boat'), await count(index, 'ship')]).toEqual([0, 99])
})
test('documents out of order fail the rebuild, because IDs are found by binary search', async () => {
  const index = await open()
  const next = await index.rebuild(schema)
  await next.collect(readerWith('backwards'), idsFrom(1, 20))
  await expect(next.finish('b')).rejects.toThrow('document 19 came after document 20: IDs must ascend')
  await next.drop()
})
test('a read error fails the rebuild, and the previous generation keeps serving', async () => {
  const index = await open()
  const next = await index.rebuild(schema)
  await next.collect(readerWith('raft'), idsFrom(90, 20))
  await expect(next.finish('b')).rejects.toThrow('the database is gone')
  await next.drop()
  expect([await count(index, 'ship'), await count(index, 'raft')]).toEqual([99, 0])
  await rebuildBy(index, 'raft')
  expect(await count(index, 'raft')).toBe(99)
})
