/**
 * A thread for computations whose cost a user chooses: one call after another, each with a time limit, so that none holds
 * the event loop.
 *
 * The thread starts on first use and ends after a minute without calls. A call that exceeds its time ends the thread, and
 * the next call starts a new one.
 */
import { because } from '@kontor/contract'
import { parentPort, Worker } from 'node:worker_threads'
import { Problem } from '../errors.ts'

/** The functions that a program serves. Arguments and results are copied, so they cannot be or contain functions. */
type Calls = Readonly<Record<string, (...args: never[]) => unknown>>

export interface Thread<C extends Calls> {
  call<N extends keyof C & string>(name: N, ...args: Parameters<C[N]>): Promise<Awaited<ReturnType<C[N]>>>
  close(): Promise<void>
}

const idleMillis = 60_000
const memoryMegabytes = 1024

interface Reply {
  readonly result?: unknown
  readonly error?: Error
}

export function createThread<C extends Calls>(program: URL, what: string, limitMillis = 30_000): Thread<C> {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let closed = false

  const end = async () => {
    clearTimeout(idle)
    const ended = worker
    worker = undefined
    await ended?.terminate()
  }
  const start = async () => {
    const options = { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes } }
    const started = new Worker(program, options)
    // A thread that is gone is replaced by the next call.
    const gone = () => void (worker === started && (worker = undefined))
    started.on('error', gone).on('exit', gone)
    worker = started
    // The first message says that the program is loaded: the limit is for the call, not for the start on a busy machine.
    await nextMessage(started).catch((cause: Error) => {
      throw closed ? cause : new Problem('unavailable', because('noThread'), { cause })
    })
    return started
  }
  const run = async (message: object): Promise<unknown> => {
    if (closed) throw new Problem('unavailable', because('stopping'))
    clearTimeout(idle)
    const ready = worker ?? (await start())
    ready.ref()
    try {
      ready.postMessage(message)
      const { result, error } = await nextMessage(ready, limitMillis)
      if (error) throw error
      return result
    } catch (error) {
      if (error !== overdue) throw error
      await end()
      throw new Problem('invalid', `${what} takes longer than ${limitMillis / 1000} seconds; make it smaller`)
    } finally {
      worker?.unref()
      idle = setTimeout(() => void end(), idleMillis).unref()
    }
  }
  return {
    call(name, ...args) {
      const done = last.then(() => run({ name, args }))
      last = done.catch(() => {})
      return done as Promise<never>
    },
    async close() {
      closed = true
      await end()
    },
  }
}

const overdue = Symbol('overdue')

/** The next message of a thread; rejects when the time is over or the thread fails. */
function nextMessage(worker: Worker, limitMillis?: number): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const timer = limitMillis && setTimeout(() => reject(overdue), limitMillis) // oxlint-disable-line typescript/prefer-promise-reject-errors
  const exited = () => reject(new Error('the thread ended'))
  worker.once('message', resolve).once('error', reject).once('exit', exited)
  return promise.finally(() => {
    clearTimeout(timer)
    worker.off('message', resolve).off('error', reject).off('exit', exited)
  })
}

/** Serves calls in the thread, and says that it is ready to. */
export function serveCalls(calls: Calls): void {
  parentPort!.on('message', ({ name, args }: { name: string; args: never[] }) => {
    void Promise.resolve()
      .then(() => calls[name]!(...args))
      .then(
        (result): Reply => ({ result }),
        (error: Error): Reply => ({ error }),
      )
      .then((reply) => parentPort!.postMessage(reply))
  })
  parentPort!.postMessage({} satisfies Reply)
}
