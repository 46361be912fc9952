/**
 * Keywords: batches with items that must be refused, repeats with the same Idempotency-Key, and bulk runs.
 */
import { sql } from '../../../server/src/adapters/postgres/sql.ts'
import { call, core, recordsOf, type Reply, schemaVersion } from '../client.ts'
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
