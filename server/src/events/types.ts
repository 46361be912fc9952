/** Filters by event type, as the feed and webhooks have them: patterns in which `*` stands for any letters. */
import { eventKinds, eventTypes, eventWords } from '@kontor/contract'
import { matches } from '../core/wildcard.ts'
import { Problem } from '../errors.ts'

/** Whether a type was requested; all are when the filter is empty. */
export type TypeFilter = (type: string) => boolean

const maxPatterns = 100

/** Refuses patterns that no event can match, because a client would wait for such an event for ever. */
export function checkedTypes(patterns: readonly string[]): readonly string[] {
  if (patterns.length > maxPatterns)
    throw new Problem('invalid', `types: at most ${maxPatterns} are allowed, not ${patterns.length}`)
  for (const pattern of patterns) {
    if (!/^[\w*.-]{1,100}$/.test(pattern))
      throw new Problem(
        'invalid',
        `types: ${pattern.slice(0, 50)} is not a type like kontor.product.updated or kontor.*`,
      )
    if (!eventTypes.some((type) => matches(pattern, type)))
      throw new Problem('invalid', `types: no event has the type ${pattern}; did you mean ${nearestTo(pattern)}?`)
  }
  return patterns
}

export function toTypeFilter(patterns: readonly string[]): TypeFilter {
  if (patterns.length === 0) return () => true
  // A page repeats few types many times.
  const judged = new Map<string, boolean>()
  return (type) => {
    const known = judged.get(type) ?? patterns.some((pattern) => matches(pattern, type))
    judged.set(type, known)
    return known
  }
}

const suggestions = [
  ...eventTypes,
  ...Object.keys(eventKinds).map((kind) => `kontor.${kind}.*`),
  ...Object.values(eventWords).map((word) => `kontor.*.${word}`),
]

/** Kinds whose names in the console differ from those of events. */
const named: Readonly<Record<string, string>> = { channel: 'project', category: 'node', folder: 'dir', variation: 'variant', process: 'workflow' } // prettier-ignore

const nearestTo = (pattern: string) => nearest(pattern.replace(/(?<=^kontor\.)\w+/, (kind) => named[kind] ?? kind))

const nearest = (text: string) =>
  suggestions.map((one) => ({ one, edits: editsBetween(text, one) })).reduce((a, b) => (b.edits < a.edits ? b : a)).one

/** The Levenshtein distance. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + Number(a[i - 1] !== b[j - 1]))
    row = next
  }
  return row[b.length]!
}
