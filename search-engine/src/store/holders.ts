/**
 * Who has a value: the simplest of all searches, done in the calling thread. It looks a key up in each segment, which
 * takes less than telling another thread of it, and every change asks for it.
 */
import { ordinalsOfKey } from '../execute/keyword-matcher.ts'
import type { KeywordColumn } from '../segment/keyword-column.ts'
import { placeName, type Segment } from '../segment/segment.ts'
import { keyOf } from '../values.ts'
import { isDeleted, type Part } from './snapshot.ts'

/** The ids of the documents that have one of the values in a keyword field without locales, ascending. */
export function holdersOf(parts: readonly Part[], field: string, values: readonly string[]): number[] {
  const keys = values.map(keyOf)
  const ids = parts.flatMap((part) => {
    const docs = new Set(docsWith(part.segment, placeName(field, ''), keys))
    return [...docs].filter((doc) => !isDeleted(part, doc)).map((doc) => part.segment.ids[doc]!)
  })
  return ids.sort((a, b) => a - b)
}

function docsWith({ holders, keywords }: Segment, place: string, keys: readonly string[]): readonly number[] {
  if (holders) return keys.flatMap((key) => holders.get(place)!.get(key) ?? [])
  const column = keywords.get(place)
  if (!column) return []
  const ordinals = new Set(keys.flatMap((key) => [...ordinalsOfKey(column, key)]))
  return [...ordinals].flatMap((ordinal) => docsOf(column, ordinal))
}

function docsOf(column: KeywordColumn, ordinal: number): number[] {
  const { docs, starts } = column
  if (docs) return Array.from(docs.subarray(starts[ordinal], starts[ordinal + 1]))
  const { held } = column
  const found: number[] = []
  for (let doc = held.indexOf(ordinal + 1); doc >= 0; doc = held.indexOf(ordinal + 1, doc + 1)) found.push(doc)
  return found
}
