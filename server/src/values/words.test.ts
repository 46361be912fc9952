import { expect, test } from 'vitest'
import { type ForbiddenWord, toWords } from './words.ts'

const word = (value: string): ForbiddenWord => ({ id: 1, locale: 'en_GB', value, enforcement: 'warn' })
const found = (entry: string, text: string) =>
  toWords([word(entry)])
    .in('en_GB', text)
    .map(({ value }) => value.length)

test('an entry of up to 50 words is found, a longer one is not looked for', () => {
  const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`).join(' ')
  expect(found(words(50), `before ${words(50)} after`)).toEqual([words(50).length])
  expect(found(words(51), `before ${words(51)} after`)).toEqual([])
})

test('a long entry that begins again at each word of a text costs no more than its length', () => {
  const before = process.cpuUsage().user
  expect(found(`${'a '.repeat(5000)}b`, 'a '.repeat(50_000))).toEqual([])
  expect(found(`${'a '.repeat(48)}b`, 'a '.repeat(50_000))).toEqual([])
  expect((process.cpuUsage().user - before) / 1000).toBeLessThan(3000)
})
