/**
 * Marks what a query found in the texts that are shown. The texts come from the primary store: the index has none.
 * A fragment is escaped before it is marked, so that no text of a catalogue can bring markup into a page.
 */
import type { Analyser, Clause } from '../analysis/analyse.ts'
import { splitsWords, type Lexicon } from '../analysis/compounds.ts'
import { firstFolded, firstFoldedTo, foldedTo } from '../analysis/fold.ts'
import { eachRun, letterKinds, mayBeginPart, runLetter } from '../analysis/tokenize.ts'
import { wantedTest } from '../analysis/wanted.ts'
import { comparatorTests, comparesWords } from '../comparators.ts'
import type { FieldDefinition, IndexSchema, Predicate } from '../port.ts'
import { placesOf, resolveLocale } from '../values.ts'
import { compileWildcard } from '../wildcard.ts'

const fragmentLength = 150
const mostFragments = 3
/** What stands before the first mark of a fragment, at most. */
const leadLength = 40

/** What is looked for, and what such words begin with; '' where that is not known. */
interface Mark {
  readonly beginnings: readonly string[]
  isFound(term: string): boolean
}

export interface Highlighter {
  /** Fragments of a text of a field in a locale ('' if it has none); none when nothing in it was looked for. */
  highlight(field: FieldDefinition, locale: string, text: string): string[]
  /** Whether anything is looked for in a field at all, or in its texts of a locale. */
  looksAt(field: FieldDefinition, locale?: string): boolean
}

export interface HighlightContext {
  readonly schema: IndexSchema
  readonly lexicon: Lexicon
  analyserOf(locale: string): Analyser
}

/** What is looked for in a field is found out once, and so is what becomes of a run: a page has hundreds of texts. */
export function createHighlighter(context: HighlightContext, predicate: Predicate): Highlighter {
  const known = new Map<FieldDefinition, Map<string, FindMarked>>()
  function finderOf(field: FieldDefinition, locale: string): FindMarked {
    const byLocale = known.get(field) ?? new Map<string, FindMarked>()
    known.set(field, byLocale)
    const remembered = byLocale.get(locale)
    if (remembered) return remembered
    const marks = marksOf(context, predicate, field, locale)
    const finder = marks.length > 0 ? createFinder(context, locale, marks) : () => []
    byLocale.set(locale, finder)
    return finder
  }
  return {
    looksAt: (field, locale) => looksAt(context, predicate, field, locale),
    highlight: (field, locale, text) => fragmentsOf(text, finderOf(field, locale)(text)),
  }
}

interface Marked {
  readonly from: number
  readonly to: number
}
type FindMarked = (text: string) => Marked[]

/** Most runs do not even begin as something that is looked for, which is told without making a word of them. */
function createFinder({ analyserOf, lexicon }: HighlightContext, locale: string, marks: readonly Mark[]): FindMarked {
  const analyser = analyserOf(locale)
  const known = new Map<string, boolean>()
  function isMarked(run: string): boolean {
    const isFound = known.get(run) ?? analyser.wordsOfRun(run).some(({ term }) => marks.some((m) => m.isFound(term)))
    known.set(run, isFound)
    return isFound
  }
  const beginnings = marks.flatMap((mark) => mark.beginnings)
  const isAny = beginnings.includes('')
  const seconds = secondLetters(beginnings)
  const anywhere = splitsWords(analyser.locale, lexicon)
  function mayBeMarked(text: string, from: number, to: number): boolean {
    if (isAny) return true
    for (let at = from; at < to; at++) {
      if (!anywhere && at !== from && !mayBeginPart(text, at)) continue
      if (mayBegin(text, at, seconds)) return true
    }
    return false
  }
  return (text) => {
    const marked: Marked[] = []
    eachRun(text, (from, to) => {
      if (mayBeMarked(text, from, to) && isMarked(text.slice(from, to))) marked.push({ from, to })
    })
    return marked
  }
}

/** By first letter, of those that others are folded to, the second ones, '' where there is none: so much no stemmer changes. */
type SecondLetters = readonly (ReadonlySet<string> | undefined)[]

function secondLetters(beginnings: readonly string[]): SecondLetters {
  const groups = Map.groupBy(beginnings, (beginning) => beginning.charAt(0))
  return foldedTo.map((first) => {
    const some = groups.get(first)
    return some && new Set(some.map((each) => each.charAt(1)))
  })
}

/** Whether a folded word may begin at a place as one of some do. */
function mayBegin(text: string, at: number, seconds: SecondLetters): boolean {
  const code = text.charCodeAt(at)
  if (code >= firstFoldedTo.length) return true
  const wanted = seconds[firstFoldedTo[code]!]
  if (!wanted) return false
  const next = text.charCodeAt(at + 1)
  // Folding leaves out an e (ue), what joins letters, and makes two of some letters (ß).
  const isFolded = code > lastPlain || letterKinds[next] !== runLetter || firstFolded[next] === 'e'
  return isFolded || wanted.has('') || wanted.has(firstFolded[next] ?? '')
}
const lastPlain = 0x7f

/** Nothing is looked for below a negation, whose words are those not wanted. */
function looksAt(context: HighlightContext, predicate: Predicate, field: FieldDefinition, locale?: string): boolean {
  const { schema } = context
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return predicate.of.some((each) => looksAt(context, each, field, locale))
    case 'text': {
      const anywhere = locale === undefined || !field.localized || !predicate.locale
      return field.weight !== undefined && (anywhere || resolveLocale(schema, predicate.locale!) === locale)
    }
    case 'field': {
      if (predicate.field !== field.name) return false
      const { test, negated } = comparatorTests[predicate.comparator]
      const isHere = locale === undefined || placesOf(schema, field, predicate.locale).includes(locale)
      return isHere && !negated && comparesWords(field, test, predicate.keyword)
    }
    default:
      return false
  }
}

/** What a predicate looks for in a field. */
function marksOf(context: HighlightContext, predicate: Predicate, field: FieldDefinition, locale: string): Mark[] {
  if (!looksAt(context, predicate, field, locale)) return []
  const analyser = context.analyserOf(locale)
  const words = (clauses: readonly Clause[]): Mark[] => {
    const wanted = clauses.flatMap(({ any }) => any.flat())
    const beginnings = wanted.map(({ stem }) => stem)
    return [{ beginnings, isFound: wantedTest(analyser, context.lexicon, ...wanted) }]
  }
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return predicate.of.flatMap((each) => marksOf(context, each, field, locale))
    case 'text':
      return words(analyser.clauses(predicate.text))
    case 'field': {
      const { test } = comparatorTests[predicate.comparator]
      const operand = String(predicate.operands[0] ?? '')
      if (test === 'eq') return words(analyser.clauses(operand))
      if (test === 'like') return words(analyser.like(operand))
      const wanted = analyser.fold(operand)
      if (test === 'wildcard') return [{ beginnings: [''], isFound: compileWildcard(wanted).matches }]
      if (test === 'ends') return [{ beginnings: [''], isFound: (term) => term.endsWith(wanted) }]
      return [{ beginnings: [wanted], isFound: (term) => term.startsWith(wanted) }]
    }
    default:
      return []
  }
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
  for (let end = to - 1; end >= 0; end--) if (isSpace.test(text[end]!)) return end
  return to
}
const isSpace = /\s/

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
function escape(text: string): string {
  return text.toWellFormed().replace(/[&<>"']/g, (character) => entities[character]!)
}
