/**
 * The words that may be offered for one that is being typed: those of all segments that begin with it, or are spelled
 * nearly so, with how many documents have them.
 */
import type { QueryContext } from '../execute/words.ts'
import { getOrMake } from '../segment/build.ts'
import type { Segment } from '../segment/segment.ts'
import { compareTexts, prefixRange, type Strings } from '../segment/strings.ts'
import type { TextIndex } from '../segment/text-index.ts'
import { allowedDistance, nearTerms } from './corrections.ts'
import { mostFrequent } from '../execute/frequent.ts'

/** How many words of a beginning are looked at, the most frequent first; more when words before it choose among them. */
export const candidates = { alone: 30, following: 500 }
const wordsCorrected = 50

export interface Visible {
  readonly segment: Segment
  isVisible(doc: number): boolean
}
/** A term of all parts, told by where it was found first; it is made a string only when it is offered. */
export interface Candidate {
  readonly terms: Strings
  readonly term: number
  readonly part: Visible
  readonly distance: number
  documents: number
}

/** A term of one segment, by its number. */
interface Found {
  readonly term: number
  readonly distance: number
}

export function beginningWith(
  context: QueryContext,
  visible: readonly Visible[],
  place: string,
  typed: string,
  follows: boolean,
): Candidate[] {
  const prefix = context.analyserOf(place).fold(typed)
  return addUp(visible, place, (segment) => {
    const { terms, counts } = segment.words.get(place)!
    const [from, to] = prefixRange(terms, prefix)
    const most = mostFrequent(counts, from, to, follows ? candidates.following : candidates.alone)
    return most.map((term) => ({ term, distance: 0 }))
  })
}

/** By place. Most places fold alike, so what is known of the word serves all of them. */
export function nearTo(
  context: QueryContext,
  visible: readonly Visible[],
  typed: string,
  edits: number,
): (place: string) => Candidate[] {
  const nearBy = new Map<string, ReturnType<typeof nearTerms>>()
  return (place) => {
    const word = context.analyserOf(place).fold(typed)
    const nearIn = getOrMake(nearBy, word, () => nearTerms(word, Math.min(edits, allowedDistance(word))))
    return addUp(visible, place, (segment) => {
      const { terms, counts } = segment.words.get(place)!
      const near = nearIn(terms)
      near.sort((a, b) => a.distance - b.distance || counts[b.term]! - counts[a.term]!)
      return near.slice(0, wordsCorrected).sort((a, b) => a.term - b.term)
    })
  }
}

/** Candidates of all segments by term, the nearest and then the most frequent first. */
function addUp(
  visible: readonly Visible[],
  place: string,
  candidatesOf: (segment: Segment) => readonly Found[],
): Candidate[] {
  let all: Candidate[] = []
  for (const part of visible) {
    const text = part.segment.words.get(place)
    if (text) all = addPart(all, part, text, candidatesOf(part.segment))
  }
  return all.sort((a, b) => a.distance - b.distance || b.documents - a.documents)
}

/** Both in the order of the terms, so that those of two segments meet without being made strings. */
function addPart(known: readonly Candidate[], part: Visible, text: TextIndex, found: readonly Found[]): Candidate[] {
  const { terms, counts } = text
  const all: Candidate[] = []
  let next = 0
  for (const { term, distance } of found) {
    let order = -1
    while (next < known.length && (order = compareTexts(known[next]!.terms, known[next]!.term, terms, term)) < 0)
      all.push(known[next++]!)
    const isKnown = next < known.length && order === 0
    const candidate = isKnown ? known[next++]! : { terms, term, part, distance, documents: 0 }
    candidate.documents += counts[term]!
    all.push(candidate)
  }
  return [...all, ...known.slice(next)]
}
