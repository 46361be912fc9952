/**
 * The pool of preview workers: child processes, started on demand, each running one order at a time and killed after a
 * timeout. A worker that ends during an order fails only that order, and only if it happens again and again.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import {
  exitForMemory,
  type FirstMade,
  type Made,
  type MadePreview,
  type Order,
  type Progress,
  type Tools,
} from './message.ts'
import type { Sandbox } from './sandbox.ts'

interface PoolOptions {
  readonly size: number
  readonly seconds: number
  readonly memoryMiB: number
  readonly tools: Tools
  /** How external programs are separated from the server; found out when the server starts. */
  readonly sandbox: Promise<Sandbox>
}
/** Is called before an order has ended. */
interface Early {
  /** Gets a thumbnail that is ready before the rest. */
  readonly onThumbnail?: (thumbnail: MadePreview) => void
  /** Gets how much of a copy is done, in percent. */
  readonly onProgress?: (percent: number) => void
}
export interface Pool {
  /** A drawing, for which a caller waits, goes before the waiting previews. */
  run(order: Omit<Order, 'number' | 'tools' | 'sandbox'>, early?: Early): Promise<Made>
  close(): void
}

/** A worker is replaced after this many orders, because its libraries may leak memory. */
const ordersPerProcess = 200
const idleMillis = 30_000
/**
 * Before an order is tried again whose worker ended. The first pause is long enough to know the ends of other workers that
 * were killed together with it.
 */
const pauses = [100, 1000, 3000]

/**
 * `memory` and `time`: the file needs more than a worker has. `worker`: the worker ended, could not be started, or lacked
 * something; the file may have crashed it, or somebody else may have killed it, as the system does when memory is short.
 */
type Fault = 'memory' | 'time' | 'worker'
export class NotMade extends Error {
  readonly fault: Fault
  constructor(fault: Fault, message: string) {
    super(message)
    this.fault = fault
  }
}

interface Worker {
  readonly child: ChildProcess
  orders: number
  idle?: NodeJS.Timeout
}

export function createPool({ size, seconds, memoryMiB, tools, sandbox }: PoolOptions): Pool {
  const workers = createWorkers(size, memoryMiB)
  /** How often all workers were ended. */
  let ends = 0
  const runOnce: Pool['run'] = async (order, early) => {
    const worker = await workers.acquire(order.drawing !== undefined)
    worker.orders++
    let made: Made | undefined
    try {
      const options = { number: worker.orders, tools, sandbox: await sandbox }
      made = await runOrder(worker, { ...order, ...options }, seconds, early)
      return made
    } finally {
      workers.release(worker, made !== undefined)
    }
  }

  return {
    async run(order, early) {
      const before = ends
      for (const wait of pauses) {
        try {
          return await runOnce(order, early)
        } catch (error) {
          if (!(error instanceof NotMade && error.fault === 'worker') || ends !== before) throw error
          await pause(wait)
        }
      }
      return runOnce(order, early)
    },
    close() {
      ends++
      workers.endAll()
    },
  }
}

function createWorkers(size: number, memoryMiB: number) {
  const free: Worker[] = []
  const all = new Set<Worker>()
  const waiting: PromiseWithResolvers<Worker>[] = []
  const drawings: PromiseWithResolvers<Worker>[] = []

  const start = (): Worker => {
    const child = forkWorker(memoryMiB)
    const worker: Worker = { child, orders: 0 }
    child.on('error', () => {}).once('exit', () => forget(worker))
    all.add(worker)
    return worker
  }
  const forget = (worker: Worker) => {
    clearTimeout(worker.idle)
    all.delete(worker)
    if (free.includes(worker)) free.splice(free.indexOf(worker), 1)
  }
  const end = (worker: Worker) => {
    forget(worker)
    kill(worker.child)
  }
  /** Gives a worker, or else a new one, to the next order that waits. False if none waits. */
  const passOn = (worker: Worker | undefined): boolean => {
    for (let next; (next = drawings.shift() ?? waiting.shift());) {
      try {
        next.resolve(worker ?? start())
        return true
      } catch (error) {
        next.reject(error)
      }
    }
    return false
  }
  return {
    acquire(isFirst: boolean): Promise<Worker> {
      const worker = free.pop() ?? (all.size < size ? start() : undefined)
      if (worker) {
        clearTimeout(worker.idle)
        return Promise.resolve(worker)
      }
      const turn = Promise.withResolvers<Worker>()
      ;(isFirst ? drawings : waiting).push(turn)
      return turn.promise
    },
    release(worker: Worker, isSound: boolean): void {
      const keep = isSound && worker.orders < ordersPerProcess
      if (!keep) end(worker)
      if (passOn(keep ? worker : undefined) || !keep) return
      free.push(worker)
      worker.idle = setTimeout(() => end(worker), idleMillis).unref()
    },
    endAll() {
      for (const worker of all) end(worker)
    },
  }
}

function forkWorker(memoryMiB: number): ChildProcess {
  try {
    return fork(new URL('./worker.ts', import.meta.url), [String(memoryMiB)], {
      env: {},
      execArgv: ['--max-old-space-size=512'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      detached: process.platform !== 'win32',
    })
  } catch (error) {
    throw new NotMade('worker', `the preview worker could not be started: ${(error as Error).message}`)
  }
}

/** Reports of a worker on a machine that lacks something. A file that needs too much memory ends its worker instead (worker.ts). */
const shortage =
  /out of memory|cannot allocate|ENOMEM|EMFILE|ENFILE|EAGAIN|too many open files|temporarily unavailable/i
/** A program that lacks memory has reached the limit that is set for it (tools.ts). */
const programLimit = /^[\w-]+ failed: .*cannot allocate memory/i

/** Sends an order and waits for the result, the exit of the worker, or the timeout. */
function runOrder(
  { child }: Worker,
  order: Order,
  seconds: number,
  { onThumbnail, onProgress }: Early = {},
): Promise<Made> {
  return new Promise((resolve, reject) => {
    const done = (settle: () => void) => {
      clearTimeout(timeout)
      child.off('message', onMessage).off('exit', onExit)
      settle()
    }
    const onMessage = (made: Made | FirstMade | Progress) => {
      if (made.number !== order.number) return
      if ('thumbnail' in made) onThumbnail?.(made.thumbnail)
      else if ('percent' in made) onProgress?.(made.percent)
      else if (made.problem && programLimit.test(made.problem)) fail('memory', made.problem)
      else if (made.problem && shortage.test(made.problem)) fail('worker', made.problem)
      else done(() => resolve(made))
    }
    const fail = (fault: Fault, message: string) => done(() => reject(new NotMade(fault, message)))
    const onExit = (code: number | null, signal: string | null) =>
      fail(code === exitForMemory ? 'memory' : 'worker', `the preview worker exited (${signal ?? code})`)
    const timeout = setTimeout(() => fail('time', `not made within ${seconds} seconds`), seconds * 1000)
    child.on('message', onMessage).on('exit', onExit)
    if (child.exitCode !== null || child.signalCode !== null) return onExit(child.exitCode, child.signalCode)
    // It could not be started, or it is about to exit.
    if (!child.channel) return fail('worker', 'the preview worker does not listen')
    child.send(order, (error) => error && fail('worker', error.message))
  })
}

/** Kills the worker and its subprocesses, which are in its process group. */
function kill({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // it has already exited
  }
}
