/**
 * The records of a CSV: RFC 4180 with any delimiter, and line breaks of any kind.
 *
 * A quote in a cell that does not begin with one is a character like others: 27" screen. Where neither a delimiter nor a
 * line break follows the closing quote, the cell goes on to the next of them and keeps its quotes. If it has line breaks
 * before, its first quote was not meant to open anything, and the cell has swallowed rows.
 */
import { maxCell } from './source.ts'

export interface CsvRecord {
  readonly cells: string[]
  /** The positions of cells that have swallowed rows. */
  readonly torn: readonly number[]
}

/** The CSV cannot be read any further. */
export class CsvFault extends Error {}

/** Without empty lines. */
export async function* csvRecords(texts: AsyncIterable<string>, delimiter: string): AsyncGenerator<CsvRecord> {
  const source = texts[Symbol.asyncIterator]()
  const escaped = delimiter.replaceAll(/[^\p{L}\p{N}]/gu, (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`)
  const ends = new RegExp(`[\\r\\n]|${escaped}`, 'gu')
  /** The received text, and the place in it where the next cell begins. */
  let text = ''
  let at = 0
  let isEnded = false
  let row = 0
  /** Returns false at the end. */
  const more = async (): Promise<boolean> => {
    if (isEnded) return false
    const { done, value } = await source.next()
    if (done) isEnded = true
    else [text, at] = [text.slice(at) + value, 0]
    if (text.length > 2 * maxCell) throw new CsvFault(`a cell is longer than ${maxCell} characters`)
    return !isEnded
  }
  /** The place of the next delimiter or line break, or the end; undefined if more has to be received. */
  const endFrom = (place: number): number | undefined => {
    ends.lastIndex = place
    return ends.exec(text)?.index ?? (isEnded ? text.length : undefined)
  }
  const plainCell = () => {
    const end = endFrom(at)
    if (end === undefined) return undefined
    const cell = { text: text.slice(at, end), isTorn: false }
    at = end
    return cell
  }
  const quotedCell = () => {
    let quote = text.indexOf('"', at + 1)
    while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2)
    const isSeen = quote >= 0 && quote + delimiter.length < text.length
    if (!isSeen && !isEnded) return undefined
    if (quote < 0) throw new CsvFault(`a quote in row ${row} is never closed (${text.slice(at, at + 30).trim()}); close it, or double it`) // prettier-ignore
    const end = endFrom(quote + 1)
    if (end === undefined) return undefined
    const inside = text.slice(at + 1, quote).replaceAll('""', '"')
    const isClosed = end === quote + 1
    const cell = isClosed
      ? { text: inside, isTorn: false }
      : { text: `"${inside}${text.slice(quote, end)}`, isTorn: /[\r\n]/.test(inside) }
    at = end
    return cell
  }
  /** Makes sure that the next character has been received, if there is one. */
  const isOver = async () => {
    while (at >= text.length && (await more()));
    return at >= text.length
  }
  while (at < text.length || !(await isOver())) {
    const cells: string[] = []
    const torn: number[] = []
    let size = 0
    for (;;) {
      if (at >= text.length) await isOver()
      const read = text[at] === '"' ? quotedCell : plainCell
      let cell = read()
      for (; !cell; cell = read()) await more()
      if (cell.isTorn) torn.push(cells.length)
      cells.push(cell.text)
      size += cell.text.length
      if (size > maxCell) throw new CsvFault(`row ${row} is longer than ${maxCell} characters`)
      if (!text.startsWith(delimiter, at)) break
      at += delimiter.length
    }
    const isReturn = text[at++] === '\r'
    if (isReturn && !(await isOver()) && text[at] === '\n') at++
    if (cells.length === 1 && cells[0] === '') continue
    yield { cells, torn }
    row++
  }
}
