// oxlint-disable-next-line typescript/triple-slash-reference -- packages that compile this file may lack a type for TextDecoder
/// <reference path="../globals.d.ts" />
/**
 * Decodes bytes to text: determines the encoding of a message and checks its XML declaration.
 *
 * The charset of the transport has priority (RFC 7303). Without it, the first two bytes distinguish UTF-16 from UTF-8 (by
 * the byte order mark, or by the zero byte next to `<`), and the declaration must not contradict them.
 */
type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** Supported encodings. For utf-16, the bytes determine the byte order. */
const known = new Map<string, Encoding | 'utf-16'>([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
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

  /** The text of the next bytes. Throws a TypeError if they are invalid in the encoding. */
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

  /** The fault of the encoding in the XML declaration, if any. */
  encodingFault(declared: string): string | undefined {
    const named = known.get(declared.toLowerCase())
    if (named === undefined) return unsupported(declared)
    if (this.#charset !== undefined) return undefined
    return this.#encoding.startsWith(named)
      ? undefined
      : `the message declares ${declared}, but is encoded in ${this.#encoding}`
  }

  /** The error message for an error thrown by `decode` or `end`. */
  decodingFault(error: TypeError): string {
    return this.#decoder ? `the message is not valid ${this.#encoding}` : error.message
  }
}

const unsupported = (encoding: string) => `the encoding ${encoding} is not supported; send UTF-8 or UTF-16`

function sniffed(first: number, second: number): Encoding {
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le'
  return (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c) ? 'utf-16be' : 'utf-8'
}
