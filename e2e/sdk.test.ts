/** The SDK against a server. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createClient, fixedToken, KontorError, offlineTokens, passwordTokens } from '@kontor/sdk'
import { describe, expect, test } from 'vitest'
import { sql } from '../server/src/adapters/postgres/sql.ts'
import { withServer } from '../server/test/server.ts'

const api = withServer()
let address: Promise<string> | undefined
const url = () => (address ??= api.app.http.listen({ host: '127.0.0.1', port: 0 }))
const client = async (format: 'json' | 'xml' | 'compact' = 'json', token = api.token) =>
  createClient({ baseUrl: await url(), tokens: fixedToken(token), format, attempts: 2 })
const keyword = (name: string, parentPath?: string) => ({
  name: { itm: [{ value: name }] },
  ...(parentPath && { parentPath }),
})

describe.each(['json', 'xml', 'compact'] as const)('in %s', (format) => {
  test('a stored object is retrieved with the same values', async () => {
    const { common } = await client(format)
    const records = await common.keywords.persist([keyword(`Top ${format}`), keyword('Below', `/Top ${format}`)])
    expect(records.map(({ status, path }) => [status, path])).toEqual([
      ['SUCCESS', `/Top ${format}`],
      ['SUCCESS', `/Top ${format}/Below`],
    ])
    const [below] = await common.keywords.retrieve({ path: `/Top ${format}` })
    expect(below).toMatchObject({ ...keyword('Below'), parentPath: `/Top ${format}` })
  })

  test('a whole message includes related objects', async () => {
    const { common } = await client(format)
    await common.glossaries.persist([{ tid: `words-${format}`, name: `Words ${format}` }])
    const meta = { itm: [{ key: 'value', value: 'sail', loc: 'en_GB' }] }
    await common.glossaryEntries.persist([{ parentTid: `words-${format}`, type: 'term', loc: 'en_GB', meta }])
    const request = { names: [`Words ${format}`], retrieveEntries: true }
    const { glossaryEntries } = await common.glossaries.retrieveMessage(request)
    expect(glossaryEntries?.glossaryEntry).toMatchObject([{ parentTid: `words-${format}`, type: 'term' }])
    await common.glossaries.perform([{ type: 'delete', tid: `words-${format}` }])
  })

  test('a refused object is a record, not an exception', async () => {
    const { common } = await client(format)
    const [record] = await common.keywords.perform([{ type: 'delete', path: '/Nowhere' }])
    expect(record).toMatchObject({ status: 'ERROR', description: 'no keyword has the path /Nowhere' })
  })
})

test("a call that fails as a whole throws the server's error with its support id", async () => {
  const { common } = await client('xml')
  const error = await common.keywords.retrieve({ level: 0 }).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(KontorError)
  expect(error).toMatchObject({ status: 400, code: '1001', supportId: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  expect((error as KontorError).messages).toEqual([expect.stringContaining('/keywordRequest/level')])
})

test("when no workflow can be started, the server's reasons are thrown", async () => {
  const { workflow } = await client()
  const about = (tid: string) => ({ linkedObjects: [{ type: 'glossary', tid }] })
  const body = {
    configIdentifier: 'F.WorkflowConfig.GlossaryReview',
    processStartRequests: [about('nowhere'), about('nowhere')],
  }
  const failure = await workflow.start({ body } as never).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(KontorError)
  expect(failure).toMatchObject({ status: 500, code: '1002', messages: [expect.stringContaining('nowhere')] })
})

test('objects are yielded while they arrive', async () => {
  const { common } = await client()
  const run = await common.keywords.bulk(Array.from({ length: 3000 }, (_, i) => keyword(`s${i}`)))
  await api.startWorker()
  expect(await run.done()).toHaveLength(3000)
  expect(await run.state()).toEqual({ state: 'finished', processed: 3000, total: 3000 })
  let count = 0
  for await (const kwd of common.keywords.stream({ path: '/', level: -1 })) {
    expect(kwd.path).toBeDefined()
    if (++count === 2500) break
  }
  expect(count).toBe(2500)
})

test('an atomic batch stores nothing when one object is refused', async () => {
  const { common } = await client()
  const records = await common.glossaries.persist([{ name: 'Whole' }, { name: 'Whole' }], { atomic: true })
  expect(records.map(({ status }) => status)).toEqual(['ERROR', 'ERROR'])
  expect(await common.glossaries.retrieve()).toEqual([])
})

test('routes are methods too', async () => {
  const { common } = await client()
  expect(await common.retrieveComponents()).toMatchObject({ keywords: 'active' })
  const body = { messages: [{ subject: 'Hello', body: 'World', recipientUser: 'kim' }] }
  expect(await common.persistMessages({ body })).toMatchObject({ response: [{ status: 'SUCCESS' }] })
  expect(await common.listMessages({ query: { unread: 'true' } })).toMatchObject({ unread: 1 })
})

test('after a rejected token, one new token is requested; then the call fails', async () => {
  let requested = 0
  const tokens = async () => `no token ${++requested}`
  const { common } = createClient({ baseUrl: await url(), tokens })
  await expect(common.locales.retrieve({ mode: 'ALL' })).rejects.toMatchObject({ status: 401 })
  expect(requested).toBe(2)
})

test('passwords and offline tokens are exchanged for access tokens, once for concurrent calls', async () => {
  const provider = { baseUrl: await url() }
  const password = 'a quiet heron by the weir'
  await api.app.identity.users.create({ name: 'robin', roles: ['user'], password })
  const byPassword = passwordTokens(provider, 'robin', password)
  const [first, second] = await Promise.all([byPassword(false), byPassword(false)])
  expect(first).toBe(second)
  const form = {
    grant_type: 'password',
    client_id: 'kontor-ui',
    username: 'robin',
    password,
    scope: 'openid offline_access',
  }
  const reply = await fetch(`${await url()}/auth/realms/kontor/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  const { refresh_token: offline } = (await reply.json()) as { refresh_token: string }
  const stored: string[] = []
  const { common } = createClient({
    ...provider,
    tokens: offlineTokens(provider, offline, (token) => void stored.push(token)),
  })
  expect(await common.locales.retrieve({ mode: 'TID', tids: ['de_DE'] })).toHaveLength(1)
  expect(stored).toHaveLength(1)
})

/** A proxy that loses the first replies of the server, or answers 503 in its place. */
async function startFaultyProxy(server: string, faults: ('lost' | 'busy')[]) {
  const keys: unknown[] = []
  const proxy = createServer(async (request, reply) => {
    keys.push(request.headers['idempotency-key'])
    const fault = faults.shift()
    const headers = request.headers as Record<string, string>
    const answer = fault === 'busy' ? undefined : await fetch(server + request.url!, { method: request.method!, headers, body: await text(request) }) // prettier-ignore
    if (fault === 'lost') return void request.socket.destroy() // the object is stored, but the client gets no reply
    reply.writeHead(answer?.status ?? 503, answer && { 'content-type': answer.headers.get('content-type')! })
    reply.end(await answer?.text())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}`, keys, close: () => proxy.close() }
}

test('a write is retried under its key when the server is busy or its reply is lost, and stored once', async () => {
  const { baseUrl, keys, close } = await startFaultyProxy(await url(), ['busy', 'lost'])
  const { common } = createClient({ baseUrl, tokens: fixedToken(api.token) })
  const records = await common.glossaries.persist([{ name: 'Stored once' }])
  expect(records).toMatchObject([{ status: 'SUCCESS', action: 'create' }])
  expect(keys).toHaveLength(3)
  expect(new Set(keys).size, 'one key').toBe(1)
  expect(keys[0]).toEqual(expect.any(String))
  const history = await api.db.rows(sql`select 1 from history where data_type = 'glossary' and object_id = ${Number(records[0]!.id)}`) // prettier-ignore
  expect(history).toHaveLength(1)
  close()
})
