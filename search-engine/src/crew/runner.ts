/**
 * Where the tasks of a pool run: in a thread, which shares memory with the others, or in a process of its own. What is
 * gathered for a segment is large and soon gone, and a process gives all of it back to the system when it ends; the
 * memory of a thread stays with the process that it was part of.
 */
import { fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** What it says. Errors come as they are: structured cloning keeps their class where the language knows it. */
export interface Said {
  readonly id: number
  readonly answer?: unknown
  readonly error?: unknown
}

/** What a pool needs of either. */
export interface Runner {
  postMessage(message: object): void
  on(event: 'message', listener: (said: Said) => void): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
  on(event: 'exit', listener: () => void): unknown
  /** Whether it keeps the process from ending. */
  ref(): void
  unref(): void
  terminate(): Promise<unknown>
}

export interface RunnerData {
  /** How far it steps back behind others, as the system counts it: 0 not at all, 19 as far as can be. */
  readonly niceness: number
}

export function startThread(file: URL, workerData: RunnerData): Runner {
  return new Worker(file, { workerData, execArgv: [] })
}

/**
 * A builder works through large arrays and short-lived objects. What it frees is to go back to the system at once, and it
 * is to look for what it can free before its heap has doubled. But what has just been made is left alone for long: most of
 * it is gone by then, and need not be copied. Threads that help it collect garbage would take from another builder more
 * than they save here. Large pages, where the system has them, save it a look into the tables of memory for each of its
 * many leaps.
 */
const thrifty = {
  env: {
    MALLOC_ARENA_MAX: '1',
    MALLOC_MMAP_THRESHOLD_: '65536',
    MALLOC_TRIM_THRESHOLD_: '65536',
    GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
  },
  execArgv: [
    '--min-semi-space-size=64',
    '--max-semi-space-size=64',
    '--single-threaded-gc',
    '--heap-growing-percent=60',
    '--use-largepages=silent',
  ],
}

/**
 * Nothing of the environment goes with it but where modules are kept ready: it needs no setting and is to know no secret.
 * On Linux it has a session of its own, because the system may weigh whole sessions against each other: what it does would
 * be charged to the server, whose requests then wait for every process of the database.
 */
export function startProcess(file: URL, data: RunnerData): Runner {
  const modules = getCompileCacheDir()
  const env = { ...thrifty.env, ...(modules && { NODE_COMPILE_CACHE: dirname(modules) }) }
  const detached = process.platform === 'linux'
  const child = fork(file, [JSON.stringify(data)], { ...thrifty, env, detached, serialization: 'advanced' })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    // One that cannot even be started is told of by an error alone.
    child.once('error', () => child.pid === undefined && resolve())
  })
  return {
    // One that cannot be reached has ended, and that is heard.
    postMessage: (message) => void child.send(message, () => {}),
    on(event: 'message' | 'error' | 'exit', listener: (value: never) => void) {
      return event === 'exit'
        ? ended.then(listener as () => void)
        : child.on(event, listener as (value: unknown) => void)
    },
    ref() {
      child.ref()
      child.channel?.ref()
    },
    unref() {
      child.unref()
      child.channel?.unref()
    },
    async terminate() {
      child.ref() // its end is waited for, even where nothing else is left to do
      child.kill('SIGKILL')
      await ended
    },
  }
}
