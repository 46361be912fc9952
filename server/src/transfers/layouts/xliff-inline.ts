/**
 * Texts with inline codes. The tags of formatted text (HTML) become codes of XLIFF, which translators move but do not
 * change; their original form is kept beside the text:
 *
 *   Made of <em>oak</em>   <originalData><data id="d1">&lt;em></data><data id="d2">&lt;/em></data></originalData>
 *                          Made of <pc id="1" dataRefStart="d1" dataRefEnd="d2">oak</pc>
 */
import { Problem } from '../../errors.ts'
import type { XmlElement } from '../read/xml-elements.ts'
import { escape } from './bmecat-xml.ts'

type Piece =
  string | { readonly open: string; readonly close: string; readonly content: Piece[] } | { readonly empty: string }

const token = /<(\/?)([a-z][a-z0-9]*)([^>]*)>|[^<]+|</gi
const voidTags = new Set(['br', 'hr'])

/** The pieces of HTML in its stored form, which is well-formed. A tag without its partner is an empty code. */
function piecesOf(html: string): Piece[] {
  const top: Piece[] = []
  const stack: { readonly name: string; readonly open: string; readonly content: Piece[] }[] = []
  const here = () => stack.at(-1)?.content ?? top
  for (const [whole, slash, name, rest = ''] of html.matchAll(token)) {
    if (name === undefined) here().push(fromHtml(whole))
    else if (slash === '' && (voidTags.has(name) || rest.endsWith('/'))) here().push({ empty: whole })
    else if (slash === '') stack.push({ name, open: whole, content: [] })
    else if (stack.at(-1)?.name === name) {
      const { open, content } = stack.pop()!
      here().push({ open, close: whole, content })
    } else here().push({ empty: whole })
  }
  for (let left = stack.pop(); left; left = stack.pop()) here().push({ empty: left.open }, ...left.content)
  return top
}

const entities = new Map([['&lt;', '<'], ['&gt;', '>'], ['&quot;', '"'], ['&amp;', '&']]) // prettier-ignore
const fromHtml = (text: string) => text.replaceAll(/&(lt|gt|quot|amp);/g, (one) => entities.get(one)!)
const htmlSigns = new Map([['&', '&amp;'], ['<', '&lt;'], ['>', '&gt;']]) // prettier-ignore
const toHtml = (text: string) => text.replaceAll(/[&<>]/g, (sign) => htmlSigns.get(sign)!)

/** The codes of a unit: ids are unique in it, and a code of the target has the id of the same code of the source. */
export class UnitCodes {
  readonly #data = new Map<string, string>()
  readonly #ofSource = new Map<string, number[]>()
  #last = 0

  source(text: string, isRich: boolean): string {
    return isRich ? this.#write(piecesOf(text), (code) => this.#fresh(code)) : escape(text)
  }

  target(text: string, isRich: boolean): string {
    const left = new Map([...this.#ofSource].map(([code, ids]) => [code, [...ids]]))
    return isRich ? this.#write(piecesOf(text), (code) => left.get(code)?.shift() ?? ++this.#last) : escape(text)
  }

  /** '' without codes. */
  get originalData(): string {
    const data = [...this.#data].map(([text, id]) => `<data id="${id}">${escape(text)}</data>`)
    return data.length === 0 ? '' : `<originalData>${data.join('')}</originalData>`
  }

  #fresh(code: string): number {
    const ids = this.#ofSource.get(code) ?? []
    this.#ofSource.set(code, ids)
    ids.push(++this.#last)
    return this.#last
  }

  #ref(text: string): string {
    const id = this.#data.get(text) ?? `d${this.#data.size + 1}`
    this.#data.set(text, id)
    return id
  }

  #write(pieces: readonly Piece[], idOf: (code: string) => number): string {
    return pieces
      .map((piece) => {
        if (typeof piece === 'string') return escape(piece)
        if ('empty' in piece) return `<ph id="${idOf(piece.empty)}" dataRef="${this.#ref(piece.empty)}"/>`
        const { open, close, content } = piece
        const head = `id="${idOf(open)}" dataRefStart="${this.#ref(open)}" dataRefEnd="${this.#ref(close)}"`
        return `<pc ${head}>${this.#write(content, idOf)}</pc>`
      })
      .join('')
  }
}

/** Characters of the codes of a unit. Many short references to long data would become a text without bound. */
const maxCodes = 1024 * 1024

/** The original data of a unit by id. */
export class CodeData {
  readonly #byId: ReadonlyMap<string, string>
  #left = maxCodes
  constructor(byId: ReadonlyMap<string, string> = new Map()) {
    this.#byId = byId
  }

  take(id = ''): string {
    const data = this.#byId.get(id) ?? ''
    this.#left -= data.length
    if (this.#left < 0) throw new Problem('invalid', `the inline codes of a unit have more than ${maxCodes} characters`)
    return data
  }
}

/** The value that a source or target holds; codes are replaced by their data. */
export function textIn({ content }: XmlElement, data: CodeData, isRich: boolean): string {
  return content
    .map((piece) => {
      if (typeof piece === 'string') return isRich ? toHtml(piece) : piece
      const { name, attributes } = piece
      if (name === 'pc')
        return `${data.take(attributes['dataRefStart'])}${textIn(piece, data, isRich)}${data.take(attributes['dataRefEnd'])}`
      if (name === 'ph' || name === 'sc' || name === 'ec') return data.take(attributes['dataRef'])
      return name === 'mrk' ? textIn(piece, data, isRich) : ''
    })
    .join('')
}

/** Whether two values say the same. White space does not count, because tools of translators change it. */
export const isSameText = (one: string, other: string, isRich: boolean) =>
  comparable(one, isRich) === comparable(other, isRich)
export const comparable = (text: string, isRich: boolean) =>
  (isRich ? fromHtml(text) : text).replaceAll(/\s+/g, ' ').trim()
