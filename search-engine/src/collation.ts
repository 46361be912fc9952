/**
 * Sort order of texts, always by ICU: numbers inside text sort by value (`9 mm` before `10 mm`), letters sort as in the
 * locale (ñ after n in Spanish, å ä ö after z in Swedish).
 */
import { memoize } from './memoize.ts'
import { sortedIndexes } from './text-sort.ts'
import { byCodeUnit } from './values.ts'

export interface Collation {
  /** A total order: texts that ICU considers equal are ordered by their code units. */
  compare(a: string, b: string): number
  /** The coarser, case-insensitive order of GT, GE, LT and LE, consistent with EQ. */
  rank(a: string, b: string): number
  /** Approximate ASCII position of another letter: é sorts as e; ñ in Spanish after everything with n; ж after z. */
  approximateLetter(letter: string): string
}

/** Creates each collation once. */
export function createCollations(): (locale: string) => Collation {
  return memoize((locale) => {
    const fine = new Intl.Collator(tagOf(locale), { numeric: true })
    const coarse = new Intl.Collator(tagOf(locale), { numeric: true, sensitivity: 'accent' })
    return {
      compare: (a, b) => fine.compare(a, b) || byCodeUnit(a, b),
      rank: (a, b) => coarse.compare(a, b),
      approximateLetter: createLetters(new Intl.Collator(tagOf(locale), { sensitivity: 'base' })),
    }
  })
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz'

function createLetters(base: Intl.Collator): (letter: string) => string {
  return memoize((letter) => {
    const before = [...alphabet].filter((each) => base.compare(each, letter) <= 0).at(-1) ?? ''
    return before && base.compare(before, letter) === 0 ? before : `${before}\x7f${letter}`
  })
}

/**
 * Sorts distinct texts and returns their indexes. ICU comparisons are slow, so the texts are first sorted by a key that
 * approximates the collation. The final sort then finds long sorted runs and needs about one comparison per text.
 */
export function collatedOrder(texts: readonly string[], { compare, approximateLetter }: Collation): Uint32Array {
  const keys = texts.map((text) => roughKey(text, approximateLetter))
  const order = Array.from(sortedIndexes(keys))
  return Uint32Array.from(order.sort((a, b) => compare(texts[a]!, texts[b]!)))
}

function roughKey(text: string, approximateLetter: (letter: string) => string): string {
  const lower = text.toLowerCase()
  const plain = /[^\x20-\x7e]/.test(lower) ? lower.replace(/[^\x20-\x7e]/g, approximateLetter) : lower
  return /\d/.test(plain) ? plain.replace(/\d+/g, (digits) => digits.replace(/^0+/, '').padStart(16, '0')) : plain
}

/** Converts `en_GB` to a language tag. Unknown locales use ICU's root order. */
function tagOf(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale.replaceAll('_', '-'))[0] ?? 'und'
  } catch {
    return 'und'
  }
}
