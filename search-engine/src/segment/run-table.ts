/**
 * Maps the runs of a text (tokenize.ts) to codes without creating a string for each: a catalogue has hundreds of millions of
 * runs, but only some hundred thousand distinct ones. Characters are hashed while they are read, and compared with a pool of
 * known runs.
 *
 *   text     rote Schuhe         slots    .  r  .  .  s  .       by hash: hash, offset in the pool, length, code
 *            ^--^ ^----^         pool     r o t e S c h u h e
 */
import { laterLetters, letterKinds, otherLetter, runLetter, runs } from '../analysis/tokenize.ts'

interface RunTable {
  /** Finds the runs of a text and returns their number; their codes are the first entries of `codes()`. */
  read(text: string): number
  codes(): Int32Array
}

const offsetBasis = 0x811c9dc5
const prime = 0x01000193
/** All data of a slot is adjacent, so that a look-up touches one cache line. */
const perSlot = 4

/** `learn` returns the code of a new run. */
export function createRunTable(learn: (run: string) => number): RunTable {
  let slots = new Int32Array(256 * perSlot)
  let pool = new Uint16Array(512)
  let pooled = 0
  let known = 0
  let codes = new Int32Array(64)
  let count = 0

  const firstSlot = (hash: number) => Math.imul(hash ^ (hash >>> 15), perSlot) & (slots.length - 1)

  function put(text: string, from: number, to: number, hash: number): void {
    if (count === codes.length) codes = grown(codes, codes.length * 2)
    codes[count++] = codeOf(text, from, to, hash)
  }
  function codeOf(text: string, from: number, to: number, hash: number): number {
    const length = to - from
    let slot = firstSlot(hash)
    for (; slots[slot + 2] !== 0; slot = (slot + perSlot) & (slots.length - 1)) {
      if (slots[slot] === hash && slots[slot + 2] === length && isSame(slots[slot + 1]!, text, from, to))
        return slots[slot + 3]!
    }
    return add(text, from, to, hash, slot)
  }
  function isSame(start: number, text: string, from: number, to: number): boolean {
    for (let i = from, at = start; i < to; i++, at++) if (pool[at] !== text.charCodeAt(i)) return false
    return true
  }
  function add(text: string, from: number, to: number, hash: number, slot: number): number {
    const length = to - from
    // Copy the string: a slice would keep the whole text in memory.
    const code = learn(Buffer.from(text.slice(from, to)).toString())
    if (pooled + length > pool.length) pool = grown(pool, Math.max(pool.length * 2, pooled + length))
    slots.set([hash, pooled, length, code], slot)
    for (let i = from; i < to; i++) pool[pooled++] = text.charCodeAt(i)
    if (++known * 2 * perSlot > slots.length) growSlots()
    return code
  }
  function growSlots(): void {
    const before = slots
    slots = new Int32Array(before.length * 2)
    for (let at = 0; at < before.length; at += perSlot) {
      if (before[at + 2] === 0) continue
      let slot = firstSlot(before[at]!)
      while (slots[slot + 2] !== 0) slot = (slot + perSlot) & (slots.length - 1)
      slots.set(before.subarray(at, at + perSlot), slot)
    }
  }
  function readLetters(text: string): void {
    for (let at = 0; at < text.length;) {
      let code = text.charCodeAt(at)
      if (letterKinds[code] !== runLetter) {
        at++
        continue
      }
      const from = at
      let hash = offsetBasis | 0
      // A joiner belongs to the run only if a letter follows.
      for (;;) {
        hash = Math.imul(hash ^ code, prime)
        if (++at >= text.length) break
        code = text.charCodeAt(at)
        const kind = letterKinds[code]
        if (kind === runLetter) continue
        if (kind === otherLetter || at + 1 >= text.length || letterKinds[text.charCodeAt(at + 1)] !== runLetter) break
      }
      put(text, from, at, hash)
    }
  }
  return {
    codes: () => codes,
    read(text) {
      count = 0
      if (!laterLetters.test(text)) readLetters(text)
      else for (const run of text.match(runs) ?? []) put(run, 0, run.length, hashOf(run))
      return count
    },
  }
}

function hashOf(text: string): number {
  let hash = offsetBasis | 0
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), prime)
  return hash
}

function grown<T extends Int32Array | Uint16Array>(array: T, length: number): T {
  const larger = new (array.constructor as new (length: number) => T)(length)
  larger.set(array)
  return larger
}
