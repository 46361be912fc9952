/** Whether a word is one of those that a query wants: its kin, a compound of it, or a word that begins with it. */
import { analysedLanguage, type Analyser, type Wanted } from './analyse.ts'
import { partsOf, type Lexicon } from './compounds.ts'

/** So many letters at its end a stem may not have from the word it is of. */
const changedLetters: Record<string, number> = { de: 0, en: 1, es: 1, fr: 1, it: 0, nl: 2 }
const leastChanged = 3

/** What all words begin with that have this stem; a word without it has no such part either. */
export function sureBeginning(stem: string, language: string): string {
  return stem.length < leastChanged ? stem : stem.slice(0, stem.length - (changedLetters[language] ?? 0))
}

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
