/**
 * Where keys stand in a sorted table, by hash: a list of many keys is looked up without a binary search for each, which
 * misses the cache at every step. Made when it is first asked for, in milliseconds; four to eight bytes a key.
 *
 *   slots    .  7  .  .  3  .       by hash: the first place of a key + 1
 */
import { equalAt, type Strings } from './strings.ts'

export interface KeyTable {
  /** The first place of a key, or -1. */
  find(key: Uint8Array): number
}

export function createKeyTable(keys: Strings): KeyTable {
  const { bytes, starts, count } = keys
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(count * 1.5 + 1)))
  const mask = slots.length - 1
  for (let place = 0; place < count; place++) {
    // Equal keys stand together.
    if (place > 0 && equalAt(keys, place, bytes.subarray(starts[place - 1]!, starts[place]! - 1))) continue
    let slot = hashOf(bytes, starts[place]!, starts[place + 1]! - 1) & mask
    while (slots[slot] !== 0) slot = (slot + 1) & mask
    slots[slot] = place + 1
  }
  return {
    find(key) {
      for (let slot = hashOf(key, 0, key.length) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
        if (equalAt(keys, slots[slot]! - 1, key)) return slots[slot]! - 1
      }
      return -1
    },
  }
}

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5 | 0
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193)
  return hash ^ (hash >>> 15)
}
