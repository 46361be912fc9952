/**
 * The server, PostgreSQL or both are killed during many persists. Afterwards:
 *
 *   acknowledged        every object whose record was SUCCESS is stored
 *   not acknowledged    a batch is stored completely or not at all
 *   retried             with the same Idempotency-Key, a batch is stored once, and the reply has its ids
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { dataFolder, type Kontor, removeFolder, startKontor, tokenOf } from './kontor.ts'

const KONTOR_DATA = dataFolder()
afterAll(() => removeFolder(KONTOR_DATA))
const KONTOR_ADMIN_PASSWORD = 'a quiet heron by the weir'
const start = () => startKontor({ KONTOR_DATA, KONTOR_ADMIN_PASSWORD })
const keywords = '/api/core/v1/common/keywords'
const batchSize = 20
const clients = 4

interface Batch {
  readonly name: string
  readonly key: string | undefined
  /** The status of the reply; undefined when there was none. */
  status?: number | undefined
  ids?: number[] | undefined
}

const pathsOf = ({ name }: Batch) => Array.from({ length: batchSize }, (_, i) => `/${name} ${i}`)

/** Sends one batch. A reply counts only when it has arrived completely. */
async function persist({ url }: Kontor, token: string, batch: Batch): Promise<void> {
  const kwd = pathsOf(batch).map((path) => ({ name: { itm: [{ value: path.slice(1) }] } }))
  try {
    const reply = await fetch(`${url}${keywords}/persist`, {
      method: 'POST',
      body: JSON.stringify({ schemaVersion: '5.6.0', kwds: { kwd } }),
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(batch.key && { 'idempotency-key': batch.key }),
      },
    })
    const text = await reply.text()
    batch.status = reply.status
    if (reply.status === 200) batch.ids = idsIn(text)
  } catch {
    batch.status = undefined
  }
}

function idsIn(text: string): number[] {
  const { response } = (JSON.parse(text) as { responses: { response: { status: string; id: number }[] } }).responses
  expect(response.map(({ status }) => status)).toEqual(Array.from({ length: batchSize }, () => 'SUCCESS'))
  return response.map(({ id }) => id)
}

/** Clients that send batch after batch until stop(). Every other batch has an idempotency key and can be retried. */
function sendMany(kontor: Kontor, token: string, prefix: string) {
  const all: Batch[] = []
  const stopping = new AbortController()
  const runClient = async (client: number) => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      const name = `${prefix} ${client}-${n}`
      const batch: Batch = { name, key: n % 2 === 0 ? name.replaceAll(' ', '-') : undefined }
      all.push(batch)
      await persist(kontor, token, batch)
      if (batch.status !== 200) await pause(20)
    }
  }
  const running = Promise.all(Array.from({ length: clients }, (_, client) => runClient(client)))
  const acknowledged = () => all.filter(({ ids }) => ids)
  return {
    all,
    acknowledged,
    reach: (count: number) => vi.waitUntil(() => acknowledged().length >= count, { timeout: 20_000, interval: 5 }),
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function storedIds({ url }: Kontor, token: string): Promise<Map<string, number>> {
  const reply = await fetch(`${url}${keywords}/retrieve`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  const { kwds } = (await reply.json()) as { kwds: { kwd: { id: number; path: string }[] } }
  expect(new Set(kwds.kwd.map(({ path }) => path)).size).toBe(kwds.kwd.length)
  return new Map(kwds.kwd.map(({ id, path }) => [path, id]))
}

async function expectConsistent(kontor: Kontor, token: string, all: readonly Batch[]): Promise<void> {
  const stored = await storedIds(kontor, token)
  for (const batch of all) {
    const ids = pathsOf(batch).map((path) => stored.get(path))
    if (batch.ids) expect(ids).toEqual(batch.ids)
    else expect(ids.filter((id) => id !== undefined).length % batchSize).toBe(0)
  }
  const retried = all.filter(({ key }) => key).map((batch) => ({ ...batch, ids: undefined }))
  for (const batch of retried) {
    await persist(kontor, token, batch)
    expect(batch.status).toBe(200)
  }
  const after = await storedIds(kontor, token)
  for (const batch of [...retried, ...all.filter(({ ids }) => ids)]) {
    expect(pathsOf(batch).map((path) => after.get(path))).toEqual(batch.ids)
  }
}

const postgresPid = () => Number(readFileSync(join(KONTOR_DATA, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])

test.each([
  ['the server', false],
  ['the server and PostgreSQL', true],
])('killing %s during persists loses no acknowledged object and stores none twice', async (victim, andPostgres) => {
  const kontor = await start()
  const load = sendMany(kontor, await tokenOf(kontor, KONTOR_ADMIN_PASSWORD), victim)
  await load.reach(30)
  if (andPostgres) process.kill(postgresPid(), 'SIGKILL')
  await kontor.end('SIGKILL')
  await load.stop()
  expect(load.all.filter(({ status }) => status === undefined).length).toBeGreaterThan(0)

  const next = await start()
  await expectConsistent(next, await tokenOf(next, KONTOR_ADMIN_PASSWORD), load.all)
  expect(await next.end('SIGTERM')).toBe(0)
})

test('while PostgreSQL is down, the server answers 503 and acknowledges nothing that it does not store', async () => {
  const kontor = await start()
  const token = await tokenOf(kontor, KONTOR_ADMIN_PASSWORD)
  const load = sendMany(kontor, token, 'PostgreSQL')
  await load.reach(30)
  process.kill(postgresPid(), 'SIGKILL')
  const before = load.acknowledged().length
  await vi.waitUntil(() => load.all.some(({ status }) => status === 503), { timeout: 20_000, interval: 5 })
  await load.reach(before + 30)
  await load.stop()
  expect(new Set(load.all.map(({ status }) => status))).toEqual(new Set([200, 503]))
  await expectConsistent(kontor, token, load.all)
  expect(kontor.child.exitCode).toBe(null)
  await vi.waitUntil(async () => (await fetch(`${kontor.url}/readyz`)).status === 200, { timeout: 20_000 })
  expect(await kontor.end('SIGTERM')).toBe(0)
})
