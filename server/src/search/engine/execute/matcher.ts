/**
 * A predicate made ready for one segment. It can do two things, and whoever combines it chooses the cheaper:
 *
 *   collect    find all documents that match (to drive a conjunction, or alone)
 *   restrict   of documents found already keep those that match (to follow another)
 *
 * A conjunction lets the member with the fewest documents drive and the others follow, cheapest first; so the cost of a
 * search is that of its most selective part.
 */
import type { Segment } from '../segment/segment.ts'
import {
  allHits,
  createBits,
  hitsOfBits,
  noHits,
  restrictTo,
  restrictToBits,
  setBit,
  setOfBits,
  unite,
  type Bits,
  type DocumentSet,
  type Hits,
} from './hits.ts'

export interface Matcher {
  /** How many documents match, at most; an estimate. */
  readonly cost: number
  readonly scores: boolean
  /** What it comes to, when it is no more than an interval of one value per document. */
  readonly span?: Span
  /** The result belongs to the caller. */
  collect(): Hits
  /** Collecting is no more than copying a list. */
  readonly isList?: true
  /** The same without a list, where that is cheaper. */
  set?(): DocumentSet
  /** Keeps the documents that match, or with `keep` false those that do not. Scores add up. */
  restrict(hits: Hits, keep: boolean): void
}

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
  /** The hits are the documents of this interval, but for deleted ones. */
  readonly span?: Span
}

export function everything(maxDoc: number): Matcher {
  return {
    cost: maxDoc,
    scores: false,
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
    scores: false,
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
    scores: false,
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
  const { docs, scores } = hits
  let kept = 0
  for (let i = 0; i < hits.count; i++) {
    if (test(docs[i]!) !== keep) continue
    if (scores) scores[kept] = scores[i]!
    docs[kept++] = docs[i]!
  }
  hits.count = kept
}

/** A matcher that can only collect. */
export function collected(cost: number, scores: boolean, collect: () => Hits): Matcher {
  return { cost, scores, collect, restrict: (hits, keep) => restrictTo(hits, collect(), keep) }
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
    scores: members.some(({ scores }) => scores),
    collect,
    restrict(hits, keep) {
      if (!keep) return restrictTo(hits, collect(), false)
      for (const member of ordered) if (hits.count) member.restrict(hits, true)
    },
  }
}

export function anyOf(maxDoc: number, members: readonly Matcher[]): Matcher {
  if (members.length === 1) return members[0]!
  if (members.length === 0) return nothing()
  const cost = members.reduce((sum, member) => sum + member.cost, 0)
  if (members.some(({ scores }) => scores)) {
    return collected(Math.min(cost, maxDoc), true, () => members.map((member) => member.collect()).reduce(unite))
  }
  return marking(maxDoc, cost, (bits) => {
    for (const member of members) {
      const { docs, count } = member.collect()
      for (let i = 0; i < count; i++) setBit(bits, docs[i]!)
    }
  })
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
    scores: false,
    collect,
    ...(others && { set: others }),
    restrict(hits, keep) {
      if (!keep && member.scores) restrictTo(hits, withoutScores(member.collect()), true)
      else member.restrict(hits, !keep)
    },
  }
}

function complementOf(maxDoc: number, set: DocumentSet, list: () => Hits): DocumentSet {
  return { count: maxDoc - set.count, has: (doc) => !set.has(doc), list }
}

function withoutScores({ docs, count }: Hits): Hits {
  return { docs, count }
}
