/**
 * Gathers the words of one locale while documents come by, and writes them in the end. Postings come by document and
 * are wanted by term: each term has a stream of its own (streams.ts), in which a posting stands as it will be written.
 */
import type { Analyser } from '../analysis/analyse.ts'
import { createBytes, createNumbers, push, readVarint, skipVarints, type VarintReader } from './bytes.ts'
import type { Sections } from './container.ts'
import { createOccurrences } from './occurrences.ts'
import { createRunTable } from './runs.ts'
import { createStreams } from './streams.ts'
import { sortTexts } from './strings.ts'
import { createTextWriter, manySpreads, putPosting } from './text-writer.ts'

export interface WordGatherer {
  /** A text at a position; returns the position after it. The texts of a field come one after the other. */
  add(text: string, field: number, position: number): number
  endDocument(doc: number): void
  write(out: Sections, name: string, maxDoc: number): void
}

export function gatherWords(analyser: Analyser): WordGatherer {
  const writer = createTextWriter()
  const terms = createTerms(analyser)
  const occurrences = createOccurrences()
  const streams = createStreams()
  const posting = createBytes()
  /** By term, the document of its last posting. */
  let lastDocs = new Uint32Array(64)
  const lengths = { docs: createNumbers(), words: createNumbers() }

  function addPosting(term: number, first: number, doc: number): void {
    if (term >= lastDocs.length) {
      const more = new Uint32Array(Math.max(lastDocs.length * 2, term + 1))
      more.set(lastDocs)
      lastDocs = more
    }
    posting.length = 0
    putPosting(posting, doc - lastDocs[term]!, occurrences.spreadOf(first, writer))
    occurrences.putPositions(first, posting)
    streams.append(term, posting)
    lastDocs[term] = doc
  }
  return {
    add(text, field, position) {
      let at = position
      const count = terms.runs.read(text)
      const codes = terms.runs.codes()
      for (let i = 0; i < count; i++) {
        const code = codes[i]!
        if (code >= 0) occurrences.add(code, field, ++at)
        else for (const { term, step } of terms.severalOf(code)) occurrences.add(term, field, (at += step))
      }
      return at
    },
    endDocument(doc) {
      if (occurrences.count() === 0) return
      push(lengths.docs, doc)
      push(lengths.words, occurrences.count())
      occurrences.drain((term, first) => addPosting(term, first, doc))
    },
    write(out, name, maxDoc) {
      for (const { term, shown, id } of terms.sorted()) {
        writer.beginTerm(term, shown)
        const { data, length } = streams.read(id)
        const reader: VarintReader = { data, at: 0 }
        for (let doc = 0; reader.at < length;) {
          const gap = readVarint(reader)
          const spread = (gap & manySpreads) === manySpreads ? manySpreads + readVarint(reader) : gap & manySpreads
          const from = reader.at
          reader.at = skipVarints(data, from, writer.occurrencesOf(spread))
          writer.posting((doc += gap >>> 3), spread, data, from, reader.at)
        }
      }
      const words = new Uint32Array(maxDoc)
      for (let i = 0; i < lengths.docs.length; i++) words[lengths.docs.data[i]!] = lengths.words.data[i]!
      writer.finish(out, name, words, analyser.stem)
    },
  }
}

/** The terms of runs by number. A run that is one word has the number of its term for a code, others have one below 0. */
function createTerms(analyser: Analyser) {
  const ids = new Map<string, number>()
  const shownForms: string[] = []
  const several: (readonly { readonly term: number; readonly step: 0 | 1 }[])[] = []

  function idOf(term: string, shown: string): number {
    const known = ids.get(term)
    if (known !== undefined) {
      if (shown !== term && shownForms[known] === term) shownForms[known] = shown
      return known
    }
    ids.set(term, ids.size)
    return shownForms.push(shown) - 1
  }
  function learn(run: string): number {
    const words = analyser.wordsOfRun(run).map(({ term, shown, step }) => ({ term: idOf(term, shown), step }))
    const [only] = words
    return words.length === 1 && only!.step === 1 ? only!.term : -several.push(words)
  }
  return {
    runs: createRunTable(learn),
    severalOf: (code: number) => several[-code - 1]!,
    sorted: () => sortTexts([...ids], ([term]) => term).map(([term, id]) => ({ term, id, shown: shownForms[id]! })),
  }
}
