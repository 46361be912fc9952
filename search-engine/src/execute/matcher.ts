/**
 * A predicate made ready for one segment. It can find documents in two ways, and whoever combines it chooses the cheaper:
 *
 *   collect    find all documents that match (to drive a conjunction, or alone)
 *   restrict   of documents found already keep those that match (to follow another)
 *
 * A conjunction lets the member with the fewest documents drive and the others follow, cheapest first; so the cost of a
 * search is that of its most selective part. What documents score is asked when all are found, and only where they are
 * sorted by it.
 */
import type { Segment } from '../segment/segment.ts'
import type { Score, Selection } from './best.ts'
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
  /** How many documents match, at most; an estimate. */
  readonly cost: number
  /** What it comes to, when it is no more than an interval of one value per document. */
  readonly span?: Span
  /** The result belongs to the caller. */
  collect(): Hits
  /** Collecting is no more than copying a list. */
  readonly isList?: true
  /** The same without a list, where that is cheaper. */
  set?(): DocumentSet
  /** Keeps the documents that match, or with `keep` false those that do not. */
  restrict(hits: Hits, keep: boolean): void
  /** Absent where nothing scores. */
  readonly score?: Score
  /** The best by score, where words of one clause alone score: most documents need not be looked at. */
  readonly best?: AddBest
}

/** Adds the best documents. `isHit` is asked about those that have one of the words: all others are none. */
export type AddBest = (selection: Selection, segment: Segment, isHit: (doc: number) => boolean) => void

/** From low to high, both included. */
export interface Span {
  readonly values: Float64Array
  readonly low: number
  readonly high: number
  /** Of the same values, those that are in another span as well. */
  meet(other: Span): Matcher
}

/** What was found in a segment. */
export interface SegmentHits {
  readonly segment: Segment
  readonly count: number
  /** All of them; where `has` can be asked, they are listed when that is first asked for. */
  readonly hits: Hits
  has?(doc: number): boolean
  readonly score?: Score
  best?(selection: Selection): void
  /** The hits are the documents of this interval, but for deleted ones. */
  readonly span?: Span
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

/** Documents that pass a test, asked one by one. */
export function passing(maxDoc: number, cost: number, test: (doc: number) => boolean): Matcher {
  const marked = marking(maxDoc, cost, (bits) => {
    for (let doc = 0; doc < maxDoc; doc++) if (test(doc)) setBit(bits, doc)
  })
  return { ...marked, restrict: (hits, keep) => restrictBy(hits, keep, test) }
}

/** Documents that are found in no order, and some of them more than once. */
export function marking(maxDoc: number, cost: number, mark: (bits: Bits) => void): Matcher {
  function made(): Bits {
    const bits = createBits(maxDoc)
    mark(bits)
    return bits
  }
  return {
    cost: Math.min(cost, maxDoc),
    collect: () => hitsOfBits(made()),
    set: () => setOfBits(made()),
    restrict: (hits, keep) => restrictToBits(hits, made(), keep),
  }
}

/** Documents that are marked already. */
export function marked(bits: Bits) {
  const set = setOfBits(bits)
  return {
    collect: set.list,
    set: () => set,
    restrict: (hits: Hits, keep: boolean) => restrictToBits(hits, bits, keep),
  }
}

/** A matcher that knows how many documents match, and of each whether it does. */
export function counted(matcher: Matcher, count: number, has: (doc: number) => boolean): Matcher {
  return { ...matcher, set: () => ({ count, has, list: matcher.collect }) }
}

export function restrictBy(hits: Hits, keep: boolean, test: (doc: number) => boolean): void {
  const { docs } = hits
  let kept = 0
  for (let i = 0; i < hits.count; i++) if (test(docs[i]!) === keep) docs[kept++] = docs[i]!
  hits.count = kept
}

/** Bounds of the same values, such as a price from and to, are one interval. */
function joinSpans(members: readonly Matcher[]): readonly Matcher[] {
  const joined: Matcher[] = []
  for (const member of members) {
    const at = joined.findIndex(({ span }) => span && span.values === member.span?.values)
    if (at < 0) joined.push(member)
    else joined[at] = joined[at]!.span!.meet(member.span!)
  }
  return joined
}

export function allOf(maxDoc: number, wanted: readonly Matcher[]): Matcher {
  const members = joinSpans(wanted)
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

/** Members of which all match: what they score adds up. */
function scoredTogether(members: readonly Matcher[]): Pick<Matcher, 'score' | 'best'> {
  const scoring = members.filter(({ score }) => score)
  if (scoring.length < 2) return { score: scoring[0]?.score, best: scoring[0]?.best }
  return { score: (hits, sums) => scoring.forEach(({ score }) => score!(hits, sums)) }
}

/** What matches any; the scores of those that match add up, or with `best` the highest counts. */
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
  return scoring.length === 0 ? found : { ...found, score: apart(scoring, best) }
}

/** Members of which each is asked about the documents that it matches. */
function apart(members: readonly Matcher[], best: boolean): Score {
  return (hits, sums) => {
    const total = new Float32Array(hits.count)
    for (const member of members) {
      const own = copyOf(hits)
      member.restrict(own, true)
      const scores = new Float32Array(own.count)
      member.score!(own, scores)
      for (let i = 0, place = 0; i < own.count; i++, place++) {
        while (hits.docs[place] !== own.docs[i]) place++
        total[place] = best ? Math.max(total[place]!, scores[i]!) : total[place]! + scores[i]!
      }
    }
    for (let place = 0; place < total.length; place++) sums[place]! += total[place]!
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
