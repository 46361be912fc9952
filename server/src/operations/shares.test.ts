/** Fair shares over real connections: a greedy or slow client must not take the places of the others. */
import { get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { openConnection } from '../../test/connection.ts'
import { type TestServer, withServer } from '../../test/server.ts'

const retrieve = '/api/core/v1/common/keywords/retrieve'
const reference = '/api/openapi.json'
const patient = { timeout: 30_000, interval: 50 }

const opened: { destroy(): void }[] = []
afterEach(() => {
  for (const connection of opened.splice(0)) connection.destroy()
})

/** A server that listens, and ways to keep its places taken. */
function withSockets(env: Record<string, string>) {
  const api = withServer({ KONTOR_LOG_LEVEL: 'info', ...env })
  let address = ''
  beforeAll(async () => {
    address = await api.listen()
  })
  const scrape = async () => (await api.get('/metrics', { token: null })).text
  const reading = async (name: string) => {
    const line = (await scrape()).split('\n').find((line) => line.startsWith(`${name} `))
    return Number(line?.slice(name.length + 1) ?? Number.NaN)
  }
  /** Without the scrape itself. */
  const inFlight = async () => (await reading('kontor_requests_in_flight')) - 1
  const connection = async () => {
    const one = await openConnection(address)
    opened.push(one)
    return one
  }
  return {
    api,
    inFlight,
    scrape,
    connection,
    address: () => address,
    /** A request whose body does not arrive. */
    async hold(token: string, path = retrieve) {
      const one = await connection()
      const headers = [`authorization: Bearer ${token}`, 'content-type: application/json', 'content-length: 100']
      one.head(`POST ${path} HTTP/1.1`, ...headers)
      return one
    },
    async ask(line: string, ...headers: string[]) {
      const one = await connection()
      one.head(line, ...headers)
      return one
    },
    /** Sends requests on one connection and reads none of the replies. */
    async askUnread(count: number, path = reference, ...headers: string[]): Promise<Socket> {
      const { hostname, port } = new URL(address)
      const socket = connect(Number(port), hostname).on('error', () => {})
      opened.push(socket)
      await new Promise((resolve) => socket.once('connect', resolve))
      socket.pause()
      socket.write([`GET ${path} HTTP/1.1`, 'host: localhost', ...headers, '', ''].join('\r\n').repeat(count))
      return socket
    },
    idle: () => vi.waitUntil(async () => (await inFlight()) === 0, patient),
  }
}

const call = (api: TestServer, token: string | null) => api.post(retrieve, {}, { token })
const statusOf = (reply: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(reply)?.[1])

describe('long polls', () => {
  const { api, ask, scrape, idle } = withSockets({ KONTOR_MAX_STREAMS: '40' })

  test('200 of one user hinder neither other users nor their own other calls', async () => {
    const others = await Promise.all(['lee', 'max'].map((name) => api.tokenFor({ name })))
    const polls = await Promise.all(
      Array.from({ length: 200 }, () =>
        ask('GET /api/v1/events?wait=60 HTTP/1.1', `authorization: Bearer ${api.token}`),
      ),
    )
    const refused = () => polls.filter((poll) => statusOf(poll.received()) === 429)
    await vi.waitUntil(() => refused().length === 100, patient)
    await vi.waitUntil(() => refused()[0]!.received().endsWith('}'), patient)
    expect(refused()[0]!.received()).toMatch(/\r\nretry-after: 1\r\n/i)
    expect(refused()[0]!.received()).toMatch(/\r\nratelimit: "long-polls";r=0\r\n/i)
    expect(refused()[0]!.received()).toContain('100 of the 200 places for long polls')
    for (const token of [...others, api.token, api.adminToken]) expect((await call(api, token)).status).toBe(200)
    expect((await api.get(reference, { token: null })).status).toBe(200)
    const { status } = await api.get('/api/v1/events?wait=1', { token: others[0]! })
    expect(status).toBe(200)
    // A call that does not wait is not a long poll.
    expect((await api.get('/api/v1/events?wait=0')).status).toBe(200)
    expect(await scrape()).toContain('kontor_refused_requests_total{places="long polls",reason="user"} 100')
    for (const poll of polls) poll.destroy()
    await idle()
  })

  test('of documents have the same places', async () => {
    const body = JSON.stringify({ index: 'KEYWORD', documents: ['1'], maxWait: 1000 })
    const { headers } = await api.post('/api/v1/search/documents/wait', body)
    expect(headers.ratelimit).toMatch(/^"long-polls";r=\d+$/)
  })

  test('and streams do not take the places of ordinary calls', async () => {
    const streams = await Promise.all(
      Array.from({ length: 25 }, () =>
        ask('GET /api/v1/events/stream HTTP/1.1', `authorization: Bearer ${api.token}`, 'accept: text/event-stream'),
      ),
    )
    const withStatus = (status: number) => streams.filter((stream) => statusOf(stream.received()) === status).length
    await vi.waitUntil(() => withStatus(200) + withStatus(429) === 25, patient)
    expect(withStatus(200)).toBe(20)
    expect((await call(api, api.token)).status).toBe(200)
    for (const stream of streams) stream.destroy()
    await idle()
  })

  test('that are left by their client free their places', async () => {
    for (let round = 0; round < 3; round++) {
      const polls = await Promise.all(
        Array.from({ length: 60 }, () =>
          ask('GET /api/v1/events?wait=60 HTTP/1.1', `authorization: Bearer ${api.token}`),
        ),
      )
      await vi.waitUntil(async () => (await scrape()).includes('kontor_long_polls 60'), patient)
      expect(polls.map((poll) => poll.received())).toEqual(polls.map(() => ''))
      for (const poll of polls) poll.destroy()
      await vi.waitUntil(async () => (await scrape()).includes('kontor_long_polls 0'), patient)
    }
  })
})

describe('places', () => {
  const { api, hold, ask, connection, inFlight, scrape, idle } = withSockets({
    KONTOR_MAX_IN_FLIGHT: '12',
    KONTOR_MAX_PER_CONNECTION: '4',
  })

  test('every reply says how many requests the caller may still send', async () => {
    const { headers } = await call(api, api.token)
    expect(headers['ratelimit-policy']).toBe('"requests";q=6;qu="concurrent-requests"')
    expect(headers.ratelimit).toBe('"requests";r=5')
    const anonymous = await api.get(reference, { token: null })
    expect(anonymous.headers['ratelimit-policy']).toBe('"requests";q=3;qu="concurrent-requests"')
    expect(anonymous.headers.ratelimit).toBe('"requests";r=2')
    expect((await api.get('/livez', { token: null })).headers).not.toHaveProperty('ratelimit')
  })

  test('a user gets half of those that others leave, so one is left for everybody else', async () => {
    const tokens = await Promise.all(['lee', 'max', 'ida', 'una'].map((name) => api.tokenFor({ name })))
    const held = await Promise.all(Array.from({ length: 8 }, () => hold(api.token)))
    const refused = () => held.filter((one) => one.received() !== '')
    await vi.waitUntil(() => refused().length === 2 && refused()[0]!.received().endsWith('}'), patient)
    expect(refused()[0]!.received()).toMatch(/^HTTP\/1\.1 429 [^]*retry-after: 1[^]*6 of the 12 places for requests/i)
    expect((await call(api, tokens[0]!)).status).toBe(200)
    for (let i = 0; i < 4; i++) held.push(await hold(tokens[0]!))
    await vi.waitUntil(() => refused().length === 3, patient) // lee gets three of six
    for (let i = 0; i < 4; i++) held.push(await hold(tokens[1]!))
    await vi.waitUntil(() => refused().length === 5, patient) // max gets two of three
    expect(await inFlight()).toBe(6 + 3 + 2)
    expect((await call(api, tokens[2]!)).status).toBe(200)
    held.push(await hold(tokens[2]!))
    await vi.waitUntil(async () => (await inFlight()) === 12)
    const full = await call(api, tokens[3]!)
    expect([full.status, full.headers['retry-after']]).toEqual([503, '1'])
    expect(full.text).toContain('all 12 places for requests are taken')
    expect((await api.get('/readyz', { token: null })).status).toBe(200)
    const before = await scrape()
    expect(before).toContain('kontor_refused_requests_total{places="requests",reason="full"} 1')
    for (const one of held) one.destroy()
    await idle()
    expect((await call(api, tokens[3]!)).status).toBe(200)
  })

  test('refusals are logged once at info, without a stack', async () => {
    const lines = api.log.filter(({ problem }) => String(problem).includes('places for requests'))
    expect(lines.length).toBeGreaterThan(2)
    for (const line of lines) {
      expect(line.level).toBe(30)
      expect(line).not.toHaveProperty('err')
    }
  })

  test('callers behind one address have places of their own', async () => {
    const names = Array.from({ length: 6 }, (_, i) => `office-${i}`)
    const held = await Promise.all(names.map(async (name) => hold(await api.tokenFor({ name }))))
    await vi.waitUntil(async () => (await inFlight()) === 6, patient)
    expect(held.map((one) => one.received())).toEqual(names.map(() => ''))
    for (const one of held) one.destroy()
    await idle()
  })

  test('a connection gets few of them for requests that it sends without waiting', async () => {
    const one = await connection()
    one.write(`GET ${reference} HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(20))
    const statuses = () => [...one.received().matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status)
    await vi.waitUntil(() => statuses().length === 20, patient)
    expect(statuses()).toContain('429')
    expect(one.received()).toContain('a connection may have 4 requests in flight')
    expect(await scrape()).toMatch(/kontor_refused_requests_total\{places="requests",reason="connection"\} \d+/)
    await idle()
  })

  test('are free again, however a request ends', async () => {
    const authorization = `authorization: Bearer ${api.token}`
    const json = 'content-type: application/json'
    const endings: [string, () => Promise<unknown>][] = [
      ['an aborted body', async () => (await hold(api.token)).destroy()],
      ['HEAD', () => ask(`HEAD ${reference} HTTP/1.1`)],
      ['an upgrade', () => ask(`GET ${reference} HTTP/1.1`, 'connection: upgrade', 'upgrade: websocket')],
      ['h2c', () => ask(`POST ${retrieve} HTTP/1.1`, authorization, json, 'content-length: 0', 'upgrade: h2c')],
      [
        'an error',
        async () => (await ask(`POST ${retrieve} HTTP/1.1`, authorization, json, 'content-length: 3')).write('{]}'),
      ],
      ['a wrong token', () => ask(`POST ${retrieve} HTTP/1.1`, 'authorization: Bearer x', json, 'content-length: 2')],
      ['no route', () => ask('GET /nowhere HTTP/1.1', authorization)],
      ['a bad URL', () => ask('GET /api/%ff HTTP/1.1', authorization)],
      ['OPTIONS', () => ask(`OPTIONS ${retrieve} HTTP/1.1`, 'origin: https://other.example')],
      [
        'a client that leaves before its replies begin',
        async () => {
          const one = await hold(api.token)
          one.write(`GET ${reference} HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(3))
          one.destroy()
        },
      ],
      [
        'Expect',
        () => ask(`POST ${retrieve} HTTP/1.1`, authorization, json, 'content-length: 2', 'expect: 100-continue'),
      ],
    ]
    for (const [, end] of endings) {
      await Promise.all(Array.from({ length: 6 }, end))
    }
    await pause(500)
    for (const connection of opened.splice(0)) connection.destroy()
    await pause(500)
    await idle()
    const held = await Promise.all(Array.from({ length: 6 }, () => hold(api.token)))
    await vi.waitUntil(async () => (await inFlight()) === 6, patient)
    expect(held.map((one) => one.received())).toEqual(held.map(() => ''))
    expect((await call(api, api.token)).status).toBe(429)
    for (const one of held) one.destroy()
    await idle()
  })
})

describe('waiting for a turn', () => {
  const { api, hold, ask, inFlight, scrape, idle } = withSockets({ KONTOR_MAX_WAIT: '300' })
  const batch = (length = 'content-length: 100000') =>
    ask(`POST ${retrieve} HTTP/1.1`, `authorization: Bearer ${api.token}`, 'content-type: application/json', length)

  test('is bounded by time for a small request, and nobody else is refused', async () => {
    const held = await Promise.all(Array.from({ length: 8 }, () => hold(api.token)))
    await vi.waitUntil(async () => (await inFlight()) === 8, patient)
    const late = await call(api, api.token)
    expect([late.status, late.headers['retry-after']]).toEqual([503, '1'])
    expect(late.text).toContain('1013')
    expect(late.text).toContain('has waited 0.3 s for its turn')
    expect((await call(api, api.adminToken)).status).toBe(200)
    expect(held.map((one) => one.received())).toEqual(held.map(() => ''))
    expect(await scrape()).toContain('kontor_refused_requests_total{places="requests",reason="turn"} 1')
    for (const one of held) one.destroy()
    await idle()
    expect((await call(api, api.token)).status).toBe(200)
  })

  test('is longer for batches, which leave turns for small requests of the same caller', async () => {
    const lengths = [...Array.from({ length: 6 }, () => undefined), 'transfer-encoding: chunked']
    const held = await Promise.all(lengths.map((length) => batch(length)))
    await vi.waitUntil(async () => (await scrape()).includes('kontor_requests_waiting 1'), patient)
    for (let i = 0; i < 3; i++) expect((await call(api, api.token)).status).toBe(200)
    await pause(600)
    expect(held.map((one) => one.received())).toEqual(held.map(() => ''))
    for (const one of held) one.destroy()
    await idle()
  })
})

describe('replies that are not read', () => {
  const { api, askUnread, inFlight, scrape, idle, address } = withSockets({
    KONTOR_WRITE_TIMEOUT: '2',
    KONTOR_MAX_PER_CONNECTION: '100',
    KONTOR_MAX_IN_FLIGHT: '40',
  })

  test('are cut, and meanwhile a flood of them without a token does not hinder users', async () => {
    const tokens = await Promise.all(Array.from({ length: 10 }, (_, i) => api.tokenFor({ name: `user-${i}` })))
    const flood = await Promise.all(Array.from({ length: 12 }, () => askUnread(60)))
    await vi.waitUntil(async () => (await inFlight()) > 0, patient)
    for (let round = 0; round < 4; round++) {
      const replies = await Promise.all(tokens.flatMap((token) => [call(api, token), call(api, token)]))
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    }
    await idle()
    for (const socket of flood) socket.destroy()
    expect(await scrape()).toMatch(/kontor_refused_requests_total\{places="requests",reason="address"\} \d+/)
    expect(await scrape()).toMatch(/kontor_unread_replies_total [1-9]/)
  })

  test('are not those that are read slowly, nor those that take long to be made', async () => {
    const poll = api.get('/api/v1/events?wait=5')
    const bytes = await new Promise<number>((resolve, reject) => {
      const ask = get(address() + reference, { agent: false }, (reply) => {
        let length = 0
        reply.on('data', (piece: Buffer) => {
          length += piece.length
          reply.pause()
          setTimeout(() => reply.resume(), 100)
        })
        reply.on('end', () => resolve(length)).on('error', reject)
      })
      ask.on('error', reject)
    })
    expect(bytes).toBeGreaterThan(100_000)
    expect((await poll).status).toBe(200)
    await idle()
  })
})
