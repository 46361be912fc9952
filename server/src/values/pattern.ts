/**
 * Regular expressions of attribute definitions. Both the expressions and the texts come from users, so they run on RE2,
 * whose time is linear in the length of the text. Features that RE2 lacks (look-around, back-references) are refused when
 * the definition is written.
 */
import { RE2JS } from 're2js'
import { Problem } from '../errors.ts'

const maxLength = 1000

/** Returns a test whether the whole text matches. Throws a Problem if RE2 does not support the expression. */
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
