/** The search that forgives: when nothing is found, words that nobody used are taken for those spelled nearly so. */
import { runs, runsOf } from '../analysis/tokenize.ts'
import type { LogicalQuery, Predicate, SearchHits, TextPredicate } from '../port.ts'
import { nearestWord } from '../suggest/type-ahead.ts'
import { findHits, queryContext, search, type IndexContext } from './search.ts'

export function searchTolerantly(index: IndexContext, query: LogicalQuery): SearchHits {
  const found = search(index, query)
  if (!query.tolerant || found.total > 0) return found
  const texts: string[] = []
  const predicate = corrected(index, query.predicate, query.predicate, texts)
  if (predicate === query.predicate) return found
  const again = search(index, { ...query, predicate })
  return again.total > 0 ? { ...again, corrected: texts.join(' ') } : found
}

/** The same tree with other words; the same object when there is nothing to correct. What is negated stays. */
function corrected(index: IndexContext, whole: Predicate, part: Predicate, texts: string[]): Predicate {
  if (part.kind === 'and' || part.kind === 'or') {
    const of = part.of.map((each) => corrected(index, whole, each, texts))
    return of.some((each, i) => each !== part.of[i]) ? { ...part, of } : part
  }
  if (part.kind !== 'text') return part
  const within = withoutText(whole)
  const text = correctedText(index, part, within)
  texts.push(text)
  return text === part.text ? part : { ...part, text }
}

/** What else the query asks for, the rights among it: a correction comes from documents that may be seen. */
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
