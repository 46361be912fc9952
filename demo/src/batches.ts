/** Processes any number of items in batches. */

const batchSize = 250
/** The number of batches in progress at the same time. */
const parallel = 3
const reportEvery = 10_000
export const number = (value: number) => value.toLocaleString('en')

interface BatchOptions<T> {
  work(items: T[]): Promise<unknown>
  /** Called about every 10,000 items with the number of completed items. */
  report(count: string): void
  /** Called after each batch. */
  progress?(done: number): void
}

/** The workers share this generator. An error in one of them closes it, so that the others stop, too. */
function* startsOf(count: number) {
  for (let from = 0; from < count; from += batchSize) yield from
}

/**
 * Items are created batch by batch, so that memory use does not grow with the scale. While the database is busy with one
 * batch, the next one is created and validated.
 */
export async function inBatches<T>(
  count: number,
  make: (i: number) => T,
  { work, report, progress }: BatchOptions<T>,
): Promise<void> {
  const starts = startsOf(count)
  let done = 0
  const worker = async () => {
    for (const from of starts) {
      const items = Array.from({ length: Math.min(batchSize, count - from) }, (_, i) => make(from + i))
      await work(items)
      done += items.length
      progress?.(done)
      if (done % reportEvery < items.length) report(number(done))
    }
  }
  await Promise.all(Array.from({ length: parallel }, worker))
}
