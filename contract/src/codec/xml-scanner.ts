/**
 * A strict streaming scanner for XML 1.0 with namespaces and without DTD. Input: chunks of text of any size. Output: elements
 * and text.
 *
 * This file is the grammar. Each step consumes one token of the source and returns the position of the next, or its own
 * position if the token is incomplete (see xml-input.ts).
 */
import type { Limits } from './codec.ts'
import { quoteValue } from './scalars.ts'
import { isSpace, NextOf, referenced, spaceEnd } from './xml-characters.ts'
import { XmlInput, type XmlSteps } from './xml-input.ts'
import { XmlNames, type XmlName } from './xml-names.ts'
import { XmlNamespaces } from './xml-namespaces.ts'

/** The attributes of one element, without namespace declarations. Valid only during `open`. */
export interface XmlAttributes {
  count: number
  readonly names: XmlName[]
  readonly values: string[]
}

export interface XmlHandler {
  /** `foreign` is the namespace of an element outside of the home namespace ('' for none), otherwise undefined. */
  open(name: XmlName, foreign: string | undefined, attributes: XmlAttributes): void
  /** A part of the text between tags: `source` from `from` to `to`. */
  text(source: string, from: number, to: number): void
  close(): void
  /** Checks the encoding in the XML declaration. Returns its fault, if any. */
  encoding(name: string): string | undefined
  /** The text is not well formed or exceeds a limit. Must throw. */
  fail(message: string): never
}

const longestReference = 64
/** Up to this number, comparing all pairs is faster than a set. */
const manyAttributes = 16

const lt = 0x3c
const gt = 0x3e
const slash = 0x2f
const equals = 0x3d
const ampersand = 0x26
const quotationMark = 0x22
const apostrophe = 0x27
const questionMark = 0x3f
const exclamationMark = 0x21

const sections = ['<!--', '<![CDATA[', '<!DOCTYPE']
const space = '[ \\t\\n]'
const quoted = (pattern: string) => `${space}*=${space}*(?:"(${pattern})"|'(${pattern})')`
const xmlDeclaration = new RegExp(
  `^<\\?xml${space}+version${quoted('1\\.[0-9]+')}(?:${space}+encoding${quoted('[A-Za-z][A-Za-z0-9._-]*')})?` +
    `(?:${space}+standalone${quoted('yes|no')})?${space}*\\?>$`,
)
const isBegunReference = (text: string) => text.length < longestReference && /^&#?\w*$/.test(text)
const withSpaces = (text: string) => text.replaceAll(/[\t\n]/g, ' ')

export class XmlScanner implements XmlSteps {
  readonly #handler: XmlHandler
  readonly #limits: Limits
  readonly #namespaces: XmlNamespaces
  readonly #input: XmlInput
  readonly #names: XmlNames
  readonly #attributes: XmlAttributes = { count: 0, names: [], values: [] }
  /** Whether an attribute has a prefix or declares a namespace. */
  #hasNamespaces = false
  /** The open elements. */
  readonly #open: XmlName[] = []
  #hasRoot = false

  #source = ''
  readonly #nextLt = new NextOf('<')
  readonly #nextAmpersand = new NextOf('&')
  readonly #nextSemicolon = new NextOf(';')
  readonly #nextBracket = new NextOf(']')
  readonly #nextLineFeed = new NextOf('\n')
  readonly #nextTab = new NextOf('\t')

  constructor(handler: XmlHandler, limits: Limits, namespace: string) {
    this.#handler = handler
    this.#limits = limits
    this.#namespaces = new XmlNamespaces(namespace)
    this.#input = new XmlInput(this, limits.item, (message) => handler.fail(message))
    this.#names = new XmlNames((message, at) => this.fail(message, at))
  }

  /** The number of characters before the start tag being opened, or before the end of the tag being closed. */
  get position(): number {
    return this.#input.position
  }

  write(piece: string): void {
    this.#input.write(piece)
  }

  end(): void {
    const rest = this.#input.end()
    if (rest !== '') this.fail(`the message ends within ${quoteValue(rest)}`)
    const last = this.#open.at(-1)
    if (last) this.fail(`the message ends before </${last.raw}>`)
    if (!this.#hasRoot) this.fail('the message has no root element')
  }

  /** Refuses the message with the line and column. */
  fail(message: string, at?: number): never {
    return this.#input.fail(message, at)
  }

  begin(source: string): void {
    this.#source = source
    this.#nextLt.search(source)
    this.#nextAmpersand.search(source)
    this.#nextSemicolon.search(source)
    this.#nextBracket.search(source)
    this.#nextLineFeed.search(source)
    this.#nextTab.search(source)
  }

  step(at: number): number {
    return this.#source.charCodeAt(at) === lt ? this.#markup(at) : this.#text(at)
  }

  // Text

  #text(from: number): number {
    const end = Math.min(this.#nextLt.from(from), this.#nextAmpersand.from(from), this.#nextBracket.from(from))
    if (end > from) {
      this.#emit(this.#source, from, end)
      return end
    }
    return this.#source.charCodeAt(end) === ampersand ? this.#reference(end) : this.#bracket(end)
  }

  #emit(source: string, from: number, to: number): void {
    if (this.#open.length > 0) this.#handler.text(source, from, to)
    else if (spaceEnd(source, from) < to) this.fail('there is text outside of the root element')
  }

  #bracket(at: number): number {
    const ahead = this.#source.slice(at, at + 3)
    if (ahead === ']]>') this.fail(`']]>' must be written as ]]&gt; in text`)
    if (']]>'.startsWith(ahead)) return at
    this.#emit(ahead, 0, 1)
    return at + 1
  }

  #reference(at: number): number {
    if (this.#open.length === 0) this.fail('there is text outside of the root element')
    const end = this.#nextSemicolon.from(at)
    if (end === this.#source.length && isBegunReference(this.#source.slice(at, at + longestReference))) return at
    const text = this.#referenced(at, end)
    this.#emit(text, 0, text.length)
    return end + 1
  }

  /** The character that the reference from & to ; refers to. */
  #referenced(at: number, end: number): string {
    const body = end - at < longestReference ? this.#source.slice(at + 1, end) : ''
    const text = referenced(body)
    if (text !== undefined) return text
    if (!/^#?\w+$/.test(body) || end === this.#source.length) this.fail(`'&' must be written as &amp;`, at)
    if (body.startsWith('#')) this.fail(`&${body}; is not a character that XML allows`, at)
    return this.fail(`&${body}; is unknown: entity definitions are not supported`, at)
  }

  // Tags

  #markup(at: number): number {
    const source = this.#source
    if (at + 1 === source.length) return at
    const code = source.charCodeAt(at + 1)
    if (code === slash) return this.#endTag(at)
    if (code === exclamationMark) return this.#section(at)
    return code === questionMark ? this.#instruction(at) : this.#startTag(at)
  }

  #startTag(at: number): number {
    const source = this.#source
    const name = this.#names.read(source, at + 1)
    if (name === undefined) return at
    this.#attributes.count = 0
    this.#hasNamespaces = false
    let end = at + 1 + name.raw.length
    for (;;) {
      const next = spaceEnd(source, end)
      const code = source.charCodeAt(next)
      if (code === gt) {
        this.#openElement(name)
        return next + 1
      }
      if (next + 1 >= source.length) return at
      if (code === slash) {
        if (source.charCodeAt(next + 1) !== gt) this.fail(`'>' is missing after '/'`, next)
        this.#openElement(name)
        this.#closeElement(next + 2)
        return next + 2
      }
      if (next === end) this.fail(`white space or '>' is missing in the tag <${name.raw}`, next)
      end = this.#attribute(next)
      if (end < 0) return at
    }
  }

  #openElement(name: XmlName): void {
    const open = this.#open
    if (open.length === 0 && this.#hasRoot) this.fail('there is a second root element')
    if (open.length >= this.#limits.depth) this.fail(`elements are nested more than ${this.#limits.depth} levels deep`)
    if (this.#attributes.count > 1) this.#checkRepeated(name)
    open.push(name)
    this.#hasRoot = true
    if (this.#hasNamespaces) this.#bindNamespaces()
    if (name.prefix !== '') this.#checkPrefix(name)
    this.#handler.open(name, this.#namespaces.foreign(name.prefix), this.#attributes)
  }

  #endTag(at: number): number {
    const source = this.#source
    const name = this.#open[this.#open.length - 1]
    if (name === undefined) this.fail('there is an end tag outside of the root element')
    let end = at + 2 + name.raw.length
    if (!source.startsWith(name.raw, at + 2)) {
      const found = source.slice(at, source.indexOf('>', at) + 1)
      if (found === '' && end >= source.length) return at
      this.fail(`<${name.raw}> must be closed by </${name.raw}>${found === '' ? '' : `, not by ${quoteValue(found)}`}`)
    }
    if (source.charCodeAt(end) !== gt) {
      end = spaceEnd(source, end)
      if (end === source.length) return at
      if (source.charCodeAt(end) !== gt) this.fail(`'>' is missing after </${name.raw}`, end)
    }
    this.#closeElement(end + 1)
    return end + 1
  }

  #closeElement(end: number): void {
    this.#input.reached = end
    this.#handler.close()
    this.#namespaces.leave(this.#open.length)
    this.#open.pop()
  }

  #checkPrefix(name: XmlName): void {
    if (!this.#namespaces.isBound(name.prefix)) this.fail(`the prefix of '${name.raw}' is not bound to a namespace`)
  }

  // Attributes

  /** Reads name="value". Returns its end, or -1 if it is incomplete. */
  #attribute(at: number): number {
    const source = this.#source
    const name = this.#names.read(source, at)
    if (name === undefined) return -1
    let begin = spaceEnd(source, at + name.raw.length)
    if (begin === source.length) return -1
    if (source.charCodeAt(begin) !== equals) this.fail(`'=' is missing after the attribute name ${name.raw}`, begin)
    begin = spaceEnd(source, begin + 1)
    if (begin === source.length) return -1
    const code = source.charCodeAt(begin)
    if (code !== quotationMark && code !== apostrophe)
      this.fail(`the value of the attribute ${name.raw} is not in quotation marks`, begin)
    const end = source.indexOf(code === quotationMark ? '"' : "'", ++begin)
    const stray = this.#nextLt.from(begin)
    if (stray < (end < 0 ? source.length : end)) this.fail(`'<' must be written as &lt; in an attribute value`, stray)
    if (end < 0) return -1
    this.#addAttribute(name, this.#isPlain(begin, end) ? source.slice(begin, end) : this.#normalised(begin, end))
    return end + 1
  }

  #isPlain(from: number, to: number): boolean {
    return this.#nextAmpersand.from(from) >= to && this.#nextLineFeed.from(from) >= to && this.#nextTab.from(from) >= to
  }

  /** An attribute value with its references replaced and its white space turned into spaces. */
  #normalised(from: number, to: number): string {
    const parts: string[] = []
    let at = from
    for (let next = this.#nextAmpersand.from(at); next < to; next = this.#nextAmpersand.from(at)) {
      const end = this.#nextSemicolon.from(next)
      parts.push(withSpaces(this.#source.slice(at, next)), this.#referenced(next, end))
      at = end + 1
      // The value is too long, whatever follows.
      if (parts.length > 2 * this.#limits.text) break
    }
    parts.push(withSpaces(this.#source.slice(at, to)))
    return parts.join('')
  }

  #addAttribute(name: XmlName, value: string): void {
    const { attributes: most, text: longest } = this.#limits
    const attributes = this.#attributes
    if (attributes.count >= most) this.fail(`an element has more than ${most} attributes`)
    if (value.length > longest) this.fail(`the attribute ${name.raw} is longer than ${longest} characters`)
    attributes.names[attributes.count] = name
    attributes.values[attributes.count++] = value
    if (name.prefix !== '' || name.binds !== undefined) this.#hasNamespaces = true
  }

  #checkRepeated(element: XmlName): void {
    const { names, count } = this.#attributes
    if (count > manyAttributes && new Set(names.slice(0, count).map((name) => name.raw)).size === count) return
    for (let i = 1; i < count; i++) {
      const { raw } = names[i]!
      for (let j = 0; j < i; j++)
        if (names[j]!.raw === raw) this.fail(`<${element.raw}> has the attribute ${raw} more than once`)
    }
  }

  /** Removes namespace declarations from the attributes, then schema hints, which may precede their declaration. */
  #bindNamespaces(): void {
    const { names, values, count } = this.#attributes
    for (let i = 0; i < count; i++) {
      const { binds } = names[i]!
      const wrong = binds === undefined ? undefined : this.#namespaces.bind(this.#open.length, binds, values[i]!)
      if (wrong !== undefined) this.fail(wrong)
    }
    let kept = 0
    for (let i = 0; i < count; i++) {
      const name = names[i]!
      if (name.binds !== undefined) continue
      if (name.prefix !== '') this.#checkPrefix(name)
      if (this.#namespaces.isSchemaHint(name)) continue
      names[kept] = name
      values[kept++] = values[i]!
    }
    this.#attributes.count = kept
  }

  // Comments, CDATA sections, processing instructions

  #section(at: number): number {
    const source = this.#source
    if (source.startsWith('<!--', at)) return this.#comment(at)
    if (source.startsWith('<![CDATA[', at)) return this.#cdata(at)
    const begin = source.slice(at, at + 9)
    if (begin === '<!DOCTYPE') this.fail('a document type declaration (<!DOCTYPE) is not supported; leave it out')
    if (sections.some((section) => section.startsWith(begin))) return at
    return this.fail(`${quoteValue(begin)} is not allowed here`)
  }

  #comment(at: number): number {
    const end = this.#source.indexOf('--', at + 4)
    if (end < 0 || end + 2 === this.#source.length) return at
    if (this.#source.charCodeAt(end + 2) !== gt) this.fail(`'--' is not allowed in a comment`, end)
    return end + 3
  }

  #cdata(at: number): number {
    if (this.#open.length === 0) this.fail('there is text outside of the root element')
    const end = this.#source.indexOf(']]>', at + 9)
    if (end < 0) return at
    if (end > at + 9) this.#emit(this.#source, at + 9, end)
    return end + 3
  }

  #instruction(at: number): number {
    const source = this.#source
    const end = source.indexOf('?>', at + 2)
    if (end < 0) return at
    const target = this.#names.read(source, at + 2)!
    const nameEnd = at + 2 + target.raw.length
    if (target.prefix !== '') this.fail('a processing instruction needs a name without colon')
    if (nameEnd < end && !isSpace(source.charCodeAt(nameEnd)))
      this.fail(`white space is missing after <?${target.raw}`, nameEnd)
    if (target.raw.toLowerCase() === 'xml') this.#declaration(source.slice(at, end + 2))
    return end + 2
  }

  #declaration(text: string): void {
    if (this.position > 0) this.fail('the XML declaration is allowed only at the very beginning')
    const parts = xmlDeclaration.exec(text)
    if (!parts) this.fail('the XML declaration is not well formed')
    if ((parts[1] ?? parts[2]) !== '1.0') this.fail('only XML 1.0 is supported')
    const encoding = parts[3] ?? parts[4]
    const wrong = encoding === undefined ? undefined : this.#handler.encoding(encoding)
    if (wrong !== undefined) this.fail(wrong)
  }
}
