/**
 * Completion: the last word is a prefix, and the words before it must precede it within the allowed distance. If no word
 * has the prefix, similarly spelled words are offered as corrections.
 *
 * A word is offered only if a document that the caller may see contains it, so suggestions do not leak hidden documents.
 */
import type { Analyser, QueryTerm } from '../analysis/analyse.ts'
import { runsOf } from '../analysis/tokenize.ts'
import { hasWords, hasKeywordColumn } from '../comparators.ts'
import { hasBit } from '../execute/hits.ts'
import { ordinalMatcher } from '../execute/keyword-matcher.ts'
import { findHits, type LiveSegment } from '../execute/search.ts'
import { membership } from '../execute/sorted-walk.ts'
import { positionsReader } from '../execute/term-matcher.ts'
import { createScorer, type QueryContext, type ScoredTerm } from '../execute/term-scoring.ts'
import type { FieldDefinition, TypeAheadAnswer, TypeAheadRequest } from '../port.ts'
import { Cursor, noMoreDocs } from '../segment/postings.ts'
import { columnName, type Segment } from '../segment/segment.ts'
import { find, textAt } from '../segment/strings.ts'
import { surfaceForm, profileOf, type TextIndex } from '../segment/text-index.ts'
import { keyOf, searchedLocales } from '../values.ts'
import { withPrefix, candidates, similarTo, type Candidate, type Visible } from './candidates.ts'

interface Offer extends Candidate {
  readonly text: string
  readonly from: string
}

export function typeAhead(
  context: QueryContext,
  parts: readonly LiveSegment[],
  request: TypeAheadRequest,
): TypeAheadAnswer {
  const visible = visibleParts(context, parts, request)
  const field = request.field === undefined ? undefined : context.fields.get(request.field)
  const isHidden = field && request.fields?.includes(field.name) === false
  if (request.field !== undefined && (!field || isHidden || (!hasWords(field) && !hasKeywordColumn(field))))
    return { suggestions: [], corrections: [] }
  if (field && !hasWords(field))
    return { suggestions: suggestValues(context, visible, field, request), corrections: [] }
  const typed = runsOf(request.text)
  const offers = createOffers(context, visible, field, typed.slice(0, -1), request)
  const last = typed.at(-1)
  if (last === undefined) return { suggestions: [], corrections: [] }
  const lead = request.text.slice(0, request.text.lastIndexOf(last))
  const suggestions = offers.beginning(last).map(({ text, from }) => ({ text: lead + text, field: from }))
  const corrections = suggestions.length ? [] : offers.near(last).map(({ text }) => lead + text)
  return { suggestions, corrections: [...new Set(corrections)] }
}

/** The best correction of a single word. */
export function nearestWord(
  context: QueryContext,
  parts: readonly LiveSegment[],
  request: TypeAheadRequest,
): string | undefined {
  const visible = visibleParts(context, parts, request)
  return createOffers(context, visible, undefined, [], request).near(request.text)[0]?.text
}

function visibleParts(context: QueryContext, parts: readonly LiveSegment[], { within }: TypeAheadRequest): Visible[] {
  if (within)
    return findHits(context, parts, within).map((part) => ({ segment: part.segment, isVisible: membership(part) }))
  return parts.map(({ segment, deleted }) => ({ segment, isVisible: (doc) => !deleted || !hasBit(deleted, doc) }))
}

function createOffers(
  context: QueryContext,
  visible: readonly Visible[],
  field: FieldDefinition | undefined,
  before: readonly string[],
  request: TypeAheadRequest,
) {
  const { schema } = context
  const { count, slop = 0, fields } = request
  const isAllowed = (name: string) => fields?.includes(name) !== false
  const weigh = (name: string) =>
    !isAllowed(name) ? 0 : field ? Number(name === field.name) : (context.fields.get(name)?.weight ?? 0)
  const locales = searchedLocales(schema, request)
  const offerLocales = field && !field.localized ? [''] : field ? locales : [...locales, '']

  const scorerOf = memoize((segment: Segment, locale: string) => createScorer(context, segment, locale, weigh))

  /** Finds a visible document with the term after the preceding words; returns the surface form and the field. */
  function findVisible(part: Visible, locale: string, word: number): { text: string; from: string } | undefined {
    const { segment } = part
    const text = segment.words.get(locale)!
    const { weights, termsWithPositions } = scorerOf(segment, locale)
    const nameOf = (codes: Iterable<number>) =>
      Array.from(codes, (code) => segment.fields[code]!.name).find((name) => weigh(name) > 0)
    const from = before.length
      ? findFollowing(part, text, word, {
          weights,
          nameOf,
          words: termsBefore(context.analyserOf(locale), before).map(termsWithPositions),
          slop,
        })
      : nameOf(fieldsAtFirst(part, text, word, weights))
    return from === undefined ? undefined : { text: surfaceForm(text, word), from }
  }

  function offer(locale: string, found: readonly Candidate[]): Offer[] {
    const offered: Offer[] = []
    for (const candidate of found) {
      if (offered.length >= count) break
      for (const part of visible) {
        const word = part === candidate.part ? candidate.term : wordIn(part, locale, candidate)
        const surface = word < 0 ? undefined : findVisible(part, locale, word)
        if (!surface) continue
        offered.push({ ...candidate, ...surface })
        break
      }
    }
    return offered
  }

  function inAllLocales(candidatesOf: (locale: string) => Candidate[]): { text: string; from: string }[] {
    const all = offerLocales.flatMap((locale) => offer(locale, candidatesOf(locale)))
    all.sort((a, b) => a.distance - b.distance || b.documents - a.documents)
    return [...new Map(all.map((each) => [each.text, each])).values()].slice(0, count)
  }

  const limited = request.within !== undefined || fields !== undefined
  return {
    beginning: (typed: string) =>
      inAllLocales((locale) => withPrefix(context, visible, locale, typed, limited || before.length > 0)),
    /** One edit is the more likely error and much faster to search, so two edits are tried only if one finds nothing. */
    near(typed: string) {
      const one = inAllLocales(similarTo(context, visible, typed, 1, limited))
      return one.length > 0 ? one : inAllLocales(similarTo(context, visible, typed, 2, limited))
    },
  }
}

interface Following {
  readonly weights: Float32Array
  nameOf(codes: Iterable<number>): string | undefined
  readonly words: readonly (readonly ScoredTerm[])[]
  readonly slop: number
}

/** The field in which a visible document contains the term after the preceding words. */
function findFollowing(
  { isVisible }: Visible,
  text: TextIndex,
  word: number,
  { weights, nameOf, words, slop }: Following,
): string | undefined {
  const readers = words.map(positionsReader)
  const cursor = new Cursor(text, word)
  for (let doc = cursor.next(); doc !== noMoreDocs; doc = cursor.next()) {
    if (weights[cursor.profile] === 0 || !isVisible(doc)) continue
    const at = readers.map((positionsAt) => positionsAt(doc))
    const from = nameOf(following(at, cursor.positions(), slop))
    if (from !== undefined) return from
  }
  return undefined
}

function wordIn({ segment }: Visible, locale: string, { terms, term }: Candidate): number {
  const text = segment.words.get(locale)
  return text ? find(text.terms, textAt(terms, term)) : -1
}

/** The fields in which the first visible document contains a term; empty if there is no such document. */
function fieldsAtFirst({ isVisible }: Visible, text: TextIndex, word: number, weights: Float32Array): Iterable<number> {
  const cursor = new Cursor(text, word)
  for (let doc = cursor.next(); doc !== noMoreDocs; doc = cursor.next()) {
    const { profile } = cursor
    if (weights[profile]! > 0 && isVisible(doc)) return profileOf(text, profile).filter((_, i) => i % 2 === 0)
  }
  return []
}

/** The words before the last one; each must match by its stem. */
function termsBefore(analyser: Analyser, before: readonly string[]): QueryTerm[] {
  return before.flatMap((run) => analyser.clauses(run).flatMap(({ any }) => any[0]!))
}

function memoize<S extends object, T>(make: (segment: S, locale: string) => T): (segment: S, locale: string) => T {
  const byLocale = new Map<string, WeakMap<S, T>>()
  return (segment, locale) => {
    const bySegment = byLocale.get(locale) ?? new WeakMap<S, T>()
    byLocale.set(locale, bySegment)
    const cached = bySegment.get(segment) ?? make(segment, locale)
    bySegment.set(segment, cached)
    return cached
  }
}

type Positions = ReadonlyMap<number, ReadonlySet<number>>

/**
 * The fields in which a word follows the others in order, each with at most `slop` words in between. Advances word by
 * word over all reachable positions, because enumerating all paths would be exponential for repeated words.
 */
function following(before: readonly Positions[], last: ReadonlyMap<number, readonly number[]>, slop: number): number[] {
  const reach = (from: ReadonlySet<number>, to: Iterable<number>) => {
    const isNear = (at: number) => {
      for (let gap = 0; gap <= slop; gap++) if (from.has(at - 1 - gap)) return true
      return false
    }
    return new Set([...to].filter(isNear))
  }
  return [...last]
    .filter(([code, positions]) => {
      const [first = nowhere, ...others] = before.map((each) => each.get(code) ?? nowhere)
      return reach(others.reduce(reach, first), positions).size > 0
    })
    .map(([code]) => code)
}
const nowhere: ReadonlySet<number> = new Set()

/** Fields whose words are not indexed are completed by whole values. */
function suggestValues(
  context: QueryContext,
  visible: readonly Visible[],
  field: FieldDefinition,
  request: TypeAheadRequest,
): { text: string; field: string }[] {
  const { text, count } = request
  const found = new Map<string, number>()
  for (const locale of field.localized ? searchedLocales(context.schema, request) : ['']) {
    for (const { segment, isVisible } of visible) {
      const column = segment.keywords.get(columnName(field.name, locale))
      const [from, to] = column ? column.keys.withPrefix(keyOf(text)) : [0, 0]
      for (let i = from; i < Math.min(to, from + candidates.restricted); i++) {
        const ordinal = column!.keys.ordinals[i]!
        const { docs, count: docCount } = ordinalMatcher(column!, segment.maxDoc, [ordinal]).collect()
        if (!docs.subarray(0, docCount).some(isVisible)) continue
        const value = textAt(column!.values, ordinal)
        found.set(value, (found.get(value) ?? 0) + docCount)
      }
    }
  }
  return [...found]
    .sort((a, b) => b[1] - a[1])
    .slice(0, count)
    .map(([value]) => ({ text: value, field: field.name }))
}
