/** Words that are spelled similarly, for corrections. */
import { allowedDistance } from '@kontor/search-engine/analysis'
import { tokenOf, wordsIn } from './documents.ts'
import type { Dsl } from './query.ts'
import { runQuery, type Searched } from './search.ts'

/** Terms that are considered. */
const mostSimilar = 500

export interface Similar {
  readonly term: string
  readonly distance: number
}

/**
 * For each locale, the terms of an index within an edit distance, from any document: which of them are visible is asked
 * afterwards.
 */
export async function similarTerms(
  index: Searched,
  locales: readonly string[],
  words: readonly string[],
  edits: number,
): Promise<readonly (readonly Similar[])[]> {
  const allowed = words.map((word) => Math.min(edits, allowedDistance(word)))
  const asked = locales.flatMap((locale, i) => (allowed[i]! > 0 ? [[i, nearTo(locale, words[i]!, allowed[i]!)]] : []))
  if (asked.length === 0) return locales.map(() => [])
  const body = { size: 0, track_total_hits: false, suggest: Object.fromEntries(asked) as Dsl }
  const found = await runQuery(index.cluster, [index.alias], body).catch((error: unknown) => {
    if (String(error).includes('no mapping found')) return undefined
    throw error
  })
  if (!found && locales.length > 1) {
    // No document has a text in one of the locales yet.
    const each = await Promise.all(locales.map((locale, i) => similarTerms(index, [locale], [words[i]!], edits)))
    return each.flat()
  }
  const replies = (found?.suggest ?? {}) as Record<number, { options: { text: string }[] }[]>
  return locales.map((_, i) =>
    (replies[i]?.[0]?.options ?? [])
      .map(({ text }) => ({ term: text.slice(1), distance: distanceOf(words[i]!, text.slice(1)) }))
      .filter(({ distance }) => distance <= allowed[i]!),
  )
}

const nearTo = (locale: string, word: string, edits: number): Dsl => ({
  text: tokenOf('term', word),
  term: {
    field: wordsIn(locale),
    analyzer: 'keyword',
    suggest_mode: 'always',
    max_edits: edits,
    // The first letter is the mark of a term.
    prefix_length: 1,
    min_word_length: 1,
    accuracy: 0.01,
    max_term_freq: 1_000_000_000,
    string_distance: 'damerau_levenshtein',
    size: mostSimilar,
    shard_size: mostSimilar,
  },
})

/** The number of letters that were inserted, deleted or replaced, or swapped with their neighbour. */
function distanceOf(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + Number(a[i - 1] !== b[j - 1])
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(
        Math.min(row[j - 1]! + 1, rows[i - 1]![j]! + 1, replaced, isSwapped ? rows[i - 2]![j - 2]! + 1 : Infinity),
      )
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}
