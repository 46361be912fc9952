/**
 * Collects the terms of one locale while documents are added, and writes their posting lists at the end. Terms arrive by
 * document and are written by term (occurrence-log.ts).
 */
import type { Analyser, Word } from '../analysis/analyse.ts'
import type { Lexicon } from '../analysis/compounds.ts'
import { createBytes, createNumbers, push, putVarint } from './bytes.ts'
import type { Sections } from './container.ts'
import { createRunTable } from './run-table.ts'
import { byteOrder } from './strings.ts'
import { createTextWriter, type TextWriter } from './text-writer.ts'
import { createValueTable } from './value-table.ts'
import { createOccurrenceLog, type Occurrences } from './occurrence-log.ts'

export interface TermBuilder {
  /** Adds a text of a document at a position; returns the next position. Texts of one field must arrive consecutively. */
  add(doc: number, field: number, position: number, text: string): number
  write(out: Sections, name: string, maxDoc: number): void
}

export function createTermBuilder(analyser: Analyser, lexicon: Lexicon): TermBuilder {
  const terms = createTerms(analyser)
  const log = createOccurrenceLog()
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
      // Intern the most frequent profiles first: small numbers take fewer bits.
      for (const field of log.fields()) writer.single(field)
      const texts = terms.all()
      const occurrences = log.byTerm(texts.length, maxDoc)
      const putPostings = createPostings(writer, occurrences)
      for (const id of byteOrder(texts)) {
        writer.beginTerm(texts[id]!, terms.surfaceOf(id) ?? texts[id]!)
        putPostings(id)
      }
      writer.finish(out, name, occurrences.lengths)
    },
  }
}

/** Writes the occurrences of a term as postings, one per document. */
function createPostings(writer: TextWriter, { starts, positions, docAt, fieldAt }: Occurrences) {
  const bytes = createBytes()

  function putOne(doc: number, from: number, to: number): void {
    const profile: number[] = []
    let before = 0
    bytes.length = 0
    for (let i = from; i < to; i++) {
      if (profile.at(-2) === fieldAt(i)) profile[profile.length - 1]!++
      else {
        profile.push(fieldAt(i), 1)
        before = 0
      }
      putVarint(bytes, positions[i]! - before)
      before = positions[i]!
    }
    writer.posting(doc, writer.profile(profile), bytes.data, 0, bytes.length)
  }
  /** Most terms occur once in a document. */
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
 * Maps runs to term numbers. The code of a run that is a single word is its term number; other runs have negative codes.
 * Nearly every document contains a unique code, so nothing here allocates an object per run.
 */
function createTerms(analyser: Analyser) {
  const table = createValueTable()
  /** Surface forms that differ from their term. */
  const surfaceForms = new Map<number, string>()
  /** The words of multi-word runs: twice the term number, plus one if the position advances. */
  const multiWords = createNumbers()
  const multiStarts = createNumbers()
  push(multiStarts, 0)

  function idOf({ term, surface }: Word): number {
    const id = table.numberOf(term)
    if (surface !== term && !surfaceForms.has(id)) surfaceForms.set(id, surface)
    return id
  }
  function learn(run: string): number {
    const words = analyser.wordsOfRun(run)
    if (words.length === 1 && words[0]!.step === 1) return idOf(words[0]!)
    for (const word of words) push(multiWords, idOf(word) * 2 + word.step)
    push(multiStarts, multiWords.length)
    return 1 - multiStarts.length
  }
  return {
    runs: createRunTable(learn),
    /** Visits the words of a multi-word run; returns the number of positions. */
    eachOf(code: number, visit: (term: number, step: 0 | 1) => void): number {
      let steps = 0
      for (let i = multiStarts.data[-code - 1]!; i < multiStarts.data[-code]!; i++) {
        const step = (multiWords.data[i]! & 1) as 0 | 1
        visit(multiWords.data[i]! >>> 1, step)
        steps += step
      }
      return steps
    },
    all: table.values,
    surfaceOf: (id: number) => surfaceForms.get(id),
  }
}
