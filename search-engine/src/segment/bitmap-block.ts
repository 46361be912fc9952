/**
 * Numbers that stand close together, as bits: the n-th bit is set when the n-th number after a base is among them. Where
 * one stands among the others is told by counting the bits before it.
 */
import { push, type Numbers } from './bytes.ts'

/** `numbers` ascend and count from the base. */
export function writeBitmap(into: Numbers, numbers: Uint32Array, words: number): void {
  const start = into.length
  for (let i = 0; i < words; i++) push(into, 0)
  for (const number of numbers) into.data[start + (number >>> 5)]! |= 1 << (number & 31)
}

/** They are written from a place on. */
export function readBitmap(
  data: Uint32Array,
  from: number,
  words: number,
  base: number,
  into: Uint32Array,
  start: number,
): void {
  let count = start
  for (let i = 0; i < words; i++) {
    const first = base + (i << 5) + 31
    for (let word = data[from + i]!; word !== 0; word &= word - 1) into[count++] = first - Math.clz32(word & -word)
  }
}

/** Where numbers stand among the others. They are asked for in ascending order, so that no bit is counted twice. */
export class BitmapRanks {
  readonly #data: Uint32Array
  #from = 0
  /** The bits of so many words were counted. */
  #words = 0
  #counted = 0

  constructor(data: Uint32Array) {
    this.#data = data
  }

  begin(from: number): void {
    this.#from = from
    this.#words = 0
    this.#counted = 0
  }

  /** How many numbers come before one; -1 when it is not among them. */
  columnLocale(number: number): number {
    const data = this.#data
    const word = number >>> 5
    const bit = 1 << (number & 31)
    const own = data[this.#from + word]!
    if ((own & bit) === 0) return -1
    for (; this.#words < word; this.#words++) this.#counted += popCount(data[this.#from + this.#words]!)
    return this.#counted + popCount(own & (bit - 1))
  }
}

/** How many bits of a word are set. */
export function popCount(word: number): number {
  let rest = word - ((word >>> 1) & 0x55555555)
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333)
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
