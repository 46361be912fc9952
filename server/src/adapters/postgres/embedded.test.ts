/** The embedded server with real processes and real kills. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { connect, type Database } from './db.ts'
import { startEmbedded, type Embedded, type EmbeddedOptions } from './embedded.ts'
import { findBinaries } from './embedded/binaries.ts'
import { serversOf, startOf } from './embedded/processes.ts'
import { sql } from './sql.ts'

const nobody = 65534
const isRoot = process.getuid?.() === 0
const canMap = isRoot && spawnSync('unshare', ['--user', `--map-user=${nobody}`, 'true']).status === 0
const settings = { fsync: 'off', shared_buffers: '16MB' } // the system keeps what a killed process has written

let folder: string
let dataDir: string
let cleanUp: (() => unknown)[]
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'kontor-embedded-'))
  fs.chmodSync(folder, 0o755)
  dataDir = join(folder, 'data')
  cleanUp = [
    () => fs.rmSync(folder, { recursive: true }),
    () => vi.waitUntil(() => serversOf(cluster()).length === 0, { timeout: 10_000 }),
  ]
  return async () => {
    for (const undo of cleanUp.toReversed()) await undo()
  }
})
const cluster = () => join(dataDir, 'cluster')

async function start(options: Partial<EmbeddedOptions> = {}): Promise<{ server: Embedded; database: Database }> {
  const server = await startEmbedded({ dataDir, settings, ...options })
  const database = connect(server.poolConfig)
  cleanUp.push(server.stop, database.close)
  return { server, database }
}

/** A Kontor process that prints the pid of the server, then each number it has written, until it is killed. */
const kontor = `
  const { startEmbedded } = await import(${JSON.stringify(new URL('./embedded.ts', import.meta.url))})
  const { connect } = await import(${JSON.stringify(new URL('./db.ts', import.meta.url))})
  const { sql } = await import(${JSON.stringify(new URL('./sql.ts', import.meta.url))})
  const server = await startEmbedded({ dataDir: process.argv[1], settings: ${JSON.stringify(settings)} })
  const database = connect(server.poolConfig)
  await database.run(sql\`create table written (n int)\`)
  database.rows(sql\`select count(*) from generate_series(1, 1e10)\`).catch(() => {})
  console.log(server.pid)
  for (let n = 1; ; n++) {
    await database.run(sql\`insert into written values (\${n})\`)
    console.log(n)
  }`

function spawnKontor(uid?: number): { child: ChildProcess; nextNumber: () => Promise<number> } {
  const child = spawn(process.execPath, ['--input-type=module', '-e', kontor, dataDir], {
    uid,
    gid: uid,
    stdio: 'pipe',
  })
  cleanUp.push(() => kill(child))
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  return { child, nextNumber: async () => Number((await lines.next()).value) }
}

/** The same after it has been writing for a while. */
async function spawnWriter(): Promise<{ child: ChildProcess; server: number; written: number }> {
  const { child, nextNumber } = spawnKontor()
  const server = await nextNumber()
  let written = 0
  while (written < 50) written = await nextNumber()
  return { child, server, written }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function expectWritten(database: Database, atLeast: number): Promise<void> {
  const { count, last } = (await database.row<{ count: number; last: number }>(
    sql`select count(*), max(n) as last from written`,
  ))!
  expect(last).toBeGreaterThanOrEqual(atLeast)
  expect(count).toBe(last)
}

describe('the server', () => {
  test('is created in an empty folder and found there again', async () => {
    const first = await start({ settings: {} })
    await first.database.run(sql`create table kept as select 7 as n`)
    await first.database.close()
    await first.server.stop()
    await first.server.stop()
    expect(fs.readdirSync(dataDir).toSorted()).toEqual(['cluster', 'lock-1'])

    const again = await start({ settings: {} })
    expect(await again.database.rows(sql`select n from kept`)).toEqual([{ n: 7 }])
  })

  test('is durable, checks its pages, supports Unicode and cannot be reached from outside', async () => {
    const { server, database } = await start({ settings: {} })
    const row = await database.row(sql`
      select current_setting('fsync') as fsync, current_setting('data_checksums') as checksums,
        current_setting('listen_addresses') as addresses, current_setting('server_encoding') as encoding,
        datlocprovider as provider, datlocale as locale, upper('ä') as upper
      from pg_database where datname = current_database()`)
    expect(row).toEqual({
      fsync: 'on',
      checksums: 'on',
      addresses: '',
      encoding: 'UTF8',
      provider: 'b',
      locale: 'C.UTF-8',
      upper: 'Ä',
    })
    expect(fs.statSync(server.poolConfig.host!).mode & 0o777).toBe(0o700)
  })

  test('has its socket elsewhere if the path of the folder is too long for one', async () => {
    dataDir = join(folder, 'deep'.repeat(25))
    const { server, database } = await start()
    cleanUp.unshift(() => fs.rmdirSync(server.poolConfig.host!))
    expect(fs.statSync(server.poolConfig.host!).mode & 0o777).toBe(0o700)
    expect(await database.rows(sql`select 1 as one`)).toEqual([{ one: 1 }])
  })

  test('without unix sockets has a local port and a password', async () => {
    const { server, database } = await start({ tcp: true })
    expect(await database.rows(sql`select host(inet_server_addr()) as at`)).toEqual([{ at: '127.0.0.1' }])
    const stranger = connect({ ...server.poolConfig, password: 'guess' })
    await expect(stranger.rows(sql`select 1`)).rejects.toThrow('password authentication failed')
    await stranger.close()
  })

  test('that cannot start reports why and unlocks the folder', async () => {
    await expect(start({ settings: { shared_buffers: 'much' } })).rejects.toThrow(/did not start .*shared_buffers/)
    await start()
  })
})

describe('the server of', () => {
  test.runIf(isRoot)('an ordinary user runs as that user', async () => {
    fs.chownSync(folder, nobody, nobody)
    const { nextNumber } = spawnKontor(nobody)
    expect(uidOf(await nextNumber())).toBe(nobody)
  })

  test.runIf(isRoot)('root runs as nobody', async () => {
    const { server } = await start()
    expect(uidOf(server.pid)).toBe(nobody)
    expect(fs.statSync(cluster()).uid).toBe(nobody)
  })

  test.runIf(canMap)('root runs under a folder that is closed to others, also when it was closed later', async () => {
    const { server, database } = await start()
    await database.run(sql`create table kept as select 7 as n`)
    await database.close()
    await server.stop()
    fs.chmodSync(folder, 0o700)
    const closed = await start()
    expect(await closed.database.rows(sql`select n from kept`)).toEqual([{ n: 7 }])
    await closed.database.close()
    await closed.server.stop()
    fs.rmSync(dataDir, { recursive: true })
    await start()
  })

  const uidOf = (pid: number) => fs.statSync(`/proc/${pid}`).uid
})

describe('killed', () => {
  test('the server comes back, and the pool with it', async () => {
    const reasons: string[] = []
    const { server, database } = await start({ onExit: (reason) => reasons.push(reason) })
    await database.run(sql`create table kept as select 7 as n`)
    const busy = expect(database.rows(sql`select count(*) from generate_series(1, 1e10)`)).rejects.toThrow()
    const { pid } = server
    process.kill(pid, 'SIGKILL')
    await vi.waitUntil(() => server.pid !== pid, { timeout: 10_000 })
    expect(await database.rows(sql`select n from kept`)).toEqual([{ n: 7 }])
    expect(reasons).toEqual(['killed by SIGKILL'])
    await busy
  })

  test.each([
    ['before', 0],
    ['while', 110],
  ])('the server can be stopped %s it is started again', async (_, delay) => {
    const exit = Promise.withResolvers<string>()
    const { server } = await start({ onExit: exit.resolve })
    process.kill(server.pid, 'SIGKILL')
    await exit.promise
    await pause(delay)
    await server.stop()
    // Processes that a killed server left end by themselves, after some time.
    await vi.waitFor(() => expect(serversOf(cluster())).toEqual([]), { timeout: 10_000 })
  })

  test('Kontor ends its server too; the next start finds everything that was written', async () => {
    const { child, server, written } = await spawnWriter()
    await kill(child)
    const { database } = await start()
    expect(startOf(server)).toBeUndefined()
    await expectWritten(database, written)
  })

  test('Kontor and its server leave nothing that blocks the next start', async () => {
    const { child, server, written } = await spawnWriter()
    process.kill(server, 'SIGKILL')
    await kill(child)
    await expectWritten((await start()).database, written)
  })

  test('Kontor during its very first start leaves nothing incomplete', async () => {
    const { child } = spawnKontor()
    const unfinished = () => fs.globSync(join(dataDir, 'cluster.new-*', 'base', '1'))
    await vi.waitUntil(() => unfinished().length > 0, { interval: 2, timeout: 10_000 })
    await kill(child)
    expect(fs.existsSync(cluster())).toBe(false)
    await start()
    expect(fs.readdirSync(dataDir).toSorted()).toEqual(['cluster', 'lock-2'])
  })
})

describe('a start', () => {
  test('is refused while another process has the folder, and names that process', async () => {
    const { child, nextNumber } = spawnKontor()
    await nextNumber()
    await expect(start()).rejects.toThrow(
      `The data folder ${dataDir} is in use by process ${child.pid}. Stop that process, or let both use one PostgreSQL server by DATABASE_URL`,
    )
    expect(await nextNumber()).toBe(1)
  })

  test('shuts down an orphaned server in order', async () => {
    const { server, database } = await start()
    await database.run(sql`create table kept as select 7 as n`)
    await database.close()
    await server.stop()
    const { uid, gid } = fs.statSync(cluster())
    const args = ['-D', cluster(), '-c', 'listen_addresses=', '-c', `unix_socket_directories=${cluster()}`]
    const orphan = spawn(findBinaries().postgres, args, { uid, gid, stdio: 'ignore' })
    cleanUp.push(() => kill(orphan))
    await vi.waitUntil(() => fs.existsSync(join(cluster(), '.s.PGSQL.5432')), { timeout: 10_000 })
    const log: string[] = []
    const again = await start({ onLog: (line) => log.push(line) })
    expect(orphan.exitCode).toBe(0)
    expect(log.join()).not.toContain('automatic recovery')
    expect(await again.database.rows(sql`select n from kept`)).toEqual([{ n: 7 }])
  })

  test('is not blocked by another process with the pid of the killed server', async () => {
    const { child, server } = await spawnWriter()
    process.kill(server, 'SIGKILL')
    await kill(child)
    const { uid, gid } = fs.statSync(cluster())
    const stranger = spawn('sleep', ['60'], { uid, gid })
    cleanUp.push(() => kill(stranger))
    for (const file of ['postmaster.pid', '.s.PGSQL.5432.lock'].map((name) => join(cluster(), name))) {
      fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/^\d+/, `${stranger.pid}`))
    }
    await start()
    expect(stranger.exitCode).toBe(null)
  })
})
