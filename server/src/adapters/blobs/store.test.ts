/** What every store keeps: the same suite for a folder, for an S3 server, and for a server that only pretends to be one. */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type S3Place, s3Servers } from '../../../test/s3.ts'
import { type Blobs, Corrupt, createBlobs, folderBlobs, type Staged } from './blobs.ts'
import { diskStore } from './disk.ts'
import { s3Store } from './s3.ts'
import { Missing, type Store } from './store.ts'
import { TooLong } from './writing.ts'

interface Place {
  store: Store
  /** Damages what is stored under the key without the store knowing. */
  damage(key: string): Promise<void>
  close?(): Promise<void>
  readonly checksSignatures?: boolean
}

const places: [string, (folder: string) => Promise<Place>][] = [
  ['a folder', async (root) => ({ store: diskStore(root), damage: (key) => writeFile(join(root, key), 'damaged') })],
  ...s3Servers.map(([name, open]): [string, () => Promise<Place>] => [name, () => openS3(open)]),
]

async function openS3(open: () => Promise<S3Place>): Promise<Place> {
  const { url, isReal, close } = await open()
  const store = s3Store(url)
  const damage = async (key: string) => {
    const file = join(await mkdtemp(join(tmpdir(), 'kontor-damage-')), 'file')
    await writeFile(file, 'damaged')
    await store.write(key, file)
  }
  return { store, damage, close, checksSignatures: isReal }
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

  test('what was kept is read again, whole and in ranges', async () => {
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

  test('what is staged is not stored, and leaves nothing when it is dropped', async () => {
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

  test('what is missing is told apart from what failed', async () => {
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

  test('a damaged file is never given as whole', async () => {
    const { sha256: hash } = await keep('undamaged')
    await buffer(await blobs.open(hash))
    await place.damage(keyOf(hash))
    await expect(buffer(await blobs.open(hash))).rejects.toThrow(Corrupt)
  })

  test('keeping the right bytes mends a file of the wrong length', async () => {
    const { sha256: hash, size } = await keep('mend me, please')
    await place.damage(keyOf(hash))
    expect(await blobs.has(hash, size)).toBe(false)
    await keep('mend me, please')
    expect((await buffer(await blobs.open(hash))).toString()).toBe('mend me, please')
  })

  test('a file in many pieces arrives whole, also in parts of S3', async () => {
    const piece = Buffer.alloc(1_000_003, 'kontor')
    const all = Array.from({ length: 40 }, () => piece)
    const { sha256: hash, size } = await keep(...all)
    expect(size).toBe(40 * 1_000_003)
    expect(sha256(await buffer(await blobs.open(hash)))).toBe(hash)
    await blobs.withFile(hash, async (file) => expect((await stat(file)).size).toBe(size))
  })

  test('where the store can, an address of its own gives the file, and no other under its signature', async () => {
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

  test('the spool is swept of what is old', async () => {
    await mkdir(tmp, { recursive: true })
    const [old, fresh] = [join(tmp, 'old'), join(tmp, 'fresh')]
    await Promise.all([writeFile(old, 'x'), writeFile(fresh, 'x')])
    await utimes(old, new Date(0), new Date(0))
    expect(await blobs.sweep(new Date(Date.now() - 60_000))).toBe(1)
    expect(await readdir(tmp)).toEqual(['fresh'])
    await rm(fresh)
  })
})
