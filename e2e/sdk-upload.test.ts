/** Uploads of the SDK against a server. */
import { randomBytes } from 'node:crypto'
import { createClient, fixedToken, KontorError, type UploadState } from '@kontor/sdk'
import { beforeAll, expect, test } from 'vitest'
import { withServer } from '../server/test/server.ts'

const api = withServer()
let baseUrl = ''
beforeAll(async () => {
  baseUrl = await api.listen()
  const rncs = { rnc: [{ tid: 'Media', name: 'Media' }] }
  await api.post('/api/core/v1/dam/rncs/persist', { schemaVersion: '5.6.0', rncs }, { token: api.adminToken })
})
const client = () => createClient({ baseUrl, tokens: fixedToken(api.adminToken), attempts: 2 })

const KiB = 1024
const bytes = randomBytes(1000 * KiB)
const chunkSize = 64 * KiB
const file = () => new File([bytes], 'film.bin')

async function download({ tid }: { tid?: string }): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of await client().dam.downloadMany({ body: { tids: [tid!] } })) pieces.push(piece)
  return Buffer.concat(pieces)
}

test('a small file is sent in one request, under its own name when the path ends in /', async () => {
  const progress: number[] = []
  const small = new File(['ahoy'], 'ahoy.txt')
  const onProgress = ({ sent }: { sent: number }) => void progress.push(sent)
  const record = await client().uploads.asset(small, { path: '/Media/' }, { onProgress })
  expect(record).toMatchObject({ status: 'SUCCESS', path: '/Media/ahoy.txt' })
  expect(progress).toEqual([4])
  expect((await download(record)).toString()).toBe('ahoy')
})

test('a large file is sent in chunks with progress, and arrives complete', async () => {
  const progress: number[] = []
  const onProgress = ({ sent }: { sent: number }) => void progress.push(sent)
  const record = await client().uploads.asset(file(), { path: '/Media/' }, { chunkSize, onProgress })
  expect(record).toMatchObject({ path: '/Media/film.bin' })
  expect(progress).toEqual(progress.toSorted((a, b) => a - b))
  expect(progress).toHaveLength(16)
  expect(progress.at(-1)).toBe(bytes.length)
  expect((await download(record)).equals(bytes)).toBe(true)
})

test('an interrupted upload is resumed', async () => {
  let state: UploadState | undefined
  const stop = new AbortController()
  const onState = (now: UploadState) => {
    state = now
    if (now.sent.length === 5) stop.abort()
  }
  const target = { path: '/Media/resumed.bin' }
  const options = { chunkSize, parallel: 1, onState, signal: stop.signal }
  await expect(client().uploads.asset(file(), target, options)).rejects.toThrow('abort')
  expect(state!.sent).toEqual([0, 1, 2, 3, 4])

  const stored = JSON.parse(JSON.stringify(state)) as UploadState
  const sent: number[] = []
  const onProgress = (progress: { sent: number }) => void sent.push(progress.sent)
  const record = await client().uploads.asset(file(), target, { resume: stored, onProgress })
  expect(sent).toHaveLength(11)
  expect(sent[0]).toBeGreaterThanOrEqual(6 * chunkSize)
  expect((await download(record)).equals(bytes)).toBe(true)
})

test('an upload that has expired, or belongs to another file, starts again', async () => {
  const expired = { id: '00000000-0000-4000-8000-000000000000', size: bytes.length, chunkSize, sent: [0, 1] }
  const first = await client().uploads.asset(file(), { path: '/Media/again.bin' }, { chunkSize, resume: expired })
  expect((await download(first)).equals(bytes)).toBe(true)
  const other = { ...expired, size: 17 }
  const second = await client().uploads.asset(file(), { path: '/Media/other.bin' }, { chunkSize, resume: other })
  expect((await download(second)).equals(bytes)).toBe(true)
})

test('a version replaces the file of an asset', async () => {
  const first = await client().uploads.asset(new File(['one'], 'v.txt'), { path: '/Media/' })
  const second = randomBytes(200 * KiB)
  await client().uploads.version(new File([second], 'v.txt'), { tid: first.tid! }, { chunkSize })
  expect((await download(first)).equals(second)).toBe(true)
})

test("an upload to an existing path is refused with the server's error", async () => {
  const again = client().uploads.asset(file(), { path: '/Media/film.bin' }, { chunkSize })
  await expect(again).rejects.toThrow(KontorError)
  await expect(again).rejects.toMatchObject({ status: 403 })
  expect(() => client().uploads.asset(new Blob(['x']), { path: '/Media/' })).toThrow('needs a file with a name')
})
