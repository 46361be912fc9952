/**
 * A predicate compiled for one segment. It can be evaluated in two ways, and the caller chooses the cheaper one:
 *
 *   collect    list all matching documents (to lead a conjunction, or alone)
 *   restrict   filter documents that were already found
 *
 * In a conjunction the member with the fewest documents leads and the others filter, cheapest first, so the cost of a
 * search is that of its most selective member. Scores are computed at the end, and only if hits are sorted by them.
 */
import type { Segment } from '../segment/segment.ts'
import type { Score, TopHits } from './top-hits.ts'
import {
  allHits,
  copyOf,
  createBits,
  hitsOfBits,
  noHits,
  restrictTo,
  restrictToBits,
  setBit,
  setOfBits,
  type Bits,
  type DocumentSet,
  type Hits,
} from './hits.ts'

export interface Matcher {
  /** Upper bound for the number of matches; an estimate. */
  readonly cost: number
  /** Set if the predicate is a single interval on a column with one value per document. */
  readonly span?: Span | undefined
  /** The result belongs to the caller. */
  collect(): Hits
  /** Collecting only copies a list. */
  readonly isList?: true
  /** Like `collect`, without listing the documents, if that is cheaper. */
  set?(): DocumentSet
  /** Keeps matching documents or, if `keep` is false, those that do not match. */
  restrict(hits: Hits, keep: boolean): void
  /** Missing if the predicate does not contribute to the score. */
  readonly score?: Score | undefined
  /** Adds the top hits, if only the terms of one clause score: most documents need not be scored. */
  readonly best?: AddTopHits | undefined
}

/** Adds the top hits. `isHit` is called only for documents that contain one of the terms. */
type AddTopHits = (topHits: TopHits, segment: Segment, isHit: (doc: number) => boolean) => void

/** Both ends are included. */
export interface Span {
  readonly values: Float64Array
  readonly low: number
  readonly high: number
  /** The intersection with another interval on the same values. */
  meet(other: Span): Matcher
}

/** The hits of a segment. */
export interface SegmentHits {
  readonly segment: Segment
  readonly count: number
  /** All matching documents. With `has`, the list is built lazily. */
  readonly hits: Hits
  has?(doc: number): boolean
  readonly score?: Score | undefined
  readonly best?: ((topHits: TopHits) => void) | undefined
  /** The hits are exactly the live documents of this interval. */
  readonly span?: Span | undefined
}

export function everything(maxDoc: number): Matcher {
  return {
    cost: maxDoc,
    collect: () => allHits(maxDoc),
    set: () => ({ count: maxDoc, has: () => true, list: () => allHits(maxDoc) }),
    restrict(hits, keep) {
      if (!keep) hits.count = 0
    },
  }
}

export function nothing(): Matcher {
  return {
    cost: 0,
    collect: noHits,
    restrict(hits, keep) {
      if (keep) hits.count = 0
    },
  }
}

/** Documents that pass a test. */
export function passing(maxDoc: number, cost: number, test: (doc: number) => boolean): Matcher {
  const marked = marking(maxDoc, cost, (bits) => {
    for (let doc = 0; doc < maxDoc; doc++) if (test(doc)) setBit(bits, doc)
  })
  return { ...marked, restrict: (hits, keep) => restrictBy(hits, keep, test) }
}

/** Documents that are found in any order, possibly more than once. */
export function marking(maxDoc: number, cost: number, mark: (bits: Bits) => void): Matcher {
  function build(): Bits {
    const bits = createBits(maxDoc)
    mark(bits)
    return bits
  }
  return {
    cost: Math.min(cost, maxDoc),
    collect: () => hitsOfBits(build()),
    set: () => setOfBits(build()),
    restrict: (hits, keep) => restrictToBits(hits, build(), keep),
  }
}

/** Documents given as a bitmap. */
export function marked(bits: Bits) {
  const set = setOfBits(bits)
  return {
    collect: set.list,
    set: () => set,
    restrict: (hits: Hits, keep: boolean) => restrictToBits(hits, bits, keep),
  }
}

/** Adds a lazy set to a matcher that knows its number of matches and can test a document. */
export function counted(matcher: Matcher, count: number, has: (doc: number) => boolean): Matcher {
  return { ...matcher, set: () => ({ count, has, list: matcher.collect }) }
}

export function restrictBy(hits: Hits, keep: boolean, test: (doc: number) => boolean): void {
  const { docs } = hits
  let kept = 0
  for (let i = 0; i < hits.count; i++) if (test(docs[i]!) === keep) docs[kept++] = docs[i]!
  hits.count = kept
}

/** Merges bounds on the same column, such as a price from and to, into one interval. */
function joinSpans(members: readonly Matcher[]): readonly Matcher[] {
  const joined: Matcher[] = []
  for (const member of members) {
    const at = joined.findIndex(({ span }) => span && span.values === member.span?.values)
    if (at < 0) joined.push(member)
    else joined[at] = joined[at]!.span!.meet(member.span!)
  }
  return joined
}

export function allOf(maxDoc: number, all: readonly Matcher[]): Matcher {
  const members = joinSpans(all)
  if (members.length === 1) return members[0]!
  const ordered = members.toSorted((a, b) => a.cost - b.cost)
  const [driver, ...followers] = ordered
  if (!driver) return everything(maxDoc)
  function collect(): Hits {
    const hits = driver!.collect()
    for (const follower of followers) if (hits.count) follower.restrict(hits, true)
    return hits
  }
  return {
    cost: driver.cost,
    collect,
    ...scoredTogether(members),
    restrict(hits, keep) {
      if (!keep) return restrictTo(hits, collect(), false)
      for (const member of ordered) if (hits.count) member.restrict(hits, true)
    },
  }
}

/** All members match, so their scores add up. */
function scoredTogether(members: readonly Matcher[]): Pick<Matcher, 'score' | 'best'> {
  const scoring = members.filter(({ score }) => score)
  if (scoring.length < 2) return { score: scoring[0]?.score, best: scoring[0]?.best }
  return { score: (hits, sums) => scoring.forEach(({ score }) => score!(hits, sums)) }
}

/** The union. Scores of matching members add up or, with `best`, the highest counts. */
export function anyOf(maxDoc: number, members: readonly Matcher[], best = false): Matcher {
  if (members.length === 1) return members[0]!
  if (members.length === 0) return nothing()
  const cost = members.reduce((sum, member) => sum + member.cost, 0)
  const found = marking(maxDoc, cost, (bits) => {
    for (const member of members) {
      const { docs, count } = member.collect()
      for (let i = 0; i < count; i++) setBit(bits, docs[i]!)
    }
  })
  const scoring = members.filter(({ score }) => score)
  return scoring.length === 0 ? found : { ...found, score: scoredSeparately(scoring, best) }
}

/** Each member scores only the documents that it matches. */
function scoredSeparately(members: readonly Matcher[], best: boolean): Score {
  return (hits, sums) => {
    const total = new Float32Array(hits.count)
    for (const member of members) {
      const own = copyOf(hits)
      member.restrict(own, true)
      const scores = new Float32Array(own.count)
      member.score!(own, scores)
      for (let i = 0, index = 0; i < own.count; i++, index++) {
        while (hits.docs[index] !== own.docs[i]) index++
        total[index] = best ? Math.max(total[index]!, scores[i]!) : total[index]! + scores[i]!
      }
    }
    for (let index = 0; index < total.length; index++) sums[index]! += total[index]!
  }
}

export function noneOf(maxDoc: number, member: Matcher): Matcher {
  function collect(): Hits {
    const hits = allHits(maxDoc)
    member.restrict(hits, false)
    return hits
  }
  const others = member.set && (() => complementOf(maxDoc, member.set!(), collect))
  return {
    cost: Math.max(0, maxDoc - member.cost),
    collect,
    ...(others && { set: others }),
    restrict: (hits, keep) => member.restrict(hits, !keep),
  }
}

function complementOf(maxDoc: number, set: DocumentSet, list: () => Hits): DocumentSet {
  return { count: maxDoc - set.count, has: (doc) => !set.has(doc), list }
}
