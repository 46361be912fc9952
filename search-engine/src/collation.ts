/**
 * The order of texts, by ICU and nowhere else: numbers in text by their value (`9 mm` before `10 mm`), letters as the
 * locale sorts them (ñ after n in Spanish, å ä ö after z in Swedish).
 */
import { placesInOrder } from './text-order.ts'
import { byCodeUnit } from './values.ts'

export interface Collation {
  /** A total order: texts that ICU takes for equal are told apart by their code units. */
  compare(a: string, b: string): number
  /** The coarser order of GT, GE, LT and LE, which know no case as EQ does. */
  rank(a: string, b: string): number
  /** About where a letter that is not ASCII sorts: é as e; ñ, in Spanish, after all that goes on with n; ж after z. */
  letterOf(letter: string): string
}

/** Makes a collation once per locale. */
export function createCollations(): (locale: string) => Collation {
  const made = new Map<string, Collation>()
  return (locale) => {
    const known = made.get(locale)
    if (known) return known
    const fine = new Intl.Collator(tagOf(locale), { numeric: true })
    const coarse = new Intl.Collator(tagOf(locale), { numeric: true, sensitivity: 'accent' })
    const collation: Collation = {
      compare: (a, b) => fine.compare(a, b) || byCodeUnit(a, b),
      rank: (a, b) => coarse.compare(a, b),
      letterOf: createLetters(new Intl.Collator(tagOf(locale), { sensitivity: 'base' })),
    }
    made.set(locale, collation)
    return collation
  }
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz'

function createLetters(base: Intl.Collator): (letter: string) => string {
  const known = new Map<string, string>()
  return (letter) => {
    let found = known.get(letter)
    if (found === undefined) {
      const before = [...alphabet].filter((each) => base.compare(each, letter) <= 0).at(-1) ?? ''
      found = before && base.compare(before, letter) === 0 ? before : `${before}\x7f${letter}`
      known.set(letter, found)
    }
    return found
  }
}

/**
 * The order of distinct texts, as their places. ICU is slow, so texts are first put in the order of a key that is nearly
 * the collation's; then the sort of arrays, which finds what is in order already, asks ICU about once for each.
 */
export function collatedOrder(texts: readonly string[], { compare, letterOf }: Collation): Uint32Array {
  const keys = texts.map((text) => roughKey(text, letterOf))
  const order = Array.from(placesInOrder(keys))
  return Uint32Array.from(order.sort((a, b) => compare(texts[a]!, texts[b]!)))
}

function roughKey(text: string, letterOf: (letter: string) => string): string {
  const lower = text.toLowerCase()
  const plain = /[^\x20-\x7e]/.test(lower) ? lower.replace(/[^\x20-\x7e]/g, letterOf) : lower
  return /\d/.test(plain) ? plain.replace(/\d+/g, (digits) => digits.replace(/^0+/, '').padStart(16, '0')) : plain
}

/** `en_GB` as ICU names it; what ICU does not know sorts by its root order. */
function tagOf(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale.replaceAll('_', '-'))[0] ?? 'und'
  } catch {
    return 'und'
  }
}
