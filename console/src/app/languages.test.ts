import { reasons } from '@kontor/contract'
import { expect, test } from 'vitest'
import errors from '../../../docs/reference/errors.md?raw'
import type { Text } from '../ui/language.tsx'
import { problemTexts } from '../ui/problem-texts.ts'
import { languages, loadLanguage, nameOf } from './languages.ts'

const sources = import.meta.glob<string>('../**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true })
const defined = Object.entries(sources).flatMap(([path, source]) =>
  path.includes('.test.')
    ? []
    : [...source.matchAll(/^export const \w+ = defineTexts\(\s*'(\w+)'/gm)].map(([, name]) => name!),
)
const others = languages.filter((tag) => tag !== 'en')

/** Modules that only define texts; those inside of components have no placeholders that differ. */
const english = Object.values(
  import.meta.glob<Record<string, unknown>>(['../**/{texts,*-texts,shipped-words,sign-in-failure}.ts'], {
    eager: true,
  }),
)
  .flatMap((module) => Object.values(module))
  .filter((value) => typeof value === 'object' && value !== null)
  .filter((value): value is { name: string; en: Record<string, Text> } => 'en' in value)

const formsOf = (text: Text) => (typeof text === 'string' ? [text] : Object.values(text))
/** A language may leave out the count in a form such as "one product". */
const placeholdersOf = (text: Text) =>
  [...new Set(formsOf(text).flatMap((form) => form.match(/\{\w+\}/g) ?? []))].filter((one) => one !== '{count}').sort()

test('the console speaks English, German and French', () => {
  expect(languages.map(nameOf)).toEqual(['English', 'Deutsch', 'Français'])
})

test.each(others)('%s has the texts of every area, and of no other', async (tag) => {
  expect(Object.keys((await loadLanguage(tag)).texts).sort()).toEqual(defined.sort())
})

test.each(others)('texts in %s have the placeholders of the English ones', async (tag) => {
  const { texts } = await loadLanguage(tag)
  const wrong = english.flatMap(({ name, en }) =>
    Object.entries(en).flatMap(([key, text]) => {
      const [expected, found] = [text, texts[name]![key]!].map((one) => placeholdersOf(one).join(' '))
      const isOwn = key === 'sentence' // English readers get the sentence of the server alone
      return expected === found || isOwn ? [] : [`${name}.${key}: ${found} instead of ${expected}`]
    }),
  )
  expect(wrong).toEqual([])
})

test('French has its typography: typographic apostrophes and thin spaces before double signs', async () => {
  const { texts } = await loadLanguage('fr')
  const forms = Object.values(texts).flatMap((area) => Object.values(area).flatMap(formsOf))
  expect(forms.filter((form) => /'| [;:!?»]|« /.test(form))).toEqual([])
})

test('every error code and every reason of the server has a text', () => {
  const codes = [...errors.matchAll(/^\| (\d{4}) /gm)].map(([, code]) => `code_${code}`)
  expect(codes.length).toBeGreaterThan(10)
  const texts: Readonly<Record<string, Text>> = problemTexts.en
  expect([...codes, ...Object.keys(reasons)].filter((key) => !texts[key])).toEqual([])
})

test('texts of refusals have only placeholders that the server fills', () => {
  const texts: Readonly<Record<string, Text>> = problemTexts.en
  const wrong = Object.entries(reasons).filter(([code, sentence]) =>
    placeholdersOf(texts[code]!).some((placeholder) => !sentence.includes(placeholder)),
  )
  expect(wrong).toEqual([])
})
