/** Whether a word is one that a query wants: its kin, a compound of it, or a word that begins with it. */
import { analysedLanguage, type Analyser, type Wanted } from './analyse.ts'
import { partsOf, type Lexicon } from './compounds.ts'

export function isWanted(analyser: Analyser, lexicon: Lexicon, wanted: Wanted, term: string): boolean {
  return (
    analyser.stem(term) === wanted.stem ||
    (wanted.prefix === true && term.startsWith(wanted.term)) ||
    partsOf(term, analysedLanguage(analyser.locale), lexicon).includes(wanted.stem)
  )
}
