import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createDatabase } from '../../../test/database.ts'
import { connect, type Database } from '../postgres/db.ts'
import { sql } from '../postgres/sql.ts'
import { addJob, type JobTable, startWorker, type Worker } from './jobs.ts'

let db: Database
let config: { connectionString: string }
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createDatabase()
  ;({ poolConfig: config, drop } = database)
  db = connect({ ...config, max: 3 })
})
afterAll(async () => {
  await db.close()
  await drop()
})

let workers: Worker[] = []
const log: string[] = []
const start = async (jobs: JobTable, name = 'worker') => {
  const poolConfig = { ...config, application_name: name }
  const worker = await startWorker(poolConfig, jobs, {}, (level, message) => log.push(`${level} ${message}`))
  workers.push(worker)
  return worker
}
afterEach(async () => {
  for (const worker of workers) await worker.stop()
  workers = []
  await db.run(
    sql`select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker.jobs`,
  )
  await db.run(sql`delete from graphile_worker._private_jobs`)
})

test('a job is run if, and only if, the transaction that added it is committed', async () => {
  const ran: number[] = []
  await start({ note: async ({ n }: { n: number }) => void ran.push(n) })
  await db
    .transaction(async (db) => {
      await addJob(db, 'note', { n: 1 })
      throw new Error('undone')
    })
    .catch(() => {})
  await db.transaction((db) => addJob(db, 'note', { n: 2 }))
  await vi.waitUntil(() => ran.length > 0)
  expect(ran).toEqual([2])
})

test('a job that throws is run again', async () => {
  let attempts = 0
  const failOnce = async () => {
    if (++attempts === 1) throw new Error('not yet')
  }
  await start({ failOnce })
  await addJob(db, 'failOnce', {})
  await vi.waitUntil(() => attempts === 2, { timeout: 10_000 })
  await vi.waitUntil(async () => (await db.rows(sql`select from graphile_worker.jobs`)).length === 0)
})

test('a job waits for its time, and is replaced by one with the same key', async () => {
  const ran: string[] = []
  await addJob(db, 'note', { text: 'old' }, { key: 'one', runAt: new Date(Date.now() + 60_000) })
  await start({ note: async ({ text }: { text: string }) => void ran.push(text) })
  await addJob(db, 'note', { text: 'new' }, { key: 'one', runAt: new Date() })
  await vi.waitUntil(() => ran.length > 0, { timeout: 5000 })
  expect(ran).toEqual(['new'])
})

/** A job that a worker has just taken. */
const take = async (worker: string) => {
  await addJob(db, 'note', { worker })
  await db.run(sql`
    update graphile_worker._private_jobs set locked_by = ${worker}, locked_at = now()
    where payload->>'worker' = ${worker}`)
}

test('the job of a dead worker is run by another; that of a live one is not', async () => {
  const ran: string[] = []
  await db.transaction(async (living) => {
    await living.run(sql`select pg_advisory_lock(hashtextextended('living', 11))`)
    await take('living')
    await take('dead')
    await start({ note: async ({ worker }: { worker: string }) => void ran.push(worker) })
    await vi.waitUntil(() => ran.includes('dead'), { timeout: 9000 })
    await new Promise((resolve) => setTimeout(resolve, 1200))
    expect(ran).toEqual(['dead'])
    await living.run(sql`select pg_advisory_unlock(hashtextextended('living', 11))`)
  })
  await vi.waitUntil(() => ran.includes('living'), { timeout: 8000 })
})

test('a worker whose lock was lost with its connection takes it again', async () => {
  await start({ note: async () => {} }, 'fragile')
  const holders = () =>
    db.rows<{ pid: number }>(sql`select pid from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and application_name = 'fragile'`)
  const [first] = await holders()
  await db.run(sql`select pg_terminate_backend(${first!.pid})`)
  const again = async () => (await holders()).find(({ pid }) => pid !== first!.pid)
  await vi.waitUntil(again, { timeout: 10_000 })
})

test('a worker whose connections all break in the middle of a job continues', async () => {
  const done: number[] = []
  const gate = Promise.withResolvers<void>()
  const note = async ({ n }: { n: number }) => {
    if (n === 1) await gate.promise
    done.push(n)
  }
  await start({ note }, 'fragile')
  await addJob(db, 'note', { n: 1 })
  await vi.waitUntil(
    async () => (await db.rows(sql`select from graphile_worker.jobs where locked_by is not null`)).length,
  )
  await db.run(sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'fragile'`)
  gate.resolve()
  await addJob(db, 'note', { n: 2 })
  await vi.waitUntil(() => done.includes(2), { timeout: 10_000 })
})

test('a queue that stopped is restarted', async () => {
  const done: number[] = []
  await start({ note: async ({ n }: { n: number }) => void done.push(n) })
  // The end of a job cannot be stored, which is fatal for the queue.
  await db.run(sql`create function graphile_worker.refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no'; end $$`)
  await db.run(sql`create trigger refuse before delete on graphile_worker._private_jobs
    for each row execute function graphile_worker.refuse()`)
  await addJob(db, 'note', { n: 1 })
  await vi.waitUntil(() => log.some((line) => line.includes('the job queue ended; it is being started again')), {
    timeout: 5000,
  })
  await db.run(sql`drop function graphile_worker.refuse cascade`)
  await addJob(db, 'note', { n: 2 })
  await vi.waitUntil(() => done.includes(2), { timeout: 10_000 })
})

test('a queue is restarted although the ends of two jobs are refused at once', async () => {
  const begun: number[] = []
  const gates = [0, 1].map(() => Promise.withResolvers<void>())
  const note = async ({ n }: { n: number }) => {
    begun.push(n)
    await gates[n]?.promise
  }
  await start({ note })
  await db.run(sql`create function graphile_worker.refuse() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(1); raise exception 'no'; end $$`)
  await db.run(sql`create trigger refuse before delete on graphile_worker._private_jobs
    for each row execute function graphile_worker.refuse()`)
  for (const n of gates.keys()) await addJob(db, 'note', { n })
  await vi.waitUntil(() => begun.length === 2, { timeout: 5000 })
  const waiting = async (count: number) => {
    const blocked = () => db.rows(sql`select from pg_locks where locktype = 'advisory' and not granted`)
    await vi.waitUntil(async () => (await blocked()).length === count, { timeout: 5000 })
  }
  await db.transaction(async (db) => {
    await db.run(sql`select pg_advisory_xact_lock(1)`)
    // One after the other, because the queue stores together what ends together.
    for (const [n, gate] of gates.entries()) {
      gate.resolve()
      await waiting(n + 1)
    }
  })
  await db.run(sql`drop function graphile_worker.refuse cascade`)
  await addJob(db, 'note', { n: 2 })
  const left = () => db.rows(sql`select from graphile_worker.jobs`)
  await vi.waitUntil(async () => (await left()).length === 0, { timeout: 20_000 })
  expect(begun.slice(2).toSorted()).toEqual([0, 1, 2])
})

test('a job is run although its worker does not know that it has taken it', async () => {
  const ran: string[] = []
  const gate = Promise.withResolvers<void>()
  const note = async ({ text }: { text: string }) => {
    ran.push(text)
    if (text === 'known') await gate.promise
  }
  await start({ note })
  await addJob(db, 'note', { text: 'known' })
  await vi.waitUntil(() => ran.length === 1)
  await db.transaction(async (db) => {
    await addJob(db, 'note', { text: 'lost' })
    await db.run(sql`
      update graphile_worker._private_jobs set locked_at = now() - interval '1 hour',
        locked_by = (select locked_by from graphile_worker._private_jobs where payload->>'text' = 'known')`)
  })
  await vi.waitUntil(() => ran.length === 2, { timeout: 10_000 })
  await db.run(sql`select pg_sleep(3)`)
  gate.resolve()
  expect(ran).toEqual(['known', 'lost'])
})

test('a worker that is stopped signals its jobs, waits for them, and starts no more', async () => {
  const events: string[] = []
  const worker = await start({
    long: async (_: object, stop) => {
      events.push('begun')
      await new Promise((resolve) => stop.addEventListener('abort', resolve))
      await new Promise((resolve) => setTimeout(resolve, 100))
      events.push('ended')
    },
  })
  await addJob(db, 'long', {})
  await vi.waitUntil(() => events.length > 0)
  const stopped = worker.stop().then(() => events.push('stopped'))
  await addJob(db, 'long', {})
  await stopped
  await worker.stop()
  expect(events).toEqual(['begun', 'ended', 'stopped'])
  expect(await db.rows(sql`select from graphile_worker.jobs where locked_by is null`)).toHaveLength(1)
})
