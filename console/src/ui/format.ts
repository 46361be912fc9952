/** Formats numbers, dates and sizes for the language of the console. */
import { useMemo } from 'react'
import { useLanguage } from './language.tsx'

const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
const steps: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

export interface Format {
  number(value: number): string
  percent(value: number): string
  date(value: string | Date): string
  dateTime(value: string | Date): string
  /** Relative to now: "3 minutes ago". */
  ago(value: string | Date): string
  bytes(value: number): string
}

export function useFormat(): Format {
  const { language } = useLanguage()
  return useMemo(() => createFormat(language), [language])
}

function createFormat(language: string): Format {
  const numbers = new Intl.NumberFormat(language)
  const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 })
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })
  const moments = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  return {
    number: (value) => numbers.format(value),
    percent: (value) => percents.format(value),
    date: (value) => dates.format(new Date(value)),
    dateTime: (value) => moments.format(new Date(value)),
    ago(value) {
      const seconds = (new Date(value).getTime() - Date.now()) / 1000
      const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
      return relative.format(Math.round(seconds / size), unit)
    },
    bytes(value) {
      const step = Math.min(sizes.length - 1, Math.floor(Math.log(Math.max(value, 1)) / Math.log(1000)))
      const options = { style: 'unit', unit: sizes[step]!, unitDisplay: 'short', maximumFractionDigits: 1 } as const
      return new Intl.NumberFormat(language, options).format(value / 1000 ** step)
    },
  }
}
