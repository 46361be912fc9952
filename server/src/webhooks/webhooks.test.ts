import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readEvents } from '../../test/events.ts'
import { withServer } from '../../test/server.ts'
import { sql } from '../adapters/postgres/sql.ts'
import { tidyWebhooks } from './webhooks.ts'

const api = withServer({ KONTOR_WEBHOOK_PRIVATE: 'true', KONTOR_WEBHOOK_RETRY: '1' })
const closed = withServer()
const at = '/api/v1/webhooks'
const admin = () => ({ token: api.adminToken })

interface Got {
  headers: IncomingHttpHeaders
  body: string
  event: { id: string; type: string; subject: string; data: { id: number; event: string } }
}

/** A receiver that answers with the given status. */
async function receiver(answer: (got: Got) => number | Promise<number> = () => 200) {
  const got: Got[] = []
  const server = createServer(async (request, reply) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const one = { headers: request.headers, body, event: JSON.parse(body) as Got['event'] }
    const status = await answer(one)
    if (status === 200) got.push(one)
    reply.writeHead(status).end()
  })
  const listen = (port = 0) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen()
  const { port } = server.address() as AddressInfo
  const stop = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  stops.push(stop)
  return { got, url: `http://127.0.0.1:${port}/hook`, stop, again: () => listen(port) }
}
const stops: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const stop of stops) await stop()
})
beforeAll(() => api.startWorker())

const create = async (body: object): Promise<{ id: string; secret: string }> => {
  const { status, json, text } = await api.post(at, body, admin())
  expect(status, text).toBe(200)
  return json
}
const show = async (id: string) => (await api.get(`${at}/${id}`, admin())).json
const change = (id: string, body: object) => api.post(`${at}/${id}`, body, { ...admin(), method: 'PATCH' })
const remove = (id: string) => api.post(`${at}/${id}`, undefined, { ...admin(), method: 'DELETE' })
const deliveries = async (id: string, query = '') =>
  (await api.get(`${at}/${id}/deliveries?${query}`, admin())).json.deliveries ?? []
const glossary = async (tid: string, name = tid) => {
  const body = { schemaVersion: '5.6.0', glossaries: { glossary: [{ tid, name }] } }
  const { json } = await api.post('/api/core/v1/common/glossaries/persist', body)
  expect(json.responses.response[0].status).toBe('SUCCESS')
  return json.responses.response[0].id as number
}
const until = (condition: () => unknown) => vi.waitFor(condition, { timeout: 40_000, interval: 50 })

test('events arrive as CloudEvents with signatures that the standardwebhooks package accepts', async () => {
  const { got, url } = await receiver()
  const { id, secret } = await create({ url, types: ['kontor.glossary.*'] })
  await glossary('first')
  await until(() => expect(got).toHaveLength(1))
  const [{ headers, body, event }] = got as [Got]
  expect(headers['content-type']).toBe('application/cloudevents+json; charset=UTF-8')
  expect(event).toMatchObject({ specversion: '1.0', type: 'kontor.glossary.created', data: { event: 'CREATE' } })
  expect(headers['webhook-id']).toBe(event.id)
  const names = headers as Record<string, string>
  expect(new Webhook(secret).verify(body, names)).toEqual(event)
  expect(() => new Webhook(secret).verify(`${body} `, names)).toThrow()
  await until(async () =>
    expect(await deliveries(id)).toMatchObject([{ eventId: event.id, state: 'delivered', attempts: 1, status: 200 }]),
  )
  expect(JSON.stringify(await show(id))).not.toContain(secret)
  await remove(id)
})

test('two secrets sign while one replaces the other', async () => {
  const { got, url } = await receiver()
  const { id, secret: old } = await create({ url, types: ['kontor.glossary.*'] })
  const { secret: next } = (await api.post(`${at}/${id}/secrets`, undefined, admin())).json
  await glossary('both')
  await until(() => expect(got).toHaveLength(1))
  const verify = (secret: string, { body, headers }: Got) =>
    new Webhook(secret).verify(body, headers as Record<string, string>)
  for (const secret of [old, next]) expect(verify(secret, got[0]!)).toEqual(got[0]!.event)

  expect((await api.post(`${at}/${id}/secrets`, undefined, { ...admin(), method: 'DELETE' })).status).toBe(200)
  await glossary('one only')
  await until(() => expect(got).toHaveLength(2))
  expect(verify(next, got[1]!)).toEqual(got[1]!.event)
  expect(() => verify(old, got[1]!)).toThrow()
  const refused = await api.post(`${at}/${id}/secrets`, undefined, { ...admin(), method: 'DELETE' })
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('one secret only')])
  await remove(id)
})

test('a receiver that is down for a while gets every event when it is back, in order per object', async () => {
  const { got, url, stop, again } = await receiver()
  const { id } = await create({ url, types: ['kontor.glossary.*'] })
  await stop()
  for (let round = 0; round < 5; round++)
    for (const tid of ['x', 'y', 'z']) await glossary(tid, `${tid} in round ${round}`)
  await until(async () => expect(await show(id)).toMatchObject({ waiting: 15, failingSince: expect.any(String) }))
  expect((await show(id)).problem).toContain('ECONNREFUSED')
  await again()
  await until(() => expect(got).toHaveLength(15))
  const byObject = Map.groupBy(got, ({ event }) => event.data.id)
  expect(byObject.size).toBe(3)
  for (const received of byObject.values()) {
    const numbers = received.map(({ event }) => Number(event.id.split('.')[1]))
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    expect(received.map(({ event }) => event.data.event)).toEqual(['CREATE', 'UPDATE', 'UPDATE', 'UPDATE', 'UPDATE'])
  }
  await until(async () => {
    const now = await show(id)
    expect(now.waiting ?? 0).toBe(0)
    expect(now).not.toHaveProperty('failingSince')
  })
  await remove(id)
})

test('a receiver that answers slowly does not delay the events of other webhooks', async () => {
  const gate = Promise.withResolvers<number>()
  const slow = await receiver(() => gate.promise)
  const quick = await receiver()
  const hooks = [
    await create({ url: slow.url, types: ['kontor.glossary.*'] }),
    await create({ url: quick.url, types: ['kontor.glossary.*'] }),
  ]
  for (const tid of ['p', 'q', 'r']) {
    const before = quick.got.length
    await glossary(tid)
    await until(() => expect(quick.got).toHaveLength(before + 1))
  }
  expect(slow.got).toHaveLength(0)
  gate.resolve(200)
  await until(() => expect(slow.got).toHaveLength(3))
  for (const { id } of hooks) await remove(id)
})

test('a webhook is served by one process at a time, and by another one as soon as that is dead', async () => {
  const { got, url } = await receiver()
  const { id } = await create({ url, types: ['kontor.glossary.*'] })
  await change(id, { enabled: false })
  const other = new Client(api.db.pool.options)
  other.on('error', () => {})
  await other.connect()
  await other.query('select pg_advisory_lock(hashtextextended($1, 12))', [id])
  await change(id, { enabled: true })
  await glossary('served elsewhere')
  await pause(1500)
  expect(got).toHaveLength(0)
  await api.db.run(sql`select pg_terminate_backend(${(other as unknown as { processID: number }).processID})`)
  await vi.waitFor(() => expect(got).toHaveLength(1), { timeout: 10_000 })
  await remove(id)
})

test('an event that is refused is tried again, later ones of its object wait, others do not', async () => {
  let refusals = 2
  const { got, url } = await receiver(({ event }) => (event.data.id === stubborn && refusals-- > 0 ? 422 : 200))
  let stubborn = 0
  const { id } = await create({ url, types: ['kontor.glossary.updated'] })
  stubborn = await glossary('stubborn')
  await glossary('easy')
  await glossary('stubborn', 'renamed once')
  await glossary('stubborn', 'renamed twice')
  await glossary('easy', 'renamed')
  await until(() => expect(got).toHaveLength(3))
  expect(got[0]!.event.data.id).not.toBe(stubborn)
  await until(async () =>
    expect(await deliveries(id)).toMatchObject([{ attempts: 1 }, { attempts: 1 }, { attempts: 3, state: 'delivered' }]),
  )
  await remove(id)
})

test('deliveries can be sent once more, and carry the same id', async () => {
  const { got, url } = await receiver()
  const { id } = await create({ url, types: ['kontor.glossary.*'] })
  await glossary('replayed')
  await until(async () => expect(await deliveries(id, 'state=delivered')).toHaveLength(1))
  const [{ id: delivery, createdAt }] = await deliveries(id)
  const replay = (body: object) => api.post(`${at}/${id}/replay`, body, admin())
  expect((await replay({ ids: [delivery] })).json).toEqual({ count: 1 })
  await until(() => expect(got).toHaveLength(2))
  expect(got[1]!.body).toBe(got[0]!.body)
  await until(async () => expect(await deliveries(id, 'state=delivered')).toHaveLength(1))
  expect((await replay({ since: createdAt, states: ['delivered'] })).json).toEqual({ count: 1 })
  await until(() => expect(got).toHaveLength(3))
  expect((await replay({})).status).toBe(400)
  await remove(id)
})

test('a webhook can begin behind an earlier event, be disabled, and go on where it stopped', async () => {
  const { position } = await readEvents(api)
  await glossary('before')
  const { got, url } = await receiver()
  const { id } = await create({ url, types: ['kontor.glossary.*'], after: position })
  await until(() => expect(got).toHaveLength(1))
  expect((await change(id, { enabled: false })).json).toMatchObject({ enabled: false })
  await glossary('while disabled')
  await pause(1500)
  expect(got).toHaveLength(1)
  await change(id, { enabled: true, description: 'back' })
  await until(() => expect(got).toHaveLength(2))
  await remove(id)
})

test('a webhook that answers 410, or fails for days, is disabled; its events stay queued', async () => {
  const { url } = await receiver(() => 410)
  const { id } = await create({ url, types: ['kontor.glossary.*'] })
  await glossary('gone')
  await until(async () => expect(await show(id)).toMatchObject({ enabled: false, waiting: 1 }))
  expect((await show(id)).problem).toContain('410')
  await api.db.run(sql`update webhook set enabled = true, failing_since = now() - interval '6 days', retry_at = now() + interval '1 hour'`) // prettier-ignore
  await tidyWebhooks({ database: api.db, config: api.config })
  expect(await show(id)).toMatchObject({ enabled: false, waiting: 1, problem: expect.stringContaining('5 days') })
  await remove(id)
})

test('a test event returns the answer of the receiver', async () => {
  const { got, url } = await receiver()
  const { id } = await create({ url, types: ['kontor.template.*'] })
  expect((await api.post(`${at}/${id}/test`, undefined, admin())).json).toMatchObject({ status: '200' })
  expect(got[0]!.event.type).toBe('kontor.webhook.test')
  await remove(id)
})

describe('refused', () => {
  test.each([
    ['https://user:secret@example.com/x', 'must not contain a user'],
    ['http://example.com/', 'expected an https address'],
    ['ftp://example.com/', 'expected an https address'],
    ['https://127.0.0.1/', 'not a public address'],
    ['https://2130706433/', 'not a public address'],
    ['https://0x7f.1/', 'not a public address'],
    ['https://[::1]/', 'not a public address'],
    ['https://[::ffff:10.0.0.1]/', 'not a public address'],
    ['https://[64:ff9b::a00:1]/', 'not a public address'],
    ['https://169.254.169.254/latest/meta-data', 'not a public address'],
    ['not an address', 'expected an https address'],
  ])('the address %s', async (url, sentence) => {
    const { status, text } = await closed.post(at, { url }, { token: closed.adminToken })
    expect([status, text]).toEqual([400, expect.stringContaining(sentence)])
  })

  test('a name that leads into our own network, when it is called', async () => {
    const { json } = await closed.post(at, { url: 'https://localhost:1/' }, { token: closed.adminToken })
    const answer = await closed.post(`${at}/${json.id}/test`, undefined, { token: closed.adminToken })
    expect(answer.json).toMatchObject({ status: '0', answer: expect.stringContaining('which is not public') })
  })

  test('unknown types, unknown ids, and users who are not administrators', async () => {
    expect((await api.post(at, { url: 'https://example.com', types: ['a b'] }, admin())).status).toBe(400)
    const misspelt = await api.post(at, { url: 'https://example.com', types: ['kontor.produkt.*'] }, admin())
    expect([misspelt.status, misspelt.text]).toEqual([400, expect.stringContaining('did you mean kontor.product.*?')])
    expect((await api.get(`${at}/17`, admin())).status).toBe(404)
    expect((await api.get(at)).status).toBe(403)
  })
})
