/**
 * Documents on their way to another thread, or waiting to become a segment: as lines of JSON, which cost a third of what
 * copying the maps would. One is read at a time, so that what is made of it is gone before the next.
 *
 *   [17, "name", "de_DE", ["Schuh"], "price", "", [9.9]]      id, then field, locale, values; and so on
 */
import type { Scalar, SearchDocument } from '../port.ts'

/** Each document once, the last that came, by ascending id. */
export function inOrder(documents: readonly SearchDocument[]): SearchDocument[] {
  const last = [...new Map(documents.map((document) => [document.id, document])).values()]
  return last.sort((a, b) => a.id - b.id)
}

export function writeDocuments(documents: readonly SearchDocument[]): string {
  return inOrder(documents).map(writeDocument).join('\n')
}

export function writeDocument({ id, fields }: SearchDocument): string {
  const flat: unknown[] = [id]
  for (const [name, byLocale] of fields) {
    for (const [locale, values] of byLocale) {
      if (values.length) flat.push(name, locale, values.every(isValue) ? values : values.filter(isValue))
    }
  }
  return JSON.stringify(flat)
}

/** What is no number has no place among numbers, and none in JSON. */
function isValue(value: Scalar): boolean {
  return typeof value !== 'number' || Number.isFinite(value)
}

/** Who takes a document: what it begins with, then its values. */
export interface DocumentSink {
  begin(id: number): void
  add(field: string, locale: string, values: readonly Scalar[]): void
}

/** Without a detour by text. */
export function putDocument({ id, fields }: SearchDocument, into: DocumentSink): void {
  into.begin(id)
  let field = ''
  const put = (values: readonly Scalar[], locale: string) => {
    if (values.length) into.add(field, locale, values.every(isValue) ? values : values.filter(isValue))
  }
  // Not by `for … of`, which would make a list of every key and its value.
  fields.forEach((byLocale, name) => {
    field = name
    byLocale.forEach(put)
  })
}

export function readDocuments(text: string, into: DocumentSink): void {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from)
    const to = end < 0 ? text.length : end
    readDocument(text.slice(from, to), into)
    from = to + 1
  }
}

export function readDocument(line: string, into: DocumentSink): void {
  const flat = JSON.parse(line) as [number, ...unknown[]]
  into.begin(flat[0])
  for (let i = 1; i < flat.length; i += 3) into.add(flat[i] as string, flat[i + 1] as string, flat[i + 2] as Scalar[])
}

/**
 * What stands before the values of a field in one locale, and nowhere else in a document: in a text its quotation marks
 * would be escaped, and among values no list comes after a text.
 */
export function beforeValues(field: string, locale: string): Buffer {
  return Buffer.from(`,${JSON.stringify(field)},${JSON.stringify(locale)},[`)
}

/** The values behind that, read alone. */
export function valuesBehind(line: Buffer, before: Buffer): Scalar[] | undefined {
  const at = line.indexOf(before)
  if (at < 0) return undefined
  const from = at + before.length - 1
  return JSON.parse(line.toString('utf8', from, endOfList(line, from))) as Scalar[]
}

const [quote, backslash, closing] = Buffer.from('"\\]') as unknown as [number, number, number]

function endOfList(line: Buffer, from: number): number {
  let isText = false
  for (let at = from; ; at++) {
    const byte = line[at]
    if (isText && byte === backslash) at++
    else if (byte === quote) isText = !isText
    else if (byte === closing && !isText) return at + 1
  }
}
