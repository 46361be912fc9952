/** A request that is refused before its body was read: the client gets the reason, and the connection can be used again. */
import { connect } from 'node:net'
import { areas, type Route } from '@kontor/contract'
import fastify from 'fastify'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Connection, openConnection } from '../../test/connection.ts'
import { inFolder } from '../../test/s3.ts'
import { form, makeDirs, paramsPart, payloadPart, recordOf, upload } from '../../test/files.ts'
import { withServer } from '../../test/server.ts'
import { discardUnread } from './unread-bodies.ts'

const api = withServer({ KONTOR_MAX_BODY: '2048' })
const dam = '/api/core/v1/dam'
let address = ''
beforeAll(async () => {
  await makeDirs(api, '/MAM/refused')
  await upload(api, { path: '/MAM/refused/base.txt', tid: 'BASE' }, 'base')
  address = await api.listen()
})

const megabyte = 'x'.repeat(1024 * 1024)
interface Sent {
  readonly method: string
  readonly url: string
  readonly type: string
  readonly body: string
}

const streaming = areas.flatMap(({ base, routes }) =>
  Object.values(routes as Readonly<Record<string, Route>>)
    .filter(({ form, requestBytes }) => form !== undefined || requestBytes)
    .map(({ method, path }) => ({ method, url: base + path.replaceAll(/\{\w+\}/g, 'nothing') })),
)
const formOf = (params: object): Pick<Sent, 'type' | 'body'> => {
  const { body, type } = form(paramsPart(params), payloadPart(megabyte))
  return { body: body.toString(), type }
}
const refused: [string, Sent][] = [
  ...['/MAM/unknown/x.txt', 'wrong', '/MAM/refused/base.txt', ''].map((path): [string, Sent] => [
    `an upload to the path "${path}"`,
    { method: 'POST', url: `${dam}/assets/bin/persist`, ...formOf({ path }) },
  ]),
  ...streaming.flatMap(({ method, url }): [string, Sent][] => [
    [`${method} ${url} with a form without content`, { method, url, ...formOf({}) }],
    [`${method} ${url} with text`, { method, url, type: 'text/plain', body: megabyte }],
  ]),
  ['a message that is too large', { method: 'POST', url: '/api/core/v1/common/keywords/persist', type: 'application/json', body: megabyte }], // prettier-ignore
  ['a bulk message that is no JSON', { method: 'POST', url: '/api/core/v1/common/keywords/bulk', type: 'application/json', body: megabyte }], // prettier-ignore
  ['a transformation of no JSON', { method: 'POST', url: '/api/core/v1/common/transform', type: 'application/json', body: megabyte }], // prettier-ignore
  ['a token request', { method: 'POST', url: '/auth/realms/kontor/protocol/openid-connect/token', type: 'application/x-www-form-urlencoded', body: megabyte }], // prettier-ignore
  ['a URL without a route', { method: 'POST', url: '/nothing', type: 'text/plain', body: megabyte }],
]

const statusesOf = (connection: Connection) =>
  [...connection.received().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
const headOf = ({ method, url, type, body }: Sent, token: string): string[] => [
  `${method} ${url} HTTP/1.1`,
  `authorization: Bearer ${token}`,
  `content-type: ${type}`,
  `content-length: ${Buffer.byteLength(body)}`,
]
const replies = (connection: Connection, count: number) =>
  vi.waitUntil(() => statusesOf(connection).length >= count, { timeout: 20_000 })

test('every streaming route is tried', () => expect(streaming.length).toBeGreaterThan(5))

describe.each(['a user', 'nobody'])('refused for %s', (who) => {
  test.each(refused)('%s is answered, and so is the next request on the connection', async (_what, sent) => {
    const connection = await openConnection(address)
    const token = who === 'a user' ? api.token : 'wrong'
    for (let round = 0; round < 3; round++) {
      connection.head(...headOf(sent, token))
      connection.write(sent.body)
      await replies(connection, 2 * round + 1)
      connection.head('GET /livez HTTP/1.1')
      await replies(connection, 2 * round + 2)
    }
    const statuses = statusesOf(connection)
    for (const status of statuses.filter((_, i) => i % 2 === 0)) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    }
    expect(statuses.filter((_, i) => i % 2 === 1)).toEqual([200, 200, 200])
    connection.destroy()
  })
})

inFolder('a chunk that is larger than its signed URL allows is refused, and the connection stays', async () => {
  const started = await api.post(`${dam}/assets/bin/chunked/start`, { path: '/MAM/refused/chunks.txt' })
  const chunk = { method: 'PUT', uploadTid: recordOf(started).tid, chunkId: 0, size: 10 }
  const { pathname } = new URL((await api.post(`${dam}/assets/presigned-url`, chunk)).text)
  const connection = await openConnection(address)
  connection.head(...headOf({ method: 'PUT', url: pathname, type: 'text/plain', body: megabyte }, ''))
  connection.write(megabyte)
  await replies(connection, 1)
  connection.head('GET /livez HTTP/1.1')
  await replies(connection, 2)
  expect(statusesOf(connection)).toEqual([413, 200])
  connection.destroy()
})

/** Sends everything before it reads anything. By default it asks for the connection to be closed. */
function sendThenRead(sent: Sent, more = ['connection: close']): Promise<string> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(Number(port), hostname).setEncoding('utf8').pause()
    socket.on('data', (text: string) => (received += text))
    socket.on('error', reject).on('end', () => resolve(received))
    const head = [...headOf(sent, api.token), 'host: localhost', ...more].join('\r\n')
    socket.write(`${head}\r\n\r\n${sent.body}`, () => setTimeout(() => socket.resume(), 300))
  })
}

test('a client that sends all of its body before it reads, and closes then, gets the reason', async () => {
  const { body, type } = form(paramsPart({ path: '/MAM/unknown/x.txt' }), payloadPart(megabyte.repeat(16)))
  const sent = { method: 'POST', url: `${dam}/assets/bin/persist`, type, body: body.toString() }
  expect(await sendThenRead(sent)).toMatch(/^HTTP\/1\.1 404 [^]*\/MAM\/unknown/)
})

test('a reply that closes the connection by itself arrives too', async () => {
  const type = 'application/x-www-form-urlencoded'
  const sent = { method: 'POST', url: '/auth/realms/kontor/password', type, body: megabyte }
  expect(await sendThenRead(sent, [])).toMatch(/^HTTP\/1\.1 413 [^]*connection: close/)
})

describe('the rest of a refused body is read', () => {
  const open = async (milliseconds: number, bytes: number) => {
    const app = fastify().post('/', async (_request, reply) => reply.code(403).send('no'))
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _payload, done) => done(null))
    discardUnread(app, { milliseconds, bytes })
    onTestFinished(() => app.close())
    const connection = await openConnection(await app.listen({ host: '127.0.0.1', port: 0 }))
    connection.head('POST / HTTP/1.1', 'content-type: text/plain', `content-length: ${1024 ** 3}`)
    await replies(connection, 1)
    return connection
  }

  test('for some time only', async () => {
    const connection = await open(500, 1024 ** 3)
    await vi.waitUntil(() => connection.ended(), { timeout: 20_000 })
    expect(statusesOf(connection)).toEqual([403])
  })

  test('up to some bytes only', async () => {
    const connection = await open(3_600_000, 100_000)
    connection.write(megabyte)
    await vi.waitUntil(() => connection.ended(), { timeout: 20_000 })
    expect(statusesOf(connection)).toEqual([403])
  })
})
