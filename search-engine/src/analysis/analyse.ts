/**
 * Turns text into index terms, and query text into clauses. Index, query and oracle share this analysis.
 *
 *   text    -> words with positions:   a term is the folded form; its stem groups inflected forms
 *   query   -> clauses, all of which must match:
 *
 *     rote "alte Schuhe" AB-12        clause { any: [[rote]] }
 *                                     clause { any: [[alte, schuhe]], phrase }      adjacent, in one field
 *                                     clause { any: [[ab12], [ab, 12]] }            the code joined, or all its parts
 */
import { languageOf } from '../values.ts'
import { fold, foldUmlauts, foldWritten } from './fold.ts'
import { stem, stemmedLanguages } from './stem.ts'
import { dissect, runsOf, type Chunk } from './tokenize.ts'

export interface Word {
  readonly term: string
  /** The surface form: the term as it was written, in lower case. Shown in suggestions. */
  readonly surface: string
  /** Position increment, as in Lucene: 1 is the next position, 0 the same position. */
  readonly step: 0 | 1
}

export interface QueryTerm {
  readonly term: string
  readonly stem: string
  /** Terms that begin with this one match as well. */
  readonly prefix?: boolean | undefined
}
export interface Clause {
  /** Alternatives; each needs all its terms. */
  readonly any: readonly (readonly QueryTerm[])[]
  readonly phrase?: boolean
}

export interface Analyser {
  readonly locale: string
  words(text: string): Word[]
  /** The words of one run, see `runsOf`. */
  wordsOfRun(run: string): readonly Word[]
  clauses(text: string): Clause[]
  /** Like `clauses` without phrases; the last word also matches as a prefix. */
  like(text: string): Clause[]
  /**
   * Folds a prefix, a suffix or a pattern. Does not split it into words. With `asWritten`, for suffixes, the e of oe is a
   * letter of its own: shoe ends with e.
   */
  fold(text: string, asWritten?: boolean): string
  stem(term: string): string
}

/** The language '' is neutral: text is folded but not stemmed. */
export function analysedLanguage(locale: string): string {
  const language = languageOf(locale)
  return stemmedLanguages.includes(language) ? language : ''
}

/** Position gap between two values of a field, so that no phrase matches across values. */
export const valueGap = 16

const maxCached = 20_000
const hasDigit = /\d/
const chunksOf = (text: string): Chunk[] => runsOf(text).flatMap(dissect)

export function createAnalyser(locale: string): Analyser {
  const language = analysedLanguage(locale)
  const folded = (text: string) => fold(text, language)
  const stemmed = memoize((term: string) => stem(term, language))
  const queryTerm = (term: string, prefix?: boolean): QueryTerm => ({ term, stem: stemmed(term), prefix })

  function analyse(run: string): readonly Word[] {
    const words: Word[] = []
    const put = (form: string, step: 0 | 1) => {
      const written = foldWritten(form)
      const term = foldUmlauts(written, language)
      const surface = form.toLowerCase()
      words.push({ term, surface, step })
      // The word as it was written is compared by its ending.
      if (written !== term) words.push({ term: written, surface, step: 0 })
    }
    for (const { whole, joined, parts } of dissect(run)) {
      for (const part of parts) put(part, 1)
      if (parts.length > 1) put(whole, 0)
      if (parts.length > 1 && joined !== whole) put(joined, 0)
    }
    return words
  }
  const wordsOfRun = memoize(analyse)
  function loose(text: string, prefixed: boolean): Clause[] {
    const chunks = chunksOf(text)
    return chunks.map(({ joined, parts }, i) => {
      const prefix = prefixed && i === chunks.length - 1
      const whole = [queryTerm(folded(joined), prefix)]
      const last = parts.length - 1
      return {
        any: last > 0 ? [whole, parts.map((part, j) => queryTerm(folded(part), prefix && j === last))] : [whole],
      }
    })
  }
  function clauses(text: string): Clause[] {
    return text.split('"').flatMap((piece, i, all) => {
      const quoted = i % 2 === 1 && i < all.length - 1
      return quoted ? phrase(piece) : loose(piece, false)
    })
  }
  function phrase(text: string): Clause[] {
    const parts = chunksOf(text).flatMap((chunk) => chunk.parts)
    return parts.length ? [{ any: [parts.map((part) => queryTerm(folded(part)))], phrase: parts.length > 1 }] : []
  }
  return {
    locale,
    words: (text) => runsOf(text).flatMap(wordsOfRun),
    wordsOfRun,
    clauses,
    like: (text) => loose(text, true),
    fold: (text, asWritten) => (asWritten ? foldWritten(text) : folded(text)),
    stem: stemmed,
  }
}

/** Caches results up to a limit. Words repeat often in a catalogue. Codes and numbers rarely do and are not cached. */
function memoize<T>(answer: (text: string) => T): (text: string) => T {
  const cache = new Map<string, T>()
  return (text) => {
    if (hasDigit.test(text)) return answer(text)
    const cached = cache.get(text)
    if (cached !== undefined) return cached
    if (cache.size >= maxCached) cache.clear()
    const found = answer(text)
    cache.set(text, found)
    return found
  }
}
