/**
 * Gathers what a segment is made of, document by document in ascending order, and writes it. Both makers of segments use
 * it: build.ts from documents, merge.ts from other segments.
 */
import type { Analyser } from '../analysis/analyse.ts'
import type { Collation } from '../collation.ts'
import { createBytes, createNumbers, push, putVarint, type Numbers } from './bytes.ts'
import type { Sections } from './container.ts'
import { writeKeywordColumn } from './keyword-column.ts'
import { writeNumberColumn } from './number-column.ts'
import { createTextWriter } from './text-writer.ts'

export interface KeywordGatherer {
  idOf(value: string): number
  add(doc: number, id: number): void
  write(out: Sections, name: string, maxDoc: number, collation: Collation): void
}

export function gatherKeywords(): KeywordGatherer {
  const ids = new Map<string, number>()
  const owners = createNumbers()
  const added = createNumbers()
  return {
    idOf(value) {
      const known = ids.get(value)
      if (known !== undefined) return known
      ids.set(value, ids.size)
      return ids.size - 1
    },
    add(doc, id) {
      push(owners, doc)
      push(added, id)
    },
    write(out, name, maxDoc, collation) {
      const raw = {
        values: [...ids.keys()],
        offsets: offsetsOf(owners, maxDoc),
        ids: added.data.slice(0, added.length),
      }
      writeKeywordColumn(out, name, raw, collation)
    },
  }
}

export interface NumberGatherer {
  add(doc: number, value: number): void
  write(out: Sections, name: string, maxDoc: number): void
}

export function gatherNumbers(): NumberGatherer {
  const owners = createNumbers()
  const values: number[] = []
  return {
    add(doc, value) {
      push(owners, doc)
      values.push(value)
    },
    write(out, name, maxDoc) {
      writeNumberColumn(out, name, { offsets: offsetsOf(owners, maxDoc), values: Float64Array.from(values) })
    },
  }
}

export interface PresenceGatherer {
  add(doc: number): void
  write(out: Sections, name: string, maxDoc: number): void
}

/** Long texts: only whether there is one. */
export function gatherPresence(): PresenceGatherer {
  const owners = createNumbers()
  return {
    add: (doc) => push(owners, doc),
    write(out, name, maxDoc) {
      const present = new Uint8Array(maxDoc)
      for (let i = 0; i < owners.length; i++) present[owners.data[i]!] = 1
      out.set(`${name}.present`, present)
    },
  }
}

/** Where the entries of each document begin; the owners are in ascending order. */
function offsetsOf(owners: Numbers, maxDoc: number): Uint32Array {
  const offsets = new Uint32Array(maxDoc + 1)
  for (let i = 0; i < owners.length; i++) offsets[owners.data[i]! + 1]!++
  for (let doc = 0; doc < maxDoc; doc++) offsets[doc + 1]! += offsets[doc]!
  return offsets
}

export interface WordGatherer {
  /** A run of text at a position; returns the position after it. Fields of a document come in ascending order. */
  add(run: string, field: number, position: number): number
  endDocument(doc: number): void
  write(out: Sections, name: string, maxDoc: number): void
}

/** The words of a run by their numbers, looked up once per run: most runs of a catalogue come again and again. */
interface KnownRun {
  readonly ids: readonly number[]
  readonly steps: readonly number[]
}

/**
 * Postings come by document and are wanted by term. They are logged as they come, and put in order by counting.
 * Within a document the occurrences of a term form a chain: head -> next -> next.
 */
export function gatherWords(analyser: Analyser): WordGatherer {
  const writer = createTextWriter()
  const runs = new Map<string, KnownRun>()
  const ids = new Map<string, number>()
  const shownForms: string[] = []
  const log = {
    terms: createNumbers(),
    docs: createNumbers(),
    spreads: createNumbers(),
    ends: createNumbers(),
  }
  const positions = createBytes()
  const lengths = { docs: createNumbers(), words: createNumbers() }
  const heads: number[] = []
  const tails: number[] = []
  const touched: number[] = []
  const chain: { field: number; position: number; next: number }[] = []
  let used = 0

  function idOf(term: string, shown: string): number {
    const known = ids.get(term)
    if (known !== undefined) {
      if (shown !== term && shownForms[known] === term) shownForms[known] = shown
      return known
    }
    const id = ids.size
    ids.set(term, id)
    shownForms.push(shown)
    heads.push(-1)
    tails.push(-1)
    return id
  }
  function knownRun(run: string): KnownRun {
    const known = runs.get(run)
    if (known) return known
    const words = analyser.wordsOfRun(run)
    const made = { ids: words.map(({ term, shown }) => idOf(term, shown)), steps: words.map(({ step }) => step) }
    runs.set(run, made)
    return made
  }
  function addWord(id: number, field: number, position: number): void {
    const link = (chain[used] ??= { field: 0, position: 0, next: -1 })
    link.field = field
    link.position = position
    link.next = -1
    if (heads[id]! < 0) {
      heads[id] = used
      touched.push(id)
    } else {
      chain[tails[id]!]!.next = used
    }
    tails[id] = used++
  }
  function logPosting(term: number, doc: number): void {
    const spread: number[] = []
    let previous = 0
    for (let i = heads[term]!; i >= 0; i = chain[i]!.next) {
      const { field, position } = chain[i]!
      if (spread.at(-2) === field) spread[spread.length - 1]!++
      else {
        spread.push(field, 1)
        previous = 0
      }
      putVarint(positions, position - previous)
      previous = position
    }
    push(log.terms, term)
    push(log.docs, doc)
    push(log.spreads, writer.spread(spread))
    push(log.ends, positions.length)
    heads[term] = -1
  }

  return {
    add(run, field, position) {
      const { ids: words, steps } = knownRun(run)
      let at = position
      for (let i = 0; i < words.length; i++) addWord(words[i]!, field, (at += steps[i]!))
      return at
    },
    endDocument(doc) {
      if (used === 0) return
      for (const term of touched) logPosting(term, doc)
      push(lengths.docs, doc)
      push(lengths.words, used)
      touched.length = 0
      used = 0
    },
    write(out, name, maxDoc) {
      const terms = [...ids].sort(([a], [b]) => (a < b ? -1 : 1))
      const { order, starts } = sortLog(log.terms, ids.size)
      for (const [term, id] of terms) {
        writer.beginTerm(term, shownForms[id]!)
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
