/** Rough sizes of values, to divide what would be too much for one statement: a driver builds each in one go. */

/** Roughly the characters of a value. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  let size = 0
  if (Array.isArray(value)) for (const part of value) size += sizeOf(part) + 1
  else for (const key in value) size += sizeOf(value[key as never]) + 1 // no list of the values: this runs for every value of a batch
  return size
}

const maxSize = 4 * 1024 * 1024

/** The items in order, in as few slices as have at most about 4 MiB each. */
export function slicesOf<T>(items: readonly T[], size: (item: T) => number = sizeOf): T[][] {
  const slices: T[][] = [[]]
  let sum = 0
  for (const item of items) {
    const more = size(item)
    if (sum + more > maxSize && sum > 0) {
      slices.push([])
      sum = 0
    }
    slices.at(-1)!.push(item)
    sum += more
  }
  return slices
}
