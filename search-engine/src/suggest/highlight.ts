/**
 * Highlights matches in texts. The texts come from the primary store, because the index does not contain them. Fragments
 * are escaped before marks are inserted, so no text can inject markup into a page.
 */
import { analysedLanguage, type Analyser, type Clause } from '../analysis/analyse.ts'
import { splitsCompounds, type Lexicon } from '../analysis/compounds.ts'
import { firstFolded, firstFoldedTo, foldedTo } from '../analysis/fold.ts'
import { sharedPrefix } from '../analysis/stem.ts'
import {
  eachRun,
  joiningLetter,
  laterLetters,
  letterKinds,
  mayBeginPart,
  runAround,
  runLetter,
} from '../analysis/tokenize.ts'
import { createTermTest } from '../analysis/term-test.ts'
import { comparatorTests, comparesWords } from '../comparators.ts'
import type { FieldDefinition, Highlighter, IndexSchema, Predicate } from '../port.ts'
import { getOrMake } from '../memoize.ts'
import { predicateLocales, resolveLocale } from '../values.ts'
import { compileWildcard } from '../wildcard.ts'

const fragmentLength = 150
const maxFragments = 3
/** Maximum number of characters before the first mark of a fragment. */
const leadLength = 40

/** A test for terms, and the prefixes that matching terms have; '' if the prefix is unknown. */
interface Mark {
  readonly prefixes: readonly string[]
  isFound(term: string): boolean
}

interface HighlightContext {
  readonly schema: IndexSchema
  readonly lexicon: Lexicon
  analyserOf(locale: string): Analyser
}

/** Shares the term tests between fields with the same conditions, because a page has hundreds of texts. */
export function createHighlighter(context: HighlightContext, predicate: Predicate): Highlighter {
  const leaves = leavesOf(predicate)
  const cached = new Map<FieldDefinition, Map<string, FindMarked>>()
  const finders = new Map<string, FindMarked>()
  function finderOf(field: FieldDefinition, locale: string): FindMarked {
    const active = leaves.filter((leaf) => looksAt(context, leaf, field, locale))
    const makeFinder = () => createFinder(context, locale, active)
    return getOrMake(finders, [locale, ...active.map((leaf) => leaves.indexOf(leaf))].join(' '), makeFinder)
  }
  return {
    looksAt: (field, locale) => leaves.some((leaf) => looksAt(context, leaf, field, locale)),
    highlight(field, locale, text) {
      const byLocale = getOrMake(cached, field, () => new Map<string, FindMarked>())
      return fragmentsOf(text, getOrMake(byLocale, locale, () => finderOf(field, locale))(text))
    },
  }
}

interface Marked {
  readonly from: number
  readonly to: number
}
type FindMarked = (text: string) => Marked[]

/** Most letters cannot begin a match, which is decided without extracting the word. */
function createFinder(context: HighlightContext, locale: string, active: readonly Leaf[]): FindMarked {
  const analyser = context.analyserOf(locale)
  const marks = active.map((leaf) => markOf(context, analyser, leaf))
  if (marks.length === 0) return () => []
  const cached = new Map<string, boolean>()
  function isMarked(run: string): boolean {
    const isFound = cached.get(run) ?? analyser.wordsOfRun(run).some(({ term }) => marks.some((m) => m.isFound(term)))
    cached.set(run, isFound)
    return isFound
  }
  const prefixes = marks.flatMap((mark) => mark.prefixes)
  const isAny = prefixes.includes('')
  const byFirst = byFirstLetter(prefixes)
  const anywhere = splitsCompounds(analyser.locale, context.lexicon)
  const mayBeginAt = (text: string, at: number) => (anywhere || mayBeginPart(text, at)) && mayBegin(text, at, byFirst)
  function mayBeMarked(text: string, from: number, to: number): boolean {
    if (isAny) return true
    for (let at = from; at < to; at++) if (mayBeginAt(text, at)) return true
    return false
  }
  function findInRuns(text: string): Marked[] {
    const marked: Marked[] = []
    eachRun(text, (from, to) => {
      if (mayBeMarked(text, from, to) && isMarked(text.slice(from, to))) marked.push({ from, to })
    })
    return marked
  }
  function findByLetters(text: string): Marked[] {
    const marked: Marked[] = []
    for (let at = 0; at < text.length; at++) {
      // Most letters stop here. Relying on mayBeginAt alone, which repeats this check, takes half as long again.
      if (byFirst[firstFoldedTo[text.charCodeAt(at)]!] === undefined || !mayBeginAt(text, at)) continue
      const run = runAround(text, at)
      if (isMarked(text.slice(run.from, run.to))) marked.push(run)
      at = run.to
    }
    return marked
  }
  return (text) => (isAny || laterLetters.test(text) ? findInRuns(text) : findByLetters(text))
}

/** Prefixes by the first letter of a word. */
type PrefixesByLetter = readonly (readonly string[] | undefined)[]

function byFirstLetter(prefixes: readonly string[]): PrefixesByLetter {
  const groups = Map.groupBy(new Set(prefixes), (prefix) => prefix.charAt(0))
  return foldedTo.map((first) => {
    const candidates = letterKinds[first.charCodeAt(0)] === runLetter ? groups.get(first) : undefined
    return candidates && candidates.length > maxFullPrefixes
      ? [...new Set(candidates.map((each) => each.slice(0, 2)))]
      : candidates
  })
}
/** With more candidates than this, only their first two letters are compared. */
const maxFullPrefixes = 16

/** Whether a folded word at this position may begin with one of the candidates. */
function mayBegin(text: string, at: number, prefixes: PrefixesByLetter): boolean {
  const code = text.charCodeAt(at)
  if (code >= firstFoldedTo.length) return true
  const candidates = prefixes[firstFoldedTo[code]!]
  return candidates !== undefined && (code > lastPlain || candidates.some((prefix) => mayContinue(text, at, prefix)))
}
const lastPlain = 0x7f

/** Compares letters as far as folding leaves them alone. Folding drops joiners and the e of ue, and may expand a letter. */
function mayContinue(text: string, at: number, prefix: string): boolean {
  for (let i = 1; i < prefix.length; i++) {
    const code = text.charCodeAt(at + i)
    const folded = firstFolded[code]
    if (code > lastPlain || letterKinds[code] === joiningLetter) return true
    if (folded === 'e' && beforeUmlaut.has(firstFolded[text.charCodeAt(at + i - 1)]!)) return true
    if (folded !== prefix[i]) return false
  }
  return true
}
const beforeUmlaut: ReadonlySet<string> = new Set('aou')

type Leaf = Extract<Predicate, { kind: 'text' | 'field' }>

/** Negated predicates are not highlighted. */
function leavesOf(predicate: Predicate): Leaf[] {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return predicate.of.flatMap(leavesOf)
    case 'text':
    case 'field':
      return [predicate]
    default:
      return []
  }
}

function looksAt({ schema }: HighlightContext, leaf: Leaf, field: FieldDefinition, locale?: string): boolean {
  if (leaf.kind === 'text') {
    const anywhere = locale === undefined || !field.localized || !leaf.locale
    return field.weight !== undefined && (anywhere || resolveLocale(schema, leaf.locale!) === locale)
  }
  if (leaf.field !== field.name) return false
  const { test, negated } = comparatorTests[leaf.comparator]
  const isHere = locale === undefined || predicateLocales(schema, field, leaf.locale).includes(locale)
  return isHere && !negated && comparesWords(field, test, leaf.keyword)
}

function markOf({ lexicon }: HighlightContext, analyser: Analyser, leaf: Leaf): Mark {
  const words = (clauses: readonly Clause[]): Mark => {
    const queryTerms = clauses.flatMap(({ any }) => any.flat())
    const prefixes = queryTerms.map(({ stem }) => sharedPrefix(stem, analysedLanguage(analyser.locale)))
    return { prefixes, isFound: createTermTest(analyser, lexicon, ...queryTerms) }
  }
  if (leaf.kind === 'text') return words(analyser.clauses(leaf.text))
  const { test } = comparatorTests[leaf.comparator]
  const operand = String(leaf.operands[0] ?? '')
  if (test === 'eq') return words(analyser.clauses(operand))
  if (test === 'like') return words(analyser.like(operand))
  const pattern = analyser.fold(operand, test === 'ends')
  if (test === 'wildcard') return { prefixes: [''], isFound: compileWildcard(pattern).matches }
  if (test === 'ends') return { prefixes: [''], isFound: (term) => term.endsWith(pattern) }
  return { prefixes: [pattern], isFound: (term) => term.startsWith(pattern) }
}

function fragmentsOf(text: string, marked: readonly Marked[]): string[] {
  const fragments: string[] = []
  for (let next = 0; next < marked.length && fragments.length < maxFragments;) {
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

/** A little before a mark, at a word boundary. */
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
