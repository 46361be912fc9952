/**
 * Regular expressions of attribute definitions. Both the expressions and the texts come from users, so they run on RE2,
 * whose time grows with the length of the text times the size of the compiled expression; both are bounded. Features that
 * RE2 lacks (look-around, back-references) are refused when the definition is written.
 */
import { RE2JS } from 're2js'
import { Problem } from '../errors.ts'

const maxLength = 1000
/** `.{0,500}` has about 1000 instructions. */
const maxInstructions = 1024
/** Enough for every text that `.{0,500}` can match; an expression of 10 instructions judges 50,000 characters. */
const maxSteps = 512 * 1024

/** A replacement may look for each match to the end of the text, so its time grows with the square of the length. */
const maxReplaceSteps = 16 * 1024 * 1024

/** Refuses an expression that a definition cannot have. */
export function checkPattern(where: string, pattern: string): void {
  const tooLarge = (count: string) =>
    new Problem(
      'invalid',
      `${where}: compiles to ${count} instructions; at most ${maxInstructions} are allowed; use smaller counts in braces`,
    )
  // Counted repetitions are written out by the compiler. Compiling very many takes long, so they are counted first.
  if (repetitionsOf(pattern) > maxInstructions) throw tooLarge(`more than ${maxInstructions}`)
  const size = compile(where, pattern).programSize()
  if (size > maxInstructions) throw tooLarge(String(size))
}

const repetitionsOf = (pattern: string) =>
  [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].reduce((sum, [, from, to]) => sum + Number(to || from), 0)

/**
 * Returns a test whether the whole text matches. Throws a Problem if RE2 does not support the expression; the test throws
 * one if the text is too long for it.
 */
export function compilePattern(where: string, pattern: string): (text: string) => boolean {
  const compiled = compile(where, pattern)
  const longest = Math.floor(maxSteps / compiled.programSize())
  return (text) => {
    if (text.length <= longest) return compiled.matches(text)
    throw new Problem(
      'invalid',
      `has ${text.length} characters; its pattern can judge at most ${longest}; simplify the pattern or shorten the text`,
    )
  }
}

function compile(where: string, pattern: string): RE2JS {
  if (pattern.length > maxLength) {
    throw new Problem(
      'invalid',
      `${where}: ${pattern.length} characters are too many; at most ${maxLength} are allowed`,
    )
  }
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    const reason = (error as Error).message
    throw new Problem(
      'invalid',
      `${where}: not a regular expression of the RE2 syntax (${reason}); look-around and back-references are not supported`,
      { cause: error },
    )
  }
}

/** Returns a function that replaces every match in a text; `$1` in the replacement is the first group. */
export function compileReplacement(where: string, pattern: string, replacement: string): (text: string) => string {
  checkPattern(where, pattern)
  const compiled = compile(where, pattern)
  const replace = (text: string) => compiled.matcher(text).replaceAll(replacement)
  const test = compiled.matcher('')
  const groups = [...replacement.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))
  if (groups.some((number) => number > test.groupCount()))
    throw new Problem('invalid', `${where}: the replacement names a group that the expression does not have`)
  const longest = Math.floor(Math.sqrt(maxReplaceSteps / compiled.programSize()))
  return (text) => {
    if (text.length > longest)
      throw new Problem('invalid', `${where}: the text has ${text.length} characters; the expression can replace in at most ${longest}; simplify it or shorten the text`) // prettier-ignore
    try {
      return replace(text)
    } catch (error) {
      throw new Problem('invalid', `${where}: ${(error as Error).message}`, { cause: error })
    }
  }
}

/** Returns a function that matches a whole text and returns its groups. */
export function compileGroups(where: string, pattern: string): (text: string) => (string | undefined)[] | undefined {
  checkPattern(where, pattern)
  const compiled = compile(where, pattern)
  return (text) => {
    const matcher = compiled.matcher(text)
    if (!matcher.matches()) return undefined
    return Array.from({ length: matcher.groupCount() }, (_, i) => matcher.group(i + 1) ?? undefined)
  }
}
