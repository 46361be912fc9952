/**
 * The pieces in which a text comes, made into sources that can be scanned: with LF at the end of lines, without characters
 * that XML forbids, and with unfinished markup held until its end comes.
 *
 *   piece    <a><b c="1">some te    xt</b><!-- a       comment --></a>
 *   steps    ^  ^        ^          ^ ^   ^ held       ^           ^
 *
 * A step takes one thing (a run of text, a tag, a comment, …) and returns where the next begins. A step that returns where it
 * began lacks its end. While something is held, only its end is looked for, and only in the new piece, so that no
 * character is looked at more than a fixed number of times, in however small pieces a text comes.
 */
import { codePoint } from './scalars.ts'
import { illegal } from './xml-characters.ts'
import { XmlHold } from './xml-hold.ts'

export interface XmlSteps {
  /** A new source begins; the places of `step` are in it. */
  begin(source: string): void
  step(at: number): number
}

export class XmlInput {
  readonly #steps: XmlSteps
  readonly #longestHold: number
  readonly #refuse: (message: string) => never
  readonly #hold = new XmlHold()
  /** The last piece ended with CR: whether LF follows is for the next one to say. */
  #endedWithCr = false
  /** What is being scanned, from where and how far, and where in the text that begins. */
  #source = ''
  #from = 0
  #at = 0
  #offset = 0
  #line = 1
  #lineBegin = 0

  /** `refuse` is told what is wrong and where; it must throw. */
  constructor(steps: XmlSteps, longestHold: number, refuse: (message: string) => never) {
    this.#steps = steps
    this.#longestHold = longestHold
    this.#refuse = refuse
  }

  /** Characters from the begin of the text to the place that was reached. */
  get position(): number {
    return this.#offset + this.#at - this.#from
  }

  /** The place that was reached, within the source. */
  set reached(at: number) {
    this.#at = at
  }

  write(piece: string): void {
    const text = this.#withLineFeeds(piece)
    if (!illegal.test(text)) return this.#feed(text)
    const at = text.search(illegal)
    this.#feed(text.slice(0, at))
    this.#source = this.#hold.take()
    this.#from = 0
    return this.fail(`the character ${codePoint(text, at)} is not allowed in XML`, this.#source.length)
  }

  /** Ends the text and returns what is still held. */
  end(): string {
    return this.#hold.take()
  }

  /** Refuses the text, saying where. */
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
    while (from < piece.length && this.#hold.length > 0) {
      const end = this.#hold.endIn(piece, from)
      if (end < 0) return this.#holdMore(piece.slice(from))
      this.#scan(this.#hold.take() + piece.slice(from, end), 0)
      from = end
    }
    if (from < piece.length) this.#scan(piece, from)
  }

  #holdMore(rest: string): void {
    this.#hold.add(rest)
    if (this.#hold.length > this.#longestHold)
      this.fail(`a piece of markup is longer than ${this.#longestHold} characters`)
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
    this.#hold.begin(source.slice(at))
  }

  /** Counts the lines up to `at`, which are not looked at again. */
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
