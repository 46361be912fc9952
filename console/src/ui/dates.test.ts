import { expect, test } from 'vitest'
import { addMonths, datePattern, formatDate, parseDate, weeksOf } from './dates.ts'

test('a date is written as in the language', () => {
  expect(formatDate('2026-11-07', 'en')).toBe('07/11/2026')
  expect(formatDate('2026-11-07', 'de')).toBe('07.11.2026')
  const letters = { day: 'dd', month: 'mm', year: 'yyyy' }
  expect(datePattern('en', (part) => letters[part])).toBe('dd/mm/yyyy')
  expect(datePattern('de', (part) => letters[part])).toBe('dd.mm.yyyy')
})

test.each([
  ['7.11.2026', 'de', '2026-11-07'],
  ['7.11.26', 'de', '2026-11-07'],
  ['07/11/2026', 'en', '2026-11-07'],
  ['2026-11-07', 'de', '2026-11-07'],
  ['31.2.2026', 'de', undefined],
  ['7.13.2026', 'de', undefined],
  ['soon', 'en', undefined],
  ['7.11.', 'de', undefined],
])('%s in %s is read as %s', (text, language, iso) => expect(parseDate(text, language)).toBe(iso))

test('a month has six weeks that begin on Monday', () => {
  const weeks = weeksOf('2026-11-17')
  expect([weeks.length, weeks[0]![0], weeks[5]![6]]).toEqual([6, '2026-10-26', '2026-12-06'])
})

test('the last day of a month stays within the next one', () => {
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
  expect(addMonths('2026-01-31', -2)).toBe('2025-11-30')
})
