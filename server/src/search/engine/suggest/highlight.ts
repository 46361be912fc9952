/**
 * Marks what a query found in the texts that are shown. The texts come from the primary store: the index has none.
 * A fragment is escaped before it is marked, so that no text of a catalogue can bring markup into a page.
 */
import type { Analyser, Wanted } from '../analysis/analyse.ts'
import type { Lexicon } from '../analysis/compounds.ts'
import { isWanted } from '../analysis/wanted.ts'
import { runs } from '../analysis/tokenize.ts'
import { comparatorTests, comparesWords } from '../comparators.ts'
import type { FieldDefinition, IndexSchema, Predicate } from '../port.ts'
import { placeName } from '../segment/segment.ts'
import { placesOf, resolveLocale } from '../values.ts'
import { compileWildcard } from '../wildcard.ts'

const fragmentLength = 150
const mostFragments = 3
/** What stands before the first mark of a fragment, at most. */
const leadLength = 40

/** Whether a word is to be marked. */
type Mark = (term: string) => boolean

export interface Highlighter {
  /** Fragments of a text of a field in a locale ('' if it has none); none when nothing in it was looked for. */
  highlight(field: FieldDefinition, locale: string, text: string): string[]
  /** Whether anything is looked for in a field at all. */
  looksAt(field: FieldDefinition): boolean
}

export interface HighlightContext {
  readonly schema: IndexSchema
  readonly lexicon: Lexicon
  analyserOf(locale: string): Analyser
}

/** What is looked for in a field is found out once, and so is what becomes of a run: a page has hundreds of texts. */
export function createHighlighter(context: HighlightContext, predicate: Predicate): Highlighter {
  const known = new Map<string, IsMarked | undefined>()
  function markerOf(field: FieldDefinition, locale: string): IsMarked | undefined {
    const place = placeName(field.name, locale)
    if (known.has(place)) return known.get(place)
    const marks = marksOf(context, predicate, field, locale)
    const marker = marks.length > 0 ? createMarker(context.analyserOf(locale), marks) : undefined
    known.set(place, marker)
    return marker
  }
  return {
    looksAt: (field) => looksAt(predicate, field),
    highlight(field, locale, text) {
      const isMarked = markerOf(field, locale)
      return isMarked ? fragmentsOf(text, findMarked(text, isMarked)) : []
    },
  }
}

/** Whether a run has a word that was looked for. */
type IsMarked = (run: string) => boolean

function createMarker(analyser: Analyser, marks: readonly Mark[]): IsMarked {
  const known = new Map<string, boolean>()
  return (run) => {
    const remembered = known.get(run)
    if (remembered !== undefined) return remembered
    const isMarked = analyser.wordsOfRun(run).some(({ term }) => marks.some((mark) => mark(term)))
    known.set(run, isMarked)
    return isMarked
  }
}

function looksAt(predicate: Predicate, field: FieldDefinition): boolean {
  if (predicate.kind === 'and' || predicate.kind === 'or') return predicate.of.some((each) => looksAt(each, field))
  return predicate.kind === 'text' ? field.weight !== undefined : comparesWordsOf(predicate, field)
}

function comparesWordsOf(predicate: Predicate, field: FieldDefinition): boolean {
  if (predicate.kind !== 'field' || predicate.field !== field.name) return false
  const { test, negated } = comparatorTests[predicate.comparator]
  return !negated && comparesWords(field, test, predicate.keyword)
}

/** What a predicate looks for in a field; nothing below a negation, whose words are those not wanted. */
function marksOf(context: HighlightContext, predicate: Predicate, field: FieldDefinition, locale: string): Mark[] {
  const analyser = context.analyserOf(locale)
  const words = (wanted: Iterable<Wanted>): Mark[] =>
    [...wanted].map((each) => (term) => isWanted(analyser, context.lexicon, each, term))
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return predicate.of.flatMap((each) => marksOf(context, each, field, locale))
    case 'text': {
      const elsewhere =
        field.localized && predicate.locale && resolveLocale(context.schema, predicate.locale) !== locale
      if (!field.weight || elsewhere) return []
      return words(analyser.clauses(predicate.text).flatMap(({ any }) => any.flat()))
    }
    case 'field': {
      const { test } = comparatorTests[predicate.comparator]
      const isHere = placesOf(context.schema, field, predicate.locale).includes(locale)
      if (!isHere || !comparesWordsOf(predicate, field)) return []
      const operand = String(predicate.operands[0] ?? '')
      if (test === 'eq') return words(analyser.clauses(operand).flatMap(({ any }) => any.flat()))
      if (test === 'like') return words(analyser.like(operand).flatMap(({ any }) => any.flat()))
      const wanted = analyser.fold(operand)
      if (test === 'wildcard') return [compileWildcard(wanted).matches]
      return [(term) => (test === 'starts' ? term.startsWith(wanted) : term.endsWith(wanted))]
    }
    default:
      return []
  }
}

interface Marked {
  readonly from: number
  readonly to: number
}

function findMarked(text: string, isMarked: IsMarked): Marked[] {
  return [...text.matchAll(runs)]
    .filter(([run]) => isMarked(run))
    .map(({ 0: run, index }) => ({ from: index, to: index + run.length }))
}

function fragmentsOf(text: string, marked: readonly Marked[]): string[] {
  const fragments: string[] = []
  for (let next = 0; next < marked.length && fragments.length < mostFragments;) {
    const from = wordStart(text, marked[next]!.from)
    const to = Math.max(wordEnd(text, from + fragmentLength), marked[next]!.to)
    let fragment = ''
    let at = from
    for (; next < marked.length && marked[next]!.to <= to; next++) {
      const { from: start, to: end } = marked[next]!
      fragment += `${escape(text.slice(at, start))}<em>${escape(text.slice(start, end))}</em>`
      at = end
    }
    // A mark that the end of the fragment would cut begins the next one.
    const rest = next < marked.length ? Math.min(to, marked[next]!.from) : to
    fragments.push((fragment + escape(text.slice(at, rest))).trim())
  }
  return fragments
}

/** A little before a mark, at the beginning of a word. */
function wordStart(text: string, mark: number): number {
  const from = Math.max(0, mark - leadLength)
  if (from === 0) return 0
  const space = text.slice(from, mark).search(/\s/)
  return space < 0 ? mark : from + space
}
function wordEnd(text: string, to: number): number {
  if (to >= text.length) return text.length
  const space = text.slice(0, to).search(/\s\S*$/)
  return space < 0 ? to : space
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
function escape(text: string): string {
  return text.toWellFormed().replace(/[&<>"']/g, (character) => entities[character]!)
}
