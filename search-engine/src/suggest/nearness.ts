/**
 * How far a word is from what was typed, told letter by letter: a letter more, less or another is one edit, and so are two
 * neighbours that changed places. At most two edits are of interest, so that after so many letters of the word only as
 * many of what was typed can be accounted for, or up to two more or less. Each of these is a bit of a state:
 *
 *   after "sho" of a word, "sohe" being typed:      s   so   soh   sohe
 *
 *                                         0 edits   .   .    .     .
 *                                         1 edit    .   1    1     .        a letter more; two that changed places
 *                                         2 edits   1   1    1     1
 *
 * A state without a bit is too far off, whatever comes. All edits of a letter are a few shifts of whole states.
 */

/** Letters (bytes, in fact) that a word may have. */
export const longest = 64
const mostEdits = 2
/** Bits of a state for one number of edits; that many bits up are those for one more. */
const bits = 2 * mostEdits + 1
const field = 8
const all = (1 << bits) - 1
const neverTyped = 0

export interface Nearness {
  readonly start: number
  /** The state after the letter of the path at `depth`, by those before it; 0 when it is too far off. */
  next(states: Int32Array, path: Uint8Array, depth: number): number
  /** The next letter that the path may have at `depth` instead, not being too far off; 0 when there is none. */
  letterAfter(states: Int32Array, path: Uint8Array, depth: number): number
  /** The edits that a word of this length takes; Infinity for too many. */
  distanceAfter(state: number, length: number): number
}

export function createNearness(typed: Uint8Array, most: number): Nearness {
  const depths = longest + 1
  /** By letter and depth, where in reach that letter was typed. */
  const places = new Uint8Array(256 * depths)
  typed.forEach((letter, i) => {
    for (let bit = 0; bit < bits; bit++) {
      const depth = i - bit + mostEdits
      if (depth >= 0 && depth < depths) places[letter * depths + depth]! |= 1 << bit
    }
  })
  /** After so many letters, which bits stand for a number of typed letters that there is. */
  const real = Uint8Array.from({ length: longest + 2 }, (_, depth) => {
    let set = 0
    for (let bit = 0; bit < bits; bit++) {
      const typedSoFar = depth + bit - mostEdits
      if (typedSoFar >= 0 && typedSoFar <= typed.length) set |= 1 << bit
    }
    return set
  })
  const editsOf = (state: number, edits: number) => (state >>> (field * edits)) & all
  const isNear = (states: Int32Array, path: Uint8Array, depth: number, letter: number) => {
    path[depth] = letter
    return nearness.next(states, path, depth) !== 0
  }

  const nearness: Nearness = {
    start: Array.from({ length: most + 1 }, (_, edits) => {
      const begun = ((1 << (edits + 1)) - 1) << mostEdits
      return (begun & real[0]!) << (field * edits)
    }).reduce((state, one) => state | one),
    next(states, path, depth) {
      const state = states[depth]!
      const letter = path[depth]!
      const same = places[letter * depths + depth]!
      const before = depth > 0 ? states[depth - 1]! : 0
      const swapped = depth > 0 ? places[path[depth - 1]! * depths + depth]! & places[letter * depths + depth - 1]! : 0
      const there = real[depth + 1]!
      let fewer = state & all & same
      let next = fewer
      for (let edits = 1; edits <= most; edits++) {
        const from = editsOf(state, edits - 1)
        const moved = (from >>> 1) | from | (fewer << 1) | (editsOf(before, edits - 1) & swapped)
        fewer = ((editsOf(state, edits) & same) | moved) & there
        next |= fewer << (field * edits)
      }
      return next
    },
    letterAfter(states, path, depth) {
      const letter = path[depth]!
      let after = isNear(states, path, depth, neverTyped) ? letter + 1 : 0
      // Otherwise only what was typed nearby.
      const to = Math.min(typed.length, depth + mostEdits + 1)
      for (let i = Math.max(0, depth - mostEdits); after !== letter + 1 && i < to; i++) {
        const other = typed[i]!
        if (other > letter && (after === 0 || other < after) && isNear(states, path, depth, other)) after = other
      }
      path[depth] = letter
      return after
    },
    distanceAfter(state, length) {
      const bit = typed.length - length + mostEdits
      if (bit < 0 || bit >= bits) return Infinity
      for (let edits = 0; edits <= most; edits++) if (editsOf(state, edits) & (1 << bit)) return edits
      return Infinity
    },
  }
  return nearness
}
