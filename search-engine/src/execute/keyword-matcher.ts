/** Predicates on whole values: a test on values becomes a set of ordinals, and that a scan or a union of lists. */
import type { Test } from '../comparators.ts'
import type { Operand } from '../port.ts'
import type { Integers } from '../segment/container.ts'
import type { KeywordColumn } from '../segment/keyword-column.ts'
import type { Sets } from '../segment/sets.ts'
import { lowerBound } from '../segment/strings.ts'
import { keyOf, wholeValue } from '../values.ts'
import { compileWildcard } from '../wildcard.ts'
import { setBit } from './hits.ts'
import { counted, marking, nothing, passing, restrictBy, type Matcher } from './matcher.ts'
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
      const { matches, needle, isNeedle } = compileWildcard(keyOf(operand))
      const found = keys.containing(needle)
      return keyed(column, isNeedle ? found : filtered(found, (place) => matches(keys.at(place))))
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
/** To ask a document that has several values costs as much as so many documents of a list. */
const askCost = 6

export function ordinalMatcher(column: KeywordColumn, maxDoc: number, ordinals: Iterable<number>): Matcher {
  const { starts, docs, sets, values } = column
  const chosen = [...new Set(ordinals)]
  const cost = chosen.reduce((sum, ordinal) => sum + starts[ordinal + 1]! - starts[ordinal]!, 0)
  if (chosen.length === 0) return nothing()
  let flags: Uint8Array | undefined
  /** By ordinal + 1, whether it is wanted; it is as long as there are values, and not always asked for. */
  const wanted = () => (flags ??= flagged(chosen, values.count))
  if (sets) {
    const list = listMatcher(column, maxDoc, chosen, cost)
    return {
      ...list,
      restrict(hits, keep) {
        if (cost < hits.count * askCost) list.restrict(hits, keep)
        else restrictBy(hits, keep, severalTest(column.held, sets, wanted()))
      },
    }
  }
  const { held } = column
  const scan = oneOrdinal(held, wanted, cost)
  const isList = docs && cost <= maxDoc * listShare
  const matcher = isList ? { ...listMatcher(column, maxDoc, chosen, cost), restrict: scan.restrict } : scan
  return counted(matcher, cost, (doc) => wanted()[held[doc]!] === 1)
}

function flagged(ordinals: readonly number[], count: number): Uint8Array {
  const flags = new Uint8Array(count + 1)
  for (const ordinal of ordinals) flags[ordinal + 1] = 1
  return flags
}

/** So few of all documents are sorted sooner than marked. */
const sortShare = 1 / 32

function listMatcher(
  { starts, docs, sets }: KeywordColumn,
  maxDoc: number,
  chosen: readonly number[],
  cost: number,
): Matcher {
  const matcher = marking(maxDoc, cost, (bits) => {
    for (const ordinal of chosen) for (let i = starts[ordinal]!; i < starts[ordinal + 1]!; i++) setBit(bits, docs![i]!)
  })
  const [only] = chosen
  const sorted = () => {
    const found = new Uint32Array(cost)
    let count = 0
    for (const ordinal of chosen)
      for (let i = starts[ordinal]!; i < starts[ordinal + 1]!; i++) found[count++] = docs![i]!
    return { docs: found.sort(), count }
  }
  if (chosen.length === 1) {
    const copy = () => ({ docs: docs!.slice(starts[only!], starts[only! + 1]), count: cost })
    return { ...matcher, isList: true, collect: copy }
  }
  // Where there are several values, a document may be in several lists.
  return sets || cost > maxDoc * sortShare ? matcher : { ...matcher, collect: sorted }
}

/**
 * One value per document, in loops of its own; how many documents match is known. Every document is written, and the
 * next one over it unless it matches: the processor cannot guess which will, and a wrong guess costs more than a write.
 */
function oneOrdinal(held: Integers, wanted: () => Uint8Array, cost: number): Matcher {
  return {
    cost,
    collect() {
      const flags = wanted()
      const docs = new Uint32Array(cost + 1)
      let count = 0
      for (let doc = 0; count < cost; doc++) {
        docs[count] = doc
        count += flags[held[doc]!]!
      }
      return { docs, count }
    },
    restrict(hits, keep) {
      const { docs } = hits
      const flags = wanted()
      const flip = keep ? 0 : 1
      let kept = 0
      for (let i = 0; i < hits.count; i++) {
        const doc = docs[i]!
        docs[kept] = doc
        kept += flags[held[doc]!]! ^ flip
      }
      hits.count = kept
    },
  }
}

function severalTest(held: Integers, { starts, ords }: Sets, flags: Uint8Array): (doc: number) => boolean {
  return (doc) => {
    const set = held[doc]!
    for (let i = starts[set]!; i < starts[set + 1]!; i++) if (flags[ords[i]! + 1] === 1) return true
    return false
  }
}

/** Documents that have any value. */
export function anyWhole({ held, sets, starts }: KeywordColumn, maxDoc: number): Matcher {
  const filled = starts.at(-1)!
  const isFilled = (doc: number) => held[doc] !== 0
  const matcher = passing(maxDoc, filled, isFilled)
  return sets ? matcher : counted(matcher, filled, isFilled)
}
