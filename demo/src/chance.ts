/** Chance that is always the same: what is drawn depends on the seed alone, so the demo is equal on every machine. */
export interface Chance {
  /** From 0 to 1, without 1. */
  next(): number
  /** A whole number from `least` to `most`. */
  whole(least: number, most: number): number
  pick<T>(list: readonly T[]): T
  /** So many different ones, in the order of the list. */
  some<T>(list: readonly T[], count: number): T[]
  /** True in `share` of the cases. */
  likely(share: number): boolean
}

export function createChance(seed: number): Chance {
  // splitmix32: a counter, well stirred
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x9e3779b9) | 0
    let stirred = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    stirred = Math.imul(stirred ^ (stirred >>> 15), 0x735a2d97)
    return ((stirred ^ (stirred >>> 15)) >>> 0) / 2 ** 32
  }
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    whole,
    pick: (list) => list[whole(0, list.length - 1)]!,
    some(list, count) {
      const left = new Set(list.map((_, i) => i))
      while (left.size > count) left.delete([...left][whole(0, left.size - 1)]!)
      return [...left].map((i) => list[i]!)
    },
    likely: (share) => next() < share,
  }
}
