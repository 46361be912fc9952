/**
 * German and Dutch compounds, split by words that the catalogue itself has: `Damenschuhe` is found by `Schuh` once
 * damen and schuh are words of their own in enough documents. A compound is never replaced by its parts.
 */
import { languageOf } from '../values.ts'
import { stem } from './stem.ts'

/** Stems that may be parts, by language. Learned for a generation of an index and kept with it. */
export type Lexicon = ReadonlyMap<string, ReadonlySet<string>>

export const emptyLexicon: Lexicon = new Map()
export const compoundLanguages: readonly string[] = ['de', 'nl']

/** As it stands in the compound; its stem may be shorter (damen, dam). */
const shortestPart = 4
const shortestStem = 3
const mostParts = 3
/** Nothing that people write is longer; to look for parts of what is takes its length squared. */
const longestCompound = 128
const documentsNeeded = 5
const links = ['', 's', 'n', 'es', 'en', 'er']

/** Picks the stems that are frequent and long enough to be parts. */
export function learnLexicon(statistics: Iterable<{ language: string; stem: string; documents: number }>): Lexicon {
  const totals = new Map<string, Map<string, number>>()
  for (const { language, stem: part, documents } of statistics) {
    if (!compoundLanguages.includes(language) || part.length < shortestStem || !/^[a-z]+$/.test(part)) continue
    const counts = totals.get(language) ?? new Map<string, number>()
    counts.set(part, (counts.get(part) ?? 0) + documents)
    totals.set(language, counts)
  }
  const frequent = (counts: Map<string, number>) =>
    new Set([...counts].filter(([, documents]) => documents >= documentsNeeded).map(([part]) => part))
  return new Map([...totals].map(([language, counts]) => [language, frequent(counts)]))
}

/** Whether there are words by which those of a locale are split. */
export function splitsWords(locale: string, lexicon: Lexicon): boolean {
  return (lexicon.get(languageOf(locale))?.size ?? 0) > 0
}

/** The stems of a compound's parts, or none when the word is no compound. */
export function partsOf(word: string, language: string, lexicon: Lexicon): readonly string[] {
  const known = lexicon.get(language)
  if (!known?.size || word.length < 2 * shortestPart || word.length > longestCompound) return []
  if (!/^[a-z]+$/.test(word)) return []
  return split(word, language, known, mostParts) ?? []
}

/** The longest last part wins: it names the thing, as schuh does in Damenschuh. */
function split(word: string, language: string, known: ReadonlySet<string>, parts: number): string[] | undefined {
  for (let at = shortestPart; at <= word.length - shortestPart; at++) {
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
    if (part.length >= shortestPart && known.has(stem(part, language))) return [stem(part, language)]
  }
  return parts > 1 ? split(head, language, known, parts) : undefined
}
