/** The engine as the server uses it: indexes in files, rebuilt while they serve. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as immediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  openIndexes,
  type Indexes,
  type IndexSchema,
  type Scalar,
  type SearchDocument,
  type SearchIndex,
} from './index.ts'

const schema: IndexSchema = {
  locales: ['de_DE'],
  defaultLocale: 'de_DE',
  fields: [
    { name: 'name', type: 'text', localized: true, weight: 1 },
    { name: 'price', type: 'number' },
  ],
}
const wider: IndexSchema = { ...schema, fields: [...schema.fields, { name: 'colour', type: 'keyword' }] }
const changed: IndexSchema = { ...schema, fields: [schema.fields[0]!, { name: 'price', type: 'keyword' }] }

function document(id: number, name = `Schuh ${id}`, colour?: string): SearchDocument {
  const values: [string, string, Scalar[]][] = [
    ['name', 'de_DE', [name]],
    ['price', '', [id]],
    ...(colour ? [['colour', '', [colour]] as [string, string, Scalar[]]] : []),
  ]
  return { id, fields: new Map(values.map(([field, locale, some]) => [field, new Map([[locale, some]])])) }
}
const documents = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => document(from + i))
const all = { predicate: { kind: 'all' as const }, offset: 0, limit: 100 }
async function found(index: SearchIndex, text?: string): Promise<number[]> {
  const predicate = text === undefined ? all.predicate : { kind: 'text' as const, text }
  return (await index.search({ ...all, predicate, sort: [{ field: 'price' }] })).hits.map(({ id }) => id)
}

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kontor-engine-'))
})
afterAll(() => rm(root, { recursive: true }))
let count = 0
const newFolder = () => join(root, String(++count))
const opened: Indexes[] = []
afterEach(() => Promise.all(opened.splice(0).map((indexes) => indexes.close())))

async function open(folder: string, wanted = schema, threads = 0): Promise<SearchIndex> {
  const indexes = await openIndexes({ folder, threads })
  opened.push(indexes)
  return indexes.open('PRODUCT', wanted)
}

async function filled(folder: string, put = documents(1, 4), threads = 0): Promise<SearchIndex> {
  const index = await open(folder, schema, threads)
  const first = await index.rebuild(schema)
  await first.add(put)
  await first.finish('a')
  await first.activate()
  return index
}

test('a missing index finds nothing, rejects changes and requires a rebuild', async () => {
  const index = await open(newFolder())
  expect(index.status()).toMatchObject({ state: 'missing', documents: 0, position: '' })
  expect(await found(index)).toEqual([])
  await expect(index.apply({ put: [document(1)], remove: [] }, 'a')).rejects.toThrow('rebuild it')
})
test('a damaged index finds nothing, rejects changes and requires a rebuild', async () => {
  const folder = newFolder()
  await filled(folder)
  await writeFile(join(folder, 'PRODUCT/000001/MANIFEST'), 'nonsense')
  const index = await open(folder)
  expect(index.status().state).toBe('damaged')
  expect(await found(index)).toEqual([])
})
test('sealed changes survive a restart', async () => {
  const folder = newFolder()
  const index = await filled(folder)
  await index.apply({ put: [document(9)], remove: [1] }, 'b')
  await index.seal()
  await index.apply({ put: [document(10)], remove: [] }, 'c')
  const again = await open(folder)
  expect(await found(again)).toEqual([2, 3, 9])
  expect(again.status()).toMatchObject({ state: 'ready', documents: 3, position: 'b' })
})
test('concurrent changes are all applied, and the last change of a document wins', async () => {
  const index = await filled(newFolder())
  await Promise.all([
    index.apply({ put: [document(7, 'Hut')], remove: [] }, 'b'),
    index.apply({ put: [document(8)], remove: [7, 1] }, 'c'),
    index.apply({ put: [document(7, 'Mantel')], remove: [8] }, 'd'),
    index.apply({ put: [document(1)], remove: [2] }, 'e'),
  ])
  expect(await found(index)).toEqual([1, 3, 7])
  expect(await found(index, 'mantel')).toEqual([7])
  expect(index.appliedPosition()).toBe('e')
})

describe('a rebuild', () => {
  test('leaves the old generation active until it is activated, also after a crash', async () => {
    const folder = newFolder()
    const index = await filled(folder)
    const next = await index.rebuild(schema)
    await next.add(documents(4, 6))
    await next.finish('b')
    expect([await found(index), await found(await open(folder))]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ])
  })
  test('applies changes that arrive meanwhile, and searches never return an older state', async () => {
    const folder = newFolder()
    const index = await filled(folder)
    const next = await index.rebuild(schema)
    await next.add(documents(1, 6))
    await index.apply({ put: [document(8)], remove: [1] }, 'c')
    await next.finish('b')
    await next.apply({ put: [document(8)], remove: [1] }, 'c')
    await next.activate()
    expect([await found(index), index.appliedPosition()]).toEqual([[2, 3, 4, 5, 8], 'c'])
    await index.apply({ put: [], remove: [2] }, 'd')
    await index.seal()
    expect(await found(await open(folder))).toEqual([3, 4, 5, 8])
    expect((await readdir(join(folder, 'PRODUCT'))).sort()).toEqual(['000002', 'CURRENT'])
  })
  test('can run only once at a time, and can be abandoned', async () => {
    const folder = newFolder()
    const index = await filled(folder)
    const next = await index.rebuild(schema)
    await next.add(documents(1, 6))
    await expect(index.rebuild(schema)).rejects.toThrow('is being rebuilt')
    await next.drop()
    expect(index.status().rebuilding).toBe(false)
    expect(await found(index)).toEqual([1, 2, 3])
    expect((await readdir(join(folder, 'PRODUCT'))).sort()).toEqual(['000001', 'CURRENT'])
  })
  test('interrupted by a crash is removed at the next start', async () => {
    const folder = newFolder()
    await (await (await filled(folder)).rebuild(schema)).add(documents(1, 3))
    await open(folder)
    expect((await readdir(join(folder, 'PRODUCT'))).sort()).toEqual(['000001', 'CURRENT'])
  })
  test('splits compounds by the words of the previous generation', async () => {
    const words = [1, 2, 3, 4, 5].map((id) => document(id, 'Damen Schuh'))
    const put = [...words, document(9, 'Damenschuhe')]
    const index = await filled(newFolder(), put)
    expect(await found(index, 'schuh')).toEqual([1, 2, 3, 4, 5])
    const next = await index.rebuild(schema)
    await next.add(put)
    await next.finish('b')
    await next.activate()
    expect(await found(index, 'schuh')).toEqual([1, 2, 3, 4, 5, 9])
  })
})

describe('a changed schema', () => {
  const colours = async (of: SearchIndex) =>
    (await of.search({ ...all, facets: [{ field: 'colour', limit: 9, countEmpty: true }] })).facets[0]!.buckets

  test('with new fields takes effect at once; existing documents have no values for them', async () => {
    const folder = newFolder()
    const index = await filled(folder)
    index.useSchema(wider)
    await index.apply({ put: [document(4, 'Hut', 'rot')], remove: [] }, 'b')
    const wanted = [
      { value: 'rot', count: 1 },
      { value: null, count: 3 },
    ]
    expect(await colours(index)).toEqual(wanted)
    await index.seal()
    const again = await open(folder, wider)
    expect([again.status().state, await colours(again)]).toEqual(['ready', wanted])
  })
  test.each(['starts', 'adds documents', 'applies changes'])(
    'that arrives while a rebuild %s applies to the new generation',
    async (when) => {
      const folder = newFolder()
      const index = await filled(folder)
      const begun = index.rebuild(schema)
      const at = (moment: string) => moment === when && index.useSchema(wider)
      at('starts')
      const next = await begun
      await next.add(documents(1, 4))
      at('adds documents')
      await next.finish('b')
      at('applies changes')
      await next.apply({ put: [document(4, 'Hut', 'rot')], remove: [] }, 'c')
      await next.activate()
      await index.apply({ put: [document(5, 'Hut', 'rot')], remove: [] }, 'd')
      const wanted = [
        { value: 'rot', count: 2 },
        { value: null, count: 3 },
      ]
      expect([index.status().state, await colours(index)]).toEqual(['ready', wanted])
      await index.seal()
      expect(await colours(await open(folder, wider))).toEqual(wanted)
    },
  )
  test('that arrives while a rebuild finishes applies to the new generation', async () => {
    const index = await filled(newFolder())
    let isLate = false
    for (let turns = 0; !isLate; turns += 3) {
      index.useSchema(schema)
      const next = await index.rebuild(schema)
      await next.add(documents(1, 4))
      let isOver = false
      const finished = next.finish('b').then(() => (isOver = true))
      for (let turn = 0; turn < turns; turn++) await immediate()
      isLate = isOver
      index.useSchema(wider)
      await finished
      await next.apply({ put: [document(4, 'Hut', 'rot')], remove: [] }, 'c')
      await next.activate()
      expect(await colours(index)).toContainEqual({ value: 'rot', count: 1 })
    }
  })
  test('that redefines fields while a rebuild adds documents leaves the index outdated', async () => {
    const index = await filled(newFolder())
    const next = await index.rebuild(schema)
    await next.add(documents(1, 4))
    index.useSchema(changed)
    await next.finish('b')
    await next.activate()
    expect([index.status().state, await found(index, 'schuh')]).toEqual(['outdated', [1, 2, 3]])
  })
  test('that redefines fields makes the index outdated, but it keeps serving', async () => {
    const folder = newFolder()
    const index = await filled(folder)
    index.useSchema(changed)
    expect([index.status().state, await found(index, 'schuh')]).toEqual(['outdated', [1, 2, 3]])
    expect((await open(folder, { ...schema, revision: '2' })).status().state).toBe('outdated')
    expect((await open(folder, { ...schema, locales: ['de_DE', 'fr_FR'] })).status().state).toBe('outdated')
    expect((await open(folder, { ...schema, fields: [schema.fields[0]!] })).status().state).toBe('ready')
  })
})

test('matches are highlighted in a text of the primary store', async () => {
  const index = await filled(newFolder())
  const { highlight } = index.highlighter({ kind: 'text', text: 'schuh' })
  expect(highlight(schema.fields[0]!, 'de_DE', 'Rote Schuhe & mehr')).toEqual(['Rote <em>Schuhe</em> &amp; mehr'])
})

describe('in threads', () => {
  test('every search after a change sees it, and each sees a single state', async () => {
    const index = await filled(newFolder(), documents(1, 30), 2)
    for (let round = 1; round <= 20; round++) {
      const put = [1, 2, 3, 4, 5].map((id) => document(id, `Runde w${round}x`))
      const changing = index.apply({ put, remove: [] }, String(round))
      const during = await Promise.all(Array.from({ length: 6 }, () => found(index, `w${round}x`)))
      for (const ids of during) expect([[], [1, 2, 3, 4, 5]]).toContainEqual(ids)
      await changing
      const after = await Promise.all(Array.from({ length: 6 }, () => found(index, `w${round}x`)))
      for (const ids of after) expect(ids).toEqual([1, 2, 3, 4, 5])
    }
  })
  test('a rebuilt generation is searched after its activation, and after a restart', async () => {
    const folder = newFolder()
    const index = await filled(folder, documents(1, 4), 2)
    const next = await index.rebuild(schema)
    await next.add(documents(1, 6))
    await next.finish('b')
    await next.apply({ put: [document(8)], remove: [1] }, 'c')
    expect(await found(index)).toEqual([1, 2, 3])
    await next.activate()
    expect([await found(index), index.appliedPosition()]).toEqual([[2, 3, 4, 5, 8], 'c'])
    expect(await found(await open(folder, schema, 1))).toEqual([2, 3, 4, 5, 8])
  })
})
