import { expect, test } from 'vitest'
import { toWords } from '../../values/api.ts'
import { judgeQuality, type Subject } from './checks.ts'

const subjectOf = (byLocale: Readonly<Record<string, readonly string[]>>): Subject => ({
  dataType: 'product',
  tid: 'x',
  words: toWords([]),
  texts: new Map([['text', new Map(Object.entries(byLocale))]]),
  product: undefined,
  sees: () => true,
  seesEntries: () => true,
})
const identical = (subject: Subject, locale: string, min = 5) =>
  judgeQuality([subject], [{ check: 'identicalTexts', min }], locale).checks[0]

test('texts are compared without case and punctuation, as far as both are long enough', () => {
  const subject = subjectOf({ en_GB: ['Sea boots!', 'abc'], en_US: ['Sea boots!'], de_DE: ['sea, boots', 'abc'], fr_FR: ['bottes de mer'] }) // prettier-ignore
  expect(identical(subject, 'en_GB')?.faults).toMatchObject([{ attr: 'text', value: 'de_DE' }])
  expect(identical(subject, 'en_GB', 2)?.faults).toHaveLength(2)
  expect(identical(subject, 'en_GB', 11)).toBeUndefined()
  expect(identical(subject, 'fr_FR')).toMatchObject({ passed: true })
})

test('long texts in many languages are read once, not once for each pair of languages', () => {
  const locales = Array.from({ length: 26 }, (_, i) => `${String.fromCodePoint(97 + i)}x_XX`)
  const subject = subjectOf(Object.fromEntries(locales.map((locale) => [locale, [`${locale} word `.repeat(8000)]])))
  const before = process.cpuUsage().user
  for (const locale of locales) expect(identical(subject, locale)).toMatchObject({ passed: true })
  expect((process.cpuUsage().user - before) / 1000).toBeLessThan(3000)
})
