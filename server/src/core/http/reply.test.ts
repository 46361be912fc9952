import { Readable } from 'node:stream'
import { decode, formats, type Infer, Pim } from '@kontor/contract'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openConnection } from '../../../test/connection.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { Problem } from '../../errors.ts'
import { answerFailures } from './failure.ts'
import { sendContents } from './reply.ts'

const api = withServer()
const retrieve = '/api/core/v1/common/keywords/retrieve'

describe('a retrieve of 50,000 keywords', () => {
  beforeAll(async () => {
    await api.db.run(sql`
      insert into keyword (name, path, created_by, modified_by)
      select 'k' || n, '/k' || n, 'kim', 'kim' from generate_series(100001, 150000) as n`)
    await api.db.run(sql`analyze keyword`)
  })
  const pages = () => api.statements.filter((text) => text.includes('order by k.path')).length
  let address: Promise<string> | undefined
  const ask = async () =>
    fetch(`${await (address ??= api.listen())}${retrieve}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.token}` },
    })

  test('is sent while it is read, and is complete', async () => {
    const before = pages()
    const reply = await ask()
    const chunks: Uint8Array[] = []
    let readAtFirst = 0
    for await (const chunk of reply.body!) {
      if (chunks.push(chunk) === 1) readAtFirst = pages() - before
    }
    expect(chunks.length).toBeGreaterThan(10)
    expect(readAtFirst).toBeLessThan(50)
    expect(pages() - before).toBe(51)
    const { kwds } = decode(formats.json, Pim, Buffer.concat(chunks)) as Infer<typeof Pim>
    expect(kwds!.kwd).toHaveLength(50_000)
    expect(kwds!.kwd!.at(-1)!.path).toBe('/k150000')
  })

  test('is no longer read when the client disconnects', async () => {
    const before = pages()
    const reply = await ask()
    const reader = reply.body!.getReader()
    await reader.read()
    await reader.cancel()
    await vi.waitUntil(async () => {
      const seen = pages()
      await new Promise((resolve) => setTimeout(resolve, 200))
      return pages() === seen
    })
    expect(pages() - before).toBeLessThan(51)
  })

  test('that fails in the middle breaks the connection and never ends as a complete message', async () => {
    const before = pages()
    const connection = await openConnection(await (address ??= api.listen()))
    connection.head(`POST ${retrieve} HTTP/1.1`, `authorization: Bearer ${api.token}`, 'content-length: 0')
    await vi.waitUntil(() => pages() > before + 3, { interval: 1 })
    await api.db.run(sql`alter table keyword rename to hidden`)
    await vi.waitUntil(() => connection.ended(), { timeout: 5000 })
    expect(connection.received()).toMatch(/^HTTP\/1\.1 200 [^]*"path":"\/k100001"/)
    expect(connection.received()).not.toContain('/k150000')
    expect(connection.received()).not.toMatch(/\r\n0\r\n\r\n$/)
  })
})

describe('a stream of objects', () => {
  let app: FastifyInstance
  let objects: () => AsyncGenerator<object>
  const ended: unknown[] = []
  beforeAll(async () => {
    app = fastify()
    answerFailures(app)
    app.get('/', (_request, reply) =>
      sendContents(reply, formats.json, { schemaVersion: '5.6.0' }, { kwds: objects() }),
    )
    await app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => app.close())
  async function* keywords(count: number, then?: Error): AsyncGenerator<object> {
    try {
      for (let n = 0; n < count; n++) yield { path: `/${'x'.repeat(1000)}${n}` }
      if (then) throw then
    } finally {
      ended.push(count)
    }
  }

  test.each([
    ['before the first object', 0, 404],
    ['within the first piece', 10, 404],
    ['after the first piece, while nothing was sent', 70, 404],
  ])('that fails %s is answered with its status', async (_, count, status) => {
    objects = () => keywords(count, new Problem('notFound', 'it is not there'))
    const reply = await app.inject('/')
    expect(reply.statusCode).toBe(status)
    expect(reply.body).toContain('it is not there')
  })

  test('that fails later is cut off', async () => {
    objects = () => keywords(200, new Problem('notFound', 'it is not there'))
    const { port } = app.server.address() as { port: number }
    const reply = await fetch(`http://127.0.0.1:${port}/`)
    expect(reply.status).toBe(200)
    await expect(reply.text()).rejects.toThrow()
  })

  test('that is short is sent in one piece, with its length', async () => {
    objects = () => keywords(3)
    const reply = await app.inject('/')
    expect(reply.headers['content-length']).toBe(String(reply.body.length))
    expect(reply.json().kwds.kwd).toHaveLength(3)
  })

  test('that is empty gives an empty container', async () => {
    objects = () => keywords(0)
    expect((await app.inject('/')).json()).toEqual({ kwds: {}, schemaVersion: '5.6.0' })
  })

  test('is closed when its reader disconnects', async () => {
    objects = () => keywords(1_000_000)
    const { port } = app.server.address() as { port: number }
    const reply = await fetch(`http://127.0.0.1:${port}/`)
    await Readable.fromWeb(reply.body as ReadableStream)
      .take(1)
      .toArray()
    await vi.waitUntil(() => ended.includes(1_000_000), { timeout: 5000 })
  })
})
