/**
 * Documents on their way to another thread: as JSON, which costs a third of what copying the maps would.
 *
 *   [[17, "name", "de_DE", ["Schuh"], "price", "", [9.9]], ...]      id, then field, locale, values; and so on
 */
import type { Scalar, SearchDocument } from '../port.ts'
import type { SegmentBuilder } from '../segment/build.ts'

/** Each document once, the last that came, by ascending id. */
export function writeDocuments(documents: readonly SearchDocument[]): string {
  const last = [...new Map(documents.map((document) => [document.id, document])).values()]
  last.sort((a, b) => a.id - b.id)
  return JSON.stringify(
    last.map(({ id, fields }) => {
      const flat: unknown[] = [id]
      for (const [name, byLocale] of fields) {
        for (const [locale, values] of byLocale) if (values.length) flat.push(name, locale, values.filter(isValue))
      }
      return flat
    }),
  )
}

/** What is no number has no place among numbers, and none in JSON. */
function isValue(value: Scalar): boolean {
  return typeof value !== 'number' || Number.isFinite(value)
}

export function readDocuments(text: string, into: SegmentBuilder): void {
  for (const flat of JSON.parse(text) as [number, ...unknown[]][]) {
    into.begin(flat[0])
    for (let i = 1; i < flat.length; i += 3) into.add(flat[i] as string, flat[i + 1] as string, flat[i + 2] as Scalar[])
  }
}
