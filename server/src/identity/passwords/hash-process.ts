/**
 * The process that works on passwords: argon2 is made to keep a core and 19 MiB of cache busy, so it is done beside the
 * server, with the lowest priority there is. An attack on the login page then gets what is left over, not what the others
 * need.
 *
 * It is started when it is first needed and ended when it had nothing to do for a while. One that dies is replaced, and
 * its orders are given to the next one, once: an order that ends two of them is not tried on a third.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import type { Hasher } from './argon2.ts'
import type { Answer, Order } from './hash-worker.ts'

export interface HashProcess extends Hasher {
  /** Of the process that is running, for tests. */
  pid(): number | undefined
  close(): void
}

const idleMillis = 60_000

interface Waiting {
  readonly order: Order
  tries: number
  settle(answer: Answer | Error): void
}

export function createHashProcess(): HashProcess {
  const waiting = new Map<number, Waiting>()
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let orders = 0
  let closed = false

  const end = () => {
    clearTimeout(idle)
    child
      ?.removeAllListeners()
      .on('error', () => {})
      .kill('SIGKILL')
    child = undefined
  }
  const rest = () => {
    child?.channel?.unref()
    idle = setTimeout(end, idleMillis).unref()
  }
  const start = () => {
    const started = startWorker()
    started.on('message', (answer: Answer) => waiting.get(answer.number)?.settle(answer))
    const gone = () => {
      if (child !== started) return // told already
      child = undefined
      for (const one of waiting.values()) give(one)
    }
    return started.on('exit', gone).on('error', gone)
  }
  const give = (one: Waiting) => {
    if (closed) return one.settle(new Error('the server is stopping'))
    if (++one.tries > 2) return one.settle(new Error('the process that works on passwords ended twice'))
    child ??= start()
    child.channel?.ref()
    child.send(one.order, () => {}) // one that cannot be reached ends, and that is heard
  }
  const ask = (order: Omit<Order, 'number'>) =>
    new Promise<Answer>((resolve, reject) => {
      clearTimeout(idle)
      const number = ++orders
      const settle = (answer: Answer | Error) => {
        waiting.delete(number)
        if (waiting.size === 0) rest()
        if (answer instanceof Error) reject(answer)
        else if (answer.problem !== undefined) reject(new Error(answer.problem))
        else resolve(answer)
      }
      const one = { order: { ...order, number }, tries: 0, settle }
      waiting.set(number, one)
      give(one)
    })

  return {
    hash: async (password) => (await ask({ password })).hash!,
    verify: async (hash, password) => (await ask({ password, hash })).matches!,
    pid: () => child?.pid,
    close() {
      closed = true
      for (const one of waiting.values()) give(one)
      end()
    },
  }
}

/** It ends with the server, and while nobody waits for an answer it does not keep the server from ending. */
function startWorker(): ChildProcess {
  const child = fork(new URL('./hash-worker.ts', import.meta.url), [], {
    env: {},
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // Before it has threads: they get the priority of who starts them.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  child.unref()
  return child
}
