import { expect, test } from 'vitest'
import { withServer } from '../../test/server.ts'
import { addJob } from '../adapters/jobs/jobs.ts'
import { sql } from '../adapters/postgres/sql.ts'
import { audit } from '../identity/audit/audit-chain.ts'

const api = withServer()
const at = '/api/v1/system'
const admin = () => ({ token: api.adminToken })
const state = async () => (await api.get(at, admin())).json

test('the state has version, disk, memory, database and queues', async () => {
  const { process: running, storage, queues } = await state()
  expect(running).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+\.\d+/), runtime: process.version })
  expect(running.memory).toBeGreaterThan(0)
  expect(storage.diskFree).toBeLessThanOrEqual(storage.disk)
  expect(storage.databaseSize).toBeGreaterThan(0)
  expect(queues).toMatchObject({ waiting: 0, running: 0, failed: 0, deliveries: 0, failingWebhooks: 0 })
})

test('the last backup is that of the audit log', async () => {
  expect((await state()).backup).toBeUndefined()
  await audit(api.db, {
    actor: 'kontor command',
    action: 'backup.take',
    object: 'backup /srv/a',
    detail: { missing: 2 },
  })
  expect((await state()).backup).toMatchObject({ folder: '/srv/a', missing: 2, takenAt: expect.any(String) })
})

test('a job that has failed for good is listed with its error, tried again, and deleted', async () => {
  await addJob(api.db, 'never-known', {}, { key: 'one' })
  expect((await state()).queues).toMatchObject({ waiting: 1, failed: 0 })
  const fail = () =>
    api.db.run(sql`
      update graphile_worker._private_jobs set attempts = max_attempts, last_error = ${'the disk is full\n  at x'}
      where key = 'one'`)
  await fail()
  const { queues, failedJobs } = await state()
  expect(queues).toMatchObject({ waiting: 0, failed: 1 })
  expect(failedJobs).toMatchObject([{ job: 'never-known', problem: 'the disk is full' }])
  const { id } = failedJobs[0]
  expect((await api.post(`${at}/jobs/${id}/retry`, undefined, admin())).status).toBe(200)
  expect((await state()).queues).toMatchObject({ waiting: 1, failed: 0 })
  const remove = () => api.post(`${at}/jobs/${id}`, undefined, { ...admin(), method: 'DELETE' })
  expect((await remove()).status).toBe(404)
  await fail()
  expect((await remove()).status).toBe(200)
  expect((await state()).queues).toMatchObject({ waiting: 0, failed: 0 })
  expect((await api.post(`${at}/jobs/x/retry`, undefined, admin())).status).toBe(404)
})

test('a call that fails because of the server is among the last errors, one that is refused is not', async () => {
  await api.post('/api/core/v1/pim/products/page', { count: 0 })
  await api.db.run(sql`alter table unit rename to unit_gone`)
  const failed = await api.get('/api/core/v1/common/units')
  await api.db.run(sql`alter table unit_gone rename to unit`)
  expect(failed.status).toBe(500)
  await expect
    .poll(async () => (await state()).errors ?? [])
    .toMatchObject([{ call: 'GET /api/core/v1/common/units', status: '500', problem: expect.stringContaining('unit') }])
})

test('only administrators see it', async () => {
  expect((await api.get(at)).status).toBe(403)
})
