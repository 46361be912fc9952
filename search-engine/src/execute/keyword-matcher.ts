/** Predicates on keyword columns: a test selects ordinals, and these become a column scan or a union of posting lists. */
import type { Test } from '../comparators.ts'
import type { Operand } from '../port.ts'
import type { Integers } from '../segment/container.ts'
import type { KeywordColumn } from '../segment/keyword-column.ts'
import type { OrdinalSets } from '../segment/ordinal-sets.ts'
import { lowerBound } from '../segment/strings.ts'
import { keyOf, keywordValue } from '../values.ts'
import { compileWildcard } from '../wildcard.ts'
import { setBit } from './hits.ts'
import { counted, marking, nothing, passing, restrictBy, type Matcher } from './matcher.ts'
import type { QueryContext } from './term-scoring.ts'

export function matchKeyword(
  context: QueryContext,
  column: KeywordColumn,
  maxDoc: number,
  locale: string,
  test: Test,
  operands: readonly Operand[],
): Matcher {
  return ordinalMatcher(column, maxDoc, ordinalsOf(context, column, locale, test, operands))
}

function ordinalsOf(
  { schema, collationOf, operandKeys }: QueryContext,
  column: KeywordColumn,
  locale: string,
  test: Test,
  operands: readonly Operand[],
): Iterable<number> {
  const { values, keys } = column
  const operand = String(operands[0])
  const bound = keywordValue(operand)
  const { rank } = collationOf(locale || schema.defaultLocale)
  const below = () => lowerBound(values, (value) => rank(value, bound) < 0)
  const upTo = () => lowerBound(values, (value) => rank(value, bound) <= 0)
  switch (test) {
    case 'eq':
    case 'in':
      return keyed(column, keys.positionsOfAll(operandKeys(operands)))
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
      return keyed(column, span(...keys.withPrefix(keyOf(operand))))
    case 'ends':
      return keyed(column, keys.containing(keyOf(operand), true))
    default: {
      const { matches, needle, isNeedle } = compileWildcard(keyOf(operand))
      const found = keys.containing(needle)
      return keyed(column, isNeedle ? found : filtered(found, (position) => matches(keys.at(position))))
    }
  }
}

export function ordinalsOfKey(column: KeywordColumn, key: string): Uint32Array {
  return column.keys.ordinals.subarray(...column.keys.positionsOf(key))
}

function* span(from: number, to: number): Generator<number> {
  for (let i = from; i < to; i++) yield i
}
function* keyed({ keys }: KeywordColumn, positions: Iterable<number>): Generator<number> {
  for (const position of positions) yield keys.ordinals[position]!
}
function* filtered(positions: Iterable<number>, passes: (position: number) => boolean): Generator<number> {
  for (const position of positions) if (passes(position)) yield position
}

/** Posting lists are faster than a scan while they contain less than this share of the documents. */
const listShare = 1 / 4
/** Testing a document with several values costs as much as reading this many postings. */
const testCost = 6

export function ordinalMatcher(column: KeywordColumn, maxDoc: number, ordinals: Iterable<number>): Matcher {
  const { starts, docs, sets, values } = column
  const selected = [...new Set(ordinals)]
  const cost = selected.reduce((sum, ordinal) => sum + starts[ordinal + 1]! - starts[ordinal]!, 0)
  if (selected.length === 0) return nothing()
  let flags: Uint8Array | undefined
  /** By ordinal + 1, whether it is selected. Built on demand, because it is as long as the value list. */
  const selectedFlags = () => (flags ??= flagged(selected, values.count))
  if (sets) {
    const list = listMatcher(column, maxDoc, selected, cost)
    return {
      ...list,
      restrict(hits, keep) {
        if (cost < hits.count * testCost) list.restrict(hits, keep)
        else restrictBy(hits, keep, severalTest(column.held, sets, selectedFlags()))
      },
    }
  }
  const { held } = column
  const scan = oneOrdinal(held, selectedFlags, cost)
  const isList = docs && cost <= maxDoc * listShare
  const matcher = isList ? { ...listMatcher(column, maxDoc, selected, cost), restrict: scan.restrict } : scan
  return counted(matcher, cost, (doc) => selectedFlags()[held[doc]!] === 1)
}

function flagged(ordinals: readonly number[], count: number): Uint8Array {
  const flags = new Uint8Array(count + 1)
  for (const ordinal of ordinals) flags[ordinal + 1] = 1
  return flags
}

function listMatcher(
  { starts, docs }: KeywordColumn,
  maxDoc: number,
  selected: readonly number[],
  cost: number,
): Matcher {
  const matcher = marking(maxDoc, cost, (bits) => {
    for (const ordinal of selected)
      for (let i = starts[ordinal]!; i < starts[ordinal + 1]!; i++) setBit(bits, docs![i]!)
  })
  const [only] = selected
  if (selected.length > 1) return matcher
  const copy = () => ({ docs: docs!.slice(starts[only!], starts[only! + 1]), count: cost })
  return { ...matcher, isList: true, collect: copy }
}

/**
 * One value per document; the number of matches is known. Branch-free: every document is written, and overwritten by the
 * next unless it matches. Branches would be mispredicted, which costs more than a write.
 */
function oneOrdinal(held: Integers, selectedFlags: () => Uint8Array, cost: number): Matcher {
  return {
    cost,
    collect() {
      const flags = selectedFlags()
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
      const flags = selectedFlags()
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

function severalTest(held: Integers, { starts, ords }: OrdinalSets, flags: Uint8Array): (doc: number) => boolean {
  return (doc) => {
    const set = held[doc]!
    for (let i = starts[set]!; i < starts[set + 1]!; i++) if (flags[ords[i]! + 1] === 1) return true
    return false
  }
}

/** Documents that have any value. */
export function anyKeyword({ held, sets, starts }: KeywordColumn, maxDoc: number): Matcher {
  const filled = starts.at(-1)!
  const isFilled = (doc: number) => held[doc] !== 0
  const matcher = passing(maxDoc, filled, isFilled)
  return sets ? matcher : counted(matcher, filled, isFilled)
}
