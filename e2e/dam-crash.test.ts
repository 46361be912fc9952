/**
 * The server is killed at arbitrary moments during many uploads of files, chunks and versions, and deliveries of people
 * without an account. Afterwards every acknowledged file is stored byte for byte, every row has its bytes, and the spool
 * folder is empty. dam-steps.test.ts kills the server at each step of an upload.
 */
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { commands } from '../server/src/admin/admin.ts'
import { placeOfFiles } from '../server/test/s3.ts'
import { dataFolder, type Kontor, removeFolder, startKontor, tokenOf } from './kontor.ts'

const KONTOR_DATA = dataFolder()
afterAll(() => removeFolder(KONTOR_DATA))
const KONTOR_ADMIN_PASSWORD = 'a quiet heron by the weir'
const env = { KONTOR_DATA, KONTOR_ADMIN_PASSWORD, KONTOR_BLOB_GRACE_MINUTES: '0', ...(await placeOfFiles()) }
const dam = '/api/core/v1/dam'

/** A running server, and calls to it as the administrator. */
interface Client {
  readonly kontor: Kontor
  call(path: string, init: RequestInit): Promise<Response>
  post(path: string, body: object): Promise<{ status: number; json: any }> // oxlint-disable-line typescript/no-explicit-any
  /** The same for other areas, by the whole path. */
  ask(path: string, body?: object): Promise<Response>
}

async function start(): Promise<Client> {
  const kontor = await startKontor(env)
  const token = await tokenOf(kontor, KONTOR_ADMIN_PASSWORD)
  const call = (path: string, init: RequestInit) =>
    fetch(`${kontor.url}${dam}${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } })
  return {
    kontor,
    call,
    ask: (path, body) =>
      fetch(`${kontor.url}${path}`, {
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      }),
    async post(path, body) {
      const headers = { 'content-type': 'application/json' }
      const reply = await call(path, { method: 'POST', body: JSON.stringify(body), headers })
      return { status: reply.status, json: await reply.json() }
    },
  }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const actions = (...action: object[]) => ({ schemaVersion: '5.6.0', actions: { action } })
const formOf = (fields: Record<string, string>, bytes: Buffer) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('payload', new Blob([new Uint8Array(bytes)]), 'file.bin')
  return form
}

/** Writes that the server has acknowledged. */
interface Ledger {
  /** tid -> the hashes that the asset may have: the last acknowledged one, and those sent after it. */
  readonly assets: Map<string, string[]>
  /** Unfinished uploads by their tid, with their chunks. */
  readonly uploads: Map<
    string,
    { path: string; tid: string; chunks: Map<number, { bytes: Buffer; acknowledged: boolean }> }
  >
  /** The upload request, and the hashes of the files that were delivered to it. */
  request?: { readonly id: number; readonly path: string }
  readonly delivered: Set<string>
}

/** Sends until the server is killed. A request that was not acknowledged may have been carried out or not. */
async function work(client: Client, ledger: Ledger, name: string): Promise<void> {
  for (let n = 0; ; n++) {
    const [tid, bytes] = [`${name}-${n}`, randomBytes(300_000)]
    const params = JSON.stringify({ path: `/MAM/crash/${tid}.bin`, tid })
    const plain = await client.call('/assets/bin/persist', { method: 'POST', body: formOf({ params }, bytes) })
    if (plain.status === 200) ledger.assets.set(tid, [sha256(bytes)])
    await deliver(client, ledger, `${tid}.bin`)
    await sendVersion(client, ledger, tid)
    await sendChunks(client, ledger, `${tid}-chunked`)
  }
}

/** Somebody without an account delivers a file. */
async function deliver({ kontor }: Client, { request, delivered }: Ledger, name: string): Promise<void> {
  const body = randomBytes(400_000)
  const reply = await fetch(`${kontor.url}${request!.path}/files?name=${name}`, { method: 'POST', body })
  if (reply.status === 200) delivered.add(sha256(body))
}

/** Acknowledged deliveries wait as a whole; none waits in part. */
async function expectDelivered({ ask }: Client, { request, delivered }: Ledger): Promise<void> {
  const at = `/api/v1/shares/${request!.id}/files`
  const { files = [] } = (await (await ask(at)).json()) as { files?: { id: number; size: number }[] }
  const found = new Set<string>()
  for (const { id, size } of files) {
    const bytes = new Uint8Array(await (await ask(`${at}/${id}/bin`)).arrayBuffer())
    expect([bytes.length, size]).toEqual([400_000, 400_000])
    found.add(sha256(bytes))
  }
  expect([...delivered].filter((hash) => !found.has(hash))).toEqual([])
}

async function openRequest({ ask }: Client): Promise<NonNullable<Ledger['request']>> {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  const body = { kind: 'upload', title: 'Crash', folder: '/MAM/crash', expiresAt, maxFiles: 1000 }
  const { id, url } = (await (await ask('/api/v1/shares', body)).json()) as { id: number; url: string }
  return { id, path: new URL(url).pathname }
}

async function sendVersion(client: Client, ledger: Ledger, tid: string): Promise<void> {
  const next = randomBytes(200_000)
  ledger.assets.get(tid)!.push(sha256(next))
  const params = JSON.stringify({ tid })
  const reply = await client.call('/assets/versions/bin/persist', { method: 'POST', body: formOf({ params }, next) })
  if (reply.status === 200) ledger.assets.set(tid, [sha256(next)])
}

async function sendChunks(client: Client, ledger: Ledger, tid: string): Promise<void> {
  const path = `/MAM/crash/${tid}.bin`
  const started = await client.post('/assets/bin/chunked/start', { path, tid })
  const uploadTid = started.json.responses.response[0].tid as string
  const chunks = new Map([0, 1, 2, 3].map((number) => [number, { bytes: randomBytes(150_000), acknowledged: false }]))
  ledger.uploads.set(uploadTid, { path, tid, chunks })
  for (const [number, chunk] of chunks) {
    const form = formOf({ chunkId: String(number) }, chunk.bytes)
    const reply = await client.call(`/assets/bin/chunked/upload/${uploadTid}`, { method: 'POST', body: form })
    chunk.acknowledged = reply.status === 200
  }
  await finish(client, ledger, uploadTid)
}

async function finish(client: Client, ledger: Ledger, uploadTid: string): Promise<number> {
  const { path, tid, chunks } = ledger.uploads.get(uploadTid)!
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ path, tid })
  const { status } = await client.call(`/assets/bin/chunked/persist/${uploadTid}`, { method: 'PUT', body, headers })
  if (status === 200) {
    ledger.assets.set(tid, [sha256(Buffer.concat([...chunks.values()].map((chunk) => chunk.bytes)))])
    ledger.uploads.delete(uploadTid)
  }
  return status
}

async function expectConsistent(client: Client, ledger: Ledger): Promise<void> {
  for (const [tid, hashes] of ledger.assets) {
    const reply = await client.call(`/assets/bin?assetTid=${tid}`, {})
    expect([tid, reply.status]).toEqual([tid, 200])
    expect(hashes).toContain(sha256(new Uint8Array(await reply.arrayBuffer())))
  }
  // Unfinished uploads are continued: only chunks that were not acknowledged are sent again.
  for (const [uploadTid, { chunks, tid }] of Array.from(ledger.uploads)) {
    const known = await client.call(`/assets/bin?assetTid=${tid}`, {})
    if (known.status === 200) continue // it was finished, but the reply was lost
    for (const [number, { bytes, acknowledged }] of chunks) {
      if (acknowledged) continue
      const form = formOf({ chunkId: String(number) }, bytes)
      const reply = await client.call(`/assets/bin/chunked/upload/${uploadTid}`, { method: 'POST', body: form })
      expect(reply.status).toBe(200)
    }
    expect(await finish(client, ledger, uploadTid)).toBe(200)
  }
}

/** Every row has its bytes, and nothing is left in the spool folder. */
async function expectNoDamage(): Promise<void> {
  const lines: string[] = []
  const run = (name: string) => commands.get(name)!.run([], env, (line) => lines.push(line))
  expect(await run('scrub'), lines.join('\n')).toBe(0)
  await run('files collect')
  expect(readdirSync(join(KONTOR_DATA, 'blobs', 'tmp'))).toEqual([])
  expect(await run('scrub'), lines.join('\n')).toBe(0)
}

test(
  'killing the server during uploads of files, versions and chunks loses nothing that was acknowledged',
  { timeout: 900_000 },
  async () => {
    const ledger: Ledger = { assets: new Map(), uploads: new Map(), delivered: new Set() }
    for (const delay of [250, 600, 1100]) {
      const client = await start()
      await client.post('/dirs/perform', actions({ dataType: 'dir', type: 'createPath', path: '/MAM/crash' }))
      ledger.request ??= await openRequest(client)
      const workers = [1, 2, 3].map((worker) => work(client, ledger, `${delay}-${worker}`).catch(() => {}))
      const before = ledger.assets.size
      await vi.waitUntil(() => ledger.assets.size > before + 1, { timeout: 60_000 })
      await pause(delay)
      await client.kontor.end('SIGKILL')
      await Promise.all(workers)
      const after = await start()
      await expectConsistent(after, ledger)
      await expectDelivered(after, ledger)
      await after.kontor.end('SIGTERM')
      await expectNoDamage()
    }
    expect(ledger.assets.size).toBeGreaterThan(5)
    expect(ledger.delivered.size).toBeGreaterThan(3)
  },
)
