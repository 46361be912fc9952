/**
 * Markup whose end has not come yet, held until it does.
 *
 * A tag of a megabyte may come byte by byte. So what is held is not scanned again with each piece; only the end of it is
 * looked for, in the new piece alone, and the pieces are joined once, when it is found.
 */

/** How markup ends, by how it begins. A tag ends with > outside of quotation marks. */
const endings: [begin: string, end: string][] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
]
/** How much more is taken where too little is held to know how it ends. */
const nextLook = 32

const lt = 0x3c
const gt = 0x3e
const quotationMark = 0x22
const apostrophe = 0x27

export class XmlHold {
  #held = ''
  /** What it ends with: a text, 'tag', or '' when that is not known. */
  #end = ''
  /** The last characters, in which the end may have begun. */
  #tail = ''
  /** The quotation mark that is open in a tag, or 0. */
  #quote = 0

  get length(): number {
    return this.#held.length
  }

  begin(rest: string): void {
    this.#held = rest
    this.#end = ''
    if (!rest.startsWith('<')) return
    const [begin, end] = endings.find(([begin]) => rest.startsWith(begin)) ?? ['<', /^<[^!?]/.test(rest) ? 'tag' : '']
    this.#end = end
    this.#tail = ''
    this.#quote = 0
    this.endIn(rest, begin.length)
  }

  /** Where in the piece, from `from` on, that which is held ends, or may end; -1 when it does not. */
  endIn(piece: string, from: number): number {
    if (this.#end === '') return Math.min(piece.length, from + nextLook)
    if (this.#end === 'tag') return this.#tagEndIn(piece, from)
    const before = from - this.#tail.length
    const ahead = this.#tail + piece.slice(from)
    const found = ahead.indexOf(this.#end)
    this.#tail = ahead.slice(1 - this.#end.length)
    return found < 0 ? -1 : before + found + this.#end.length
  }

  /** Also < ends a tag, because it is wrong anywhere in it: the scanner is to say so. */
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
    this.#held += more
  }

  take(): string {
    const held = this.#held
    this.#held = ''
    this.#end = ''
    return held
  }
}
