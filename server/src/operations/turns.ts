/**
 * Decides when a request of a caller starts.
 *
 * All requests share one thread and few database connections, so a caller with a hundred running requests would make
 * everybody wait. A caller with few requests starts each of them at once. The requests of a caller with many wait in a
 * queue of that caller: up to `mostRunning` run together, and while the server is busy and others use it too, only
 * `mostSlowed`. Then the others meet hardly more than one foreign request, whatever the length of that queue.
 */

/** So many requests of a caller never wait. */
const mostUnnoticed = 8
const mostRunning = 16
const mostSlowed = 1
/** Milliseconds after their last request in which other callers count. */
const recent = 1000

interface Caller {
  running: number
  readonly queue: Set<() => void>
  /** Set when the server was busy, until the queue of this caller is gone: otherwise the pace would swing. */
  isSlowed: boolean
}

export interface Turns {
  /** Calls `start` when it is the caller's turn, perhaps at once. The result ends the turn, or leaves the queue. */
  enter(name: string, start: () => void): () => void
  waiting(): number
}

export function createTurns(isBusy: () => boolean, now: () => number = () => performance.now()): Turns {
  const callers = new Map<string, Caller>()
  let waiting = 0
  // The last caller and the last one before it that is another.
  let last = { name: '', at: -Infinity }
  let before = last
  const seen = (name: string) => {
    if (name !== last.name) before = last
    last = { name, at: now() }
  }
  const areOthersActive = (name: string) => now() - (last.name === name ? before : last).at < recent

  const limitOf = (name: string, caller: Caller) => {
    const count = caller.running + caller.queue.size
    if (count <= mostUnnoticed || !areOthersActive(name)) caller.isSlowed = false
    else if (isBusy()) caller.isSlowed = true
    return count <= mostUnnoticed ? mostUnnoticed : caller.isSlowed ? mostSlowed : mostRunning
  }
  const startNext = (name: string, caller: Caller) => {
    for (const start of caller.queue) {
      if (caller.running >= limitOf(name, caller)) return
      caller.queue.delete(start)
      caller.running++
      waiting--
      start()
    }
  }
  return {
    waiting: () => waiting,
    enter(name, start) {
      seen(name)
      const caller = callers.get(name) ?? { running: 0, queue: new Set(), isSlowed: false }
      callers.set(name, caller)
      const queued = () => start() // its own object, also if `start` is entered twice
      caller.queue.add(queued)
      waiting++
      startNext(name, caller)
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        if (caller.queue.delete(queued)) waiting--
        else caller.running--
        if (caller.running + caller.queue.size === 0) callers.delete(name)
        else startNext(name, caller)
      }
    },
  }
}
