/**
 * Turns the chunks of a text into sources that can be scanned: with LF line ends, without illegal characters, and with
 * incomplete markup buffered until its end arrives.
 *
 *   chunks   <a><b c="1">some te    xt</b><!-- a       comment --></a>
 *   steps    ^  ^        ^          ^ ^   ^ buffered   ^           ^
 *
 * A step consumes one token (a run of text, a tag, a comment, …) and returns the position of the next. A step that returns
 * its own position lacks its end. While markup is buffered, only new chunks are searched for its end, so that each
 * character is scanned a bounded number of times, regardless of the size of the chunks.
 */
import { codePoint } from './scalars.ts'
import { illegal } from './xml-characters.ts'
import { XmlBuffer } from './xml-buffer.ts'

export interface XmlSteps {
  /** Starts a new source. Positions of `step` refer to it. */
  begin(source: string): void
  step(at: number): number
}

export class XmlInput {
  readonly #steps: XmlSteps
  readonly #maxBuffered: number
  readonly #refuse: (message: string) => never
  readonly #buffer = new XmlBuffer()
  /** The last chunk ended with CR. The next chunk shows whether LF follows. */
  #endedWithCr = false
  /** The source being scanned, the start and the current position in it, and the offset of the start in the text. */
  #source = ''
  #from = 0
  #at = 0
  #offset = 0
  #line = 1
  #lineBegin = 0

  /** `refuse` receives the error message with the position, and must throw. */
  constructor(steps: XmlSteps, maxBuffered: number, refuse: (message: string) => never) {
    this.#steps = steps
    this.#maxBuffered = maxBuffered
    this.#refuse = refuse
  }

  /** The number of characters from the beginning of the text to the current position. */
  get position(): number {
    return this.#offset + this.#at - this.#from
  }

  /** The current position in the source. */
  set reached(at: number) {
    this.#at = at
  }

  write(piece: string): void {
    const text = this.#withLineFeeds(piece)
    if (!illegal.test(text)) return this.#feed(text)
    const at = text.search(illegal)
    this.#feed(text.slice(0, at))
    this.#source = this.#buffer.take()
    this.#from = 0
    return this.fail(`the character ${codePoint(text, at)} is not allowed in XML`, this.#source.length)
  }

  /** Ends the text and returns the text that is still buffered. */
  end(): string {
    return this.#buffer.take()
  }

  /** Refuses the text with the line and column. */
  fail(message: string, at = this.#at): never {
    this.#leave(at)
    return this.#refuse(`${message} (line ${this.#line}, column ${this.#offset - this.#lineBegin + 1})`)
  }

  /** CR LF and a lone CR become LF. */
  #withLineFeeds(piece: string): string {
    if (!this.#endedWithCr && !piece.includes('\r')) return piece
    const text = this.#endedWithCr ? `\r${piece}` : piece
    this.#endedWithCr = text.endsWith('\r')
    return (this.#endedWithCr ? text.slice(0, -1) : text).replaceAll(/\r\n?/g, '\n')
  }

  #feed(piece: string): void {
    let from = 0
    while (from < piece.length && this.#buffer.length > 0) {
      const end = this.#buffer.endIn(piece, from)
      if (end < 0) return this.#bufferMore(piece.slice(from))
      this.#scan(this.#buffer.take() + piece.slice(from, end), 0)
      from = end
    }
    if (from < piece.length) this.#scan(piece, from)
  }

  #bufferMore(rest: string): void {
    this.#buffer.add(rest)
    if (this.#buffer.length > this.#maxBuffered)
      this.fail(`a piece of markup is longer than ${this.#maxBuffered} characters`)
  }

  #scan(source: string, from: number): void {
    const steps = this.#steps
    this.#source = source
    this.#from = from
    steps.begin(source)
    let at = from
    while (at < source.length) {
      this.#at = at
      const next = steps.step(at)
      if (next === at) break
      at = next
    }
    this.#leave(at)
    this.#buffer.begin(source.slice(at))
  }

  /** Moves to `at` and counts the lines up to it. */
  #leave(at: number): void {
    const source = this.#source
    for (let lf = source.indexOf('\n', this.#from); lf >= 0 && lf < at; lf = source.indexOf('\n', lf + 1)) {
      this.#line++
      this.#lineBegin = this.#offset + lf + 1 - this.#from
    }
    this.#offset += at - this.#from
    this.#from = this.#at = at
  }
}
