/**
 * A tree of 10,000 channels with 100,000 product extension objects: query with level 100, retrieve with the hierarchy of
 * objects, and readiness of the whole tree, each against a plain select of the rows it is made from.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Database } from '../../server/src/adapters/postgres/db.ts'
import { sql } from '../../server/src/adapters/postgres/sql.ts'
import { createApp } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config.ts'
import { compareTime, type Subject, type Table } from './measure.ts'
import type { BenchServer } from './server.ts'

const channels = 10_000
const peos = 100_000
const products = 10_000
const cm = '/api/core/v1/cm'

export async function channelTree(server: BenchServer): Promise<Table[]> {
  const { database } = server
  await fill(database)
  const call = async (path: string, body: object) => {
    const reply = await server.post(cm + path, JSON.stringify(body), { 'content-type': 'application/json' })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return reply.text()
  }
  const subject = (what: string, units: number, run: () => Promise<unknown>): Subject => ({
    what,
    run: async () => {
      await run()
      return units
    },
  })
  const locales = ['en_GB', 'de_DE']
  const page = Array.from({ length: 100 }, (_, n) => 1010000000 + n)
  const tids = Array.from({ length: 1000 }, (_, n) => `bench-${n}`)
  const below = sql`p.path collate "C" >= '/bench-0' and p.path collate "C" < '/bench-00'`
  const placed = sql`project p join link l on l.to_id = p.id join peo e on e.id = l.from_id`
  return [
    await compareTime('Query of 10,000 channels, level 100', 'channels', 1, [
      subject('plain select of tids', channels, () => database.rows(sql`select p.tid from project p where ${below}`)),
      subject('query', channels, () => call('/channels/query', { tid: 'bench-0', level: 100 })),
    ]),
    await compareTime(
      'Retrieve of 1,000 channels with 10,000 product extension objects, as a hierarchy',
      'channels',
      1,
      [
        subject('plain select of the objects', 1000, () =>
          database.rows(sql`select p.tid, p.vals, e.tid, e.name from ${placed} where p.tid = any(${tids}::text[])`),
        ),
        subject('retrieve', 1000, () => call('/channels/retrieve', { tids, includePeoHierarchy: true })),
      ],
    ),
    await compareTime(
      'Readiness of 10,000 channels with 100,000 product extension objects, in two locales',
      'objects',
      1,
      [
        subject('plain select of the values', peos, () =>
          database.rows(
            sql`select e.tid, e.vals, m.vals from ${placed} join product m on m.id = e.product_id where ${below}`,
          ),
        ),
        subject('readiness', peos, () => call('/readiness/retrieve', { tids: ['bench-0'], locales })),
        subject('readiness, numbers only', peos, () =>
          call('/readiness/retrieve', { tids: ['bench-0'], locales, numbersOnly: true }),
        ),
      ],
      3,
    ),
    await compareTime('Completeness of a page of 100 products, in two locales', 'pages', 1, [
      subject('plain select of the values', 1, () =>
        database.rows(sql`select tid, vals from product where id = any(${page}::bigint[])`),
      ),
      subject('readiness, numbers only', 1, () =>
        call('/readiness/retrieve', { productIds: page, locales, numbersOnly: true }),
      ),
    ]),
    await countStatements(server),
  ]
}

/**
 * How many statements calls send for one channel without any below it, and for the whole tree; and for the quality and
 * readiness of a page of products with extension objects, which may cost three more than the page.
 */
async function countStatements({ url, data, database, headers }: BenchServer): Promise<Table> {
  const statements: string[] = []
  const counted = connect({ ...database.pool.options, max: 2 }, (text) => statements.push(text))
  const own = await mkdtemp(join(tmpdir(), 'kontor-bench-count-'))
  const masterKey = (await readFile(join(data, 'master-key'), 'utf8')).trim()
  const env = { KONTOR_DATA: own, KONTOR_BASE_URL: url, KONTOR_MASTER_KEY: masterKey, KONTOR_LOG_LEVEL: 'silent' }
  const app = await createApp(counted, readConfig(env))
  const count = async (path: string, payload: object, base = cm) => {
    const send = () => app.http.inject({ method: 'POST', url: base + path, headers, payload })
    await send()
    statements.length = 0
    const reply = await send()
    if (reply.statusCode !== 200) throw new Error(`${path}: ${reply.payload}`)
    return statements.filter((text) => !/user_session|role_grant/.test(text)).length
  }
  const calls: [string, (tid: string) => Promise<number>][] = [
    ['query, level 100', (tid) => count('/channels/query', { tid, level: 100 })],
    ['retrieve with hierarchy', (tid) => count('/channels/retrieve', { tids: [tid], includePeoHierarchy: true })],
    ['readiness', (tid) => count('/readiness/retrieve', { tids: [tid], locales: ['en_GB'] })],
  ]
  const rows: Table['rows'] = []
  for (const [what, run] of calls) {
    const [one, tree] = [await run(`bench-${channels - 1}`), await run('bench-0')]
    rows.push({ what, rate: `${one} for one channel, ${tree} for the tree of ${channels}` })
  }
  const tids = Array.from({ length: 100 }, (_, n) => `bench-${n}`)
  const onPage: [string, (tids: string[]) => Promise<number>][] = [
    ['retrieve of a page', (some) => count('/products/retrieve', { tids: some }, '/api/core/v1/pim')],
    ['quality and completeness of a page', (some) => count('/quality/retrieve', { productTids: some })],
  ]
  for (const [what, run] of onPage) {
    const [few, page] = [await run(tids.slice(0, 2)), await run(tids)]
    rows.push({ what, rate: `${few} for two products, ${page} for 100` })
  }
  await app.http.close()
  await counted.close()
  await rm(own, { recursive: true, force: true })
  return { title: 'Statements', baseline: '', rows }
}

/** Ten channels below each, ten objects in each. */
async function fill(database: Database): Promise<void> {
  await database.transaction(async (db) => {
    await db.run(sql`
      with recursive tree as (
        select 0 as n, null::int as above, '/bench-0' as path
        union all
        select k, tree.n, tree.path || '/bench-' || k from tree, generate_series(tree.n * 10 + 1, tree.n * 10 + 10) as k
        where k < ${channels}
      ), made as (select n, above, path, 1000000000 + n as id from tree)
      insert into project (id, tid, parent_id, type_id, name, path, order_sequence, created_by, modified_by)
      select m.id, 'bench-' || m.n, 1000000000 + m.above, t.id, 'bench-' || m.n, m.path, m.n * 1048576::bigint, 'bench', 'bench'
      from made m, project_type t where t.tid = 'Webshop'`)
    await db.run(sql`
      insert into attr_def (tid, type, localized, created_by, modified_by) values ('BENCH', 'text', true, 'bench', 'bench')`)
    await db.run(sql`
      with class as (
        insert into classification (tid, created_by, modified_by) values ('Bench', 'bench', 'bench') returning id
      ), top as (
        insert into node (classification_id, tid, path, created_by, modified_by)
        select id, 'Bench', '/Bench', 'bench', 'bench' from class returning id
      )
      insert into product (id, level, tid, parent_id, node_id, name, vals, created_by, modified_by)
      select 1010000000 + n, 0, 'bench-' || n, top.id, top.id, 'bench-' || n, '{"BENCH": {"en_GB": "boat"}}', 'bench', 'bench'
      from top, generate_series(0, ${products - 1}::int) as n`)
    await db.run(sql`
      with template as (
        insert into peo_template (tid, name, attributes, created_by, modified_by)
        values ('Bench', 'Bench', '{"BENCH": {"mode": "overridden", "required": true}}', 'bench', 'bench') returning id
      )
      insert into peo (id, tid, name, product_id, template_id, created_by, modified_by)
      select 1020000000 + n, 'bench-' || n, 'bench-' || n, 1010000000 + n % ${products}::int, template.id, 'bench', 'bench'
      from template, generate_series(0, ${peos - 1}::int) as n`)
    await db.run(sql`
      insert into link (kind, from_id, to_id, created_by)
      select 'peoToProject', 1020000000 + n, 1000000000 + n % ${channels}::int, 'bench'
      from generate_series(0, ${peos - 1}::int) as n`)
  })
  await database.run(sql`analyze`)
}
