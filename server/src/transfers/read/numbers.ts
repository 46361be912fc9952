/**
 * Numbers of a workbook as people see them.
 *
 * Workbooks store numbers in binary and write up to 17 digits of them: 1.1 as 1.1000000000000001. Spreadsheet programs show
 * 15 digits at most, so 15 are read. Formats that change the digits apply: 15% is stored as 0.15, and a code of ten zeros
 * shows a number with leading zeros.
 */

/** How a cell style shows numbers, if not as they are. `digits`: with leading zeros up to this length. */
export type NumberFormat = 'date' | 'time' | 'percent' | { readonly digits: number }

/** Digits that are the same in decimal and in binary. */
const precision = 15

/** Of a custom format; undefined for formats that only round, group or colour. */
export function formatOf(code: string): NumberFormat | undefined {
  const shown = code.replaceAll(/"[^"]*"|\[(?!h+\]|m+\]|s+\])[^\]]*\]|[\\_*]./gi, '')
  if (/[yd]/i.test(shown)) return 'date'
  if (/[hs]/i.test(shown)) return 'time'
  const [positive = ''] = code.split(';', 1)
  if (/^0{2,}$/.test(positive)) return { digits: positive.length }
  return shown.includes('%') ? 'percent' : undefined
}

/** With a decimal point. */
export function numberText(stored: string, format: NumberFormat | undefined): string {
  if (format === 'percent') {
    const share = Number(stored)
    return Number.isFinite(share) ? `${plain(share * 100)}%` : stored
  }
  const text = isExact(stored) ? stored : plainText(stored)
  return typeof format === 'object' && /^\d+$/.test(text) ? text.padStart(format.digits, '0') : text
}

/** Whether the digits are those that were entered. Whole numbers of any length are kept. */
const isExact = (text: string) => /^-?\d+$/.test(text) || (text.length <= precision && /^-?\d+\.\d*[1-9]$/.test(text))

function plainText(stored: string): string {
  const number = Number(stored)
  return Number.isFinite(number) ? plain(number) : stored
}

/** Without an exponent, unless the number is very small. */
function plain(number: number): string {
  const rounded = Number(number.toPrecision(precision))
  if (rounded !== 0 && Math.abs(rounded) < 1e-5) return String(rounded)
  return decimal.format(rounded)
}
/** Made once, because making it takes many times as long as writing a number. */
const decimal = new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: 20 })
