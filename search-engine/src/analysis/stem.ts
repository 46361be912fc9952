/**
 * Light stemmers: one table of suffix rules per language. They strip plural, case and gender endings and leave the rest
 * of the word alone. Input is folded. Segments store stems, so raise `analysisVersion` with every change here.
 *
 * In each table the first rule whose suffix matches is applied, provided at least `keep` letters remain.
 */

interface Rule {
  readonly ending: RegExp
  readonly put: string
}
type Table = readonly Rule[]
const rule = (ending: RegExp, put = ''): Rule => ({ ending, put })
const keep = 3

const tables: Record<string, readonly Table[]> = {
  de: [
    [rule(/innen$/, 'in'), rule(/ern$/), rule(/e[mnrs]$/), rule(/e$/), rule(/(?<=[bdfghklmnrt])s$/)],
    [rule(/e[nr]$/), rule(/(?<=[lr])n$/), rule(/(?<=[bdfghklmnt])st$/)],
  ],
  en: [
    [
      rule(/ies$/, 'y'),
      rule(/sses$/, 'ss'),
      rule(/(?<=x|ch|sh|s|z)es$/),
      rule(/(?<![suei])s$/),
      rule(/(?<=[bcdfghklmnprtvwz]e|[aou][ei])s$/),
    ],
    [rule(/(?<=[aeiouy].*)ing$/), rule(/(?<=[aeiouy].*)ed$/), rule(/(?<=[aeiouy].*)ly$/)],
    [rule(/([bdgmnprt])\1$/, '$1'), rule(/e$/)],
  ],
  fr: [
    [rule(/eaux$/, 'eau'), rule(/aux$/, 'al'), rule(/[sx]$/)],
    [rule(/euse$/, 'eu'), rule(/eur$/, 'eu'), rule(/elle$/, 'el'), rule(/enne$/, 'en'), rule(/iere?$/, 'ie')],
    [rule(/ee$/), rule(/er$/), rule(/e$/)],
    [rule(/([lnt])\1$/, '$1')],
  ],
  it: [[rule(/(?<=[cg])h[ei]$/), rule(/i[aeio]$/), rule(/[aeio]$/)]],
  es: [[rule(/ces$/, 'z'), rule(/(?<=[dlnrjyz])es$/), rule(/s$/)], [rule(/[aeo]$/)]],
  nl: [
    [rule(/heden$/, 'heid'), rule(/(?<=[^aeiou])en$/), rule(/(?<=[bdfgklmnprt])s$/), rule(/e$/)],
    [rule(/([bdfgklmnprst])\1$/, '$1')],
    [rule(/([aeou])\1(?=[^aeiou]$)/, '$1')],
    [rule(/v$/, 'f'), rule(/z$/, 's')],
  ],
}

/** Stored with every index. An index with another version is outdated. */
export const analysisVersion = 2

/** The languages that have a stemmer. */
export const stemmedLanguages: readonly string[] = Object.keys(tables)

export function stem(word: string, language: string): string {
  const steps = tables[language]
  if (!steps || !/^[a-z]+$/.test(word)) return word
  return steps.reduce(applyTable, word)
}

function applyTable(word: string, table: Table): string {
  for (const { ending, put } of table) {
    if (!ending.test(word)) continue
    const shorter = word.replace(ending, put)
    return shorter.length >= keep ? shorter : word
  }
  return word
}

/** How many final letters of a stem may differ from the word. */
const changedLetters: Record<string, number> = { de: 0, en: 1, es: 1, fr: 1, it: 0, nl: 2 }

/** The prefix shared by every word, and every part of a compound, with this stem. */
export function sharedPrefix(stem: string, language: string): string {
  return stem.length < keep ? stem : stem.slice(0, stem.length - (changedLetters[language] ?? 0))
}
