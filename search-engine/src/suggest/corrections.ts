/**
 * Words that may have been meant: those of the dictionary within a small edit distance, where swapped neighbours count
 * as one edit.
 *
 * The dictionary is sorted, so that neighbours begin alike: what is known of the shared beginning is kept from word to
 * word, and where a beginning is too far off, the next one that is not is looked up. A million article numbers that begin
 * alike cost no more than one of them.
 *
 *      shoe      s h o e         what is known after each letter (nearness.ts) is kept as far as the next word
 *      shop      s h o p         begins alike: only the last letter is new
 */
import { firstFrom, type Strings } from '../segment/strings.ts'
import { createNearness, longest, type Nearness } from './nearness.ts'

export interface Correction {
  readonly term: number
  readonly distance: number
}

/** Short words have too many neighbours to correct them much. */
export function allowedDistance(word: string): number {
  return word.length < 3 ? 0 : word.length < 6 ? 1 : 2
}

/** Finds the terms of any dictionary that are near a word: what is known of the word is worked out once. */
export function nearTerms(word: string, most = allowedDistance(word)): (terms: Strings) => Correction[] {
  const typed = Buffer.from(word)
  if (most === 0 || typed.length > longest) return () => []
  const nearness = createNearness(typed, most)
  return (terms) => walk(terms, nearness, most)
}

function walk(terms: Strings, nearness: Nearness, most: number): Correction[] {
  const { bytes, starts, count } = terms
  const found: Correction[] = []
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
    if (isHopeless) {
      const length = nextBeginning(nearness, states, path, depth)
      if (length === 0) break
      term = firstFrom(terms, term + 1, path, length)
      valid = length - 1
      continue
    }
    const distance = length <= longest ? nearness.distanceAfter(states[length]!, length) : 0
    if (distance > 0 && distance <= most) found.push({ term, distance })
    term++
  }
  return found
}

/** Makes of a path whose last letter is too far off the next that is not; its length, or 0 when there is none. */
function nextBeginning(nearness: Nearness, states: Int32Array, path: Uint8Array, depth: number): number {
  for (let length = depth; length > 0; length--) {
    const letter = nearness.letterAfter(states, path, length - 1)
    if (letter === 0) continue
    path[length - 1] = letter
    return length
  }
  return 0
}
