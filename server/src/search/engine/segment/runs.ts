/**
 * The runs of a text (tokenize.ts) by number, without making a string of each: a catalogue has hundreds of millions of
 * runs and some hundred thousand different ones. Letters are hashed while they are read, and compared in a pool of the
 * runs that are known.
 *
 *   text     rote Schuhe         slots    .  2  .  .  1  .       by hash: number + 1 of a run
 *            ^--^ ^----^         pool     r o t e S c h u h e    its letters, from starts[number]
 */
import { isRunPart, joinsRuns, runs } from '../analysis/tokenize.ts'
import { createNumbers, push } from './bytes.ts'

export interface RunTable {
  /** Calls for every run of a text, in order. */
  each(text: string, visit: (run: number) => void): void
  textOf(run: number): string
}

const other = 0
const part = 1
const joiner = 2
/** Letters up to here are looked up; texts with others are cut by the regular expression. */
const lastLetter = 0x24f
const laterLetters = /[\u0250-\uffff]/
const kinds = Uint8Array.from({ length: lastLetter + 1 }, (_, code) => {
  const letter = String.fromCharCode(code)
  return isRunPart(letter) ? part : joinsRuns(letter) ? joiner : other
})
const offsetBasis = 0x811c9dc5
const prime = 0x01000193

export function createRunTable(): RunTable {
  let slots = new Int32Array(256)
  let pool = new Uint16Array(512)
  const starts = createNumbers()
  const hashes = createNumbers()
  push(starts, 0)

  function isSame(run: number, text: string, from: number, to: number): boolean {
    let at = starts.data[run]!
    if (starts.data[run + 1]! - at !== to - from) return false
    for (let i = from; i < to; i++) if (pool[at++] !== text.charCodeAt(i)) return false
    return true
  }
  function numberOf(text: string, from: number, to: number, hash: number): number {
    const mask = slots.length - 1
    let slot = (hash ^ (hash >>> 15)) & mask
    for (; slots[slot]! > 0; slot = (slot + 1) & mask) {
      const run = slots[slot]! - 1
      if (hashes.data[run] === hash >>> 0 && isSame(run, text, from, to)) return run
    }
    return add(text, from, to, hash, slot)
  }
  function add(text: string, from: number, to: number, hash: number, slot: number): number {
    const run = hashes.length
    let at = starts.data[run]!
    if (at + to - from > pool.length) {
      const grown = new Uint16Array(Math.max(pool.length * 2, at + to - from))
      grown.set(pool)
      pool = grown
    }
    for (let i = from; i < to; i++) pool[at++] = text.charCodeAt(i)
    push(starts, at)
    push(hashes, hash)
    slots[slot] = run + 1
    if (run * 2 > slots.length) grow()
    return run
  }
  function grow(): void {
    const grown = new Int32Array(slots.length * 4)
    const mask = grown.length - 1
    for (let run = 0; run < hashes.length; run++) {
      const hash = hashes.data[run]!
      let slot = (hash ^ (hash >>> 15)) & mask
      while (grown[slot]! > 0) slot = (slot + 1) & mask
      grown[slot] = run + 1
    }
    slots = grown
  }
  function hashed(text: string): number {
    let hash = offsetBasis
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), prime)
    return hash
  }
  return {
    each(text, visit) {
      if (laterLetters.test(text)) {
        for (const run of text.match(runs) ?? []) visit(numberOf(run, 0, run.length, hashed(run)))
        return
      }
      for (let at = 0; at < text.length;) {
        let code = text.charCodeAt(at)
        if (kinds[code] !== part) {
          at++
          continue
        }
        const from = at
        let hash = offsetBasis
        // A joiner belongs to the run only when the run goes on behind it.
        for (;;) {
          hash = Math.imul(hash ^ code, prime)
          if (++at >= text.length) break
          code = text.charCodeAt(at)
          const kind = kinds[code]
          if (kind === part) continue
          if (kind === other || at + 1 >= text.length || kinds[text.charCodeAt(at + 1)] !== part) break
        }
        visit(numberOf(text, from, at, hash))
      }
    },
    textOf: (run) => String.fromCharCode(...pool.subarray(starts.data[run], starts.data[run + 1])),
  }
}
