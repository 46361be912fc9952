/**
 * The text of Office documents, which are zips of XML: Word by the page breaks that Word stored, PowerPoint by slide,
 * Excel by sheet, OpenDocument by page, slide or sheet. Nothing is fetched, and no entity of a document is replaced.
 */
import { SaxesParser } from 'saxes'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import type { Order } from './message.ts'

const maxEntries = 20_000
/** Inflated bytes of everything that is read of one document. */
const maxBytes = 256 * 1024 * 1024
const maxRatio = 500
/** Characters of the texts that the sheets of a workbook share. */
const maxShared = 16 * 1024 * 1024

type Parts = (pattern: RegExp) => AsyncGenerator<XmlEvents>
type XmlEvents = AsyncIterable<XmlEvent>
/** An opened or closed element by its local name, or a text in the innermost open element. */
type XmlEvent =
  | { readonly kind: 'open' | 'close'; readonly name: string; readonly attributes: Readonly<Record<string, string>> }
  | { readonly kind: 'text'; readonly text: string; readonly name: string }

type Reader = (parts: Parts) => AsyncGenerator<string>

const office = 'application/vnd.openxmlformats-officedocument'
const openDocument = 'application/vnd.oasis.opendocument'

const readers: readonly [string, Reader][] = [
  [`${office}.wordprocessingml.document`, readWord],
  [`${office}.presentationml.presentation`, readSlides],
  [`${office}.spreadsheetml.sheet`, readSheets],
  [`${openDocument}.text`, readOpenDocument('soft-page-break')],
  [`${openDocument}.presentation`, readOpenDocument('page')],
  [`${openDocument}.spreadsheet`, readOpenDocument('table')],
]
/** By media type. */
export const officeTexts = readers.map(([mime, read]) => [mime, ({ file }: Order) => readZip(file, read)] as const)

/** The text of each sheet of an Excel workbook. */
export const sheetTexts = ({ file }: Order): AsyncGenerator<string> => readZip(file, readSheets)

async function* readWord(parts: Parts): AsyncGenerator<string> {
  for await (const events of parts(/^word\/document\.xml$/)) {
    let page = ''
    let isBroken = false
    for await (const event of events) {
      if (event.kind === 'text') {
        if (event.name !== 't') continue
        page += event.text
        isBroken = false
      } else if (event.kind === 'close') page += spaceAfter.has(event.name) ? ' ' : ''
      else {
        // Word stores where it broke pages last; after a break by hand it stores that too.
        const isByHand = event.name === 'br' && event.attributes.type === 'page'
        if (!isByHand && (event.name !== 'lastRenderedPageBreak' || isBroken)) continue
        yield page
        page = ''
        isBroken = isByHand
      }
    }
    yield page
  }
}
const spaceAfter = new Set(['p', 'tab', 'tc', 'br', 'h', 'table-cell', 's'])

async function* readSlides(parts: Parts): AsyncGenerator<string> {
  for await (const events of parts(/^ppt\/slides\/slide\d+\.xml$/)) {
    let page = ''
    for await (const event of events) {
      if (event.kind === 'text' && event.name === 't') page += event.text
      if (event.kind === 'close' && spaceAfter.has(event.name)) page += ' '
    }
    yield page
  }
}

async function* readSheets(parts: Parts): AsyncGenerator<string> {
  const shared: string[] = []
  for await (const events of parts(/^xl\/sharedStrings\.xml$/)) await readShared(events, shared)
  for await (const events of parts(/^xl\/worksheets\/sheet\d+\.xml$/)) {
    let page = ''
    let isShared = false
    for await (const event of events) {
      if (event.kind === 'open' && event.name === 'c') isShared = event.attributes.t === 's'
      else if (event.kind === 'text' && (event.name === 'v' || event.name === 't'))
        page += `${isShared ? (shared[Number(event.text)] ?? '') : event.text} `
    }
    yield page
  }
}

async function readShared(events: XmlEvents, shared: string[]): Promise<void> {
  let [text, size] = ['', 0]
  for await (const event of events) {
    if (event.kind === 'text' && event.name === 't') text += event.text
    if (event.kind !== 'close' || event.name !== 'si') continue
    size += text.length
    if (size > maxShared) throw new Error('the workbook has too many texts')
    shared.push(text)
    text = ''
  }
}

/** `divider`: the element that begins a page, slide or sheet. Notes of speakers are left out, as in PowerPoint. */
function readOpenDocument(divider: string): Reader {
  const isText = divider === 'soft-page-break'
  return async function* (parts) {
    for await (const events of parts(/^content\.xml$/)) {
      const breaks = new Set<string>()
      let [page, style, notes] = ['', '', 0]
      let [isBody, isFirst] = [false, !isText]
      for await (const event of events) {
        if (event.kind === 'open' && event.name === 'body') isBody = true
        if (!isBody) {
          // A page break by hand is a property of the style of the paragraph that follows it.
          if (event.kind !== 'open') continue
          if (event.name === 'style') style = event.attributes.name ?? ''
          if (event.attributes['break-before'] === 'page') breaks.add(style)
          continue
        }
        if (event.kind !== 'text' && event.name === 'notes') notes += event.kind === 'open' ? 1 : -1
        if (notes > 0) continue
        if (event.kind === 'text') page += event.text
        else if (event.kind === 'close') page += spaceAfter.has(event.name) ? ' ' : ''
        else if (event.name === divider || (isText && breaks.has(event.attributes['style-name'] ?? ''))) {
          // Slides and sheets begin with their element, so nothing ends at the first one.
          if (!isFirst) yield page
          page = isFirst ? page : ''
          isFirst = false
        }
      }
      yield page
    }
  }
}

// The zip

async function* readZip(file: string, read: Reader): AsyncGenerator<string> {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false })
  try {
    const entries = await listEntries(zip)
    const budget = { bytes: maxBytes }
    yield* read(async function* (pattern) {
      for (const entry of entries.filter(({ fileName }) => pattern.test(fileName)).sort(byNumber))
        yield xmlEvents(zip, entry, budget)
    })
  } finally {
    zip.close()
  }
}

/** Throws if a document is a zip whose parts unfold to far more than they say. */
export async function checkParts({ file, mime }: Pick<Order, 'file' | 'mime'>): Promise<void> {
  if (!readers.some(([known]) => known === mime)) return
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false })
  await listEntries(zip).finally(() => zip.close())
}

const numberOf = ({ fileName }: Entry) => Number(/(\d+)\.xml$/.exec(fileName)?.[1] ?? 0)
const byNumber = (a: Entry, b: Entry) => numberOf(a) - numberOf(b)

async function listEntries(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) {
    if (entries.push(entry) > maxEntries) throw new Error(`the document has more than ${maxEntries} parts`)
    if (entry.uncompressedSize > 1024 * 1024 && entry.uncompressedSize > entry.compressedSize * maxRatio)
      throw new Error(`a part of the document unfolds to more than ${maxRatio} times its size`)
  }
  return entries
}

async function* xmlEvents(zip: ZipFile, entry: Entry, budget: { bytes: number }): AsyncGenerator<XmlEvent> {
  const ready: XmlEvent[] = []
  const open: string[] = []
  const parser = new SaxesParser()
  parser.on('opentag', ({ name: full, attributes }) => {
    const name = localOf(full)
    open.push(name)
    if (open.length > 1000) throw new Error('the elements of the document are nested too deeply')
    const own = Object.entries(attributes as Record<string, string>).map(([key, value]) => [localOf(key), value])
    ready.push({ kind: 'open', name, attributes: Object.fromEntries(own) as Record<string, string> })
  })
  parser.on('closetag', () => void ready.push({ kind: 'close', name: open.pop()!, attributes: {} }))
  const text = (piece: string) => void ready.push({ kind: 'text', text: piece, name: open.at(-1) ?? '' })
  parser.on('text', text)
  parser.on('cdata', text)
  const decoder = new TextDecoder()
  for await (const piece of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
    budget.bytes -= piece.length
    if (budget.bytes < 0) throw new Error(`the document unfolds to more than ${maxBytes} bytes`)
    parser.write(decoder.decode(piece, { stream: true }))
    yield* ready.splice(0)
  }
  parser.close()
  yield* ready
}

const localOf = (name: string) => name.slice(name.indexOf(':') + 1)
