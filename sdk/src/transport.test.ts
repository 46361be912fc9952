import { afterEach, describe, expect, test, vi } from 'vitest'
import { coreError, startLocalServer } from '../test/local-server.ts'
import { fixedToken } from './tokens.ts'
import { type ClientOptions, createTransport } from './transport.ts'

const get = { method: 'GET', path: '/things' }
const write = { method: 'POST', path: '/things', body: '{"name":"Sea"}', idempotencyKey: 'a-key' }

afterEach(() => void vi.restoreAllMocks())

/** A transport that records its pauses instead of waiting. */
function transportOf(baseUrl: string, options: Partial<ClientOptions> = {}) {
  const pauses: number[] = []
  const pause = async (milliseconds: number) => void pauses.push(milliseconds)
  return { pauses, ...createTransport({ baseUrl, tokens: fixedToken('a-token'), ...options }, pause) }
}

test('a call carries its token, idempotency key, headers and body', async () => {
  const { url, requests } = await startLocalServer(() => ({ body: { ok: true } }))
  const reply = await transportOf(url).send({ ...write, headers: { accept: 'application/xml' } })
  expect(await reply.json()).toEqual({ ok: true })
  expect(requests).toMatchObject([{ method: 'POST', path: '/things' }])
  expect(requests[0]!.headers).toMatchObject({
    authorization: 'Bearer a-token',
    'idempotency-key': 'a-key',
    accept: 'application/xml',
  })
  expect(requests[0]!.body.toString()).toBe('{"name":"Sea"}')
})

describe('a call is retried', () => {
  test.each([429, 502, 503, 504])('after the status %i, with the same idempotency key', async (status) => {
    const { url, requests } = await startLocalServer((_, count) => ({ status: count === 1 ? status : 200 }))
    expect((await transportOf(url).send(write)).status).toBe(200)
    expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['a-key', 'a-key'])
    expect(requests.map(({ body }) => body.toString())).toEqual([write.body, write.body])
  })

  test('when the connection breaks before a reply arrives', async () => {
    const { url, requests } = await startLocalServer((_, count) => (count < 3 ? 'lost' : {}))
    expect((await transportOf(url).send(write)).status).toBe(200)
    expect(requests).toHaveLength(3)
  })

  test('while the server still processes its first attempt', async () => {
    const running = { status: 409, body: coreError('1007', 'still running') }
    const { url, requests } = await startLocalServer((_, count) => (count === 1 ? running : {}))
    expect((await transportOf(url).send(write)).status).toBe(200)
    expect(requests).toHaveLength(2)
  })

  test('until the attempts are used up; then the last error is thrown', async () => {
    const { url, requests } = await startLocalServer((_, count) => ({ status: 503, body: coreError('1000', `no ${count}`) })) // prettier-ignore
    await expect(transportOf(url, { attempts: 3 }).send(get)).rejects.toMatchObject({
      status: 503,
      messages: ['no 3'],
    })
    expect(requests).toHaveLength(3)
  })

  test('until the attempts are used up; then the failure of the connection is thrown', async () => {
    const { url, requests } = await startLocalServer(() => 'lost')
    await expect(transportOf(url, { attempts: 2 }).send(get)).rejects.toThrow('fetch failed')
    expect(requests).toHaveLength(2)
  })
})

describe('a call is not retried', () => {
  test.each([400, 403, 404, 409, 500])('after the status %i, which is thrown with its code', async (status) => {
    const { url, requests } = await startLocalServer(() => ({ status, body: coreError('1001', 'level: too small') }))
    const { send, pauses } = transportOf(url)
    await expect(send(write)).rejects.toMatchObject({
      name: 'KontorError',
      message: 'level: too small',
      status,
      code: '1001',
      supportId: 'a-support-id',
    })
    expect([requests.length, pauses]).toEqual([1, []])
  })

  test('once it has been aborted', async () => {
    const abort = new AbortController()
    const { url, requests } = await startLocalServer(() => {
      abort.abort(new Error('stopped by the user'))
      return 'lost'
    })
    const { send, pauses } = transportOf(url)
    await expect(send({ ...get, signal: abort.signal })).rejects.toThrow('stopped by the user')
    expect([requests.length, pauses]).toEqual([1, []])
  })

  test('when it is aborted during the pause', async () => {
    const { url } = await startLocalServer(() => ({ status: 503 }))
    const abort = new AbortController()
    const pause = async () => abort.abort(new Error('stopped by the user'))
    const tokens = vi.fn(fixedToken('a-token'))
    const { send } = createTransport({ baseUrl: url, tokens }, pause)
    await expect(send({ ...get, signal: abort.signal })).rejects.toThrow('stopped by the user')
    expect(tokens, 'no second attempt begins').toHaveBeenCalledOnce()
  })
})

describe('the pause between attempts', () => {
  test.each([
    [0, [100, 200, 400, 800]],
    [0.5, [200, 400, 800, 1600]],
    [0.75, [250, 500, 1000, 2000]],
  ])('doubles each time and has jitter: random number %d', async (random, expected) => {
    vi.spyOn(Math, 'random').mockReturnValue(random)
    const { url } = await startLocalServer(() => ({ status: 503 }))
    const { send, pauses } = transportOf(url)
    await expect(send(get)).rejects.toThrow()
    expect(pauses).toEqual(expected)
  })

  test.each([
    ['7', 7000],
    ['3600', 30_000],
  ])('follows Retry-After: %s seconds, 30 at most', async (seconds, expected) => {
    const busy = { status: 429, headers: { 'retry-after': seconds } }
    const { url } = await startLocalServer((_, count) => (count === 1 ? busy : {}))
    const { send, pauses } = transportOf(url)
    await send(get)
    expect(pauses).toEqual([expected])
  })

  test.each(['0', 'Wed, 21 Oct 2065 07:28:00 GMT'])('falls back to back-off when Retry-After is %s', async (value) => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const busy = { status: 503, headers: { 'retry-after': value } }
    const { url } = await startLocalServer((_, count) => (count === 1 ? busy : {}))
    const { send, pauses } = transportOf(url)
    await send(get)
    expect(pauses).toEqual([100])
  })
})

describe('after 401', () => {
  const tokens = async (forceRefresh: boolean) => (forceRefresh ? 'new' : 'old')

  test('a call is sent again at once with a new token', async () => {
    const { url, requests } = await startLocalServer(({ headers }) => ({ status: headers.authorization === 'Bearer new' ? 200 : 401 })) // prettier-ignore
    const { send, pauses } = transportOf(url, { tokens })
    expect((await send(write)).status).toBe(200)
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new'])
    expect(pauses).toEqual([])
  })

  test('a second 401 is thrown', async () => {
    const { url, requests } = await startLocalServer(() => ({ status: 401 }))
    await expect(transportOf(url, { tokens }).send(write)).rejects.toMatchObject({ status: 401 })
    expect(requests).toHaveLength(2)
  })
})
