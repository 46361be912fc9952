/** Random numbers that depend only on the seed, so that a run can be repeated. */
export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number
  pick<T>(list: readonly T[]): T
  chance(share: number): boolean
  bytes(length: number): Buffer
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    pick: (list) => list[below(list.length)]!,
    chance: (share) => next() < share,
    bytes(length) {
      const bytes = Buffer.allocUnsafe(length)
      for (let i = 0; i < length; i++) bytes[i] = below(256)
      return bytes
    },
  }
}
