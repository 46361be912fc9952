/**
 * The occurrences of terms in one locale, in the order of the text, and finally grouped by term. Adding an occurrence appends
 * a number and looks nothing up. At the end, two passes of a counting sort group the occurrences by term. Frequent terms
 * appear early and get small numbers, which take a byte or two.
 *
 *   words     rote Schuhe   leichte Schuhe      twice the term number, plus one if the position advances
 *   texts     doc 0, name   doc 1, name         document, field and first position of the words that follow
 *
 *   by term   rote 0:1      Schuhe 0:2 1:2      leichte 1:1
 */
import { createBytes, createNumbers, push, putVarint, readVarint, type Numbers, type VarintReader } from './bytes.ts'

interface OccurrenceLog {
  /** Starts a text of a document and field, after this position. */
  begin(doc: number, field: number, position: number): void
  add(term: number, step: 0 | 1): void
  /** The fields with words, largest first. */
  fields(): number[]
  byTerm(terms: number, maxDoc: number): Occurrences
}

/** Those of a term are at starts[term]..starts[term + 1], by document, then in text order. */
export interface Occurrences {
  readonly starts: Uint32Array
  readonly positions: Uint32Array
  docAt(i: number): number
  fieldAt(i: number): number
  /** The number of words by document. */
  readonly lengths: Uint32Array
}

export function createOccurrenceLog(): OccurrenceLog {
  const words = createBytes()
  const docs = createNumbers()
  const fields = createNumbers()
  const positions = createNumbers()
  const begins = createNumbers()
  const endOf = (text: number) => (text + 1 < begins.length ? begins.data[text + 1]! : words.length)

  /** The start of the occurrences of each term. */
  function startsOfTerms(terms: number): Uint32Array {
    const counts = new Uint32Array(terms + 1)
    const reader: VarintReader = { data: words.data, at: 0 }
    while (reader.at < words.length) counts[(readVarint(reader) >>> 1) + 1]!++
    return prefixSums(counts)
  }
  return {
    begin(doc, field, position) {
      push(docs, doc)
      push(fields, field)
      push(positions, position)
      push(begins, words.length)
    },
    add: (term, step) => putVarint(words, term * 2 + step),
    fields() {
      const sizes = new Map<number, number>()
      for (let text = 0; text < fields.length; text++) {
        const field = fields.data[text]!
        sizes.set(field, (sizes.get(field) ?? 0) + endOf(text) - begins.data[text]!)
      }
      return [...sizes].sort(([, a], [, b]) => b - a).map(([field]) => field)
    },
    byTerm(terms, maxDoc) {
      const starts = startsOfTerms(terms)
      const next = starts.slice()
      const inText = new Uint32Array(starts[terms]!)
      const at = new Uint32Array(starts[terms]!)
      const lengths = new Uint32Array(maxDoc)
      const reader: VarintReader = { data: words.data, at: 0 }
      for (const text of inOrder(docs, maxDoc)) {
        let position = positions.data[text]!
        const end = endOf(text)
        for (reader.at = begins.data[text]!; reader.at < end;) {
          const word = readVarint(reader)
          const index = next[word >>> 1]!++
          inText[index] = text
          at[index] = position += word & 1
          lengths[docs.data[text]!]!++
        }
      }
      return {
        starts,
        positions: at,
        docAt: (i) => docs.data[inText[i]!]!,
        fieldAt: (i) => fields.data[inText[i]!]!,
        lengths,
      }
    },
  }
}

/** The texts sorted by document; texts of one document keep their order. */
function inOrder(docs: Numbers, maxDoc: number): Uint32Array {
  const counts = new Uint32Array(maxDoc + 1)
  for (let text = 0; text < docs.length; text++) counts[docs.data[text]! + 1]!++
  const next = prefixSums(counts)
  const order = new Uint32Array(docs.length)
  for (let text = 0; text < docs.length; text++) order[next[docs.data[text]!]!++] = text
  return order
}

/** Prefix sums, in place. */
function prefixSums(counts: Uint32Array): Uint32Array {
  for (let i = 1; i < counts.length; i++) counts[i]! += counts[i - 1]!
  return counts
}
