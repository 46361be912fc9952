/**
 * Files as registers of their digests: uploaded whole and in chunks, replaced by versions, read; and checked out by several
 * users, which is a lock.
 */
import { createHash } from 'node:crypto'
import { sql } from '../../../server/src/adapters/postgres/sql.ts'
import { form, paramsPart, payloadPart } from '../../../server/test/files.ts'
import {
  call,
  type Client,
  core,
  createUser,
  describe,
  History,
  recordsOf,
  type Reply,
  schemaVersion,
} from '../client.ts'
import { checkLinear } from '../linear.ts'
import { lock, type LockInput, type LockOutput, register, type RegisterInput, type RegisterOutput } from '../models.ts'
import type { OpenArea } from './area.ts'

const dam = `${core}/dam`
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const isDone = (reply: Reply) => ({ ok: reply.kind === 'ok' && recordsOf(reply)[0]?.status !== 'ERROR' })
const upload = (params: object, bytes: Buffer) => {
  const { body, type } = form(paramsPart(params), payloadPart(bytes))
  return { body, type }
}

export const fileArea: OpenArea = (world) => {
  const history = new History<RegisterInput, RegisterOutput>()
  /** Uploads in chunks: which chunks were acknowledged, and whether somebody has tried to finish it. */
  const open: Upload[] = []
  const found = (reply: Reply): RegisterOutput => ({
    ok: true,
    value: reply.status === 200 ? sha256(reply.bytes) : undefined,
  })
  const readFile = (tid: string) => call(world, `${dam}/assets/bin?assetTid=${tid}`)

  async function create(client: Client): Promise<void> {
    const tid = client.fresh()
    const bytes = client.random.bytes(1 + client.random.below(60_000))
    const send = () => client.call(`${dam}/assets/bin/persist`, upload({ path: `/MAM/faults/${tid}.bin`, tid }, bytes))
    await history.note(tid, { op: 'write', value: sha256(bytes) }, send, isDone)
    if (client.random.chance(0.5)) return
    const next = client.random.bytes(1 + client.random.below(60_000))
    const replace = () => client.call(`${dam}/assets/versions/bin/persist`, upload({ tid }, next))
    await history.note(tid, { op: 'write', value: sha256(next) }, replace, isDone)
    await history.note(tid, { op: 'read' }, () => readFile(tid), found)
    if (!client.random.chance(0.4)) return
    const body = { schemaVersion, actions: { action: [{ dataType: 'asset', type: 'delete', tid }] } }
    await history.note(tid, { op: 'remove' }, () => client.call(`${dam}/assets/perform`, { body }), isDone)
  }

  async function inChunks(client: Client): Promise<void> {
    const tid = client.fresh()
    const target = { path: `/MAM/faults/${tid}.bin`, tid }
    const started = await client.call(`${dam}/assets/bin/chunked/start`, { body: target })
    if (started.kind !== 'ok') return
    const chunks = Array.from({ length: 3 }, () => client.random.bytes(20_000))
    const one: Upload = { id: recordsOf(started)[0]!.tid, target, chunks, acknowledged: 0, tried: false }
    open.push(one)
    for (const [i, chunk] of chunks.entries()) {
      const { body, type } = form({ name: 'chunkId', value: String(i) }, payloadPart(chunk))
      const reply = await client.call(`${dam}/assets/bin/chunked/upload/${one.id}`, { body, type })
      if (reply.kind !== 'ok') return
      one.acknowledged++
    }
    if (client.random.chance(0.9)) await finish(one)
  }
  async function finish(one: Upload): Promise<Reply> {
    const send = () => call(world, `${dam}/assets/bin/chunked/persist/${one.id}`, { method: 'PUT', body: one.target })
    const value = sha256(Buffer.concat(one.chunks))
    const reply = await history.note(one.target.tid, { op: 'write', value }, send, isDone)
    if (reply.kind !== 'unsent') one.tried = true
    return reply
  }

  return {
    step: (client) => (client.random.chance(0.6) ? create(client) : inChunks(client)),
    async *check() {
      // An upload whose chunks were all acknowledged can be finished, unless that has happened already.
      for (const one of open.filter(({ acknowledged, chunks }) => acknowledged === chunks.length)) {
        const { tried } = one
        const reply = await finish(one)
        const isFinished = tried && reply.status === 404
        if (reply.kind !== 'ok' && !isFinished)
          yield `upload ${one.target.tid}: all chunks are acknowledged, and finishing it is answered with ${reply.status}`
      }
      for (const [tid, operations] of history.byKey) {
        const from = performance.now()
        const last = { input: { op: 'read' } as const, output: found(await readFile(tid)), from, to: performance.now() }
        const verdict = checkLinear(register, [...operations, last])
        if (verdict !== 'linearizable') yield `file ${tid}: ${verdict}: ${describe([...operations, last])}`
      }
    },
  }
}

interface Upload {
  readonly id: string
  readonly target: { readonly path: string; readonly tid: string }
  readonly chunks: readonly Buffer[]
  acknowledged: number
  tried: boolean
}

const users = ['ada', 'bo', 'cy']

export const checkoutArea: OpenArea = (world) => {
  const history = new History<LockInput, LockOutput>()
  const assets = new Map<string, Promise<boolean>>()
  const assetOf = (tid: string) => {
    if (!assets.has(tid)) {
      const sent = call(
        world,
        `${dam}/assets/bin/persist`,
        upload({ path: `/MAM/faults/${tid}.bin`, tid }, Buffer.from(tid)),
      )
      assets.set(
        tid,
        sent.then(({ kind }) => kind === 'ok'),
      )
    }
    return assets.get(tid)!
  }
  return {
    async prepare() {
      for (const name of users) await createUser(world, name)
    },
    async step(client) {
      const tid = history.keyOf(`locked-${world.epoch}`)
      if (!(await assetOf(tid))) return
      const [user, op] = [client.random.pick(users), client.random.pick(['checkout', 'checkin'] as const)]
      const body = { schemaVersion, actions: { action: [{ dataType: 'asset', type: op, tid }] } }
      const send = () => client.call(`${dam}/assets/perform`, { body, token: world.tokens.get(user)! })
      await history.note(tid, { op, user }, send, isDone)
    },
    async *check() {
      const rows = await world.db.rows<{ tid: string; user: string }>(sql`
        select tid, coalesce(locked_by, '') as "user" from dam_entry where tid = any(${[...history.byKey.keys()]}::text[])`)
      const holders = new Map(rows.map(({ tid, user }) => [tid, user]))
      for (const [tid, operations] of history.byKey) {
        const [from, output] = [
          performance.now(),
          { ok: true, user: holders.get(tid) ?? 'nobody, for the asset is lost' },
        ]
        const all = [...operations, { input: { op: 'read' as const }, output, from, to: from + 1 }]
        const verdict = checkLinear(lock, all)
        if (verdict !== 'linearizable') yield `check-out of ${tid}: ${verdict}: ${describe(all)}`
      }
    },
  }
}
