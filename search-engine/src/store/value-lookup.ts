/**
 * Finds documents by a value, in the calling thread: looking up a key in each segment takes less time than passing a
 * task to another thread, and every change needs it.
 */
import { ordinalsOfKey } from '../execute/keyword-matcher.ts'
import type { KeywordColumn } from '../segment/keyword-column.ts'
import { columnName, type Segment } from '../segment/segment.ts'
import { keyOf } from '../values.ts'
import { isDeleted, type Part } from './snapshot.ts'

/** The IDs, ascending, of the documents with one of the values in a keyword field that is not localized. */
export function idsWithValue(parts: readonly Part[], field: string, values: readonly string[]): number[] {
  const keys = values.map(keyOf)
  const ids = parts.flatMap((part) => {
    const docs = new Set(docsWithKeys(part.segment, columnName(field, ''), keys))
    return [...docs].filter((doc) => !isDeleted(part, doc)).map((doc) => part.segment.ids[doc]!)
  })
  return ids.sort((a, b) => a - b)
}

function docsWithKeys({ docsByKey, keywords }: Segment, name: string, keys: readonly string[]): readonly number[] {
  if (docsByKey) return keys.flatMap((key) => docsByKey.get(name)!.get(key) ?? [])
  const column = keywords.get(name)
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
