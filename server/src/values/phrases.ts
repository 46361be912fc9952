/**
 * Entries of glossaries as sequences of words that are found in texts.
 *
 * Words are compared whole, in lower case and in the compatibility form of Unicode (NFKC). Accents count, because words that
 * differ by one may mean something else. What is between two words (spaces, hyphens, punctuation) does not count: `E-Mail`
 * matches `e mail`. The phrases form a trie, so the time for a text does not grow with the number of entries. It grows with
 * the length of the longest one, so whole paragraphs are left out.
 */
export type Enforcement = 'off' | 'warn' | 'refuse'
export const strictness: Readonly<Record<Enforcement, number>> = { off: 0, warn: 1, refuse: 2 }

/** Words of an entry. Longer ones are not looked for. */
const maxEntryWords = 50

interface Step<T> {
  value?: T
  next?: Map<string, Step<T>>
}
const anyWord = /[\p{L}\p{M}\p{N}]+/gu
export const wordsOf = (text: string): string[] => text.normalize('NFKC').toLowerCase().match(anyWord) ?? []

export class Phrases<T> {
  readonly #root: Step<T> = {}

  /** `choose` gets the value of an equal phrase that was added before. */
  add(phrase: string, choose: (known: T | undefined) => T): void {
    const parts = wordsOf(phrase)
    if (parts.length > maxEntryWords) return
    let step = this.#root
    for (const part of parts) {
      const next = (step.next ??= new Map<string, Step<T>>())
      const known = next.get(part) ?? {}
      next.set(part, known)
      step = known
    }
    step.value = choose(step.value)
  }

  /** The values of the phrases in a text, each once. */
  in(words: readonly string[], most = Infinity): Set<T> {
    const found = new Set<T>()
    for (let at = 0; at < words.length && found.size < most; at++) {
      let step = this.#root.next?.get(words[at]!)
      for (let ahead = at + 1; step; ahead++) {
        if (step.value !== undefined) found.add(step.value)
        step = ahead < words.length ? step.next?.get(words[ahead]!) : undefined
      }
    }
    return found
  }
}
