// oxlint-disable-next-line typescript/triple-slash-reference -- a package that compiles this file may know no TextDecoder
/// <reference path="../globals.d.ts" />
/**
 * From bytes to text: which encoding a message is in, and whether its XML declaration agrees.
 *
 * The transport's charset wins over all else, as RFC 7303 says. Without one, the first two bytes tell UTF-16 from
 * UTF-8 (by byte order mark, or by the zero in `<`), and the declaration must not contradict them.
 */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** The encodings we read. ASCII is UTF-8 already, and utf-16 leaves the byte order to the bytes. */
const known = new Map<string, Encoding | 'utf-16'>([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ['us-ascii', 'utf-8'],
  ['ascii', 'utf-8'],
  ['utf-16', 'utf-16'],
  ['utf-16le', 'utf-16le'],
  ['utf-16be', 'utf-16be'],
])

export class XmlDecoder {
  readonly #charset: string | undefined
  #first: number[] = []
  #decoder: TextDecoder | undefined
  #encoding: Encoding = 'utf-8'

  constructor(charset: string | undefined) {
    this.#charset = charset?.toLowerCase()
  }

  /** The text of the next bytes. Throws a TypeError when they are not text of the encoding. */
  decode(bytes: Uint8Array): string {
    if (this.#decoder) return this.#decoder.decode(bytes, { stream: true })
    const first = [...this.#first, ...bytes.subarray(0, 2)]
    if (first.length < 2) {
      this.#first = first
      return ''
    }
    this.#encoding = this.#choose(sniffed(first[0]!, first[1]!))
    this.#decoder = new TextDecoder(this.#encoding, { fatal: true })
    return this.#decoder.decode(new Uint8Array(this.#first), { stream: true }) + this.decode(bytes)
  }

  end(): void {
    if (this.#decoder) this.#decoder.decode()
  }

  #choose(found: Encoding): Encoding {
    if (this.#charset === undefined) return found
    const named = known.get(this.#charset)
    if (named === undefined) throw new TypeError(unsupported(this.#charset))
    if (named !== 'utf-16') return named
    return found === 'utf-8' ? 'utf-16be' : found
  }

  /** What is wrong with the encoding that the XML declaration names, if anything. */
  contradiction(declared: string): string | undefined {
    if (this.#charset !== undefined) return undefined
    const named = known.get(declared.toLowerCase())
    if (named === undefined) return unsupported(declared)
    return this.#encoding.startsWith(named)
      ? undefined
      : `the message is not in ${declared}, as it declares, but in ${this.#encoding}`
  }

  /** What is wrong when `decode` or `end` threw. */
  complaint(error: TypeError): string {
    return this.#decoder ? `the message is not valid ${this.#encoding}` : error.message
  }
}

const unsupported = (encoding: string) => `the encoding ${encoding} is not supported; send UTF-8 or UTF-16`

function sniffed(first: number, second: number): Encoding {
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le'
  return (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c) ? 'utf-16be' : 'utf-8'
}
