/**
 * Dates as people of a language write them. A date is an ISO text (2026-11-17), as the interface has it.
 *
 * Typed dates are read in the order of the language: 17.11.2026 or 17/11/2026, with any separator, two or four digits of the
 * year. An ISO date is understood in every language.
 */
type Part = 'year' | 'month' | 'day'

/** English dates are British: the day comes first, as in our other languages. */
const localeOf = (language: string) => (language === 'en' ? 'en-GB' : language)
const numeric = { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' } as const
const isPart = (type: string): type is Part => type === 'year' || type === 'month' || type === 'day'

export const toDate = (iso: string) => new Date(`${iso.slice(0, 10)}T00:00:00Z`)
export const toIso = (date: Date) => date.toISOString().slice(0, 10)
export const isDate = (iso: string) => /^\d{4}-\d\d-\d\d/.test(iso) && !Number.isNaN(toDate(iso).getTime())

export const formatDate = (iso: string, language: string) =>
  isDate(iso) ? new Intl.DateTimeFormat(localeOf(language), numeric).format(toDate(iso)) : iso

/** The pattern of the language, such as "dd/mm/yyyy", in the letters that its readers know. */
export const datePattern = (language: string, lettersOf: (part: Part) => string): string =>
  partsOf(language)
    .map(({ type, value }) => (isPart(type) ? lettersOf(type) : value))
    .join('')

const partsOf = (language: string) =>
  new Intl.DateTimeFormat(localeOf(language), numeric).formatToParts(new Date(Date.UTC(2026, 10, 17)))

/** Returns undefined for a text that is not a date of the calendar. */
export function parseDate(text: string, language: string): string | undefined {
  const numbers = text
    .trim()
    .match(/^(\d{1,4})\D+(\d{1,2})\D+(\d{1,4})\D*$/)
    ?.slice(1)
  if (!numbers) return undefined
  const order: Part[] =
    numbers[0]!.length === 4
      ? ['year', 'month', 'day']
      : partsOf(language).flatMap(({ type }) => (isPart(type) ? [type] : []))
  const [year, month, day] = (['year', 'month', 'day'] as const).map((part) => Number(numbers[order.indexOf(part)]))
  return isoOf(year! < 100 ? 2000 + year! : year!, month!, day!)
}

/** 31 February is not moved to March. */
function isoOf(year: number, month: number, day: number): string | undefined {
  if (year < 1000) return undefined
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? toIso(date) : undefined
}

export const addDays = (iso: string, days: number) => toIso(new Date(toDate(iso).getTime() + days * 86_400_000))

/** The same day of another month, or its last day. */
export function addMonths(iso: string, months: number): string {
  const date = toDate(iso)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0))
  return toIso(
    new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), Math.min(date.getUTCDate(), last.getUTCDate()))),
  )
}

/** Six weeks from the Monday before the first of the month. */
export function weeksOf(iso: string): string[][] {
  const first = `${iso.slice(0, 8)}01`
  const monday = addDays(first, -((toDate(first).getUTCDay() + 6) % 7))
  return Array.from({ length: 6 }, (_, week) => Array.from({ length: 7 }, (_, day) => addDays(monday, week * 7 + day)))
}

export const monthName = (iso: string, language: string) =>
  new Intl.DateTimeFormat(localeOf(language), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(toDate(iso))
export const dayName = (iso: string, language: string) =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'full', timeZone: 'UTC' }).format(toDate(iso))
export const weekdayName = (iso: string, language: string) =>
  new Intl.DateTimeFormat(localeOf(language), { weekday: 'short', timeZone: 'UTC' }).format(toDate(iso))
