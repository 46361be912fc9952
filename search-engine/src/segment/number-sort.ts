/**
 * Radix sort of numbers, sixteen bits per pass from the lowest to the highest. Each pass is stable. A double is sorted by its
 * 64 bits, whose order matches the numbers after the sign is adjusted:
 *
 *   3.5     0 1000...    ->   1 1000...
 *   -3.5    1 1000...    ->   0 0111...
 */

const partsOfNumber = 4
const lastPart = partsOfNumber - 1
const partSize = 0x10000

/** Fewer numbers are sorted by comparison. */
const maxCompared = 4096

/** Sorts indexes into `values` by value; equal values keep their order. There must be no NaN. */
export function sortByValue(values: Float64Array, indexes: Uint32Array): Uint32Array {
  if (indexes.length <= maxCompared) return indexes.sort((a, b) => values[a]! - values[b]! || a - b)
  const parts = new Uint16Array(values.buffer, values.byteOffset, values.length * partsOfNumber)
  let [from, to]: [Uint32Array, Uint32Array] = [indexes, new Uint32Array(indexes.length)]
  for (let part = 0; part < partsOfNumber; part++) {
    const next = startsOf(parts, from, part)
    if (!next) continue
    for (let i = 0; i < from.length; i++) to[next[partOf(parts, from[i]!, part)]!++] = from[i]!
    ;[from, to] = [to, from]
  }
  return from
}

/** The start of each bucket; undefined if all numbers are in the same bucket. */
function startsOf(parts: Uint16Array, indexes: Uint32Array, part: number): Uint32Array | undefined {
  const starts = new Uint32Array(partSize + 1)
  for (let i = 0; i < indexes.length; i++) starts[partOf(parts, indexes[i]!, part) + 1]!++
  if (starts[partOf(parts, indexes[0]!, part) + 1] === indexes.length) return undefined
  for (let i = 0; i < partSize; i++) starts[i + 1]! += starts[i]!
  return starts
}

/** Little-endian: the last part contains the sign. */
function partOf(parts: Uint16Array, index: number, part: number): number {
  const at = index * partsOfNumber
  const isBelowZero = parts[at + lastPart]! >= 0x8000
  return isBelowZero ? parts[at + part]! ^ 0xffff : part === lastPart ? parts[at + part]! | 0x8000 : parts[at + part]!
}
