/**
 * JSON.parse without two of its inaccuracies, for the few texts that may be affected:
 *
 *   - it rounds whole numbers above 2^53; here they become bigint
 *   - V8 can confuse a name that contains an escape with the name that the raw escape spells, after objects with both
 *     names were parsed (nodejs/node#63785); here names are parsed one by one
 *
 * JSON.parse checks the text first, so that the parser below can rely on well-formed input.
 */

export function parseExactly(text: string): unknown {
  JSON.parse(text)
  return new WellFormed(text).value()
}

const space = /\s*/y
const string = /"[^"\\]*(?:\\.[^"\\]*)*"/y
const word = /[^\s,\]}]+/y
const wholeNumber = /^-?\d{1,40}$/

class WellFormed {
  readonly #text: string
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
    // Built from entries, because `object[name] = value` does not work for the name __proto__.
    return Object.fromEntries(
      this.#entries('}', () => {
        this.#take(space)
        const name = JSON.parse(this.#take(string)) as string
        this.#take(space)
        this.#at++ // the colon
        return [name, this.value()] as const
      }),
    )
  }

  #list(): unknown[] {
    return this.#entries(']', () => this.value())
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
