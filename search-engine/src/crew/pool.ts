/**
 * Threads that do one task after the other. A thread is started when there is work for it; one that dies is replaced,
 * and its tasks go to another.
 *
 *   ask -> waiting (at most `mostWaiting`) -> a thread with room -> answer
 *
 * Each thread is handed two tasks at a time, so that it finds the next one waiting when it has done the first.
 */
import type { Runner, Said } from './runner.ts'

/** Too many tasks are waiting already. Nothing was done; ask again later. */
export class SearchBusy extends Error {
  constructor() {
    super('too many searches are waiting; try again in a moment')
    this.name = 'SearchBusy'
  }
}

/** A task took longer than any may, or ended the thread that did it, twice. */
export class TaskFailed extends Error {
  constructor(what: string) {
    super(`the search engine gave up a task: ${what}`)
    this.name = 'TaskFailed'
  }
}

export interface PoolOptions<Task> {
  readonly size: number
  readonly mostWaiting: number
  /** Milliseconds; a thread that works longer on one task is ended. */
  readonly mostTime?: number
  /** Starts a thread, and tells what to send it for a task, or without one to let it know what is new. */
  start(): { readonly worker: Runner; messageOf(task?: Task): object }
  onFailure(error: unknown): void
}

export interface Pool<Task> {
  ask(task: Task): Promise<unknown>
  /** Lets every thread know what is new, so that none holds on to what is old. */
  refresh(): void
  /** Ends the threads that have nothing to do, and with them the memory they took. */
  rest(): Promise<void>
  close(): Promise<void>
}

interface Job<Task> {
  readonly task: Task
  failures: number
  resolve(answer: unknown): void
  reject(error: unknown): void
}

const tasksPerThread = 2
const mostFailures = 2

export function createPool<Task>(options: PoolOptions<Task>): Pool<Task> {
  const waiting: Job<Task>[] = []
  const threads = new Set<Thread<Task>>()
  let isClosed = false

  function serve(): void {
    while (waiting.length) {
      const thread = threadWithRoom()
      if (!thread) return
      thread.take(waiting.shift()!)
    }
  }
  function threadWithRoom(): Thread<Task> | undefined {
    let freest: Thread<Task> | undefined
    for (const thread of threads) if (!freest || thread.load() < freest.load()) freest = thread
    if (freest?.load() === 0 || (freest && threads.size >= options.size)) {
      return freest.load() < tasksPerThread ? freest : undefined
    }
    const thread = startThread(options, serve, (left) => lost(thread, left))
    threads.add(thread)
    return thread
  }
  /** The thread is gone: of what it had, the first task may be why. */
  function lost(thread: Thread<Task>, left: readonly Job<Task>[]): void {
    threads.delete(thread)
    const [first, ...others] = left
    if (first && ++first.failures >= mostFailures) first.reject(new TaskFailed('it ended the thread that did it'))
    else if (first) waiting.unshift(first)
    waiting.unshift(...others)
    if (isClosed) for (const { reject } of waiting.splice(0)) reject(new TaskFailed('the engine is closed'))
    else serve()
  }
  return {
    ask: (task) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new TaskFailed('the engine is closed'))
        if (waiting.length >= options.mostWaiting) return reject(new SearchBusy())
        waiting.push({ task, failures: 0, resolve, reject })
        serve()
      }),
    refresh() {
      for (const thread of threads) thread.refresh()
    },
    async rest() {
      await Promise.all([...threads].filter((thread) => thread.load() === 0).map((thread) => thread.end()))
    },
    async close() {
      isClosed = true
      await Promise.all([...threads].map((thread) => thread.end()))
    },
  }
}

interface Thread<Task> {
  load(): number
  take(job: Job<Task>): void
  refresh(): void
  end(): Promise<unknown>
}

function startThread<Task>(
  { start, mostTime, onFailure }: PoolOptions<Task>,
  free: () => void,
  lost: (left: Job<Task>[]) => void,
): Thread<Task> {
  const { worker, messageOf } = start()
  const jobs = new Map<number, Job<Task>>()
  let lastId = 0
  let timer: NodeJS.Timeout | undefined

  /** The task in hand is the first; its time begins when the one before it is done. */
  function watch(): void {
    clearTimeout(timer)
    if (mostTime !== undefined && jobs.size) timer = setTimeout(giveUp, mostTime)
    if (jobs.size) worker.ref()
    else worker.unref()
  }
  function giveUp(): void {
    const [id, job] = jobs.entries().next().value!
    jobs.delete(id)
    job.reject(new TaskFailed(`it took longer than ${mostTime} ms`))
    void worker.terminate()
  }
  worker.unref()
  worker.on('message', ({ id, answer, error }: Said) => {
    const job = jobs.get(id)
    jobs.delete(id)
    watch()
    if (error !== undefined) job?.reject(error)
    else job?.resolve(answer)
    free()
  })
  worker.on('error', onFailure)
  worker.on('exit', () => {
    clearTimeout(timer)
    lost([...jobs.values()])
  })
  return {
    load: () => jobs.size,
    take(job) {
      const message = messageOf(job.task)
      jobs.set(++lastId, job)
      if (jobs.size === 1) watch()
      worker.postMessage({ id: lastId, ...message })
    },
    refresh: () => worker.postMessage(messageOf()),
    end: () => worker.terminate(),
  }
}
