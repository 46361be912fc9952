/** Lets other requests have their turn between the items of a batch, which may be many and expensive. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds of one turn. */
const longest = 10

export async function inTurns<T, R>(items: Iterable<T>, work: (item: T, index: number) => R): Promise<R[]> {
  const results: R[] = []
  let began = performance.now()
  for (const item of items) {
    results.push(work(item, results.length))
    if (performance.now() - began < longest) continue
    await nextTurn()
    began = performance.now()
  }
  return results
}
