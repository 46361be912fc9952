/** Work on any number of things, portion by portion. */

/** Things of one request, and requests at a time. */
const portion = 250
const parallel = 3
const toldEvery = 10_000
export const number = (value: number) => value.toLocaleString('en')

interface Portions<T> {
  work(items: T[]): Promise<unknown>
  /** Is told now and then how many are done. */
  tell(count: string): void
}

/** All who take from it end when one of them ends with an error. */
function* startsOf(count: number) {
  for (let from = 0; from < count; from += portion) yield from
}

/**
 * Each thing is made when its turn comes: memory stays flat at any scale. While the database is busy with one portion, the
 * next is made and judged.
 */
export async function inPortions<T>(count: number, make: (i: number) => T, { work, tell }: Portions<T>): Promise<void> {
  const starts = startsOf(count)
  let done = 0
  const lane = async () => {
    for (const from of starts) {
      const items = Array.from({ length: Math.min(portion, count - from) }, (_, i) => make(from + i))
      await work(items)
      done += items.length
      if (done % toldEvery < items.length) tell(number(done))
    }
  }
  await Promise.all(Array.from({ length: parallel }, lane))
}
