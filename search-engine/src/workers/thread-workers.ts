/**
 * Workers as search threads and build processes. Segments are in shared memory, so a view is sent as a list of
 * references.
 * A thread receives the changes since its last task together with its next task. Every task therefore sees one state
 * of each index, at least as recent as when the task was started. Build processes receive documents, IDs of documents
 * that they read themselves (document-reader.ts), or names of files, and write files.
 *
 *   owner of an index            searcher 1                     searcher 2
 *   publish(v1)
 *   run -----------------------> v1: opens segments a b, replies
 *   publish(v2)
 *   run -----------------------------------------------------> v2: opens segments a b c, replies
 *   run -----------------------> v2: opens segment c, replies
 */
import type { Answer, Workers, BuildQueue, Role } from './workers.ts'
import { createPool, type Pool } from './pool.ts'
import { startProcess, startThread, type WorkerOptions } from './start-worker.ts'
import type { Tasks, View } from './tasks.ts'

/** A view as it is sent to a thread, without what the thread already has. */
export interface SentView {
  readonly name: string
  readonly schema?: View['schema'] | undefined
  readonly lexicon?: View['lexicon'] | undefined
  readonly parts: readonly SentPart[]
}
interface SentPart {
  readonly segment: number
  readonly buffer?: SharedArrayBuffer | undefined
  readonly deleted?: Uint32Array | undefined
  readonly live: number
}
export interface TaskMessage {
  readonly id: number
  readonly views: readonly SentView[]
  readonly hidden: readonly string[]
  /** Missing if the message only updates views. */
  readonly task?: keyof Tasks
  readonly args: readonly unknown[]
}

/** Searches are refused if more than this are waiting. */
const maxWaiting = 500
/** Milliseconds after which a waiting search is refused. Starting a thread on a busy machine takes more than a second. */
const maxWait = 5000
const maxSearchTime = 30_000
/** Delay in ms after which idle threads also receive a change. */
const refreshDelay = 1000
/** Delay in ms before idle processes end. Starting a process takes time, so it is kept while there are occasional changes. */
const idleDelay = 90_000
const stoppedWhenIdle: readonly Role[] = ['sealer', 'builder', 'inspector']

interface Task {
  readonly task: keyof Tasks
  readonly args: readonly unknown[]
}

export function createThreadWorkers(threads: number, onFailure: (error: unknown) => void): Workers {
  const views = new Map<string, View>()
  const numberOf = numbering()
  const pool = (
    size: number,
    start: typeof startThread,
    options: WorkerOptions,
    limits: { maxWaiting: number; maxWait?: number; maxTime?: number },
    withParts = false,
  ) =>
    createPool<Task>({
      ...limits,
      size,
      onFailure,
      start() {
        const worker = start(new URL('./worker-main.ts', import.meta.url), options)
        const updates = createViewUpdates(views, numberOf, withParts)
        return { worker, messageOf: (task) => ({ ...updates(), ...task }) }
      },
    })
  const unlimited = { maxWaiting: Infinity }
  const following: WorkerOptions = { niceness: 10, young: 8 }
  const buildQueues = Array.from({ length: threads }, (_, i): BuildQueue => `build queue ${i}`)
  const pools = new Map<Role, Pool<Task>>([
    ['searcher', pool(threads, startThread, { niceness: 0 }, { maxWaiting, maxWait, maxTime: maxSearchTime }, true)],
    ['sealer', pool(1, startProcess, following, unlimited)],
    ['builder', pool(1, startProcess, following, unlimited)],
    ['inspector', pool(1, startProcess, following, unlimited)],
    ...buildQueues.map((queue): [Role, Pool<Task>] => [queue, pool(1, startProcess, { niceness: 10 }, unlimited)]),
  ])
  /** Ends build processes after some idle time, which frees their memory. */
  const idleTimer = setTimeout(
    () => stoppedWhenIdle.forEach((role) => void pools.get(role)!.stopIdle()),
    idleDelay,
  ).unref()
  let refreshTimer: NodeJS.Timeout | undefined
  function refreshSoon(): void {
    refreshTimer ??= setTimeout(() => {
      refreshTimer = undefined
      pools.get('searcher')!.refresh()
    }, refreshDelay).unref()
  }
  return {
    buildQueues,
    publish(name, view) {
      views.set(name, view)
      refreshSoon()
    },
    withdraw(name) {
      views.delete(name)
      refreshSoon()
    },
    async stopIdle() {
      await Promise.all(buildQueues.map((queue) => pools.get(queue)!.stopIdle()))
    },
    run<K extends keyof Tasks>(role: Role, task: K, ...args: Parameters<Tasks[K]>) {
      if (stoppedWhenIdle.includes(role)) idleTimer.refresh()
      return pools.get(role)!.run({ task, args }) as Promise<Answer<K>>
    },
    async close() {
      clearTimeout(refreshTimer)
      clearTimeout(idleTimer)
      await Promise.all([...pools.values()].map((each) => each.close()))
    },
  }
}

/** Numbers segments, so that threads can recognise them. */
function numbering(): (segment: object) => number {
  const numbers = new WeakMap<object, number>()
  let last = 0
  return (segment) => {
    const number = numbers.get(segment) ?? ++last
    numbers.set(segment, number)
    return number
  }
}

/** The view changes that one worker has not received yet. Only searchers need segments; others get them in the task. */
function createViewUpdates(
  views: ReadonlyMap<string, View>,
  numberOf: (segment: object) => number,
  withParts: boolean,
) {
  const known = new Map<string, View>()
  function viewMessage(name: string, view: View): SentView {
    const before = known.get(name)
    const knownSegments = new Set(before?.parts.map(({ segment }) => segment))
    return {
      name,
      schema: before?.schema === view.schema ? undefined : view.schema,
      lexicon: before?.lexicon === view.lexicon ? undefined : view.lexicon,
      parts: (withParts ? view.parts : []).map(({ segment, deleted, live }) => ({
        segment: numberOf(segment),
        buffer: knownSegments.has(segment) ? undefined : segment.buffer,
        deleted,
        live,
      })),
    }
  }
  const isKnown = (name: string, view: View) => {
    const before = known.get(name)
    const isSame = before?.schema === view.schema && before.lexicon === view.lexicon
    return isSame && (!withParts || before.parts === view.parts)
  }
  return (): Pick<TaskMessage, 'views' | 'hidden'> => {
    const hidden = [...known.keys()].filter((name) => !views.has(name))
    for (const name of hidden) known.delete(name)
    const changed = [...views].filter(([name, view]) => !isKnown(name, view))
    const message = { hidden, views: changed.map(([name, view]) => viewMessage(name, view)) }
    // Workers that do not need segments must not keep them in memory either.
    for (const [name, view] of changed) known.set(name, withParts ? view : { ...view, parts: [] })
    return message
  }
}
