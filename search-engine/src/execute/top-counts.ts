/**
 * The most frequent of many, words of a dictionary or values of a field, by their counts. They are counted by how frequent
 * they are, in quarters of an octave; only those at the level of the last one wanted or above it are then compared.
 */
import { selectFirst } from './ranks.ts'

/**
 * From one word to before another, in the order of the dictionary: at least as many as are wanted, if there are as many,
 * and at most twice as many. Of words that are as frequent the first are taken.
 */
export function mostFrequent(counts: Uint32Array, from: number, to: number, wanted: number): number[] {
  const least = leastWanted(counts, from, to, wanted)
  const words: number[] = []
  for (let word = from; word < to; word++) if (counts[word]! >= least) words.push(word)
  if (words.length <= 2 * wanted) return words
  const keys = new Float64Array(words.length)
  for (let i = 0; i < keys.length; i++) keys[i] = -counts[words[i]!]!
  return [...selectFirst([keys], keys.length, wanted).sort()].map((place) => words[place]!)
}

/** The count that the last one wanted has; 1 when fewer have any. */
export function lastCount(counts: Uint32Array, wanted: number): number {
  const least = leastWanted(counts, 0, counts.length, wanted)
  const first = counts.filter((count) => count >= least).sort()
  return first[Math.max(0, first.length - wanted)] ?? 1
}

/** The least count of the highest level that is reached by as many as are wanted; 1 when fewer have any. */
function leastWanted(counts: Uint32Array, from: number, to: number, wanted: number): number {
  if (to - from <= wanted) return 1
  const having = new Uint32Array(32 * quarters)
  for (let i = from; i < to; i++) if (counts[i]! > 0) having[levelOf(counts[i]!)]!++
  let level = having.length
  for (let left = wanted; left > 0 && level > 0;) left -= having[--level]!
  return Math.ceil(((quarters + (level % quarters)) * 2 ** Math.floor(level / quarters)) / quarters)
}

const quarters = 4
/** Of a count from 1 to less than 2^30. */
function levelOf(count: number): number {
  const octave = 31 - Math.clz32(count)
  return octave * quarters + (((count << 2) >>> octave) & 3)
}
