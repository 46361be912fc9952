/**
 * From text to what is indexed, and from a query text to what is looked for. One analysis for both, and for the oracle.
 *
 *   text    -> words with positions:   a word is a folded form; its stem groups it with its kin
 *   query   -> clauses, all of which must match:
 *
 *     rote "alte Schuhe" AB-12        clause { any: [[rote]] }
 *                                     clause { any: [[alte, schuhe]], phrase }      side by side, in one field
 *                                     clause { any: [[ab12], [ab, 12]] }            the code joined, or all its parts
 */
import { languageOf } from '../values.ts'
import { fold } from './fold.ts'
import { stem, stemmedLanguages } from './stem.ts'
import { dissect, runsOf, type Chunk } from './tokenize.ts'

export interface Word {
  readonly term: string
  /** The term as it was written, in lower case: what suggestions show. */
  readonly shown: string
  /** Words between this one and the one before it, as a phrase counts: 1 is the next word, 0 the same place. */
  readonly step: 0 | 1
}

export interface Wanted {
  readonly term: string
  readonly stem: string
  /** Words that begin with the term will do as well. */
  readonly prefix?: boolean
}
export interface Clause {
  /** Any of these will do; of one all words are needed. */
  readonly any: readonly (readonly Wanted[])[]
  readonly phrase?: boolean
}

export interface Analyser {
  readonly locale: string
  words(text: string): Word[]
  /** The words of one run of `runsOf`. */
  wordsOfRun(run: string): readonly Word[]
  clauses(text: string): Clause[]
  /** As `clauses` without phrases; the last word may be the beginning of one. */
  like(text: string): Clause[]
  /** What a word begins or ends with, or a pattern of one: folded, not cut into words. */
  fold(text: string): string
  stem(term: string): string
}

/** A neutral language, '', folds and does not stem. */
export function analysedLanguage(locale: string): string {
  const language = languageOf(locale)
  return stemmedLanguages.includes(language) ? language : ''
}

/** Between two values of a field, so that no phrase runs from one into the next. */
export const valueGap = 16

const mostRemembered = 20_000
const hasDigit = /\d/
const chunksOf = (text: string): Chunk[] => runsOf(text).flatMap(dissect)

export function createAnalyser(locale: string): Analyser {
  const language = analysedLanguage(locale)
  const folded = (text: string) => fold(text, language)
  const stemmed = remembering((term: string) => stem(term, language))
  const wanted = (term: string, prefix?: boolean): Wanted => ({ term, stem: stemmed(term), prefix })

  function analyse(run: string): readonly Word[] {
    const words: Word[] = []
    const put = (form: string, step: 0 | 1) => words.push({ term: folded(form), shown: form.toLowerCase(), step })
    for (const { whole, joined, parts } of dissect(run)) {
      for (const part of parts) put(part, 1)
      if (parts.length > 1) put(whole, 0)
      if (parts.length > 1 && joined !== whole) put(joined, 0)
    }
    return words
  }
  const wordsOfRun = remembering(analyse)
  function loose(text: string, prefixed: boolean): Clause[] {
    const chunks = chunksOf(text)
    return chunks.map(({ joined, parts }, i) => {
      const prefix = prefixed && i === chunks.length - 1
      const whole = [wanted(folded(joined), prefix)]
      const last = parts.length - 1
      return { any: last > 0 ? [whole, parts.map((part, j) => wanted(folded(part), prefix && j === last))] : [whole] }
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
    return parts.length ? [{ any: [parts.map((part) => wanted(folded(part)))], phrase: parts.length > 1 }] : []
  }
  return {
    locale,
    words: (text) => runsOf(text).flatMap(wordsOfRun),
    wordsOfRun,
    clauses,
    like: (text) => loose(text, true),
    fold: folded,
    stem: stemmed,
  }
}

/** Remembers the answers, up to a number of them: most words of a catalogue come again and again, codes and numbers seldom. */
function remembering<T>(answer: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    if (hasDigit.test(text)) return answer(text)
    const remembered = known.get(text)
    if (remembered !== undefined) return remembered
    if (known.size >= mostRemembered) known.clear()
    const found = answer(text)
    known.set(text, found)
    return found
  }
}
