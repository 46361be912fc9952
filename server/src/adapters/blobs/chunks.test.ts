/** Chunks of uploads, in a folder and on S3: in any order, size and concurrency they become the same file. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFakeS3 } from '../../../test/fake-s3.ts'
import { type S3Place, s3Servers } from '../../../test/s3.ts'
import { type Blobs, createBlobs, folderBlobs, type Staged } from './blobs.ts'
import type { PlacedChunk, Received } from './chunks.ts'
import { s3Store } from './s3.ts'
import { TooLong } from './writing.ts'

let folder = ''
const opened: S3Place[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-chunks-'))
  for (const [, open] of s3Servers) opened.push(await open())
})
afterAll(async () => {
  for (const { close } of opened) await close()
  await rm(folder, { recursive: true })
})

const openers: [string, () => Blobs][] = [
  ['a folder', () => folderBlobs(folder)],
  ...s3Servers.map(([name], i): [string, () => Blobs] => [
    name,
    () => createBlobs(s3Store(opened[i]!.url), join(folder, 'tmp')),
  ]),
]
async function* inPieces(bytes: Buffer, pieceSize = 100) {
  for (let at = 0; at < bytes.length; at += pieceSize) {
    await turn()
    yield bytes.subarray(at, at + pieceSize)
  }
}

/** An upload with the chunks that the database has: the first chunk of a number counts. */
function uploadIn(first: Blobs) {
  const upload = randomUUID()
  const known = new Map<number, PlacedChunk>()
  let blobs = first
  const coming = (number: number | undefined) => ({
    upload,
    number,
    chunkSize: Math.max(0, ...[...known.values()].map(({ size }) => size)),
    maxBytes: 100_000,
    isKnown: async (one: number) => known.has(one),
  })
  const store = async (number: number, received: Received): Promise<boolean> => {
    const isNew = !known.has(number)
    if (isNew) {
      known.set(number, { number, size: received.size, place: received.place })
      received.keep(number)
    }
    await received.drop()
    return isNew
  }
  return {
    upload,
    known,
    /** Another process takes over. */
    restart: (next: Blobs) => void (blobs = next),
    receive: (number: number | undefined, source: AsyncIterable<Buffer>) => blobs.receiveChunk(coming(number), source),
    store,
    send: async (number: number, bytes: Buffer, pieceSize?: number, announced: number | undefined = number) =>
      store(number, await blobs.receiveChunk(coming(announced), inPieces(bytes, pieceSize))),
    join: () =>
      blobs.stageChunks(
        upload,
        [...known.values()].sort((a, b) => a.number - b.number),
      ),
    keep: (staged: Staged) => blobs.keep(staged),
    files: () => readdir(join(folder, 'uploads', upload)),
  }
}
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const spool = () => readdir(join(folder, 'tmp')).catch(() => [])

describe.each(openers)('in %s', (name, openPlace) => {
  test('in any sequence of events the file has the first chunk of each number, and nothing is left over', async () => {
    const event = fc.record({
      number: fc.nat({ max: 7 }),
      what: fc.constantFrom('send', 'send', 'send', 'send unnumbered', 'other bytes', 'break off', 'restart', 'finish'),
      together: fc.boolean(),
      pieceSize: fc.integer({ min: 1, max: 700 }),
    })
    const layout = fc.record({ size: fc.integer({ min: 1, max: 900 }), last: fc.nat({ max: 900 }), odd: fc.boolean() })
    const run = async (sizes: { size: number; last: number; odd: boolean }, events: readonly Event[]) => {
      const parts = Array.from({ length: 8 }, (_, i) =>
        randomBytes(i === 7 ? sizes.last : sizes.odd && i === 3 ? sizes.size * 2 + 1 : sizes.size),
      )
      const one = uploadIn(openPlace())
      const stored = new Map<number, Buffer>()
      const send = async (number: number, bytes: Buffer, { what, pieceSize }: Event) => {
        if (await one.send(number, bytes, pieceSize, what === 'send unnumbered' ? undefined : number))
          stored.set(number, bytes)
      }
      const broken = async function* (bytes: Buffer) {
        yield* inPieces(bytes.subarray(0, bytes.length >> 1))
        throw new Error('broken off')
      }
      let running: Promise<unknown>[] = []
      for (const each of [...events, ...parts.map((_, number) => last(number))]) {
        const { number, what, together } = each
        if (!together) running = (await Promise.allSettled(running), [])
        if (what === 'restart') one.restart(openPlace())
        else if (what === 'finish') {
          const staged = await one.join().catch(() => undefined)
          if (staged) await staged.drop()
        } else if (what === 'break off') running.push(one.receive(number, broken(parts[number]!)))
        else running.push(send(number, what === 'other bytes' ? randomBytes(sizes.size + 1) : parts[number]!, each))
        await Promise.allSettled([running.at(-1), turn()])
      }
      await Promise.allSettled(running)
      const staged = await one.join()
      const whole = Buffer.concat([0, 1, 2, 3, 4, 5, 6, 7].map((number) => stored.get(number)!))
      await one.keep(staged)
      expect(sha256(await buffer(await openPlace().open(staged.sha256)))).toBe(sha256(whole))
      expect([staged.sha256, staged.size]).toEqual([sha256(whole), whole.length])
      expect(staged.head).toEqual(whole.subarray(0, 8192))
      await staged.drop()
    }
    await fc.assert(
      fc.asyncProperty(layout, fc.array(event, { maxLength: 20 }), (sizes, events) => run(sizes, events)),
      { numRuns: name === 'a folder' ? 60 : 15 },
    )
    expect(await spool()).toEqual([])
  })

  test('a chunk that is too long or breaks off leaves nothing', async () => {
    const one = uploadIn(openPlace())
    await expect(one.receive(0, inPieces(Buffer.alloc(100_001), 10_000))).rejects.toThrow(TooLong)
    await one.send(0, Buffer.alloc(500, 'a'))
    await expect(one.receive(1, inPieces(Buffer.alloc(100_001), 10_000))).rejects.toThrow(TooLong)
    expect(await spool()).toEqual([])
    expect(await one.send(1, Buffer.alloc(500, 'b')), 'the place is free again').toBe(true)
  })

  test('a chunk that is sent again by its URL does not change the hashed bytes', async () => {
    const blobs = openPlace()
    if (!blobs.presignChunk) return expect(name).toBe('a folder')
    const upload = randomUUID()
    const chunk = { number: 0, place: randomUUID(), size: 5 }
    const address = await blobs.presignChunk(upload, chunk, 60)
    const put = async (body: string) => (await fetch(address, { method: 'PUT', body })).status
    expect(await put('first')).toBe(200)
    const staged = await blobs.stageChunks(upload, [chunk])
    expect(await put('other')).toBe(200)
    await blobs.keep(staged)
    await staged.drop()
    expect((await buffer(await openPlace().open(staged.sha256))).toString()).toBe('first')
    await blobs.dropChunks(upload)
    expect(await blobs.chunkSizes(upload)).toEqual(new Map())
  })

  test('all chunks are removed with their upload', async () => {
    const blobs = openPlace()
    const one = uploadIn(blobs)
    await Promise.all([0, 1, 2].map((number) => one.send(number, randomBytes(100))))
    expect([...(await blobs.uploads()).keys()]).toContain(one.upload)
    await blobs.dropChunks(one.upload)
    expect([...(await blobs.uploads()).keys()]).not.toContain(one.upload)
  })
})

interface Event {
  readonly number: number
  readonly what: string
  readonly together: boolean
  readonly pieceSize: number
}
const last = (number: number): Event => ({ number, what: 'send', together: false, pieceSize: 100 })

describe('a folder', () => {
  test('writes chunks of one size in place: into one file once the first has arrived', async () => {
    const one = uploadIn(folderBlobs(folder))
    const parts = Array.from({ length: 9 }, (_, i) => randomBytes(i === 8 ? 77 : 1000))
    await one.send(0, parts[0]!)
    for (const number of [3, 8, 1, 7, 2, 4, 6, 5]) await one.send(number, parts[number]!)
    const files = await one.files()
    expect(files).toHaveLength(1)
    const before = await stat(join(folder, 'uploads', one.upload, files[0]!))
    const staged = await one.join()
    expect(staged.sha256).toBe(sha256(Buffer.concat(parts)))
    await one.keep(staged)
    const stored = await folderBlobs(folder).withFile(staged.sha256, stat)
    expect(stored.ino, 'the same bytes under a second name').toBe(before.ino)
    await staged.drop()
  })

  test('after an attempted finish, later chunks do not touch the file', async () => {
    const blobs = folderBlobs(folder)
    const one = uploadIn(blobs)
    const parts = [randomBytes(1000), randomBytes(1000), randomBytes(1000)]
    await one.send(0, parts[0]!)
    await one.send(1, parts[1]!)
    const tried = await one.join()
    await blobs.keep(tried)
    await one.send(2, parts[2]!)
    expect(await blobs.has(tried.sha256, 2000)).toBe(true)
    const staged = await one.join()
    expect(staged.sha256).toBe(sha256(Buffer.concat(parts)))
    await Promise.all([tried.drop(), staged.drop()])
  })

  test('a chunk that is being received during an attempted finish is not truncated', async () => {
    const one = uploadIn(folderBlobs(folder))
    const parts = [randomBytes(1000), randomBytes(1000), randomBytes(1000)]
    await one.send(0, parts[0]!)
    await one.send(1, parts[1]!)
    const received = await one.receive(2, inPieces(parts[2]!))
    await (await one.join()).drop()
    expect(await one.store(2, received)).toBe(true)
    const staged = await one.join()
    expect(staged.sha256).toBe(sha256(Buffer.concat(parts)))
    await staged.drop()
  })
})

test('a server without multipart copy gets the file from this process', async () => {
  const s3 = await startFakeS3({ copies: false })
  const endpoint = encodeURIComponent(s3.url)
  const blobs = createBlobs(s3Store(`s3://test:testtest@bucket?endpoint=${endpoint}`), join(folder, 'tmp'))
  const one = uploadIn(blobs)
  await one.send(0, Buffer.from('sailing boat'))
  const staged = await one.join()
  await blobs.keep(staged)
  await staged.drop()
  expect((await buffer(await blobs.open(staged.sha256))).toString()).toBe('sailing boat')
  expect(await spool()).toEqual([])
  await s3.close()
})
