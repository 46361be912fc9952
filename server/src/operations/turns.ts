/**
 * Decides when a request of a caller starts.
 *
 * All requests share one thread and few database connections, so a caller with a hundred running requests would make
 * everybody wait. Up to `most` requests of a caller run together, and further ones wait in a queue of that caller. Of
 * these, at most `mostBatches` are batches, which take long: its small requests need not wait until a batch has ended.
 *
 * A caller is slowed while it has a queue and many more requests than the others, the server is busy and others use it: its
 * requests run one at a time, with a pause after each that is four times as long as the request took. Then the others
 * hardly notice them, whatever the length of the queue, and the slower the server gets, the longer are the pauses. Nobody is
 * slowed when all have about as many: pauses would only add to the overload.
 */

const most = 8
const mostBatches = 6
/** A slowed caller has so many times the requests of the other callers on average. */
const outlier = 4
/** The pause of a slowed caller after a request, in times of the request. */
const pauseFactor = 4
/** Milliseconds after their last request in which other callers count. */
const recent = 1000

interface Entry {
  readonly isBatch: boolean
  begin(): void
}

interface Caller {
  running: number
  /** How many of the running ones are batches. */
  batches: number
  readonly queue: Set<Entry>
  /** Set when the server was busy, until the queue of this caller is gone: otherwise the pace would swing. */
  isSlowed: boolean
  /** Runs during a pause. */
  pause: NodeJS.Timeout | undefined
}

export interface Turns {
  /** Calls `start` when it is the caller's turn, perhaps at once. The result ends the turn, or leaves the queue. */
  enter(name: string, isBatch: boolean, start: () => void): () => void
  waiting(): number
  /** From now on nobody is slowed, so that a server that stops comes to an end. */
  hurry(): void
}

export function createTurns(isBusy: () => boolean, now: () => number = () => performance.now()): Turns {
  const callers = new Map<string, Caller>()
  let waiting = 0
  let isHurried = false
  /** Of all callers, waiting and running. */
  let total = 0
  // The last caller, and the last one that is another.
  let last = { name: '', at: -Infinity }
  let before = last
  const seen = (name: string) => {
    if (name !== last.name) before = last
    last = { name, at: now() }
  }
  const areOthersActive = (name: string) => now() - (last.name === name ? before : last).at < recent

  const limitOf = (name: string, caller: Caller) => {
    const count = caller.running + caller.queue.size
    const average = (total - count) / Math.max(1, callers.size - 1)
    if (isHurried || count <= most || count <= outlier * average || !areOthersActive(name)) caller.isSlowed = false
    else if (isBusy()) caller.isSlowed = true
    if (caller.isSlowed) return caller.pause ? 0 : 1
    return most
  }
  const startNext = (name: string, caller: Caller) => {
    for (const entry of caller.queue) {
      if (caller.running >= limitOf(name, caller)) return
      if (entry.isBatch && caller.batches >= mostBatches) continue
      caller.queue.delete(entry)
      caller.running++
      if (entry.isBatch) caller.batches++
      waiting--
      entry.begin()
    }
  }
  const endTurn = (name: string, caller: Caller, isBatch: boolean, begun: number) => {
    caller.running--
    if (isBatch) caller.batches--
    if (!caller.isSlowed || caller.pause) return
    caller.pause = setTimeout(
      () => {
        caller.pause = undefined
        startNext(name, caller)
      },
      pauseFactor * (now() - begun),
    ).unref()
  }
  return {
    waiting: () => waiting,
    hurry() {
      isHurried = true
      for (const [name, caller] of callers) startNext(name, caller)
    },
    enter(name, isBatch, start) {
      seen(name)
      const caller = callers.get(name) ?? { running: 0, batches: 0, queue: new Set(), isSlowed: false, pause: undefined } // prettier-ignore
      callers.set(name, caller)
      let begun = 0
      const entry: Entry = {
        isBatch,
        begin() {
          begun = now()
          start()
        },
      }
      caller.queue.add(entry)
      waiting++
      total++
      startNext(name, caller)
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        total--
        if (caller.queue.delete(entry)) waiting--
        else endTurn(name, caller, isBatch, begun)
        if (caller.running + caller.queue.size === 0) callers.delete(name)
        else startNext(name, caller)
      }
    },
  }
}
