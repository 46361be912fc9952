/** Jobs of the system, each with what it really does: to products, to a mail server, to another system. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { bpmn } from '../../../test/bpmn.ts'
import { createModel, jacket, productCalls } from '../../../test/catalogue.ts'
import { damCalls } from '../../../test/dam.ts'
import { upload } from '../../../test/files.ts'
import { openMailServer } from '../../../test/mail.ts'
import { withServer } from '../../../test/server.ts'
import { base, workflowCalls } from '../../../test/workflow.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const secret = `whsec_${Buffer.from('a secret of a test, thirty-two b').toString('base64')}`

/** Requests that other systems receive. */
const smtp = await openMailServer()
const { mails } = smtp
const calls: { headers: IncomingHttpHeaders; body: string }[] = []
let answer = 200
const receiver = createServer((request, reply) => {
  let body = ''
  request
    .on('data', (chunk: Buffer) => (body += chunk.toString()))
    .on('end', () => {
      calls.push({ headers: request.headers, body })
      reply.writeHead(answer).end('so it is')
    })
})
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')
const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port
afterAll(async () => {
  await smtp.close()
  receiver.close()
})

const api = withServer({
  KONTOR_SMTP_URL: `smtp://127.0.0.1:${smtp.port}?ignoreTLS=true`,
  KONTOR_MAIL_FROM: 'kontor@example.com',
  KONTOR_WORKFLOW_SECRET: secret,
  KONTOR_WEBHOOK_PRIVATE: 'true',
})
const flow = workflowCalls(api)
const { persist, retrieve } = productCalls(api)

beforeAll(async () => {
  await createModel(api)
  await api.startWorker()
})

let number = 0
/** A process with one service task, and a user task behind the error that it may be. */
async function define(
  job: string,
  inputs: Record<string, string>,
  { result = '', caught }: { result?: string; caught?: string } = {},
) {
  const key = `job${++number}`
  const given = Object.entries(inputs)
    .map(([name, text]) => `<kontor:input name="${name}">${text}</kontor:input>`)
    .join('')
  const boundary = caught === undefined ? '' : '; oops:boundary > z:user > end'
  const event = caught === '' ? '<errorEventDefinition/>' : '<errorEventDefinition errorRef="e"/>'
  const xml = bpmn(
    `start > s:service > end${boundary}`,
    '',
    { s: `<extensionElements>${given}</extensionElements>`, oops: event },
    caught ? `<error id="e" errorCode="${caught}"/>` : '',
    { s: result && `kontor:result="${result}"`, oops: 'attachedToRef="s"' },
    key,
  ).replace('kontor:job="note"', `kontor:job="${job}"`)
  return flow.define(`F.WorkflowConfig.${key}`, xml, {
    linkedTypes: ['product', 'file'],
    parameters: [{ key: 'word', type: 'string' }],
  })
}
const about = (tid: string) => ({ linkedObjects: [{ type: 'product', tid }] })
const jobOf = async (processId: number) => (await flow.details(processId)).jobs[0]
const failed = async (processId: number) => {
  await vi.waitUntil(async () => (await jobOf(processId)).state === 'failed', { timeout: 20_000 })
  return jobOf(processId)
}

describe('setValue', () => {
  test('sets a value of the linked products as the user who started the process', async () => {
    await persist(jacket('j1'), jacket('j2'))
    const config = await define('setValue', { attr: 'material', value: '${word} wool' }, { result: 'changed' })
    const id = await flow.startOne(config, {
      linkedObjects: [
        { type: 'product', tid: 'j1' },
        { type: 'product', tid: 'j2' },
      ],
      parameters: [{ key: 'word', values: ['warm'] }],
    })
    expect(await flow.ended(id)).toMatchObject({ state: 'finished', variables: { changed: 2 } })
    for (const product of await retrieve('j1', 'j2')) expect(JSON.stringify(product)).toContain('warm wool')
    const [change] = await api.db.rows<{ user: string }>(sql`
      select user_name as "user" from history h join product p on p.id = h.object_id where p.tid = 'j1' order by h.id desc limit 1`)
    expect(change!.user).toBe('kim')
  })

  test('a refusal rolls back the job, is reported, and can be retried', async () => {
    await persist(jacket('j3'), jacket('j4'))
    const config = await define('setValue', { attr: 'weight', value: '${word}' })
    const id = await flow.startOne(config, {
      linkedObjects: [
        { type: 'product', tid: 'j3' },
        { type: 'product', tid: 'j4' },
      ],
      parameters: [{ key: 'word', values: ['5000'] }],
    })
    const job = await failed(id)
    expect(job).toMatchObject({ job: 'setValue', attempts: 1, problem: expect.stringContaining('weight') })
    expect((await flow.details(id)).process).toMatchObject({ state: 'running', failedJobs: 1 })
    expect((await flow.inbox(api.token)).map(({ subject }: { subject: string }) => subject)).toContain(
      `Workflow failed: ${config}`,
    )
    await api.db.run(
      sql`update workflow_process set variables = jsonb_set(variables, '{word}', '"7"') where id = ${id}`,
    )
    expect(await flow.post('jobs/retry', { ids: [job.id, 1] }, { token: api.adminToken })).toMatchObject([
      { status: 'success' },
      { status: 'error' },
    ])
    expect((await flow.ended(id)).state).toBe('finished')
    expect(await flow.post('jobs/retry', { ids: [job.id] }, { token: api.adminToken })).toMatchObject([
      { issues: [{ content: expect.stringContaining('is done') }] },
    ])
  })

  test('a refusal is caught by the boundary event that expects its code, or any', async () => {
    for (const caught of ['1001', '']) {
      const config = await define('setValue', { attr: 'nonsense', value: '1' }, { caught })
      const id = await flow.startOne(config, about('j3'))
      expect((await flow.task(id, 'z')).id).toBeTruthy()
      expect((await flow.details(id)).variables.error).toMatchObject({
        code: expect.any(String),
        message: expect.stringContaining('nonsense'),
      })
    }
  })

  test('a starter who lost the permission or may not sign in any more sets nothing', async () => {
    const config = await define('setValue', { attr: 'material', value: 'stolen' })
    const held = bpmn(
      'start > a:user > s:service > end',
      '',
      {
        s: '<extensionElements><kontor:input name="attr">material</kontor:input><kontor:input name="value">stolen</kontor:input></extensionElements>',
      },
      '',
      {},
      'held',
    ).replace('kontor:job="note"', 'kontor:job="setValue"')
    await flow.define('F.WorkflowConfig.Held', held, { linkedTypes: ['product'] })
    const token = await api.tokenFor({ roles: ['user'], name: 'leaver' })
    const id = await flow.startOne('F.WorkflowConfig.Held', about('j1'), { token })
    const user = await api.app.identity.users.find({ name: 'leaver' })
    await api.db.run(sql`delete from user_role where user_id = ${user!.id}`)
    await flow.complete((await flow.task(id, 'a')).id)
    expect((await failed(id)).problem).toContain('no longer has a role that may create workflow')
    await api.db.run(sql`update user_account set enabled = false where id = ${user!.id}`)
    await flow.post('jobs/retry', { ids: [(await jobOf(id)).id] }, { token: api.adminToken })
    await vi.waitUntil(async () => String((await jobOf(id)).problem).includes('may not sign in any more'), {
      timeout: 20_000,
    })
    expect(JSON.stringify(await retrieve('j1'))).not.toContain('stolen')
    expect(config).toBeTruthy()
  })
})

test('requireCompleteness continues if nothing is missing', async () => {
  const config = await define('requireCompleteness', { locales: 'en_GB' }, { caught: 'INCOMPLETE' })
  expect((await flow.ended(await flow.startOne(config, about('j1')))).state).toBe('finished')
})

test('sendMessage reaches inboxes', async () => {
  const config = await define('sendMessage', { toUsers: '${starter}', subject: 'About ${products}', body: 'Look' })
  await flow.ended(await flow.startOne(config, about('j1')))
  expect((await flow.inbox(api.token))[0]).toMatchObject({ subject: 'About j1', body: 'Look', senderUser: 'kim' })
})

describe('sendMail', () => {
  test('sends to addresses and to users that have one, with an id that stays', async () => {
    await api.db.run(sql`update user_account set email = 'kim@example.com' where name = 'kim'`)
    const config = await define('sendMail', {
      to: 'kim, boss@example.com',
      subject: 'Done:\n${products}',
      text: 'Bye ${starter}',
    })
    const id = await flow.startOne(config, about('j1'))
    expect((await flow.ended(id)).state).toBe('finished')
    const mail = mails.find((text) => text.includes('Bye kim'))!
    expect(mail).toContain('To: kim@example.com, boss@example.com')
    expect(mail).toContain('Subject: Done: j1')
    expect(mail).toContain(`Message-ID: <job-${(await jobOf(id)).id}@`)
  })

  test('fails for somebody without an address', async () => {
    const config = await define('sendMail', { to: 'nobody', subject: 's', text: 't' })
    expect((await failed(await flow.startOne(config))).problem).toContain('nobody has no mail address')
  })

  test('the assignee of a new task is notified by mail', async () => {
    await flow.define(
      'F.WorkflowConfig.Mailed',
      bpmn('start > a:user > end', '', {}, '', { a: 'name="Read this" kontor:assignee="kim"' }, 'mailed'),
    )
    await flow.startOne('F.WorkflowConfig.Mailed')
    await vi.waitUntil(() => mails.some((text) => text.includes('Subject: New task: Read this')), { timeout: 20_000 })
  })
})

describe('callWebhook', () => {
  const url = () => `http://127.0.0.1:${portOf(receiver)}/hook`

  test('is signed according to Standard Webhooks and names its objects', async () => {
    const config = await define('callWebhook', { url: url(), event: 'product.done', data: '${products}' })
    const id = await flow.startOne(config, about('j1'))
    expect((await flow.ended(id)).state).toBe('finished')
    const { headers, body } = calls.at(-1)!
    const verified = new Webhook(secret).verify(body, headers as Record<string, string>)
    expect(verified).toMatchObject({
      type: 'product.done',
      data: { process: { id }, data: ['j1'], linkedObjects: [{ type: 'product', tid: 'j1' }] },
    })
    expect(headers['webhook-id']).toBe(`job_${(await jobOf(id)).id}`)
  })

  test('a refused call is not repeated; a failed one is, with the same id', async () => {
    const config = await define('callWebhook', { url: url() })
    answer = 410
    const refused = await flow.startOne(config)
    expect(await failed(refused)).toMatchObject({
      attempts: 1,
      problem: expect.stringContaining('answered 410: so it is'),
    })
    answer = 503
    const broken = await flow.startOne(config)
    await vi.waitUntil(async () => (await jobOf(broken)).attempts === 1, { timeout: 20_000 })
    const first = await jobOf(broken)
    expect(first).toMatchObject({
      state: 'waiting',
      problem: expect.stringContaining('answered 503'),
      runAt: expect.any(String),
    })
    answer = 200
    await api.db.run(
      sql`update graphile_worker._private_jobs set run_at = now() where key = ${`workflow.job:${first.id}`}`,
    )
    expect((await flow.ended(broken)).state).toBe('finished')
    const ids = calls.map(({ headers }) => headers['webhook-id']).filter((id) => id === `job_${first.id}`)
    expect(ids).toHaveLength(2)
  })

  test('a receiver that cannot be reached is a problem of the job, not of the database', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const port = portOf(closed)
    closed.close()
    const id = await flow.startOne(await define('callWebhook', { url: `http://127.0.0.1:${port}/hook` }))
    await vi.waitUntil(async () => (await jobOf(id)).attempts === 1, { timeout: 20_000 })
    expect(await jobOf(id)).toMatchObject({ state: 'waiting', problem: expect.stringContaining('ECONNREFUSED') })
  })
})

test('startWorkflow starts another workflow for the same objects', async () => {
  await flow.define('F.WorkflowConfig.Child', bpmn('start > a:user > end', '', {}, '', {}, 'child'), {
    linkedTypes: ['product'],
    parameters: [{ key: 'note', type: 'string' }],
  })
  const config = await define(
    'startWorkflow',
    { config: 'F.WorkflowConfig.Child', parameters: '{"note": "${word}"}' },
    { result: 'child' },
  )
  const { variables } = (await flow.ended(
    await flow.startOne(config, { ...about('j1'), parameters: [{ key: 'word', values: ['hi'] }] }),
  )) as unknown as { variables: { child: string } }
  const child = await flow.details(await flow.processOf(variables.child))
  expect(child).toMatchObject({
    process: { starter: 'kim', linkedObjects: [{ tid: 'j1' }] },
    variables: { note: 'hi' },
  })
  const unknown = await define('startWorkflow', { config: 'F.None' })
  expect((await failed(await flow.startOne(unknown))).problem).toContain('F.None')
})

test('exportProducts starts an export in the name of the starter', async () => {
  const config = await define('exportProducts', { format: 'csv', name: 'jackets.csv' }, { result: 'transfer' })
  const { variables } = (await flow.ended(await flow.startOne(config, about('j1')))) as unknown as {
    variables: { transfer: string }
  }
  const transfer = async () => (await api.get(`/api/v1/transfers/${variables.transfer}`)).json
  await vi.waitUntil(async () => (await transfer()).state === 'finished', { timeout: 20_000 })
  expect(await transfer()).toMatchObject({ name: 'jackets.csv', direction: 'export', total: 1 })
  const unknown = await define('exportProducts', { format: 'papyrus' })
  expect((await failed(await flow.startOne(unknown, about('j1')))).problem).toContain('unknown format "papyrus"')
})

test('moveFiles into a directory that is not there fails with its name', async () => {
  const config = await define('moveFiles', { directory: '/MAM/nowhere', tids: 'x' })
  expect((await failed(await flow.startOne(config))).problem).toBeTruthy()
})

test('makePreviews needs the right to read and to change each file', async () => {
  await damCalls(api).createPath('/MAM/in')
  await damCalls(api).createPath('/MAM/out')
  const admin = { token: api.adminToken }
  for (const dir of ['in', 'out']) {
    const stored = await upload(api, { path: `/MAM/${dir}/${dir}.txt`, tid: dir }, dir, admin)
    expect(stored.text).toContain('SUCCESS')
  }
  const scopes = { dir: ['/MAM/in'] }
  const grants = [
    { kind: 'asset', actions: ['read'], scopes },
    { kind: 'workflow', actions: ['read', 'create'] },
  ]
  const role = await api.post('/api/v1/identity/roles/viewer', { grants }, { ...admin, method: 'PUT' })
  expect(role.status, role.text).toBeLessThan(300)
  const token = await api.tokenFor({ name: 'viewer', roles: ['viewer'] })
  const problemOf = async (tids: string) =>
    (await failed(await flow.startOne(await define('makePreviews', { tids }), {}, { token }))).problem
  expect(await problemOf('out')).toContain('1 of the files are not there any more')
  expect(await problemOf('in')).toContain('viewer has no role that may update the file in')
})

test('jobs are visible to administrators only, and their types are described', async () => {
  expect((await api.post(`${base}/jobs/query`, {})).status).toBe(401)
  const { jobs, total } = await flow.post('jobs/query', { states: ['failed'], count: 2 }, { token: api.adminToken })
  expect(jobs).toHaveLength(2)
  expect(total).toBeGreaterThan(2)
  const { jobs: kinds } = await flow.get('job-types')
  expect(kinds.map(({ job }: { job: string }) => job)).toEqual(
    expect.arrayContaining(['setValue', 'callWebhook', 'startWorkflow']),
  )
})
