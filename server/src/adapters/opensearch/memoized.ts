/** Remembers results by key; forgets all of them when there are too many. */
export function memoized<T>(make: (key: string) => T, most = 20_000): (key: string) => T {
  const known = new Map<string, T>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    if (known.size >= most) known.clear()
    const made = make(key)
    known.set(key, made)
    return made
  }
}
