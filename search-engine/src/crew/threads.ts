/**
 * The crew: threads that search, processes that build. Segments are in shared memory, so a view goes to a thread as a
 * list of references; a thread is sent what has changed since its last task, together with the next one. So every task
 * sees one state of each index, and never an older one than when it was asked for. Builders are sent documents,
 * the ids of documents that they read themselves (reader.ts), or the names of files, and write files.
 *
 *   owner of an index            searcher 1                     searcher 2
 *   show(v1)
 *   ask -----------------------> v1: opens segments a b, answers
 *   show(v2)
 *   ask -----------------------------------------------------> v2: opens segments a b c, answers
 *   ask -----------------------> v2: opens segment c, answers
 */
import type { Answer, Crew, Lane, Role } from './crew.ts'
import { createPool, type Pool } from './pool.ts'
import { startProcess, startThread } from './runner.ts'
import type { Tasks, View } from './tasks.ts'

/** A view as it goes to a thread. What the thread knows already is left out. */
export interface SentView {
  readonly name: string
  readonly schema?: View['schema']
  readonly lexicon?: View['lexicon']
  readonly parts: readonly SentPart[]
}
export interface SentPart {
  readonly segment: number
  readonly buffer?: SharedArrayBuffer
  readonly deleted?: Uint32Array
  readonly live: number
}
export interface TaskMessage {
  readonly id: number
  readonly views: readonly SentView[]
  readonly hidden: readonly string[]
  /** None when it only tells what is new. */
  readonly task?: keyof Tasks
  readonly args: readonly unknown[]
}

/** Searches that would wait behind more than this are better refused. */
const mostWaiting = 500
const mostSearchTime = 30_000
/** After a change, threads that nobody asks anything are told of it as well. */
const refreshTime = 1000
/** Starting a process takes a moment: it stays while there are changes now and then. */
const idleTime = 90_000
const resters: readonly Role[] = ['sealer', 'builder', 'inspector']

interface Task {
  readonly task: keyof Tasks
  readonly args: readonly unknown[]
}

export function createThreadCrew(threads: number, onFailure: (error: unknown) => void): Crew {
  const views = new Map<string, View>()
  const numberOf = numbering()
  const pool = (
    size: number,
    start: typeof startThread,
    niceness: number,
    limits: { mostWaiting: number; mostTime?: number },
    withParts = false,
  ) =>
    createPool<Task>({
      ...limits,
      size,
      onFailure,
      start() {
        const worker = start(new URL('./thread.ts', import.meta.url), { niceness })
        const news = createNews(views, numberOf, withParts)
        return { worker, messageOf: (task) => ({ ...news(), ...task }) }
      },
    })
  const unlimited = { mostWaiting: Infinity }
  const lanes = Array.from({ length: threads }, (_, i): Lane => `lane ${i}`)
  const pools = new Map<Role, Pool<Task>>([
    ['searcher', pool(threads, startThread, 0, { mostWaiting, mostTime: mostSearchTime }, true)],
    ['sealer', pool(1, startProcess, 10, unlimited)],
    ['builder', pool(1, startProcess, 10, unlimited)],
    ['inspector', pool(1, startProcess, 10, unlimited)],
    ...lanes.map((lane): [Role, Pool<Task>] => [lane, pool(1, startProcess, 10, unlimited)]),
  ])
  /** Builders that have had nothing to do for a while go, and their memory with them. */
  const resting = setTimeout(() => resters.forEach((role) => void pools.get(role)!.rest()), idleTime).unref()
  let refreshing: NodeJS.Timeout | undefined
  function refreshSoon(): void {
    refreshing ??= setTimeout(() => {
      refreshing = undefined
      pools.get('searcher')!.refresh()
    }, refreshTime).unref()
  }
  return {
    lanes,
    show(name, view) {
      views.set(name, view)
      refreshSoon()
    },
    hide(name) {
      views.delete(name)
      refreshSoon()
    },
    async rest() {
      await Promise.all(lanes.map((lane) => pools.get(lane)!.rest()))
    },
    ask<K extends keyof Tasks>(role: Role, task: K, ...args: Parameters<Tasks[K]>) {
      if (resters.includes(role)) resting.refresh()
      return pools.get(role)!.ask({ task, args }) as Promise<Answer<K>>
    },
    async close() {
      clearTimeout(refreshing)
      clearTimeout(resting)
      await Promise.all([...pools.values()].map((each) => each.close()))
    },
  }
}

/** Numbers for segments, by which threads know them again. */
function numbering(): (segment: object) => number {
  const numbers = new WeakMap<object, number>()
  let last = 0
  return (segment) => {
    const number = numbers.get(segment) ?? ++last
    numbers.set(segment, number)
    return number
  }
}

/** What one thread must still be told. Only searchers look at segments; the others have theirs in the task. */
function createNews(views: ReadonlyMap<string, View>, numberOf: (segment: object) => number, withParts: boolean) {
  const known = new Map<string, View>()
  function sent(name: string, view: View): SentView {
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
    const message = { hidden, views: changed.map(([name, view]) => sent(name, view)) }
    // Whoever does not look at segments must not keep them in memory either.
    for (const [name, view] of changed) known.set(name, withParts ? view : { ...view, parts: [] })
    return message
  }
}
