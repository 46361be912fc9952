import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { bpmn, condition, timer } from '../../../test/bpmn.ts'
import { statementsOf } from '../../../test/common.ts'
import { withServer } from '../../../test/server.ts'
import { base, workflowCalls } from '../../../test/workflow.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const api = withServer()
const flow = workflowCalls(api)
const config = 'F.WorkflowConfig.Test'
const count = async () => (await api.db.row<{ n: number }>(sql`select count(*)::int as n from workflow_process`))!.n

let glossary = 0
beforeAll(async () => {
  await flow.define(config, bpmn('start > a:user > end'), {
    linkedTypes: ['glossary', 'product'],
    parameters: [
      { key: 'count', type: 'integer' },
      { key: 'price', type: 'double' },
      { key: 'big', type: 'long' },
      { key: 'day', type: 'date' },
      { key: 'flag', type: 'boolean', defaultValues: ['true'] },
      { key: 'locale', type: 'language' },
      { key: 'words', type: 'string', multiple: true, allowedValues: ['red', 'blue'], defaultValues: ['red'] },
    ],
  })
  const made = await api.post('/api/core/v1/common/glossaries/persist', {
    schemaVersion: '5.6.0',
    glossaries: { glossary: [{ name: 'Terms', tid: 'terms' }] },
  })
  glossary = made.json.responses.response[0].id
})

const parameter = (key: string, type: string, ...values: string[]) => ({ parameters: [{ key, type, values }] })

test('one reply per start, in the words of the interface, under both addresses', async () => {
  for (const address of [base, '/api/wfl/v1/workflow']) {
    const reply = await api.post(`${address}/start`, {
      configIdentifier: config,
      processStartRequests: [{ linkedObjects: [{ tid: 'terms', type: 'glossary' }], parameters: [] }, {}],
    })
    expect(reply.status).toBe(200)
    const started = { tid: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'success', dataType: 'workflow' }
    expect(reply.json).toEqual([started, started])
  }
})

test('a process knows its parameters, their defaults, what is linked and who started it', async () => {
  const id = await flow.startOne(config, {
    linkedObjects: [{ id: glossary, type: 'glossary' }],
    ...parameter('day', 'date', '2024-03-05T08:00:00.000+0100'),
  })
  const { variables, process } = await flow.details(id)
  expect(variables).toMatchObject({
    day: '2024-03-05T08:00:00.000+0100',
    flag: true,
    words: ['red'],
    starter: 'kim',
    glossaries: ['terms'],
  })
  expect(process).toMatchObject({
    state: 'running',
    starter: 'kim',
    configIdentifier: config,
    linkedObjects: [{ type: 'glossary', id: glossary, tid: 'terms' }],
    openTasks: 1,
    activeElements: ['a'],
  })
})

describe('an invalid start returns its issues, and the others are started', () => {
  test.each<[object, string, string]>([
    [
      { linkedObjects: [{ tid: 'nobody', type: 'glossary' }] },
      '1002',
      'linkedObjects[1]: no glossary has the tid nobody',
    ],
    [{ linkedObjects: [{ id: 1, type: 'glossary' }] }, '1002', 'no glossary has the id 1'],
    [
      { linkedObjects: [{ tid: 'terms', type: 'boat' }] },
      '1001',
      'unknown type "boat"; expected one of file, product, peo, project, glossary',
    ],
    [{ linkedObjects: [{ tid: 'terms' }] }, '1001', 'type: unknown type ""'],
    [{ linkedObjects: [{ tid: 'terms', type: 'file' }] }, '1001', 'takes glossary, product, not file'],
    [{ linkedObjects: [{ type: 'glossary' }] }, '1001', 'give either id or tid'],
    [{ linkedObjects: [{ type: 'glossary', tid: 'terms', id: 1 }] }, '1001', 'give either id or tid'],
    [parameter('colour', 'string', 'red'), '1001', 'has no parameter "colour"; it has count, price'],
    [parameter('__proto__', 'string', 'red'), '1001', 'has no parameter'],
    [parameter('count', 'string', '1'), '1001', 'count has the type integer, not string'],
    [parameter('count', 'integer', '1.5'), '1001', 'count: "1.5" is not a whole number of 32 bits'],
    [parameter('count', 'integer', '2147483648'), '1001', 'is not a whole number of 32 bits'],
    [parameter('big', 'long', '9007199254740993'), '1001', 'is not a whole number'],
    [parameter('price', 'double', 'Infinity'), '1001', 'is not a number'],
    [parameter('price', 'double', `${'1'.repeat(1_000_000)}x`), '1001', 'is not a number'],
    [parameter('flag', 'boolean', 'yes'), '1001', 'is not true or false'],
    [
      parameter('day', 'date', '2024-03-05T08:00:00.000+01:00'),
      '1001',
      'is not a date like 2024-03-05T08:00:00.000+0100',
    ],
    [parameter('day', 'date', '2024-03-05'), '1001', 'is not a date'],
    [parameter('day', 'date', '2024-02-31T08:00:00.000+0100'), '1001', 'is not a date'],
    [parameter('locale', 'language', 'english'), '1001', 'is not a locale like en_GB'],
    [parameter('words', 'string', 'green'), '1001', '"green" is not one of red, blue'],
    [parameter('count', 'integer', '1', '2'), '1001', 'count takes one value; 2 are given'],
    [
      {
        parameters: [
          { key: 'count', values: ['1'] },
          { key: 'count', values: ['2'] },
        ],
      },
      '1001',
      'count is given twice',
    ],
  ])('%j: %s', async (request, code, content) => {
    const before = await count()
    const [bad, good] = await flow.start(config, [request, {}])
    expect(good!.status).toBe('success')
    expect(bad).toMatchObject({
      status: 'error',
      dataType: 'workflow',
      issues: [{ code, content: expect.stringContaining(content) }],
    })
    expect(bad).not.toHaveProperty('tid')
    expect(await count()).toBe(before + 1)
  })

  test('all issues are returned at once', async () => {
    const [bad] = await flow.start(config, [
      { linkedObjects: [{ tid: 'x', type: 'glossary' }], ...parameter('count', 'integer', 'x') },
      {},
    ])
    expect(bad!.issues).toHaveLength(2)
  })
})

test('when none can be started the reply is 500, with the issues', async () => {
  const reply = await api.post(`${base}/start`, {
    configIdentifier: 'F.WorkflowConfig.None',
    processStartRequests: [{}, {}],
  })
  expect(reply.status).toBe(500)
  const issue = {
    code: '1002',
    description: 'resource not found',
    content: expect.stringContaining('F.WorkflowConfig.None'),
  }
  expect(reply.json).toEqual(
    Array.from({ length: 2 }, () => ({ status: 'error', dataType: 'workflow', issues: [issue] })),
  )
})

test('a workflow that is disabled or fails in its first step is not started', async () => {
  const broken = bpmn(
    'start > x:exclusive > a:user > end; x > b:user > end',
    condition('x', 'a', '${n}') + condition('x', 'b', '${n}'),
    {},
    '',
    {},
    'broken',
  )
  await flow.define('F.WorkflowConfig.Broken', broken)
  await flow.configure({ identifier: 'F.WorkflowConfig.Off', definitionKey: 'p', enabled: false })
  const before = await count()
  for (const [identifier, why] of [
    ['F.WorkflowConfig.Broken', 'it fails in its first step'],
    ['F.WorkflowConfig.Off', 'is switched off'],
  ]) {
    const reply = await api.post(`${base}/start`, { configIdentifier: identifier, processStartRequests: [{}] })
    expect(reply.status).toBe(500)
    expect(reply.json[0].issues[0].content).toContain(why)
  }
  expect(await count()).toBe(before)
})

test.each([
  [{}, 'configIdentifier'],
  [{ configIdentifier: config }, 'processStartRequests'],
  [{ configIdentifier: config, processStartRequests: [] }, 'this field is missing'],
  [{ configIdentifier: config, processStartRequests: Array.from({ length: 1001 }, () => ({})) }, 'more than 1000'],
  [{ configIdentifier: config, processStartRequests: [{ boat: 1 }] }, 'boat'],
])('a message that cannot be read is 400 (%#)', async (body, fault) => {
  const reply = await api.post(`${base}/start`, body)
  expect(reply.status).toBe(400)
  expect(reply.text).toContain(fault)
})

test('objects that the caller may not read are not there', async () => {
  const put = { method: 'PUT', token: api.adminToken } as const
  await api.post('/api/v1/identity/roles/starter', { grants: [{ kind: 'workflow', actions: ['create', 'read'] }] }, put)
  const token = await api.tokenFor({ roles: ['starter'] })
  const body = {
    configIdentifier: config,
    processStartRequests: [{ linkedObjects: [{ tid: 'terms', type: 'glossary' }] }],
  }
  const reply = await api.post(`${base}/start`, body, { token })
  expect(reply.status).toBe(500)
  expect(reply.text).toContain('no glossary has the tid terms')
})

test('a repeat with the same Idempotency-Key starts nothing and gets the same reply', async () => {
  const options = { headers: { 'idempotency-key': randomUUID() } }
  const first = await flow.start(config, [{}, {}], options)
  const before = await count()
  expect(await flow.start(config, [{}, {}], options)).toEqual(first)
  expect(await count()).toBe(before)
  const other = await api.post(`${base}/start`, { configIdentifier: config, processStartRequests: [{}] }, options)
  expect(other.status).toBe(400)
})

const branches = bpmn(
  'start > fork:parallel > a:user > join:parallel > end; fork > b:service > join; fork > t:catch > join',
  '',
  {
    t: timer('PT1H'),
    b: '<extensionElements><kontor:input name="toUsers">kim</kontor:input><kontor:input name="subject">s</kontor:input><kontor:input name="body">${words}</kontor:input></extensionElements>',
  },
  '',
  { b: 'name="Notified"' },
  'branches',
).replace('kontor:job="note"', 'kontor:job="sendMessage"')

test('costs the same number of statements for 10 starts as for 1,000', async () => {
  await flow.define('F.WorkflowConfig.Branches', branches, {
    linkedTypes: ['glossary'],
    parameters: [{ key: 'words', type: 'string' }],
  })
  const request = (i: number) => ({
    linkedObjects: [{ tid: 'terms', type: 'glossary' }],
    ...parameter('words', 'string', `word ${i}`),
  })
  const batch = (n: number) => Array.from({ length: n }, (_, i) => request(i))
  const identifier = 'F.WorkflowConfig.Branches'
  await flow.start(identifier, batch(1))
  const few = await statementsOf(api, () => flow.start(identifier, batch(10)))
  const begin = performance.now()
  expect(await statementsOf(api, () => flow.start(identifier, batch(1000)))).toBe(few)
  expect(performance.now() - begin, 'milliseconds').toBeLessThan(9000) // three times the promise, on a busy machine
  const [jobs] = await api.db.rows<{ n: number }>(sql`
    select count(*)::int as n from workflow_job j join workflow_process p on p.id = j.process_id
    where p.config_identifier = ${identifier}`)
  expect(jobs!.n).toBe(2022)
  const [queued] = await api.db.rows<{ n: number }>(
    sql`select count(*)::int as n from graphile_worker.jobs where task_identifier = 'workflow.job'`,
  )
  expect(queued!.n).toBeGreaterThanOrEqual(2022)
})

test('many tasks of one name share one message', async () => {
  const token = await api.tokenFor({ roles: ['user', 'reader'], name: 'rita' })
  await flow.configure({ identifier: 'F.WorkflowConfig.Many', definitionKey: 'p', candidateRoles: ['reader'] })
  await flow.start(
    'F.WorkflowConfig.Many',
    Array.from({ length: 30 }, () => ({})),
  )
  const subjects = (await flow.inbox(token)).map(({ subject }: { subject: string }) => subject)
  expect(subjects).toEqual(['30 new tasks: a'])
})
