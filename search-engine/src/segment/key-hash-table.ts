/**
 * A hash table over sorted keys. It looks up a long list of keys without a binary search for each, which would miss the
 * CPU cache at every step. Built at first use, in milliseconds; six to twelve bytes per key.
 *
 *   slots    .  7  .  .  3  .       by hash: the first position of a key + 1, and in the upper bits the rest of the hash,
 *                                   which rejects most missing keys without reading the key at that position
 */
import { equalAt, type Strings } from './strings.ts'

/** Keys to look up, with their hashes, which are computed once for all segments. */
export interface HashedKeys {
  readonly keys: readonly Uint8Array[]
  readonly hashes: Int32Array
}
export function hashKeys(keys: readonly Uint8Array[]): HashedKeys {
  return { keys, hashes: Int32Array.from(keys, (key) => hashOf(key, 0, key.length)) }
}

export interface KeyTable {
  /** The positions of the keys; missing keys are skipped. */
  findAll(targets: HashedKeys): number[]
}

export function createKeyTable(keys: Strings): KeyTable {
  const { count } = keys
  /** The bits of a slot that hold the position. */
  const positionMask = 2 ** Math.ceil(Math.log2(count + 1)) - 1
  const slots = fillSlots(keys, positionMask)
  const mask = slots.length - 1
  return {
    findAll({ keys: targets, hashes }) {
      const found: number[] = []
      // Most slots are not in the CPU cache. Independent reads overlap, so read all of them first.
      const first = new Int32Array(hashes.length)
      for (let i = 0; i < first.length; i++) first[i] = slots[hashes[i]! & mask]!
      for (let i = 0; i < hashes.length; i++) {
        const hash = hashes[i]!
        for (let entry = first[i]!, slot = hash & mask; entry !== 0; entry = slots[(slot = (slot + 1) & mask)]!) {
          let position = (entry & positionMask) - 1
          if (((entry ^ hash) & ~positionMask) !== 0 || !equalAt(keys, position, targets[i]!)) continue
          do found.push(position++)
          while (position < count && equalAt(keys, position, targets[i]!))
          break
        }
      }
      return found
    },
  }
}

function fillSlots(keys: Strings, positionMask: number): Int32Array {
  const { bytes, starts, count } = keys
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(count * 1.5 + 1)))
  const mask = slots.length - 1
  for (let position = 0; position < count; position++) {
    // Equal keys are adjacent; only the first gets a slot.
    if (position > 0 && equalAt(keys, position, bytes.subarray(starts[position - 1]!, starts[position]! - 1))) continue
    const hash = hashOf(bytes, starts[position]!, starts[position + 1]! - 1)
    let slot = hash & mask
    while (slots[slot] !== 0) slot = (slot + 1) & mask
    slots[slot] = (hash & ~positionMask) | (position + 1)
  }
  return slots
}

/** FNV-1a. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5 | 0
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193)
  return hash ^ (hash >>> 15)
}
