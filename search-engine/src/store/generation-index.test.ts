/** Files of an index: restarts, damage and new generations. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FieldValues, IndexSchema, Scalar, SearchDocument } from '../port.ts'
import { DamagedSegment } from '../segment/container.ts'
import { createFiles, openFiles } from './files.ts'
import { mappingOf } from './mapping.ts'
import { sealAt } from './merge-policy.ts'
import { createIndex, type EmbeddedIndex } from './generation-index.ts'

const schema: IndexSchema = {
  locales: ['de_DE'],
  defaultLocale: 'de_DE',
  fields: [
    { name: 'name', type: 'text', localized: true, weight: 1 },
    { name: 'price', type: 'number' },
  ],
}
const valuesIn = (locale: string, values: Scalar[]): FieldValues => new Map([[locale, values]])
const document = (id: number, name = `Schuh ${id}`): SearchDocument => ({
  id,
  fields: new Map([
    ['name', valuesIn('de_DE', [name])],
    ['price', valuesIn('', [id])],
  ]),
})
const documents = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => document(from + i))
const all = { predicate: { kind: 'all' as const }, offset: 0, limit: 100 }
const found = async (index: EmbeddedIndex, text?: string) => {
  const predicate = text === undefined ? all.predicate : { kind: 'text' as const, text }
  return (await index.search({ ...all, predicate, sort: [{ field: 'price' }] })).hits.map(({ id }) => id)
}

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kontor-store-'))
})
afterAll(() => rm(root, { recursive: true }))
let count = 0
const newFolder = () => join(root, String(++count))

async function filled(folder: string): Promise<EmbeddedIndex> {
  const index = createIndex({ schema, files: await createFiles(folder, mappingOf(schema), new Map()) })
  await index.apply({ put: documents(1, 6), remove: [] }, 'a')
  await index.seal()
  return index
}
const reopen = async (folder: string) => createIndex({ schema, files: await openFiles(folder) })

test('sealed changes survive a restart with their position; later changes must be replayed', async () => {
  const folder = newFolder()
  const index = await filled(folder)
  await index.apply({ put: [document(9)], remove: [1] }, 'b')
  expect(await found(index)).toEqual([2, 3, 4, 5, 9])
  const again = await reopen(folder)
  expect(again.appliedPosition()).toBe('a')
  expect(await found(again)).toEqual([1, 2, 3, 4, 5])
})
test('deletions are sealed as well', async () => {
  const folder = newFolder()
  const index = await filled(folder)
  await index.apply({ put: [], remove: [2, 4] }, 'b')
  await index.seal()
  const again = await reopen(folder)
  expect(again.appliedPosition()).toBe('b')
  expect(await found(again)).toEqual([1, 3, 5])
})
test('changes that arrive during a seal are neither lost nor undone', async () => {
  const index = await filled(newFolder())
  await index.apply({ put: documents(10, 20), remove: [] }, 'b')
  const sealing = index.seal()
  await index.apply({ put: [document(11, 'Hut')], remove: [10, 3] }, 'c')
  await index.apply({ put: documents(30, 33), remove: [] }, 'd')
  await sealing
  expect(await found(index, 'hut')).toEqual([11])
  expect(await found(index)).toEqual([1, 2, 4, 5, 11, 12, 13, 14, 15, 16, 17, 18, 19, 30, 31, 32])
})
test('a failed write loses nothing and does not advance the position', async () => {
  const folder = newFolder()
  const files = await createFiles(folder, mappingOf(schema), new Map())
  let isFull = false
  const commit: typeof files.commit = (snapshot, mapping) =>
    isFull ? Promise.reject(new Error('no space left')) : files.commit(snapshot, mapping)
  const index = createIndex({ schema, files: { ...files, commit } })
  await index.apply({ put: documents(1, 4), remove: [] }, 'a')
  await index.seal()
  isFull = true
  await index.apply({ put: [document(8)], remove: [2] }, 'b')
  await expect(index.seal()).rejects.toThrow('no space left')
  expect(await found(index)).toEqual([1, 3, 8])
  expect((await reopen(folder)).appliedPosition()).toBe('a')
  isFull = false
  await index.seal()
  expect(await found(await reopen(folder))).toEqual([1, 3, 8])
})
test('a query keeps the snapshot it started with', async () => {
  const index = await filled(newFolder())
  const before = index.search(all)
  await index.apply({ put: [], remove: [1, 2, 3, 4, 5] }, 'b')
  expect((await before).total).toBe(5)
  expect((await index.search(all)).total).toBe(0)
})
test('applying a change again changes nothing', async () => {
  const index = await filled(newFolder())
  for (let i = 0; i < 3; i++) await index.apply({ put: [document(7)], remove: [1] }, 'b')
  expect(await found(index)).toEqual([2, 3, 4, 5, 7])
})
test('the number of segments and deletions stays small under many changes', async () => {
  const folder = newFolder()
  const index = await filled(folder)
  for (let i = 0; i < 40; i++) {
    await index.apply({ put: documents(i * 3, i * 3 + 5), remove: [i] }, String(i))
    if (i % 4 === 0) await index.seal()
    await index.maintain()
  }
  expect(index.snapshot().parts.length).toBeLessThan(16)
  expect((await readdir(folder)).filter((name) => name.endsWith('.segment')).length).toBeLessThan(16)
})
test('frequent changes of the same documents do not cause many rewrites', async () => {
  const files = await createFiles(newFolder(), mappingOf(schema), new Map())
  let segmentsWritten = 0
  const reserveSegment = () => {
    segmentsWritten++
    return files.reserveSegment()
  }
  const index = createIndex({ schema, files: { ...files, reserveSegment } })
  const [rounds, each] = [8, 4 * sealAt]
  for (let at = 0; at < rounds * each; at += 64) {
    const put = documents(at % each, (at % each) + 64)
    await index.apply({ put, remove: [] }, String(at))
    await index.maintain()
  }
  expect((await index.search(all)).total).toBe(each)
  expect(segmentsWritten).toBeLessThanOrEqual(((rounds * each) / sealAt) * 1.5)
})
test('delta parts are joined while they are small', async () => {
  const index = createIndex({ schema })
  for (let id = 1; id <= 600; id++) await index.apply({ put: [document(id)], remove: [] }, String(id))
  const { parts } = index.snapshot()
  expect(Math.max(...parts.map(({ live }) => live))).toBeLessThan(sealAt)
  expect(parts.length).toBeLessThan(600 / 64 + 2 * 7)
})

describe('damage', () => {
  test('a segment or manifest with a changed or missing byte is rejected', async () => {
    const folder = newFolder()
    await filled(folder)
    const files = (await readdir(folder)).filter((name) => /segment|MANIFEST|LEXICON/.test(name))
    for (const name of files) {
      const good = await readFile(join(folder, name))
      const places = Array.from({ length: 40 }, (_, i) => Math.floor((i * good.length) / 40))
      for (const at of places) {
        const bad = Buffer.from(good)
        bad[at]! ^= 0x55
        await writeFile(join(folder, name), at % 2 ? bad : bad.subarray(0, at))
        const outcome = await reopen(folder).then(found, (error: unknown) => error)
        // Padding between sections is not covered by checksums.
        if (!(outcome instanceof DamagedSegment)) expect(outcome).toEqual([1, 2, 3, 4, 5])
      }
      await writeFile(join(folder, name), good.subarray(0, good.length - 1))
      await expect(reopen(folder)).rejects.toThrow(DamagedSegment)
      await writeFile(join(folder, name), good)
    }
    expect(await found(await reopen(folder))).toEqual([1, 2, 3, 4, 5])
  })
  test('a missing file is damage', async () => {
    const folder = newFolder()
    await filled(folder)
    const segment = (await readdir(folder)).find((name) => name.endsWith('.segment'))!
    await rm(join(folder, segment))
    await expect(reopen(folder)).rejects.toThrow(DamagedSegment)
  })
})
