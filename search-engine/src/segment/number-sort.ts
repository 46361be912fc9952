/**
 * Sorts numbers without comparing them, sixteen bits at a time from the last to the first: each walk puts the places in
 * order by one part of their numbers, and keeps the order of the walk before where that part is equal. A number is taken
 * as the 64 bits it is kept in, which have the order of the numbers when the sign is turned:
 *
 *   3.5     0 1000...    ->   1 1000...
 *   -3.5    1 1000...    ->   0 0111...
 */

const partsOfNumber = 4
const lastPart = partsOfNumber - 1
const partSize = 0x10000

/** So few are compared. */
const fewPlaces = 4096

/** Sorts places in a table of numbers, none of them NaN, by their number, and equal ones as they were. */
export function sortByValue(values: Float64Array, places: Uint32Array): Uint32Array {
  if (places.length <= fewPlaces) return places.sort((a, b) => values[a]! - values[b]! || a - b)
  const parts = new Uint16Array(values.buffer, values.byteOffset, values.length * partsOfNumber)
  let [from, to]: [Uint32Array, Uint32Array] = [places, new Uint32Array(places.length)]
  for (let part = 0; part < partsOfNumber; part++) {
    const next = startsOf(parts, from, part)
    if (!next) continue
    for (let i = 0; i < from.length; i++) to[next[partOf(parts, from[i]!, part)]!++] = from[i]!
    ;[from, to] = [to, from]
  }
  return from
}

/** Where those with each part begin; nothing when all have the same. */
function startsOf(parts: Uint16Array, places: Uint32Array, part: number): Uint32Array | undefined {
  const starts = new Uint32Array(partSize + 1)
  for (let i = 0; i < places.length; i++) starts[partOf(parts, places[i]!, part) + 1]!++
  if (starts[partOf(parts, places[0]!, part) + 1] === places.length) return undefined
  for (let i = 0; i < partSize; i++) starts[i + 1]! += starts[i]!
  return starts
}

/** Little-endian: the last part has the sign. */
function partOf(parts: Uint16Array, place: number, part: number): number {
  const at = place * partsOfNumber
  const isBelowZero = parts[at + lastPart]! >= 0x8000
  return isBelowZero ? parts[at + part]! ^ 0xffff : part === lastPart ? parts[at + part]! | 0x8000 : parts[at + part]!
}
