/**
 * The most frequent of many terms or values, by their counts. Counts are grouped into levels, four per factor of two; only
 * those at or above the level of the last result are compared.
 */
import { selectFirst } from './ranks.ts'

/**
 * The most frequent terms from `from` to before `to`, in dictionary order: at least `limit` of them, if there are so many,
 * and at most twice as many. Among equally frequent terms the first are taken.
 */
export function mostFrequent(counts: Uint32Array, from: number, to: number, limit: number): number[] {
  const least = levelFloor(counts, from, to, limit)
  const words: number[] = []
  for (let word = from; word < to; word++) if (counts[word]! >= least) words.push(word)
  if (words.length <= 2 * limit) return words
  const keys = new Float64Array(words.length)
  for (let i = 0; i < keys.length; i++) keys[i] = -counts[words[i]!]!
  return [...selectFirst([keys], keys.length, limit).sort()].map((index) => words[index]!)
}

/** The count of the result at rank `limit`; 1 if fewer have a count. */
export function lastCount(counts: Uint32Array, limit: number): number {
  const least = levelFloor(counts, 0, counts.length, limit)
  const first = counts.filter((count) => count >= least).sort()
  return first[Math.max(0, first.length - limit)] ?? 1
}

/** The smallest count of the highest level that `limit` counts reach; 1 if fewer have a count. */
function levelFloor(counts: Uint32Array, from: number, to: number, limit: number): number {
  if (to - from <= limit) return 1
  const perLevel = new Uint32Array(32 * quarters)
  for (let i = from; i < to; i++) if (counts[i]! > 0) perLevel[levelOf(counts[i]!)]!++
  let level = perLevel.length
  for (let left = limit; left > 0 && level > 0;) left -= perLevel[--level]!
  return Math.ceil(((quarters + (level % quarters)) * 2 ** Math.floor(level / quarters)) / quarters)
}

const quarters = 4
/** For counts from 1 to below 2^30. */
function levelOf(count: number): number {
  const octave = 31 - Math.clz32(count)
  return octave * quarters + (((count << 2) >>> octave) & 3)
}
