/** Sections of large segments are read from their files at first use. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openIndexes, type Indexes, type IndexSchema, type SearchDocument, type SearchIndex } from '../index.ts'
import { sectionRanges, unpack } from './container.ts'
import { findDamage, openSegmentFile } from './segment-file.ts'

const schema: IndexSchema = {
  locales: [],
  defaultLocale: 'en_GB',
  fields: [
    { name: 'name', type: 'text', weight: 1 },
    { name: 'price', type: 'number' },
    { name: 'stock', type: 'number' },
  ],
}
/** Has so much text that a few of them make a large segment. */
function document(id: number): SearchDocument {
  const words = Array.from({ length: 4000 }, (_, i) => `w${id}x${i}`)
  const values: [string, (string | number)[]][] = [
    ['name', [`shoe ${words.join(' ')}`]],
    ['price', [id]],
    ['stock', [id]],
  ]
  return { id, fields: new Map(values.map(([name, some]) => [name, new Map([['', some]])])) }
}
const all = { predicate: { kind: 'all' as const }, offset: 0, limit: 10 }
const byText = (text: string) => ({ ...all, predicate: { kind: 'text' as const, text } })
const idsOf = async (index: SearchIndex, query: Parameters<SearchIndex['search']>[0]) =>
  (await index.search(query)).hits.map(({ id }) => id)

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kontor-segment-'))
})
afterAll(() => rm(root, { recursive: true }))

async function filled(folder: string): Promise<string> {
  const indexes = await openIndexes({ folder, threads: 0 })
  const index = await indexes.open('TEST', schema)
  const next = await index.rebuild(schema)
  await next.add(Array.from({ length: 10 }, (_, i) => document(i + 1)))
  await next.finish('a')
  await next.activate()
  await indexes.close()
  const generation = join(folder, 'TEST/000001')
  return join(
    generation,
    (await readdir(generation)).find((name) => name.endsWith('.segment'))!,
  )
}
/** Changes a byte in the middle of a section. */
async function damage(path: string, section: string): Promise<void> {
  const place = unpack(openSegmentFile(path)).sections.bytes(section)
  const bytes = await readFile(path)
  bytes[place.byteOffset + (place.length >> 1)]! ^= 0x55
  await writeFile(path, bytes)
}

test('a section is read at first use, even if the file was removed in the meantime', async () => {
  const path = await filled(join(root, 'lazy'))
  const buffer = openSegmentFile(path)
  expect(buffer.byteLength).toBeGreaterThan(1 << 20)
  const places = [...sectionRanges(buffer)]
  const isRead = () => places.filter(([from, to]) => new Uint8Array(buffer, from, to - from).some((byte) => byte !== 0))
  expect(isRead()).toEqual([])
  await rm(path)
  const { sections } = unpack(buffer)
  expect(sections.numbers('ids')).toEqual(Uint32Array.from({ length: 10 }, (_, i) => i + 1))
  expect(isRead()).toHaveLength(1)
})
test('identical columns are stored once, and inspection covers the whole file', async () => {
  const path = await filled(join(root, 'alike'))
  const buffer = openSegmentFile(path)
  const { sections } = unpack(buffer)
  expect(sections.f64('stock/.values')).toEqual(sections.f64('price/.values'))
  expect(sections.f64('stock/.values').byteOffset).toBe(sections.f64('price/.values').byteOffset)
  const ends = [...sectionRanges(buffer)]
    .map(([from, to]) => [from, Math.ceil(to / 8) * 8] as const)
    .sort(([a], [b]) => a - b)
  const gaps = ends.filter(([from], i) => i > 0 && from !== ends[i - 1]![1])
  expect([gaps, ends.at(-1)![1]]).toEqual([[], (await stat(path)).size])
})
test('a search finds the documents of a file', async () => {
  const folder = join(root, 'found')
  await filled(folder)
  const indexes = await openIndexes({ folder, threads: 1 })
  const index = await indexes.open('TEST', schema)
  expect(await idsOf(index, byText('w7x3000'))).toEqual([7])
  expect(await idsOf(index, { ...all, sort: [{ field: 'price', descending: true }], limit: 2 })).toEqual([10, 9])
  await indexes.close()
})
test('a truncated file or one with another magic number is rejected', async () => {
  const path = await filled(join(root, 'short'))
  const good = await readFile(path)
  for (const [bytes, fault] of [
    [good.subarray(0, good.length - 8), 'truncated'],
    [good.subarray(0, 20), 'truncated'],
    [good.subarray(0, 100), 'truncated'],
    [Buffer.concat([Buffer.from('KNTRSEG4'), good.subarray(8)]), 'not a segment file'],
    [Buffer.concat([good.subarray(0, 40), Buffer.from([1]), good.subarray(41)]), 'in the head'],
  ] as const) {
    await writeFile(path, bytes)
    expect(() => openSegmentFile(path)).toThrow(fault)
    expect(findDamage(path)).toContain(fault)
  }
})

describe.each([0, 1])('damage, with %i threads', (threads) => {
  async function opened(name: string): Promise<{ indexes: Indexes; index: SearchIndex; failures: unknown[] }> {
    const folder = join(root, `${name} ${threads}`)
    await damage(await filled(folder), 'words/.positions')
    const failures: unknown[] = []
    const indexes = await openIndexes({ folder, threads, onFailure: (error) => failures.push(error) })
    return { indexes, index: await indexes.open('TEST', schema), failures }
  }
  test('in a section that is never searched is detected in the background; the index finds nothing until it is rebuilt', async () => {
    const { indexes, index, failures } = await opened('background')
    await vi.waitFor(() => expect(index.status().state).toBe('damaged'), { timeout: 20_000 })
    expect(failures.map(String)).toEqual([expect.stringContaining('checksum mismatch in a section')])
    expect(await idsOf(index, all)).toEqual([])
    await expect(index.apply({ put: [document(1)], remove: [] }, 'b')).rejects.toThrow('rebuild it')
    const next = await index.rebuild(schema)
    await next.add([document(5)])
    await next.finish('b')
    await next.activate()
    expect([index.status().state, await idsOf(index, byText('w5x7'))]).toEqual(['ready', [5]])
    await indexes.close()
  })
  test('in a searched section fails the search and disables the index', async () => {
    const { indexes, index } = await opened('searched')
    const phrase = index.search(byText('"w5x7 w5x8"'))
    await expect(phrase).rejects.toThrow('checksum mismatch')
    expect([index.status().state, await idsOf(index, all)]).toEqual(['damaged', []])
    await indexes.close()
  })
})

describe('damage after the first inspection', () => {
  async function openedBefore(name: string, section: string) {
    const folder = join(root, name)
    const path = await filled(folder)
    const indexes = await openIndexes({ folder, threads: 0 })
    const index = await indexes.open('TEST', schema)
    await pause(500)
    await damage(path, section)
    return { indexes, index }
  }
  test('found by a search over several indexes causes an inspection of each', async () => {
    const { indexes, index } = await openedBefore('several', 'words/.positions')
    const { predicate, ...page } = byText('"w5x7 w5x8"')
    const phrase = indexes.search({ ...page, members: [{ index: 'TEST', predicate }] })
    await expect(phrase).rejects.toThrow('checksum mismatch')
    await vi.waitFor(() => expect(index.status().state).toBe('damaged'), { timeout: 20_000 })
    await indexes.close()
  })
  test('found while applying changes disables the index as well', async () => {
    const { indexes, index } = await openedBefore('followed', 'name/.values.bytes')
    await expect(index.idsWithValue('name', ['shoe'])).rejects.toThrow('checksum mismatch')
    expect(index.status().state).toBe('damaged')
    expect(await index.idsWithValue('name', ['shoe'])).toEqual([])
    await indexes.close()
  })
})
