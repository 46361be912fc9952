/**
 * What a client was told is true, whoever dies: the server, PostgreSQL, or both, in the middle of many persists.
 *
 *   acknowledged        every record that said SUCCESS is there
 *   not acknowledged    a request is stored whole or not at all
 *   repeated            with the same Idempotency-Key it is stored once, and the reply says so
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

interface Sent {
  readonly name: string
  readonly key: string | undefined
  /** The status of the reply; undefined when there was none. */
  status?: number
  ids?: number[] | undefined
}

const pathsOf = ({ name }: Sent) => Array.from({ length: batchSize }, (_, i) => `/${name} ${i}`)

/** Sends one batch. A reply counts only when it has arrived whole. */
async function persist({ url }: Kontor, token: string, sent: Sent): Promise<void> {
  const kwd = pathsOf(sent).map((path) => ({ name: { itm: [{ value: path.slice(1) }] } }))
  try {
    const reply = await fetch(`${url}${keywords}/persist`, {
      method: 'POST',
      body: JSON.stringify({ schemaVersion: '5.6.0', kwds: { kwd } }),
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(sent.key && { 'idempotency-key': sent.key }),
      },
    })
    const text = await reply.text()
    sent.status = reply.status
    if (reply.status === 200) sent.ids = idsIn(text)
  } catch {
    sent.status = undefined
  }
}

function idsIn(text: string): number[] {
  const { response } = (JSON.parse(text) as { responses: { response: { status: string; id: number }[] } }).responses
  expect(response.map(({ status }) => status)).toEqual(Array.from({ length: batchSize }, () => 'SUCCESS'))
  return response.map(({ id }) => id)
}

/** Clients that send batch after batch until they are told to stop; every other batch can be repeated. */
function sendMany(kontor: Kontor, token: string, prefix: string) {
  const all: Sent[] = []
  const stopping = new AbortController()
  const one = async (client: number) => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      const name = `${prefix} ${client}-${n}`
      const sent: Sent = { name, key: n % 2 === 0 ? name.replaceAll(' ', '-') : undefined }
      all.push(sent)
      await persist(kontor, token, sent)
      if (sent.status !== 200) await pause(20)
    }
  }
  const running = Promise.all(Array.from({ length: clients }, (_, client) => one(client)))
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

async function expectTruth(kontor: Kontor, token: string, all: readonly Sent[]): Promise<void> {
  const stored = await storedIds(kontor, token)
  for (const sent of all) {
    const ids = pathsOf(sent).map((path) => stored.get(path))
    if (sent.ids) expect(ids).toEqual(sent.ids)
    else expect(ids.filter((id) => id !== undefined).length % batchSize).toBe(0)
  }
  const repeated = all.filter(({ key }) => key).map((sent) => ({ ...sent, ids: undefined }))
  for (const sent of repeated) {
    await persist(kontor, token, sent)
    expect(sent.status).toBe(200)
  }
  const after = await storedIds(kontor, token)
  for (const sent of [...repeated, ...all.filter(({ ids }) => ids)]) {
    expect(pathsOf(sent).map((path) => after.get(path))).toEqual(sent.ids)
  }
}

const postgresOf = () => Number(readFileSync(join(KONTOR_DATA, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])

test.each([
  ['the server', false],
  ['the server and PostgreSQL', true],
])('%s killed while clients persist: what was acknowledged is there, once', async (who, andPostgres) => {
  const kontor = await start()
  const load = sendMany(kontor, await tokenOf(kontor, KONTOR_ADMIN_PASSWORD), who)
  await load.reach(30)
  if (andPostgres) process.kill(postgresOf(), 'SIGKILL')
  await kontor.end('SIGKILL')
  await load.stop()
  expect(load.all.filter(({ status }) => status === undefined).length).toBeGreaterThan(0)

  const next = await start()
  await expectTruth(next, await tokenOf(next, KONTOR_ADMIN_PASSWORD), load.all)
  expect(await next.end('SIGTERM')).toBe(0)
})

test('PostgreSQL killed while clients persist: the server says 503 until it is back, and nothing false', async () => {
  const kontor = await start()
  const token = await tokenOf(kontor, KONTOR_ADMIN_PASSWORD)
  const load = sendMany(kontor, token, 'PostgreSQL')
  await load.reach(30)
  process.kill(postgresOf(), 'SIGKILL')
  const before = load.acknowledged().length
  await vi.waitUntil(() => load.all.some(({ status }) => status === 503), { timeout: 10_000, interval: 5 })
  await load.reach(before + 30)
  await load.stop()
  expect(new Set(load.all.map(({ status }) => status))).toEqual(new Set([200, 503]))
  await expectTruth(kontor, token, load.all)
  expect(kontor.child.exitCode).toBe(null)
  await vi.waitUntil(async () => (await fetch(`${kontor.url}/readyz`)).status === 200, { timeout: 5000 })
  expect(await kontor.end('SIGTERM')).toBe(0)
})
