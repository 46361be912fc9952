/**
 * The words of one locale in the order they come, and by term in the end. While documents come by, a word is one number
 * behind the others, and nothing is looked for; when all are there they are put in order by counting, in two walks.
 *
 *   words     rote Schuhe   leichte Schuhe      twice the number of the term, and one more where it is at the next position
 *   texts     doc 0, name   doc 1, name         which words are of which document and field, and at which position they begin
 *
 *   by term   rote 0:1      Schuhe 0:2 1:2      leichte 1:1
 */
import { createNumbers, push, type Numbers } from './bytes.ts'

export interface WordLog {
  /** The words that follow are of this document and field, after this position. */
  begin(doc: number, field: number, position: number): void
  add(term: number, step: 0 | 1): void
  /** How many words each document has. */
  lengths(maxDoc: number): Uint32Array
  /** The fields that have words, those with many first. */
  fields(): number[]
  byTerm(terms: number, maxDoc: number): Occurrences
}

/** Of a term those from starts[term] to starts[term + 1], by document and then as they came. */
export interface Occurrences {
  readonly starts: Uint32Array
  readonly positions: Uint32Array
  docAt(i: number): number
  fieldAt(i: number): number
}

export function createWordLog(): WordLog {
  const words = createNumbers(64)
  const docs = createNumbers()
  const fields = createNumbers()
  const positions = createNumbers()
  const begins = createNumbers()
  const endOf = (text: number) => (text + 1 < begins.length ? begins.data[text + 1]! : words.length)

  /** The texts by document; those of one document keep their order. */
  function textsInOrder(maxDoc: number): Uint32Array {
    const next = startsOf(docs, maxDoc, 0)
    const order = new Uint32Array(docs.length)
    for (let text = 0; text < docs.length; text++) order[next[docs.data[text]!]!++] = text
    return order
  }
  return {
    begin(doc, field, position) {
      push(docs, doc)
      push(fields, field)
      push(positions, position)
      push(begins, words.length)
    },
    add: (term, step) => push(words, term * 2 + step),
    lengths(maxDoc) {
      const lengths = new Uint32Array(maxDoc)
      for (let text = 0; text < docs.length; text++) lengths[docs.data[text]!]! += endOf(text) - begins.data[text]!
      return lengths
    },
    fields() {
      const counts = new Map<number, number>()
      for (let text = 0; text < fields.length; text++) {
        const field = fields.data[text]!
        counts.set(field, (counts.get(field) ?? 0) + endOf(text) - begins.data[text]!)
      }
      return [...counts].sort(([, a], [, b]) => b - a).map(([field]) => field)
    },
    byTerm(terms, maxDoc) {
      const starts = startsOf(words, terms, 1)
      const next = starts.slice()
      const inText = new Uint32Array(words.length)
      const at = new Uint32Array(words.length)
      for (const text of textsInOrder(maxDoc)) {
        let position = positions.data[text]!
        for (let i = begins.data[text]!, end = endOf(text); i < end; i++) {
          const word = words.data[i]!
          const place = next[word >>> 1]!++
          inText[place] = text
          at[place] = position += word & 1
        }
      }
      return {
        starts,
        positions: at,
        docAt: (i) => docs.data[inText[i]!]!,
        fieldAt: (i) => fields.data[inText[i]!]!,
      }
    },
  }
}

/** Where those of each number begin when they are put in order by it; the last `ignored` bits do not count. */
function startsOf({ data, length }: Numbers, count: number, ignored: number): Uint32Array {
  const starts = new Uint32Array(count + 1)
  for (let i = 0; i < length; i++) starts[(data[i]! >>> ignored) + 1]!++
  for (let i = 0; i < count; i++) starts[i + 1]! += starts[i]!
  return starts
}
