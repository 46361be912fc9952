/**
 * One run of the PostgreSQL server process, from its start to its end.
 *
 * The server writes its pid (first line) and its state (eighth line) to `postmaster.pid`. Recovery after a crash may take
 * long; we wait as long as the process lives.
 */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import type { Cluster } from './cluster.ts'
import { serversOf, servesFolder, startOf } from './processes.ts'
import { spawnAs } from './run-as.ts'

export interface Postmaster {
  readonly pid: number
  /** Resolves with the reason when the process has ended. */
  readonly ended: Promise<string>
  stop(): Promise<void>
}

type OnLog = (line: string) => void

export async function launch(
  { folder, way }: Cluster,
  binaries: Binaries,
  settings: Record<string, string>,
  onLog: OnLog,
): Promise<Postmaster> {
  await clear(folder, binaries)
  const args = ['-D', folder, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const child = spawnAs(way, binaries.postgres, args, {
    cwd: folder,
    detached: process.platform !== 'win32', // keep Ctrl-C of the terminal from it; we stop the server when we are done
    stdio: ['ignore', 'ignore', 'pipe'],
    env: strangerInPidFile(folder),
  })
  const lastLines: string[] = []
  createInterface({ input: child.stderr! }).on('line', (line) => {
    lastLines.push(line)
    if (lastLines.length > 10) lastLines.shift()
    onLog(line)
  })
  const interrupt = () => child.kill('SIGINT') // for systems where the kernel does not do it (run-as.ts)
  process.on('exit', interrupt)
  const ended = once(child, 'exit')
    .then(([code, signal]) => (signal ? `killed by ${signal}` : `exit code ${code}`))
    .catch((error: Error) => error.message)
    .finally(() => process.off('exit', interrupt))
  const closed = once(child, 'close').catch(() => {})
  const isOver = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null
  while (!isReady(folder, child.pid)) {
    if (isOver()) {
      await closed // all output has arrived
      throw new Error(`PostgreSQL did not start (${await ended}): ${lastLines.join('; ')}`)
    }
    await pause(10)
  }
  return {
    pid: child.pid!,
    ended,
    async stop() {
      if (!isOver()) await shutDown(child.pid!, binaries)
      await ended
    },
  }
}

/**
 * Stops processes that a killed Kontor left running. The caller owns the folder, so nothing else uses them.
 *
 * An orphaned server shuts down in order. Sessions of a killed server notice that only when they next wait, and keep its
 * shared memory until then: a long statement would block the start, so they are terminated at once.
 */
async function clear(folder: string, binaries: Binaries): Promise<void> {
  const { pid } = readPidFile(folder)
  if (pid !== undefined && servesFolder(pid, folder)) await shutDown(pid, binaries)
  await Promise.all(serversOf(folder).map((session) => shutDown(session, binaries, ['QUIT', 'KILL'])))
}

/** Seconds until the next, harder signal: fast shutdown, immediate shutdown, kill. */
const timeoutSeconds = { INT: 30, QUIT: 5, KILL: 5 }
type Signal = keyof typeof timeoutSeconds

async function shutDown(pid: number, { pgCtl }: Binaries, signals: Signal[] = ['INT', 'QUIT', 'KILL']): Promise<void> {
  const start = startOf(pid)
  const isGone = () => startOf(pid) === undefined || startOf(pid) !== start
  for (const signal of signals) {
    if (isGone()) return
    send(signal, pid, pgCtl)
    for (const end = Date.now() + timeoutSeconds[signal] * 1000; Date.now() < end && !isGone();) await pause(10)
  }
}

function send(signal: Signal, pid: number, pgCtl: string): void {
  if (process.platform === 'win32') spawnSync(pgCtl, ['kill', signal, String(pid)])
  else
    try {
      process.kill(pid, `SIG${signal}`)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // it has ended meanwhile
    }
}

const isReady = (folder: string, child: number | undefined) => {
  const { pid, state } = readPidFile(folder)
  return pid === child && state === 'ready'
}

function readPidFile(folder: string): { pid?: number; state?: string | undefined } {
  try {
    const lines = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), state: lines[7]?.trim() }
  } catch {
    return {}
  }
}

/**
 * After a crash the pid in postmaster.pid may belong to another process by now, and PostgreSQL would refuse to start. It
 * ignores the pid that it believes to be its grandparent, and still looks for old sessions that hold the shared memory.
 */
function strangerInPidFile(folder: string): Record<string, string> {
  const { pid } = readPidFile(folder)
  return pid === undefined || servesFolder(pid, folder) ? {} : { PG_GRANDPARENT_PID: String(pid) }
}
