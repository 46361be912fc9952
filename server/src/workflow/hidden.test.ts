/** Users do their tasks without learning of the linked objects that they may not read. */
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { bpmn } from '../../test/bpmn.ts'
import { createModel, jacket, productCalls, simple, vals } from '../../test/catalogue.ts'
import { readEvents } from '../../test/events.ts'
import { field, searchCalls } from '../../test/search.ts'
import { withServer } from '../../test/server.ts'
import { base, type Task, workflowCalls } from '../../test/workflow.ts'
import { sql } from '../adapters/postgres/sql.ts'

const api = withServer({ KONTOR_SEARCH_THREADS: '1' })
const flow = workflowCalls(api)
const { found, wait } = searchCalls(api)
const products = productCalls(api)
const config = 'F.WorkflowConfig.Hidden'
const all = { kind: '*', actions: ['*'] }
const roles = {
  narrow: [{ ...all, scopes: { node: ['/Standard/Jackets'] } }],
  /** Reads every object, but not every attribute. */
  partial: [{ ...all, visibleAttributes: { except: ['weight'] } }],
  whole: [all],
  follower: [all],
}
const tokens = new Map<string, string>()
const as = (role: keyof typeof roles) => ({ token: tokens.get(role)! })

const inputs = { attr: 'weight', value: '5000' }
const inputsOf = Object.entries(inputs).map(([name, text]) => `<kontor:input name="${name}">${text}</kontor:input>`)
const candidates = 'kontor:candidateRoles="narrow,partial,whole"'
/** A task about all products, a task for each product, and a job that is refused. */
const model = bpmn(
  'start > fork:parallel > a:user > end; fork > each:user > end2:end; fork > s:service > end3:end',
  '',
  {
    a: '<documentation>Look at ${products}.</documentation>',
    each: '<multiInstanceLoopCharacteristics kontor:collection="${products}"/>',
    s: `<extensionElements>${inputsOf.join('')}</extensionElements>`,
  },
  '',
  { a: `name="About \${products}" ${candidates}`, each: `name="One" ${candidates}` },
  'hidden',
).replace('kontor:job="note"', 'kontor:job="setValue"')

const linked = (...tids: string[]) => ({ linkedObjects: tids.map((tid) => ({ type: 'product', tid })) })
let secret: number
let open: number
let id: number

beforeAll(async () => {
  await createModel(api)
  for (const [role, grants] of Object.entries(roles)) {
    const options = { method: 'PUT', token: api.adminToken } as const
    expect((await api.post(`/api/v1/identity/roles/${role}`, { grants }, options)).status).toBe(200)
    tokens.set(role, await api.tokenFor({ name: role, roles: [role] }))
  }
  const boots = { node: '/Standard/Boots', ...vals(simple('code', 'AB1')) }
  const made = await products.persist(jacket('P-SECRET', boots), jacket('P-SECRET2', boots), jacket('P-OPEN'))
  secret = made[0]!.id
  open = made[2]!.id
  await flow.define(config, model, { linkedTypes: ['product'] })
  await api.startWorker()
  id = await flow.startOne(config, linked('P-SECRET', 'P-OPEN', 'P-SECRET2'))
  await vi.waitUntil(async () => (await flow.details(id)).process.failedJobs === 1, { timeout: 20_000 })
  const task = await flow.task(id, 'a')
  await flow.post(`tasks/${task.id}/comments`, { text: 'P-SECRET2 is odd' }, as('whole'))
})

const processesOf = (query: object, role: keyof typeof roles) => flow.post('processes/query', query, as(role))
const tasksOf = (query: object, role: keyof typeof roles) =>
  flow.post('tasks/query', { scope: 'all', ...query }, as(role))
const shown = [{ type: 'product', id: expect.any(Number), tid: 'P-OPEN' }]

describe('a user with a task', () => {
  test('is not shown linked objects that they may not read, by any route', async () => {
    const { processes, total } = await processesOf({}, 'narrow')
    expect(total).toBe(1)
    expect(processes).toMatchObject([{ id, linkedObjects: shown, failedJobs: 1 }])
    const { tasks } = await tasksOf({}, 'narrow')
    expect(tasks).toHaveLength(4)
    for (const task of tasks) expect(task.linkedObjects).toEqual(shown)
    const a: Task = tasks.find(({ element }: Task) => element === 'a')
    expect(a).toMatchObject({ name: 'About …, P-OPEN, …', description: 'Look at …, P-OPEN, ….' })
    expect(await flow.get(`tasks/${a.id}`, as('narrow'))).toEqual(a)
    const details = await flow.get(`processes/${id}`, as('narrow'))
    expect(details.process.linkedObjects).toEqual(shown)
    expect(details.variables).toMatchObject({ products: ['P-OPEN'], linked: shown })
    const claimed = await flow.post(`tasks/${a.id}/comments`, { text: 'fine' }, as('narrow'))
    expect(claimed.comments).toMatchObject([{ text: '… is odd' }, { text: 'fine' }])
    for (const reply of [processes, tasks, details, claimed]) {
      expect(JSON.stringify(reply)).not.toMatch(new RegExp(`P-SECRET|\\b${secret}\\b`))
    }
  })

  test('gets messages without the object of the task', async () => {
    expect(JSON.stringify(await flow.inbox(tokens.get('narrow')!))).toContain('One')
    const one = await flow.define(
      'F.WorkflowConfig.Each',
      bpmn(
        'start > each:user > end',
        '',
        { each: '<multiInstanceLoopCharacteristics kontor:collection="${products}"/>' },
        '',
        { each: `name="Each" ${candidates}` },
        'repeated',
      ),
      { linkedTypes: ['product'] },
    )
    const process = await flow.startOne(one, linked('P-SECRET'))
    const { id: late } = await flow.task(process, 'each')
    await flow.post('tasks/change', { ids: [late], dueDate: '2020-01-01T00:00:00Z' }, { token: api.adminToken })
    await flow.post(
      'tasks/change',
      { ids: [(await flow.task(id, 'a')).id], dueDate: '2020-01-01T00:00:00Z' },
      { token: api.adminToken },
    )
    await api.app.jobs['workflow.overdue']!({} as never, AbortSignal.timeout(60_000))
    const messages = JSON.stringify(await flow.inbox(tokens.get('narrow')!))
    expect(messages).toContain('the task \\"Each\\" is waiting')
    expect(messages).toContain('New task: About …')
    expect(messages).toContain('Overdue: About …')
    expect(messages).not.toContain('P-SECRET')
  })

  test('learns why a job failed only if they may read everything it can name', async () => {
    const job = async (role: keyof typeof roles) => (await flow.get(`processes/${id}`, as(role))).jobs[0]
    expect((await job('whole')).problem).toContain('weight')
    for (const role of ['narrow', 'partial'] as const) {
      expect(await job(role)).toMatchObject({ state: 'failed', problem: expect.stringContaining('ask kim') })
      expect((await job(role)).problem).not.toContain('weight')
    }
  })

  test('can complete it', async () => {
    const process = await flow.startOne(config, linked('P-SECRET'))
    const task = await flow.task(process, 'a')
    expect(await flow.complete(task.id, {}, as('narrow'))).toEqual([{ id: task.id, status: 'success' }])
  })

  test('reads the reason of a cancelled process, but not the problem of a failed one, in lists and by search', async () => {
    const [failed, cancelled] = [await flow.startOne(config, linked('P-SECRET')), await flow.startOne(config)]
    await api.db.run(
      sql`update workflow_process set state = 'failed', ended_at = now(), problem = 'zanzibar P-SECRET' where id = ${failed}`,
    )
    await flow.post('processes/cancel', { ids: [cancelled], reason: 'zanzibar is closed' }, { token: api.token })
    await flow.post(
      'tasks/change',
      { ids: [(await flow.task(failed, 'a')).id], priority: 1 },
      { token: api.adminToken },
    )
    const problems = async (role: keyof typeof roles) =>
      (await processesOf({ states: ['failed', 'cancelled'] }, role)).processes.map(
        ({ problem }: { problem: string }) => problem,
      )
    expect(await problems('whole')).toEqual(['zanzibar is closed', 'zanzibar P-SECRET'])
    expect(await problems('narrow')).toEqual(['zanzibar is closed', expect.stringContaining('ask kim')])
    await wait('FS_TABLE_WFL', failed, cancelled)
    const hits = () => found('FS_TABLE_WFL', field('problem', 'LIKE', 'zanzibar*'), {}, as('narrow'), 'id')
    await expect.poll(hits, { timeout: 20_000 }).toEqual([cancelled])
    const names = await found('FS_TABLE_WFL', undefined, {}, as('narrow'), 'openTasks')
    expect(JSON.stringify(names)).toContain('About …')
    expect(JSON.stringify(names)).not.toContain('P-SECRET')
  })
})

describe('the filter linkedObject', () => {
  test.each([
    ['by tid', () => ({ tid: 'P-SECRET' }), () => ({ tid: 'P-OPEN' })],
    ['by id', () => ({ id: secret }), () => ({ id: open })],
  ])('%s finds nothing by an object that the caller may not read', async (_, hidden, visible) => {
    const totals = async (name: object, role: keyof typeof roles) => {
      const query = { linkedObject: { type: 'product', ...name } }
      const [found, tasks] = [await processesOf(query, role), await tasksOf(query, role)]
      expect(found.processes ?? []).toHaveLength(found.total)
      expect(tasks.tasks ?? []).toHaveLength(tasks.total)
      return [found.total > 0, tasks.total > 0]
    }
    expect(await totals(hidden(), 'narrow')).toEqual([false, false])
    expect(await totals(visible(), 'narrow')).toEqual([true, true])
    expect(await totals(hidden(), 'whole')).toEqual([true, true])
    expect(await totals({ tid: 'nobody' }, 'narrow')).toEqual([false, false])
  })
})

test('a page of processes asks once for the rights to its objects, and not at all for users who may read all', async () => {
  const asked = async (role: keyof typeof roles) => {
    const before = api.statements.length
    await processesOf({}, role)
    return api.statements.slice(before).filter((text) => text.includes('as scopes')).length
  }
  expect([await asked('narrow'), await asked('whole')]).toEqual([1, 0])
})

test('a process is not started with an object that the caller may not read', async () => {
  const body = { configIdentifier: config, processStartRequests: [linked('P-SECRET')] }
  const reply = await api.post(`${base}/start`, body, as('narrow'))
  expect(reply.status).toBe(500)
  expect(reply.text).toContain('no product has the tid P-SECRET')
})

test('a message names only processes that the caller may see', async () => {
  const waiting = bpmn(
    'start > m:receive > end',
    '',
    {},
    '<message id="paid" name="Paid"/>',
    { m: 'messageRef="paid"' },
    'waits',
  )
  const process = await flow.startOne(await flow.define('F.WorkflowConfig.Waits', waiting))
  const send = (more: object) => flow.post('processes/message', { name: 'Paid', ...more }, as('whole'))
  expect(await send({})).toEqual([])
  const [known, unknown] = await send({ processIds: [process, 1] })
  expect(known.issues[0].content.replace(String(process), '1')).toBe(unknown.issues[0].content)
})

test('events of a process reach only users who may see it', async () => {
  const read = (query: string, token: string) =>
    readEvents<{ data: { id: number } }>(api, `types=kontor.workflow.*&count=1000${query}`, token)
  const { position } = await read('', api.adminToken)
  const process = await flow.startOne(config, linked('P-OPEN'))
  const seen = async (token: string) => {
    const { events } = await read(`&after=${position}`, token)
    return events.some(({ data }) => data.id === process)
  }
  expect(await Promise.all([api.token, api.adminToken, as('whole').token].map(seen))).toEqual([true, true, true])
  expect(await seen(as('follower').token)).toBe(false)
})
