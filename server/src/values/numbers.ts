/**
 * Numbers as texts: of any number of digits, never rounded. Every notation becomes one stored form, so that equal numbers
 * are equal texts.
 *
 *   +01.50 → 1.5      1e3 → 1000      -0 → 0      .5 → 0.5
 */

const storedNumber = /^(?:0|-?(?:[1-9]\d{0,99}(?:\.\d{0,99}[1-9])?|0\.\d{0,99}[1-9]))$/
const anyNumber = /^([+-]?)0*(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/
/** Longer texts are refused unread: the expressions above take time that grows with the length. */
const maxLength = 1000
const maxDigits = 400

/** The stored form of a number, or undefined if the text is not a number. */
export function readNumber(text: string): string | undefined {
  if (storedNumber.test(text)) return text // most numbers are sent in the stored form
  if (text.length > maxLength || !/^\s*[+-]?\.?\d/.test(text)) return undefined
  const parts = anyNumber.exec(text.trim())
  if (!parts) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point > maxDigits || digits.length - point > maxDigits) return undefined
  const left = digits.slice(0, Math.max(point, 0)).padEnd(point, '0').replace(/^0+/, '') || '0'
  const right = (point < 0 ? '0'.repeat(-point) : '') + digits.slice(Math.max(point, 0))
  const number = `${left}.${right}`.replace(/\.?0*$/, '')
  return sign === '-' && number !== '0' ? `-${number}` : number
}

export const isWholeNumber = (stored: string) => !stored.includes('.')

/** Compares two numbers in stored form; exact for any number of digits. */
export function compareNumbers(a: string, b: string): number {
  const [aMinus, bMinus] = [a.startsWith('-'), b.startsWith('-')]
  if (aMinus !== bMinus) return aMinus ? -1 : 1
  return aMinus ? compareMagnitudes(b.slice(1), a.slice(1)) : compareMagnitudes(a, b)
}

function compareMagnitudes(a: string, b: string): number {
  const [aWhole = '', aFraction = ''] = a.split('.')
  const [bWhole = '', bFraction = ''] = b.split('.')
  if (aWhole.length !== bWhole.length) return aWhole.length - bWhole.length
  return compareTexts(aWhole, bWhole) || compareTexts(aFraction, bFraction)
}

export const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
