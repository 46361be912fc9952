import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { bpmn, timer } from '../../../test/bpmn.ts'
import { withServer } from '../../../test/server.ts'
import { base, type Task, workflowCalls } from '../../../test/workflow.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { readConfig } from '../../config.ts'

const api = withServer()
const flow = workflowCalls(api)
const config = 'F.WorkflowConfig.Tasks'

const form = `<extensionElements><kontor:form>
  <kontor:field key="decision" name="Decision" type="string" required="true" values="yes,no"/>
  <kontor:field key="days" type="integer"/><kontor:field key="tags" multiple="true"/>
</kontor:form></extensionElements>`

let ann: string, bob: string, eve: string
beforeAll(async () => {
  ann = await api.tokenFor({ roles: ['user', 'editor'], name: 'ann' })
  bob = await api.tokenFor({ roles: ['user', 'editor'], name: 'bob' })
  eve = await api.tokenFor({ roles: ['user'], name: 'eve' })
  const attributes = { a: 'name="Decide" kontor:candidateRoles="editor" kontor:due="P2D" kontor:priority="80"' }
  await flow.define(
    config,
    bpmn('start > a:user > b:user > end', '', { a: form }, '', { ...attributes, b: 'kontor:assignee="${starter}"' }),
  )
})

const fresh = async (): Promise<Task> => flow.task(await flow.startOne(config), 'a')
const names = (tasks: Task[]) => tasks.map(({ id }) => id)
const inbox = async (token: string, query: object = {}) => flow.tasks({ scope: 'inbox', ...query }, { token })

test('a task names its objects', async () => {
  const { id, processId } = await fresh()
  const task = await flow.get(`tasks/${id}`, { token: ann })
  expect(task).toMatchObject({
    id,
    processId,
    name: 'Decide',
    state: 'open',
    candidateRoles: ['editor'],
    priority: 80,
    overdue: false,
    form: [
      { key: 'decision', name: 'Decision', type: 'string', required: true, allowedValues: ['yes', 'no'] },
      { key: 'days', type: 'integer', required: false },
      { key: 'tags', multiple: true },
    ],
  })
  expect(Date.parse(task.dueDate) - Date.now()).toBeGreaterThan(1.9 * 86_400_000)
})

describe('the inbox', () => {
  test('contains tasks of the user and of their roles, invisible to others', async () => {
    const task = await fresh()
    expect(names(await inbox(ann))).toContain(task.id)
    expect(names(await inbox(eve))).not.toContain(task.id)
    await flow.post('tasks/claim', { ids: [task.id] }, { token: ann })
    expect(names(await inbox(bob))).not.toContain(task.id)
    expect(names(await flow.tasks({ scope: 'mine' }, { token: ann }))).toContain(task.id)
    expect(names(await flow.tasks({ scope: 'candidate' }, { token: ann }))).not.toContain(task.id)
    expect((await api.get(`${base}/tasks/${task.id}`, { token: eve })).status).toBe(404)
  })

  test('is paged, sorted and narrowed', async () => {
    const [one, two] = [await fresh(), await fresh()]
    await flow.post('tasks/change', { ids: [one.id], priority: 99, dueDate: '2020-01-01T00:00:00Z' }, { token: ann })
    const byPriority = await inbox(ann, { sort: 'priority', count: 1 })
    expect(names(byPriority)).toEqual([one.id])
    expect(names(await inbox(ann, { sort: 'dueDate' }))[0]).toBe(one.id)
    expect(names(await inbox(ann, { overdue: true }))).toEqual([one.id])
    expect(names(await inbox(ann, { processIds: [two.processId] }))).toEqual([two.id])
    expect(names(await inbox(ann, { sort: 'newest', offset: 1, count: 1 }))).toEqual([one.id])
    expect((await api.post(`${base}/tasks/query`, { offset: -1 })).status).toBe(400)
  })
})

describe('claiming', () => {
  test('exactly one of many concurrent claims succeeds', async () => {
    const task = await fresh()
    const claims = await Promise.all(
      Array.from({ length: 10 }, (_, i) => flow.post('tasks/claim', { ids: [task.id] }, { token: i % 2 ? ann : bob })),
    )
    const winners = new Set(claims.flatMap(([{ status }], i) => (status === 'success' ? [i % 2] : [])))
    expect(winners.size).toBe(1)
    expect(claims.flat().filter(({ status }) => status === 'error')[0].issues[0]).toMatchObject({ code: '1006' })
  })

  test('refusals are reported per task, and the others are claimed', async () => {
    const [mine, theirs] = [await fresh(), await fresh()]
    await flow.post('tasks/claim', { ids: [theirs.id] }, { token: bob })
    const results = await flow.post('tasks/claim', { ids: [mine.id, theirs.id, 1] }, { token: ann })
    expect(results).toMatchObject([
      { id: mine.id, status: 'success' },
      { id: theirs.id, status: 'error', issues: [{ content: expect.stringContaining('assigned to bob') }] },
      { id: 1, status: 'error', issues: [{ code: '1002' }] },
    ])
  })

  test('a task is unclaimed, or delegated to another user, who is notified', async () => {
    const task = await fresh()
    await flow.post('tasks/claim', { ids: [task.id] }, { token: ann })
    expect(await flow.post('tasks/unclaim', { ids: [task.id] }, { token: bob })).toMatchObject([{ status: 'error' }])
    await flow.post('tasks/unclaim', { ids: [task.id] }, { token: ann })
    expect((await flow.get(`tasks/${task.id}`, { token: ann })).assignee).toBeUndefined()
    await flow.post('tasks/delegate', { ids: [task.id], assignee: 'eve', comment: 'please' }, { token: ann })
    expect(names(await inbox(eve))).toContain(task.id)
    expect((await flow.inbox(eve))[0]).toMatchObject({
      subject: 'A task was given to you',
      body: expect.stringContaining('please'),
    })
    expect((await flow.get(`tasks/${task.id}`, { token: eve })).comments).toMatchObject([
      { user: 'ann', text: 'please' },
    ])
    const nobody = await api.post(`${base}/tasks/delegate`, { ids: [task.id], assignee: 'nobody' }, { token: eve })
    expect(nobody.status).toBe(404)
  })

  test('the people who can do a task are listed to those who see it', async () => {
    const task = await fresh()
    const people = async (token: string) => (await flow.get(`tasks/${task.id}/people`, { token })).users
    const all = await people(ann)
    expect(all).toEqual(expect.arrayContaining(['ann', 'bob']))
    expect(all).not.toContain('eve')
    await flow.post('tasks/claim', { ids: [task.id] }, { token: ann })
    expect(await people(ann)).toEqual(all.filter((name: string) => name !== 'ann'))
    expect((await api.get(`${base}/tasks/${task.id}/people`, { token: eve })).status).toBe(404)
  })
})

describe('completing', () => {
  test('advances the process with the values of the form', async () => {
    const task = await fresh()
    const values = { decision: 'yes', days: 3, tags: ['a', 'b'] }
    expect(await flow.complete(task.id, values, { token: ann })).toEqual([{ id: task.id, status: 'success' }])
    const { variables, tasks } = await flow.details(task.processId)
    expect(variables).toMatchObject(values)
    expect(tasks).toMatchObject([
      { id: task.id, state: 'completed', completedBy: 'ann', assignee: 'ann', values },
      { element: 'b', state: 'open', assignee: 'kim' },
    ])
  })

  test.each<[unknown, string]>([
    [{}, 'decision is missing'],
    [{ decision: 'perhaps' }, '"perhaps" is not one of yes, no'],
    [{ decision: 'yes', days: 'x' }, 'days: "x" is not a whole number'],
    [{ decision: 'yes', other: 1 }, 'the form has no field "other"'],
    [{ decision: ['yes', 'no'] }, 'decision takes one value'],
    [{ decision: { a: 1 } }, 'must be a text'],
    [[], 'expected an object'],
    ['yes', 'expected an object'],
  ])('with %j is refused: %s', async (values, why) => {
    const task = await fresh()
    const [result] = await flow.post('tasks/complete', { tasks: [{ id: task.id, values }] }, { token: ann })
    expect(result).toMatchObject({ status: 'error', issues: [{ code: '1001', content: expect.stringContaining(why) }] })
    expect((await flow.get(`tasks/${task.id}`, { token: ann })).state).toBe('open')
  })

  test('is limited to permitted users, once', async () => {
    const task = await fresh()
    const decide = (token: string) => flow.complete(task.id, { decision: 'no' }, { token })
    expect(await decide(eve)).toMatchObject([{ issues: [{ code: '1002' }] }])
    await flow.post('tasks/claim', { ids: [task.id] }, { token: bob })
    expect(await decide(ann)).toMatchObject([{ issues: [{ code: '1006' }] }])
    const all = await Promise.all([decide(bob), decide(bob), decide(bob)])
    expect(all.flat().filter(({ status }) => status === 'success')).toHaveLength(1)
    expect(await decide(bob)).toMatchObject([{ issues: [{ content: expect.stringContaining('completed already') }] }])
    const { history } = await flow.details(task.processId)
    const steps = history.filter(
      (one: { element?: string; event: string }) => one.element === 'a' && one.event === 'completed',
    )
    expect(steps).toHaveLength(1)
    expect(steps[0]).toMatchObject({ type: 'userTask', name: 'Decide', user: 'bob' })
  })

  test('of many tasks, a refused one does not affect the others, and a repeat changes nothing', async () => {
    const [one, two] = [await fresh(), await fresh()]
    const body = {
      tasks: [
        { id: one.id, values: { decision: 'yes' } },
        { id: 1 },
        { id: two.id, values: { decision: 'no' }, comment: 'done' },
      ],
    }
    const options = { token: ann, headers: { 'idempotency-key': randomUUID() } }
    const first = await flow.post('tasks/complete', body, options)
    expect(first.map(({ status }: { status: string }) => status)).toEqual(['success', 'error', 'success'])
    expect(await flow.post('tasks/complete', body, options)).toEqual(first)
    expect((await flow.get(`tasks/${two.id}`, { token: ann })).comments).toMatchObject([{ text: 'done' }])
  })
})

test('comments are limited to users who see the task', async () => {
  const { id } = await fresh()
  expect((await api.post(`${base}/tasks/${id}/comments`, { text: 'hm' }, { token: eve })).status).toBe(404)
  expect((await api.post(`${base}/tasks/${id}/comments`, { text: ' ' }, { token: ann })).status).toBe(400)
  const task = await flow.post(`tasks/${id}/comments`, { text: 'right\u202eleft <b>' }, { token: ann })
  expect(task.comments).toMatchObject([{ user: 'ann', text: 'right\u202eleft <b>' }])
})

test('overdue tasks notify their users and the escalation role once, and rise in priority', async () => {
  await flow.configure({ identifier: 'F.WorkflowConfig.Late', definitionKey: 'p', escalationRole: 'reader' })
  const boss = await api.tokenFor({ roles: ['user', 'reader'], name: 'boss' })
  const task = await flow.task(await flow.startOne('F.WorkflowConfig.Late'), 'a')
  await flow.post('tasks/delegate', { ids: [task.id], assignee: 'ann' }, { token: api.adminToken })
  await flow.post('tasks/change', { ids: [task.id], dueDate: '2020-01-01T00:00:00Z' }, { token: ann })
  const overdue = async (token: string) =>
    (await flow.inbox(token)).filter(
      ({ subject, parameters }: { subject: string; parameters: { taskId?: string } }) =>
        subject.startsWith('Overdue') && parameters.taskId === String(task.id),
    )
  await api.app.jobs['workflow.overdue']!({} as never, AbortSignal.timeout(60_000))
  await api.app.jobs['workflow.overdue']!({} as never, AbortSignal.timeout(60_000))
  expect(await overdue(ann)).toHaveLength(1)
  expect(await overdue(boss)).toHaveLength(1)
  expect(await flow.get(`tasks/${task.id}`, { token: ann })).toMatchObject({ overdue: true, priority: 100 })
})

describe('processes', () => {
  test('are visible to their starter, to users with one of their tasks, and to administrators', async () => {
    const task = await fresh()
    const seen = async (token: string) => (await api.get(`${base}/processes/${task.processId}`, { token })).status
    expect([await seen(api.token), await seen(ann), await seen(api.adminToken), await seen(eve)]).toEqual([
      200, 200, 200, 404,
    ])
    const { processes, total } = await flow.post(
      'processes/query',
      { states: ['running'], count: 1 },
      { token: api.token },
    )
    expect(processes).toHaveLength(1)
    expect(total).toBeGreaterThan(1)
    expect((await flow.post('processes/query', {}, { token: eve })).processes ?? []).not.toContainEqual(
      expect.objectContaining({ id: task.processId }),
    )
  })

  test('are cancelled by their starter, together with their tasks and timers', async () => {
    const model = bpmn(
      'start > a:user > end; late:boundary > end2:end',
      '',
      { late: timer('PT1H') },
      '',
      { late: 'attachedToRef="a"' },
      'cancellable',
    )
    await flow.define('F.WorkflowConfig.Cancel', model, { candidateRoles: ['editor'] })
    const id = await flow.startOne('F.WorkflowConfig.Cancel')
    expect(await flow.post('processes/cancel', { ids: [id], reason: 'no' }, { token: ann })).toMatchObject([
      { issues: [{ code: '1004' }] },
    ])
    expect(
      await flow.post('processes/cancel', { ids: [id, 1], reason: 'changed my mind' }, { token: api.token }),
    ).toMatchObject([
      { id, status: 'success' },
      { id: 1, status: 'error' },
    ])
    const { process, tasks, jobs } = await flow.details(id)
    expect(process).toMatchObject({ state: 'cancelled', problem: 'changed my mind', openTasks: 0 })
    expect([tasks[0].state, jobs[0].state]).toEqual(['cancelled', 'cancelled'])
    expect(await flow.complete(tasks[0].id)).toMatchObject([
      { issues: [{ content: expect.stringContaining('cancelled already') }] },
    ])
    expect(await flow.post('processes/cancel', { ids: [id] }, { token: api.token })).toMatchObject([
      { status: 'error' },
    ])
  })

  test('are deleted only after they ended, and after the retention period', async () => {
    const task = await fresh()
    const remove = () => flow.post('processes/delete', { ids: [task.processId] }, { token: api.adminToken })
    expect(await remove()).toMatchObject([{ issues: [{ code: '1008' }] }])
    await flow.post('processes/cancel', { ids: [task.processId] }, { token: api.token })
    const old = await fresh()
    await flow.post('processes/cancel', { ids: [old.processId] }, { token: api.token })
    await api.db.run(
      sql`update workflow_process set ended_at = now() - interval '400 days' where id = ${old.processId}`,
    )
    await api.app.jobs['operations.sweep']!({} as never, AbortSignal.timeout(60_000))
    expect((await api.get(`${base}/processes/${old.processId}`, { token: api.adminToken })).status).toBe(404)
    expect(await api.db.rows(sql`select from workflow_event where process_id = ${old.processId}`)).toEqual([])
    expect(await remove()).toMatchObject([{ status: 'success' }])
    expect(readConfig({}).workflowDays).toBe(365)
  })

  test('messages reach the processes that wait for them, with values', async () => {
    const model = bpmn(
      'start > m:receive > a:user > end',
      '',
      {},
      '<message id="paid" name="Paid"/>',
      { m: 'messageRef="paid"' },
      'waiting',
    )
    await flow.define('F.WorkflowConfig.Waiting', model)
    const [one, two] = [
      await flow.startOne('F.WorkflowConfig.Waiting'),
      await flow.startOne('F.WorkflowConfig.Waiting'),
    ]
    const send = (body: object) => flow.post('processes/message', { name: 'Paid', ...body }, { token: api.token })
    expect(await send({ processIds: [one, 1], values: { amount: 5 } })).toMatchObject([
      { id: one, status: 'success' },
      { id: 1, status: 'error' },
    ])
    expect((await flow.details(one)).variables).toMatchObject({ amount: 5 })
    expect(await send({})).toMatchObject([{ id: two, status: 'success' }])
    expect(await send({})).toEqual([])
    expect((await api.post(`${base}/processes/message`, { name: 'Paid', values: { starter: 'x' } })).status).toBe(400)
  })

  test('statistics count them', async () => {
    const { workflows, myOpenTasks } = await flow.get('statistics', { token: ann })
    expect(
      workflows.find(({ configIdentifier }: { configIdentifier: string }) => configIdentifier === config),
    ).toMatchObject({ running: expect.any(Number) })
    expect(myOpenTasks).toBe((await flow.post('tasks/query', {}, { token: ann })).total)
  })
})

test('timers fire at their time', async () => {
  await api.startWorker()
  await flow.define(
    'F.WorkflowConfig.Timer',
    bpmn('start > t:catch > a:user > end', '', { t: timer('PT1S') }, '', {}, 'timed'),
  )
  const begin = Date.now()
  const id = await flow.startOne('F.WorkflowConfig.Timer')
  await flow.task(id, 'a')
  expect(Date.now() - begin).toBeGreaterThan(900)
  await vi.waitUntil(async () => (await flow.details(id)).jobs[0].state === 'done')
})
