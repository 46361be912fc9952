/**
 * Patterns with `*` (any letters) and `?` (one letter). Matching backtracks to the last star only, so it never takes
 * longer than pattern length times text length.
 */

interface Wildcard {
  matches(text: string): boolean
  /** The longest literal that every match contains; '' if there is none. */
  readonly needle: string
  /** True if containing the needle is sufficient to match. */
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
