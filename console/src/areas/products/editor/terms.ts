/**
 * Finds glossary terms in a text: whole words, case-insensitive, the longest match at each position.
 *
 * A glossary has thousands of terms and a text is searched at every key stroke. Terms are indexed by their first word,
 * so that the cost depends only on the length of the text.
 */
export interface Term {
  readonly text: string
  readonly forbidden: boolean
  /** The term to write instead of a forbidden one. */
  readonly instead?: string
}

/** A segment of a text; the segments together are the text. */
interface Piece {
  readonly text: string
  readonly term?: Term
}
export type Finder = (text: string) => Piece[]

const word = /[\p{L}\p{N}]+/gu
const isLetter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)
const lower = (text: string) => text.toLocaleLowerCase()

export function createFinder(terms: readonly Term[]): Finder {
  const byFirstWord = Map.groupBy(
    terms.toSorted((a, b) => b.text.length - a.text.length),
    ({ text }) => lower(text.match(word)?.[0] ?? ''),
  )
  return (text) => {
    const pieces: Piece[] = []
    let end = 0
    for (const { 0: first, index } of text.matchAll(word)) {
      const candidates = index < end ? undefined : byFirstWord.get(lower(first))
      const term = candidates?.find((one) => standsAt(text, index, one.text))
      if (!term) continue
      if (index > end) pieces.push({ text: text.slice(end, index) })
      end = index + term.text.length
      pieces.push({ text: text.slice(index, end), term })
    }
    if (end < text.length) pieces.push({ text: text.slice(end) })
    return pieces
  }
}

const standsAt = (text: string, at: number, term: string) =>
  lower(text.slice(at, at + term.length)) === lower(term) && !isLetter(text[at + term.length])

/** The distinct terms in the text. */
export const termsOf = (pieces: readonly Piece[]): Term[] => [...new Set(pieces.flatMap(({ term }) => term ?? []))]
