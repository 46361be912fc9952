import { connect as dial } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, fixedToken } from '@kontor/sdk'
import { describe, expect, inject, test, vi } from 'vitest'
import { createModel, jacket, productCalls } from '../../test/catalogue.ts'
import { administer } from '../../test/database.ts'
import { untilReleased } from '../../test/events.ts'
import { withServer } from '../../test/server.ts'
import { sql } from '../adapters/postgres/sql.ts'
import { currentPosition } from '../core/outbox/outbox.ts'
import { toTypeFilter } from './types.ts'

const api = withServer()
const { persist, perform } = productCalls(api)
const at = '/api/v1/events'

interface Event {
  id: string
  type: string
  subject: string
  data: {
    dataType: string
    id: number
    tid?: string
    path?: string
    action?: string
    changes?: object[]
    user?: string
  }
}
/** Where the events of what follows begin. */
const fromHere = async () => {
  await untilReleased(api.db)
  return currentPosition(api.db)
}
const list = async (query: string, token = api.token) => {
  if (!query.includes('wait=')) await untilReleased(api.db)
  const { status, json, text } = await api.get(`${at}?${query}`, { token })
  expect(status, text).toBe(200)
  return { events: (json.events ?? []) as Event[], position: json.position as string }
}
const brief = (events: readonly Event[]) => events.map(({ type, subject }) => `${type} ${subject}`)
const addKeyword = (name: string) =>
  api.post('/api/core/v1/common/keywords/persist', {
    schemaVersion: '5.6.0',
    kwds: { kwd: [{ name: { itm: [{ value: name }] } }] },
  })

describe('the feed', () => {
  test('returns every change once as a CloudEvent, and continues after any of them', async () => {
    await createModel(api)
    const { position: from } = await list('')
    await persist(jacket('One'), jacket('Two'))
    await persist({ ...jacket('One'), name: 'One renamed' })
    await perform({ type: 'delete', tid: 'Two' })
    const { events, position } = await list(`after=${from}`)
    const [gone] = events.filter(({ type }) => type.endsWith('deleted'))
    expect(brief(events)).toEqual([
      'kontor.product.created One',
      `kontor.product.created ${gone!.data.id}`,
      'kontor.product.updated One',
      'kontor.product.deleted Two',
    ])
    const path = '/Standard/Jackets'
    const user = 'kim'
    const product = { dataType: 'product', id: events[0]!.data.id, tid: 'One', path, user }
    expect(events[0]).toEqual({
      specversion: '1.0',
      id: expect.stringMatching(/^\d+\.\d+$/),
      source: 'http://localhost:8080',
      type: 'kontor.product.created',
      subject: 'One',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      datacontenttype: 'application/json',
      data: { ...product, event: 'CREATE' },
    })
    expect(events[2]!.data).toEqual({ ...product, event: 'UPDATE', changes: [{ field: 'name' }] })
    expect(gone!.data).toEqual({ ...product, tid: 'Two', id: gone!.data.id, event: 'DELETE' })
    expect(position).toBe(events.at(-1)!.id)
    expect((await list(`after=${events[1]!.id}`)).events).toEqual(events.slice(2))
    expect(await list(`after=${position}`)).toEqual({ events: [], position })
    expect((await list(`after=${from}&types=kontor.*.deleted,kontor.asset.*`)).events).toEqual([gone])
  })

  test('lists the changes of an object in their order, although the request that waited for it began first', async () => {
    await persist(jacket('Free'), jacket('Held'), jacket('Late'))
    const { position: from } = await list('')
    const waits = (count: number) =>
      vi.waitFor(
        async () =>
          expect(
            await api.db.rows(sql`
              select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
          ).toHaveLength(count),
        { timeout: 20_000 },
      )
    const earlier = await api.db.transaction(async (tx) => {
      await tx.lock(sql`select from product where tid = 'Held' for update`)
      const waiting = persist(...['Free', 'Held', 'Late'].map((tid) => ({ ...jacket(tid), name: `${tid} second` })))
      await waits(1)
      await persist({ ...jacket('Late'), name: 'Late first' })
      return { waiting }
    })
    await earlier.waiting
    const rows = await api.db.rows<{ id: string; writer: string }>(sql`
      select xid::text || '.' || seq as id, writer::text from outbox o
      where object_id = (select id from product where tid = 'Late') order by seq desc limit 2`)
    const [last, first] = rows
    expect(BigInt(first!.writer) > BigInt(last!.writer), 'the second change is of the earlier transaction').toBe(true)
    const { events } = await list(`after=${from}&types=kontor.product.updated`)
    expect(events.filter(({ subject }) => subject === 'Late').map(({ id }) => id)).toEqual([first!.id, last!.id])
  })

  test('waits for the next change, and answers empty when its time is over', async () => {
    const { position } = await list('')
    const waiting = list(`after=${position}&wait=20`)
    await pause(100)
    await addKeyword('Awaited')
    expect(brief((await waiting).events)).toEqual(['kontor.keyword.created /Awaited'])
    const began = Date.now()
    expect((await list(`after=${(await list('')).position}&wait=1`)).events).toEqual([])
    expect(Date.now() - began).toBeGreaterThanOrEqual(900)
  })

  test('a filter of many stars is judged in no time', async () => {
    const from = await fromHere()
    await addKeyword('Starry')
    for (const types of [`${'*'.repeat(98)}z`, '*d*e'.repeat(20)])
      expect((await api.get(`${at}?after=${from}&types=${types}`)).status).toBe(400)
    expect(brief((await list(`after=${from}&types=k**r.*.*ed`)).events)).toEqual(['kontor.keyword.created /Starry'])
  })

  test.each([
    ['*', true],
    ['kontor.keyword.created', true],
    ['*.created', true],
    ['kontor.*', true],
    ['*keyword*', true],
    ['k*r.key*word.cr*ed', true],
    ['kontor.keyword.created*created', false],
    ['kontor.keyword.create', false],
    ['*created.', false],
  ])('the type %s includes a created keyword: %s', (pattern, included) => {
    expect(toTypeFilter([pattern])('kontor.keyword.created')).toBe(included)
  })

  test('begins with the oldest event that is kept, after 0', async () => {
    const { events } = await list('after=0&count=1000')
    const oldest = await api.db.row<{ id: string }>(
      sql`select xid::text || '.' || seq as id from outbox where data_type not like '%.%' order by xid, seq limit 1`,
    )
    expect(events[0]!.id).toBe(oldest!.id)
    const second = events.find(({ id }) => id.split('.')[0] !== events[0]!.id.split('.')[0])!
    await api.db.run(sql`update outbox_floor set xid = ${second.id.split('.')[0]!}::xid8`)
    expect((await list('after=0&count=1000')).events[0]!.id).toBe(second.id)
    await api.db.run(sql`update outbox_floor set xid = '0'`)
  })

  test.each([
    ['kontor.produkt.*', 'kontor.product.*'],
    ['kontor.product.update', 'kontor.product.updated'],
    ['kontor.channel.created', 'kontor.project.created'],
    ['kontor.category.*', 'kontor.node.*'],
    ['product.updated', 'kontor.product.updated'],
    ['kontor.link.*', 'kontor.dir.*'],
  ])('a type that does not exist is refused with the nearest one: %s', async (type, nearest) => {
    const { status, text } = await api.get(`${at}?types=kontor.asset.*,${type}`)
    expect([status, text]).toEqual([
      400,
      expect.stringContaining(`no event has the type ${type}; did you mean ${nearest}?`),
    ])
  })

  test.each([
    ['after=yesterday', 400, 'is not the id of an event'],
    ['types=product;drop', 400, 'is not a type'],
    [`types=${'a,'.repeat(100)}a`, 400, 'at most 100'],
    ['count=1001', 400, 'query parameter count: expected a whole number from 0 to 1000, found 1001'],
    ['wait=-1', 400, 'from 0 to 60'],
  ])('%s is refused', async (query, status, sentence) => {
    const reply = await api.get(`${at}?${query}`)
    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(sentence)])
  })

  test('a position that is no longer kept returns 410', async () => {
    await api.db.run(sql`update outbox_floor set xid = pg_current_xact_id()`)
    const reply = await api.get(`${at}?after=3.0`)
    expect([reply.status, reply.text]).toEqual([410, expect.stringContaining('read everything anew')])
    await api.db.run(sql`update outbox_floor set xid = '0'`)
  })
})

describe('an event says enough', () => {
  const core = '/api/core/v1'
  const schemaVersion = '5.6.0'
  const admin = () => ({ token: api.adminToken })
  const send = async (path: string, body: object, token = api.adminToken) => {
    const reply = await api.post(`${core}/${path}`, { schemaVersion, ...body }, { token })
    expect([reply.status, reply.text]).toEqual([200, expect.not.stringContaining('"ERROR"')])
  }
  const val = (attr: string, value: string, loc?: string) => ({ attr, itm: [{ value, ...(loc && { loc }) }] })
  const values = (...all: object[]) => ({ vals: { val: all } })
  const en = { loc: 'en_GB' }

  test('which values an update changed, as far as the reader may see them', async () => {
    const dotted = { tid: 'odd.de_DE', type: 'text', name: { itm: [{ value: 'Odd', ...en }] } }
    await send('pim/attribute-definitions/persist', { attrDefs: { attrDef: [dotted] } })
    await persist(jacket('Changed'))
    const from = await fromHere()
    await persist({
      tid: 'Changed',
      ...values(
        val('material', 'Wool'),
        val('odd.de_DE', 'x'),
        { attr: 'caption', itm: [{ value: 'Warm', ...en }, { value: 'Weich', loc: 'de_DE' }] }, // prettier-ignore
      ),
    })
    const changes = async (token?: string) => (await list(`after=${from}`, token)).events[0]!.data.changes
    const vals = (attribute: string, locale?: string) => ({ field: 'vals', attribute, ...(locale && { locale }) })
    expect(await changes()).toEqual([
      vals('material'),
      vals('odd.de_DE'),
      vals('caption', 'de_DE'),
      vals('caption', 'en_GB'),
    ])
    const readers = [
      { visibleAttributes: { except: ['material'] }, visibleLocales: { except: ['de_DE'] } },
      { visibleAttributes: { only: ['caption'] } },
      { visibleAttributes: { except: ['odd.de_DE'] } },
    ]
    const seen = []
    for (const [i, hidden] of readers.entries()) {
      const grants = [{ kind: 'product', actions: ['read'], ...hidden }]
      await api.post(`/api/v1/identity/roles/reader${i}`, { description: '', grants }, { method: 'PUT', ...admin() })
      seen.push(await changes(await api.tokenFor({ roles: [`reader${i}`] })))
    }
    expect(seen).toEqual([
      [vals('odd.de_DE'), vals('caption', 'en_GB')],
      [vals('caption', 'de_DE'), vals('caption', 'en_GB')],
      [vals('material'), vals('caption', 'de_DE'), vals('caption', 'en_GB')],
    ])
  })

  test('the tid and the path of objects of every kind, also after their deletion', async () => {
    const from = await fromHere()
    const name = { name: { itm: [{ value: 'New', ...en }] } }
    await send('pim/attribute-definitions/persist', {
      attrDefs: { attrDef: [{ tid: 'fresh', type: 'text', ...name }] },
    })
    await send('pim/classes/persist', { classes: { clazz: [{ tid: 'Fresh', ...name }] } })
    await send('pim/nodes/persist', { nodes: { node: [{ parentPath: '/Fresh', tid: 'Node', ...name }] } })
    await send('pim/attributes/persist', { attrs: { attr: [{ nodePath: '/Fresh/Node', key: 'fresh' }] } })
    await send('common/keywords/persist', { kwds: { kwd: [{ name: { itm: [{ value: 'fresh' }] } }] } })
    await api.db.run(sql`insert into rnc (tid, name, created_by, modified_by) values ('main', 'main', 'kim', 'kim')`)
    await send('dam/dirs/perform', {
      actions: { action: [{ type: 'createPath', dataType: 'dir', path: '/main/Fresh' }] },
    })
    const removal = (dataType: string, named: object) => ({
      actions: { action: [{ type: 'delete', dataType, ...named, meta: { itm: [{ key: 'force', value: 'true' }] } }] },
    })
    const created = (await list(`after=${from}&types=kontor.*.created`)).events
    await send('pim/classes/perform', removal('classification', { tid: 'Fresh' }))
    await send('pim/attribute-definitions/perform', removal('attrDefinition', { tid: 'fresh' }))
    await send('common/keywords/perform', removal('keyword', { path: '/fresh' }))
    await send('dam/dirs/perform', removal('dir', { path: '/main/Fresh' }))
    const deleted = (await list(`after=${from}&types=kontor.*.deleted`)).events
    const named = ({ data: { dataType, tid, path, user } }: Event) => [dataType, tid, path, user]
    const userName = expect.any(String)
    const expected = [
      ['attrDefinition', 'fresh', undefined, userName],
      ['classification', 'Fresh', undefined, userName],
      ['node', 'Fresh', '/Fresh', userName],
      ['node', 'Node', '/Fresh/Node', userName],
      ['attribute', 'fresh', '/Fresh/Node', userName],
      ['keyword', '/fresh', '/fresh', userName],
      ['dir', expect.any(String), '/main/Fresh', userName],
    ]
    expect(created.map(named)).toEqual(expect.arrayContaining(expected))
    expect(deleted.map(named)).toEqual(expect.arrayContaining(expected))
    expect([created.length, deleted.length]).toEqual([expected.length, expected.length])
  })

  test('that an object lost a link because the other one was deleted', async () => {
    await persist(jacket('Kept'), jacket('Lost'))
    const itm = [{ key: 'sourceProductTid', value: 'Kept' }, { key: 'targetProductTid', value: 'Lost' }] // prettier-ignore
    await send('common/links/persist', {
      links: { itms: [{ type: 'productToProduct', itms: [{ type: 'similar', itm }] }] },
    })
    const from = await fromHere()
    const [{ status }] = await perform({
      type: 'delete',
      tid: 'Lost',
      meta: { itm: [{ key: 'force', value: 'true' }] },
    })
    expect(status).toBe('SUCCESS')
    const { events } = await list(`after=${from}`)
    const user = 'kim'
    expect(brief(events)).toEqual(['kontor.product.updated Kept', 'kontor.product.deleted Lost'])
    expect(events[0]!.data).toMatchObject({ action: 'unlink', changes: [{ field: 'link' }], user })
  })
})

test('events of articles and variations have their names and fields, for all who may read the product', async () => {
  const role = (name: string, node: string) =>
    api.post(
      `/api/v1/identity/roles/${name}`,
      { description: '', grants: [{ kind: 'product', actions: ['read'], scopes: { node: [node] } }] },
      { method: 'PUT', token: api.adminToken },
    )
  await role('jackets', '/Standard/Jackets')
  await role('boots', '/Standard/Boots')
  const parts = (name: string) => ({
    articles: { article: [{ tid: 'Parted-a', name, variants: { variant: [{ tid: 'Parted-v', name }] } }] },
  })
  const from = await fromHere()
  await persist(jacket('Parted', parts('First')))
  await persist(jacket('Parted', parts('Second')))
  const types = 'types=kontor.article.*,kontor.variant.*'
  const token = await api.tokenFor({ roles: ['jackets'] })
  for (const reader of [api.token, token]) {
    const { events } = await list(`after=${from}&${types}`, reader)
    expect(brief(events)).toEqual([
      'kontor.article.created Parted-a',
      'kontor.variant.created Parted-v',
      'kontor.article.updated Parted-a',
      'kontor.variant.updated Parted-v',
    ])
    const shared = { path: '/Standard/Jackets', user: 'kim' }
    expect(events[0]!.data).toMatchObject({ dataType: 'article', tid: 'Parted-a', ...shared })
    expect(events[3]!.data).toMatchObject({ dataType: 'variant', tid: 'Parted-v', ...shared, changes: [{ field: 'name' }] }) // prettier-ignore
  }
  expect((await list(`after=${from}&${types}`, await api.tokenFor({ roles: ['boots'] }))).events).toEqual([])
})

test('a caller who may read a subtree gets only its events', async () => {
  const grants = [{ kind: 'product', actions: ['read'], scopes: { node: ['/Standard/Jackets/Rain'] } }]
  const put = { method: 'PUT', token: api.adminToken } as const
  await api.post('/api/v1/identity/roles/rainy', { description: '', grants }, put)
  const token = await api.tokenFor({ roles: ['rainy'] })
  const from = await fromHere()
  await persist(jacket('Wet', { node: '/Standard/Jackets/Rain' }), jacket('Dry'))
  await addKeyword('Unseen')
  expect(brief((await list(`after=${from}`, token)).events)).toEqual(['kontor.product.created Wet'])
  expect(brief((await list(`after=${from}`)).events)).toHaveLength(3)
  expect((await api.get(at, { token: null })).status).toBe(401)
})

describe('while the database takes no new connections', () => {
  const other = withServer()
  const allow = async (allowed: boolean) => {
    const { database } = await other.db.connection()
    await administer(inject('postgres').url, `alter database ${database} with allow_connections ${allowed}`)
  }

  test('waiting requests are refused, but only temporarily', async () => {
    const wait = () => other.get(`${at}?wait=1`)
    await other.get(at)
    await allow(false)
    expect((await wait()).status).toBeGreaterThanOrEqual(500)
    await allow(true)
    expect((await wait()).status).toBe(200)
  })
})

describe('over a connection', () => {
  let url: Promise<string> | undefined
  const listen = () => (url ??= api.listen())

  const open = async (headers: Record<string, string> = {}) => {
    const reply = await fetch(`${await listen()}${at}/stream?types=kontor.keyword.*`, {
      headers: { authorization: `Bearer ${api.token}`, accept: 'text/event-stream', ...headers },
    })
    expect(reply.headers.get('content-type')).toBe('text/event-stream')
    return reply.body!.pipeThrough(new TextDecoderStream()).getReader()
  }
  const readUntil = async (reader: Awaited<ReturnType<typeof open>>, word: string) => {
    let text = ''
    while (!text.includes(word)) text += (await reader.read()).value ?? ''
    return text
  }

  test('a stream sends what happens, and goes on after Last-Event-ID', async () => {
    const first = await open()
    await readUntil(first, 'id: ')
    await addKeyword('Streamed')
    const received = await readUntil(first, '"}}\n\n')
    const [, id] = /id: (\S+)\nevent: kontor.keyword.created\ndata: {.*Streamed/.exec(received)!
    await first.cancel()
    await addKeyword('While away')
    const second = await open({ 'last-event-id': id! })
    expect(await readUntil(second, '"}}\n\n')).toContain('/While away')
    await second.cancel()
  })

  test('a stream that cannot be continued ends, so that the client comes back', async () => {
    const reader = await open()
    await readUntil(reader, 'id: ')
    await api.db.run(sql`alter table outbox rename to outbox_elsewhere`)
    try {
      while (!(await reader.read()).done);
    } finally {
      await api.db.run(sql`alter table outbox_elsewhere rename to outbox`)
    }
  })

  test('a stream of many events keeps nothing of what it has sent', async () => {
    const warnings: string[] = []
    const warned = ({ name }: Error) => void warnings.push(name)
    process.on('warning', warned)
    const after = await currentPosition(api.db)
    await addKeyword('Often')
    await api.db.run(sql`
      insert into outbox (object_id, data_type, event)
      select object_id, data_type, 'UPDATE' from (select * from outbox order by seq desc limit 1) last, generate_series(1, 3000)`)
    await addKeyword('Last')
    const reader = await open({ 'last-event-id': after })
    await readUntil(reader, '/Last"')
    await reader.cancel()
    process.off('warning', warned)
    expect(warnings).not.toContain('MaxListenersExceededWarning')
  })

  test('the SDK follows it, and comes back where it was', async () => {
    const { events } = createClient({ baseUrl: await listen(), tokens: fixedToken(api.token) })
    const after = await currentPosition(api.db)
    const seen: string[] = []
    let last = ''
    const some = async (count: number, from: string) => {
      for await (const event of events.follow({ after: from, types: ['kontor.keyword.*'] })) {
        seen.push(event.subject!)
        last = event.id!
        if (seen.length === count) return
      }
    }
    await addKeyword('a1')
    const following = some(2, after)
    await addKeyword('a2')
    await following
    await addKeyword('a3')
    await some(3, last)
    expect(seen).toEqual(['/a1', '/a2', '/a3'])
  })

  test('a client that does not request a stream does not get one', async () => {
    const reply = await api.get(`${at}/stream`)
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('ask for text/event-stream')])
  })

  test('a client that hangs up leaves nothing behind', async () => {
    const { port } = new URL(await listen())
    const socket = dial(Number(port), '127.0.0.1')
    socket.write(
      `GET ${at}/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${api.token}\r\naccept: text/event-stream\r\n\r\n`,
    )
    await new Promise((resolve) => socket.once('data', resolve))
    socket.destroy()
    await addKeyword('After the hang-up')
    await pause(50)
    expect((await api.get('/readyz')).status).toBe(200)
  })
})
