/**
 * PostgreSQL inside Kontor: `npm start` needs no database server.
 *
 * The server is a child process on a data folder of ours. It recovers from every crash of either process:
 *
 *   PostgreSQL is killed    it is restarted; open connections break, and the pool opens new ones
 *   Kontor is killed        the kernel stops the server (run-as.ts); otherwise the next start stops the orphan
 *   both are killed         the next start recovers all committed data
 *   a second Kontor starts  it is refused with the process that has the folder (folder-lock.ts)
 *
 * This server is for evaluation and small installations. A large one has a PostgreSQL of its own (DATABASE_URL).
 */
import { chmodSync, chownSync, mkdirSync, realpathSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { findBinaries } from './embedded/binaries.ts'
import { openCluster, serverSettings, socketAddress, tcpAddress } from './embedded/cluster.ts'
import { lockFolder } from './embedded/folder-lock.ts'
import { groupOf } from './embedded/run-as.ts'
import { launch, type Postmaster } from './embedded/postmaster.ts'

export interface EmbeddedOptions {
  dataDir: string
  /** Receives the log of the server, line by line. */
  onLog?: (line: string) => void
  /** Called with the reason when the server ended by itself; it is being restarted. */
  onExit?: (reason: string) => void
  /** Server settings that override the defaults. */
  settings?: Record<string, string>
  /** Listens on a local port instead of a unix socket; the default where there are no unix sockets. */
  tcp?: boolean
  /** Milliseconds that it waits at most before it restarts a server that ends again and again. */
  longestPause?: number
}

export interface Embedded {
  readonly poolConfig: pg.PoolConfig
  /** The server process; it changes after a restart. */
  readonly pid: number
  stop(): Promise<void>
}

export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { onLog = () => {}, onExit = () => {}, settings = {}, tcp = process.platform === 'win32' } = options
  const { longestPause = 10_000 } = options
  const binaries = findBinaries()
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  const dataDir = realpathSync(options.dataDir)
  if (process.getuid?.() === 0) admit(dataDir)
  const unlock = lockFolder(dataDir)
  try {
    const cluster = await openCluster(dataDir, binaries, settings.fsync !== 'off', tcp)
    const address = tcp ? await tcpAddress(dataDir, cluster) : socketAddress(cluster)
    const start = () => launch(cluster, binaries, { ...serverSettings(), ...address.settings, ...settings }, onLog)
    const server = await keepRunning(start, onExit, longestPause)
    let stopped: Promise<void> | undefined
    return {
      poolConfig: address.poolConfig,
      get pid() {
        return server.pid
      },
      stop: () => (stopped ??= server.stop().then(unlock)),
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** Root runs the programs as another user. Its group may pass through the folder; nobody else can. */
function admit(dataDir: string): void {
  try {
    chownSync(dataDir, -1, groupOf(dataDir))
    chmodSync(dataDir, 0o710)
  } catch {
    chmodSync(dataDir, 0o711) // root without the right to change owners
  }
}

const firstPause = 100

/** Restarts the server whenever it ends by itself, with increasing pauses if that happens repeatedly. */
async function keepRunning(start: () => Promise<Postmaster>, onExit: (reason: string) => void, longestPause: number) {
  const stopping = new AbortController()
  const isStopping = () => stopping.signal.aborted
  let server = await start()
  const watch = async () => {
    for (let wait = firstPause; !isStopping(); wait = Math.min(wait * 2, longestPause)) {
      const since = Date.now()
      const reason = await server.ended
      if (isStopping()) return
      onExit(reason)
      if (Date.now() - since > longestPause) wait = firstPause
      await pause(wait, undefined, { signal: stopping.signal }).catch(() => {})
      if (isStopping()) return
      server = await start().catch((error: Error) => ({ ...server, ended: Promise.resolve(error.message) }))
    }
  }
  const watching = watch()
  return {
    get pid() {
      return server.pid
    },
    async stop() {
      stopping.abort()
      await server.stop()
      await watching
      await server.stop() // the server that was being started
    },
  }
}
