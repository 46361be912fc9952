/**
 * The pool of preview workers: child processes, started on demand, each running one order at a time and killed after a
 * timeout. A crashed worker fails only its own order.
 */
import { type ChildProcess, fork } from 'node:child_process'
import type { FirstMade, Made, MadePreview, Order, Tools } from './message.ts'
import type { Sandbox } from './sandbox.ts'

interface PoolOptions {
  readonly size: number
  readonly seconds: number
  readonly memoryMiB: number
  readonly tools: Tools
  /** How external programs are separated from the server; found out when the server starts. */
  readonly sandbox: Promise<Sandbox>
}
export interface Pool {
  /** A drawing, for which a caller waits, goes before the waiting previews. `onThumbnail` gets a thumbnail that is ready before the rest. */
  run(order: Omit<Order, 'number' | 'tools' | 'sandbox'>, onThumbnail?: (thumbnail: MadePreview) => void): Promise<Made>
  close(): void
}

/** A worker is replaced after this many orders, because its libraries may leak memory. */
const ordersPerProcess = 200
const idleMillis = 30_000

interface Worker {
  readonly child: ChildProcess
  orders: number
  idle?: NodeJS.Timeout
}

export function createPool({ size, seconds, memoryMiB, tools, sandbox }: PoolOptions): Pool {
  const free: Worker[] = []
  const all = new Set<Worker>()
  const waiting: ((worker: Worker) => void)[] = []
  const drawings: ((worker: Worker) => void)[] = []

  const start = (): Worker => {
    const child = fork(new URL('./worker.ts', import.meta.url), [String(memoryMiB)], {
      env: {},
      execArgv: ['--max-old-space-size=512'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      detached: process.platform !== 'win32',
    })
    const worker = { child, orders: 0 }
    child.on('error', () => {})
    all.add(worker)
    return worker
  }
  const acquire = (isFirst: boolean): Promise<Worker> => {
    const worker = free.pop() ?? (all.size < size ? start() : undefined)
    if (!worker) return new Promise((resolve) => void (isFirst ? drawings : waiting).push(resolve))
    clearTimeout(worker.idle)
    return Promise.resolve(worker)
  }
  const end = (worker: Worker) => {
    clearTimeout(worker.idle)
    all.delete(worker)
    kill(worker.child)
  }
  const release = (worker: Worker, isSound: boolean) => {
    const keep = isSound && worker.orders < ordersPerProcess
    if (!keep) end(worker)
    const next = drawings.shift() ?? waiting.shift()
    if (next) return next(keep ? worker : start())
    if (!keep) return
    free.push(worker)
    worker.idle = setTimeout(() => {
      free.splice(free.indexOf(worker), 1)
      end(worker)
    }, idleMillis).unref()
  }

  return {
    async run(order, onThumbnail) {
      const worker = await acquire(order.drawing !== undefined)
      worker.orders++
      let made: Made | undefined
      try {
        const options = { number: worker.orders, tools, sandbox: await sandbox }
        made = await runOrder(worker, { ...order, ...options }, seconds, onThumbnail)
        return made
      } finally {
        release(worker, made !== undefined)
      }
    },
    close() {
      for (const worker of all) end(worker)
    },
  }
}

/** Sends an order and waits for the result, the exit of the worker, or the timeout. */
function runOrder(
  { child }: Worker,
  order: Order,
  seconds: number,
  onThumbnail: (thumbnail: MadePreview) => void = () => {},
): Promise<Made> {
  return new Promise((resolve, reject) => {
    const done = (settle: () => void) => {
      clearTimeout(timeout)
      child.off('message', onMessage).off('exit', onExit)
      settle()
    }
    const onMessage = (made: Made | FirstMade) => {
      if (made.number !== order.number) return
      if ('thumbnail' in made) onThumbnail(made.thumbnail)
      else done(() => resolve(made))
    }
    const onExit = (code: number | null, signal: string | null) =>
      done(() => reject(new Error(`the preview worker exited (${signal ?? code})`)))
    const timeout = setTimeout(
      () => done(() => reject(new Error(`previews were not made within ${seconds} seconds`))),
      seconds * 1000,
    )
    child.on('message', onMessage).on('exit', onExit)
    if (child.exitCode !== null || child.signalCode !== null) return onExit(child.exitCode, child.signalCode)
    if (!child.channel) return done(() => reject(new Error('the preview worker could not be started')))
    child.send(order, (error) => error && done(() => reject(error)))
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
