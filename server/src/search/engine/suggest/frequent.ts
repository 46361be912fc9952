/**
 * The most frequent words of a stretch of the dictionary. Words are counted by how frequent they are, in quarters of an
 * octave; only those at the level of the last word wanted or above it are then compared.
 */
import { selectFirst } from '../execute/ranks.ts'

/**
 * From one word to before another, in the order of the dictionary: at least as many as are wanted, if there are as many,
 * and at most twice as many. Of words that are as frequent the first are taken.
 */
export function mostFrequent(counts: Uint32Array, from: number, to: number, wanted: number): number[] {
  const least = to - from > wanted ? leastWanted(counts, from, to, wanted) : 0
  const words: number[] = []
  for (let word = from; word < to; word++) if (counts[word]! >= least) words.push(word)
  if (words.length <= 2 * wanted) return words
  const keys = new Float64Array(words.length)
  for (let i = 0; i < keys.length; i++) keys[i] = -counts[words[i]!]!
  return [...selectFirst([keys], keys.length, wanted).sort()].map((place) => words[place]!)
}

/** The least count of the highest level that is reached by as many words as are wanted. */
function leastWanted(counts: Uint32Array, from: number, to: number, wanted: number): number {
  const having = new Uint32Array(32 * quarters)
  for (let word = from; word < to; word++) having[levelOf(counts[word]!)]!++
  let level = having.length
  for (let left = wanted; left > 0;) left -= having[--level]!
  return Math.ceil(((quarters + (level % quarters)) * 2 ** Math.floor(level / quarters)) / quarters)
}

const quarters = 4
/** Of a count from 1 to less than 2^30. */
function levelOf(count: number): number {
  const octave = 31 - Math.clz32(count)
  return octave * quarters + (((count << 2) >>> octave) & 3)
}
