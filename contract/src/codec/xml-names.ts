/** Names of elements and attributes: validation, parts, and a cache of recent names. */

export interface XmlName {
  /** The name as sent, with its prefix. */
  readonly raw: string
  readonly prefix: string
  readonly local: string
  /** For xmlns and xmlns:p: the bound prefix ('' and 'p'). */
  readonly binds: string | undefined
}

const start =
  'A-Z_a-z\\u{c0}-\\u{d6}\\u{d8}-\\u{f6}\\u{f8}-\\u{2ff}\\u{370}-\\u{37d}\\u{37f}-\\u{1fff}\\u{200c}\\u{200d}' +
  '\\u{2070}-\\u{218f}\\u{2c00}-\\u{2fef}\\u{3001}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{fffd}\\u{10000}-\\u{effff}'
const withoutColon = `[${start}][${start}\\-.0-9\\u{b7}\\u{300}-\\u{36f}\\u{203f}\\u{2040}]*`
const qualified = new RegExp(`^(?:(${withoutColon}):)?(${withoutColon})$`, 'u')

function nameOf(raw: string): XmlName | undefined {
  const parts = qualified.exec(raw)
  if (!parts) return undefined
  const [, prefix = '', local = ''] = parts
  const binds = raw === 'xmlns' ? '' : prefix === 'xmlns' ? local : undefined
  return { raw: interned(raw), prefix, local: interned(local), binds }
}

/** The engine interns property names. An interned name is fast to look up in a Map and does not retain the source text. */
const interned = (text: string) => Object.keys({ [text]: true })[0]!

/** ASCII characters that can be part of a name. Characters above U+007F are checked by the pattern. */
const continues = new Uint8Array(128)
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:_-.')
  continues[character.charCodeAt(0)] = 1

const longest = 128
const slots = 256

/** Most names of a message repeat. A hash finds them without creating or validating a string. */
export class XmlNames {
  readonly #cache: (XmlName | undefined)[] = Array.from({ length: slots })
  readonly #fail: (message: string, at: number) => never

  constructor(fail: (message: string, at: number) => never) {
    this.#fail = fail
  }

  /** The name at `from`, or undefined if it may continue after the end of the source. */
  read(source: string, from: number): XmlName | undefined {
    let at = from
    let hash = 0
    while (at < source.length) {
      const code = source.charCodeAt(at)
      if (code < 128 && continues[code] === 0) break
      hash = (hash * 31 + code) | 0
      at++
    }
    if (at - from > longest) this.#fail(`a name is longer than ${longest} characters`, from)
    if (at === source.length) return undefined
    const slot = hash & (slots - 1)
    const cached = this.#cache[slot]
    if (cached !== undefined && cached.raw.length === at - from && source.startsWith(cached.raw, from)) return cached
    return (this.#cache[slot] = this.#validated(source, from, at))
  }

  #validated(source: string, from: number, to: number): XmlName {
    const raw = source.slice(from, to)
    return nameOf(raw) ?? this.#fail(raw === '' ? 'a name is missing' : `'${raw.toWellFormed()}' is not a name`, from)
  }
}
