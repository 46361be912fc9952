/**
 * Candidates for completing or correcting a word: terms of all segments with the typed prefix, or with a similar
 * spelling, and their document counts.
 */
import type { QueryContext } from '../execute/term-scoring.ts'
import { getOrMake } from '../memoize.ts'
import type { Segment } from '../segment/segment.ts'
import { compareTexts, prefixRange, type Strings } from '../segment/strings.ts'
import type { TextIndex } from '../segment/text-index.ts'
import { allowedDistance, similarTerms } from './corrections.ts'
import { mostFrequent } from '../execute/top-counts.ts'

/** How many terms are considered, most frequent first; more if preceding words or permissions exclude some of them. */
export const candidates = { selfStems: 30, corrections: 50, restricted: 500 }

export interface Visible {
  readonly segment: Segment
  isVisible(doc: number): boolean
}
/** A term of all segments, identified by its first occurrence. Converted to a string only when it is offered. */
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

export function withPrefix(
  context: QueryContext,
  visible: readonly Visible[],
  locale: string,
  typed: string,
  restricted: boolean,
): Candidate[] {
  const prefix = context.analyserOf(locale).fold(typed)
  return addUp(visible, locale, (segment) => {
    const { terms, counts } = segment.words.get(locale)!
    const [from, to] = prefixRange(terms, prefix)
    const most = mostFrequent(counts, from, to, restricted ? candidates.restricted : candidates.selfStems)
    return most.map((term) => ({ term, distance: 0 }))
  })
}

/** By locale. Most locales fold a word alike, so the automaton is shared. */
export function similarTo(
  context: QueryContext,
  visible: readonly Visible[],
  typed: string,
  edits: number,
  restricted: boolean,
): (locale: string) => Candidate[] {
  const nearBy = new Map<string, ReturnType<typeof similarTerms>>()
  return (locale) => {
    const word = context.analyserOf(locale).fold(typed)
    const nearIn = getOrMake(nearBy, word, () => similarTerms(word, Math.min(edits, allowedDistance(word))))
    return addUp(visible, locale, (segment) => {
      const { terms, counts } = segment.words.get(locale)!
      const near = nearIn(terms)
      near.sort((a, b) => a.distance - b.distance || counts[b.term]! - counts[a.term]!)
      return near.slice(0, restricted ? candidates.restricted : candidates.corrections).sort((a, b) => a.term - b.term)
    })
  }
}

/** Merges the candidates of all segments by term; smallest distance first, then most frequent. */
function addUp(
  visible: readonly Visible[],
  locale: string,
  candidatesOf: (segment: Segment) => readonly Found[],
): Candidate[] {
  let all: Candidate[] = []
  for (const part of visible) {
    const text = part.segment.words.get(locale)
    if (text) all = addPart(all, part, text, candidatesOf(part.segment))
  }
  return all.sort((a, b) => a.distance - b.distance || b.documents - a.documents)
}

/** Merges two lists sorted by term, without converting terms to strings. */
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
