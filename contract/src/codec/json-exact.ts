/**
 * JSON.parse without three of its inaccuracies, for the few texts that may be affected:
 *
 *   - it rounds whole numbers above 2^53; here they become bigint
 *   - V8 can confuse a name that contains an escape with the name that the raw escape spells, after objects with both
 *     names were parsed (nodejs/node#63785); here names are parsed one by one
 *   - it keeps the last of several properties with the same name; here they are refused with their place
 *
 * JSON.parse checks the text first, so that the parser below can rely on well-formed input.
 */

export function parseExactly(text: string): unknown {
  JSON.parse(text)
  return new WellFormed(text).value()
}

/** Two properties of an object have the same name. */
export class DuplicateName extends Error {
  /** The names and the indexes (from 0) from the outermost value to the second property. */
  readonly steps: readonly (string | number)[]
  constructor(steps: readonly (string | number)[]) {
    super('this field is given twice')
    this.steps = steps
  }
}

/** The number of properties in a parsed value. It is lower than in the text if a name occurs twice in an object. */
export function propertiesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) for (const part of value) count += propertiesIn(part)
  else for (const name in value) count += 1 + propertiesIn((value as Record<string, unknown>)[name])
  return count
}

const space = /\s*/y
const string = /"[^"\\]*(?:\\.[^"\\]*)*"/y
const word = /[^\s,\]}]+/y
const wholeNumber = /^-?\d{1,40}$/

class WellFormed {
  readonly #text: string
  readonly #steps: (string | number)[] = []
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(): unknown {
    this.#take(space)
    const first = this.#text[this.#at]
    const value = first === '{' ? this.#object() : first === '[' ? this.#list() : this.#scalar(first)
    this.#take(space)
    return value
  }

  #object(): object {
    const names = new Set<string>()
    // Built from entries, because `object[name] = value` does not work for the name __proto__.
    return Object.fromEntries(
      this.#entries('}', () => {
        this.#take(space)
        const name = JSON.parse(this.#take(string)) as string
        if (names.has(name)) throw new DuplicateName([...this.#steps, name])
        names.add(name)
        this.#take(space)
        this.#at++ // the colon
        return [name, this.#inside(name)] as const
      }),
    )
  }

  #list(): unknown[] {
    let index = 0
    return this.#entries(']', () => this.#inside(index++))
  }

  #inside(step: string | number): unknown {
    this.#steps.push(step)
    const value = this.value()
    this.#steps.pop()
    return value
  }

  #entries<T>(end: string, entry: () => T): T[] {
    const entries: T[] = []
    this.#at++ // the opening bracket
    this.#take(space)
    if (this.#text[this.#at] !== end)
      do entries.push(entry())
      while (this.#text[this.#at++] === ',')
    else this.#at++
    return entries
  }

  #scalar(first: string | undefined): unknown {
    if (first === '"') return JSON.parse(this.#take(string))
    const written = this.#take(word)
    const value: unknown = JSON.parse(written)
    const isRounded = typeof value === 'number' && !Number.isSafeInteger(value) && wholeNumber.test(written)
    return isRounded ? BigInt(written) : value
  }

  /** Consumes the match of the pattern at the current position. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const [taken] = pattern.exec(this.#text)!
    this.#at += taken.length
    return taken
  }
}
