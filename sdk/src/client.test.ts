import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { areas, formats } from '@kontor/contract'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startLocalServer } from '../test/local-server.ts'
import { createClient } from './client.ts'
import { fixedToken } from './tokens.ts'

const clientOf = (baseUrl: string) => createClient({ baseUrl, tokens: fixedToken('a-token') })
const schemaVersion = '5.6.0'
const records = (...response: object[]) => ({ body: { schemaVersion, responses: { response } } })

test('every resource and every route of the contract is a method', () => {
  const client = clientOf('') as unknown as Record<string, Record<string, object>>
  for (const { base, resources, routes } of areas) {
    const area = client[base.split('/').at(-1)!]!
    for (const name of Object.keys(resources)) expect(area[name], `${base} ${name}`).toBeTypeOf('object')
    for (const name of Object.keys(routes)) expect(area[name], `${base} ${name}`).toBeTypeOf('function')
  }
})

describe('a resource', () => {
  const sea = { name: { itm: [{ value: 'Sea' }] } }

  test('is persisted as an envelope, and each object has a record', async () => {
    const given = [{ status: 'SUCCESS', tid: '1' }, { status: 'ERROR', description: 'no parent' }] // prettier-ignore
    const { url, requests } = await startLocalServer(() => records(...given))
    expect(await clientOf(url).common.keywords.persist([sea, sea])).toMatchObject(given)
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/api/core/v1/common/keywords/persist' })
    expect(JSON.parse(requests[0]!.body.toString())).toEqual({ schemaVersion, kwds: { kwd: [sea, sea] } })
  })

  test('performs actions of its own data type', async () => {
    const { url, requests } = await startLocalServer(() => records())
    await clientOf(url).common.keywords.perform([{ type: 'delete', path: '/Sea' }])
    expect(JSON.parse(requests[0]!.body.toString())).toMatchObject({
      actions: { action: [{ dataType: 'keyword', type: 'delete', path: '/Sea' }] },
    })
  })

  test.each([
    [{}, {}],
    [{ atomic: true }, { 'kontor-atomic': 'true' }],
    [{ dryRun: true }, { 'kontor-dry-run': 'true' }],
    [{ atomic: false, dryRun: false }, {}],
  ])('turns the options %o into headers', async (options, expected) => {
    const { url, requests } = await startLocalServer(() => records())
    await clientOf(url).common.keywords.persist([sea], options)
    const sent = Object.entries(requests[0]!.headers).filter(([name]) => name.startsWith('kontor-'))
    expect(Object.fromEntries(sent)).toEqual(expected)
  })

  test('yields an object before the reply has ended', async () => {
    let finish = () => {}
    const server = createServer((_, reply) => {
      reply.writeHead(200, { 'content-type': formats.json.contentType })
      reply.write('{"schemaVersion":"5.6.0","kwds":{"kwd":[{"path":"/First"},')
      finish = () => void reply.end('{"path":"/Second"}]}}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { common } = clientOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const paths: (string | undefined)[] = []
    for await (const { path } of common.keywords.stream()) {
      paths.push(path)
      finish()
    }
    expect(paths).toEqual(['/First', '/Second'])
  })

  test('waits for the end of a bulk run and returns its records', async () => {
    const meta = (state: string) => ({ itm: [{ key: 'state', value: state }, { key: 'processed', value: '1' }, { key: 'total', value: '2' }] }) // prettier-ignore
    const { url, requests } = await startLocalServer(({ method }, count) =>
      method === 'POST'
        ? { body: 'run-1', headers: { 'content-type': 'text/plain' } }
        : {
            body: {
              schemaVersion,
              meta: meta(count < 4 ? 'running' : 'finished'),
              responses: { response: [{ status: 'SUCCESS' }] },
            },
          },
    )
    const run = await clientOf(url).common.keywords.bulk([sea])
    expect(await run.state()).toEqual({ state: 'running', processed: 1, total: 2 })
    expect(await run.done()).toMatchObject([{ status: 'SUCCESS' }])
    expect(requests.slice(1).map(({ path }) => path)).toEqual(Array.from({ length: 3 }, () => '/api/core/v1/common/keywords/bulk/run-1')) // prettier-ignore
  })
})

describe('a route', () => {
  test('escapes its parameters and appends its query', async () => {
    const { url, requests } = await startLocalServer(() => ({ body: {} }))
    const call = { params: { id: 'a/b' }, query: { status: 'refused', count: '20' } }
    await clientOf(url).transfers.listRows(call)
    expect(requests[0]!.path).toBe('/api/v1/transfers/a%2Fb/rows?status=refused&count=20')
  })
})

describe('an idempotency key', () => {
  test('is part of every write: a retry has no second effect', async () => {
    const { url, requests } = await startLocalServer(({ path }) =>
      path.endsWith('/bulk') ? { body: 'run-1' } : records(),
    )
    const { common, transfers } = clientOf(url)
    await common.keywords.persist([{}])
    await common.keywords.perform([{ type: 'delete', path: '/Sea' }])
    await common.keywords.bulk([{}])
    await transfers.deleteTransfer({ params: { id: '7' } })
    const keys = requests.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual(Array.from({ length: 4 }, () => expect.stringMatching(/^[0-9a-f-]{36}$/)))
    expect(new Set(keys).size).toBe(4)
  })

  test('of the caller is used', async () => {
    const { url, requests } = await startLocalServer(() => records())
    await clientOf(url).common.keywords.persist([{}], { idempotencyKey: 'mine' })
    expect(requests[0]!.headers['idempotency-key']).toBe('mine')
  })

  test('is not part of a read', async () => {
    const { url, requests } = await startLocalServer(({ method }) => (method === 'POST' ? records() : { body: {} }))
    await clientOf(url).common.keywords.retrieve()
    await clientOf(url).transfers.listTransfers()
    expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined])
  })
})
