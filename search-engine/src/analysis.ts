/**
 * The analysis of this engine, for an adapter to another engine: it indexes the same terms and reads queries in the same
 * way, so that both give the same answers.
 */
export { analysedLanguage, createAnalyser, type Analyser, type Clause, type QueryTerm } from './analysis/analyse.ts'
export { compoundLanguages, emptyLexicon, learnLexicon, partsOf, type Lexicon } from './analysis/compounds.ts'
export { runs, runsOf } from './analysis/tokenize.ts'
export { comparatorTests, comparesWords, hasKeywordColumn, hasWords, isNumeric } from './comparators.ts'
export { roundRanges } from './ranges.ts'
export { isOutdated, mappingOf, withFieldsOf, type Mapping } from './store/mapping.ts'
export { allowedDistance } from './suggest/corrections.ts'
export { createHighlighter } from './suggest/highlight.ts'
export {
  columnLocale,
  keyOf,
  keywordValue,
  keywordValues,
  localesOf,
  numbersOf,
  numberText,
  pathAbove,
  predicateLocales,
  searchedLocales,
  spanOf,
  textValues,
  valuesIn,
} from './values.ts'
