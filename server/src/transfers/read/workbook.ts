/**
 * The parts of a workbook besides its sheet: the order of sheets, shared texts, styles and the date system.
 *
 * Parts refer to each other by relationships: a sheet that is first in the workbook can be in any file.
 */
import { because } from '@kontor/contract'
import { posix } from 'node:path'
import { SaxesParser } from 'saxes'
import { Problem } from '../../errors.ts'
import { formatOf, type NumberFormat } from './numbers.ts'
import { type Bytes, maxCell } from './source.ts'
import type { Zip } from './zip.ts'

/** Characters of all shared texts, and what each text costs besides. */
const maxShared = 64 * 1024 * 1024
const sharedCost = 16
/** Characters of a format; Excel allows 255. */
const maxFormat = 1000
/** Bytes of a part that is read before the first row. */
const maxPart = 512 * 1024 * 1024

export interface Workbook {
  /** The name of the part with the sheet. */
  readonly sheet: string
  readonly shared: readonly string[]
  /** The formats of cell styles that do not show numbers as they are. */
  readonly formats: ReadonlyMap<number, NumberFormat>
  /** Whether days are counted from 1904, as old versions of Excel for Mac do. */
  readonly is1904: boolean
  /** Whether formulas have to be calculated when the workbook is opened; a stored 0 may be a placeholder. */
  readonly isUncalculated: boolean
}

/** The names of the visible sheets with a table, in the order of their tabs. Sheets with a chart have none. */
export async function visibleSheets(zip: Zip): Promise<string[]> {
  const { sheets } = await readTabs(zip)
  return sheets.filter(({ isVisible }) => isVisible).map(({ name }) => name)
}

async function readTabs(zip: Zip) {
  const roots = await readRelations(zip, '')
  const name = roots.find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml'
  const { sheets, ...rest } = (await readPart(zip, name, readSheets)) ?? { sheets: [], is1904: false, isUncalculated: false } // prettier-ignore
  const relations = await readRelations(zip, name)
  const tables = new Map(relations.filter(({ type }) => type === 'worksheet').map(({ id, target }) => [id, target]))
  const readable = sheets.flatMap((sheet) => {
    const part = tables.get(sheet.id)
    return part !== undefined && zip.names.includes(part) ? [{ ...sheet, part }] : []
  })
  return { ...rest, relations, sheets: readable }
}

/** `sheet`: by name; the first visible one by default. */
export async function readWorkbook(zip: Zip, sheet?: string): Promise<Workbook> {
  const { sheets, relations, is1904, isUncalculated } = await readTabs(zip)
  const targetOf = (wanted: string) => relations.find(({ type }) => type === wanted)?.target
  const found = sheets.find(({ name: tab, isVisible }) =>
    sheet === undefined ? isVisible : tab.toLowerCase() === sheet.toLowerCase(),
  )
  if (!found) throw new Problem('invalid', noSheet(sheet, sheets))
  return {
    sheet: found.part,
    shared: (await readPart(zip, targetOf('sharedStrings'), readShared)) ?? [],
    formats: (await readPart(zip, targetOf('styles'), readFormats)) ?? new Map<number, NumberFormat>(),
    is1904,
    isUncalculated,
  }
}

const noSheet = (sheet: string | undefined, readable: readonly Sheet[]) =>
  sheet === undefined
    ? 'the workbook has no sheet that can be read'
    : `the workbook has no sheet ${sheet}; it has ${readable.slice(0, 20).map(({ name }) => name.slice(0, 50)).join(', ')}` // prettier-ignore

async function readPart<T>(
  zip: Zip,
  name: string | undefined,
  read: (bytes: Bytes) => Promise<T>,
): Promise<T | undefined> {
  if (name === undefined || !zip.names.includes(name)) return undefined
  if (zip.sizeOf(name) > maxPart)
    throw new Problem('invalid', `${name} is larger than ${maxPart} bytes; save it as CSV`)
  return read(await zip.read(name))
}

interface Relation {
  readonly id: string
  /** The last part of the type, which is the same in both variants of the standard. */
  readonly type: string
  /** The name of the part in the zip. */
  readonly target: string
}

/** The relationships of a part are in a file next to it: those of xl/workbook.xml in xl/_rels/workbook.xml.rels. */
async function readRelations(zip: Zip, of: string): Promise<Relation[]> {
  const { dir, base } = posix.parse(of)
  const read = async (bytes: Bytes) => {
    const found: Relation[] = []
    await readXml(bytes, {
      open(name, { Id: id = '', Type: type = '', Target: target = '' }) {
        if (name === 'Relationship') found.push({ id, type: posix.basename(type), target: posix.resolve('/', dir, target).slice(1) }) // prettier-ignore
      },
    })
    return found
  }
  return (await readPart(zip, posix.join(dir, '_rels', `${base}.rels`), read)) ?? []
}

interface Sheet {
  /** Of its relationship. */
  readonly id: string
  readonly name: string
  readonly isVisible: boolean
}

/** The sheets in the order of their tabs. */
async function readSheets(bytes: Bytes) {
  const sheets: Sheet[] = []
  let is1904 = false
  let isUncalculated = false
  await readXml(bytes, {
    open(name, attributes) {
      const [, id] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? []
      if (name === 'sheet' && id !== undefined)
        sheets.push({ id, name: attributes.name ?? '', isVisible: (attributes.state ?? 'visible') === 'visible' })
      if (name === 'workbookPr') is1904 = isTrue(attributes.date1904)
      if (name === 'calcPr') isUncalculated = isTrue(attributes.fullCalcOnLoad)
    },
  })
  return { sheets, is1904, isUncalculated }
}

const isTrue = (text: string | undefined) => text === '1' || text === 'true'

/** Texts of the elements `t` in each element `si`, without the phonetic ones (rPh). */
async function readShared(bytes: Bytes): Promise<string[]> {
  const texts: string[] = []
  let text = ''
  let size = 0
  let inText = false
  let inPhonetic = false
  await readXml(bytes, {
    open(name) {
      if (name === 'si') text = ''
      if (name === 'rPh') inPhonetic = true
      inText = name === 't' && !inPhonetic
    },
    text: (piece) => void (inText && (text = withinCell(text + piece))),
    close(name) {
      if (name === 't') inText = false
      if (name === 'rPh') inPhonetic = false
      if (name !== 'si') return
      texts.push(unescapeText(text))
      size += text.length + sharedCost
      if (size > maxShared) throw new Problem('invalid', 'the workbook has too many texts for one import; save it as CSV') // prettier-ignore
    },
  })
  return texts
}

const builtIn = new Map<number, NumberFormat>([
  ...[9, 10].map((id) => [id, 'percent'] as const),
  ...[14, 15, 16, 17, 22].map((id) => [id, 'date'] as const),
  ...[18, 19, 20, 21, 45, 46, 47].map((id) => [id, 'time'] as const),
])

/** By cell style. Custom formats with a year or day are dates, others with hours or seconds times. */
async function readFormats(bytes: Bytes): Promise<Map<number, NumberFormat>> {
  const known = new Map(builtIn)
  const formats = new Map<number, NumberFormat>()
  let inCells = false
  let style = 0
  await readXml(bytes, {
    open(name, { numFmtId, formatCode = '' }) {
      const custom = name === 'numFmt' ? formatOf(formatCode.slice(0, maxFormat)) : undefined
      if (custom) known.set(Number(numFmtId), custom)
      if (name === 'cellXfs') inCells = true
      const format = name === 'xf' && inCells ? known.get(Number(numFmtId)) : undefined
      if (format) formats.set(style, format)
      if (name === 'xf' && inCells) style++
    },
    close: (name) => void (name === 'cellXfs' && (inCells = false)),
  })
  return formats
}

/** _x000D_ stands for a carriage return, which XML cannot carry, and _x005F_ for an underscore before such a word. */
export const unescapeText = (text: string) =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

export function withinCell(text: string): string {
  if (text.length <= maxCell) return text
  throw new Problem('invalid', `a cell is longer than ${maxCell} characters`)
}

// XML

export interface Listener {
  /** Names of elements have no prefix: some programs write x:row for row. */
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text?(piece: string): void
  close?(name: string): void
}

async function readXml(bytes: Bytes, listener: Listener): Promise<void> {
  for await (const _ of xmlPieces(bytes, listener));
}

/** Yields after each piece that the listener has received. */
export async function* xmlPieces(bytes: Bytes, { open, text, close }: Listener): AsyncGenerator<void> {
  const parser = new SaxesParser()
  const local = (name: string) => name.slice(name.indexOf(':') + 1)
  parser.on('opentag', ({ name, attributes }) => open(local(name), attributes as Record<string, string>))
  if (text) parser.on('text', text)
  if (close) parser.on('closetag', ({ name }) => close(local(name)))
  const write = writerTo(parser)
  for await (const piece of textOf(bytes)) {
    write(piece)
    yield
  }
  write(null) // an element that is still open is a fault
}

async function* textOf(bytes: Bytes): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (piece?: Buffer) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined })
    } catch (error) {
      throw new Problem('invalid', 'the workbook cannot be read: its parts are not UTF-8', { cause: error })
    }
  }
  for await (const piece of bytes) yield decode(piece)
  yield decode()
}

/** Passes pieces to the parser. It collects a text until its end, so a text is bounded before the parser reports it. */
function writerTo(parser: SaxesParser): (piece: string | null) => void {
  let ends = 0
  let endsBefore = 0
  let length = 0
  parser.on('opentagstart', () => void ends++)
  return (piece) => {
    const size = piece?.length ?? 0
    length = ends === endsBefore ? length + size : size
    endsBefore = ends
    if (length > 2 * maxCell) throw new Problem('invalid', `a cell is longer than ${maxCell} characters`)
    try {
      parser.write(piece)
    } catch (error) {
      if (error instanceof Problem) throw error
      throw new Problem('invalid', because('workbookUnread', { cause: (error as Error).message }), { cause: error })
    }
  }
}
