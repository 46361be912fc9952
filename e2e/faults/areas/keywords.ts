/**
 * Keywords: batches with items that must be refused, repeats with the same Idempotency-Key, bulk runs; and moves in small
 * trees, which must be serializable.
 */
import { sql } from '../../../server/src/adapters/postgres/sql.ts'
import { call, type Client, core, describe, History, recordsOf, type Reply, schemaVersion } from '../client.ts'
import { checkLinear } from '../linear.ts'
import { type Parents, treeOf, type TreeInput, type TreeOutput } from '../models.ts'
import { late } from '../world.ts'
import type { OpenArea } from './area.ts'

const keywords = `${core}/common/keywords`
const message = (names: readonly string[]) => ({
  schemaVersion,
  kwds: { kwd: names.map((value) => ({ name: { itm: [{ value }] } })) },
})

interface Batch {
  readonly names: readonly string[]
  /** The number of the item that repeats the name of another and is refused. */
  readonly refused: number | undefined
  readonly key: string | undefined
  reply: Reply
}

export const batchArea: OpenArea = (world) => {
  const batches: Batch[] = []
  const send = ({ names, key }: Pick<Batch, 'names' | 'key'>) =>
    call(world, `${keywords}/persist`, {
      body: message(names),
      headers: key === undefined ? {} : { 'idempotency-key': key },
    })
  return {
    async step(client) {
      const name = client.fresh()
      const names = Array.from({ length: 1 + client.random.below(6) }, (_, i) => `${name}.${i}`)
      const refused = client.random.chance(0.4) ? names.push(names[0]!) - 1 : undefined
      const key = client.random.chance(0.5) ? name : undefined
      const sent = [send({ names, key })]
      // An impatient client repeats its request while the first one runs.
      if (key !== undefined && client.random.chance(0.3)) sent.push(send({ names, key }))
      const replies = await Promise.all(sent)
      const reply = replies.find(({ kind }) => kind === 'ok') ?? replies.find(({ kind }) => kind === 'unknown')
      batches.push({ names, refused, key, reply: reply ?? replies[0]! })
    },
    async *check() {
      const rows = await world.db.rows<{ name: string; id: number; n: number }>(sql`
        select name, max(id) as id, count(*)::int as n from keyword where parent_id is null group by name`)
      const stored = new Map(rows.map(({ name, id }) => [name, id]))
      for (const { name, n } of rows) if (n > 1) yield `keyword ${name}: is there ${n} times`
      for (const batch of batches) yield* faultsOf(batch, stored)
      for (const batch of batches) {
        if (batch.key === undefined || batch.reply.kind === 'refused') continue
        yield* faultsOfRepeat(batch, await send(batch))
      }
    },
  }

  function* faultsOf({ names, refused, reply }: Batch, stored: ReadonlyMap<string, number>) {
    const there = new Set(names.filter((name) => stored.has(name)))
    const distinct = new Set(names)
    if (reply.kind === 'unknown' && there.size !== 0 && there.size !== distinct.size)
      yield `batch ${names[0]}: unknown, and ${there.size} of ${distinct.size} keywords are stored`
    if ((reply.kind === 'refused' || reply.kind === 'unsent') && there.size > 0)
      yield `batch ${names[0]}: refused (${reply.status}), and ${there.size} keywords are stored`
    if (reply.kind !== 'ok') return
    for (const [i, record] of recordsOf(reply).entries()) {
      const isRefused = record.status !== 'SUCCESS'
      if (isRefused !== (i === refused)) yield `batch ${names[0]}: item ${i} is ${record.status}: ${record.description}`
      if (!isRefused && stored.get(names[i]!) !== Number(record.id))
        yield `keyword ${names[i]}: acknowledged as ${record.id}, found ${stored.get(names[i]!)}`
    }
  }

  function* faultsOfRepeat({ names, reply }: Batch, repeat: Reply) {
    const isFirst = (i: number) => names.indexOf(names[i]!) === i
    if (repeat.kind !== 'ok') yield `batch ${names[0]}: its repeat is answered with ${repeat.status}`
    const ids = recordsOf(repeat).map(({ id, status }) => (status === 'SUCCESS' ? Number(id) : 0))
    for (const [i, id] of ids.entries())
      if (id === 0 && isFirst(i)) yield `batch ${names[0]}: item ${i} of its repeat is refused`
    if (reply.kind !== 'ok') return
    const before = recordsOf(reply).map(({ id, status }) => (status === 'SUCCESS' ? Number(id) : 0))
    if (before.join() !== ids.join()) yield `batch ${names[0]}: ids ${before.join()}, its repeat has ${ids.join()}`
  }
}

export const bulkArea: OpenArea = (world) => {
  const runs: { names: readonly string[]; key: string; reply: Reply }[] = []
  const send = (names: readonly string[], key: string) =>
    call(world, `${keywords}/bulk`, { body: message(names), headers: { 'idempotency-key': key } })
  return {
    async step(client) {
      if (!client.random.chance(0.3)) return
      const name = client.fresh()
      const names = Array.from({ length: 20 + client.random.below(700) }, (_, i) => `${name}.bulk.${i}`)
      runs.push({ names, key: `${name}-bulk`, reply: await send(names, `${name}-bulk`) })
    },
    async *check() {
      for (const { names, key, reply } of runs) {
        if (isWithoutEffect(reply)) continue
        const again = await send(names, key)
        if (again.kind !== 'ok') {
          yield `bulk ${key}: its repeat is answered with ${again.status}`
          continue
        }
        const id = again.bytes.toString()
        if (reply.kind === 'ok' && reply.bytes.toString() !== id)
          yield `bulk ${key}: run ${reply.bytes.toString()}, its repeat is ${id}`
        yield* late(() => isFinished(id), world, `bulk run ${key} ends`)
      }
      yield* await world.db
        .rows<{ fault: string }>(
          sql`
          select k.name || ' of a bulk run was created ' || count(h.id) || ' times' as fault
          from keyword k left join history h on h.object_id = k.id and h.action = 'create'
          where k.name like '%.bulk.%' group by k.name having count(h.id) <> 1
          union all select 'a record of bulk run ' || c.run_id || ' is an error: ' || (r->>'description')
          from bulk_chunk c, jsonb_array_elements(c.records::jsonb) r where r->>'status' <> 'SUCCESS'
          limit 5`,
        )
        .then((rows) => rows.map(({ fault }) => fault))
      for (const { names, key, reply } of runs) {
        const row = await world.db.row<{ n: number }>(
          sql`select count(*)::int as n from keyword where name = any(${names}::text[])`,
        )
        // A run without an answer was repeated above.
        const expected = isWithoutEffect(reply) ? 0 : names.length
        if (row!.n !== expected) yield `bulk ${key} (${reply.status}): ${row!.n} of ${expected} keywords are stored`
      }
    },
  }
  async function isFinished(id: string): Promise<boolean> {
    const row = await world.db.row<{ state: string }>(sql`select state from bulk_run where id = ${id}::uuid`)
    return row?.state === 'finished'
  }
}

const isWithoutEffect = ({ kind }: Reply) => kind === 'refused' || kind === 'unsent'

const nodes = ['a', 'b', 'c', 'd']

export const treeArea: OpenArea = (world) => {
  const history = new History<TreeInput, TreeOutput>()
  /** The ids of the nodes of a tree. */
  const trees = new Map<string, Promise<Map<string, number> | undefined>>()
  const treeOfEpoch = (key: string) => {
    if (!trees.has(key)) trees.set(key, create(key))
    return trees.get(key)!
  }
  async function create(key: string): Promise<Map<string, number> | undefined> {
    const reply = await call(world, `${keywords}/persist`, { body: message([key, ...nodes.map((n) => `${key}.${n}`)]) })
    if (reply.kind !== 'ok') return undefined
    const [root, ...ids] = recordsOf(reply).map(({ id }) => Number(id))
    const moves = ids.map((id) => moveAction(id, root!))
    const moved = await call(world, `${keywords}/perform`, { body: { schemaVersion, actions: { action: moves } } })
    if (moved.kind !== 'ok') return undefined
    return new Map([['', root!], ...nodes.map((node, i) => [node, ids[i]!] as const)])
  }
  const moveAction = (id: number, to: number) => ({
    dataType: 'keyword',
    type: 'move',
    id,
    meta: { itm: [{ key: 'destinationParentId', value: String(to) }] },
  })
  const read = async (ids: ReadonlyMap<string, number>): Promise<Parents> => {
    const rows = await world.db.rows<{ id: number; parentId: number | null }>(sql`
      select id, parent_id as "parentId" from keyword where id = any(${[...ids.values()]}::bigint[])`)
    const nameOf = new Map([...ids].map(([name, id]) => [id, name]))
    return Object.fromEntries(
      rows.flatMap(({ id, parentId }) => (nameOf.get(id) ? [[nameOf.get(id)!, nameOf.get(parentId ?? 0) ?? '?']] : [])),
    )
  }
  return {
    async step(client: Client) {
      const key = history.keyOf(`tree-${world.epoch}`)
      const ids = await treeOfEpoch(key)
      if (!ids) return
      const node = client.random.pick(nodes)
      const to = client.random.pick(['', ...nodes.filter((other) => other !== node)])
      const action = [moveAction(ids.get(node)!, ids.get(to)!)]
      const send = () => client.call(`${keywords}/perform`, { body: { schemaVersion, actions: { action } } })
      const ok = (reply: Reply) => ({ ok: reply.kind === 'ok' && recordsOf(reply)[0]?.status === 'SUCCESS' })
      await history.note(key, { op: 'move', node, to }, send, ok)
    },
    async *check() {
      for (const [key, operations] of history.byKey) {
        const ids = (await treeOfEpoch(key))!
        const parents = await read(ids)
        const at = performance.now()
        const last = { input: { op: 'read' } as const, output: { ok: true, parents }, from: at, to: at + 1 }
        const verdict = checkLinear(treeOf(Object.fromEntries(nodes.map((n) => [n, '']))), [...operations, last])
        if (verdict !== 'linearizable') yield `${key}: ${verdict}: ${describe([...operations, last])}`
      }
      const rows = await world.db.rows<{ path: string }>(sql`
        with recursive tree as (
          select id, '/' || name as path from keyword where parent_id is null
          union all select k.id, t.path || '/' || k.name from keyword k join tree t on k.parent_id = t.id
        )
        select k.path from keyword k left join tree t on t.id = k.id where t.path is distinct from k.path limit 3`)
      for (const { path } of rows) yield `keyword ${path}: its path is not that of its parents`
    },
  }
}
