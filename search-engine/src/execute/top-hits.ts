/**
 * The top hits by score, over all segments. Matchers read the minimum competitive score, so that most documents need not be
 * scored.
 */
import type { Segment } from '../segment/segment.ts'
import type { Hits } from './hits.ts'

/** A document that may be on the page. */
export interface Candidate {
  readonly segment: Segment
  readonly doc: number
  readonly id: number
  readonly score: number
}

export interface TopHits {
  /** Documents with a lower score cannot be on the page. */
  readonly minScore: number
  add(segment: Segment, doc: number, score: number): void
  /** Highest score first; ties are broken by ID. */
  finish(): Candidate[]
}

/** Minimum number of additional candidates before the list is sorted and truncated. */
const minSurplus = 44

export function createTopHits(limit: number): TopHits {
  const capacity = limit + Math.max(limit, minSurplus)
  const candidates: Candidate[] = []
  let minScore = 0
  let minScoreId = Infinity
  function cut(): void {
    candidates.sort((a, b) => b.score - a.score || a.id - b.id)
    if (candidates.length > limit) candidates.length = limit
    if (candidates.length === limit)
      ({ score: minScore, id: minScoreId } = candidates.at(-1) ?? { score: Infinity, id: 0 })
  }
  return {
    get minScore() {
      return minScore
    },
    add(segment, doc, score) {
      const id = segment.ids[doc]!
      // In a catalogue of short names nearly all documents may have the same score.
      if (score === minScore && id > minScoreId) return
      candidates.push({ segment, doc, id, score })
      if (candidates.length === capacity) cut()
    },
    finish() {
      cut()
      return candidates
    },
  }
}

/** Adds the scores of matching documents to `sums`, by index. */
export type Score = (hits: Hits, sums: Float32Array) => void

/** Adds all hits of a segment; without `score` their score is 0. */
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
