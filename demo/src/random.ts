/** A seeded random number generator, so that the demo is the same on every machine. */
export interface Random {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number
  /** An integer from `least` to `most`, both inclusive. */
  integer(least: number, most: number): number
  pick<T>(list: readonly T[]): T
  /** `count` different items, in the order of the list. */
  sample<T>(list: readonly T[], count: number): T[]
  /** True with the given probability. */
  likely(share: number): boolean
}

export function createRandom(seed: number): Random {
  // splitmix32
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
  const integer = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    integer,
    pick: (list) => list[integer(0, list.length - 1)]!,
    sample(list, count) {
      const left = new Set(list.map((_, i) => i))
      while (left.size > count) left.delete([...left][integer(0, left.size - 1)]!)
      return [...left].map((i) => list[i]!)
    },
    likely: (share) => next() < share,
  }
}
