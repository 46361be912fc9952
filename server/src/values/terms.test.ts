import { expect, test } from 'vitest'
import { lostTerms, type Term, toTerms } from './terms.ts'

const term = (term: string, value: string): Term => ({ source: 'en_GB', term, locale: 'de_DE', value, enforcement: 'warn' }) // prettier-ignore
const lacking = (terms: readonly Term[], english: string, german: string) =>
  lostTerms(toTerms(terms), new Map(), new Map([['en_GB', [english]], ['de_DE', [german]]])) // prettier-ignore

test('words of a translation follow each other, each with an ending or without', () => {
  const buoy = [term('red buoy', 'rote Boje')]
  for (const german of ['rote Boje', 'Die roten Bojen!', 'rot, rote; ROTE-BOJE'])
    expect(lacking(buoy, 'a red buoy', german), german).toEqual([])
  for (const german of ['rote', 'rote und Boje', 'Boje rote', 'knallrote Boje'])
    expect(lacking(buoy, 'a red buoy', german), german).toHaveLength(1)
})

test('of a text with very many terms, the first hundred are looked for', () => {
  const many = Array.from({ length: 1000 }, (_, i) => term(`term${i}`, `begriff${i}x`))
  expect(lacking(many, many.map((one) => one.term).join(' '), 'nichts davon')).toHaveLength(100)
})
