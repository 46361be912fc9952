/**
 * Selects the page: the top hits by score (top-hits.ts), or the first hits of each segment by rank, merged by value.
 *
 * A rank is a number within a segment (an ordinal, or the number itself), so sorting a segment never reads text. If many
 * documents match, the sorted order of the column is walked until the page is full.
 */
import { isNumeric, hasKeywordColumn } from '../comparators.ts'
import type { SortKey } from '../port.ts'
import { columnName, type Segment } from '../segment/segment.ts'
import { textAt } from '../segment/strings.ts'
import { columnLocale } from '../values.ts'
import { addHits, createTopHits, type Candidate } from './top-hits.ts'
import type { SegmentHits } from './matcher.ts'
import { rankOf, ranksOf, selectFirst, type SortColumn } from './ranks.ts'
import { walkOrder, type HitLimits } from './sorted-walk.ts'
import type { QueryContext } from './term-scoring.ts'

/** A sort key with its column. Without a column all documents are equal. */
interface Order {
  readonly descending: boolean
  compare(a: string | number, b: string | number): number
  columnOf(segment: Segment): SortColumn | undefined
}

export function pickPage(
  context: QueryContext,
  parts: readonly SegmentHits[],
  sort: readonly SortKey[],
  offset: number,
  limit: number,
): readonly Candidate[] {
  const orders = sort.flatMap((key) => orderOf(context, key))
  if (orders.length === 0 && parts.some(({ score }) => score)) return bestPage(parts, offset, limit)
  const total = parts.reduce((sum, { count }) => sum + count, 0)
  const runs = parts
    .filter(({ count }) => count > 0)
    .map((part): Run => {
      const most = Math.min(offset + limit, part.count)
      const expected = Math.ceil(((offset + limit) * part.count) / total)
      return { part, size: most, ...firstOf(part, orders, { most, expected }) }
    })
  const [only] = runs
  if (only && runs.length === 1) {
    return Array.from({ length: Math.max(0, only.size - offset) }, (_, i) => candidate(only, offset + i))
  }
  return mergeRuns(runs, orders, offset, limit)
}

/** Few hits are faster to score one by one. */
const fewHits = 1024

function bestPage(parts: readonly SegmentHits[], offset: number, limit: number): readonly Candidate[] {
  const topHits = createTopHits(offset + limit)
  for (const part of parts) {
    if (part.best && part.count > fewHits) part.best(topHits)
    else if (part.count > 0) addHits(topHits, part.segment, part.hits, part.score)
  }
  return topHits.finish().slice(offset)
}

/** The first documents of a segment in sort order, by index. */
interface First {
  docAt(index: number): number
}
interface Run extends First {
  readonly part: SegmentHits
  readonly size: number
}

function candidate({ part, docAt }: Run, index: number): Candidate {
  const doc = docAt(index)
  return { segment: part.segment, doc, id: part.segment.ids[doc]!, score: 0 }
}

/** The current hit of a run with its sort values; undefined where it has none. */
interface Head {
  readonly run: Run
  readonly readers: readonly ((doc: number) => string | number | undefined)[]
  readonly keys: (string | number | undefined)[]
  at: number
  id: number
}

function moveTo(head: Head, index: number): void {
  const { run, readers, keys } = head
  const doc = run.docAt(index)
  for (let i = 0; i < readers.length; i++) keys[i] = readers[i]!(doc)
  head.at = index
  head.id = run.part.segment.ids[doc]!
}

/** Merges sorted runs; only their heads are compared. */
function mergeRuns(runs: readonly Run[], orders: readonly Order[], offset: number, limit: number): Candidate[] {
  const heads = skip(runs, orders, offset)
  heads.sort((a, b) => compareHeads(orders, a, b))
  const page: Candidate[] = []
  while (page.length < limit && heads.length) {
    const first = heads[0]!
    page.push(candidate(first.run, first.at))
    if (first.at + 1 === first.run.size) {
      heads.shift()
      continue
    }
    moveTo(first, first.at + 1)
    for (let i = 1; i < heads.length && compareHeads(orders, first, heads[i]!) > 0; i++) {
      heads[i - 1] = heads[i]!
      heads[i] = first
    }
  }
  return page
}

/**
 * Skips `count` hits of all runs without sorting them. With n runs, each looks ahead an n-th of the way. The run whose
 * hit there sorts first has only hits before the target up to there, so they are skipped at once.
 */
function skip(runs: readonly Run[], orders: readonly Order[], count: number): Head[] {
  let heads = runs.map((run): Head => {
    const readers = orders.map(({ columnOf, descending }) => readSections(columnOf(run.part.segment), descending))
    return { run, readers, keys: [], at: 0, id: 0 }
  })
  const begins = new Map(heads.map((head) => [head, 0]))
  for (let left = count; left > 0 && heads.length;) {
    const step = Math.max(1, Math.floor(left / heads.length))
    for (const head of heads) moveTo(head, Math.min(begins.get(head)! + step, head.run.size) - 1)
    const last = heads.reduce((a, b) => (compareHeads(orders, b, a) < 0 ? b : a))
    left -= last.at + 1 - begins.get(last)!
    begins.set(last, last.at + 1)
    if (last.at + 1 === last.run.size) heads = heads.filter((head) => head !== last)
  }
  for (const head of heads) moveTo(head, begins.get(head)!)
  return heads
}

function compareHeads(orders: readonly Order[], a: Head, b: Head): number {
  for (let i = 0; i < orders.length; i++) {
    const left = a.keys[i]
    const right = b.keys[i]
    if (left === right) continue
    if (left === undefined || right === undefined) return left === undefined ? 1 : -1
    const order = orders[i]!.compare(left, right)
    if (order !== 0) return orders[i]!.descending ? -order : order
  }
  return a.id - b.id
}

/** Reads the value that a rank of the segment stands for. */
function readSections(
  column: SortColumn | undefined,
  descending: boolean,
): (doc: number) => string | number | undefined {
  if (!column) return () => undefined
  const rank = rankOf(column, descending)
  return (doc) => {
    const found = rank(doc)
    if (found === Infinity) return undefined
    if (!('starts' in column)) return Math.abs(found) === 0 ? 0 : descending ? -found : found
    return textAt(column.values, Math.abs(found) - 1)
  }
}

function orderOf({ schema, fields, collationOf }: QueryContext, { field: name, locale, descending }: SortKey): Order[] {
  const field = fields.get(name)
  if (!field || (!isNumeric(field) && !hasKeywordColumn(field))) return []
  const sortLocale = columnLocale(schema, field, locale)
  const column = columnName(name, sortLocale)
  const collation = collationOf(sortLocale || schema.defaultLocale)
  return [
    {
      descending: descending ?? false,
      compare: isNumeric(field) ? (a, b) => Number(a) - Number(b) : (a, b) => collation.compare(String(a), String(b)),
      columnOf: (segment) => (isNumeric(field) ? segment.numbers.get(column) : segment.keywords.get(column)),
    },
  ]
}

function firstOf(part: SegmentHits, orders: readonly Order[], limits: HitLimits): First {
  const [order, ...others] = orders
  if (!order) return part.has ? walkedOrRanked(part, orders, undefined, limits) : inOrder(part)
  const column = others.length ? undefined : order.columnOf(part.segment)
  return column ? walkedOrRanked(part, orders, column, limits) : ranked(part, orders, limits)
}

function walkedOrRanked(
  part: SegmentHits,
  orders: readonly Order[],
  column: SortColumn | undefined,
  limits: HitLimits,
): First {
  const walk = walkOrder(part, column, orders[0]?.descending ?? false, limits)
  if (!walk) return ranked(part, orders, limits)
  let fallback: First | undefined
  return {
    docAt(index) {
      const doc = fallback ? undefined : walk.docAt(index)
      return doc ?? (fallback ??= ranked(part, orders, limits)).docAt(index)
    },
  }
}

function ranked(part: SegmentHits, orders: readonly Order[], { most }: HitLimits): First {
  if (orders.length === 0) return inOrder(part)
  const { segment, hits } = part
  const keys = orders.map((order) => ranksOf(order.columnOf(segment), order.descending, hits))
  const indexes = selectFirst(keys, hits.count, most)
  return { docAt: (index) => hits.docs[indexes[index]!]! }
}

function inOrder({ hits }: SegmentHits): First {
  return { docAt: (index) => hits.docs[index]! }
}
