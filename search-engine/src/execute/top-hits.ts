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

export interface TopHits {
  /** What scores less cannot come onto the page. */
  readonly minScore: number
  add(segment: Segment, doc: number, score: number): void
  /** The highest score first; the id decides between equals. */
  finish(): Candidate[]
}

/** So many more than wanted are noted before the worse ones are left out. */
const leastAhead = 44

export function createTopHits(wanted: number): TopHits {
  const scratch = wanted + Math.max(wanted, leastAhead)
  const candidates: Candidate[] = []
  let minScore = 0
  let barId = Infinity
  function cut(): void {
    candidates.sort((a, b) => b.score - a.score || a.id - b.id)
    if (candidates.length > wanted) candidates.length = wanted
    if (candidates.length === wanted) ({ score: minScore, id: barId } = candidates.at(-1) ?? { score: Infinity, id: 0 })
  }
  return {
    get minScore() {
      return minScore
    },
    add(segment, doc, score) {
      const id = segment.ids[doc]!
      // In a catalogue of short names nearly all documents may score the same.
      if (score === minScore && id > barId) return
      candidates.push({ segment, doc, id, score })
      if (candidates.length === scratch) cut()
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
export function addHits(topHits: TopHits, segment: Segment, hits: Hits, score: Score | undefined): void {
  const scores = new Float32Array(hits.count)
  score?.(hits, scores)
  let { minScore } = topHits
  for (let i = 0; i < hits.count; i++) {
    if (scores[i]! < minScore) continue
    topHits.add(segment, hits.docs[i]!, scores[i]!)
    minScore = topHits.minScore
  }
}
