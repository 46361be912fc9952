/**
 * A Levenshtein automaton with transpositions: inserting, deleting or replacing a letter is one edit, and so is swapping
 * two neighbours. At most two edits are allowed, so after some letters of a term only about as many typed letters, up to
 * two more or fewer, can have been matched. Each possibility is a bit of the state:
 *
 *   after "sho" of a term, with "sohe" typed:      s   so   soh   sohe
 *
 *                                         0 edits   .   .    .     .
 *                                         1 edit    .   1    1     .        an extra letter; a transposition
 *                                         2 edits   1   1    1     1
 *
 * A state without bits cannot lead to a match. All edits of a letter are a few shifts of whole states.
 */

/** Maximum length of a term in bytes. */
export const longest = 64
const maxEdits = 2
/** Bits of a state per number of edits; the bits for one more edit are `field` bits higher. */
const bits = 2 * maxEdits + 1
const field = 8
const all = (1 << bits) - 1
const neverTyped = 0

export interface EditAutomaton {
  readonly start: number
  /** The state after the letter of the path at `depth`, given the previous states; 0 if it is too far off. */
  next(states: Int32Array, path: Uint8Array, depth: number): number
  /** The next possible letter of the path at `depth`; 0 if there is none. */
  letterAfter(states: Int32Array, path: Uint8Array, depth: number): number
  /** The number of edits for a term of this length; Infinity if there are too many. */
  distanceAfter(state: number, length: number): number
}

export function createEditAutomaton(typed: Uint8Array, most: number): EditAutomaton {
  const depths = longest + 1
  /** By letter and depth, the nearby positions at which it was typed. */
  const positions = new Uint8Array(256 * depths)
  typed.forEach((letter, i) => {
    for (let bit = 0; bit < bits; bit++) {
      const depth = i - bit + maxEdits
      if (depth >= 0 && depth < depths) positions[letter * depths + depth]! |= 1 << bit
    }
  })
  /** By depth, the bits that stand for an existing number of typed letters. */
  const valid = Uint8Array.from({ length: longest + 2 }, (_, depth) => {
    let set = 0
    for (let bit = 0; bit < bits; bit++) {
      const typedSoFar = depth + bit - maxEdits
      if (typedSoFar >= 0 && typedSoFar <= typed.length) set |= 1 << bit
    }
    return set
  })
  const editsOf = (state: number, edits: number) => (state >>> (field * edits)) & all
  const isNear = (states: Int32Array, path: Uint8Array, depth: number, letter: number) => {
    path[depth] = letter
    return automaton.next(states, path, depth) !== 0
  }

  const automaton: EditAutomaton = {
    start: Array.from({ length: most + 1 }, (_, edits) => {
      const begun = ((1 << (edits + 1)) - 1) << maxEdits
      return (begun & valid[0]!) << (field * edits)
    }).reduce((state, one) => state | one),
    next(states, path, depth) {
      const state = states[depth]!
      const letter = path[depth]!
      const same = positions[letter * depths + depth]!
      const before = depth > 0 ? states[depth - 1]! : 0
      const swapped =
        depth > 0 ? positions[path[depth - 1]! * depths + depth]! & positions[letter * depths + depth - 1]! : 0
      const there = valid[depth + 1]!
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
      // Otherwise only letters typed nearby are possible.
      const to = Math.min(typed.length, depth + maxEdits + 1)
      for (let i = Math.max(0, depth - maxEdits); after !== letter + 1 && i < to; i++) {
        const other = typed[i]!
        if (other > letter && (after === 0 || other < after) && isNear(states, path, depth, other)) after = other
      }
      path[depth] = letter
      return after
    },
    distanceAfter(state, length) {
      const bit = typed.length - length + maxEdits
      if (bit < 0 || bit >= bits) return Infinity
      for (let edits = 0; edits <= most; edits++) if (editsOf(state, edits) & (1 << bit)) return edits
      return Infinity
    },
  }
  return automaton
}
