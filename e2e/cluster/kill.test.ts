/**
 * A process is killed (kill -9) in the middle of its work. The other two go on with it within ten seconds, and nothing is
 * lost or done twice.
 *
 * The first process starts alone, so that the work is certainly its own; the others are started before it is killed.
 */
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { sql } from '../../server/src/adapters/postgres/sql.ts'
import { bpmn } from '../../server/test/bpmn.ts'
import { note, openCluster, printResults, recordsOf, schemaVersion, seconds, until } from './cluster.ts'
import { openReceiver } from './receiver.ts'

const cluster = await openCluster(3, { KONTOR_ROLES: 'api,worker', KONTOR_WEBHOOK_SECONDS: '60' })
const { call, db } = cluster
afterAll(printResults)
const core = '/api/core/v1'
const mostMilliseconds = 10_000
const eventually = <T>(work: () => Promise<T> | T) => vi.waitFor(work, { timeout: 300_000, interval: 50 })

/** Only the first process runs, so that it gets the work that follows. */
const isolateFirst = () => Promise.all([1, 2].map((at) => cluster.process(at).end('SIGKILL')))
const startOthers = () => Promise.all([1, 2].map((at) => cluster.start(at)))
const kill = () => cluster.process(0).end('SIGKILL')
afterEach(async () => {
  await kill()
  await cluster.start(0)
})

/** The worker that runs a job of this name. */
const holderOf = async (job: string) =>
  (
    await db.row<{ by: string | null }>(sql`
    select locked_by as by from graphile_worker.jobs where task_identifier = ${job}`)
  )?.by ?? undefined

/** Kills the first process and waits until another one runs its jobs. */
async function killDuring(jobs: Record<string, string>): Promise<void> {
  const dead = new Map<string, string | undefined>()
  for (const job of Object.keys(jobs)) dead.set(job, await holderOf(job))
  expect([...dead.values()], 'the work ended before the process was killed').not.toContain(undefined)
  await kill()
  const taken = Object.entries(jobs).map(async ([job, what]) => {
    const hasOther = async () => ![undefined, dead.get(job)].includes(await holderOf(job))
    note(`a killed process: another one takes over its ${what}`, seconds(await until(hasOther, mostMilliseconds, what)))
  })
  await Promise.all(taken)
}

const bulk = `${core}/common/keywords/bulk`
async function startBulk(items: number): Promise<string> {
  const kwd = Array.from({ length: items }, (_, i) => ({ name: { itm: [{ value: `Killed ${i}` }] } }))
  const reply = await call(0, bulk, { body: { schemaVersion, kwds: { kwd } } })
  expect(reply.status).toBe(200)
  return reply.bytes.toString()
}
async function startImport(rows: number): Promise<string> {
  const clazz = [{ tid: 'Std', name: { itm: [{ value: 'Std', loc: 'en_GB' }] } }]
  recordsOf(await call(0, `${core}/pim/classes/persist`, { body: { schemaVersion, classes: { clazz } } }))
  const lines = Array.from({ length: rows }, (_, i) => `K${i},Kayak ${i},/Std`)
  const body = `tid,name,node\n${lines.join('\n')}\n`
  const { json } = await call(0, '/api/v1/transfers/imports?name=kayaks.csv', { body, type: 'text/csv' })
  await call(0, `/api/v1/transfers/${json.id}/start`, { method: 'POST' })
  return json.id
}
type Work = 'bulk_run' | 'transfer'
const progressOf = async (of: Work, id: string) => {
  const row = sql`select processed::int, state from bulk_run where id = ${id}::uuid`
  const transfer = sql`select processed::int, state from transfer where id = ${id}::uuid`
  return (await db.row<{ processed: number; state: string }>(of === 'bulk_run' ? row : transfer))!
}

test('a bulk run and an import go on, and store each item once', { timeout: 900_000 }, async () => {
  const size = 40_000
  await isolateFirst()
  const works: [Work, string][] = [
    ['bulk_run', await startBulk(size)],
    ['transfer', await startImport(size)],
  ]
  await eventually(async () => {
    for (const work of works) expect((await progressOf(...work)).processed).toBeGreaterThan(0)
  })
  await startOthers()
  await killDuring({ 'core.bulk': 'bulk run', 'transfer.import': 'import' })
  await eventually(async () => {
    for (const work of works) expect((await progressOf(...work)).state).toBe('finished')
  })
  const counts = await db.row(sql`
    select (select count(*)::int from keyword where name like 'Killed %') as keywords,
      (select count(*)::int from product) as products,
      (select count(*)::int from history where data_type = 'product' and action = 'create') as created`)
  expect(counts).toEqual({ keywords: size, products: size, created: size })
})

test('an export starts again', { timeout: 900_000 }, async () => {
  await isolateFirst()
  const { json } = await call(0, '/api/v1/transfers/exports', { body: { format: 'csv' } })
  await eventually(async () => expect((await progressOf('transfer', json.id)).state).toBe('running'))
  await eventually(async () => expect(await holderOf('transfer.export')).toBeDefined())
  await startOthers()
  await killDuring({ 'transfer.export': 'export' })
  await eventually(async () => expect((await progressOf('transfer', json.id)).state).toBe('finished'))
  const { bytes } = await call(1, `/api/v1/transfers/${json.id}/file`)
  expect(bytes.toString().trimEnd().split('\n')).toHaveLength(40_001)
})

test('the deliveries of webhooks and the jobs of workflows go on', { timeout: 900_000 }, async () => {
  await isolateFirst()
  const hook = await openReceiver(false)
  const job = await openReceiver(false)
  await call(0, '/api/v1/webhooks', { body: { url: hook.url, types: ['kontor.glossary.*'] } })
  const glossary = (tid: string) => ({ schemaVersion, glossaries: { glossary: [{ tid, name: tid }] } })
  for (const tid of ['a', 'b', 'c'])
    recordsOf(await call(0, `${core}/common/glossaries/persist`, { body: glossary(tid) }))
  await startWorkflow(job.url)
  await eventually(() => expect([hook.calls.length, job.calls.length]).toEqual([expect.any(Number), 1]))
  await eventually(() => expect(hook.calls.length).toBeGreaterThan(0))
  await startOthers()
  const before = hook.calls.length
  hook.answers = job.answers = true // the calls so far stay without an answer
  const isSent = () => hook.calls.length > before
  const [sent] = await Promise.all([
    until(isSent, mostMilliseconds, 'webhook'),
    killDuring({ 'workflow.job': 'workflow job' }),
  ])
  note('a killed process: another one sends its webhook delivery', seconds(sent))
  const ended = async () => (await db.row(sql`select from workflow_process where state <> 'finished'`)) === undefined
  await eventually(async () => expect(await ended()).toBe(true))
  await eventually(() => expect(new Set(hook.calls.map(({ id }) => id)).size).toBe(3))
  expect(new Set(job.calls.map(({ id }) => id)).size).toBe(1)
})

async function startWorkflow(url: string): Promise<void> {
  const inputs = `<extensionElements><kontor:input name="url">${url}</kontor:input></extensionElements>`
  const xml = bpmn('start > one:service > end', '', { one: inputs }, '', {}, 'killed').replaceAll(
    'kontor:job="note"',
    'kontor:job="callWebhook"',
  )
  const post = async (path: string, body: object) => {
    const reply = await call(0, `/api/v1/workflow/${path}`, { body })
    expect(reply.status, reply.bytes.toString()).toBeLessThan(300)
  }
  await post('definitions/deploy', { xml })
  await post('configurations/persist', { identifier: 'F.WorkflowConfig.Killed', definitionKey: 'killed' })
  await post('start', { configIdentifier: 'F.WorkflowConfig.Killed', processStartRequests: [{}] })
}
