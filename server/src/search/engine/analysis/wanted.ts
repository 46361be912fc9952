/** Whether a word is one that a query wants: its kin, a compound of it, or a word that begins with it. */
import { analysedLanguage, type Analyser, type Wanted } from './analyse.ts'
import { partsOf, type Lexicon } from './compounds.ts'

/** So many letters at the beginning of a part no stemmer changes; a word without them cannot have the part. */
export const unchangedLetters = 2

export function isWanted(analyser: Analyser, lexicon: Lexicon, wanted: Wanted, term: string): boolean {
  return (
    analyser.stem(term) === wanted.stem ||
    (wanted.prefix === true && term.startsWith(wanted.term)) ||
    (term.includes(wanted.stem.slice(0, unchangedLetters)) &&
      partsOf(term, analysedLanguage(analyser.locale), lexicon).includes(wanted.stem))
  )
}
