/** One suite for every store: a folder, an S3 server, and a fake S3 server. */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type S3Place, s3Servers } from '../../../test/s3.ts'
import { type Blobs, Corrupt, createBlobs, folderBlobs, type Staged } from './blobs.ts'
import { diskStore } from './disk.ts'
import { s3Store } from './s3.ts'
import { Missing, type PresignedReply, smallestPart, type Store } from './store.ts'
import { TooLong } from './writing.ts'

interface Place {
  store: Store
  /** Damages the stored bytes behind the store's back. */
  damage(key: string): Promise<void>
  close?(): Promise<void>
  readonly checksSignatures?: boolean
  /** Starts a write and never finishes it, like a killed process. */
  begin?(key: string): Promise<void>
}

const places: [string, (folder: string) => Promise<Place>][] = [
  ['a folder', async (root) => ({ store: diskStore(root), damage: (key) => writeFile(join(root, key), 'damaged') })],
  ...s3Servers.map(([name, open]): [string, () => Promise<Place>] => [name, () => openS3(open)]),
]

async function openS3(open: () => Promise<S3Place>): Promise<Place> {
  const { url, isReal, begin, close } = await open()
  const store = s3Store(url)
  const damage = async (key: string) => {
    const file = join(await mkdtemp(join(tmpdir(), 'kontor-damage-')), 'file')
    await writeFile(file, 'damaged')
    await store.write(key, file)
  }
  return { store, damage, begin, close, checksSignatures: isReal }
}

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
const keyOf = (hash: string) => `sha256/${hash.slice(0, 2)}/${hash.slice(2)}`
async function* pieces(...texts: (string | Buffer)[]) {
  for (const text of texts) yield Buffer.from(text)
}

describe.each(places)('%s', (_name, openPlace) => {
  let [folder, tmp] = ['', '']
  let place: Place
  let blobs: Blobs
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-blobs-'))
    tmp = join(folder, 'tmp')
    place = await openPlace(folder)
    blobs = place.store.fileOf ? folderBlobs(folder) : createBlobs(place.store, tmp)
  })
  afterAll(async () => {
    await place.close?.()
    await rm(folder, { recursive: true })
  })
  const keep = async (...texts: (string | Buffer)[]): Promise<Staged> => {
    const staged = await blobs.stage(pieces(...texts), Infinity)
    await blobs.keep(staged)
    await staged.drop()
    return staged
  }

  test('kept bytes are read again, completely and in ranges', async () => {
    const staged = await keep('sail', 'ing boat')
    expect(staged).toMatchObject({ sha256: sha256('sailing boat'), size: 12 })
    expect(staged.head.toString()).toBe('sailing boat')
    expect(await blobs.has(staged.sha256, 12)).toBe(true)
    expect((await buffer(await blobs.open(staged.sha256))).toString()).toBe('sailing boat')
    expect((await buffer(await blobs.open(staged.sha256, { first: 8, last: 11 }))).toString()).toBe('boat')
    expect((await buffer(await blobs.open(staged.sha256, { first: 0, last: 0 }))).toString()).toBe('s')
  })

  test('an empty file is a file', async () => {
    const staged = await keep()
    expect(staged.size).toBe(0)
    expect(await buffer(await blobs.open(staged.sha256))).toHaveLength(0)
  })

  test('the same bytes are stored once', async () => {
    const [first, second] = [await keep('twice'), await keep('tw', 'ice')]
    expect(second.sha256).toBe(first.sha256)
    const found = []
    for await (const { sha256: hash } of blobs.list()) if (hash === first.sha256) found.push(hash)
    expect(found).toHaveLength(1)
  })

  test('staged bytes are not stored, and dropping them leaves nothing', async () => {
    const staged = await blobs.stage(pieces('only staged'), Infinity)
    expect(await blobs.has(staged.sha256, staged.size)).toBe(false)
    await staged.drop()
    expect(await readdir(tmp)).toEqual([])
  })

  test('a source that is too long or breaks off leaves nothing', async () => {
    await expect(blobs.stage(pieces('12345', '67890'), 9)).rejects.toThrow(TooLong)
    const broken = async function* () {
      yield Buffer.from('half')
      throw new Error('broken off')
    }
    await expect(blobs.stage(broken(), Infinity)).rejects.toThrow('broken off')
    expect(await readdir(tmp)).toEqual([])
  })

  test('a missing file is distinguished from a failure', async () => {
    await expect(blobs.open(sha256('never stored'))).rejects.toThrow(Missing)
    expect(await blobs.has(sha256('never stored'), 3)).toBe(false)
    await expect(blobs.open('../../etc/passwd')).rejects.toThrow('not a hash')
  })

  test('a removed file is gone, and removing it again does no harm', async () => {
    const { sha256: hash, size } = await keep('to be removed')
    await blobs.remove(hash)
    await blobs.remove(hash)
    expect(await blobs.has(hash, size)).toBe(false)
  })

  test('a damaged file is never returned as complete', async () => {
    const { sha256: hash } = await keep('undamaged')
    await buffer(await blobs.open(hash))
    await place.damage(keyOf(hash))
    await expect(buffer(await blobs.open(hash))).rejects.toThrow(Corrupt)
  })

  test('keeping the right bytes repairs a file of the wrong length', async () => {
    const { sha256: hash, size } = await keep('mend me, please')
    await place.damage(keyOf(hash))
    expect(await blobs.has(hash, size)).toBe(false)
    await keep('mend me, please')
    expect((await buffer(await blobs.open(hash))).toString()).toBe('mend me, please')
  })

  test('a file in many chunks arrives complete, also as S3 multipart', async () => {
    const piece = Buffer.alloc(1_000_003, 'kontor')
    const all = Array.from({ length: 40 }, () => piece)
    const { sha256: hash, size } = await keep(...all)
    expect(size).toBe(40 * 1_000_003)
    expect(sha256(await buffer(await blobs.open(hash)))).toBe(hash)
    await blobs.withFile(hash, async (file) => expect((await stat(file)).size).toBe(size))
  })

  test('a signed URL of the store returns the file, and no other file under its signature', async () => {
    if (!blobs.presign) return expect(place.store.fileOf).toBeDefined()
    const [mine, other] = [await keep('given by address'), await keep('not given')]
    const reply = { contentType: 'text/plain', contentDisposition: 'attachment; filename="a.txt"' }
    const url = await blobs.presign(mine.sha256, reply, 60)
    const given = await fetch(url)
    expect([given.status, await given.text(), given.headers.get('content-type')]).toEqual([
      200,
      'given by address',
      'text/plain',
    ])
    const unsigned = new URL(url)
    unsigned.searchParams.delete('X-Amz-Signature')
    expect((await fetch(unsigned)).status).toBe(403)
    if (!place.checksSignatures) return
    const [from, to] = [mine, other].map(({ sha256: hash }) => keyOf(hash))
    expect((await fetch(url.replace(from!, to!))).status).toBe(403)
  })

  test('a signed URL of the store accepts exactly the announced number of bytes under one key', async () => {
    if (!place.store.presignWrite) return expect(place.store.fileOf).toBeDefined()
    const url = await place.store.presignWrite('uploads/one/place', 5, 60)
    const put = async (to: string, body: string) => (await fetch(to, { method: 'PUT', body })).status
    expect(await put(url, '12345')).toBe(200)
    expect(await place.store.size('uploads/one/place')).toBe(5)
    if (!place.checksSignatures) return
    expect(await put(url, '1234')).toBe(403)
    expect(await put(url, '123456')).toBe(403)
    expect(await put(url.replace('/place?', '/other?'), '12345')).toBe(403)
    expect((await fetch(url)).status, 'it is not for reading').toBe(403)
    const brief = await place.store.presignWrite('uploads/one/late', 5, 1)
    await expect.poll(() => put(brief, '12345'), { timeout: 20_000 }).toBe(403)
  })

  test('the store concatenates objects by itself, and copies nothing but their bytes', async () => {
    const { store } = place
    if (!store.join) return expect(store.fileOf).toBeDefined()
    const [large, small] = [Buffer.alloc(smallestPart + 3, 'large'), Buffer.from('small')]
    const url = await store.presignWrite!('uploads/two/large', large.length, 60)
    await fetch(url, { method: 'PUT', body: new Uint8Array(large), headers: { 'content-type': 'text/html' } })
    await writeFile(join(folder, 'small'), small)
    await store.write('uploads/two/small', join(folder, 'small'))
    const parts = [
      { key: 'uploads/two/large', size: large.length },
      { key: 'uploads/two/small', size: small.length },
    ]
    const bytesAt = async (key: string) => buffer((await store.read(key)).pieces as Readable)
    await store.join(parts, 'uploads/two/both')
    expect((await bytesAt('uploads/two/both')).equals(Buffer.concat([large, small]))).toBe(true)
    await store.join(parts.slice(0, 1), 'uploads/two/copy')
    expect((await bytesAt('uploads/two/copy')).equals(large)).toBe(true)
    const copy = await fetch(await store.presign!('uploads/two/copy', {} as PresignedReply, 60))
    expect(copy.headers.get('content-type')).not.toBe('text/html')
    await copy.body?.cancel()
    await expect(store.join([{ key: 'uploads/two/none', size: 1 }], 'uploads/two/new')).rejects.toThrow()
  })

  test('leftover parts of interrupted writes are swept', async () => {
    if (!place.begin) return expect(place.store.fileOf).toBeDefined()
    await place.begin('uploads/three/half')
    await place.begin('uploads/three/other half')
    expect(await blobs.sweep(new Date(Date.now() - 600_000))).toBe(0)
    expect(await blobs.sweep(new Date(Date.now() + 600_000))).toBe(2)
    expect(await blobs.sweep(new Date(Date.now() + 600_000))).toBe(0)
  })

  test('old files of the spool are swept', async () => {
    await mkdir(tmp, { recursive: true })
    const [old, fresh] = [join(tmp, 'old'), join(tmp, 'fresh')]
    await Promise.all([writeFile(old, 'x'), writeFile(fresh, 'x')])
    await utimes(old, new Date(0), new Date(0))
    expect(await blobs.sweep(new Date(Date.now() - 60_000))).toBe(1)
    expect(await readdir(tmp)).toEqual(['fresh'])
    await rm(fresh)
  })
})

describe('URLs of S3', () => {
  const url = 's3://key:secret@bucket/prefix?endpoint=http://inside:9000'
  const reply = { contentType: 'text/plain', contentDisposition: 'attachment' }

  test('contain the endpoint, or the public host', async () => {
    for (const [more, origin] of [
      ['', 'http://inside:9000'],
      ['&public=https://files.example.com', 'https://files.example.com'],
    ] as const) {
      const store = s3Store(url + more)
      const addresses = [await store.presign!('a', reply, 60), await store.presignWrite!('a', 5, 60)]
      expect(addresses.map((address) => new URL(address).origin)).toEqual([origin, origin])
      expect(addresses.map((address) => new URL(address).pathname)).toEqual(['/bucket/prefix/a', '/bucket/prefix/a'])
    }
  })

  test('are not given out if clients cannot reach the server', () => {
    const { presign, presignWrite } = s3Store(`${url}&public=none`)
    expect([presign, presignWrite]).toEqual([undefined, undefined])
  })
})
