/**
 * Sort keys: texts whose code points sort as ICU collates, so that OpenSearch sorts by locale without a plugin.
 *
 *   "Rot 10"   ->   weights of r o t space 10   1   accents   1   case   1   Rot 10
 *
 * ICU offers comparisons to JavaScript, but no keys. So the letters of a locale are sorted once by its collator, and their
 * ranks become weights. Two texts differ first in their letters, then in accents, then in case, then in code units, and
 * the parts of a key have this order. Numbers are compared by value. The text itself is the end of its key, from which
 * facets read it. A letter with two accents sorts by the first; ICU prefers the one that makes it another letter.
 */

import { memoized } from './memoized.ts'

/** Below every weight. */
const end = '\u0001'
/** The first weight; the space above `end` is unused. */
const base = 0x20
/** Marks a letter without a weight of its own: its code point follows. */
const unranked = '\uf8ff'

interface Weights {
  /** Empty for letters that do not count on this level. */
  readonly letter: string
  readonly accent: string
  readonly variant: string
}

export interface CollationKeys {
  /** The key of a text, which ends with the text. */
  keyOf(text: string): string
  /** Keys of texts that equal this one apart from case begin with this. */
  rankOf(text: string): string
}

/** The text that a key was made of: what follows the three levels. */
export function textOfKey(key: string): string {
  let from = 0
  for (let level = 0; level < 3; level++) from = key.indexOf(end, from) + 1
  return key.slice(from)
}
/** Above every key that begins with `rank`, and below the keys of texts with other letters or accents. */
export const afterRank = (rank: string) => `${rank.slice(0, -1)}${String.fromCodePoint(end.codePointAt(0)! + 1)}`

export function createCollationKeys(locale: string): CollationKeys {
  const { weights, contractions, number } = readAlphabet(locale)
  const pieces = new RegExp(`${[...contractions, String.raw`\d+`].join('|')}|.`, 'gsu')

  function levels(text: string): [letters: string, accents: string, variants: string] {
    let [letters, accents, variants] = ['', '', '']
    for (const piece of text.normalize('NFD').match(pieces) ?? []) {
      const weight = isDigit(piece) ? number(piece) : (weights.get(piece) ?? beyond(piece))
      letters += weight.letter
      accents += weight.accent
      variants += weight.variant
    }
    return [letters, trimmed(accents), trimmed(variants)]
  }
  return {
    // Many values repeat: brands, colours, states.
    keyOf: memoized((text) => [...levels(text), text].join(end)),
    rankOf: (text) => `${levels(text).slice(0, 2).join(end)}${end}`,
  }
}

function isDigit(piece: string): boolean {
  const code = piece.charCodeAt(0)
  return code >= 0x30 && code <= 0x39
}

/** Without the last letters that have no accent, or are small: most texts have nothing else. */
const trimmed = (level: string) => level.replace(/ +$/, '')

/** Letters outside of the alphabet, such as Chinese ones, sort after it by their code points. */
function beyond(piece: string): Weights {
  return { letter: `${unranked}${piece}`, accent: rank(0), variant: rank(0) }
}

const rank = (number: number) => String.fromCodePoint(base + number)

const collators = (locale: string) => {
  const tag = locale.replaceAll('_', '-')
  const known = Intl.Collator.supportedLocalesOf([tag]).length > 0 ? tag : 'und'
  const by = (sensitivity: 'base' | 'accent' | 'variant') => {
    const { compare } = new Intl.Collator(known, { numeric: true, sensitivity })
    return compare
  }
  return { letters: by('base'), accents: by('accent'), variants: by('variant') }
}

/** Ranges of code points that get weights: alphabetic scripts, punctuation, symbols, full-width and mathematical letters. */
const ranked: readonly [from: number, to: number][] = [
  [0x01, 0x30ff],
  [0xa640, 0xa7ff],
  [0xab30, 0xab6f],
  [0xfb00, 0xfb4f],
  [0xff00, 0xffef],
  [0xfff9, 0xffff],
  [0x1d400, 0x1d7ff],
]
/** These sort after all letters. */
const firstSpecial = 0xfff9
const isOrdinary = /^[^\p{Cn}\p{Cs}\p{Co}0-9]$/u

function* candidates(): Generator<string> {
  yield '0'
  for (const [from, to] of ranked) {
    for (let code = from; code <= to; code++) {
      const letter = String.fromCodePoint(code)
      if (isOrdinary.test(letter) || code >= firstSpecial) yield letter
    }
  }
}

/** Letters that stand for several, unless the locale treats them as a letter of their own. */
const ligatures: Readonly<Record<string, string>> = { æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', ß: 'ss', ẞ: 'SS' }

const known = new Map<string, ReturnType<typeof makeAlphabet>>()

/** Takes a tenth of a second, so each locale is read once. */
function readAlphabet(locale: string) {
  const alphabet = known.get(locale) ?? makeAlphabet(locale)
  known.set(locale, alphabet)
  return alphabet
}

function makeAlphabet(locale: string) {
  const { letters, accents, variants } = collators(locale)
  const whole = [...candidates()]
  /** Letters with accents are read as letter and accent, unless they are letters of their own, such as ö in Swedish. */
  const composed = whole
    .map((letter) => letter.normalize('NFD'))
    .filter((letter) => [...letter].length > 1 && letters(letter, [...letter][0]!) !== 0)
  const contractions = [...contractionsOf(letters), ...composed]
  const expanded: [letter: string, as: string][] = []
  const plain = whole.filter((letter) => letter.normalize('NFD') === letter)
  const single = [...plain, ...contractions].filter((letter) => {
    const as = ligatures[letter] ?? letter.normalize('NFKD')
    const isExpanded = [...as].length > 1 && !contractions.includes(letter) && letters(letter, as) === 0
    if (isExpanded) expanded.push([letter, as])
    return !isExpanded
  })
  single.sort((a, b) => variants(a, b))
  const weights = new Map<string, Weights>()
  let [letter, accent, variant] = [0, 0, 0]
  single.forEach((each, i) => {
    const before = single[i - 1] ?? ''
    if (letters(before, each) !== 0) [letter, accent, variant] = [letter + 1, 0, 0]
    else if (accents(before, each) !== 0) [accent, variant] = [accent + 1, 0]
    else if (variants(before, each) !== 0) variant++
    weights.set(each, {
      letter: each.codePointAt(0)! >= firstSpecial && each.length === 1 ? each : letter > 0 ? rank(letter) : '',
      // Letters without a weight of their own are accents, which follow the letter that they belong to.
      accent: letter > 0 || accent > 0 ? rank(letter > 0 ? accent : accent + accentsFrom) : '',
      variant: letter > 0 || accent > 0 || variant > 0 ? rank(variant) : '',
    })
  })
  shorten(weights)
  for (const [each, as] of expanded) weights.set(each, expandedWeights(weights, each, as, accents))
  const zero = weights.get('0')!
  return {
    weights,
    contractions: contractions.toSorted((a, b) => b.length - a.length),
    /** Its weight, then the number of digits, then the digits. */
    number(digits: string): Weights {
      const value = digits.replace(/^0+/, '')
      const shown = Array.from(value, (digit) => rank(Number(digit))).join('')
      return { ...zero, letter: zero.letter + rank(Math.min(value.length, 0x500)) + shown }
    },
  }
}

/**
 * Gives the letters a to z a single byte each, and the others one of these and their rank, because Lucene compares texts
 * of at most a thousand bytes.
 */
function shorten(weights: Map<string, Weights>): void {
  const anchors = [...new Set(Array.from(alphabet, (each) => weights.get(each)?.letter ?? ''))].sort()
  for (const [each, weight] of weights) {
    if (weight.letter === '' || weight.letter === each) continue
    const before = anchors.findLastIndex((anchor) => anchor <= weight.letter)
    const isAnchor = anchors[before] === weight.letter
    const slot = String.fromCodePoint(firstSlot + 2 * before + (isAnchor ? 0 : 1))
    weights.set(each, { ...weight, letter: isAnchor ? slot : slot + weight.letter })
  }
}
const firstSlot = 0x30

/** Accents of letters rank below accents that are characters of their own, which always follow a letter. */
const accentsFrom = 0x100

function expandedWeights(
  weights: ReadonlyMap<string, Weights>,
  letter: string,
  as: string,
  accents: (a: string, b: string) => number,
): Weights {
  const parts = Array.from(as, (each) => weights.get(each) ?? beyond(each))
  const all = (level: keyof Weights) => parts.map((part) => part[level]).join('')
  const differs = accents(letter, as) !== 0
  return {
    letter: all('letter'),
    // After the same letters without a ligature.
    accent: differs ? rank(accentsFrom - 1) + all('accent').slice(1) : all('accent'),
    // After small letters and before capital ones.
    variant: differs ? all('variant') : rank(1) + all('variant').slice(1),
  }
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz'

/** Pairs of letters that sort as a letter of their own, such as ch in Czech: they sort after every other such pair. */
function contractionsOf(letters: (a: string, b: string) => number): string[] {
  const both = alphabet + alphabet.toUpperCase()
  return [...both].flatMap((first) =>
    [...both]
      .filter((second) => letters(first + second, `${first}${/z/i.test(second) ? 'zz' : 'z'}`) > 0)
      .map((second) => first + second),
  )
}
