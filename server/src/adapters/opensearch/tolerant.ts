/** Search with spelling correction: if nothing is found, unknown words are replaced by similar ones and searched again. */
import type { LogicalQuery, Predicate, SearchHits, TextPredicate } from '@kontor/search-engine'
import { runs, runsOf } from '@kontor/search-engine/analysis'
import { textsIn } from './query.ts'
import { searchIndex, type Searched } from './search.ts'
import { nearestWord } from './suggest.ts'

/** Maximum number of words to correct. */
const mostWords = 64

export async function searchTolerantly(index: Searched, query: LogicalQuery): Promise<SearchHits> {
  const found = await searchIndex(index, query)
  const words = textsIn(query.predicate).reduce((sum, { text }) => sum + runsOf(text).length, 0)
  if (!query.tolerant || found.total > 0 || words === 0 || words > mostWords) return found
  const texts = new Map<string, string>()
  const predicate = await corrected(index, query.predicate, [], texts)
  if (predicate === query.predicate) return found
  const again = await searchIndex(index, { ...query, predicate })
  return again.total > 0 ? { ...again, corrected: [...texts.values()].join(' ') } : found
}

/**
 * The predicate with corrected words; the same object if nothing was corrected. Negated parts stay unchanged. `within`:
 * the other conditions under which the text counts, including permissions. Corrections are taken from documents that
 * meet these conditions: each branch of a disjunction may be limited to other documents.
 */
async function corrected(
  index: Searched,
  part: Predicate,
  within: readonly Predicate[],
  texts: Map<string, string>,
): Promise<Predicate> {
  if (part.kind === 'and' || part.kind === 'or') {
    const siblings = (at: number) => (part.kind === 'and' ? part.of.filter((_, i) => i !== at).map(withoutText) : [])
    const of: Predicate[] = []
    for (const [i, each] of part.of.entries()) {
      of.push(await corrected(index, each, [...within, ...siblings(i)], texts))
    }
    return of.some((each, i) => each !== part.of[i]) ? { ...part, of } : part
  }
  if (part.kind !== 'text') return part
  const text = await correctedText(index, part, { kind: 'and', of: within })
  // The same text may occur in several branches; report it once, preferably corrected.
  if ((texts.get(part.text) ?? part.text) === part.text) texts.set(part.text, text)
  return text === part.text ? part : { ...part, text }
}

function withoutText(predicate: Predicate): Predicate {
  if (predicate.kind === 'text') return { kind: 'all' }
  return predicate.kind === 'and' || predicate.kind === 'or'
    ? { ...predicate, of: predicate.of.map(withoutText) }
    : predicate
}

async function correctedText(index: Searched, predicate: TextPredicate, within: Predicate): Promise<string> {
  const corrections = new Map<string, string>()
  for (const run of new Set(runsOf(predicate.text))) {
    const word: Predicate = { kind: 'and', of: [{ ...predicate, text: run }, within] }
    if ((await searchIndex(index, { predicate: word, offset: 0, limit: 0 })).total > 0) continue
    const nearest = await nearestWord(index, { ...predicate, text: run, count: 1, within })
    if (nearest !== undefined) corrections.set(run, nearest)
  }
  // Replace whole runs: one run may be part of another.
  return predicate.text.replace(runs, (run) => corrections.get(run) ?? run)
}
