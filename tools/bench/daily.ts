/**
 * The daily work of the console, a shop and an ERP on a wide catalogue: CPU of the server with its helper processes and of
 * PostgreSQL per operation, beside a bare server on the same PostgreSQL that does the same work without rights, rules,
 * history, events and search. The two take turns. Single writes and batches are measured a second time on a server
 * without the search index.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from '../../server/src/adapters/postgres/sql.ts'
import { type Bare, startBare } from './daily-bare.ts'
import { exporting } from './daily-export.ts'
import { mixedLoad } from './daily-load.ts'
import { type Ask, asker } from './daily-client.ts'
import { cpuOf } from './cpu.ts'
import { alone, beside, envelope, lookUps, pim, range, type Work, works } from './daily-works.ts'
import type { Row, Table } from './measure.ts'
import { type BenchServer, startServer } from './server.ts'
import { thumbnails } from './daily-thumbnail.ts'
import { wideModel, wideProduct } from './wide-products.ts'

const schemaVersion = '5.6.0'

/** `BENCH_FOLDER` is kept from run to run, with its products. */
export async function daily(count = 100_000): Promise<Table[]> {
  const kept = process.env['BENCH_FOLDER']
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'kontor-bench-')))
  try {
    const rows = [...(await withIndex(folder, count)), ...(await withoutIndex(folder, count))]
    return [{ title: `Daily work, ${count.toLocaleString('en')} products with 17 texts`, baseline: '', rows }]
  } finally {
    if (kept === undefined)
      for (const path of [folder, `${folder}.password`]) await rm(path, { recursive: true, force: true })
  }
}

/** Also shows the rows at once: the whole takes minutes. */
function note(rows: Row[], ...more: Row[]): void {
  for (const { what, rate, aim = '' } of more) console.error(`${what}: ${rate}${aim && ` (aim ${aim})`}`)
  rows.push(...more)
}

type Measure = (server: BenchServer, bare: Bare, ask: Ask) => Promise<Row[]>

async function onServer(env: Record<string, string>, folder: string, measure: Measure): Promise<Row[]> {
  const server = await startServer(env, folder)
  try {
    const bare = await startBare(server)
    try {
      return await measure(server, bare, asker(server.url, server.headers))
    } finally {
      await bare.stop()
    }
  } finally {
    await server.stop()
  }
}

const withIndex = (folder: string, count: number) =>
  onServer({}, folder, async (server, bare, ask) => {
    const rows: Row[] = []
    note(rows, ...(await fill(server, ask, count)))
    await settle(server)
    for (const work of works(count)) note(rows, await beside(server, bare, ask, work))
    await settle(server)
    for (const work of lookUps(count)) note(rows, await alone(server, ask, work))
    note(rows, ...(await exporting(server, bare, ask, count)))
    note(rows, ...(await thumbnails(server)))
    note(rows, ...(await mixedLoad(server, count)))
    return rows
  })

const withoutIndex = (folder: string, count: number) =>
  onServer({ KONTOR_ROLES: 'api,worker' }, folder, async (server, bare, ask) => {
    await settle(server)
    const rows: Row[] = []
    for (const work of works(count)) {
      if (work.aimWithoutIndex === undefined) continue
      const other: Work = { ...work, what: `${work.what}, no search index`, aim: work.aimWithoutIndex }
      note(rows, await beside(server, bare, ask, other))
    }
    return rows
  })

async function fill(server: BenchServer, ask: Ask, count: number): Promise<Row[]> {
  const [known] = await server.database.rows<{ count: number }>(
    sql`select count(*)::int from product where tid like 'W-0%'`,
  )
  if (known!.count >= count) return []
  await ask(`${pim}/attribute-definitions/persist`, { schemaVersion, attrDefs: { attrDef: wideModel.attrDefs } })
  await ask(`${pim}/classes/persist`, { schemaVersion, classes: { clazz: [wideModel.clazz] } })
  await ask(`${pim}/nodes/persist`, { schemaVersion, nodes: { node: wideModel.nodes } })
  const [cpu, begin] = [cpuOf(server), performance.now()]
  for (let first = 0; first < count; first += 1000)
    await ask(
      `${pim}/products/persist`,
      envelope(range(Math.min(1000, count - first)).map((n) => wideProduct(first + n))),
    )
  const stored = performance.now() - begin
  await settle(server)
  const used = cpuOf(server)
  const each = (seconds: number) => ((seconds / count) * 1000).toFixed(2)
  const total = used.server - cpu.server + used.database - cpu.database
  const rate = `${each(total)} ms CPU (PostgreSQL ${each(used.database - cpu.database)}), ${((count / stored) * 1000).toFixed(0)}/s`
  return [{ what: 'fill: create, 1,000 per request, until all are indexed and merged', rate }]
}

/** Autovacuum, checkpoints and the indexes would otherwise be busy during the next measurement. */
async function settle(server: BenchServer): Promise<void> {
  await server.database.run(sql`vacuum analyze`)
  await server.database.run(sql`checkpoint`)
  for (let quiet = 0; quiet < 4;) {
    const before = cpuOf(server).server
    await pause(500)
    quiet = cpuOf(server).server - before < 0.04 ? quiet + 1 : 0
  }
}
