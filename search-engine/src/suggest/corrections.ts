/**
 * Spelling correction: terms of the dictionary within a small edit distance, where transposed neighbours count as one
 * edit.
 *
 * The dictionary is sorted, so neighbouring terms share a prefix. The automaton states of the shared prefix are kept from
 * term to term, and if a prefix is too far off, the next possible prefix is looked up. A million article numbers with the
 * same prefix therefore cost no more than one.
 *
 *      shoe      s h o e         states after each letter (edit-automaton.ts) are kept for the
 *      shop      s h o p         shared prefix: only the last letter is new
 */
import { firstFrom, type Strings } from '../segment/strings.ts'
import { createEditAutomaton, longest, type EditAutomaton } from './edit-automaton.ts'

interface Correction {
  readonly term: number
  readonly distance: number
}

/** Short words have too many neighbours to allow many edits. */
export function allowedDistance(word: string): number {
  return word.length < 3 ? 0 : word.length < 6 ? 1 : 2
}

/** Returns a function that finds similar terms in any dictionary. The automaton is built once. */
export function similarTerms(word: string, most = allowedDistance(word)): (terms: Strings) => Correction[] {
  const typed = Buffer.from(word)
  if (most === 0 || typed.length > longest) return () => []
  const automaton = createEditAutomaton(typed, most)
  return (terms) => walk(terms, automaton, most)
}

function walk(terms: Strings, automaton: EditAutomaton, most: number): Correction[] {
  const { bytes, starts, count } = terms
  const found: Correction[] = []
  const path = new Uint8Array(longest + 1)
  /** State after each letter of the path. */
  const states = new Int32Array(longest + 2)
  states[0] = automaton.start
  /** Number of letters of the path whose states are valid. */
  let valid = 0
  for (let term = 0; term < count;) {
    const start = starts[term]!
    const length = Math.min(starts[term + 1]! - 1 - start, longest + 1) // one more, to detect terms that are too long
    let depth = 0
    while (depth < valid && depth < length && path[depth] === bytes[start + depth]) depth++
    let isHopeless = false
    for (; depth < length && !isHopeless; depth++) {
      path[depth] = bytes[start + depth]!
      states[depth + 1] = automaton.next(states, path, depth)
      isHopeless = states[depth + 1] === 0
    }
    valid = depth
    if (isHopeless) {
      const length = nextBeginning(automaton, states, path, depth)
      if (length === 0) break
      term = firstFrom(terms, term + 1, path, length)
      valid = length - 1
      continue
    }
    const distance = length <= longest ? automaton.distanceAfter(states[length]!, length) : 0
    if (distance > 0 && distance <= most) found.push({ term, distance })
    term++
  }
  return found
}

/** Replaces a path whose last letter is too far off by the next possible one; returns its length, or 0 if there is none. */
function nextBeginning(automaton: EditAutomaton, states: Int32Array, path: Uint8Array, depth: number): number {
  for (let length = depth; length > 0; length--) {
    const letter = automaton.letterAfter(states, path, length - 1)
    if (letter === 0) continue
    path[length - 1] = letter
    return length
  }
  return 0
}
