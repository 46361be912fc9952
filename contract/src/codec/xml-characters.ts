/** The characters of XML 1.0: which are allowed, which are white space, and how references such as &amp; are resolved. */

/** Characters that are illegal in XML. Lone surrogates are not included, because decoders never produce them. */
export const illegal = /[^\t\n\r\u0020-\ufffd]/

export const isSpace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/** The first position from `at` that is not white space. */
export function spaceEnd(source: string, at: number): number {
  while (isSpace(source.charCodeAt(at))) at++
  return at
}

/**
 * Finds the next occurrence of a character. As long as the requested positions increase, the source is searched only
 * once, so that a rare character costs almost nothing.
 */
export class NextOf {
  readonly #character: string
  #source = ''
  #found = -1

  constructor(character: string) {
    this.#character = character
  }

  search(source: string): void {
    this.#source = source
    this.#found = -1
  }

  /** The first occurrence at `at` or later, or the length of the source if there is none. */
  from(at: number): number {
    if (this.#found >= at) return this.#found
    const found = this.#source.indexOf(this.#character, at)
    return (this.#found = found < 0 ? this.#source.length : found)
  }
}

const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])
const numbered = /^#(?:([0-9]+)|x([0-9a-fA-F]+))$/

/** The character that `&body;` refers to, or undefined if the reference is invalid in a document without a DTD. */
export function referenced(body: string): string | undefined {
  const number = body.startsWith('#') ? numbered.exec(body) : undefined
  if (!number) return entities.get(body)
  const code = number[1] ? Number.parseInt(number[1], 10) : Number.parseInt(number[2]!, 16)
  if (!(code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) return undefined
  const character = String.fromCodePoint(code)
  return illegal.test(character) ? undefined : character
}
