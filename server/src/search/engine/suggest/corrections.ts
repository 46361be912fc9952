/**
 * Words that may have been meant: those of the dictionary within a small edit distance, where swapped neighbours count
 * as one edit.
 *
 * The dictionary is sorted, so that neighbours begin alike: the rows of the distance table that belong to the shared
 * beginning are kept from word to word, and a beginning that is too far off rules out all words that have it, which are
 * leapt over. A million article numbers that begin alike cost no more than one of them.
 *
 *            s c h u          rows by depth of the word, columns by depth of what was typed
 *        0 1 2 3 4
 *      s 1 0 1 2 3            <- still valid for the next word that begins with s
 *      c 2 1 0 1 2
 */
import type { Strings } from '../segment/strings.ts'

export interface Correction {
  readonly term: number
  readonly distance: number
}

/** Short words have too many neighbours to correct them much. */
export function allowedDistance(word: string): number {
  return word.length < 3 ? 0 : word.length < 6 ? 1 : 2
}

const longest = 64

export function nearTerms(terms: Strings, word: string, most = allowedDistance(word)): Correction[] {
  const { bytes, starts, count } = terms
  const typed = Buffer.from(word)
  const found: Correction[] = []
  if (most === 0 || typed.length > longest) return found
  const rows = Array.from({ length: longest + 2 }, () => new Uint8Array(typed.length + 1))
  for (let i = 0; i <= typed.length; i++) rows[0]![i] = i
  const path = new Uint8Array(longest + 1)
  /** So many letters of the path have their rows. */
  let valid = 0
  for (let term = 0; term < count;) {
    const start = starts[term]!
    const length = Math.min(starts[term + 1]! - 1 - start, longest + 1) // so that one too long is known to be
    let depth = 0
    while (depth < valid && depth < length && path[depth] === bytes[start + depth]) depth++
    let isHopeless = false
    for (; depth < length && !isHopeless; depth++) {
      path[depth] = bytes[start + depth]!
      isHopeless = nextRow(rows, path, depth, typed) > most
    }
    valid = depth
    const distance = rows[length]![typed.length]!
    if (!isHopeless && length <= longest && distance > 0 && distance <= most) found.push({ term, distance })
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

/** Fills the row below `depth` and returns its smallest number. */
function nextRow(rows: readonly Uint8Array[], path: Uint8Array, depth: number, typed: Uint8Array): number {
  const above = rows[depth]!
  const row = rows[depth + 1]!
  const letter = path[depth]!
  let smallest = (row[0] = depth + 1)
  for (let i = 1; i <= typed.length; i++) {
    const same = typed[i - 1] === letter ? 0 : 1
    let best = Math.min(above[i]! + 1, row[i - 1]! + 1, above[i - 1]! + same)
    if (i > 1 && depth > 0 && typed[i - 2] === letter && typed[i - 1] === path[depth - 1]) {
      best = Math.min(best, rows[depth - 1]![i - 2]! + 1)
    }
    row[i] = best
    if (best < smallest) smallest = best
  }
  return smallest
}
