/** Downloads over real connections: slow clients, many clients, disconnecting clients, damaged files. */
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readlink } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, test, vi } from 'vitest'
import { damage, dam, makeDirs, upload } from '../../../../../test/files.ts'
import { onS3 } from '../../../../../test/s3.ts'
import { withServer } from '../../../../../test/server.ts'

const api = withServer()
let address = ''
beforeAll(async () => {
  await makeDirs(api, '/MAM/out')
  address = await api.listen()
})

/** Larger than the socket buffers between two processes. */
const large = 8 * 1024 * 1024
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const fileOf = (bytes: Buffer) =>
  join(api.config.data, 'blobs', 'sha256', hashOf(bytes).slice(0, 2), hashOf(bytes).slice(2))

async function store(tid: string, bytes = randomBytes(large)): Promise<Buffer> {
  await upload(api, { path: `/MAM/out/${tid}.bin`, tid }, bytes)
  return bytes
}

const begin = (tid: string, headers: Record<string, string> = {}) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const options = { headers: { authorization: `Bearer ${api.token}`, ...headers }, agent: false }
    get(`${address}${dam}/assets/bin?assetTid=${tid}`, options, resolve).on('error', reject)
  })

/** Reads with pauses. Returns the hash of the received bytes, or the error. */
async function swallow(reply: IncomingMessage, ms = 0): Promise<string> {
  const hash = createHash('sha256')
  try {
    for await (const piece of reply) {
      hash.update(piece as Buffer)
      if (ms > 0) await pause(ms)
    }
  } catch (error) {
    return (error as Error).message
  }
  return hash.digest('hex')
}

test('many concurrent clients, fast and slow, receive all bytes', async () => {
  const files = await Promise.all(['a', 'b', 'c'].map((tid) => store(tid)))
  const wanted = Array.from({ length: 20 }, (_, i) => i % 3)
  const got = await Promise.all(wanted.map(async (i) => swallow(await begin('abc'[i]!), i)))
  expect(got).toEqual(wanted.map((i) => hashOf(files[i]!)))
})

test.runIf(process.platform === 'linux' && !onS3)('a disconnecting client leaves no file open', async () => {
  const file = fileOf(await store('left'))
  const openFiles = async () => {
    const links = await Promise.all(
      (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
    )
    return links.filter((link) => link === file).length
  }
  const replies = await Promise.all(Array.from({ length: 20 }, () => begin('left')))
  expect(await openFiles()).toBe(20)
  for (const reply of replies) reply.destroy()
  await vi.waitFor(async () => expect(await openFiles()).toBe(0), { timeout: 10_000 })
})

test('the download of a damaged file is aborted before its last byte', async () => {
  const bytes = await store('damaged')
  const sha256 = hashOf(bytes)
  bytes[large - 1]! ^= 1
  await damage(api, sha256, bytes)
  expect(await swallow(await begin('damaged'))).toBe('aborted')
})

test('the download of a truncated file is aborted, also within a range', async () => {
  const bytes = await store('short')
  await damage(api, hashOf(bytes), bytes.subarray(0, large / 2))
  expect(await swallow(await begin('short'))).toBe('aborted')
  const part = await begin('short', { range: `bytes=${large / 2 - 10}-` })
  if (onS3) expect(part.statusCode, 'S3 tells before the first byte').toBe(500)
  else expect(await swallow(part)).toBe('aborted')
})
