/**
 * Documents as lines of JSON, for other threads and for documents that are not in a segment yet. This costs a third of
 * copying the maps. Documents are parsed one at a time, so that each can be garbage collected before the next.
 *
 *   [17, "name", "de_DE", ["Schuh"], "price", "", [9.9]]      ID, then field, locale, values, and so on
 */
import type { Scalar, SearchDocument } from '../port.ts'

/** Each document once (the last version), by ascending ID. */
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

/** NaN and infinities cannot be indexed, and JSON cannot represent them. */
function isValue(value: Scalar): boolean {
  return typeof value !== 'number' || Number.isFinite(value)
}

/** Receives a document: its ID, then its values. */
interface DocumentSink {
  begin(id: number): void
  add(field: string, locale: string, values: readonly Scalar[]): void
}

/** Passes a document to a sink without serialising it. */
export function putDocument({ id, fields }: SearchDocument, into: DocumentSink): void {
  into.begin(id)
  let field = ''
  const put = (values: readonly Scalar[], locale: string) => {
    if (values.length) into.add(field, locale, values.every(isValue) ? values : values.filter(isValue))
  }
  // Not `for … of`, which would allocate an array per entry.
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
 * The bytes before the values of a field in one locale. They occur nowhere else in a document: inside a text, quotation
 * marks are escaped, and within values no list follows a text.
 */
export function beforeValues(field: string, locale: string): Buffer {
  return Buffer.from(`,${JSON.stringify(field)},${JSON.stringify(locale)},[`)
}

/** Parses only the values that follow the marker. */
export function valuesAfter(line: Buffer, before: Buffer): Scalar[] | undefined {
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
