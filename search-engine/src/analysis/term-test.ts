/** Decides whether an indexed term matches a query term: same stem, a compound of it, or a prefix match. */
import { analysedLanguage, type Analyser, type QueryTerm } from './analyse.ts'
import { partsOf, type Lexicon } from './compounds.ts'
import { sharedPrefix } from './stem.ts'

/** Up to this many stems, a substring check is faster than splitting the term into its parts. */
const maxSubstringChecks = 16

/** Returns a test for terms that matches any of the query terms. Its cost hardly depends on their number. */
export function createTermTest(
  analyser: Analyser,
  lexicon: Lexicon,
  ...queryTerms: QueryTerm[]
): (term: string) => boolean {
  const language = analysedLanguage(analyser.locale)
  const stems = new Set(queryTerms.map(({ stem }) => stem))
  const prefixes = queryTerms.filter(({ prefix }) => prefix).map(({ term }) => term)
  const sharedPrefixes = lexicon.has(language) ? Array.from(stems, (stem) => sharedPrefix(stem, language)) : []
  const mayHavePart = (term: string) =>
    sharedPrefixes.length > maxSubstringChecks || sharedPrefixes.some((part) => term.includes(part))
  return (term) =>
    stems.has(analyser.stem(term)) ||
    prefixes.some((beginning) => term.startsWith(beginning)) ||
    (mayHavePart(term) && partsOf(term, language, lexicon).some((part) => stems.has(part)))
}
