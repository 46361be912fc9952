/** A short memory of answers, so that a question asked on every request is not asked of the database each time. */
/** Answers kept by key for `maxAge` milliseconds, counted from the question. */
export function createMemory<T>(ask: (key: string) => Promise<T>, maxAge: number) {
  const known = new Map<string, { answer: Promise<T>; at: number }>()
  const most = 10_000
  return {
    get(key: string): Promise<T> {
      const now = performance.now()
      const found = known.get(key)
      if (found && now - found.at < maxAge) return found.answer
      const answer = ask(key)
      known.delete(key) // so that the map stays in the order of asking, and its first is its oldest
      known.set(key, { answer, at: now })
      if (known.size > most) known.delete(known.keys().next().value!)
      answer.catch(() => known.delete(key))
      return answer
    },
    forget(keys: readonly string[]): void {
      for (const key of keys) known.delete(key)
    },
    clear: () => known.clear(),
  }
}
