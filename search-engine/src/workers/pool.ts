/**
 * A pool of worker threads or processes. A worker is started when there is a task for it. A worker that dies is
 * replaced, and its tasks are given to another.
 *
 *   run -> queue (at most `maxWaiting`, for at most `maxWait`) -> a free worker -> result
 *
 * Each worker gets two tasks at a time, so that it never waits for the next one.
 */
import type { WorkerHandle, TaskReply } from './start-worker.ts'

/** The queue is full, or the task has waited too long in it. Nothing was done; try again later. */
export class SearchBusy extends Error {
  constructor() {
    super('too many searches are waiting; try again in a moment')
    this.name = 'SearchBusy'
  }
}

/** A task exceeded the time limit, or ended its worker twice. */
export class TaskFailed extends Error {
  constructor(what: string) {
    super(`the search engine gave up a task: ${what}`)
    this.name = 'TaskFailed'
  }
}

export interface PoolOptions<Task> {
  readonly size: number
  readonly maxWaiting: number
  /** A task that has waited so many milliseconds for a worker is refused. */
  readonly maxWait?: number
  /** Time limit per task in milliseconds. A worker that exceeds it is terminated. */
  readonly maxTime?: number
  /** Starts a worker. `messageOf` returns the message for a task or, without one, for a refresh. */
  start(): { readonly worker: WorkerHandle; messageOf(task?: Task): object }
  onFailure(error: unknown): void
}

export interface Pool<Task> {
  run(task: Task): Promise<unknown>
  /** Sends every worker the latest views, so that none holds on to old segments. */
  refresh(): void
  /** Ends idle workers and so frees their memory. */
  stopIdle(): Promise<void>
  close(): Promise<void>
}

interface Job<Task> {
  readonly task: Task
  /** Runs until a worker takes the task for the first time. */
  timer?: NodeJS.Timeout
  failures: number
  resolve(answer: unknown): void
  reject(error: unknown): void
}

const tasksPerThread = 2
const maxFailures = 2

export function createPool<Task>(options: PoolOptions<Task>): Pool<Task> {
  const waiting: Job<Task>[] = []
  const threads = new Set<Thread<Task>>()
  let isClosed = false

  function serve(): void {
    while (waiting.length) {
      const thread = threadWithRoom()
      if (!thread) return
      const job = waiting.shift()!
      clearTimeout(job.timer)
      thread.take(job)
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
  /** A worker has died. Its first task may be the cause; the others are retried without a penalty. */
  function lost(thread: Thread<Task>, left: readonly Job<Task>[]): void {
    threads.delete(thread)
    const [first, ...others] = left
    if (first && ++first.failures >= maxFailures) first.reject(new TaskFailed('it ended the thread that did it'))
    else if (first) waiting.unshift(first)
    waiting.unshift(...others)
    if (!isClosed) return serve()
    for (const { timer, reject } of waiting.splice(0)) {
      clearTimeout(timer)
      reject(new TaskFailed('the engine is closed'))
    }
  }
  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new TaskFailed('the engine is closed'))
        if (waiting.length >= options.maxWaiting) return reject(new SearchBusy())
        const job: Job<Task> = { task, failures: 0, resolve, reject }
        waiting.push(job)
        serve()
        if (options.maxWait !== undefined && waiting.includes(job))
          job.timer = setTimeout(() => {
            waiting.splice(waiting.indexOf(job), 1)
            reject(new SearchBusy())
          }, options.maxWait)
      }),
    refresh() {
      for (const thread of threads) thread.refresh()
    },
    async stopIdle() {
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
  { start, maxTime, onFailure }: PoolOptions<Task>,
  free: () => void,
  lost: (left: Job<Task>[]) => void,
): Thread<Task> {
  const { worker, messageOf } = start()
  const jobs = new Map<number, Job<Task>>()
  let lastId = 0
  let timer: NodeJS.Timeout | undefined

  /** The first task is the running one. Its time limit starts when the previous task is done. */
  function watch(): void {
    clearTimeout(timer)
    if (maxTime !== undefined && jobs.size) timer = setTimeout(giveUp, maxTime)
    if (jobs.size) worker.ref()
    else worker.unref()
  }
  function giveUp(): void {
    const [id, job] = jobs.entries().next().value!
    jobs.delete(id)
    job.reject(new TaskFailed(`it took longer than ${maxTime} ms`))
    void worker.terminate()
  }
  worker.unref()
  worker.on('message', ({ id, answer, error }: TaskReply) => {
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
