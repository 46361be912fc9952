/**
 * Terms of glossaries: if a source text contains the term of an entry, its translation should contain the translation of the
 * entry. Of several entries for a term, one translation is enough.
 *
 * The term is looked for whole. Its translation may have endings: `Boje` is in `Bojen`, `rote Boje` in `roten Bojen`.
 */
import { type Enforcement, Phrases, strictness, wordsOf } from './phrases.ts'

/** A term and one of its translations. */
export interface Term {
  /** The locale of the term, from which texts are translated. */
  readonly source: string
  readonly term: string
  readonly locale: string
  readonly value: string
  readonly enforcement: Enforcement
}
export interface MissingTerm {
  readonly term: string
  readonly source: string
  readonly locale: string
  readonly translations: readonly string[]
  readonly enforcement: Enforcement
}
interface Entry {
  readonly term: string
  readonly byLocale: Map<string, { readonly values: readonly string[]; readonly enforcement: Enforcement }>
}
export interface Terms {
  /** Undefined if there are no terms. */
  readonly source: string | undefined
  readonly locales: ReadonlySet<string>
  in(texts: readonly string[]): readonly Entry[]
}
export const noTerms: Terms = { source: undefined, locales: new Set(), in: () => [] }

/** Terms of a text that are looked for in its translation, and translations that a fault names. */
const maxTerms = 100
const maxNamed = 5

export function toTerms(terms: readonly Term[]): Terms {
  const phrases = new Phrases<Entry>()
  for (const { term, locale, value, enforcement } of terms) {
    if (wordsOf(value).length === 0) continue
    phrases.add(term, (entry = { term, byLocale: new Map() }) => {
      const known = entry.byLocale.get(locale)
      const isLess = known && strictness[known.enforcement] > strictness[enforcement]
      const values = [...(known?.values ?? []), value]
      entry.byLocale.set(locale, { values, enforcement: isLess ? known.enforcement : enforcement })
      return entry
    })
  }
  return {
    source: terms[0]?.source,
    locales: new Set(terms.map(({ locale }) => locale)),
    in: (texts) => [...phrases.in(texts.flatMap(wordsOf), maxTerms)],
  }
}

type Texts = ReadonlyMap<string, readonly string[]>

/** The terms that written translations lack, and that they did not lack before. */
export function lostTerms(terms: Terms, before: Texts, after: Texts): MissingTerm[] {
  const { source = '' } = terms
  const text = after.get(source)
  if (terms.source === undefined || !text?.length) return []
  const written = [...after].filter(
    ([locale, texts]) => terms.locales.has(locale) && texts.length > 0 && !isSame(texts, before.get(locale)),
  )
  const found = written.length > 0 ? terms.in(text) : []
  if (found.length === 0) return []
  return written.flatMap(([locale, texts]) => {
    const missing = missingOf(found, locale, texts)
    if (missing.length === 0) return []
    const [oldSource, old] = [before.get(source), before.get(locale)]
    const had = new Set(oldSource && old?.length ? missingOf(terms.in(oldSource), locale, old) : [])
    return missing
      .filter((entry) => !had.has(entry))
      .map(({ term, byLocale }): MissingTerm => {
        const { values, enforcement } = byLocale.get(locale)!
        return { term, source, locale, translations: values.slice(0, maxNamed), enforcement }
      })
  })
}

const isSame = (a: readonly string[], b: readonly string[] = []) =>
  a.length === b.length && a.every((one, i) => one === b[i])

function missingOf(entries: readonly Entry[], locale: string, texts: readonly string[]): Entry[] {
  const text = ` ${texts.flatMap(wordsOf).join(' ')} `
  return entries.filter(({ byLocale }) => {
    const group = byLocale.get(locale)
    return group && !group.values.some((value) => isIn(text, wordsOf(value)))
  })
}

/** Whether words that begin so follow each other in a text, in which spaces are around each word. */
function isIn(text: string, [first, ...others]: readonly string[]): boolean {
  for (let at = text.indexOf(` ${first}`); at >= 0; at = text.indexOf(` ${first}`, at + 1)) {
    let next = at
    const isWhole = others.every((word) => {
      next = text.indexOf(' ', next + 1)
      return text.startsWith(word, next + 1)
    })
    if (isWhole) return true
  }
  return false
}
