/**
 * Gathers the words of one locale while documents come by, and writes them in the end: words come by document and are
 * wanted by term (word-log.ts).
 */
import type { Analyser, Word } from '../analysis/analyse.ts'
import type { Lexicon } from '../analysis/compounds.ts'
import { createBytes, createNumbers, push, putVarint } from './bytes.ts'
import type { Sections } from './container.ts'
import { createRunTable } from './runs.ts'
import { byteOrder } from './strings.ts'
import { createTextWriter, type TextWriter } from './text-writer.ts'
import { createValueTable } from './value-table.ts'
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
          at += terms.eachOf(code, log.add)
        }
      }
      return at
    },
    write(out, name, maxDoc) {
      const writer = createTextWriter(analyser, lexicon)
      // The spreads that most words have get the smallest numbers, which take the least room.
      for (const field of log.fields()) writer.single(field)
      const texts = terms.all()
      const occurrences = log.byTerm(texts.length, maxDoc)
      const putPostings = createPostings(writer, occurrences)
      for (const id of byteOrder(texts)) {
        writer.beginTerm(texts[id]!, terms.shownOf(id) ?? texts[id]!)
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

/**
 * The terms of runs by number. A run that is one word has the number of its term for a code, others have one below 0. Nearly
 * every document brings a code that no other has, so nothing here is an object for each.
 */
function createTerms(analyser: Analyser) {
  const table = createValueTable()
  /** How terms were written, where that differs. */
  const shownForms = new Map<number, string>()
  /** The words of runs that are several: twice the number of the term, and one more where it is at the next position. */
  const several = createNumbers()
  const begins = createNumbers()
  push(begins, 0)

  function idOf({ term, shown }: Word): number {
    const id = table.numberOf(term)
    if (shown !== term && !shownForms.has(id)) shownForms.set(id, shown)
    return id
  }
  function learn(run: string): number {
    const words = analyser.wordsOfRun(run)
    if (words.length === 1 && words[0]!.step === 1) return idOf(words[0]!)
    for (const word of words) push(several, idOf(word) * 2 + word.step)
    push(begins, several.length)
    return 1 - begins.length
  }
  return {
    runs: createRunTable(learn),
    /** Visits the words of a run that is several; returns how many positions they take. */
    eachOf(code: number, visit: (term: number, step: 0 | 1) => void): number {
      let steps = 0
      for (let i = begins.data[-code - 1]!; i < begins.data[-code]!; i++) {
        const step = (several.data[i]! & 1) as 0 | 1
        visit(several.data[i]! >>> 1, step)
        steps += step
      }
      return steps
    },
    all: table.values,
    shownOf: (id: number) => shownForms.get(id),
  }
}
