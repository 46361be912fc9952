/**
 * The process that hashes and judges passwords. argon2 is designed to occupy a core and 19 MiB of cache, and the
 * dictionaries of common passwords take much memory, so both run outside of the server, with the lowest priority. An
 * attack on the login page then uses only the time that other requests leave.
 *
 * The process starts on first use and ends after a minute without requests. If it dies, a new one gets its requests, but
 * a request that has ended two processes is refused.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { createArgon2, type HashCost, standardCost } from './argon2.ts'
import { Problem } from '../../errors.ts'
import type { Reply, Request, Work } from './hash-worker.ts'
import type { PasswordWorker } from './passwords.ts'

interface HashProcess extends PasswordWorker {
  /** The id of the running process, for tests. */
  pid(): number | undefined
}

const idleMillis = 60_000
const maxAttempts = 2

interface Pending {
  readonly request: Request
  attempts: number
  settle(reply: Reply | Error): void
}

export function createHashProcess(cost: HashCost = standardCost): HashProcess {
  const pending = new Map<number, Pending>()
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let requests = 0
  let closed = false

  const end = () => {
    clearTimeout(idle)
    child
      ?.removeAllListeners()
      .on('error', () => {})
      .kill('SIGKILL')
    child = undefined
  }
  const startIdleTimer = () => {
    child?.channel?.unref()
    idle = setTimeout(end, idleMillis).unref()
  }
  const start = () => {
    const started = startWorker(cost)
    started.on('message', (reply: Reply) => pending.get(reply.number)?.settle(reply))
    const onEnd = () => {
      if (child !== started) return // `error` and `exit` may both be emitted
      child = undefined
      for (const one of pending.values()) send(one)
    }
    return started.on('exit', onEnd).on('error', onEnd)
  }
  const send = (one: Pending) => {
    if (closed) return one.settle(new Problem('unavailable', 'the server is stopping'))
    if (++one.attempts > maxAttempts)
      return one.settle(new Problem('unavailable', 'the process that hashes passwords ended twice; try again later'))
    child ??= start()
    child.channel?.ref()
    // If the process cannot be reached, `exit` or `error` follows. Without file descriptors there is no channel.
    if (child.channel) child.send(one.request, () => {})
  }
  const request = (work: Work) =>
    new Promise<string | boolean>((resolve, reject) => {
      clearTimeout(idle)
      const number = ++requests
      const settle = (reply: Reply | Error) => {
        pending.delete(number)
        if (pending.size === 0) startIdleTimer()
        if (reply instanceof Error) reject(reply)
        else if (reply.problem !== undefined) reject(new Error(reply.problem))
        else resolve(reply.result!)
      }
      const one = { request: { ...work, number }, attempts: 0, settle }
      pending.set(number, one)
      send(one)
    })

  return {
    isOutdated: createArgon2(cost).isOutdated,
    hash: async (password) => String(await request({ kind: 'hash', password })),
    verify: async (hash, password) => (await request({ kind: 'verify', password, hash })) === true,
    isGuessable: async (password, personal) => (await request({ kind: 'judge', password, personal })) === true,
    pid: () => child?.pid,
    close() {
      closed = true
      for (const one of pending.values()) send(one)
      end()
    },
  }
}

/** The process ends with the server, and does not keep the server alive while no request is pending. */
function startWorker(cost: HashCost): ChildProcess {
  const child = fork(new URL('./hash-worker.ts', import.meta.url), [JSON.stringify(cost)], {
    env: {},
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // Set before the process creates threads, because they inherit the priority.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  child.unref()
  return child
}
