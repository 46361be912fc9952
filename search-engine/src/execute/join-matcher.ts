/**
 * Joins: collects the keys of matching documents in one index and looks them up in another.
 *
 *   CHANNEL                           PRODUCT
 *   region = EMEA  ->  hits  ->  ids 3 7 9  ->  ordinals of `channels`  ->  their posting lists
 */
import { isNumeric } from '../comparators.ts'
import type { JoinPredicate } from '../port.ts'
import type { KeywordColumn } from '../segment/keyword-column.ts'
import type { NumberColumn } from '../segment/number-column.ts'
import { documentOf, columnName, type Segment } from '../segment/segment.ts'
import { textAt } from '../segment/strings.ts'
import { keyOf, localesOf } from '../values.ts'
import { setBit, type Hits } from './hits.ts'
import { ordinalMatcher, ordinalsOfKey } from './keyword-matcher.ts'
import { anyOf, marking, nothing, type Matcher, type SegmentHits } from './matcher.ts'
import { matchNumber } from './number-matcher.ts'
import type { JoinKeys, QueryContext } from './term-scoring.ts'

/** The keys that documents have in a field, or their IDs. */
export function keysOfHits(context: QueryContext, found: readonly SegmentHits[], from: string): JoinKeys {
  const keys = new Set<string | number>()
  const field = context.fields.get(from)
  const names = field ? localesOf(context.schema, field).map((locale) => columnName(from, locale)) : []
  for (const { segment, hits } of found) {
    if (from === 'id') for (let i = 0; i < hits.count; i++) keys.add(segment.ids[hits.docs[i]!]!)
    for (const name of names) {
      const numbers = segment.numbers.get(name)
      const values = segment.keywords.get(name)
      if (numbers) addNumbers(keys, numbers, hits)
      else if (values) addValues(keys, values, hits)
    }
  }
  return keys
}

function addNumbers(keys: Set<string | number>, { values, offsets }: NumberColumn, { docs, count }: Hits): void {
  for (let i = 0; i < count; i++) {
    const doc = docs[i]!
    const to = offsets ? offsets[doc + 1]! : doc + 1
    for (let at = offsets ? offsets[doc]! : doc; at < to; at++) if (values[at] === values[at]) keys.add(values[at]!)
  }
}

/** Adds each value once, however many documents have it. */
function addValues(keys: Set<string | number>, column: KeywordColumn, { docs, count }: Hits): void {
  const { values, held, sets } = column
  const { starts, ords } = sets ?? {}
  const isUsed = new Uint8Array(values.count + 1)
  for (let i = 0; i < count; i++) {
    const number = held[docs[i]!]!
    if (!starts || !ords) isUsed[number] = 1
    else for (let at = starts[number]!; at < starts[number + 1]!; at++) isUsed[ords[at]! + 1] = 1
  }
  for (let ordinal = 0; ordinal < values.count; ordinal++)
    if (isUsed[ordinal + 1]) keys.add(keyOf(textAt(values, ordinal)))
}

export function matchJoin(context: QueryContext, segment: Segment, join: JoinPredicate): Matcher {
  const keys = context.keysOf(join)
  if (join.to === 'id') return matchIds(segment, Array.from(keys, Number))
  const field = context.fields.get(join.to)
  if (!field || keys.size === 0) return nothing()
  const { maxDoc } = segment
  return anyOf(
    maxDoc,
    localesOf(context.schema, field).map((locale) => {
      const name = columnName(field.name, locale)
      if (isNumeric(field)) {
        const numbers = segment.numbers.get(name)
        return numbers ? matchNumber(numbers, maxDoc, field, 'in', Array.from(keys, Number)) : nothing()
      }
      const column = segment.keywords.get(name)
      return column ? ordinalMatcher(column, maxDoc, ordinalsOfKeys(column, keys)) : nothing()
    }),
  )
}

function* ordinalsOfKeys(column: KeywordColumn, keys: JoinKeys): Generator<number> {
  for (const key of keys) yield* ordinalsOfKey(column, typeof key === 'string' ? key : String(key))
}

/** Many IDs are cheaper to find in one pass over the segment than by binary search. */
const lookupCost = 16

export function matchIds(segment: Segment, ids: readonly number[]): Matcher {
  const { maxDoc } = segment
  return marking(maxDoc, ids.length, (bits) => {
    if (ids.length * lookupCost < maxDoc) {
      for (const id of ids) {
        const doc = documentOf(segment, id)
        if (doc >= 0) setBit(bits, doc)
      }
    } else {
      const wanted = new Set(ids)
      for (let doc = 0; doc < maxDoc; doc++) if (wanted.has(segment.ids[doc]!)) setBit(bits, doc)
    }
  })
}
