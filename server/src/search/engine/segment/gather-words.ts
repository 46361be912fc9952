/**
 * Gathers the words of one locale while documents come by, and writes them in the end: words come by document and are
 * wanted by term (word-log.ts).
 */
import type { Analyser } from '../analysis/analyse.ts'
import type { Lexicon } from '../analysis/compounds.ts'
import { createBytes, putVarint } from './bytes.ts'
import type { Sections } from './container.ts'
import { createRunTable } from './runs.ts'
import { byteOrder } from './strings.ts'
import { createTextWriter, type TextWriter } from './text-writer.ts'
import { createWordLog, type Occurrences } from './word-log.ts'

export interface WordGatherer {
  /** A text of a document at a position; returns the position after it. The texts of a field come one after the other. */
  add(doc: number, field: number, position: number, text: string): number
  write(out: Sections, name: string, maxDoc: number): void
}

export function gatherWords(analyser: Analyser, lexicon: Lexicon): WordGatherer {
  const terms = createTerms(analyser)
  const log = createWordLog()
  return {
    add(doc, field, position, text) {
      let at = position
      const count = terms.runs.read(text)
      const codes = terms.runs.codes()
      log.begin(doc, field, position)
      for (let i = 0; i < count; i++) {
        const code = codes[i]!
        if (code >= 0) {
          log.add(code, 1)
          at++
        } else {
          for (const { term, step } of terms.severalOf(code)) {
            log.add(term, step)
            at += step
          }
        }
      }
      return at
    },
    write(out, name, maxDoc) {
      const writer = createTextWriter(analyser, lexicon)
      // The spreads that most words have get the smallest numbers, which take the least room.
      for (const field of log.fields()) writer.single(field)
      const occurrences = log.byTerm(terms.count(), maxDoc)
      const putPostings = createPostings(writer, occurrences)
      for (const id of terms.inOrder()) {
        writer.beginTerm(terms.termOf(id), terms.shownOf(id))
        putPostings(id)
      }
      writer.finish(out, name, occurrences.lengths)
    },
  }
}

/** Puts the occurrences of a term as postings: those in one document are one. */
function createPostings(writer: TextWriter, { starts, positions, docAt, fieldAt }: Occurrences) {
  const bytes = createBytes()

  function putOne(doc: number, from: number, to: number): void {
    const spread: number[] = []
    let before = 0
    bytes.length = 0
    for (let i = from; i < to; i++) {
      if (spread.at(-2) === fieldAt(i)) spread[spread.length - 1]!++
      else {
        spread.push(fieldAt(i), 1)
        before = 0
      }
      putVarint(bytes, positions[i]! - before)
      before = positions[i]!
    }
    writer.posting(doc, writer.spread(spread), bytes.data, 0, bytes.length)
  }
  /** Most words stand once in a document. */
  function putSingle(doc: number, i: number): void {
    bytes.length = 0
    putVarint(bytes, positions[i]!)
    writer.posting(doc, writer.single(fieldAt(i)), bytes.data, 0, bytes.length)
  }
  return (term: number): void => {
    const end = starts[term + 1]!
    for (let from = starts[term]!; from < end;) {
      const doc = docAt(from)
      let to = from + 1
      while (to < end && docAt(to) === doc) to++
      if (to === from + 1) putSingle(doc, from)
      else putOne(doc, from, to)
      from = to
    }
  }
}

/** The terms of runs by number. A run that is one word has the number of its term for a code, others have one below 0. */
function createTerms(analyser: Analyser) {
  const ids = new Map<string, number>()
  const terms: string[] = []
  const shownForms: string[] = []
  const several: (readonly { readonly term: number; readonly step: 0 | 1 }[])[] = []

  function idOf(term: string, shown: string): number {
    const known = ids.get(term)
    if (known !== undefined) {
      if (shown !== term && shownForms[known] === term) shownForms[known] = shown
      return known
    }
    ids.set(term, terms.length)
    terms.push(term)
    return shownForms.push(shown) - 1
  }
  function learn(run: string): number {
    const words = analyser.wordsOfRun(run)
    const [only] = words
    if (words.length === 1 && only!.step === 1) return idOf(only!.term, only!.shown)
    return -several.push(words.map(({ term, shown, step }) => ({ term: idOf(term, shown), step })))
  }
  return {
    runs: createRunTable(learn),
    severalOf: (code: number) => several[-code - 1]!,
    count: () => terms.length,
    termOf: (id: number) => terms[id]!,
    shownOf: (id: number) => shownForms[id]!,
    /** By the order of their bytes. */
    inOrder: () => byteOrder(terms),
  }
}
