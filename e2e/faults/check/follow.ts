/** Everything that follows from the rows equals them: history, outbox, webhooks, search, audit, files. */
import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { commands } from '../../../server/src/admin/admin.ts'
import type { Database } from '../../../server/src/adapters/postgres/db.ts'
import { sql } from '../../../server/src/adapters/postgres/sql.ts'
import { verifyAudit } from '../../../server/src/identity/audit/audit-chain.ts'
import { call, tidsIn } from '../client.ts'
import { type Followed, followedTypes, followOn } from '../follower.ts'
import { until, type World } from '../world.ts'

type Check = (world: World) => AsyncIterable<string>
const faultsIn = async (db: Database, statement: ReturnType<typeof sql>) =>
  (await db.rows<{ fault: string }>(statement)).map(({ fault }) => fault)

/** The last change of a name in the history is the name; objects were created once; outbox and history are equal. */
async function* history({ db }: World) {
  yield* await historyFaults(db)
  yield* await faultsIn(
    db,
    sql`
    select 'object ' || object_id || ': ' || count(*) filter (where source = 'history') || ' times in the history, '
      || count(*) filter (where source = 'outbox') || ' times in the outbox' as fault
    from (
      select object_id, 'history' as source from history where data_type in ('product', 'keyword', 'asset')
      union all select object_id, 'outbox' from outbox
      -- where the file of an asset is belongs to the file, and has no history
      where data_type in ('product', 'keyword') or data_type = 'asset' and (user_name <> 'system' or action is not null)
    ) as entry
    group by object_id
    having count(*) filter (where source = 'history') <> count(*) filter (where source = 'outbox') limit 5`,
  )
}

export const historyFaults = (db: Database) =>
  faultsIn(
    db,
    sql`
    with object as (
      select id, 'product' as kind, name from product where level = 0
      union all select id, 'keyword', name from keyword
      union all select id, 'asset', name from dam_entry where kind = 'asset' and deleted_at is null
    ), last as (
      select distinct on (object_id) object_id, changes->'name'->>'to' as name
      from history where changes ? 'name' order by object_id, id desc
    )
    select o.kind || ' ' || o.name || ': its history ends with ' || coalesce(l.name, 'nothing') as fault
    from object o left join last l on l.object_id = o.id
    where (o.kind <> 'keyword' and l.name is distinct from o.name)
       or (select count(*) from history h where h.object_id = o.id and h.action = 'create') <> 1
    limit 5`,
  )

export const hookTypes = ['kontor.product.*', 'kontor.asset.*']

/** The number of a change, which is drawn while its object is locked: changes of one object are numbered in their order. */
const numberOf = (eventId: string) => Number(eventId.split('.')[1])

function* inOrder(reader: string, events: Iterable<Followed>) {
  const last = new Map<number, number>()
  for (const { id, objectId, isLink } of events) {
    if (isLink) continue
    const before = last.get(objectId) ?? 0
    if (numberOf(id) < before) yield `${reader}: event ${id} of object ${objectId} came after change ${before}`
    last.set(objectId, Math.max(numberOf(id), before))
  }
}

/** Every change of the outbox has arrived at the receiver, for each object in the order of its changes. */
async function* webhooks(world: World) {
  const { db, receiver } = world
  const changes = await db.rows<{ id: string }>(sql`
    select xid::text || '.' || seq as id from outbox where data_type in ('product', 'asset') order by xid, seq`)
  const missing = () => changes.filter(({ id }) => !receiver.taken.has(id))
  const fault = await until(() => missing().length === 0, world.timeout, 'all events have arrived').catch(
    (error: Error) => error.message,
  )
  if (typeof fault === 'string')
    yield `webhook: ${fault}; ${missing().length} of ${changes.length} have not, as ${missing()[0]?.id}`
  yield* inOrder(
    'webhook',
    [...receiver.taken].map(([id, event]) => ({ id, ...event })),
  )
}

/** A client that followed the change feed all the time has every change once, for each object in the order of its changes. */
async function* changeFeed(world: World) {
  const stored = await world.db.rows<{ seq: number }>(
    sql`select seq from outbox where data_type = any(${followedTypes}::text[]) order by seq`,
  )
  // Transactions that still run hold the end of the feed back for a moment.
  const end = performance.now() + 15_000
  while ((await followOn(world)) || (world.followed.length < stored.length && performance.now() < end));
  const listed = world.followed.map(({ id }) => numberOf(id)).toSorted((a, b) => a - b)
  if (listed.join() !== stored.map(({ seq }) => seq).join())
    yield `the change feed had ${new Set(listed).size} of ${stored.length} changes, ${listed.length} events`
  yield* inOrder('the change feed', world.followed)
}

/** After a long run only the latest objects are searched one by one. */
const mostSearched = 500

interface Searched {
  readonly index: 'PRODUCT' | 'ASSET'
  readonly field: 'name' | 'tid'
  readonly count: ReturnType<typeof sql>
  /** The latest objects with the value of the field. */
  readonly latest: ReturnType<typeof sql>
}
const searched: readonly Searched[] = [
  {
    index: 'PRODUCT',
    field: 'name',
    count: sql`select count(*)::int as n from product where level = 0`,
    latest: sql`select tid, name as value from product where level = 0 and tid not like '%.i%'
      order by id desc limit ${mostSearched}`,
  },
  {
    index: 'ASSET',
    field: 'tid',
    count: sql`select count(*)::int as n from dam_entry where kind = 'asset' and deleted_at is null`,
    latest: sql`select tid, tid as value from dam_entry where kind = 'asset' and deleted_at is null
      order by id desc limit ${mostSearched / 5}`,
  },
]

/** Searches find every object under its present name, and nothing else. */
async function* search(world: World) {
  for (const at of world.urls) for (const one of searched) yield* searchAt(world, at, one)
}

async function* searchAt(world: World, at: string, { index, field, count, latest }: Searched) {
  const body = { context: { index }, resultAttributes: ['tid', 'name'], pageSize: 1000 }
  const compare = async () => {
    const stored = await world.db.rows<{ tid: string; value: string }>(latest)
    const row = await world.db.row<{ n: number }>(count)
    const reply = await call(world, '/api/v1/search', { body, at })
    if (reply.kind !== 'ok') return `is answered with ${reply.status}`
    if (!reply.json.exactHitCount || reply.json.totalHitCount !== row!.n)
      return `finds ${reply.json.totalHitCount} of ${row!.n} objects of the index ${index}`
    for (const { tid, value } of stored) {
      const query = { queryType: 'FIELD', name: field, comparator: 'EQ', value }
      const { json } = await call(world, '/api/v1/search', { body: { ...body, query }, at })
      if (!tidsIn(json).includes(tid)) return `does not find ${tid} by its ${field} ${value}`
    }
    return ''
  }
  let last = ''
  await until(async () => (last = await compare()) === '', world.timeout, 'the search index equals the rows').catch(
    () => {},
  )
  if (last !== '') yield `search ${last}`
}

async function* audit({ db }: World) {
  const { fault } = await verifyAudit(db)
  if (fault !== undefined) yield `audit: ${fault}`
}

/** Every row has its bytes, and after a collection no bytes are without a row. */
async function* files(world: World) {
  const { db } = world
  const lines: string[] = []
  const run = (name: string) => commands.get(name)!.run([], world.env, (line) => lines.push(line))
  if ((await run('scrub')) !== 0) yield `files: ${lines.slice(0, 3).join('; ')}`
  // As a process of its own it has the seeded bug.
  const collecting = world.command('files', 'collect')
  await once(collecting.child, 'close')
  if (collecting.child.exitCode !== 0) yield `files: they cannot be collected: ${collecting.output()}`
  const keys = (await world.places.get('files')?.keys?.()) ?? keysIn(join(world.data, 'blobs'))
  const known = new Set((await db.rows<{ sha256: string }>(sql`select sha256 from blob`)).map((b) => b.sha256))
  const stored = new Set(keys.flatMap((key) => /^sha256\/(..)\/(.*)/.exec(key)?.slice(1).join('') ?? []))
  const [dangling, leaked] = [[...known].filter((h) => !stored.has(h)), [...stored].filter((h) => !known.has(h))]
  if (dangling.length > 0) yield `files: ${dangling.length} rows have no bytes, as ${dangling[0]}`
  if (leaked.length > 0) yield `files: ${leaked.length} files have no row, as ${leaked[0]}`
  const open = new Set((await db.rows<{ id: string }>(sql`select id from upload`)).map(({ id }) => id))
  const chunks = keys.filter((key) => key.startsWith('uploads/') && !open.has(key.split('/')[1]!))
  if (chunks.length > 0) yield `files: ${chunks.length} chunks belong to no upload, as ${chunks[0]}`
  const spooled = keysIn(join(world.data, 'blobs')).filter((key) => key.startsWith('tmp/'))
  if (spooled.length > 0) yield `files: ${spooled.length} are left in the spool`
  // Those of killed processes are kept for a day.
  const leftovers = keysIn(join(world.data, 'tmp'), world.startedAt())
  if (leftovers.length > 0) yield `files: ${leftovers.length} temporary ones are left, as ${leftovers[0]}`
}

/** The paths of all files that were made since then. */
const keysIn = (folder: string, since = 0): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .filter((file) => statSync(file).birthtimeMs >= since)
        .map((file) => relative(folder, file))
    : []

export const follows: Readonly<Record<string, Check>> = { history, webhooks, changeFeed, search, audit, files }
