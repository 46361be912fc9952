/**
 * The distinct values of a column by number, stored as bytes: a million strings would keep the garbage collector busy while a
 * segment is built.
 *
 *   slots    .  7  .  .  3  .       by hash: hash, number + 1
 *   pool     a b c a b d x          their UTF-8 bytes, from starts[number]
 */
import { createNumbers, push } from './bytes.ts'

interface ValueTable {
  numberOf(value: string): number
  /** All values by number. */
  values(): string[]
}

const offsetBasis = 0x811c9dc5 | 0
const prime = 0x01000193
const perSlot = 2

export function createValueTable(): ValueTable {
  let slots = new Int32Array(16 * perSlot)
  let pool = Buffer.alloc(256)
  const starts = createNumbers()
  push(starts, 0)

  /** Appends a value, which is kept only if it is new; returns its end. */
  function write(value: string): number {
    const start = starts.data[starts.length - 1]!
    if (start + value.length * 3 > pool.length) {
      const larger = Buffer.alloc(Math.max(pool.length * 2, start + value.length * 3))
      larger.set(pool)
      pool = larger
    }
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i)
      if (code > 127) return start + pool.write(value, start)
      pool[start + i] = code
    }
    return start + value.length
  }
  function isSame(number: number, start: number, end: number): boolean {
    let at = starts.data[number]!
    if (starts.data[number + 1]! - at !== end - start) return false
    for (let i = start; i < end; i++) if (pool[at++] !== pool[i]) return false
    return true
  }
  const firstSlot = (hash: number) => Math.imul(hash ^ (hash >>> 15), perSlot) & (slots.length - 1)

  function grow(): void {
    const before = slots
    slots = new Int32Array(before.length * 2)
    for (let at = 0; at < before.length; at += perSlot) {
      if (before[at + 1] === 0) continue
      let slot = firstSlot(before[at]!)
      while (slots[slot + 1] !== 0) slot = (slot + perSlot) & (slots.length - 1)
      slots[slot] = before[at]!
      slots[slot + 1] = before[at + 1]!
    }
  }
  return {
    numberOf(value) {
      const start = starts.data[starts.length - 1]!
      const end = write(value)
      let hash = offsetBasis
      for (let i = start; i < end; i++) hash = Math.imul(hash ^ pool[i]!, prime)
      let slot = firstSlot(hash)
      for (; slots[slot + 1] !== 0; slot = (slot + perSlot) & (slots.length - 1)) {
        if (slots[slot] === hash && isSame(slots[slot + 1]! - 1, start, end)) return slots[slot + 1]! - 1
      }
      slots[slot] = hash
      slots[slot + 1] = starts.length
      push(starts, end)
      if (starts.length * 2 * perSlot > slots.length) grow()
      return starts.length - 2
    },
    values: () =>
      Array.from({ length: starts.length - 1 }, (_, i) => pool.toString('utf8', starts.data[i], starts.data[i + 1])),
  }
}
