/** Work that goes on after the reply: imports and workflow processes. Each row and each effect is there exactly once. */
import { sql } from '../../../server/src/adapters/postgres/sql.ts'
import { bpmn } from '../../../server/test/bpmn.ts'
import { call, core, recordsOf, type Reply, schemaVersion } from '../client.ts'
import { late, type World } from '../world.ts'
import type { OpenArea } from './area.ts'

interface Import {
  readonly prefix: string
  readonly rows: number
  /** undefined: the upload was not answered. */
  id: string | undefined
  started: Reply['kind']
}

export const importArea: OpenArea = (world) => {
  const imports: Import[] = []
  return {
    async step(client) {
      if (!client.random.chance(0.15)) return
      const prefix = client.fresh()
      const rows = 20 + client.random.below(700)
      const lines = Array.from({ length: rows }, (_, i) => `${prefix}.i${i},${prefix} row ${i},/Std`)
      const body = `tid,name,node\n${lines.join('\n')}\n`
      const one: Import = { prefix, rows, id: undefined, started: 'unsent' }
      imports.push(one)
      const sent = await client.call(`/api/v1/transfers/imports?name=${prefix}.csv`, { body, type: 'text/csv' })
      if (sent.kind !== 'ok') return
      one.id = String(sent.json.id)
      one.started = (await client.call(`/api/v1/transfers/${one.id}/start`, { method: 'POST' })).kind
    },
    async *check() {
      for (const { prefix, rows, id = null, started } of imports) {
        const state = async () =>
          (await world.db.row<{ state: string }>(sql`select state from transfer where id = ${id}::uuid`))?.state
        // A start without an answer has happened or not.
        const isEnded = async () =>
          ['finished', ...(started === 'ok' ? [] : ['received', undefined])].includes(await state())
        yield* late(isEnded, world, `import ${prefix} ends`)
        const isDone = started === 'ok' || (started === 'unknown' && (await state()) === 'finished')
        const counts = await world.db.row<{ processed: number | null; stored: number; created: number }>(sql`
          select (select processed::int from transfer where id = ${id}::uuid) as processed,
            count(distinct p.id)::int as stored, count(h.id)::int as created
          from product p left join history h on h.object_id = p.id and h.action = 'create'
          where p.tid like ${`${prefix}.i%`}`)
        const { processed, stored, created } = counts!
        const expected = isDone ? rows : 0
        if ((processed ?? 0) !== expected || stored !== expected || created !== expected)
          yield `import ${prefix} (start: ${started}): ${expected} rows, ${processed} processed, ${stored} stored, ${created} times created`
      }
    },
  }
}

/** An export that was ordered ends, and its file has every product of it. */
export const exportArea: OpenArea = (world) => {
  const tids = Array.from({ length: 50 }, (_, i) => `exported-${i}`)
  const ordered: string[] = []
  return {
    async prepare() {
      const product = tids.map((tid) => ({ tid, name: tid, node: '/Std' }))
      await call(world, `${core}/pim/products/persist`, { body: { schemaVersion, products: { product } } })
    },
    async step(client) {
      if (!client.random.chance(0.15)) return
      const { kind, json } = await client.call('/api/v1/transfers/exports', { body: { format: 'jsonl', tids } })
      if (kind === 'ok') ordered.push(String(json.id))
    },
    async *check() {
      for (const id of ordered) {
        const isEnded = async () => (await call(world, `/api/v1/transfers/${id}`)).json?.state === 'finished'
        yield* late(isEnded, world, `export ${id} ends`)
        let lines = 0
        const isRead = async () => {
          const { kind, bytes } = await call(world, `/api/v1/transfers/${id}/file`)
          lines = bytes.toString().trimEnd().split('\n').length
          return kind === 'ok'
        }
        yield* late(isRead, world, `the file of export ${id} can be read`)
        if (lines !== tids.length) yield `export ${id}: ${lines} of ${tids.length} products`
      }
    },
  }
}

/** A change of many products that was started changes each of them once. */
export const changeArea: OpenArea = (world) => {
  const tids = Array.from({ length: 250 }, (_, i) => `changed-${i}`) // more than one batch
  /** With more links the products themselves would make a long run slower. */
  const most = 10
  const started: { readonly id: string; readonly target: string }[] = []
  let refused = 0
  const faultOf = async (id: string, target: string, changed: unknown): Promise<string | undefined> => {
    const row = await world.db.row<{ n: number }>(sql`
      select count(*)::int as n from link l join product p on p.id = l.to_id where p.tid = ${target}`)
    return changed === tids.length && row!.n === tids.length
      ? undefined
      : `change ${id}: ${String(changed)} of ${tids.length} products are changed, ${row!.n} have the link`
  }
  /** Judges the oldest change if it has ended, and deletes its target. */
  const forget = async () => {
    const { id, target } = started[0]!
    const { json } = await call(world, `/api/v1/changes/${id}`)
    if (json?.state !== 'finished' || started[0]?.id !== id) return
    started.shift()
    const fault = await faultOf(id, target, json.changed).catch(() => undefined) // PostgreSQL may be away
    if (fault !== undefined) world.seen.push(fault)
    const meta = { itm: [{ key: 'force', value: 'true' }] } // it is in use
    const action = [{ dataType: 'product', type: 'delete', tid: target, meta }]
    const reply = await call(world, `${core}/pim/products/perform`, { body: { schemaVersion, actions: { action } } })
    if (recordsOf(reply)[0]?.status !== 'ERROR') return
    refused++
    started.push({ id, target })
  }
  const persist = (names: readonly string[]) => {
    const product = names.map((tid) => ({ tid, name: tid, node: '/Std' }))
    return call(world, `${core}/pim/products/persist`, { body: { schemaVersion, products: { product } } })
  }
  return {
    prepare: async () => void (await persist(tids)),
    async step(client) {
      if (!client.random.chance(0.1)) return
      const target = client.fresh()
      if ((await persist([target])).kind !== 'ok') return
      const operations = [{ type: 'link', dataType: 'product', to: target, linkType: 'Set' }]
      const made = await client.call('/api/v1/changes', { body: { selection: { tids }, operations } })
      if (made.kind !== 'ok') return
      const id = String(made.json.id)
      const { kind } = await client.call(`/api/v1/changes/${id}/start`, { method: 'POST' })
      if (kind !== 'ok') return
      started.push({ id, target })
      if (started.length > most) await forget()
    },
    async *check() {
      if (refused > 3 * most) yield `the deletion of the target of a change was refused ${refused} times`
      for (const { id, target } of started) {
        const read = async () => (await call(world, `/api/v1/changes/${id}`)).json
        yield* late(async () => (await read())?.state === 'finished', world, `change ${id} ends`)
        const fault = await faultOf(id, target, (await read())?.changed)
        if (fault !== undefined) yield fault
      }
    },
  }
}

const inputs = (effect: string) => `<extensionElements>
  <kontor:input name="toUsers">\${starter}</kontor:input>
  <kontor:input name="subject">effect ${effect} \${process.tid}</kontor:input><kontor:input name="body">done</kontor:input>
</extensionElements>`
const effects = ['one', 'two', 'last']
const model = bpmn(
  'start > fork:parallel > one:service > join:parallel > last:service > end; fork > two:service > join',
  '',
  Object.fromEntries(effects.map((effect) => [effect, inputs(effect)])),
  '',
  {},
  'faults',
).replaceAll('kontor:job="note"', 'kontor:job="sendMessage"')
const configIdentifier = 'F.WorkflowConfig.Faults'

export const workflowArea: OpenArea = (world) => {
  const starts: { key: string; count: number; reply: Reply }[] = []
  const post = (path: string, body: object, headers = {}) => call(world, `/api/v1/workflow/${path}`, { body, headers })
  const start = (key: string, count: number) =>
    post(
      'start',
      { configIdentifier, processStartRequests: Array.from({ length: count }, () => ({})) },
      { 'idempotency-key': key },
    )
  return {
    async prepare() {
      await post('definitions/deploy', { xml: model })
      await post('configurations/persist', { identifier: configIdentifier, definitionKey: 'faults' })
    },
    async step(client) {
      if (!client.random.chance(0.4)) return
      const key = `${client.fresh()}-start`
      const count = 1 + client.random.below(5)
      starts.push({ key, count, reply: await start(key, count) })
    },
    async *check() {
      for (const one of starts) if (one.reply.kind === 'unknown') one.reply = await start(one.key, one.count)
      const expected = starts.reduce((sum, { count, reply }) => sum + (reply.kind === 'ok' ? count : 0), 0)
      const running = sql`select from workflow_process where config_identifier = ${configIdentifier} and state = 'running' limit 1`
      const haveEnded = async () => (await world.db.rows(running)).length === 0
      for await (const violation of late(haveEnded, world, 'all processes have ended'))
        yield `${violation}; ${await openJobs(world)}`
      const row = await world.db.row<{ n: number }>(sql`
        select count(*)::int as n from workflow_process where config_identifier = ${configIdentifier}`)
      if (row!.n !== expected) yield `${expected} processes were started, and there are ${row!.n}`
      const faults = await world.db.rows<{ fault: string }>(sql`
        select p.tid || ' is ' || p.state || ' and sent ' || e.effect || ' ' || count(m.id) || ' times' as fault
        from workflow_process p cross join unnest(${effects}::text[]) as e (effect)
        left join message m on m.subject = 'effect ' || e.effect || ' ' || p.tid
        where p.config_identifier = ${configIdentifier}
        group by p.tid, p.state, e.effect having count(m.id) <> 1 or p.state <> 'finished' limit 5`)
      for (const { fault } of faults) yield fault
    },
  }
}

/** The jobs that processes wait for, as they are and as the queue has them. */
async function openJobs({ db }: World): Promise<string> {
  const rows = await db.rows<{ text: string }>(sql`
    select concat_ws(', ', j.element, j.attempts || ' attempts', j.problem, 'due ' || j.run_at, case when q.id is null
      then 'not in the queue' else concat_ws(', ', 'in the queue: ' || q.attempts || ' attempts',
        'due in ' || extract(epoch from q.run_at - now())::int || ' s', 'locked by ' || q.locked_by, q.last_error) end) as text
    from workflow_job j left join graphile_worker._private_jobs q on q.key = 'workflow.job:' || j.id
    where j.state = 'waiting' limit 5`)
  return rows.map(({ text }) => text).join('; ')
}
