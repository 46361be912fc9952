/**
 * Starts workers: threads, which share memory with the main process, or processes. Building a segment needs much memory
 * for a short time. A process returns it to the operating system when it ends; the memory of a thread stays with its
 * process.
 */
import { fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** The reply to a task. Structured cloning keeps the class of standard errors. */
export interface TaskReply {
  readonly id: number
  readonly answer?: unknown
  readonly error?: unknown
}

/** The interface that a pool needs, common to threads and processes. */
export interface WorkerHandle {
  postMessage(message: object): void
  on(event: 'message', listener: (reply: TaskReply) => void): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
  on(event: 'exit', listener: () => void): unknown
  /** Whether the worker keeps the main process alive. */
  ref(): void
  unref(): void
  terminate(): Promise<unknown>
}

export interface WorkerOptions {
  /** CPU priority: 0 is normal, 19 is the lowest. */
  readonly niceness: number
  /** Megabytes that the young generation of a process has from the start; it grows to 64 when needed. Default: 64. */
  readonly young?: number
}

export function startThread(file: URL, workerData: WorkerOptions): WorkerHandle {
  return new Worker(file, { workerData, execArgv: [] })
}

/**
 * Settings for build processes, which allocate large arrays and many short-lived objects: return freed memory to the
 * operating system at once, collect garbage before the heap has doubled, and use a large young generation, because most
 * objects die before they would be copied. Processes that only follow changes start with a small one, which they keep. Garbage collection uses a single thread, since helper threads would compete
 * with other build processes. Large pages reduce the cost of random memory access.
 */
const buildSettings = {
  env: {
    MALLOC_ARENA_MAX: '1',
    MALLOC_MMAP_THRESHOLD_: '65536',
    MALLOC_TRIM_THRESHOLD_: '65536',
    GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
  },
  execArgv: [
    '--max-semi-space-size=64',
    '--single-threaded-gc',
    '--heap-growing-percent=60',
    '--use-largepages=silent',
  ],
}

/**
 * The process inherits nothing from the environment but the compile cache: it needs no settings and must not see
 * secrets. On Linux it gets its own session, because autogroup scheduling shares the CPU between sessions. Otherwise
 * its work would count against the server and delay requests.
 */
export function startProcess(file: URL, data: WorkerOptions): WorkerHandle {
  const compileCache = getCompileCacheDir()
  const env = { ...buildSettings.env, ...(compileCache && { NODE_COMPILE_CACHE: dirname(compileCache) }) }
  const execArgv = [`--min-semi-space-size=${data.young ?? 64}`, ...buildSettings.execArgv]
  const detached = process.platform === 'linux'
  const child = fork(file, [JSON.stringify(data)], { execArgv, env, detached, serialization: 'advanced' })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    // A process that cannot be started emits only an error.
    child.once('error', () => child.pid === undefined && resolve())
  })
  return {
    // If the process is gone or could not be started, an event reports that. Without file descriptors there is no channel.
    postMessage: (message) => void (child.channel && child.send(message, () => {})),
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
      child.ref() // keep the main process alive until the child has ended
      child.kill('SIGKILL')
      await ended
    },
  }
}
