/** Whether a word is one of those that a query wants: its kin, a compound of it, or a word that begins with it. */
import { analysedLanguage, type Analyser, type Wanted } from './analyse.ts'
import { partsOf, type Lexicon } from './compounds.ts'
import { sureBeginning } from './stem.ts'

/** Of so few it is sooner told that a word has none of them in it than what its parts are. */
const fewWanted = 16

/** Tells it of one word after the other; how many are wanted makes little difference. */
export function wantedTest(analyser: Analyser, lexicon: Lexicon, ...wanted: Wanted[]): (term: string) => boolean {
  const language = analysedLanguage(analyser.locale)
  const stems = new Set(wanted.map(({ stem }) => stem))
  const beginnings = wanted.filter(({ prefix }) => prefix).map(({ term }) => term)
  const kept = lexicon.has(language) ? Array.from(stems, (stem) => sureBeginning(stem, language)) : []
  const mayHavePart = (term: string) => kept.length > fewWanted || kept.some((part) => term.includes(part))
  return (term) =>
    stems.has(analyser.stem(term)) ||
    beginnings.some((beginning) => term.startsWith(beginning)) ||
    (mayHavePart(term) && partsOf(term, language, lexicon).some((part) => stems.has(part)))
}
