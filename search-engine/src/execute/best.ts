/**
 * The first page by score, of all segments at once. What is found is told how high a score must be to come onto the
 * page, so that most documents need not even be scored.
 */
import type { Segment } from '../segment/segment.ts'
import type { Hits } from './hits.ts'

/** A document that may come onto the page. */
export interface Candidate {
  readonly segment: Segment
  readonly doc: number
  readonly id: number
  readonly score: number
}

export interface Selection {
  /** What scores less cannot come onto the page. */
  readonly bar: number
  add(segment: Segment, doc: number, score: number): void
  /** The highest score first; the id decides between equals. */
  finish(): Candidate[]
}

/** So many more than wanted are noted before the worse ones are left out. */
const leastAhead = 44

export function selectBest(wanted: number): Selection {
  const room = wanted + Math.max(wanted, leastAhead)
  const candidates: Candidate[] = []
  let bar = 0
  let barId = Infinity
  function cut(): void {
    candidates.sort((a, b) => b.score - a.score || a.id - b.id)
    if (candidates.length > wanted) candidates.length = wanted
    if (candidates.length === wanted) ({ score: bar, id: barId } = candidates.at(-1) ?? { score: Infinity, id: 0 })
  }
  return {
    get bar() {
      return bar
    },
    add(segment, doc, score) {
      const id = segment.ids[doc]!
      // In a catalogue of short names nearly all documents may score the same.
      if (score === bar && id > barId) return
      candidates.push({ segment, doc, id, score })
      if (candidates.length === room) cut()
    },
    finish() {
      cut()
      return candidates
    },
  }
}

/** Adds what documents score, all of which match, to sums by their places. */
export type Score = (hits: Hits, sums: Float32Array) => void

/** Adds all hits of a segment; without `score` they have none. */
export function addScored(selection: Selection, segment: Segment, hits: Hits, score: Score | undefined): void {
  const scores = new Float32Array(hits.count)
  score?.(hits, scores)
  let { bar } = selection
  for (let i = 0; i < hits.count; i++) {
    if (scores[i]! < bar) continue
    selection.add(segment, hits.docs[i]!, scores[i]!)
    bar = selection.bar
  }
}
