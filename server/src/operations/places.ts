/**
 * Places for concurrent requests, shared fairly.
 *
 * A holder (a user, an address, all anonymous callers together) may take a percentage of the places that the other holders
 * leave. One greedy user with a share of 50 % gets half of the places, two get a third each, and a newcomer gets a place
 * as long as one is free: the more a holder has taken, the sooner it is refused.
 */

/** `share`: from 0 to 1. */
export interface Holder {
  readonly kind: 'user' | 'address' | 'anonymous'
  readonly name: string
  readonly share: number
}

export interface Taken {
  /** How many more the caller could take now. */
  readonly left: number
  release(): void
}

/** Nothing was taken: a holder of this kind has its share, or no place is free. */
export interface Refused {
  readonly by: Holder['kind'] | 'full'
  /** The places of that holder. */
  readonly held: number
}

export interface Places {
  readonly total: number
  taken(): number
  /** Takes one place, which counts for all the holders. */
  take(holders: readonly Holder[]): Taken | Refused
}

export function createPlaces(total: number): Places {
  const counts = new Map<string, number>()
  let taken = 0
  const heldBy = ({ kind, name }: Holder) => counts.get(`${kind} ${name}`) ?? 0
  const add = ({ kind, name }: Holder, by: number) => {
    const key = `${kind} ${name}`
    const now = (counts.get(key) ?? 0) + by
    if (now === 0) counts.delete(key)
    else counts.set(key, now)
  }
  /** Rounded up, so that everybody can take the last place. */
  const leftOf = (holder: Holder) => {
    const held = heldBy(holder)
    return Math.ceil(holder.share * (total - taken + held)) - held
  }
  return {
    total,
    taken: () => taken,
    take(holders) {
      const greedy = holders.find((holder) => leftOf(holder) <= 0)
      if (greedy) return { by: heldBy(greedy) === 0 ? 'full' : greedy.kind, held: heldBy(greedy) }
      taken++
      for (const holder of holders) add(holder, 1)
      let isHeld = true
      return {
        left: Math.max(0, Math.min(...holders.map(leftOf))),
        release() {
          if (!isHeld) return
          isHeld = false
          taken--
          for (const holder of holders) add(holder, -1)
        },
      }
    },
  }
}
