/**
 * Identifiers with a check digit. They are stored without the spaces and hyphens that people write between the digits.
 *
 *   gtin   4 006381 333931      4006381333931       8, 12, 13 or 14 digits (EAN, UPC)
 *   isbn   978-3-16-148410-0    9783161484100       10 or 13 digits
 */
import type { identifierSchemes } from '@kontor/contract'

type Scheme = (typeof identifierSchemes)[number]

interface SchemeRules {
  readonly expected: string
  /** The check digit for each length of an identifier, from the signs before it. */
  readonly checkDigits: ReadonlyMap<number, (signs: string) => string>
  readonly prefix?: RegExp
}

/** From the right, digits count three times and once in turn; the check digit makes the sum a multiple of ten. */
function gs1Digit(digits: string): string {
  let sum = 0
  for (let i = 0; i < digits.length; i++) sum += Number(digits.at(-1 - i)) * (i % 2 === 0 ? 3 : 1)
  return String((10 - (sum % 10)) % 10)
}

/** The old form with ten signs: weights from ten down to two, modulo eleven; X means ten. */
function isbn10Digit(digits: string): string {
  const sum = [...digits].reduce((total, digit, i) => total + Number(digit) * (10 - i), 0)
  const rest = (11 - (sum % 11)) % 11
  return rest === 10 ? 'X' : String(rest)
}

const gs1 = (...lengths: number[]) => new Map(lengths.map((length) => [length, gs1Digit]))

const schemes: Readonly<Record<Scheme, SchemeRules>> = {
  gtin: { expected: 'a GTIN of 8, 12, 13 or 14 digits', checkDigits: gs1(8, 12, 13, 14) },
  isbn: {
    expected: 'an ISBN of 10 digits, or of 13 that begin with 978 or 979',
    checkDigits: new Map([[10, isbn10Digit], ...gs1(13)]),
    prefix: /^(?=.{10}$|97[89])/,
  },
  gln: { expected: 'a GLN of 13 digits', checkDigits: gs1(13) },
  sscc: { expected: 'an SSCC of 18 digits', checkDigits: gs1(18) },
}

const separators = /[\s‐‑–-]/g
/** Longer texts are refused unread. */
const maxLength = 100
/** Of identifiers without a scheme: they are in an index of the database, whose entries have at most 2,700 bytes. */
const maxFree = 500

const freeRules = {
  read(text: string) {
    const stored = text.normalize('NFC').trim()
    return stored !== '' && stored.length <= maxFree ? stored : undefined
  },
  expected: `an identifier of 1 to ${maxFree} characters`,
  hint: (text: string) => `it has ${text.trim().length} characters`,
}

export function identifierRules(scheme: Scheme | undefined) {
  if (scheme === undefined) return freeRules
  const { expected, checkDigits, prefix } = schemes[scheme]
  const partsOf = (text: string) => {
    const signs = text.length > maxLength ? '' : text.replace(separators, '').toUpperCase()
    const digitOf = checkDigits.get(signs.length)
    const body = signs.slice(0, -1)
    if (!digitOf || !/^\d+$/.test(body) || !/[\dX]$/.test(signs) || prefix?.test(signs) === false) return undefined
    return { signs, digit: digitOf(body) }
  }
  return {
    read(text: string) {
      const parts = partsOf(text)
      return parts && parts.signs.endsWith(parts.digit) ? parts.signs : undefined
    },
    expected,
    hint(text: string) {
      const parts = partsOf(text)
      return parts && `its check digit is wrong: ${parts.signs.slice(0, -1)} needs ${parts.digit}; correct the number`
    },
  }
}
