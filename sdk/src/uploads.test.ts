import { describe, expect, test } from 'vitest'
import { coreError, formOf, type Received, startLocalServer } from '../test/local-server.ts'
import { fixedToken } from './tokens.ts'
import { createTransport } from './transport.ts'
import { uploadCalls, type UploadOptions, type UploadState } from './uploads.ts'

const dam = '/api/core/v1/dam'
const uploadsOf = (baseUrl: string) =>
  uploadCalls(createTransport({ baseUrl, tokens: fixedToken('a-token'), attempts: 1 }))
const record = (values: object) => ({
  body: { schemaVersion: '5.6.0', responses: { response: [{ status: 'SUCCESS', ...values }] } },
})
const isChunk = ({ path }: Received) => path.includes('/chunked/upload/')
const lineOf = ({ method, path }: Received) => `${method} ${path.slice(dam.length)}`

/** A server that accepts uploads, names them u1, u2, … and keeps the chunks of each. */
async function startUploadServer(fail: (request: Received, chunk: number) => boolean = () => false) {
  let started = 0
  const chunks = new Map<number, string>()
  const server = await startLocalServer(async (request) => {
    if (request.path.endsWith('/chunked/start')) return record({ tid: `u${++started}` })
    if (!isChunk(request)) return record({ tid: 'asset' })
    const form = await formOf(request)
    const chunk = Number(form.get('chunkId'))
    if (fail(request, chunk)) return { status: 404, body: coreError('1002', 'no upload has this identifier') }
    chunks.set(chunk, await (form.get('payload') as File).text())
    return record({})
  })
  const sent = () => server.requests.filter(isChunk).length
  return { ...server, chunks, sent }
}
const content = 'abcdefghij'
const file = () => new File([content], 'film.bin')
const target = { path: '/Media/film.bin' }
const uploadIn = (url: string, options: UploadOptions) => uploadsOf(url).asset(file(), target, { chunkSize: 4, parallel: 1, ...options }) // prettier-ignore

test('a file no longer than a chunk is sent in one request, with its parameters and its name', async () => {
  const { url, requests } = await startUploadServer()
  const progress: object[] = []
  const options = { chunkSize: content.length, onProgress: (now: object) => void progress.push(now) }
  expect(await uploadsOf(url).asset(file(), { path: '/Media/' }, options)).toMatchObject({ tid: 'asset' })
  expect(requests.map(lineOf)).toEqual(['POST /assets/bin/persist'])
  const form = await formOf(requests[0]!)
  expect(JSON.parse(form.get('params') as string)).toEqual({ path: '/Media/film.bin' })
  expect(form.get('payload')).toMatchObject({ name: 'film.bin', size: content.length })
  expect(progress).toEqual([{ sent: 10, size: 10 }])
})

test('a longer file is started, sent in chunks and finished', async () => {
  const { url, requests, chunks } = await startUploadServer()
  const progress: number[] = []
  const result = await uploadIn(url, { onProgress: ({ sent }) => void progress.push(sent) })
  expect(result).toMatchObject({ tid: 'asset' })
  expect(requests.map(lineOf)).toEqual([
    'POST /assets/bin/chunked/start',
    'POST /assets/bin/chunked/upload/u1',
    'POST /assets/bin/chunked/upload/u1',
    'POST /assets/bin/chunked/upload/u1',
    'PUT /assets/bin/chunked/persist/u1',
  ])
  expect([...chunks]).toEqual([
    [0, 'abcd'],
    [1, 'efgh'],
    [2, 'ij'],
  ])
  expect(progress).toEqual([4, 8, 10])
  expect(JSON.parse(requests.at(-1)!.body.toString())).toEqual(target)
})

test('a version is sent by the routes of versions', async () => {
  const { url, requests } = await startUploadServer()
  await uploadsOf(url).version(file(), { tid: 'asset' }, { chunkSize: 8 })
  expect(requests.map(({ path }) => path.slice(dam.length)).every((path) => path.startsWith('/assets/versions/'))).toBe(true) // prettier-ignore
  expect(requests).toHaveLength(4)
})

test('every request of an upload has an idempotency key of its own', async () => {
  const { url, requests } = await startUploadServer()
  await uploadIn(url, {})
  const keys = requests.map(({ headers }) => headers['idempotency-key'])
  expect(keys.every((key) => typeof key === 'string')).toBe(true)
  expect(new Set(keys).size).toBe(keys.length)
})

test('the chunks of all parallel workers make up the whole file', async () => {
  const { url, chunks, sent } = await startUploadServer()
  await uploadIn(url, { chunkSize: 1, parallel: 4 })
  expect(sent()).toBe(10)
  expect([...chunks].toSorted(([a], [b]) => a - b).map(([, text]) => text).join('')).toBe(content) // prettier-ignore
})

describe('an upload', () => {
  test('that was interrupted is resumed without the chunks that the server has confirmed', async () => {
    const { url, requests, chunks } = await startUploadServer()
    let state: UploadState | undefined
    const abort = new AbortController()
    const onState = (now: UploadState) => {
      state = now
      if (now.sent.length === 2) abort.abort()
    }
    await expect(uploadIn(url, { onState, signal: abort.signal })).rejects.toThrow('abort')
    expect(state).toEqual({ id: 'u1', size: 10, chunkSize: 4, sent: [0, 1] })

    const before = requests.length
    const progress: number[] = []
    // The chunk size of the state applies, not that of the new call.
    const options = {
      resume: state!,
      chunkSize: 1,
      onProgress: (now: { sent: number }) => void progress.push(now.sent),
    }
    await uploadIn(url, options)
    expect(requests.slice(before).map(lineOf)).toEqual([
      'POST /assets/bin/chunked/upload/u1',
      'PUT /assets/bin/chunked/persist/u1',
    ])
    expect([chunks.get(2), progress]).toEqual(['ij', [10]])
  })

  test('that has expired on the server starts again with all its chunks', async () => {
    const { url, requests, sent } = await startUploadServer(({ path }) => path.endsWith('/expired'))
    await uploadIn(url, { resume: { id: 'expired', size: 10, chunkSize: 4, sent: [0] } })
    expect(sent()).toBe(1 + 3)
    expect(lineOf(requests.at(-1)!)).toBe('PUT /assets/bin/chunked/persist/u1')
  })

  test('of a file whose size has changed starts again', async () => {
    const { url, requests, sent } = await startUploadServer()
    await uploadIn(url, { resume: { id: 'other', size: 9, chunkSize: 4, sent: [0, 1] } })
    expect(sent()).toBe(3)
    expect(requests.some(({ path }) => path.includes('other'))).toBe(false)
  })

  test('ends with the first chunk that fails, and is not finished', async () => {
    const { url, requests, sent } = await startUploadServer((_, chunk) => chunk === 1)
    await expect(uploadIn(url, {})).rejects.toMatchObject({ status: 404, message: 'no upload has this identifier' })
    expect(sent()).toBe(2)
    expect(requests.some(({ method }) => method === 'PUT')).toBe(false)
  })
})

test('a path that ends in / needs a file with a name', () => {
  expect(() => uploadsOf('').asset(new Blob(['x']), { path: '/Media/' })).toThrow('needs a file with a name')
})
