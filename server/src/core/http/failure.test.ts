import { PassThrough } from 'node:stream'
import { areas, decode, ErrorResponse, type Format, formats, type Infer, methods, openapi } from '@kontor/contract'
import fastify from 'fastify'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { openConnection } from '../../../test/connection.ts'
import { type Reply, withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { Problem, problems } from '../../errors.ts'
import { refuseConnection, toProblem } from './failure.ts'

const api = withServer({ KONTOR_LOG_LEVEL: 'info' })
const base = '/api/core/v1/common/keywords'
let address: Promise<string> | undefined
const listen = () => (address ??= api.listen())
const all = Object.values(formats)

const envelopeOf = (format: Format, text: string) =>
  decode(format, ErrorResponse, Buffer.from(text)) as Infer<typeof ErrorResponse>
const issueOf = (reply: Pick<Reply, 'text'>, format: Format = formats.json) => {
  const { details, issues, status } = envelopeOf(format, reply.text)
  const [code, description] = issues![0]!.itm!.map(({ value }) => value)
  const message = issues![0]!.itms![0]!.itm![0]!.value
  return { status, supportId: details!.itm![0]!.value, code, description, message }
}
const linesOf = (supportId: string | undefined) => api.log.filter((line) => line.supportId === supportId)

describe('a failed call', () => {
  test.each(all)('is answered in $mediaType, with the support id of its lines in the log', async (format) => {
    const reply = await api.post(`${base}/retrieve`, { path: '/Nowhere' }, { accept: format.mediaType })
    expect(reply.status).toBe(404)
    expect(reply.headers['content-type']).toBe(format.contentType)
    const issue = issueOf(reply, format)
    expect(issue).toEqual({
      status: 'ERROR',
      supportId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      code: '1002',
      description: 'resource not found',
      message: 'no keyword has the path /Nowhere',
    })
    expect(linesOf(issue.supportId)).toMatchObject([
      { msg: 'request failed', problem: 'no keyword has the path /Nowhere' },
      { msg: 'request', method: 'POST', route: `${base}/retrieve`, status: 404, user: 'kim', ms: expect.any(Number) },
    ])
  })

  test('that is an internal error reveals nothing in the reply, only in the log', async () => {
    await api.db.run(sql`alter table keyword rename to hidden`)
    try {
      for (const format of all) {
        const reply = await api.post(`${base}/retrieve`, {}, { accept: format.mediaType })
        expect(reply.status).toBe(500)
        expect(reply.text).not.toMatch(/keyword|relation|select|sql|postgres|\.ts|node_modules|stack/i)
        const issue = issueOf(reply, format)
        expect(issue).toMatchObject({ code: '1000', description: 'unknown internal error' })
        expect(issue.message).toBe('the cause is in the log under the support id')
        expect(linesOf(issue.supportId)[0]).toMatchObject({
          level: 50,
          err: { message: 'relation "keyword" does not exist', stack: expect.stringContaining('keywords.ts') },
        })
      }
    } finally {
      await api.db.run(sql`alter table hidden rename to keyword`)
    }
  })

  test('can quote anything: characters that XML cannot contain become question marks', async () => {
    const reply = await api.get(`${base}/bulk/1?a%01%EF%BF%BFb<%26`, { accept: 'application/xml' })
    expect(reply.status).toBe(400)
    expect(issueOf(reply, formats.xml).message).toBe('query parameter a??b<&: unknown; this call has none')
  })

  test('does not show secrets in the log', async () => {
    await api.post(`${base}/retrieve`, {})
    expect(JSON.stringify(api.log)).not.toContain(api.token.slice(-20))
  })
})

describe('an address', () => {
  test.each([
    ['GET', '/nothing/here', 404, undefined],
    ['GET', '/livez/', 404, undefined],
    ['GET', `${base}/retrieve`, 405, 'POST'],
    ['DELETE', `${base}/persist`, 405, 'POST'],
    ['OPTIONS', `${base}/persist`, 405, 'POST'],
    ['HEAD', `${base}/persist`, 405, 'POST'],
    ['POST', `${base}/bulk/7`, 405, 'GET, HEAD'],
    ['POST', '/livez', 405, 'GET, HEAD'],
    ['GET', `${base}/bulk`, 405, 'POST'],
    ['GET', `/API/core/v1/common/keywords/retrieve`, 404, undefined],
  ])('%s %s is answered %i', async (method, url, status, allow) => {
    const reply = await api.app.http.inject({ method: method as 'GET', url })
    expect(reply.statusCode).toBe(status)
    expect(reply.headers.allow).toBe(allow)
    if (method !== 'HEAD') expect(issueOf({ text: reply.body }).status).toBe('ERROR')
  })

  test('that answers GET answers HEAD, without a body', async () => {
    const reply = await api.app.http.inject({ method: 'HEAD', url: '/livez' })
    expect(reply).toMatchObject({ statusCode: 200, body: '' })
    expect(Number(reply.headers['content-length'])).toBeGreaterThan(0)
  })

  test.each([
    ['/api/%ff', 400],
    [`${base}/bulk/${'x'.repeat(513)}`, 404],
  ])('that cannot be read is refused in our words: %s', async (url, status) => {
    const reply = await api.get(url)
    expect(reply.status).toBe(status)
    expect(reply.headers['x-content-type-options']).toBe('nosniff')
    const { supportId, message } = issueOf(reply)
    expect(message).not.toContain('FST_')
    expect(linesOf(supportId)).not.toEqual([])
  })
})

const { paths } = openapi(areas, { version: '0' })
const methodsOf = (item: object) => methods.filter((method) => method in item).map((method) => method.toUpperCase())

describe('a method that a path does not have is answered 405 with those that it has', () => {
  test.each(Object.entries(paths).map(([path, item]) => [path, methodsOf(item)] as const))(
    '%s: %s',
    async (path, own) => {
      const method = ['PUT', 'PATCH', 'DELETE', 'POST', 'GET'].find((one) => !own.includes(one))! as 'GET'
      const url = path.replaceAll(/\{\w+\}/g, '4711')
      const { statusCode, headers } = await api.app.http.inject({ method, url })
      expect(statusCode).toBe(405)
      const isFinish = path.endsWith('/chunked/persist/{uploadId}') // clients send PUT or POST
      const isNode = path.startsWith('/api/core/v1/pim/attributes/') // any further path is that of a node
      const expected = new Set([
        ...own,
        ...(isNode || own.includes('GET') ? ['GET', 'HEAD'] : []),
        ...(isFinish ? ['POST'] : []),
      ])
      expect(headers.allow?.split(', ').sort()).toEqual([...expected].sort())
    },
  )

  test.each([
    ['GET', '/api/v1/workflow/tasks/query', 'POST'],
    ['DELETE', '/api/v1/workflow/configurations/persist', 'POST'],
    ['POST', '/api/v1/transfers/profiles/start', 'GET, HEAD, PUT, DELETE'],
  ])('%s %s is not the route of an object with that name', async (method, url, allow) => {
    const headers = { authorization: `Bearer ${api.adminToken}` }
    const reply = await api.app.http.inject({ method: method as 'GET', url, headers })
    expect([reply.statusCode, reply.headers.allow]).toEqual([405, allow])
  })

  test.each(['QUERY', 'PROPFIND', 'TRACE', 'LOCK', 'OPTIONS', 'SEARCH', 'MKCOL'])('%s', async (method) => {
    const connection = await openConnection(await listen())
    connection.write(`${method} ${base}/persist HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    await vi.waitUntil(() => connection.ended(), { timeout: 20_000 })
    expect(connection.received()).toMatch(/^HTTP\/1\.1 405 /)
    expect(connection.received().toLowerCase()).toContain('\r\nallow: post\r\n')
  })
})

describe('bytes that are not a request', () => {
  const answerTo = async (text: string) => {
    const connection = await openConnection(await listen())
    connection.write(text)
    await vi.waitUntil(() => connection.ended(), { timeout: 3000 })
    const [head = '', body = ''] = connection.received().split('\r\n\r\n')
    return { head, issue: issueOf({ text: body }) }
  }

  test('that are not HTTP are refused, and the connection is closed', async () => {
    const { head, issue } = await answerTo('HELO kontor\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(head).toContain('x-content-type-options: nosniff')
    expect(issue).toMatchObject({ code: '1001', message: 'this is not a readable HTTP request' })
    expect(linesOf(issue.supportId)).toHaveLength(1)
  })

  test('with headers that are too large are refused with 431', async () => {
    const { head, issue } = await answerTo(`GET /livez HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(17_000)}\r\n\r\n`)
    expect(head).toMatch(/^HTTP\/1\.1 431 /)
    expect(issue).toMatchObject({ code: '1017', description: 'headers too large' })
  })

  test('are not answered in the middle of a reply', async () => {
    const app = fastify({
      clientErrorHandler: (error, socket) => refuseConnection(error, socket, api.app.http.log, {}),
    })
    app.get('/slow', async (_request, reply) => {
      const stream = new PassThrough()
      stream.write('begun')
      return reply.send(stream)
    })
    const connection = await openConnection(await app.listen({ host: '127.0.0.1', port: 0 }))
    connection.head('GET /slow HTTP/1.1')
    await vi.waitUntil(() => connection.received().includes('begun'))
    connection.write('HELO kontor\r\n\r\n')
    await vi.waitUntil(() => connection.ended())
    expect(connection.received()).toMatch(/begun\r\n$/)
    await app.close()
  })

  test('with contradictory length and encoding are refused', async () => {
    const { head } = await answerTo(
      'POST /livez HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\nabc',
    )
    expect(head).toMatch(/^HTTP\/1\.1 400 /)
  })
})

describe('an error of a library', () => {
  const error = (fields: object, message = 'secret') => Object.assign(new Error(message), fields)
  // prettier-ignore
  test.each([
    ['a database that refuses connections', error({ code: 'ECONNREFUSED', syscall: 'connect' }), 'unavailable'],
    ['a socket that is not there', error({ code: 'ENOENT', syscall: 'connect' }), 'unavailable'],
    ['a connection that broke', error({}, 'Connection terminated unexpectedly'), 'unavailable'],
    ['a client that lost its connection', error({}, 'Client has encountered a connection error and is not queryable'), 'unavailable'],
    ['a pool that stays full', error({}, 'timeout exceeded when trying to connect'), 'unavailable'],
    ['a server that stops', error({ code: '57P01' }), 'unavailable'],
    ['a server that starts', error({ code: '57P03' }), 'unavailable'],
    ['a disk that is full', error({ code: '53100' }), 'unavailable'],
    ['a lock that stays taken', error({ code: '55P03' }), 'unavailable'],
    ['a deadlock that came again', error({ code: '40P01' }), 'unavailable'],
    ['a statement that took too long', error({ code: '57014' }), 'unavailable'],
    ['a file that is not there', error({ code: 'ENOENT', syscall: 'open' }), 'internal'],
    ['a constraint nobody thought of', error({ code: '23514' }), 'internal'],
    ['a syntax error in SQL', error({ code: '42601' }), 'internal'],
    ['a slip of ours', new TypeError('secret'), 'internal'],
  ])('%s is %s', (_, cause, kind) => {
    const problem = toProblem(cause)
    expect(problem).toMatchObject({ kind, cause })
    expect(problem.message).not.toContain('secret')
  })

  test('stays what it is when it is ours', () => {
    const problem = new Problem('exists', 'there is one')
    expect(toProblem(problem)).toBe(problem)
  })
})

test('every kind of problem has a code of its own, except for invalid input and those that the interface gives 1000', () => {
  const codes = Object.values(problems).map(({ code }) => code)
  expect(codes.filter((code, i) => codes.indexOf(code) !== i)).toEqual(['1001', '1000'])
})

afterAll(() => expect(api.log.filter(({ err }) => err !== undefined)).toHaveLength(3))
