/** Whether a word is one that a query wants: its kin, a compound of it, or a word that begins with it. */
import { analysedLanguage, type Analyser, type Wanted } from './analyse.ts'
import { partsOf, type Lexicon } from './compounds.ts'

/** So many letters at its end a stem may not have from the part it is of; a word without the others has no such part. */
export const changedLetters: Record<string, number> = { de: 0, nl: 2 }

/** Tells it of one word after the other. */
export function wantedTest(analyser: Analyser, lexicon: Lexicon, wanted: Wanted): (term: string) => boolean {
  const { stem } = wanted
  const language = analysedLanguage(analyser.locale)
  const kept = lexicon.has(language) ? stem.slice(0, stem.length - changedLetters[language]!) : undefined
  return (term) =>
    analyser.stem(term) === stem ||
    (wanted.prefix === true && term.startsWith(wanted.term)) ||
    (kept !== undefined && term.includes(kept) && partsOf(term, language, lexicon).includes(stem))
}
