/** A cache with a time to live, for look-ups that every request needs: sessions, roles, clients. */

const maxEntries = 10_000

/** Caches the results of `load` by key for `maxAge` milliseconds, counted from the start of the load. */
export function createTtlCache<T>(load: (key: string) => Promise<T>, maxAge: number) {
  const entries = new Map<string, { value: Promise<T>; at: number }>()
  return {
    get(key: string): Promise<T> {
      const now = performance.now()
      const found = entries.get(key)
      if (found && now - found.at < maxAge) return found.value
      const value = load(key)
      entries.delete(key) // keeps the map in the order of loading, so that its first entry is the oldest
      entries.set(key, { value, at: now })
      if (entries.size > maxEntries) entries.delete(entries.keys().next().value!)
      value.catch(() => entries.delete(key))
      return value
    },
    forget(keys: readonly string[]): void {
      for (const key of keys) entries.delete(key)
    },
    clear: () => entries.clear(),
  }
}
