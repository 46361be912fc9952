/**
 * Growable byte and number buffers, and variable-length integers: seven bits per byte, the high bit marks continuation.
 */

export interface Bytes {
  data: Uint8Array
  length: number
}

export function createBytes(capacity = 64): Bytes {
  return { data: new Uint8Array(capacity), length: 0 }
}

function reserve(bytes: Bytes, more: number): void {
  const needed = bytes.length + more
  if (needed <= bytes.data.length) return
  const grown = new Uint8Array(Math.max(needed, bytes.data.length * 2))
  grown.set(bytes.data.subarray(0, bytes.length))
  bytes.data = grown
}

export function putVarint(bytes: Bytes, value: number): void {
  if (bytes.length + 5 > bytes.data.length) reserve(bytes, 5)
  const { data } = bytes
  let at = bytes.length
  let rest = value
  while (rest > 127) {
    data[at++] = (rest & 127) | 128
    rest >>>= 7
  }
  data[at++] = rest
  bytes.length = at
}

export function putBytes(bytes: Bytes, source: Uint8Array, from: number, to: number): void {
  reserve(bytes, to - from)
  // Usually one or two bytes, for which a loop is faster than creating a view.
  const { data } = bytes
  let at = bytes.length
  for (let i = from; i < to; i++) data[at++] = source[i]!
  bytes.length = at
}

export function finish(bytes: Bytes): Uint8Array {
  return bytes.data.slice(0, bytes.length)
}

/** Reads consecutive varints. */
export interface VarintReader {
  readonly data: Uint8Array
  at: number
}
export function readVarint(reader: VarintReader): number {
  const { data } = reader
  let at = reader.at
  let byte = data[at++]!
  let value = byte & 127
  for (let shift = 7; byte > 127; shift += 7) {
    byte = data[at++]!
    value |= (byte & 127) << shift
  }
  reader.at = at
  return value >>> 0
}
/** Returns the end of `count` varints that begin at `at`. */
export function skipVarints(data: Uint8Array, at: number, count: number): number {
  let end = at
  for (let left = count; left > 0; end++) if (data[end]! < 128) left--
  return end
}

/** A growable array of unsigned integers. */
export interface Numbers {
  data: Uint32Array
  length: number
}
export function createNumbers(capacity = 16): Numbers {
  return { data: new Uint32Array(capacity), length: 0 }
}
export function push(numbers: Numbers, value: number): void {
  if (numbers.length === numbers.data.length) {
    const grown = new Uint32Array(numbers.data.length * 2)
    grown.set(numbers.data)
    numbers.data = grown
  }
  numbers.data[numbers.length++] = value
}
export function finishNumbers(numbers: Numbers): Uint32Array {
  return numbers.data.slice(0, numbers.length)
}

/** A growable array of doubles. */
export interface Doubles {
  data: Float64Array
  length: number
}
export function createDoubles(capacity = 16): Doubles {
  return { data: new Float64Array(capacity), length: 0 }
}
export function pushDouble(doubles: Doubles, value: number): void {
  if (doubles.length === doubles.data.length) {
    const grown = new Float64Array(doubles.data.length * 2)
    grown.set(doubles.data)
    doubles.data = grown
  }
  doubles.data[doubles.length++] = value
}
