import { randomUUID } from 'node:crypto'
import { common } from '@kontor/contract'
import { describe, expect, test } from 'vitest'
import { codes, outcomes, type Response, statementsOf, statuses } from '../../../test/common.ts'
import { type CallOptions, withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const api = withServer()
const base = `${common.base}/messages`

const message = (more: object = {}) => ({ subject: 'Import', body: 'It is done.', recipientUser: 'kim', ...more })
const send = (messages: unknown, options?: CallOptions) => api.post(`${base}/persist`, { messages }, options)
const deliver = async (messages: object[], options?: CallOptions): Promise<Response[]> => {
  const reply = await send(messages, options)
  expect(reply.status, reply.text).toBe(200)
  return reply.json.response
}
/** A new user with an inbox of their own. */
async function someone(...roles: string[]) {
  const name = `user-${randomUUID()}`
  const token = await api.tokenFor({ name, roles: ['user', ...roles] })
  const inbox = async (query = '') => (await api.get(`${base}${query}`, { token })).json
  const subjects = async (query = '') =>
    ((await inbox(query)).messages ?? []).map(({ subject }: { subject: string }) => subject)
  const mark = async (body: object) => (await api.post(`${base}/read`, body, { token })).json
  return { name, token, inbox, subjects, mark }
}

describe('persist', () => {
  test('delivers with everything that was sent, one record per message', async () => {
    const { name, inbox } = await someone()
    const full = {
      tid: 'm-1',
      severity: 'WARN',
      recipientUser: name,
      senderApplication: 'importer',
      senderPlugin: 'csv',
      parameters: { file: 'a.csv', rows: '12' },
    }
    const reply = await send([message(full), message({ recipientUser: name })])
    expect(reply.headers['content-type']).toBe('application/json;charset=UTF-8')
    expect(reply.json).toMatchObject({
      response: [
        { status: 'SUCCESS', action: 'create', dataType: 'message', id: expect.any(Number), tid: 'm-1' },
        { status: 'SUCCESS', action: 'create', dataType: 'message', id: expect.any(Number), tid: expect.any(String) },
      ],
    })
    const { messages, unread } = await inbox()
    expect(messages[1]).toEqual({
      ...message(full),
      id: reply.json.response[0].id,
      creationDate: expect.stringMatching(/^20.*Z$/),
      senderUser: 'kim',
      isRead: false,
    })
    expect(unread).toBe(2)
  })

  test('id and creationDate are the system’s, whatever was sent', async () => {
    const { name, inbox } = await someone()
    await deliver([message({ recipientUser: name, id: 7, creationDate: '1999-01-01T00:00:00Z' })])
    const [{ id, creationDate }] = (await inbox()).messages
    expect(id).not.toBe(7)
    expect(creationDate).toMatch(/^20/)
  })

  test('the role wins over the user when both are named', async () => {
    const [user, admin] = [await someone(), await someone('admin')]
    const subject = `to the admins ${user.name}`
    await deliver([message({ subject, recipientUser: user.name, recipientRole: 'admin', isRead: true })])
    expect(await user.subjects()).toEqual([])
    expect(await admin.subjects('?unread=true')).toContain(subject)
    expect(statuses(await deliver([message({ recipientUser: 'nobody', recipientRole: 'admin' })]))).toEqual(['SUCCESS'])
  })

  test('a problem with one message is reported in its record, and the others are delivered', async () => {
    const { name, subjects } = await someone()
    await deliver([message({ tid: 'taken' })])
    const to = (subject: string, more: object = {}) => message({ subject, recipientUser: name, ...more })
    const records = await deliver([
      to('first'),
      to('second', { tid: 'taken' }),
      to('third', { tid: ' taken ' }),
      to('fourth', { tid: 'new' }),
      to('fifth', { tid: 'new' }),
      to('sixth', { recipientUser: 'nobody' }),
      to('seventh', { recipientRole: 'nobodies' }),
      to('eighth', { senderUser: 'ada' }),
      to('ninth', { tid: 'x'.repeat(256) }),
      to('tenth', { senderUser: 'kim' }),
    ])
    expect(outcomes(records)).toEqual([
      'SUCCESS',
      'a message with the tid taken exists already',
      'a message with the tid taken exists already',
      'SUCCESS',
      'a message with the tid new exists already',
      'there is no user nobody to deliver the message to',
      'there is no role nobodies to deliver the message to',
      'senderUser: only an administrator may send in the name of ada',
      'tid has 256 characters; at most 255 are allowed',
      'SUCCESS',
    ])
    expect(codes(records).slice(5, 8)).toEqual(['1002', '1002', '1004'])
    expect(await subjects()).toEqual(['tenth', 'fourth', 'first'])
  })

  test('an administrator may send in the name of others', async () => {
    const { name, inbox } = await someone()
    await deliver([message({ recipientUser: name, senderUser: 'robot' })], { token: api.adminToken })
    expect((await inbox()).messages[0].senderUser).toBe('robot')
  })

  test('isRead delivers to a user as read already', async () => {
    const { name, inbox } = await someone()
    await deliver([message({ recipientUser: name, isRead: true })])
    expect(await inbox()).toMatchObject({ messages: [{ isRead: true }], unread: 0 })
  })

  test.each([
    [{}, '/messagesPersistRequest/messages: nothing to do'],
    [{ messages: [] }, '/messagesPersistRequest/messages: nothing to do'],
    [{ messages: [{ body: 'b', recipientUser: 'kim' }] }, '/messagesPersistRequest/messages[1]/subject'],
    [{ messages: [message(), { subject: 's', recipientUser: 'kim' }] }, '/messagesPersistRequest/messages[2]/body'],
    [{ messages: [message({ recipientUser: undefined })] }, 'messages[1]: recipientUser or recipientRole is missing'],
    [{ messages: [message({ recipientUser: '', recipientRole: '' })] }, 'recipientUser or recipientRole is missing'],
    [{ messages: [message({ subject: ' ' })] }, 'messages[1]/subject: is empty'],
    [{ messages: [message({ subject: 'x'.repeat(256) })] }, 'messages[1]/subject: has more than 255 characters'],
    [{ messages: [message({ body: '\n' })] }, 'messages[1]/body: is empty'],
    [{ messages: [message({ body: 'x'.repeat(65537) })] }, 'messages[1]/body: has more than 65536 characters'],
    [{ messages: [message({ severity: 'LOUD' })] }, '/messagesPersistRequest/messages[1]/severity'],
    [{ messages: [message({ isRead: 'perhaps' })] }, '/messagesPersistRequest/messages[1]/isRead'],
    [{ messages: [message({ subject: 7 })] }, '/messagesPersistRequest/messages[1]/subject'],
    [{ messages: [message({ parameters: ['x'] })] }, '/messagesPersistRequest/messages[1]/parameters'],
    [{ messages: [message({ parameters: { a: 1 } })] }, '/messagesPersistRequest/messages[1]/parameters'],
    [{ messages: [message({ colour: 'red' })] }, '/messagesPersistRequest/messages[1]/colour'],
    [
      { messages: [message({ parameters: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`p${i}`, 'x'])) })] },
      'messages[1]/parameters: more than 50',
    ],
    [{ messages: Array.from({ length: 1001 }, () => message()) }, 'messages: more than 1000; send fewer'],
    [{ messages: 'x' }, '/messagesPersistRequest/messages'],
  ])('a missing value or a wrong type is 400 for the whole call: %j', async (body, fault) => {
    const before = await countMessages()
    const reply = await api.post(`${base}/persist`, body)
    expect(reply.status).toBe(400)
    expect(reply.json).toMatchObject({ status: 'ERROR', details: { itm: [{ key: 'supportId' }] } })
    expect(reply.text).toContain(fault)
    expect(await countMessages()).toBe(before)
  })
  const countMessages = async () =>
    (await api.db.row<{ count: number }>(sql`select count(*)::int as count from message`))!.count

  test('accepts JSON only', async () => {
    const xml = '<messagesPersistRequest xmlns="http://www.apollon.de/omn"/>'
    expect((await api.post(`${base}/persist`, xml, { type: 'application/xml' })).status).toBe(400)
    expect((await api.post(`${base}/persist`)).status).toBe(400)
  })

  test('hostile texts are texts', async () => {
    const { name, inbox } = await someone()
    const subject = "'; drop table message; -- ${x} <script>alert(1)</script>"
    const body = 'right\u202eto left\tand\nmore 🐳'
    const parameters = { constructor: 'x', toString: 'y', ' ': 'z' }
    expect(statuses(await deliver([message({ subject, body, recipientUser: name, parameters })]))).toEqual(['SUCCESS'])
    expect((await inbox()).messages[0]).toMatchObject({ subject, body, parameters })
  })

  test('a parameter __proto__ is 400', async () => {
    const sent = JSON.stringify({ messages: [message({ parameters: { x: 'polluted' } })] })
    const reply = await api.post(`${base}/persist`, sent.replace('"x"', '"__proto__"'))
    expect(reply.status).toBe(400)
    expect(reply.text).toContain('/messagesPersistRequest/messages[1]/parameters')
  })

  test.each(['\u0000', '\ud800', '\u0001'])('a character that no text can carry is 400: %j', async (sign) => {
    for (const more of [{ subject: `a${sign}` }, { parameters: { a: sign } }, { parameters: { [`a${sign}`]: 'x' } }]) {
      expect((await send([message(more)])).status, JSON.stringify(more)).toBe(400)
    }
  })

  test('costs the same number of statements for 10 messages as for 1,000', async () => {
    const batch = (count: number) => Array.from({ length: count }, (_, i) => message({ subject: `${i}` }))
    const few = await statementsOf(api, () => deliver(batch(10)))
    expect(await statementsOf(api, () => deliver(batch(1000)))).toBe(few)
  })

  test('clients that race for one tid: exactly one wins', async () => {
    const records = await Promise.all(Array.from({ length: 20 }, () => deliver([message({ tid: 'contested' })])))
    expect(statuses(records.flat()).filter((status) => status === 'SUCCESS')).toHaveLength(1)
    expect(codes(records.flat()).filter((code) => code === '1005')).toHaveLength(19)
  })

  test('a repeat with the same Idempotency-Key delivers once', async () => {
    const { name, subjects } = await someone()
    const options = { headers: { 'idempotency-key': randomUUID() } }
    const first = await deliver([message({ recipientUser: name })], options)
    expect(await deliver([message({ recipientUser: name })], options)).toEqual(first)
    expect(await subjects()).toHaveLength(1)
  })
})

describe('the inbox', () => {
  test('holds what was sent to the user and to their roles, newest first, and nothing else', async () => {
    const [ann, bob] = [await someone('admin'), await someone()]
    const mark = randomUUID()
    await deliver([
      message({ subject: `${mark} 1`, recipientUser: ann.name }),
      message({ subject: `${mark} 2`, recipientUser: bob.name }),
      message({ subject: `${mark} 3`, recipientRole: 'admin' }),
      message({ subject: `${mark} 4`, recipientRole: 'user' }),
    ])
    const own = async ({ subjects }: typeof ann) =>
      (await subjects()).flatMap((subject: string) => (subject.startsWith(mark) ? [subject.at(-1)] : []))
    expect(await own(ann)).toEqual(['4', '3', '1'])
    expect(await own(bob)).toEqual(['4', '2'])
  })

  test('is paged by before and count', async () => {
    const { name, inbox, subjects } = await someone()
    const records = await deliver(
      Array.from({ length: 60 }, (_, i) => message({ subject: `${i}`, recipientUser: name })),
    )
    const mine = (await subjects('?count=1000')).filter((subject: string) => /^\d+$/.test(subject))
    expect(mine).toEqual(Array.from({ length: 60 }, (_, i) => `${59 - i}`))
    expect(await subjects()).toHaveLength(50)
    expect(await subjects('?count=2')).toEqual(['59', '58'])
    expect(await subjects(`?count=2&before=${records[58]!.id}`)).toEqual(['57', '56'])
    expect(await subjects('?count=0')).toEqual([])
    expect(await subjects('?before=0')).toEqual([])
    expect((await inbox('?count=5000')).messages.length).toBeLessThanOrEqual(1000)
  })

  test.each([
    'count=x',
    'count=-1',
    'count=1.5',
    'before=',
    'before=9999999999999999',
    'unread=yes',
    'count=1&count=2',
  ])('?%s is 400', async (query) => {
    const reply = await api.get(`${base}?${query}`)
    expect(reply.status).toBe(400)
    expect(reply.text).toContain(query.split('=')[0])
  })

  test('messages are marked as read and unread by each reader for themselves', async () => {
    const [ann, bob] = [await someone('admin'), await someone('admin')]
    const [shared, own] = await deliver([message({ recipientRole: 'admin' }), message({ recipientUser: ann.name })])
    const stateFor = async ({ inbox }: typeof ann) =>
      (await inbox()).messages.find(({ id }: { id: number }) => id === shared!.id).isRead
    const unread = (await ann.inbox()).unread
    expect(await ann.mark({ ids: [shared!.id, own!.id] })).toEqual({ count: 2 })
    expect(await ann.mark({ ids: [shared!.id], isRead: true })).toEqual({ count: 0 })
    expect([await stateFor(ann), await stateFor(bob)]).toEqual([true, false])
    expect((await ann.inbox()).unread).toBe(unread - 2)
    expect((await ann.inbox('?unread=true')).messages?.map(({ id }: { id: number }) => id) ?? []).not.toContain(own!.id)
    expect((await ann.inbox('?unread=false')).messages.map(({ id }: { id: number }) => id)).toContain(own!.id)
    expect(await ann.mark({ ids: [shared!.id], isRead: false })).toEqual({ count: 1 })
    expect(await stateFor(ann)).toBe(false)
  })

  test('users cannot mark messages of others', async () => {
    const [ann, bob] = [await someone(), await someone()]
    const [record] = await deliver([message({ recipientUser: ann.name })])
    expect(await bob.mark({ ids: [record!.id, 99999999] })).toEqual({ count: 0 })
    await ann.mark({ ids: [record!.id] })
    expect(await bob.mark({ ids: [record!.id], isRead: false })).toEqual({ count: 0 })
    expect((await ann.inbox()).messages[0].isRead).toBe(true)
  })

  test.each([[undefined], [{}], [{ ids: ['x'] }], [{ ids: [1], isRead: 'x' }], [{ id: 1 }]])(
    'marking with %j is 400',
    async (body) => {
      expect((await api.post(`${base}/read`, body)).status).toBe(400)
    },
  )

  test('an id beyond 2^53 marks nothing', async () => {
    expect((await api.post(`${base}/read`, '{"ids":[9223372036854775807]}')).json).toEqual({ count: 0 })
  })
})
