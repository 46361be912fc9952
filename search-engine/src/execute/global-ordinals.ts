/**
 * Ordinals are local to a segment. To add up the counts of several segments, the ordinals of each are mapped to those of the
 * largest one; values that it lacks get additional numbers. The map of a pair of segments is computed once and cached, so a
 * change costs only its few values.
 *
 *   largest    a b d        0 1 2
 *   another    b c d   ->   1 3 2      c is new
 */
import type { Collation } from '../collation.ts'
import { ordinalOf, type KeywordColumn } from '../segment/keyword-column.ts'
import { textAt } from '../segment/strings.ts'
import { pathAbove } from '../values.ts'

export interface GlobalOrdinals {
  readonly count: number
  /** Maps the ordinals of a column to global ones; undefined for the largest column. */
  ordinalMapOf(column: KeywordColumn): Uint32Array | undefined
  valueOf(ordinal: number): string
  /** For paths, the ordinal of the parent path, or -1. */
  parentOf(ordinal: number): number
  /** Compares by value. The ordinals of the largest column are already in this order. */
  compare(a: number, b: number): number
  /** The first ordinals of each column, in value order, that pass the test; at most `most` per column. */
  firstOf(most: number, passes: (ordinal: number) => boolean): Set<number>
}

const missing = 0xffffffff
/** By the larger column, then the smaller one; entries are released with either. */
export type OrdinalMaps = WeakMap<KeywordColumn, WeakMap<KeywordColumn, Uint32Array>>

export function createGlobalOrdinals(
  known: OrdinalMaps,
  columns: readonly KeywordColumn[],
  collation: Collation,
): GlobalOrdinals {
  const [largest, ...others] = columns.toSorted((a, b) => b.values.count - a.values.count)
  if (!largest) return noOrdinals
  const added = new Map<string, number>()
  const ordinalMaps = new Map(
    others.map((column) => [column, withAdded(mapOrdinals(known, largest, column), column, largest, added)]),
  )
  const addedValues = [...added.keys()]
  const { count } = largest.values
  const valueOf = (ordinal: number) => (ordinal < count ? largest.textOf(ordinal) : addedValues[ordinal - count]!)
  return {
    count: count + added.size,
    ordinalMapOf: (column) => ordinalMaps.get(column),
    firstOf(most, passes) {
      const first = new Set<number>()
      for (const column of added.size > 0 ? columns : [largest]) {
        const ordinalMap = ordinalMaps.get(column)
        for (let i = 0, found = 0; i < column.values.count && found < most; i++) {
          const ordinal = ordinalMap ? ordinalMap[i]! : i
          if (!passes(ordinal)) continue
          first.add(ordinal)
          found++
        }
      }
      return first
    },
    valueOf,
    parentOf(ordinal) {
      if (ordinal < count) return largest.parents[ordinal]!
      const above = pathAbove(valueOf(ordinal))
      return added.get(above) ?? ordinalOf(largest, above)
    },
    compare: (a, b) => (a < count && b < count ? a - b : collation.compare(valueOf(a), valueOf(b))),
  }
}

const noOrdinals: GlobalOrdinals = {
  count: 0,
  ordinalMapOf: () => undefined,
  valueOf: () => '',
  parentOf: () => -1,
  compare: () => 0,
  firstOf: () => new Set(),
}

function mapOrdinals(known: OrdinalMaps, largest: KeywordColumn, column: KeywordColumn): Uint32Array {
  const ofLargest = known.get(largest) ?? new WeakMap<KeywordColumn, Uint32Array>()
  known.set(largest, ofLargest)
  const ordinalMap =
    ofLargest.get(column) ??
    Uint32Array.from({ length: column.values.count }, (_, i) => ordinalOf(largest, textAt(column.values, i)))
  ofLargest.set(column, ordinalMap)
  return ordinalMap
}

/** Adds numbers for the values that the largest column lacks. */
function withAdded(
  ordinalMap: Uint32Array,
  column: KeywordColumn,
  largest: KeywordColumn,
  added: Map<string, number>,
): Uint32Array {
  if (!ordinalMap.includes(missing)) return ordinalMap
  return ordinalMap.map((ordinal, i) => {
    if (ordinal !== missing) return ordinal
    const value = textAt(column.values, i)
    const number = added.get(value) ?? largest.values.count + added.size
    added.set(value, number)
    return number
  })
}
