/** Predicates on whole values: a test on values becomes a set of ordinals, and that a scan or a union of lists. */
import type { Test } from '../comparators.ts'
import type { Operand } from '../port.ts'
import type { Integers, KeywordColumn } from '../segment/keyword-column.ts'
import { lowerBound } from '../segment/strings.ts'
import { keyOf, wholeValue } from '../values.ts'
import { compileWildcard } from '../wildcard.ts'
import { createBits, hitsOfBits, setBit } from './hits.ts'
import { nothing, passing, type Matcher } from './matcher.ts'
import type { QueryContext } from './words.ts'

export function matchWhole(
  context: QueryContext,
  column: KeywordColumn,
  maxDoc: number,
  place: string,
  test: Test,
  operands: readonly Operand[],
): Matcher {
  return ordinalMatcher(column, maxDoc, ordinalsOf(context, column, place, test, operands))
}

function ordinalsOf(
  { schema, collationOf, operandKeys }: QueryContext,
  column: KeywordColumn,
  place: string,
  test: Test,
  operands: readonly Operand[],
): Iterable<number> {
  const { values, keys } = column
  const operand = String(operands[0])
  const bound = wholeValue(operand)
  const { rank } = collationOf(place || schema.defaultLocale)
  const below = () => lowerBound(values, (value) => rank(value, bound) < 0)
  const upTo = () => lowerBound(values, (value) => rank(value, bound) <= 0)
  switch (test) {
    case 'eq':
    case 'in':
      return keyed(column, keys.placesOfAll(operandKeys(operands)))
    case 'gt':
      return span(upTo(), values.count)
    case 'ge':
      return span(below(), values.count)
    case 'lt':
      return span(0, below())
    case 'le':
      return span(0, upTo())
    case 'starts':
    case 'like':
      return keyed(column, span(...keys.beginningWith(keyOf(operand))))
    case 'ends':
      return keyed(column, keys.containing(keyOf(operand), true))
    default: {
      const { matches, needle } = compileWildcard(keyOf(operand))
      return keyed(
        column,
        filtered(keys.containing(needle), (place) => matches(keys.at(place))),
      )
    }
  }
}

export function ordinalsOfKey(column: KeywordColumn, key: string): Uint32Array {
  return column.keys.ordinals.subarray(...column.keys.placesOf(key))
}

function* span(from: number, to: number): Generator<number> {
  for (let i = from; i < to; i++) yield i
}
function* keyed({ keys }: KeywordColumn, places: Iterable<number>): Generator<number> {
  for (const place of places) yield keys.ordinals[place]!
}
function* filtered(places: Iterable<number>, passes: (place: number) => boolean): Generator<number> {
  for (const place of places) if (passes(place)) yield place
}

/** Lists are quicker than a scan while they hold less than this part of the documents. */
const listShare = 1 / 4

export function ordinalMatcher(column: KeywordColumn, maxDoc: number, ordinals: Iterable<number>): Matcher {
  const { starts, docs } = column
  const chosen = [...ordinals]
  const cost = chosen.reduce((sum, ordinal) => sum + starts[ordinal + 1]! - starts[ordinal]!, 0)
  if (chosen.length === 0) return nothing()
  const scan = () => scanMatcher(column, maxDoc, chosen, cost)
  if (!docs || cost > maxDoc * listShare) return scan()
  return {
    cost: Math.min(cost, maxDoc),
    scores: false,
    collect() {
      if (chosen.length === 1) return { docs: docs.slice(starts[chosen[0]!], starts[chosen[0]! + 1]), count: cost }
      const bits = createBits(maxDoc)
      for (const ordinal of chosen) for (let i = starts[ordinal]!; i < starts[ordinal + 1]!; i++) setBit(bits, docs[i]!)
      return hitsOfBits(bits)
    },
    restrict: (hits, keep) => scan().restrict(hits, keep),
  }
}

function scanMatcher(column: KeywordColumn, maxDoc: number, chosen: readonly number[], cost: number): Matcher {
  const wanted = new Uint8Array(column.values.count + 1)
  for (const ordinal of chosen) wanted[ordinal + 1] = 1
  return column.single
    ? oneOrdinal(column.single, wanted, cost)
    : passing(maxDoc, Math.min(cost, maxDoc), severalTest(column, wanted))
}

/**
 * One value per document, in loops of its own; how many documents match is known. Every document is written, and the
 * next one over it unless it matches: the processor cannot guess which will, and a wrong guess costs more than a write.
 */
function oneOrdinal(single: Integers, wanted: Uint8Array, cost: number): Matcher {
  return {
    cost,
    scores: false,
    collect() {
      const docs = new Uint32Array(cost + 1)
      let count = 0
      for (let doc = 0; count < cost; doc++) {
        docs[count] = doc
        count += wanted[single[doc]!]!
      }
      return { docs, count }
    },
    restrict(hits, keep) {
      const { docs, scores } = hits
      const flip = keep ? 0 : 1
      let kept = 0
      for (let i = 0; i < hits.count; i++) {
        const doc = docs[i]!
        docs[kept] = doc
        if (scores) scores[kept] = scores[i]!
        kept += wanted[single[doc]!]! ^ flip
      }
      hits.count = kept
    },
  }
}

function severalTest({ offsets, ords }: KeywordColumn, wanted: Uint8Array): (doc: number) => boolean {
  return (doc) => {
    for (let i = offsets![doc]!; i < offsets![doc + 1]!; i++) if (wanted[ords![i]! + 1] === 1) return true
    return false
  }
}

/** Documents that have any value. */
export function anyWhole({ single, offsets, starts }: KeywordColumn, maxDoc: number): Matcher {
  const filled = Math.min(maxDoc, starts.at(-1)!)
  return passing(maxDoc, filled, single ? (doc) => single[doc] !== 0 : (doc) => offsets![doc + 1]! > offsets![doc]!)
}
