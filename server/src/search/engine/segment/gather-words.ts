/**
 * Gathers the words of one locale while documents come by, and writes them in the end. Postings come by document and
 * are wanted by term: they are logged as they come, and put in order by counting.
 *
 *   log        term 7  doc 0  spread 1  positions up to 3        one entry for each term of a document
 *              term 2  doc 0  spread 1  positions up to 4
 *              term 7  doc 1 ...
 */
import type { Analyser } from '../analysis/analyse.ts'
import { createBytes, createNumbers, push, putVarint, type Numbers } from './bytes.ts'
import type { Sections } from './container.ts'
import { createRunTable } from './runs.ts'
import { sortTexts } from './strings.ts'
import { createTextWriter } from './text-writer.ts'

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
  const log = { terms: createNumbers(), docs: createNumbers(), spreads: createNumbers(), ends: createNumbers() }
  const positions = createBytes()
  const lengths = { docs: createNumbers(), words: createNumbers() }

  function logTerm(term: number, doc: number): void {
    push(log.terms, term)
    push(log.docs, doc)
    push(log.spreads, occurrences.spreadOf(term, writer, positions))
    push(log.ends, positions.length)
  }
  return {
    add(text, field, position) {
      let at = position
      terms.each(text, (term, step) => occurrences.add(term, field, (at += step)))
      return at
    },
    endDocument(doc) {
      if (occurrences.count() === 0) return
      push(lengths.docs, doc)
      push(lengths.words, occurrences.count())
      occurrences.drain((term) => logTerm(term, doc))
    },
    write(out, name, maxDoc) {
      const { order, starts } = sortLog(log.terms, terms.count())
      for (const { term, shown, id } of terms.sorted()) {
        writer.beginTerm(term, shown)
        for (let i = starts[id]!; i < starts[id + 1]!; i++) {
          const entry = order[i]!
          const from = entry > 0 ? log.ends.data[entry - 1]! : 0
          writer.posting(log.docs.data[entry]!, log.spreads.data[entry]!, positions.data, from, log.ends.data[entry]!)
        }
      }
      const words = new Uint32Array(maxDoc)
      for (let i = 0; i < lengths.docs.length; i++) words[lengths.docs.data[i]!] = lengths.words.data[i]!
      writer.finish(out, name, words, analyser.stem)
    },
  }
}

/** The terms of texts by number; what a run comes to is looked up once. */
function createTerms(analyser: Analyser) {
  const table = createRunTable()
  const ids = new Map<string, number>()
  const shownForms: string[] = []
  /** By run: the one word it is, or -1 when it is several or none. */
  const single: number[] = []
  const several = new Map<number, readonly { readonly term: number; readonly step: 0 | 1 }[]>()

  function idOf(term: string, shown: string): number {
    const known = ids.get(term)
    if (known !== undefined) {
      if (shown !== term && shownForms[known] === term) shownForms[known] = shown
      return known
    }
    ids.set(term, ids.size)
    return shownForms.push(shown) - 1
  }
  function learn(run: number): void {
    const words = analyser
      .wordsOfRun(table.textOf(run))
      .map(({ term, shown, step }) => ({ term: idOf(term, shown), step }))
    const [only] = words
    single[run] = words.length === 1 && only!.step === 1 ? only!.term : -1
    if (single[run] < 0) several.set(run, words)
  }
  return {
    each(text: string, visit: (term: number, step: number) => void): void {
      table.each(text, (run) => {
        if (run >= single.length) learn(run)
        const only = single[run]!
        if (only >= 0) visit(only, 1)
        else for (const { term, step } of several.get(run)!) visit(term, step)
      })
    },
    count: () => ids.size,
    sorted: () => sortTexts([...ids], ([term]) => term).map(([term, id]) => ({ term, id, shown: shownForms[id]! })),
  }
}

/** Where the terms of one document stand. The occurrences of a term form a chain: head -> next -> next. */
function createOccurrences() {
  let heads = new Int32Array(64).fill(-1)
  let tails = new Int32Array(64)
  const touched = createNumbers()
  const chain = { fields: createNumbers(), positions: createNumbers(), next: createNumbers() }
  let used = 0
  const none = 0xffffffff

  function reserve(term: number): void {
    if (term < heads.length) return
    const grown = new Int32Array(Math.max(heads.length * 2, term + 1)).fill(-1)
    grown.set(heads)
    heads = grown
    const grownTails = new Int32Array(grown.length)
    grownTails.set(tails)
    tails = grownTails
  }
  return {
    count: () => used,
    add(term: number, field: number, position: number): void {
      reserve(term)
      push(chain.fields, field)
      push(chain.positions, position)
      push(chain.next, none)
      if (heads[term]! < 0) {
        heads[term] = used
        push(touched, term)
      } else {
        chain.next.data[tails[term]!] = used
      }
      tails[term] = used++
    },
    /** The number of a term's spread, and its positions written. */
    spreadOf(
      term: number,
      writer: ReturnType<typeof createTextWriter>,
      positions: ReturnType<typeof createBytes>,
    ): number {
      const { fields, positions: at, next } = chain
      const head = heads[term]!
      if (next.data[head] === none) {
        putVarint(positions, at.data[head]!)
        return writer.single(fields.data[head]!)
      }
      const spread: number[] = []
      let previous = 0
      for (let i = head; i !== none; i = next.data[i]!) {
        if (spread.at(-2) === fields.data[i]) spread[spread.length - 1]!++
        else {
          spread.push(fields.data[i]!, 1)
          previous = 0
        }
        putVarint(positions, at.data[i]! - previous)
        previous = at.data[i]!
      }
      return writer.spread(spread)
    },
    /** Visits each term once, and begins anew. */
    drain(visit: (term: number) => void): void {
      for (let i = 0; i < touched.length; i++) {
        visit(touched.data[i]!)
        heads[touched.data[i]!] = -1
      }
      touched.length = chain.fields.length = chain.positions.length = chain.next.length = used = 0
    },
  }
}

/** The entries of the log by term, those of one term in the order they came. */
function sortLog(terms: Numbers, distinct: number): { order: Uint32Array; starts: Uint32Array } {
  const starts = new Uint32Array(distinct + 1)
  for (let i = 0; i < terms.length; i++) starts[terms.data[i]! + 1]!++
  for (let i = 0; i < distinct; i++) starts[i + 1]! += starts[i]!
  const next = starts.slice()
  const order = new Uint32Array(terms.length)
  for (let i = 0; i < terms.length; i++) order[next[terms.data[i]!]!++] = i
  return { order, starts }
}
