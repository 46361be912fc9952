/** Three processes behave like one: the answer does not depend on the process that is asked, and everything happens once. */
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { sql } from '../../server/src/adapters/postgres/sql.ts'
import { bpmn, timer } from '../../server/test/bpmn.ts'
import { form, payloadPart } from '../../server/test/files.ts'
import { fullText } from '../../server/test/search.ts'
import { signIn } from '../../server/test/token.ts'
import {
  note,
  openCluster,
  password,
  printResults,
  recordsOf,
  refresh,
  schemaVersion,
  seconds,
  until,
} from './cluster.ts'
import { openReceiver } from './receiver.ts'

const all = [0, 1, 2] as const
const cluster = await openCluster(all.length)
const { call, db } = cluster
afterAll(printResults)

const core = '/api/core/v1'
const users = '/api/v1/identity/users'
const named = (value: string) => ({ name: { itm: [{ value, loc: 'en_GB' }] } })
const persist = async (at: number | 'any', path: string, message: object) =>
  recordsOf(await call(at, `${core}/${path}/persist`, { body: { schemaVersion, ...message } }))
const count = async (statement: ReturnType<typeof sql>) => (await db.row<{ n: number }>(statement))!.n
/** Waits for background work, generously. */
const eventually = <T>(work: () => Promise<T> | T) => vi.waitFor(work, { timeout: 120_000, interval: 50 })

describe('within a second on every process', () => {
  const statuses = (token: string) =>
    Promise.all(all.map(async (at) => (await call(at, '/api/v1/identity/me', { token })).status))
  const acts: [string, (user: { id: string; idToken: string }) => Promise<{ status: number }>][] = [
    [
      'sign-out',
      ({ idToken }) =>
        fetch(`${cluster.url(1)}/auth/realms/kontor/protocol/openid-connect/logout?id_token_hint=${idToken}`),
    ],
    ['role change', ({ id }) => call(0, `${users}/${id}/roles`, { method: 'PUT', body: { roles: ['reader'] } })],
    ['disabling', ({ id }) => call(2, `${users}/${id}`, { method: 'PATCH', body: { enabled: false } })],
  ]
  test.each(acts)('%s', async (what, act) => {
    const name = `user-${randomUUID()}`
    const id = await cluster.createUser(name)
    const { body } = await cluster.signIn(name)
    expect(await statuses(body.access_token!)).toEqual([200, 200, 200]) // and all have it in their caches
    expect((await act({ id, idToken: body.id_token! })).status).toBe(200)
    const ends = async () => (await statuses(body.access_token!)).every((status) => status === 401)
    note(`${what} acts on all processes`, seconds(await until(ends, 1000, what)))
    expect((await refresh(`${cluster.url(0)}/auth/realms/kontor`, body.refresh_token!)).status).toBe(
      what === 'role change' ? 200 : 400,
    )
  })
})

test('a changed model is seen by the next call on any process', async () => {
  await persist(0, 'pim/classes', { classes: { clazz: [{ tid: 'Std', ...named('Std') }] } })
  for (let round = 0; round < 30; round++) {
    const [here, there] = [round % 3, (round + 1 + (round % 2)) % 3]
    const attr = `attr${round}`
    await persist(here, 'pim/attribute-definitions', {
      attrDefs: { attrDef: [{ tid: attr, type: 'text', ...named(attr) }] },
    })
    const vals = { val: [{ attr, itm: [{ value: 'x' }] }] }
    const [record] = await persist(there, 'pim/products', {
      products: { product: [{ tid: `M${round}`, name: `M${round}`, node: '/Std', vals }] },
    })
    expect(record, JSON.stringify(record)).toMatchObject({ status: 'SUCCESS' })
  }
  note('a changed model is seen by the next call on another process', '30 of 30')
})

test('failed sign-ins are counted together, and the lock holds on every process', async () => {
  const name = `user-${randomUUID()}`
  const id = await cluster.createUser(name)
  const attempt = (at: number, secret = 'wrong') => signIn(`${cluster.url(at)}/auth/realms/kontor`, name, secret)
  for (let i = 0; i < 10; i++) expect((await attempt(i % 3)).status).not.toBe(200)
  expect(await Promise.all(all.map(async (at) => (await attempt(at, password)).status))).not.toContain(200)
  expect((await call(1, `${users}/${id}`)).json.locked).toBe(true)
  expect((await call(2, `${users}/${id}/unlock`, { method: 'POST' })).status).toBe(200)
  await eventually(async () =>
    expect(await Promise.all(all.map(async (at) => (await attempt(at, password)).status))).toEqual([200, 200, 200]),
  )
  note('failed sign-ins are counted over all processes', 'locked after 10')
})

test('a request with an Idempotency-Key has one effect, whichever processes get it', async () => {
  const body = { schemaVersion, kwds: { kwd: [{ name: { itm: [{ value: 'Once' }] } }] } }
  const headers = { 'idempotency-key': randomUUID() }
  const send = (at: number) => call(at, `${core}/common/keywords/persist`, { body, headers })
  const first = await Promise.all(Array.from({ length: 12 }, (_, i) => send(i % 3)))
  expect(first.filter(({ status }) => ![200, 409].includes(status))).toEqual([])
  const replies = await Promise.all(all.map(send))
  const ids = new Set([...first, ...replies].filter(({ status }) => status === 200).map((one) => recordsOf(one)[0]!.id))
  expect(ids.size).toBe(1)
  expect(await count(sql`select count(*)::int as n from keyword where name = 'Once'`)).toBe(1)
  note('twelve concurrent repeats of a request with an Idempotency-Key', '1 effect')
})

const dam = `${core}/dam`
test('an upload in chunks can use another process for each chunk, and every process has the file', async () => {
  const path = '/MAM/cluster/film.bin'
  const actions = { action: [{ dataType: 'dir', type: 'createPath', path: '/MAM/cluster' }] }
  recordsOf(await call(0, `${dam}/dirs/perform`, { body: { schemaVersion, actions } }))
  const [upload] = recordsOf(await call(0, `${dam}/assets/bin/chunked/start`, { body: { path, tid: 'film' } }))
  const chunks = Array.from({ length: 6 }, (_, i) => Buffer.alloc(300_000, `chunk ${i} `))
  await Promise.all(
    chunks.map(async (chunk, i) => {
      const { body, type } = form({ name: 'chunkId', value: String(i) }, payloadPart(chunk))
      recordsOf(await call((i + 1) % 3, `${dam}/assets/bin/chunked/upload/${upload!.tid}`, { body, type }))
    }),
  )
  const finished = await call(2, `${dam}/assets/bin/chunked/persist/${upload!.tid}`, {
    method: 'PUT',
    body: { path, tid: 'film' },
  })
  expect(recordsOf(finished)[0]).toMatchObject({ status: 'SUCCESS', tid: 'film' })
  for (const at of all) {
    const { bytes } = await call(at, `${dam}/assets/bin?assetTid=film`)
    expect(bytes.equals(Buffer.concat(chunks))).toBe(true)
  }
  note('six chunks of an upload on three processes', 'one file, the same on all')
})

test('of users who check out a file on different processes at the same time, one gets it', async () => {
  const tokens = await Promise.all(
    all.map(async (at) => {
      const name = `user-${randomUUID()}`
      await cluster.createUser(name)
      return (await cluster.signIn(name, at)).body.access_token!
    }),
  )
  const perform = async (at: number, type: string) => {
    const body = { schemaVersion, actions: { action: [{ dataType: 'asset', type, tid: 'film' }] } }
    return recordsOf(await call(at, `${dam}/assets/perform`, { body, token: tokens[at]! }))[0]!.status
  }
  for (let round = 0; round < 5; round++) {
    const outcomes = await Promise.all(all.map((at) => perform(at, 'checkout')))
    expect(outcomes.toSorted()).toEqual(['ERROR', 'ERROR', 'SUCCESS'])
    expect((await Promise.all(all.map((at) => perform(at, 'checkin')))).toSorted()).toEqual([
      'ERROR',
      'ERROR',
      'SUCCESS',
    ])
  }
  note('concurrent check-outs of a file on three processes', '1 of 3, five times')
})

test('a bulk run and an import can be followed on any process, and store each item once', async () => {
  const kwd = Array.from({ length: 3000 }, (_, i) => ({ name: { itm: [{ value: `Bulk ${i}` }] } }))
  const bulk = `${core}/common/keywords/bulk`
  const run = (await call(0, bulk, { body: { schemaVersion, kwds: { kwd } } })).bytes.toString()
  const lines = Array.from({ length: 2000 }, (_, i) => `I${i},Import ${i},/Std`)
  const file = `tid,name,node\n${lines.join('\n')}\n`
  const { json } = await call(1, '/api/v1/transfers/imports?name=a.csv', { body: file, type: 'text/csv' })
  expect((await call(2, `/api/v1/transfers/${json.id}/start`, { method: 'POST' })).status).toBe(200)
  type Meta = { itm: { key: string; value: string }[] }
  const stateOf = async (at: number) =>
    ((await call(at, `${bulk}/${run}`)).json.meta as Meta).itm.find(({ key }) => key === 'state')!.value
  await eventually(async () =>
    expect(await Promise.all(all.map(stateOf))).toEqual(['finished', 'finished', 'finished']),
  )
  const importOf = async (at: number) => (await call(at, `/api/v1/transfers/${json.id}`)).json
  await eventually(async () => expect(await importOf(0)).toMatchObject({ state: 'finished' }))
  for (const at of all) expect(await importOf(at)).toMatchObject({ created: 2000, refused: 0, processed: 2000 })
  expect(await count(sql`select count(*)::int as n from keyword where name like 'Bulk %'`)).toBe(3000)
  expect(
    await count(sql`select count(*)::int as n from history where action = 'create' and data_type = 'product'
    and object_id in (select id from product where name like 'Import %')`),
  ).toBe(2000)
  note('a bulk run of 3,000 and an import of 2,000 items', 'each once')
})

test('webhooks deliver each event once, in order per object, whichever process made the change', async () => {
  const { calls: got, url } = await openReceiver()
  await call(0, '/api/v1/webhooks', { body: { url, types: ['kontor.glossary.*'] } })
  for (let round = 0; round < 20; round++) {
    await Promise.all(
      all.map((at) =>
        persist((at + round) % 3, 'common/glossaries', {
          glossaries: { glossary: [{ tid: `g${at}`, name: `g${at} ${round}` }] },
        }),
      ),
    )
  }
  await eventually(() => expect(got.length).toBeGreaterThanOrEqual(60))
  await new Promise((resolve) => setTimeout(resolve, 3000)) // a second delivery would come now
  expect(new Set(got.map(({ id }) => id)).size).toBe(60)
  expect(got).toHaveLength(60)
  for (const events of Map.groupBy(got, ({ subject }) => subject).values()) {
    const numbers = events.map(({ id }) => Number(id.split('.')[1]))
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  }
  note('60 changes on three processes, as webhooks', '60 deliveries, in order per object')
})

const workflow = '/api/v1/workflow'
const messageTo = (effect: string) => `<extensionElements>
  <kontor:input name="toUsers">\${starter}</kontor:input>
  <kontor:input name="subject">effect ${effect} \${process.tid}</kontor:input><kontor:input name="body">done</kontor:input>
</extensionElements>`

test('effects, timers and schedules of workflows happen once', async () => {
  const model = bpmn(
    'start > fork:parallel > one:service > join:parallel > end; fork > t:catch > two:service > join; fork > a:user > join',
    '',
    { one: messageTo('one'), two: messageTo('two'), t: timer('PT2S') },
    '',
    { a: 'kontor:due="2020-01-01T00:00:00Z"' },
    'cluster',
  ).replaceAll('kontor:job="note"', 'kontor:job="sendMessage"')
  const post = async (at: number | 'any', path: string, body: object) => {
    const reply = await call(at, `${workflow}/${path}`, { body })
    expect(reply.status, reply.bytes.toString()).toBeLessThan(300)
    return reply.json
  }
  const identifier = 'F.WorkflowConfig.Cluster'
  await post(0, 'definitions/deploy', { xml: model })
  await post(1, 'configurations/persist', { identifier, definitionKey: 'cluster' })
  for (let i = 0; i < 30; i++) await post(i % 3, 'start', { configIdentifier: identifier, processStartRequests: [{}] })
  const distinct = (like: string) =>
    count(sql`
      select count(*)::int as n from (
        select distinct parameters->>'taskId', recipient_user, recipient_role from message where subject like ${like}
      ) as m`)
  const sent = (like: string) => count(sql`select count(*)::int as n from message where subject like ${like}`)
  await eventually(async () => expect([await sent('effect one%'), await sent('effect two%')]).toEqual([30, 30]))
  // Every process has the schedule that looks for overdue tasks each minute.
  await eventually(async () => expect(await sent('Overdue%')).toBeGreaterThan(0))
  await new Promise((resolve) => setTimeout(resolve, 5000))
  expect(await sent('Overdue%')).toBe(await distinct('Overdue%'))
  expect([await sent('effect one%'), await sent('effect two%')]).toEqual([30, 30])
  note('60 effects and 30 timers of workflows, and a schedule that every process has', 'each once')
})

test('a search finds a change on every process as soon as that process is asked to wait for it', async () => {
  const [record] = await persist(0, 'pim/products', {
    products: { product: [{ tid: 'FIND', name: 'Zanzibar', node: '/Std' }] },
  })
  for (const at of all) {
    const wait = { index: 'PRODUCT', documents: [record!.id], maxWait: 60_000 }
    expect((await call(at, '/api/v1/search/documents/wait', { body: wait })).status).toBe(200)
    const context = { searchType: 'INDEX', index: 'PRODUCT' }
    const body = { context, query: fullText('Zanzibar'), resultAttributes: ['tid'] }
    const { json } = await call(at, '/api/v1/search', { body })
    expect(json.items[0].attributes[0].value).toBe('FIND')
  }
  note('a change on one process is found by searches on the others', '3 of 3')
})
