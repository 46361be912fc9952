/**
 * PostgreSQL inside Kontor: `npm start` needs no database server.
 *
 * The server is a child process on a data folder of ours. It survives what may happen to either of us:
 *
 *   PostgreSQL is killed    it is started again; connections that were open break, the pool opens new ones
 *   Kontor is killed        the kernel stops the server (run-as.ts); else the next start stops the orphan
 *   both are killed         the next start recovers what was committed
 *   a second Kontor starts  it is refused, and told who has the folder (folder-lock.ts)
 *
 * This is the server for trying out and for small installations. A large one has a PostgreSQL of its own (DATABASE_URL).
 */
import { chmodSync, mkdirSync, realpathSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { findBinaries } from './embedded/binaries.ts'
import { openCluster, serverSettings, socketAddress, tcpAddress } from './embedded/cluster.ts'
import { lockFolder } from './embedded/folder-lock.ts'
import { launch, type Postmaster } from './embedded/postmaster.ts'

export interface EmbeddedOptions {
  dataDir: string
  /** Takes the server's log, line by line. */
  onLog?: (line: string) => void
  /** Told when the server ended by itself, and why; it is being started again. */
  onExit?: (reason: string) => void
  /** Server settings, over those chosen here. */
  settings?: Record<string, string>
  /** Listens on a port of this machine instead of a unix socket; the default where there are no such sockets. */
  tcp?: boolean
}

export interface Embedded {
  readonly poolConfig: pg.PoolConfig
  /** The server process; another one after a restart. */
  readonly pid: number
  stop(): Promise<void>
}

export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { onLog = () => {}, onExit = () => {}, settings = {}, tcp = process.platform === 'win32' } = options
  const binaries = findBinaries()
  mkdirSync(options.dataDir, { recursive: true })
  const dataDir = realpathSync(options.dataDir)
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711) // root's programs run as somebody else, who must get in
  const unlock = lockFolder(dataDir)
  try {
    const cluster = await openCluster(dataDir, binaries, settings.fsync !== 'off', tcp)
    const address = tcp ? await tcpAddress(dataDir, cluster) : socketAddress(cluster)
    const start = () => launch(cluster, binaries, { ...serverSettings(), ...address.settings, ...settings }, onLog)
    const server = await keepRunning(start, onExit)
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

const firstPause = 100
const longestPause = 10_000

/** Starts the server again whenever it ends by itself; when that happens again soon, after longer and longer pauses. */
async function keepRunning(start: () => Promise<Postmaster>, onExit: (reason: string) => void) {
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
      await server.stop() // the one that was just being started
    },
  }
}
