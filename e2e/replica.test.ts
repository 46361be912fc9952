/**
 * Reads from a streaming replica. The replica is real: `npm run test:replica` starts it and runs these tests. A replica
 * whose replay is paused shows an old state for as long as a test needs it.
 */
import { execFileSync } from 'node:child_process'
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { connect, type Database } from '../server/src/adapters/postgres/db.ts'
import { openReplica } from '../server/src/adapters/postgres/replica.ts'
import { sql } from '../server/src/adapters/postgres/sql.ts'
import { createModel, pim, productCalls } from '../server/test/catalogue.ts'
import { createDatabase, withDatabase } from '../server/test/database.ts'
import { withServer } from '../server/test/server.ts'
import { dataFolder, removeFolder, startKontor, tokenOf } from './kontor.ts'

const replicaUrl = process.env.KONTOR_TEST_REPLICA_URL
if (replicaUrl === undefined) console.log('SKIPPED: no read replica here; `npm run test:replica` starts one')

describe.skipIf(replicaUrl === undefined)('a read replica', () => {
  const api = withServer({ DATABASE_URL_READ: replicaUrl! })
  const { persist: send } = productCalls(api)
  const persist = async (...products: Parameters<typeof send>) =>
    expect(await send(...products)).toMatchObject(products.map(() => ({ status: 'SUCCESS' })))
  const name = (tid: string, maxStaleness?: string, token = api.token) =>
    api
      .post(
        `${pim}/products/retrieve`,
        { tids: [tid] },
        { token, ...(maxStaleness !== undefined && { headers: { 'kontor-max-staleness': maxStaleness } }) },
      )
      .then(({ status, json, headers }) => [
        status === 200 ? json.products.product[0].name : status,
        headers['kontor-staleness'] === undefined ? 'primary' : 'replica',
      ])
  const onReplica = async (statement: ReturnType<typeof sql>) => {
    const db = connect({ connectionString: replicaUrl!, pipeline: false, max: 1 })
    const [row] = await db.rows<{ result: unknown }>(statement)
    await db.close()
    return row?.result
  }
  const isPaused = () => onReplica(sql`select pg_get_wal_replay_pause_state() = 'paused' as result`)
  const pauseReplay = async () => {
    await onReplica(sql`select pg_wal_replay_pause() as result`)
    await vi.waitUntil(isPaused)
  }
  const resumeReplay = () => onReplica(sql`select pg_wal_replay_resume() as result`)
  const reading = async (metric: string) => {
    const { text } = await api.get('/metrics')
    return Number(new RegExp(`^${metric} (\\S+)$`, 'm').exec(text)![1]!.replace('+Inf', 'Infinity'))
  }
  /** Until the replica has caught up with everything that was done before. */
  const caughtUp = async () => {
    const before = performance.now()
    await vi.waitUntil(async () => (await reading('kontor_replica_lag_seconds')) * 1000 < performance.now() - before)
  }

  beforeAll(async () => {
    await createModel(api)
  })
  afterEach(() => resumeReplay())

  test('answers a call that allows old data, and no other call', async () => {
    await persist({ tid: 'R1', name: 'Old', node: '/Standard/Jackets' })
    await caughtUp()
    await pauseReplay()
    await persist({ tid: 'R1', name: 'New' })
    expect(await name('R1', '3600')).toEqual(['Old', 'replica'])
    expect(await name('R1')).toEqual(['New', 'primary'])
    expect(await name('R1', '0')).toEqual(['New', 'primary'])
    await resumeReplay()
    await vi.waitUntil(async () => (await name('R1', '3600'))[0] === 'New')
  })

  test('does not answer when its data are older than the call allows', async () => {
    await persist({ tid: 'R2', name: 'Old R2', node: '/Standard/Jackets' })
    await caughtUp()
    await pauseReplay()
    await persist({ tid: 'R2', name: 'New R2' })
    await vi.waitUntil(async () => (await reading('kontor_replica_lag_seconds')) > 2)
    expect(await name('R2', '2')).toEqual(['New R2', 'primary'])
    expect(await name('R2', '3600')).toEqual(['Old R2', 'replica'])
  })

  test('is not late because the primary has no changes', async () => {
    await caughtUp()
    await new Promise((resolve) => setTimeout(resolve, 3000))
    await vi.waitUntil(async () => (await name('R1', '2'))[1] === 'replica')
  })

  test('rights are those of now', async () => {
    const user = await api.app.identity.users.create({ name: 'eve', roles: ['user'] })
    const token = (await api.app.identity.issueTokens(user)).access_token
    await persist({ tid: 'R3', name: 'Old R3', node: '/Standard/Jackets' })
    await caughtUp()
    await pauseReplay()
    expect(await name('R3', '3600', token)).toEqual(['Old R3', 'replica'])
    const reply = await api.post(
      `/api/v1/identity/users/${user.id}`,
      { enabled: false },
      { method: 'PATCH', token: api.adminToken },
    )
    expect(reply.status, reply.text).toBe(200)
    expect(await name('R3', '3600', token)).toEqual([401, 'primary'])
  })

  test('a model that has changed meanwhile is read as the data are, and does not come back later', async () => {
    await persist({ tid: 'R4', name: 'Modelled', node: '/Standard/Jackets' })
    await caughtUp()
    await pauseReplay()
    const nodes = (tid: string) => ({
      schemaVersion: '5.6.0',
      nodes: { node: [{ parentPath: '/Standard', tid, name: { itm: [{ value: tid, loc: 'en_GB' }] } }] },
    })
    await api.post(`${pim}/nodes/persist`, nodes('Fresh'), { token: api.adminToken })
    await persist({ tid: 'R5', name: 'In a fresh node', node: '/Standard/Fresh' })
    expect(await name('R4', '3600')).toEqual(['Modelled', 'replica'])
    expect(await name('R5', '3600')).toEqual([404, 'replica'])
    expect(await name('R5')).toEqual(['In a fresh node', 'primary'])
  })

  test('an export contains everything that was there when it was ordered, and uses the replica for it', async () => {
    await api.startWorker()
    await persist({ tid: 'R6', name: 'Old R6', node: '/Standard/Jackets' })
    await caughtUp()
    const exported = async () => {
      const { id } = (await api.post('/api/v1/transfers/exports', { format: 'jsonl', tids: ['R6'] })).json
      await vi.waitUntil(async () => (await api.get(`/api/v1/transfers/${id}`)).json.state === 'finished')
      return (await api.get(`/api/v1/transfers/${id}/file`)).text
    }
    await pauseReplay()
    await persist({ tid: 'R6', name: 'New R6' })
    expect(await exported()).toContain('"New R6"')
    await resumeReplay()
    const before = await reading('kontor_replica_statements')
    // A short export can end before the next measurement.
    await vi.waitUntil(async () => {
      expect(await exported()).toContain('"New R6"')
      return (await reading('kontor_replica_statements')) > before
    })
  })

  test('a replica that is away is not used, also not for a call that has begun, and is used again when it is back', async () => {
    await persist({ tid: 'R7', name: 'Here', node: '/Standard/Jackets' })
    await caughtUp()
    expect(await name('R7', '3600')).toEqual(['Here', 'replica'])
    execFileSync('tools/replica.sh', ['pause'])
    try {
      // The first of these calls may still be sent to the replica.
      for (let i = 0; i < 10; i++) expect((await name('R7', '3600'))[0]).toBe('Here')
      await vi.waitUntil(async () => (await name('R7', '3600'))[1] === 'primary')
      expect(await reading('kontor_replica_lag_seconds')).toBe(Number.POSITIVE_INFINITY)
    } finally {
      execFileSync('tools/replica.sh', ['resume'])
    }
    await vi.waitUntil(async () => (await name('R7', '3600'))[1] === 'replica')
  })

  test.each(['soon', '-1', '1.5', '100000'])('a maximal staleness of %s is refused', async (value) => {
    expect(await name('R1', value)).toEqual([400, 'primary'])
  })

  test.each([
    ['the primary', (url: string) => url, 'it is not in recovery'],
    ['another database', () => replicaUrl!, 'it is not a replica of the database in DATABASE_URL'],
  ])('%s is not taken for a replica', async (_what, address, reason) => {
    const url = address(api.db.pool.options.connectionString!)
    const reports: (string | undefined)[] = []
    const replica = openReplica(
      { connectionString: url },
      { primary: api.db as Database, report: (found) => reports.push(found) },
    )
    onTestFinished(replica.close)
    await vi.waitUntil(() => reports.length > 0)
    expect([replica.asOf(0), reports]).toEqual([undefined, [expect.stringContaining(reason)]])
  })

  test('a server process uses the replica that DATABASE_URL_READ names', async () => {
    const KONTOR_DATA = dataFolder()
    onTestFinished(() => removeFolder(KONTOR_DATA))
    const database = await createDatabase()
    onTestFinished(database.drop)
    const DATABASE_URL = database.poolConfig.connectionString
    const password = 'nine geese on the green'
    const kontor = await startKontor({
      KONTOR_DATA,
      KONTOR_ADMIN_PASSWORD: password,
      DATABASE_URL,
      DATABASE_URL_READ: withDatabase(replicaUrl!, new URL(DATABASE_URL).pathname.slice(1)),
    })
    const authorization = `Bearer ${await tokenOf(kontor, password)}`
    await vi.waitUntil(async () => {
      const reply = await fetch(`${kontor.url}${pim}/products/query`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', 'kontor-max-staleness': '60' },
        body: '{}',
      })
      expect(reply.status).toBe(200)
      return reply.headers.has('kontor-staleness')
    })
    expect(kontor.output()).toContain('The read replica is in use')
    expect(await kontor.end('SIGTERM')).toBe(0)
  })
})
