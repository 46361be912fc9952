import { because, reasons } from '@kontor/contract'
import { expect, test } from 'vitest'
import { problemTexts } from '../ui/problem-texts.ts'
import { storedText } from './stored-text.ts'

/** A name that is too long is refused in the same words as a value. */
const recognisable = (Object.keys(reasons) as (keyof typeof reasons)[]).filter((code) => code !== 'nameTooLong')

test.each(recognisable)('the stored sentence of %s is recognised', (code) => {
  const names = [...reasons[code].matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const parameters = Object.fromEntries(names.map((name) => [name, `<${name}>`]))
  const said = String(problemTexts.en[code]).replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name]!)
  expect(storedText(because(code, parameters as never).sentence)).toBe(said)
})

test('the refusal of a row names each attribute, and an unknown sentence stays as it is', () => {
  expect(storedText('attribute TITLE: 3 is not a whole number; attribute WEIGHT: is odd; or even')).toBe(
    'TITLE: 3 is not a whole number.; attribute WEIGHT: is odd; or even',
  )
  expect(storedText('connect ECONNREFUSED 127.0.0.1:25')).toBe('connect ECONNREFUSED 127.0.0.1:25')
})
