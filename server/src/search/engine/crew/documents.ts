/**
 * Documents on their way to another thread: as lines of JSON, which cost a third of what copying the maps would. One is
 * written and read at a time, so that what is made of it is gone before the next.
 *
 *   [17, "name", "de_DE", ["Schuh"], "price", "", [9.9]]      id, then field, locale, values; and so on
 */
import type { Scalar, SearchDocument } from '../port.ts'
import type { SegmentBuilder } from '../segment/build.ts'

/** Each document once, the last that came, by ascending id. */
export function writeDocuments(documents: readonly SearchDocument[]): string {
  const last = [...new Map(documents.map((document) => [document.id, document])).values()]
  last.sort((a, b) => a.id - b.id)
  return last.map(writeDocument).join('\n')
}

function writeDocument({ id, fields }: SearchDocument): string {
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

export function readDocuments(text: string, into: SegmentBuilder): void {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from)
    const to = end < 0 ? text.length : end
    const flat = JSON.parse(text.slice(from, to)) as [number, ...unknown[]]
    into.begin(flat[0])
    for (let i = 1; i < flat.length; i += 3) into.add(flat[i] as string, flat[i + 1] as string, flat[i + 2] as Scalar[])
    from = to + 1
  }
}
