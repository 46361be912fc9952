/**
 * Sets of ordinals, for columns with several values per document. Many documents have the same values, so each distinct set is
 * stored once and a document stores its number. Filters and facets evaluate a set once for all its documents.
 *
 *   held      2 1 2 0          by document, the number of its set; 0 is the empty set
 *   starts    0 0 2 5          by set, the start of its ordinals
 *   ords      3 7  1 3 9       ascending
 */
import { createNumbers, finishNumbers, push } from './bytes.ts'
import type { Integers, Reader } from './container.ts'

export interface OrdinalSets {
  readonly count: number
  readonly starts: Uint32Array
  readonly ords: Integers
}

/** Numbers the distinct sets. Document d has the ordinals ords[offsets[d]..offsets[d + 1]]. */
export function buildOrdinalSets(offsets: Uint32Array, ords: Uint32Array) {
  const documents = offsets.length - 1
  const held = new Uint32Array(documents)
  const starts = createNumbers()
  const kept = createNumbers()
  // The empty set.
  push(starts, 0)
  push(starts, 0)
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(documents * 1.5 + 1)))
  const mask = slots.length - 1
  const isSame = (set: number, from: number, to: number) => {
    const start = starts.data[set]!
    if (starts.data[set + 1]! - start !== to - from) return false
    for (let i = from; i < to; i++) if (kept.data[start + i - from] !== ords[i]) return false
    return true
  }
  for (let doc = 0; doc < documents; doc++) {
    const from = offsets[doc]!
    const to = offsets[doc + 1]!
    if (from === to) continue
    let slot = hashOf(ords, from, to) & mask
    while (slots[slot] !== 0 && !isSame(slots[slot]!, from, to)) slot = (slot + 1) & mask
    if (slots[slot] === 0) {
      slots[slot] = starts.length - 1
      for (let i = from; i < to; i++) push(kept, ords[i]!)
      push(starts, kept.length)
    }
    held[doc] = slots[slot]!
  }
  return { held, starts: finishNumbers(starts), ords: finishNumbers(kept) }
}

function hashOf(ords: Uint32Array, from: number, to: number): number {
  let hash = 0x811c9dc5 | 0
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ ords[i]!, 0x9e3779b1)
  return hash ^ (hash >>> 15)
}

/** The presence of sets is often all that is needed, so they are read at first use. */
export function readOrdinalSets(from: Reader, name: string): OrdinalSets {
  let starts: Uint32Array | undefined
  let ords: Integers | undefined
  return {
    get count() {
      return this.starts.length - 1
    },
    get starts() {
      return (starts ??= from.u32(`${name}.starts`))
    },
    get ords() {
      return (ords ??= from.integers(`${name}.ords`))
    },
  }
}
