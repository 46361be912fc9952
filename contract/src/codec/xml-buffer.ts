/**
 * A buffer for incomplete markup.
 *
 * A tag of one megabyte may arrive byte by byte. The buffered text is therefore not scanned again with each chunk; only
 * the new chunk is searched for the end of the markup, and the scanner runs once, when the end is found.
 */

/** The end of markup by its beginning. A tag ends with > outside of quotation marks. */
const endings: [begin: string, end: string][] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
]
/** How many characters to add if the buffered text is too short to tell the kind of markup. */
const lookAhead = 32

const lt = 0x3c
const gt = 0x3e
const quotationMark = 0x22
const apostrophe = 0x27

export class XmlBuffer {
  #text = ''
  /** The expected end: a text, 'tag', or '' if it is not known yet. */
  #end = ''
  /** The last characters, which may be the beginning of the end. */
  #tail = ''
  /** The open quotation mark in a tag, or 0. */
  #quote = 0

  get length(): number {
    return this.#text.length
  }

  begin(rest: string): void {
    this.#text = rest
    this.#end = ''
    if (!rest.startsWith('<')) return
    const [begin, end] = endings.find(([begin]) => rest.startsWith(begin)) ?? ['<', /^<[^!?]/.test(rest) ? 'tag' : '']
    this.#end = end
    this.#tail = ''
    this.#quote = 0
    this.endIn(rest, begin.length)
  }

  /** The position in the chunk, from `from` on, where the buffered markup ends or may end, or -1. */
  endIn(piece: string, from: number): number {
    if (this.#end === '') return Math.min(piece.length, from + lookAhead)
    if (this.#end === 'tag') return this.#tagEndIn(piece, from)
    const before = from - this.#tail.length
    const ahead = this.#tail + piece.slice(from)
    const found = ahead.indexOf(this.#end)
    this.#tail = ahead.slice(1 - this.#end.length)
    return found < 0 ? -1 : before + found + this.#end.length
  }

  /** < also ends a tag: it is illegal there, and the scanner reports it. */
  #tagEndIn(piece: string, from: number): number {
    for (let at = from; at < piece.length; at++) {
      const code = piece.charCodeAt(at)
      if (code === lt || (code === gt && this.#quote === 0)) return at + 1
      if (code !== quotationMark && code !== apostrophe) continue
      if (this.#quote === 0) this.#quote = code
      else if (this.#quote === code) this.#quote = 0
    }
    return -1
  }

  add(more: string): void {
    this.#text += more
  }

  take(): string {
    const text = this.#text
    this.#text = ''
    this.#end = ''
    return text
  }
}
