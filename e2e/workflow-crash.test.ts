/**
 * Workflow processes with parallel branches, timers, tasks and jobs run on three servers, one of which is killed
 * (kill -9) every two seconds. In the end every process has finished, and each of its effects has happened once.
 *
 * By default the test is small; `npm run test:crash` runs a thousand processes for a minute.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { connect, type Database } from '../server/src/adapters/postgres/db.ts'
import { sql } from '../server/src/adapters/postgres/sql.ts'
import { freePort } from '../server/src/process/free-port.ts'
import { bpmn, timer } from '../server/test/bpmn.ts'
import { createDatabase } from '../server/test/database.ts'
import { dataFolder, type Kontor, removeFolder, spawnKontor, tokenOf, whenReady } from './kontor.ts'

const processes = Number(process.env.KONTOR_CRASH_PROCESSES ?? 40)
const seconds = Number(process.env.KONTOR_CRASH_SECONDS ?? 8)
const base = '/api/v1/workflow'
const KONTOR_ADMIN_PASSWORD = 'a quiet heron by the weir'
const KONTOR_DATA = dataFolder()
afterAll(() => removeFolder(KONTOR_DATA))

const messageInputs = (effect: string) => `<extensionElements>
  <kontor:input name="toUsers">\${starter}</kontor:input>
  <kontor:input name="subject">effect ${effect} \${process.tid}</kontor:input><kontor:input name="body">done</kontor:input>
</extensionElements>`
const model = bpmn(
  `start > fork:parallel > one:service > join:parallel > last:service > end;
   fork > t:catch > two:service > join; fork > a:user > join`,
  '',
  { one: messageInputs('one'), two: messageInputs('two'), last: messageInputs('last'), t: timer('${wait}') },
  '',
  {},
  'crash',
).replaceAll('kontor:job="note"', 'kontor:job="sendMessage"')

/** The messages that every process must have sent, and the elements that it must have completed, once each. */
const effects = ['one', 'two', 'last']
const elements = ['start', 'fork', 'one', 't', 'two', 'a', 'join', 'last', 'end']

/** Deviations from the expected end state; none when each process has done everything once. */
async function findFaults(db: Database): Promise<string[]> {
  const faults = await db.rows<{ fault: string }>(sql`
    with expected as (
      select p.tid, p.id, p.state, e.effect, 'effect ' || e.effect || ' ' || p.tid as subject
      from workflow_process p cross join unnest(${effects}::text[]) as e (effect)
    ), step as (
      select p.tid, s.element, count(v.id) as n
      from workflow_process p cross join unnest(${elements}::text[]) as s (element)
      left join workflow_event v on v.process_id = p.id and v.element = s.element and v.event = 'completed'
      group by p.tid, s.element
    )
    select tid || ' is ' || state as fault from workflow_process where state <> 'finished'
    union all
    select x.tid || ' sent ' || x.effect || ' ' || (select count(*) from message m where m.subject = x.subject) || ' times'
    from expected x where (select count(*) from message m where m.subject = x.subject) <> 1
    union all
    select tid || ' completed ' || element || ' ' || n || ' times' from step where n <> 1
    union all
    select 'the task ' || id || ' is ' || state from workflow_task where state <> 'completed'
    union all
    select 'the job ' || id || ' is ' || state from workflow_job where state <> 'done'
    limit 20`)
  return faults.map(({ fault }) => fault)
}

/** A client that sends each request to the next of several servers. */
function clientOf(urls: readonly string[], token: string) {
  let at = 0
  return async (path: string, body: object, key?: string) => {
    const reply = await fetch(`${urls[at++ % urls.length]}${base}/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(key && { 'idempotency-key': key }),
      },
    })
    if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
    // oxlint-disable-next-line typescript/no-explicit-any
    return reply.json() as Promise<any>
  }
}
const retry = <T>(work: () => Promise<T>): Promise<T> => vi.waitFor(work, { timeout: 300_000, interval: 100 })

/** Servers on one database. killFor() kills the oldest every two seconds and starts another in its place. */
async function startServers(connectionString: string) {
  const ports = await Promise.all([1, 2, 3].map(() => freePort('127.0.0.1')))
  const [first] = ports
  const spawnOn = (port: number) =>
    spawnKontor({
      KONTOR_DATA,
      KONTOR_ADMIN_PASSWORD,
      KONTOR_MASTER_KEY: 'a master key for tests, which is not secret',
      KONTOR_BASE_URL: `http://localhost:${first}`,
      KONTOR_ROLES: 'api,worker',
      KONTOR_PORT: String(port),
      DATABASE_URL: connectionString,
    })
  const running = new Map<number, Kontor>([[first!, spawnOn(first!)]])
  await whenReady(running.get(first!)!)
  for (const port of ports.slice(1)) running.set(port, spawnOn(port))
  return {
    urls: ports.map((port) => `http://localhost:${port}`),
    first: running.get(first!)!,
    async killFor(milliseconds: number): Promise<number> {
      const end = Date.now() + milliseconds
      let kills = 0
      for (; Date.now() < end; kills++) {
        await pause(2000)
        const [port, oldest] = running.entries().next().value!
        await oldest.end('SIGKILL')
        running.delete(port)
        running.set(port, spawnOn(port))
      }
      return kills
    },
    stop: () => Promise.all([...running.values()].map((kontor) => kontor.end('SIGKILL'))),
  }
}

async function startProcesses(call: ReturnType<typeof clientOf>): Promise<void> {
  await retry(() => call('definitions/deploy', { xml: model }))
  const parameters = [{ key: 'wait', type: 'string', defaultValues: ['PT1S'] }]
  await retry(() => call('configurations/persist', { identifier, definitionKey: 'crash', parameters }))
  const requests = Array.from({ length: processes }, (_, i) => ({
    parameters: [{ key: 'wait', values: [`PT${(i % 5) + 1}S`] }],
  }))
  await retry(() => call('start', { configIdentifier: identifier, processStartRequests: requests }, 'the-start'))
}
const identifier = 'F.WorkflowConfig.Crash'

/** Completes tasks until none is left. */
async function completeTasks(call: ReturnType<typeof clientOf>): Promise<void> {
  const open = () => retry(() => call('tasks/query', { scope: 'all', count: 25, sort: 'dueDate' }))
  for (let { tasks } = await open(); tasks; { tasks } = await open()) {
    const body = { tasks: tasks.map(({ id }: { id: number }) => ({ id })) }
    await call('tasks/complete', body).catch(() => pause(100))
  }
}

test(
  'with a server killed every two seconds, every process finishes and has each effect once',
  { timeout: (seconds + 900) * 1000 },
  async () => {
    const { poolConfig, drop } = await createDatabase()
    const db = connect({ ...poolConfig, max: 2 })
    const servers = await startServers(poolConfig.connectionString)
    try {
      const call = clientOf(servers.urls, await tokenOf(servers.first, KONTOR_ADMIN_PASSWORD))
      const killing = servers.killFor(seconds * 1000)
      await startProcesses(call)
      await completeTasks(call)
      const kills = await killing
      const running = sql`select from workflow_process where state = 'running' limit 1`
      const ended = async () => (await db.rows(running)).length === 0
      await vi.waitUntil(ended, { timeout: 120_000 + processes * 500, interval: 500 })

      expect(await findFaults(db)).toEqual([])
      expect((await db.row<{ n: number }>(sql`select count(*)::int as n from workflow_process`))!.n).toBe(processes)
      expect(kills).toBeGreaterThan(1)
      console.info(`${processes} processes, ${kills} kills`)
      await expectFaultsFound(db)
    } finally {
      await servers.stop()
      await db.close()
      await drop()
    }
  },
)

/** Proves that findFaults() works: adds a duplicate effect, removes a step, and expects both to be found. */
async function expectFaultsFound(db: Database): Promise<void> {
  await db.run(sql`
    insert into message (id, tid, subject, body, recipient_user, sender_user)
    select nextval('object_id_seq'), gen_random_uuid()::text, subject, body, recipient_user, sender_user
    from message where subject like 'effect two%' limit 1`)
  await db.run(sql`
    delete from workflow_event
    where id = (select min(id) from workflow_event where element = 'last' and event = 'completed')`)
  expect(await findFaults(db)).toEqual([
    expect.stringContaining('sent two 2 times'),
    expect.stringContaining('completed last 0 times'),
  ])
}
