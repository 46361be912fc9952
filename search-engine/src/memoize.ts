/** Caching of computed values by key. */

export function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const cached = map.get(key)
  if (cached !== undefined) return cached
  const value = make()
  map.set(key, value)
  return value
}

/** Calls `compute` once per key, which is the input itself unless `keyOf` is given. */
export function memoize<I, V>(
  compute: (input: I) => V,
  keyOf: (input: I) => unknown = (input) => input,
): (input: I) => V {
  const cache = new Map<unknown, V>()
  return (input) => getOrMake(cache, keyOf(input), () => compute(input))
}
