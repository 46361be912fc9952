import { decode, encode, formats, Pim } from '@kontor/contract'
import { describe, expect, test } from 'vitest'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const api = withServer()
const base = '/api/core/v1/common/keywords'
const schemaVersion = '5.6.0'
const keywords = (...names: string[]) => ({
  schemaVersion,
  kwds: { kwd: names.map((name) => ({ name: { itm: [{ value: name }] } })) },
})
const deletion = (path: string) => ({
  schemaVersion,
  actions: { action: [{ type: 'delete', dataType: 'keyword', path }] },
})
const message = (subject: string) => ({ messages: [{ subject, body: 'x', severity: 'INFO', recipientUser: 'kim' }] })

interface Options {
  token?: string
  accept?: string
  headers?: Record<string, string>
}
const post = (path: string, key: string, body: object, { headers, ...options }: Options = {}) =>
  api.post(path, body, { ...options, headers: { 'idempotency-key': key, ...headers } })
const countOf = async (name: string) =>
  (await api.db.row<{ n: number }>(sql`select count(*)::int as n from keyword where name = ${name}`))!.n
const forget = (name: string) => api.db.run(sql`delete from keyword where name = ${name}`)

// prettier-ignore
const calls = [
  { call: 'persist',  path: `${base}/persist`, body: keywords('Once'), other: keywords('Other'), part: 'responses' },
  { call: 'perform',  path: `${base}/perform`, body: deletion('/Gone'), other: deletion('/Other'), part: 'responses' },
  { call: 'messages', path: '/api/core/v1/common/messages/persist', body: message('Once'), other: message('Other'), part: 'response' },
  { call: 'bulk',     path: `${base}/bulk`, body: keywords('Bulk'), other: keywords('Other bulk'), part: undefined },
]

describe.each(calls)('on $call', ({ call, path, body, other, part }) => {
  const key = `key-${call}`
  test('a repeat gets the first reply and has no second effect', async () => {
    if (call === 'perform') await api.post(`${base}/persist`, keywords('Gone'))
    const first = await post(path, key, body)
    expect(first.status, first.text).toBe(200)
    expect(first.headers['idempotency-replayed']).toBeUndefined()
    const counts = async () =>
      api.db.row(sql`select (select count(*) from history) h, (select count(*) from message) m,
        (select count(*) from bulk_run) r, (select count(*) from bulk_chunk) c, (select count(*) from graphile_worker.jobs) j`)
    const before = await counts()
    const again = await post(path, key, body)
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true'])
    if (part) expect(again.json[part]).toEqual(first.json[part])
    else expect(again.text).toBe(first.text)
    expect(await counts()).toEqual(before)
  })

  test('another body with the same key is refused', async () => {
    const reply = await post(path, key, other)
    expect(reply.status).toBe(400)
    expect(reply.text).toContain(
      `Idempotency-Key ${key} was used with another request; use a new key for a new request`,
    )
  })

  test('a repeat while the first request is still running gets 409', async () => {
    await api.db.transaction(async (db) => {
      await db.lock(sql`select pg_advisory_xact_lock(hashtextextended(${`kim\nheld-${call}`}, 7))`)
      const reply = await post(path, `held-${call}`, other)
      expect(reply.status).toBe(409)
      expect(reply.json.issues[0].itm[0].value).toBe('1007')
    })
    expect((await post(path, `held-${call}`, other)).status).toBe(200)
  })

  test.each(['', 'two words', 'ü', 'x'.repeat(256)])('the key %j is refused', async (bad) => {
    const reply = await post(path, bad, other)
    expect(reply.status).toBe(400)
    expect(reply.text).toContain('Idempotency-Key: expected 1 to 255 visible ASCII characters')
  })
})

test('a repeat may ask for another format, and gets the same records', async () => {
  const first = await post(`${base}/persist`, 'formats', keywords('Formats', ''))
  for (const format of Object.values(formats)) {
    const again = await post(`${base}/persist`, 'formats', keywords('Formats', ''), { accept: format.mediaType })
    expect(decode(format, Pim, Buffer.from(again.text))).toMatchObject({ responses: first.json.responses })
  }
})

test('an id above 2^53 is repeated exactly', async () => {
  const body = {
    schemaVersion,
    actions: { action: [{ type: 'delete', dataType: 'keyword', id: 9223372036854775807n }] },
  }
  const options = { headers: { 'idempotency-key': 'long' } }
  const first = await api.post(`${base}/perform`, encode(formats.json, Pim, body), options)
  const again = await api.post(`${base}/perform`, encode(formats.json, Pim, body), options)
  expect(first.status, first.text).toBe(200)
  expect(again.text).toContain('"id":9223372036854775807')
})

test.each([
  ['another URL', `${base}/bulk`, {}],
  ['another value of Kontor-Atomic', `${base}/persist`, { 'kontor-atomic': 'true' }],
])('the same body with %s is another request', async (what, path, headers) => {
  const key = what.replaceAll(' ', '-')
  expect((await post(`${base}/persist`, key, keywords('Same'))).status).toBe(200)
  expect((await post(path, key, keywords('Same'), { headers })).status).toBe(400)
})

test('a key belongs to its user', async () => {
  await post(`${base}/persist`, 'mine', keywords('Mine'))
  const other = await post(`${base}/persist`, 'mine', keywords('Yours'), { token: api.adminToken })
  expect(other.status).toBe(200)
  expect(await countOf('Yours')).toBe(1)
})

test('without a key no reply is stored', async () => {
  const count = () => api.db.row(sql`select count(*) from idempotency_key`)
  const before = await count()
  await api.post(`${base}/persist`, keywords('Plain'))
  expect(await count()).toEqual(before)
})

describe('a request that failed as a whole leaves no trace', () => {
  test('when its message was bad', async () => {
    expect((await post(`${base}/persist`, 'bad', { schemaVersion })).status).toBe(400)
    expect((await post(`${base}/persist`, 'bad', keywords('Good'))).status).toBe(200)
  })

  test('when it was an internal error', async () => {
    await api.db.run(sql`alter table outbox rename to hidden`)
    expect((await post(`${base}/persist`, 'ours', keywords('Ours'))).status).toBe(500)
    await api.db.run(sql`alter table hidden rename to outbox`)
    expect(await countOf('Ours')).toBe(0)
    const reply = await post(`${base}/persist`, 'ours', keywords('Ours'))
    expect(reply.json.responses.response[0].status).toBe('SUCCESS')
  })

  test('when it was to be atomic and was not applied', async () => {
    await api.post(`${base}/persist`, keywords('Hurdle'))
    const headers = { 'kontor-atomic': 'true' }
    const refused = await post(`${base}/persist`, 'atomic', keywords('Behind', 'Hurdle'), { headers })
    expect(refused.json.responses.response.map(({ status }: { status: string }) => status)).toEqual(['ERROR', 'ERROR'])
    await forget('Hurdle')
    const reply = await post(`${base}/persist`, 'atomic', keywords('Behind', 'Hurdle'), { headers })
    expect(reply.json.responses.response.map(({ status }: { status: string }) => status)).toEqual([
      'SUCCESS',
      'SUCCESS',
    ])
  })
})

test('many requests with one key at once have one effect', async () => {
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => post(`${base}/persist`, 'storm', keywords('Storm'))),
  )
  expect(replies.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([])
  const given = replies.filter(({ status }) => status === 200).map(({ json }) => json.responses)
  expect(given.length).toBeGreaterThan(0)
  for (const responses of given) expect(responses).toEqual(given[0])
  expect(given[0].response[0].status).toBe('SUCCESS')
  expect(await countOf('Storm')).toBe(1)
})
