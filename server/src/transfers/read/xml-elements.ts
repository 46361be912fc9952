/**
 * XML documents of other systems, element by element: catalogues are large, their articles are not.
 *
 * A document type is tolerated, because old catalogues have one, but neither read nor fetched: an entity that it would
 * declare is a fault. So is an element that is nested too deeply or too large.
 */
import { SaxesParser } from 'saxes'
import { Problem } from '../../errors.ts'
import { type Bytes, maxCell } from './source.ts'

export interface XmlElement {
  /** Without prefix. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** Its own text, without white space around it. */
  readonly text: string
  /** Texts and children in their order, with white space. */
  readonly content: readonly (string | XmlElement)[]
}

/** enter: its children are asked for in turn. read: the whole element. skip: nothing below it. */
export type Treatment = 'enter' | 'read' | 'skip'

interface XmlEvent {
  readonly treatment: Treatment
  /** The names from the root to the element. */
  readonly path: readonly string[]
  /** Has no children and no text unless it was read. */
  readonly element: XmlElement
}

const maxDepth = 100
/** The cost of an element besides its texts, in characters. */
const elementCost = 50

type Growing = XmlElement & { children: XmlElement[]; text: string; content: (string | XmlElement)[] }

interface XmlOptions {
  /** A document type is refused instead of tolerated. */
  readonly refusesDoctype?: boolean
}

export async function* xmlEvents(
  bytes: Bytes,
  treat: (name: string, path: readonly string[]) => Treatment,
  { refusesDoctype = false }: XmlOptions = {},
): AsyncGenerator<XmlEvent> {
  const ready: XmlEvent[] = []
  const parser = createParser(treat, (event) => void ready.push(event), refusesDoctype)
  for await (const text of textOf(bytes)) {
    parser.write(text)
    yield* ready.splice(0)
  }
  parser.end()
  yield* ready
}

function createParser(
  treat: (name: string, path: readonly string[]) => Treatment,
  emit: (event: XmlEvent) => void,
  refusesDoctype: boolean,
) {
  const parser = new SaxesParser()
  if (refusesDoctype)
    parser.on('doctype', () => {
      throw new Problem('invalid', 'the document has a document type (DOCTYPE), which is not read; remove it')
    })
  const path: string[] = []
  /** The open elements of the one that is being read. */
  const open: Growing[] = []
  let skippedAt = 0
  let size = 0
  const grow = (by: number) => {
    size += by
    if (size > maxCell) throw new Problem('invalid', `the element ${path.join('/')} is larger than ${maxCell} characters`) // prettier-ignore
  }
  parser.on('opentag', ({ name: full, attributes }) => {
    const name = localOf(full)
    path.push(name)
    if (path.length > maxDepth) throw new Problem('invalid', `elements are nested more than ${maxDepth} deep`)
    if (skippedAt > 0) return
    const element: Growing = { name, attributes: attributesOf(attributes as Record<string, string>), children: [], text: '', content: [] } // prettier-ignore
    if (open.length > 0) {
      grow(elementCost + name.length + sizeOfAttributes(element))
      open.at(-1)!.children.push(element)
      open.at(-1)!.content.push(element)
      open.push(element)
      return
    }
    const treatment = treat(name, path)
    if (treatment === 'read') {
      size = 0
      open.push(element)
      return
    }
    if (treatment === 'skip') skippedAt = path.length
    emit({ treatment, path: [...path], element })
  })
  const text = (piece: string) => {
    const element = open.at(-1)
    if (!element) return
    grow(piece.length)
    element.text += piece
    element.content.push(piece)
  }
  parser.on('text', text)
  parser.on('cdata', text)
  parser.on('closetag', () => {
    if (skippedAt === path.length) skippedAt = 0
    const element = open.pop()
    if (element) {
      element.text = element.text.trim()
      if (open.length === 0) emit({ treatment: 'read', path: [...path], element })
    }
    path.pop()
  })
  return bounded(parser)
}

/** The parser collects a token until its end, so its length is bounded here. */
function bounded(parser: SaxesParser) {
  let tokens = 0
  let before = 0
  let length = 0
  parser.on('opentagstart', () => void tokens++)
  const attempt = (work: () => void) => {
    try {
      work()
    } catch (error) {
      if (error instanceof Problem) throw error
      throw new Problem('invalid', `the XML cannot be read: ${(error as Error).message.slice(0, 300)}`, {
        cause: error,
      })
    }
  }
  return {
    write(piece: string) {
      length = tokens === before ? length + piece.length : piece.length
      before = tokens
      if (length > 2 * maxCell) throw new Problem('invalid', `a part of the XML is longer than ${2 * maxCell} characters`) // prettier-ignore
      attempt(() => void parser.write(piece))
    },
    end: () => attempt(() => void parser.close()),
  }
}

const localOf = (name: string) => name.slice(name.indexOf(':') + 1)
const sizeOfAttributes = ({ attributes }: XmlElement) =>
  Object.entries(attributes).reduce((sum, [name, value]) => sum + name.length + value.length, 0)

/** Without the declarations and hints of schemas. */
const attributesOf = (attributes: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      /^(xmlns|xsi)(:|$)/.test(name) ? [] : [[localOf(name), value]],
    ),
  )

// Encoding

/** A declaration is at most this long. */
const maxHead = 1000

async function* textOf(bytes: Bytes): AsyncGenerator<string> {
  let head: Buffer | undefined = Buffer.alloc(0)
  let decoder: TextDecoder | undefined
  const decode = (piece?: Buffer) => {
    try {
      return decoder!.decode(piece, { stream: piece !== undefined })
    } catch (error) {
      throw new Problem('invalid', 'the XML is not valid in the encoding that its first line declares, which is UTF-8 by default', { cause: error }) // prettier-ignore
    }
  }
  for await (const piece of bytes) {
    if (head) {
      head = Buffer.concat([head, piece])
      if (head.length < maxHead) continue
      decoder = decoderOf(head)
      yield decode(head)
      head = undefined
    } else yield decode(piece)
  }
  if (head) {
    decoder = decoderOf(head)
    yield decode(head)
  }
  yield decode()
}

/** A byte order mark decides, then the declaration. */
function decoderOf(head: Buffer): TextDecoder {
  const [first, second] = head
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return decoderFor('utf-16le')
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return decoderFor('utf-16be')
  if (first === 0xef) return decoderFor('utf-8')
  const [, declared = 'utf-8'] = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(head.toString('latin1', 0, maxHead)) ?? [] // prettier-ignore
  return decoderFor(declared)
}

function decoderFor(name: string): TextDecoder {
  try {
    return new TextDecoder(name, { fatal: true })
  } catch (error) {
    throw new Problem('invalid', `the encoding ${name.slice(0, 50)} is not supported; save the file as UTF-8`, { cause: error }) // prettier-ignore
  }
}

// The root element

const prolog = /^(?:\ufeff|\s+|<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE[^[>]*(?:\[[^\]]*\])?\s*>)/

/** The local name of the root element of a document that begins with this text; '' if there is none. */
export function rootOf(head: string): string {
  let rest = head.replaceAll(/^\ufffd+|\0/g, '') // UTF-16
  for (let found = prolog.exec(rest); found; found = prolog.exec(rest)) rest = rest.slice(found[0].length)
  return /^<(?:[\w.-]+:)?([\w.-]+)/.exec(rest)?.[1] ?? ''
}
