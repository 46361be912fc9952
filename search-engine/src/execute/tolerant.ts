/** Search with spelling correction: if nothing is found, unknown words are replaced by similar ones and searched again. */
import { runs, runsOf } from '../analysis/tokenize.ts'
import type { LogicalQuery, Predicate, SearchHits, TextPredicate } from '../port.ts'
import { nearestWord } from '../suggest/type-ahead.ts'
import { findHits, queryContext, search, type IndexContext } from './search.ts'

/** Maximum number of words to correct, since each is compared with the whole term dictionary. */
const maxWords = 64

export function searchTolerantly(index: IndexContext, query: LogicalQuery): SearchHits {
  const found = search(index, query)
  if (!query.tolerant || found.total > 0 || wordsIn(query.predicate) > maxWords) return found
  const texts = new Map<string, string>()
  const predicate = corrected(index, query.predicate, [], texts)
  if (predicate === query.predicate) return found
  const again = search(index, { ...query, predicate })
  return again.total > 0 ? { ...again, corrected: [...texts.values()].join(' ') } : found
}

function wordsIn(predicate: Predicate): number {
  if (predicate.kind === 'text') return runsOf(predicate.text).length
  if (predicate.kind !== 'and' && predicate.kind !== 'or') return 0
  return predicate.of.reduce((sum, each) => sum + wordsIn(each), 0)
}

/**
 * The predicate with corrected words; the same object if nothing was corrected. Negated parts stay unchanged. `within`:
 * the other conditions under which the text counts, including permissions. Corrections are taken from documents that
 * meet these conditions: each branch of a disjunction may be limited to other documents.
 */
function corrected(
  index: IndexContext,
  part: Predicate,
  within: readonly Predicate[],
  texts: Map<string, string>,
): Predicate {
  if (part.kind === 'and' || part.kind === 'or') {
    const siblings = (at: number) => (part.kind === 'and' ? part.of.filter((_, i) => i !== at).map(withoutText) : [])
    const of = part.of.map((each, i) => corrected(index, each, [...within, ...siblings(i)], texts))
    return of.some((each, i) => each !== part.of[i]) ? { ...part, of } : part
  }
  if (part.kind !== 'text') return part
  const text = correctedText(index, part, { kind: 'and', of: within })
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

function correctedText(index: IndexContext, predicate: TextPredicate, within: Predicate): string {
  const context = queryContext(index)
  const corrections = new Map<string, string>()
  for (const run of new Set(runsOf(predicate.text))) {
    const word: TextPredicate = { ...predicate, text: run }
    const matches = findHits(context, index.parts, { kind: 'and', of: [word, within] })
    if (matches.some(({ count }) => count > 0)) continue
    const nearest = nearestWord(context, index.parts, { ...predicate, text: run, count: 1, within })
    if (nearest !== undefined) corrections.set(run, nearest)
  }
  // Replace whole runs: one run may be part of another.
  return predicate.text.replace(runs, (run) => corrections.get(run) ?? run)
}
