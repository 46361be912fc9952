/**
 * XMP: RDF in XML. The packet of a file is parsed, the edited properties are taken out of it, and all of them are added in
 * one new description. Everything else stays, also in namespaces that Kontor does not know.
 */
import { xmpNamespaces } from '@kontor/contract'
import { SaxesParser } from 'saxes'
import { clean, damaged, defaultLocale, type Edits, editsOf, maxBlock, partsOfDate, plainTexts, removesLocation, type TargetOf, type Text } from './edits.ts' // prettier-ignore

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const [maxNodes, maxDepth] = [50_000, 100]

interface Attribute {
  readonly name: string
  readonly uri: string
  readonly local: string
  readonly value: string
}
interface Node {
  readonly name: string
  readonly uri: string
  readonly local: string
  attributes: Attribute[]
  children: (Node | string)[]
}

const allCoordinates = 'GPS'
/** A property by its namespace and name. */
const keyOf = (uri: string, local: string) => `${uri} ${local}`

/** The packet with the edits. Without `packet`, a new one. */
export function mergeXmp(packet: Buffer | undefined, edits: Edits): Buffer {
  const properties = propertiesOf(edits)
  const tree = packet ? parse(packet) : undefined
  const about = tree && removeFrom(tree, new Set(properties.map(({ key }) => key)))
  const own = descriptionOf(properties, about ?? '')
  const inner = tree ? print(tree, own) : `<x:xmpmeta xmlns:x="adobe:ns:meta/">${rdfOf(own)}</x:xmpmeta>`
  return wrap(inner)
}

/** The edits alone, and the packet without them: for files in which both together are too large for one segment. */
export function splitXmp(packet: Buffer | undefined, edits: Edits, note: (rest: Buffer) => string) {
  const properties = propertiesOf(edits)
  const tree = packet ? parse(packet) : undefined
  const about = tree && removeFrom(tree, new Set(properties.map(({ key }) => key)))
  const rest = Buffer.from(tree ? print(tree) : '')
  const own = descriptionOf(properties, about ?? '')
  return { rest, own: wrap(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${rdfOf(note(rest) + own)}</x:xmpmeta>`) }
}

const rdfOf = (content: string) => `<rdf:RDF xmlns:rdf="${rdf}">${content}</rdf:RDF>`
const wrap = (content: string) =>
  Buffer.from(`<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>\n${content}\n<?xpacket end="w"?>`)

function parse(packet: Buffer): Node {
  if (packet.length > maxBlock) throw damaged(`its XMP has more than ${maxBlock} bytes`)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(packet)
  } catch {
    throw damaged('its XMP is not UTF-8')
  }
  const root: Node = { name: '', uri: '', local: '', attributes: [], children: [] }
  const open = [root]
  let nodes = 0
  const parser = new SaxesParser({ xmlns: true })
  const stop = (message: string) => {
    throw damaged(`its XMP ${message}`)
  }
  parser.on('error', (error) => stop(`is not well-formed: ${error.message.slice(0, 100)}`))
  parser.on('doctype', () => stop('has a document type'))
  parser.on('opentag', ({ name, uri, local, attributes }) => {
    if (++nodes > maxNodes || open.length > maxDepth) stop('has too many elements')
    const node: Node = { name, uri, local, attributes: Object.values(attributes), children: [] }
    open.at(-1)!.children.push(node)
    open.push(node)
  })
  parser.on('closetag', () => void open.pop())
  const onText = (text: string) => void open.at(-1)!.children.push(text)
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.write(text.replace(/^\uFEFF/, '').replace(/\0+$/, '')).close()
  const top = root.children.find((child) => typeof child !== 'string')
  if (!top) return stop('is empty')
  if (!rdfIn(top)) stop('has no rdf:RDF')
  return top
}

const rdfIn = (top: Node): Node | undefined => {
  const found = isRdf(top) ? top : top.children.find(isRdf)
  return typeof found === 'string' ? undefined : found
}
const isRdf = (child: Node | string) => typeof child !== 'string' && child.uri === rdf && child.local === 'RDF'

/** Removes properties, which are elements or attributes of descriptions. Returns the subject of the first description. */
function removeFrom(tree: Node, keys: ReadonlySet<string>): string {
  const isOther = ({ uri, local }: Node | Attribute) =>
    !keys.has(keyOf(uri, local)) && !(keys.has(allCoordinates) && uri === xmpNamespaces.exif && local.startsWith('GPS'))
  const descriptions = rdfIn(tree)!.children.filter((child) => typeof child !== 'string')
  for (const description of descriptions) {
    description.attributes = description.attributes.filter(isOther)
    description.children = description.children.filter((child) => typeof child === 'string' || isOther(child))
  }
  const [about] = descriptions.flatMap(({ attributes }) => attributes.filter(({ uri, local }) => uri === rdf && local === 'about')) // prettier-ignore
  return about?.value ?? ''
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;')
const attributeText = (text: string) =>
  escaped(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')

/** `added` is written at the end of rdf:RDF. */
function print(node: Node, added = ''): string {
  const attributes = node.attributes.map(({ name, value }) => ` ${name}="${attributeText(value)}"`).join('')
  const isTarget = added !== '' && isRdf(node)
  const content = node.children
    .map((child) => (typeof child === 'string' ? escaped(child) : print(child, isTarget ? '' : added)))
    .join('')
  const end = isTarget ? added : '' // it declares its own prefixes, because the file may use others
  return content + end === '' ? `<${node.name}${attributes}/>` : `<${node.name}${attributes}>${content}${end}</${node.name}>` // prettier-ignore
}
interface Property {
  readonly key: string
  readonly prefix: string
  readonly xml: string
}

function propertiesOf(edits: Edits): Property[] {
  const own = editsOf(edits, 'xmp').map(([target, texts]) => toProperty(target, texts))
  const gps = editsOf(edits, 'gps').map(([{ axis }, texts]) => {
    const name = `GPS${axis}`
    const target = { block: 'xmp', prefix: 'exif', name, shape: 'coordinate' } as const
    return toProperty(target, texts.map(({ value }) => ({ value: coordinate(value, axis) }))) // prettier-ignore
  })
  const all = removesLocation(edits) ? [{ key: allCoordinates, prefix: 'exif', xml: '' }] : []
  return [...own, ...gps, ...all]
}

function toProperty({ prefix, name, shape }: TargetOf<'xmp'>, texts: readonly Text[]): Property {
  const content = texts.length > 0 ? contentOf(shape, texts) : ''
  const xml = content === '' ? '' : `<${prefix}:${name}>${content}</${prefix}:${name}>`
  return { key: keyOf(xmpNamespaces[prefix], name), prefix, xml }
}

const encoded = (text: string) => escaped(clean(text))
const list = (kind: string, items: readonly string[]) => `<rdf:${kind}>${items.join('')}</rdf:${kind}>`
const item = (text: string, attributes = '') => `<rdf:li${attributes}>${encoded(text)}</rdf:li>`

function contentOf(shape: TargetOf<'xmp'>['shape'], texts: readonly Text[]): string {
  const plain = plainTexts(texts)
  if (shape === 'bag' || shape === 'seq')
    return list(shape === 'bag' ? 'Bag' : 'Seq', [...new Set(plain)].map((text) => item(text))) // prettier-ignore
  if (shape === 'owners')
    return list('Seq', plain.map((text) => `<rdf:li rdf:parseType="Resource"><plus:CopyrightOwnerName>${encoded(text)}</plus:CopyrightOwnerName></rdf:li>`)) // prettier-ignore
  if (shape === 'alt') return alternatives(texts, plain.join(', '))
  if (shape === 'date') return encoded(toXmpDate(plain[0]!))
  return encoded(plain.join(', '))
}

/** The default first, then each language. */
function alternatives(texts: readonly Text[], plain: string): string {
  const byLocale = Map.groupBy(
    texts.filter(({ loc }) => loc !== undefined),
    ({ loc }) => loc!,
  )
  const order = [...byLocale.keys()].toSorted((a, b) => Number(b === defaultLocale) - Number(a === defaultLocale))
  const items = order.map((loc) => item(byLocale.get(loc)!.map(({ value }) => value).join(', '), ` xml:lang="${attributeText(loc.replaceAll('_', '-'))}"`)) // prettier-ignore
  return list('Alt', [item(plain, ' xml:lang="x-default"'), ...items])
}

function toXmpDate(text: string): string {
  const parts = partsOfDate(text)
  if (!parts) return text
  return parts.time === undefined ? parts.date : `${parts.date}T${parts.time}${parts.zone ?? ''}`
}

/** Degrees and minutes, such as 59,54.6N. */
function coordinate(text: string, axis: 'Latitude' | 'Longitude'): string {
  const degrees = Number(text)
  if (!Number.isFinite(degrees)) return ''
  const [whole, minutes] = [Math.trunc(Math.abs(degrees)), (Math.abs(degrees) % 1) * 60]
  const side = axis === 'Latitude' ? (degrees < 0 ? 'S' : 'N') : degrees < 0 ? 'W' : 'E'
  return `${whole},${minutes.toFixed(8)}${side}`
}

function descriptionOf(properties: readonly Property[], about: string): string {
  const written = properties.filter(({ xml }) => xml !== '')
  if (written.length === 0) return ''
  const prefixes = [...new Set(written.map(({ prefix }) => prefix))] as (keyof typeof xmpNamespaces)[]
  const names = prefixes.map((prefix) => ` xmlns:${prefix}="${xmpNamespaces[prefix]}"`).join('')
  return `<rdf:Description xmlns:rdf="${rdf}" rdf:about="${attributeText(about)}"${names}>${written.map(({ xml }) => xml).join('')}</rdf:Description>`
}
