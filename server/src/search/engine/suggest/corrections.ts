/**
 * Words that may have been meant: those of the dictionary within a small edit distance, where swapped neighbours count
 * as one edit.
 *
 * The dictionary is sorted, so that neighbours begin alike: what is known of the shared beginning is kept from word to
 * word, and a beginning that is too far off rules out all words that have it, which are leapt over. A million article numbers that begin alike cost no more than one of them.
 *
 *      shoe      s h o e         what is known after each letter (nearness.ts) is kept as far as the next word
 *      shop      s h o p         begins alike: only the last letter is new
 */
import type { Strings } from '../segment/strings.ts'
import { createNearness, longest } from './nearness.ts'

export interface Correction {
  readonly term: number
  readonly distance: number
}

/** Short words have too many neighbours to correct them much. */
export function allowedDistance(word: string): number {
  return word.length < 3 ? 0 : word.length < 6 ? 1 : 2
}

export function nearTerms(terms: Strings, word: string, most = allowedDistance(word)): Correction[] {
  const { bytes, starts, count } = terms
  const typed = Buffer.from(word)
  const found: Correction[] = []
  if (most === 0 || typed.length > longest) return found
  const nearness = createNearness(typed, most)
  const path = new Uint8Array(longest + 1)
  /** After each letter of the path. */
  const states = new Int32Array(longest + 2)
  states[0] = nearness.start
  /** So many letters of the path have their states. */
  let valid = 0
  for (let term = 0; term < count;) {
    const start = starts[term]!
    const length = Math.min(starts[term + 1]! - 1 - start, longest + 1) // so that one too long is known to be
    let depth = 0
    while (depth < valid && depth < length && path[depth] === bytes[start + depth]) depth++
    let isHopeless = false
    for (; depth < length && !isHopeless; depth++) {
      path[depth] = bytes[start + depth]!
      states[depth + 1] = nearness.next(states, path, depth)
      isHopeless = states[depth + 1] === 0
    }
    valid = depth
    if (!isHopeless && length <= longest) {
      const distance = nearness.distanceAfter(states[length]!, length)
      if (distance > 0 && distance <= most) found.push({ term, distance })
    }
    term = isHopeless ? leapOver(terms, term, depth) : term + 1
  }
  return found
}

/** The first word after this one that does not begin with the same letters, so many of them. */
function leapOver({ bytes, starts, count }: Strings, term: number, letters: number): number {
  const from = starts[term]!
  const beginsAlike = (other: number) => {
    const at = starts[other]!
    if (starts[other + 1]! - 1 - at < letters) return false
    for (let i = 0; i < letters; i++) if (bytes[at + i] !== bytes[from + i]) return false
    return true
  }
  let step = 1
  while (term + step < count && beginsAlike(term + step)) step *= 2
  let low = term + (step >>> 1)
  let high = Math.min(count, term + step)
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (beginsAlike(middle)) low = middle
    else high = middle
  }
  return high
}
