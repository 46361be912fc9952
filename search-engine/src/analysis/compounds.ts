/**
 * Splits German and Dutch compounds by words of the catalogue itself: `Schuh` finds `Damenschuhe` once damen and schuh
 * occur as words in enough documents. The compound itself stays searchable.
 */
import { languageOf } from '../values.ts'
import { stem } from './stem.ts'

/** Stems that may be parts, by language. Learned when a generation is built, and stored with it. */
export type Lexicon = ReadonlyMap<string, ReadonlySet<string>>

export const emptyLexicon: Lexicon = new Map()
export const compoundLanguages: readonly string[] = ['de', 'nl']

/** Length within the compound; the stem of the part may be shorter (damen, dam). */
const minPartLength = 4
const minStemLength = 3
const maxParts = 3
/** Splitting takes time quadratic in the length, so longer strings are not split. */
const maxCompoundLength = 128
const minDocuments = 5
const links = ['', 's', 'n', 'es', 'en', 'er']

/** Selects stems that are frequent and long enough to be parts of compounds. */
export function learnLexicon(statistics: Iterable<{ language: string; stem: string; documents: number }>): Lexicon {
  const totals = new Map<string, Map<string, number>>()
  for (const { language, stem: part, documents } of statistics) {
    if (!compoundLanguages.includes(language) || part.length < minStemLength || !/^[a-z]+$/.test(part)) continue
    const counts = totals.get(language) ?? new Map<string, number>()
    counts.set(part, (counts.get(part) ?? 0) + documents)
    totals.set(language, counts)
  }
  const frequent = (counts: Map<string, number>) =>
    new Set([...counts].filter(([, documents]) => documents >= minDocuments).map(([part]) => part))
  return new Map([...totals].map(([language, counts]) => [language, frequent(counts)]))
}

/** Whether compounds of this locale are split. */
export function splitsCompounds(locale: string, lexicon: Lexicon): boolean {
  return (lexicon.get(languageOf(locale))?.size ?? 0) > 0
}

/** The stems of a compound's parts; empty if the word is not a compound. */
export function partsOf(word: string, language: string, lexicon: Lexicon): readonly string[] {
  const known = lexicon.get(language)
  if (!known?.size || word.length < 2 * minPartLength || word.length > maxCompoundLength) return []
  if (!/^[a-z]+$/.test(word)) return []
  return split(word, language, known, maxParts) ?? []
}

/** Prefers the longest last part, which is the head of the compound: schuh in Damenschuh. */
function split(word: string, language: string, known: ReadonlySet<string>, parts: number): string[] | undefined {
  for (let at = minPartLength; at <= word.length - minPartLength; at++) {
    const last = stem(word.slice(at), language)
    if (!known.has(last)) continue
    const head = headOf(word.slice(0, at), language, known, parts - 1)
    if (head) return [...head, last]
  }
  return undefined
}

function headOf(head: string, language: string, known: ReadonlySet<string>, parts: number): string[] | undefined {
  for (const link of links) {
    if (!head.endsWith(link)) continue
    const part = head.slice(0, head.length - link.length)
    if (part.length >= minPartLength && known.has(stem(part, language))) return [stem(part, language)]
  }
  return parts > 1 ? split(head, language, known, parts) : undefined
}
