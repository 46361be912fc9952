/** The search that forgives: when nothing is found, words that nobody used are taken for those spelled nearly so. */
import { runs, runsOf } from '../analysis/tokenize.ts'
import type { LogicalQuery, Predicate, SearchHits, TextPredicate } from '../port.ts'
import { nearestWord } from '../suggest/type-ahead.ts'
import { findHits, queryContext, search, type IndexContext } from './search.ts'

/** Words in all texts, at most: a mistyped one is told in a few, and each is looked for in the whole dictionary. */
const mostWords = 64

export function searchTolerantly(index: IndexContext, query: LogicalQuery): SearchHits {
  const found = search(index, query)
  if (!query.tolerant || found.total > 0 || wordsIn(query.predicate) > mostWords) return found
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
 * The same tree with other words; the same object when there is nothing to correct. What is negated stays. `within`: what
 * else a document must match for a text to count, rights among it. A correction comes from documents that do: of two texts
 * of which either will do, one may be for documents of which the caller sees less.
 */
function corrected(
  index: IndexContext,
  part: Predicate,
  within: readonly Predicate[],
  texts: Map<string, string>,
): Predicate {
  if (part.kind === 'and' || part.kind === 'or') {
    const besides = (at: number) => (part.kind === 'and' ? part.of.filter((_, i) => i !== at).map(withoutText) : [])
    const of = part.of.map((each, i) => corrected(index, each, [...within, ...besides(i)], texts))
    return of.some((each, i) => each !== part.of[i]) ? { ...part, of } : part
  }
  if (part.kind !== 'text') return part
  const text = correctedText(index, part, { kind: 'and', of: within })
  // The same text may be asked of several kinds of documents; it is told once, and corrected.
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
  const meant = new Map<string, string>()
  for (const run of new Set(runsOf(predicate.text))) {
    const word: TextPredicate = { ...predicate, text: run }
    const having = findHits(context, index.parts, { kind: 'and', of: [word, within] })
    if (having.some(({ count }) => count > 0)) continue
    const nearest = nearestWord(context, index.parts, { ...predicate, text: run, count: 1, within })
    if (nearest !== undefined) meant.set(run, nearest)
  }
  // Run by run: one may be a part of another.
  return predicate.text.replace(runs, (run) => meant.get(run) ?? run)
}
