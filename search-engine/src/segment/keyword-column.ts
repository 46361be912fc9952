/**
 * The values of a field in one locale, for comparing, counting and sorting (Lucene: sorted set doc values).
 *
 *   values     the distinct values in collated order; the number of a value (its ordinal) is its rank
 *   keys       their comparison keys (keys.ts)
 *   held       by document: 0 = no value, otherwise the ordinal + 1, or the number of its ordinal set if documents have
 *              several values; 1, 2 or 4 bytes
 *   sets       several values per document: the distinct sets of ordinals (ordinal-sets.ts)
 *   starts     by ordinal, the start of its posting list in `docs`
 *   docs       posting lists by ordinal, also used to walk documents in sort order. Omitted with 64 values or fewer,
 *              where scanning the column is as fast. For text fields starts and docs are derived at first use,
 *              because most are only searched by words
 */
import { collatedOrder, type Collation } from '../collation.ts'
import { keyOf, pathAbove } from '../values.ts'
import { createNumbers, finishNumbers, push } from './bytes.ts'
import type { Integers, Reader, Sections } from './container.ts'
import { readKeys, writeKeys, type Keys } from './keys.ts'
import { buildOrdinalSets, readOrdinalSets, type OrdinalSets } from './ordinal-sets.ts'
import { readStrings, textAt, writeStrings, type Strings } from './strings.ts'

/** Values before they are ranked: document d has ids[offsets[d]..offsets[d + 1]], without duplicates. */
interface UnrankedKeywords {
  readonly values: readonly string[]
  readonly offsets: Uint32Array
  readonly ids: Uint32Array
}

export interface KeywordColumn {
  readonly values: Strings
  /** The value of an ordinal; cached for short lists. */
  textOf(ordinal: number): string
  /** For paths, the ordinal of the parent path by ordinal, or -1. A document with a path also has its ancestors. */
  readonly parents: Int32Array
  readonly keys: Keys
  readonly held: Integers
  readonly sets?: OrdinalSets
  readonly starts: Uint32Array
  readonly docs?: Uint32Array | undefined
}

const maxScannedValues = 64
const maxCachedValues = 4096

export function writeKeywordColumn(
  out: Sections,
  name: string,
  raw: UnrankedKeywords,
  collation: Collation,
  isText: boolean,
): void {
  const order = collatedOrder(raw.values, collation)
  const sorted = Array.from(order, (id) => raw.values[id]!)
  const ranks = new Uint32Array(order.length)
  order.forEach((id, rank) => (ranks[id] = rank))
  writeStrings(out, `${name}.values`, sorted)
  writeKeys(out, name, sorted, !isText)

  const { offsets } = raw
  const count = offsets.length - 1
  const ords = raw.ids.map((id) => ranks[id]!)
  let several = false
  for (let doc = 0; doc < count; doc++) {
    if (offsets[doc + 1]! - offsets[doc]! < 2) continue
    several = true
    ords.subarray(offsets[doc], offsets[doc + 1]).sort()
  }
  if (several) {
    const sets = buildOrdinalSets(offsets, ords)
    out.set(`${name}.held`, narrow(sets.held, sets.starts.length))
    out.set(`${name}.sets.starts`, sets.starts)
    out.set(`${name}.sets.ords`, narrow(sets.ords, sorted.length))
  } else {
    const held = new Uint32Array(count)
    for (let doc = 0; doc < count; doc++) if (offsets[doc + 1]! > offsets[doc]!) held[doc] = ords[offsets[doc]!]! + 1
    out.set(`${name}.held`, narrow(held, sorted.length + 1))
  }
  if (isText && !several) return
  const starts = startsOf(ords, sorted.length)
  out.set(`${name}.starts`, starts)
  if (!several && sorted.length <= maxScannedValues) return
  const next = starts.slice()
  const docs = new Uint32Array(ords.length)
  for (let doc = 0; doc < count; doc++) {
    for (let i = offsets[doc]!; i < offsets[doc + 1]!; i++) docs[next[ords[i]!]!++] = doc
  }
  out.set(`${name}.docs`, docs)
}

function startsOf(ords: Integers, distinct: number): Uint32Array {
  const starts = new Uint32Array(distinct + 1)
  for (let i = 0; i < ords.length; i++) starts[ords[i]! + 1]!++
  for (let i = 0; i < distinct; i++) starts[i + 1]! += starts[i]!
  return starts
}

/** Facets read `held` and some values, filters read keys and posting lists, so each section is loaded at first use. */
export function readKeywordColumn(from: Reader, name: string): KeywordColumn {
  const values = readStrings(from, `${name}.values`)
  let held: Integers | undefined
  let keys: Keys | undefined
  let read: Lists | undefined
  let parents: Int32Array | undefined
  const texts: string[] = []
  const lists = () => (read ??= storedLists(from, name) ?? deriveLists(from.integers(`${name}.held`), values.count))
  return {
    values,
    textOf: (ordinal) =>
      values.count > maxCachedValues ? textAt(values, ordinal) : (texts[ordinal] ??= textAt(values, ordinal)),
    get parents() {
      return (parents ??= Int32Array.from({ length: values.count }, (_, i) =>
        ordinalOf(this, pathAbove(textAt(values, i))),
      ))
    },
    get held() {
      return (held ??= from.integers(`${name}.held`))
    },
    ...(from.has(`${name}.sets.starts`) && { sets: readOrdinalSets(from, `${name}.sets`) }),
    get keys() {
      return (keys ??= readKeys(from, name, values))
    },
    get starts() {
      return lists().starts
    },
    get docs() {
      return lists().docs
    },
  }
}

type Lists = Pick<KeywordColumn, 'starts' | 'docs'>

function storedLists(from: Reader, name: string): Lists | undefined {
  if (!from.has(`${name}.starts`)) return undefined
  const starts = from.u32(`${name}.starts`)
  return from.has(`${name}.docs`) ? { starts, docs: from.u32(`${name}.docs`) } : { starts }
}

/** Derives the posting lists of a text field. */
function deriveLists(held: Integers, distinct: number): Lists {
  // Index 0 counts documents without a value; they are dropped at the end.
  const counted = startsOf(held, distinct + 1)
  const next = counted.slice()
  const docs = new Uint32Array(held.length)
  for (let doc = 0; doc < held.length; doc++) docs[next[held[doc]!]!++] = doc
  const empty = counted[1]!
  return { starts: counted.subarray(1).map((start) => start - empty), docs: docs.subarray(empty) }
}

/** The ordinal of a value, or -1. */
export function ordinalOf(column: KeywordColumn, value: string): number {
  const [from, to] = column.keys.positionsOf(keyOf(value))
  for (let i = from; i < to; i++) {
    const ordinal = column.keys.ordinals[i]!
    if (textAt(column.values, ordinal) === value) return ordinal
  }
  return -1
}

/** The column before ranking, for a merge. IDs are the ordinals. */
export function unrankedKeywords({ values, held, sets }: KeywordColumn): UnrankedKeywords {
  const offsets = new Uint32Array(held.length + 1)
  const ids = createNumbers()
  for (let doc = 0; doc < held.length; doc++) {
    const number = held[doc]!
    if (sets) for (let i = sets.starts[number]!; i < sets.starts[number + 1]!; i++) push(ids, sets.ords[i]!)
    else if (number > 0) push(ids, number - 1)
    offsets[doc + 1] = ids.length
  }
  return {
    values: Array.from({ length: values.count }, (_, i) => textAt(values, i)),
    offsets,
    ids: finishNumbers(ids),
  }
}

function narrow(values: Uint32Array, limit: number): Integers {
  return limit <= 0xff ? Uint8Array.from(values) : limit <= 0xffff ? Uint16Array.from(values) : values
}
