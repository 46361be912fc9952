/**
 * Patterns with `*` (any letters) and `?` (one letter), matched without backtracking into more than one star, so that
 * no pattern takes longer than pattern times text.
 */

export interface Wildcard {
  matches(text: string): boolean
  /** A piece that every match contains, the longest there is; '' when there is none. */
  readonly needle: string
  /** Whatever contains the needle is a match. */
  readonly isNeedle: boolean
}

export function compileWildcard(pattern: string): Wildcard {
  const needle = pattern
    .split(/[*?]+/)
    .reduce((longest, piece) => (piece.length > longest.length ? piece : longest), '')
  const symbols = [...pattern]
  return { needle, isNeedle: pattern === `*${needle}*`, matches: (text) => matches(symbols, [...text]) }
}

function matches(pattern: readonly string[], text: readonly string[]): boolean {
  let at = 0
  let star = -1
  let resume = 0
  for (let i = 0; i < text.length;) {
    if (pattern[at] === '*') {
      star = at++
      resume = i
    } else if (pattern[at] === '?' || (at < pattern.length && pattern[at] === text[i])) {
      at++
      i++
    } else if (star >= 0) {
      at = star + 1
      i = ++resume
    } else {
      return false
    }
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}
