/**
 * Regular expressions of attribute definitions. They come from outside and meet texts from outside, so they run on an
 * engine whose time grows with the length of the text and nothing else (RE2); what such an engine cannot do
 * (look-around, back-references) is refused when the definition is written.
 */
import { RE2JS } from 're2js'
import { Problem } from '../errors.ts'

const maxLength = 1000

/** A test whether the whole text matches. Throws a Problem when the expression is none of RE2's. */
export function compilePattern(where: string, pattern: string): (text: string) => boolean {
  if (pattern.length > maxLength) {
    throw new Problem(
      'invalid',
      `${where}: ${pattern.length} characters are too many; at most ${maxLength} are allowed`,
    )
  }
  try {
    const compiled = RE2JS.compile(pattern)
    return (text) => compiled.matches(text)
  } catch (error) {
    const reason = (error as Error).message
    throw new Problem(
      'invalid',
      `${where}: not a regular expression of the RE2 syntax (${reason}); look-around and back-references are not supported`,
      { cause: error },
    )
  }
}
