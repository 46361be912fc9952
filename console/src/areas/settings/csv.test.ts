import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

test('cells with commas, quotes and line breaks are quoted', () => {
  expect(toCsv([['a', 'b,c', 'd"e', 'f\ng']])).toBe('\u{feff}a,"b,c","d""e","f\ng"\r\n')
})

test.each(['=1+1', '+1', '-1', '@x'])('%s is not a formula', (text) => {
  expect(toCsv([[text]])).toBe(`\u{feff}'${text}\r\n`)
})
