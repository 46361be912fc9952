/** Work that goes on after its request acts with the rights that its user has at that moment, and stops without them. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sql } from '../src/adapters/postgres/sql.ts'
import { bpmn } from './bpmn.ts'
import { createModel, jacket, productCalls } from './catalogue.ts'
import { openConnection } from './connection.ts'
import { dam, makeDirs, upload } from './files.ts'
import { withServer } from './server.ts'
import { workflowCalls } from './workflow.ts'

const api = withServer({ KONTOR_WEBHOOK_PRIVATE: 'true' })
const flow = workflowCalls(api)
const { persist, retrieve } = productCalls(api)
const transfers = '/api/v1/transfers'
const schemaVersion = '5.6.0'
const longest = { timeout: 40_000, interval: 50 }

interface Person {
  readonly name: string
  readonly token: string
}
let count = 0
async function person(roles: string[] = ['user']): Promise<Person> {
  const name = `holder-${++count}`
  return { name, token: await api.tokenFor({ name, roles }) }
}
const idOf = async (name: string) => (await api.app.identity.users.find({ name }))!.id

/** Ways to lose rights. */
const losses = {
  'lost their roles': async (name: string) => api.app.identity.users.setRoles(await idOf(name), []),
  'was disabled': async (name: string) => api.app.identity.users.setEnabled(await idOf(name), false),
  'was deleted': async (name: string) => api.db.run(sql`delete from user_account where id = ${await idOf(name)}`),
}

const run = (job: string, payload: object) => api.app.jobs[job]!(payload as never, new AbortController().signal)
const asAdmin = () => ({ token: api.adminToken })
const ok = async (path: string, body: unknown, options: object) => {
  const reply = await api.post(path, body, options)
  expect(reply.status, reply.text).toBe(200)
  return reply
}
const call = (url: string, method: 'GET' | 'PUT' = 'GET', payload?: string) =>
  api.app.http.inject({ method, url: url.replace(api.config.baseUrl, ''), ...(payload !== undefined && { payload }) })
const sign = async (body: object, token: string) => (await ok(`${dam}/assets/presigned-url`, body, { token })).text

let address = ''
const received: string[] = []
const receiver = createServer((request, reply) => {
  request.on('data', (chunk: Buffer) => received.push(chunk.toString())).on('end', () => reply.end())
})
let delivering: Awaited<ReturnType<typeof api.app.follow>>
beforeAll(async () => {
  await createModel(api)
  await makeDirs(api, '/MAM/boats')
  await upload(api, { path: '/MAM/boats/fox.txt', tid: 'fox' }, 'the fox')
  await upload(api, { path: '/MAM/boats/hen.txt', tid: 'hen' }, 'the hen')
  await persist(jacket('kept'))
  address = await api.listen()
  receiver.listen(0, '127.0.0.1')
  delivering = await api.app.follow()
})
afterAll(async () => {
  await delivering.stop()
  receiver.close()
})

interface Stored {
  /** Lets the stored work act, after the loss. */
  act(): Promise<void>
}
type Kind = (who: Person) => Promise<Stored>

const keyword = (name: string) => ({ schemaVersion, kwds: { kwd: [{ name: { itm: [{ value: name }] } }] } })
const keywordExists = async (name: string) =>
  (await api.db.row(sql`select id from keyword where path = ${`/${name}`}`)) !== undefined
const stateOf = async (id: string) => (await api.get(`${transfers}/${id}`, asAdmin())).json

const importOf = async ({ name, token }: Person) => {
  const table = `tid,name,node\n${name},${name},/Standard/Jackets\n`
  const reply = await ok(`${transfers}/imports?name=x.csv`, table, { token, type: 'application/octet-stream' })
  return reply.json.id as string
}

const kinds: Record<string, Kind> = {
  async 'a bulk run'({ name, token }) {
    const base = '/api/core/v1/common/keywords/bulk'
    const runId = (await ok(base, keyword(name), { token })).text
    return {
      async act() {
        await run('core.bulk', { runId })
        expect(await keywordExists(name)).toBe(false)
        const { meta } = (await api.get(`${base}/${runId}`, asAdmin())).json
        expect(JSON.stringify(meta)).toContain(`${name}, who ordered this`)
      },
    }
  },
  async 'an import'(who) {
    const id = await importOf(who)
    await ok(`${transfers}/${id}/start`, undefined, who)
    return {
      async act() {
        await run('transfer.import', { id })
        expect(await api.db.row(sql`select id from product where tid = ${who.name}`)).toBeUndefined()
        const { state, refused, created } = await stateOf(id)
        expect([state, refused, created]).not.toEqual(['finished', 0, 1])
      },
    }
  },
  async 'a change of many products'({ token }) {
    const body = { selection: { tids: ['kept'] }, operations: [{ type: 'set', attribute: 'material', values: ['stolen'] }] } // prettier-ignore
    const { id } = (await ok('/api/v1/changes', body, { token })).json
    await ok(`/api/v1/changes/${id}/start`, undefined, { token })
    return {
      async act() {
        await run('change.run', { id })
        expect(JSON.stringify(await retrieve('kept'))).not.toContain('stolen')
        const { state, changed } = (await api.get(`/api/v1/changes/${id}`, asAdmin())).json
        expect([state, changed]).not.toEqual(['finished', 1])
      },
    }
  },
  async 'an export'({ token }) {
    const { id } = (await ok(`${transfers}/exports`, { format: 'jsonl', nodePaths: ['/Standard'] }, { token })).json
    return {
      async act() {
        await run('transfer.export', { id })
        const { state } = await stateOf(id)
        const file = await api.get(`${transfers}/${id}/file`, asAdmin())
        expect([state, file.text]).not.toEqual(['finished', expect.stringContaining('kept')])
      },
    }
  },
  async 'the job of a workflow'({ name, token }) {
    const key = `flow${name.replace('-', '')}`
    const inputs = '<kontor:input name="attr">material</kontor:input><kontor:input name="value">stolen</kontor:input>'
    const details = { s: `<extensionElements>${inputs}</extensionElements>` }
    const xml = bpmn('start > s:service > end', '', details, '', {}, key).replace(
      'kontor:job="note"',
      'kontor:job="setValue"',
    )
    const config = await flow.define(`F.WorkflowConfig.${key}`, xml, { linkedTypes: ['product'] })
    const id = await flow.startOne(config, { linkedObjects: [{ type: 'product', tid: 'kept' }] }, { token })
    return {
      async act() {
        const { id: jobId } = (await api.db.row<{ id: number }>(
          sql`select id from workflow_job where process_id = ${id}`,
        ))!
        await run('workflow.job', { jobId })
        expect(JSON.stringify(await retrieve('kept'))).not.toContain('stolen')
      },
    }
  },
  async 'a feed and its download address'({ name, token }) {
    const feed = {
      direction: 'export',
      export: { format: 'jsonl', nodePaths: ['/Standard'] },
      place: { kind: 'download' },
    }
    const at = `/api/v1/feeds/${name}`
    await ok(at, feed, { token, method: 'PUT' })
    const { url } = (await ok(`${at}/address`, undefined, { token })).json
    const begin = async () => {
      const { id } = (await ok(`${at}/run`, undefined, asAdmin())).json
      await run('feed.run', { id })
      return id as number
    }
    const first = await begin()
    const { runs } = (await api.get(`${at}/runs`, asAdmin())).json
    await run('transfer.export', { id: runs[0].transfer })
    await run('feed.run', { id: first })
    expect((await call(url)).body).toContain('kept')
    return {
      async act() {
        expect((await call(url)).statusCode).toBe(403)
        await begin()
        const { enabled, problem, lastRun } = (await api.get(at, asAdmin())).json
        expect([enabled, lastRun.state, problem]).toEqual([false, 'failed', expect.stringContaining(name)])
      },
    }
  },
  async 'a rule'({ name, token }) {
    const at = `/api/v1/rules/${name}`
    const rule = { operations: [{ type: 'set', attribute: 'material', values: ['stolen'] }], schedule: { cron: '0 6 * * *' } } // prettier-ignore
    await ok(at, rule, { token, method: 'PUT' })
    return {
      async act() {
        await api.db.run(sql`update rule set next_at = now() where name = ${name}`)
        await run('rule.tick', {})
        const { enabled, problem, lastRun } = (await api.get(at, asAdmin())).json
        expect([enabled, problem, lastRun]).toEqual([false, expect.any(String), undefined])
        expect(JSON.stringify(await retrieve('kept'))).not.toContain('stolen')
      },
    }
  },
  async 'the signed address of a file'({ token }) {
    const url = await sign({ tid: 'fox', expiresInSeconds: 86_400 }, token)
    return { act: async () => expect((await call(url)).statusCode).toBeGreaterThanOrEqual(400) }
  },
  async 'the signed address of a zip'({ token }) {
    const url = await sign({ tids: ['fox', 'hen'] }, token)
    return { act: async () => expect((await call(url)).statusCode).toBeGreaterThanOrEqual(400) }
  },
  async 'the signed address for a new version'({ token }) {
    const url = await sign({ tid: 'hen', method: 'PUT' }, token)
    return {
      async act() {
        expect((await call(url, 'PUT', 'stolen')).statusCode).toBeGreaterThanOrEqual(400)
        const { text } = await api.get(`${dam}/assets/bin?assetTid=hen`)
        expect(text).toBe('the hen')
      },
    }
  },
  async 'a stream of events'({ token }) {
    const reply = await fetch(`${address}/api/v1/events/stream`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    })
    let [text, ended] = ['', false]
    void (async () => {
      for await (const chunk of reply.body!) text += Buffer.from(chunk).toString()
      ended = true
    })()
    await vi.waitUntil(() => text.includes('id: '), longest)
    return {
      async act() {
        await vi.waitUntil(() => ended, { timeout: 20_000, interval: 20 })
        const before = text
        await ok('/api/core/v1/common/keywords/persist', keyword(`after ${++count}`), {})
        expect(text).toBe(before)
      },
    }
  },
  async 'a long poll'({ token }) {
    const waiting = fetch(`${address}/api/v1/events?wait=60&types=kontor.glossary.*`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(30_000),
    })
    await new Promise((resolve) => setTimeout(resolve, 200))
    return { act: async () => expect((await waiting).status).toBe(401) }
  },
}

/** Rights that only administrators have. */
const kindsOfAdmins: Record<string, Kind> = {
  async 'a webhook'({ name, token }) {
    const { port } = receiver.address() as AddressInfo
    const hook = { url: `http://127.0.0.1:${port}/`, types: ['kontor.keyword.*'] }
    const { id } = (await ok('/api/v1/webhooks', hook, { token })).json
    const add = (name: string) => ok('/api/core/v1/common/keywords/persist', keyword(name), {})
    await add(`before ${name}`)
    await vi.waitUntil(() => received.some((body) => body.includes(`before ${name}`)), longest)
    return {
      async act() {
        await add(`after ${name}`)
        const show = async () => (await api.get(`/api/v1/webhooks/${id}`, asAdmin())).json
        await vi.waitUntil(async () => (await show()).enabled === false, longest)
        expect((await show()).problem).toContain(`${name}, who ordered this`)
        expect(received.filter((body) => body.includes(`after ${name}`))).toEqual([])
        await api.post(`/api/v1/webhooks/${id}`, { enabled: true }, { ...asAdmin(), method: 'PATCH' })
        await vi.waitUntil(() => received.some((body) => body.includes(`after ${name}`)), longest)
        await api.post(`/api/v1/webhooks/${id}`, undefined, { ...asAdmin(), method: 'DELETE' })
      },
    }
  },
}

describe.each(Object.entries(kindsOfAdmins))('%s', (_, store) => {
  test.each(Object.entries(losses))(
    'stops when its administrator %s, until another one takes it over',
    async (_loss, lose) => {
      const who = await person(['user', 'admin'])
      const { act } = await store(who)
      await lose(who.name)
      await act()
    },
  )
})

describe.each(Object.entries(kinds))('%s', (_, store) => {
  test.each(Object.entries(losses))('stops when its user %s', async (_loss, lose) => {
    const who = await person()
    const { act } = await store(who)
    await lose(who.name)
    await act()
  })
})

test('an import that was uploaded with more rights than its user has now stores nothing', async () => {
  const who = await person()
  const id = await importOf(who)
  const grants = [{ kind: 'keyword', actions: ['read', 'update'] }]
  await ok('/api/v1/identity/roles/gardener', { description: '', grants }, { method: 'PUT', ...asAdmin() })
  await api.app.identity.users.setRoles(await idOf(who.name), ['gardener'])
  const user = (await api.app.identity.users.find({ name: who.name }))!
  const { access_token: token } = await api.app.identity.issueTokens(user)
  await ok(`${transfers}/${id}/start`, undefined, { token })
  await run('transfer.import', { id })
  expect(await stateOf(id)).toMatchObject({ state: 'finished', refused: 1, created: 0 })
  const [row] = (await api.get(`${transfers}/${id}/rows`, asAdmin())).json.rows
  expect(row.faults[0].reason).toContain('your roles do not allow to store products')
})

test('the file of an export is offered only while its user has the rights with which it was made', async () => {
  const who = await person()
  const { id } = (await ok(`${transfers}/exports`, { format: 'jsonl', nodePaths: ['/Standard'] }, who)).json
  await run('transfer.export', { id })
  const file = (token: string) => api.get(`${transfers}/${id}/file`, { token })
  expect((await file(who.token)).text).toContain('kept')
  await api.app.identity.users.setRoles(await idOf(who.name), ['reader'])
  const user = (await api.app.identity.users.find({ name: who.name }))!
  const reply = await file((await api.app.identity.issueTokens(user)).access_token)
  expect([reply.status, reply.text]).toEqual([403, expect.stringContaining('order the export again')])
  expect((await file(api.adminToken)).status).toBe(200)
})

test('a run is continued with the rights of each moment: what was done stays, the rest is not done', async () => {
  const who = await person()
  const message = {
    schemaVersion,
    kwds: { kwd: Array.from({ length: 1100 }, (_, i) => ({ name: { itm: [{ value: `${who.name} ${i}` }] } })) },
  }
  const runId = (await ok('/api/core/v1/common/keywords/bulk', message, who)).text
  const stop = AbortSignal.abort()
  await api.app.jobs['core.bulk']!({ runId } as never, stop) // one chunk
  await losses['was disabled'](who.name)
  await run('core.bulk', { runId })
  const { meta } = (await api.get(`/api/core/v1/common/keywords/bulk/${runId}`, asAdmin())).json
  const facts = new Map(meta.itm.map(({ key, value }: { key: string; value: string }) => [key, value]))
  expect([facts.get('state'), facts.get('processed'), facts.get('total')]).toEqual(['failed', '500', '1100'])
})

describe('a download that has begun', () => {
  const large = Buffer.alloc(64 * 1024 * 1024, 'x')
  beforeAll(async () => {
    expect((await upload(api, { path: '/MAM/boats/large.bin', tid: 'large' }, large)).status).toBe(200)
  })

  test.each(['with a token', 'from a signed address'])('%s ends when its user is disabled', async (how) => {
    const who = await person()
    const url = how === 'with a token' ? `${dam}/assets/bin?assetTid=large` : await sign({ tid: 'large' }, who.token)
    const reply = await fetch(address + url.replace(api.config.baseUrl, ''), {
      headers: how === 'with a token' ? { authorization: `Bearer ${who.token}` } : {},
    })
    expect(reply.status).toBe(200)
    const reader = reply.body!.getReader()
    await reader.read()
    await losses['was disabled'](who.name)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const rest = async () => {
      while (!(await reader.read()).done);
    }
    await expect(rest()).rejects.toThrow()
  })
})

test('a request whose body was still arriving is refused when its user has been disabled', async () => {
  const who = await person()
  const body = JSON.stringify(keyword(`late ${who.name}`))
  const connection = await openConnection(address)
  connection.head(
    'POST /api/core/v1/common/keywords/persist HTTP/1.1',
    `authorization: Bearer ${who.token}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  )
  await new Promise((resolve) => setTimeout(resolve, 300))
  await losses['was disabled'](who.name)
  await new Promise((resolve) => setTimeout(resolve, 1000))
  connection.write(body)
  await vi.waitUntil(() => connection.received().startsWith('HTTP/1.1 '), longest)
  expect(connection.received()).toMatch(/^HTTP\/1.1 401 /)
  expect(await keywordExists(`late ${who.name}`)).toBe(false)
  connection.destroy()
})

test('a stream of events ends at logout', async () => {
  const who = await person()
  const reply = await fetch(`${address}/api/v1/events/stream`, {
    headers: { authorization: `Bearer ${who.token}`, accept: 'text/event-stream' },
  })
  const text = reply.text().catch(() => 'cut')
  const { sid } = JSON.parse(Buffer.from(who.token.split('.')[1]!, 'base64url').toString())
  await api.app.identity.endSession(sid)
  expect(
    await Promise.race([text, new Promise((resolve) => setTimeout(() => resolve('still open'), 20_000).unref())]),
  ).not.toBe('still open')
})

test('a signed address made with Kontor-View-As never shows more than the viewed user may read', async () => {
  const viewed = await person(['user'])
  const url = (
    await ok(
      `${dam}/assets/presigned-url`,
      { tid: 'fox' },
      { ...asAdmin(), headers: { 'kontor-view-as': viewed.name } },
    )
  ).text
  expect((await call(url)).statusCode).toBe(200)
  await losses['lost their roles'](viewed.name)
  expect((await call(url)).statusCode).toBe(404)
})

test('no roles are stored with runs, transfers, changes, processes and webhooks', async () => {
  const stored = await api.db.rows<{ principal: object }>(sql`
    select principal from bulk_run union all select principal from transfer union all select principal from bulk_change
    union all select principal from workflow_process union all select principal from webhook
    union all select principal from feed union all select principal from rule
    union all select principal from share`)
  expect(stored.length).toBeGreaterThan(0)
  expect(stored.filter(({ principal }) => 'roles' in principal)).toEqual([])
})
