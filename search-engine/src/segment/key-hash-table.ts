/**
 * Where keys stand in a sorted table, by hash: a list of many keys is looked up without a binary search for each, which
 * misses the cache at every step. Made when it is first asked for (made.ts), in milliseconds; six to twelve bytes a key.
 *
 *   slots    .  7  .  .  3  .       by hash: the first place of a key + 1, and above it the rest of the hash, so that
 *                                   a key that is not there is told without looking at those that are
 */
import { equalAt, type Strings } from './strings.ts'

/** Keys to look up, with their hashes: these are made once for all tables. */
export interface HashedKeys {
  readonly keys: readonly Uint8Array[]
  readonly hashes: Int32Array
}
export function hashKeys(keys: readonly Uint8Array[]): HashedKeys {
  return { keys, hashes: Int32Array.from(keys, (key) => hashOf(key, 0, key.length)) }
}

export interface KeyTable {
  /** The places of those keys that are there. */
  findAll(wanted: HashedKeys): number[]
}

export function buildKeyTable(keys: Strings): Uint32Array {
  const { bytes, starts, count } = keys
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(count * 1.5 + 1)))
  const mask = slots.length - 1
  const placeMask = placesUpTo(count)
  for (let place = 0; place < count; place++) {
    // Equal keys stand together.
    if (place > 0 && equalAt(keys, place, bytes.subarray(starts[place - 1]!, starts[place]! - 1))) continue
    const hash = hashOf(bytes, starts[place]!, starts[place + 1]! - 1)
    let slot = hash & mask
    while (slots[slot] !== 0) slot = (slot + 1) & mask
    slots[slot] = (hash & ~placeMask) | (place + 1)
  }
  return new Uint32Array(slots.buffer)
}

/** The bits of a slot that tell the place. */
function placesUpTo(count: number): number {
  return 2 ** Math.ceil(Math.log2(count + 1)) - 1
}

export function readKeyTable(keys: Strings, made: Uint32Array): KeyTable {
  const { count } = keys
  const slots = new Int32Array(made.buffer, made.byteOffset, made.length)
  const mask = slots.length - 1
  const placeMask = placesUpTo(count)
  return {
    findAll({ keys: wanted, hashes }) {
      const found: number[] = []
      // Most slots are not in the cache: they are read all at once, which takes less than to wait for one after the other.
      const first = new Int32Array(hashes.length)
      for (let i = 0; i < first.length; i++) first[i] = slots[hashes[i]! & mask]!
      for (let i = 0; i < hashes.length; i++) {
        const hash = hashes[i]!
        for (let held = first[i]!, slot = hash & mask; held !== 0; held = slots[(slot = (slot + 1) & mask)]!) {
          if (((held ^ hash) & ~placeMask) !== 0 || !equalAt(keys, (held & placeMask) - 1, wanted[i]!)) continue
          let place = (held & placeMask) - 1
          do found.push(place++)
          while (place < count && equalAt(keys, place, wanted[i]!))
          break
        }
      }
      return found
    },
  }
}

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5 | 0
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193)
  return hash ^ (hash >>> 15)
}
