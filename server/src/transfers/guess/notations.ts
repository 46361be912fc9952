/** The notation of numbers, dates and words for yes and no, from cells of columns with such values. */
import { dateFormatFault, notationOf, wordKey } from '../notation.ts'
import type { Profile } from '../options.ts'
import { Problem } from '../../errors.ts'
import { booleanWords } from './words.ts'

type Numbers = Pick<Profile, 'decimal' | 'thousands'>

const signs = /[.,'’\s\u00a0\u2009\u202f]/g
const digits = /^[^\d.,+-]*[+-]?(\d[\d.,'’\s\u00a0\u2009\u202f]*\d|\d)[^\d]*$/

/** `prefersComma`: for cells such as 1.234 that can be read in two ways. */
export function numbersOf(cells: readonly string[], prefersComma: boolean): Numbers {
  const votes = { ',': 0, '.': 0 }
  const grouped = new Set<string>()
  const unclear = new Set<string>()
  for (const cell of cells) {
    const [, number = ''] = digits.exec(cell.trim()) ?? []
    const found = number.match(signs) ?? []
    const last = found.at(-1)
    if (last === undefined) continue
    const isGroup = /[^.,]/.test(last) || found.filter((sign) => sign === last).length > 1
    if (!isGroup && found.length === 1 && /^\d{1,3}[.,]\d{3}$/.test(number)) {
      unclear.add(last)
      continue
    }
    if (!isGroup) votes[last as ',' | '.']++
    for (const sign of isGroup ? found : found.slice(0, -1)) grouped.add(sign)
  }
  const others = [...grouped].map((sign) => (/[.,]/.test(sign) ? sign : /['’]/.test(sign) ? "'" : ' '))
  const decimal = decimalOf(votes, others, unclear, prefersComma)
  // A sign that can only separate groups of three, because the other one is decimal.
  const group = others.find((sign) => sign !== decimal) ?? [...unclear].find((sign) => sign !== decimal)
  return {
    ...(decimal === ',' && { decimal }),
    ...(group !== undefined && { thousands: group as NonNullable<Numbers['thousands']> }),
  }
}

function decimalOf(
  votes: Readonly<Record<',' | '.', number>>,
  grouped: readonly string[],
  unclear: ReadonlySet<string>,
  prefersComma: boolean,
): ',' | '.' {
  if (votes[','] !== votes['.']) return votes[','] > votes['.'] ? ',' : '.'
  if (grouped.includes('.')) return ','
  if (grouped.includes(',')) return '.'
  if (unclear.size > 0) return prefersComma ? ',' : '.'
  return '.'
}

const days = ['DD.MM.YYYY', 'D.M.YYYY', 'DD/MM/YYYY', 'D/M/YYYY', 'MM/DD/YYYY', 'M/D/YYYY', 'DD-MM-YYYY', 'D-M-YYYY', 'YYYY/MM/DD', 'YYYY.MM.DD', 'YYYYMMDD'] // prettier-ignore
const dateFormats = days.flatMap((day) => [day, `${day} HH:mm`, `${day} HH:mm:ss`])
if (dateFormats.some((format) => dateFormatFault(format))) throw new Error('a date format that no profile can have')

/** The first format that fits all cells, or most of them: one wrong cell must not decide. Undefined for ISO 8601. */
export function dateFormatOf(cells: readonly string[]): string | undefined {
  const written = cells.filter((cell) => cell.trim() !== '' && !/^\d{4}-\d\d-\d\d(T|$)/.test(cell.trim()))
  if (written.length === 0) return undefined
  const fits = dateFormats.map((format) => ({ format, count: written.filter(readable({ dateFormat: format })).length }))
  const [first] = fits.toSorted((a, b) => b.count - a.count)
  return first!.count * 2 > written.length ? first!.format : undefined
}

function readable(profile: Profile) {
  const { read } = notationOf(profile, '', 'date')!
  return (cell: string) => {
    try {
      read(cell)
      return true
    } catch (error) {
      if (error instanceof Problem) return false
      throw error
    }
  }
}

export function booleansOf(cells: readonly string[]): Pick<Profile, 'trueWords' | 'falseWords'> {
  const found = new Set(cells.map(wordKey))
  const pairs = booleanWords.filter(([isTrue, isFalse]) => found.has(isTrue) || (found.has(isFalse) && isFalse !== 'n'))
  const all = pairs.length > 0 ? pairs : found.has('n') ? [['y', 'n'] as const] : []
  if (all.length === 0) return {}
  return { trueWords: [...new Set(all.map(([word]) => word))], falseWords: [...new Set(all.map(([, word]) => word))] }
}
