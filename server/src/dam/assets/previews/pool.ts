/**
 * The pool of preview workers: child processes, started on demand, each running one order at a time and killed after a
 * timeout. A crashed worker fails only its own order.
 */
import { type ChildProcess, fork } from 'node:child_process'
import type { Made, Order, Tools } from './message.ts'

export interface PoolOptions {
  readonly size: number
  readonly seconds: number
  readonly memoryMiB: number
  readonly tools: Tools
}
export interface Pool {
  run(order: Omit<Order, 'number' | 'tools'>): Promise<Made>
  close(): void
}

/** A worker is replaced after this many orders, because its libraries may leak memory. */
const ordersPerProcess = 200
const idleMillis = 30_000

interface Hand {
  readonly child: ChildProcess
  orders: number
  idle?: NodeJS.Timeout
}

export function createPool({ size, seconds, memoryMiB, tools }: PoolOptions): Pool {
  const free: Hand[] = []
  const all = new Set<Hand>()
  const waiting: ((hand: Hand) => void)[] = []

  const start = (): Hand => {
    const child = fork(new URL('./worker.ts', import.meta.url), [String(memoryMiB)], {
      env: {},
      execArgv: ['--max-old-space-size=512'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      detached: process.platform !== 'win32',
    })
    const hand = { child, orders: 0 }
    child.on('error', () => {})
    all.add(hand)
    return hand
  }
  const take = (): Promise<Hand> => {
    const hand = free.pop() ?? (all.size < size ? start() : undefined)
    if (!hand) return new Promise((resolve) => waiting.push(resolve))
    clearTimeout(hand.idle)
    return Promise.resolve(hand)
  }
  const end = (hand: Hand) => {
    clearTimeout(hand.idle)
    all.delete(hand)
    kill(hand.child)
  }
  const giveBack = (hand: Hand, isSound: boolean) => {
    const keep = isSound && hand.orders < ordersPerProcess
    if (!keep) end(hand)
    const next = waiting.shift()
    if (next) return next(keep ? hand : start())
    if (!keep) return
    free.push(hand)
    hand.idle = setTimeout(() => {
      free.splice(free.indexOf(hand), 1)
      end(hand)
    }, idleMillis).unref()
  }

  return {
    async run(order) {
      const hand = await take()
      hand.orders++
      let made: Made | undefined
      try {
        made = await ask(hand, { ...order, number: hand.orders, tools }, seconds)
        return made
      } finally {
        giveBack(hand, made !== undefined)
      }
    },
    close() {
      for (const hand of all) end(hand)
    },
  }
}

/** Sends an order and waits for the result, the exit of the worker, or the timeout. */
function ask({ child }: Hand, order: Order, seconds: number): Promise<Made> {
  return new Promise((resolve, reject) => {
    const done = (settle: () => void) => {
      clearTimeout(patience)
      child.off('message', onMessage).off('exit', onExit)
      settle()
    }
    const onMessage = (made: Made) => made.number === order.number && done(() => resolve(made))
    const onExit = (code: number | null, signal: string | null) =>
      done(() => reject(new Error(`the process that makes previews ended (${signal ?? code})`)))
    const patience = setTimeout(
      () => done(() => reject(new Error(`previews were not made within ${seconds} seconds`))),
      seconds * 1000,
    )
    child.on('message', onMessage).on('exit', onExit)
    if (child.exitCode !== null || child.signalCode !== null) return onExit(child.exitCode, child.signalCode)
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
