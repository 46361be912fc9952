import { expect, test } from 'vitest'
import { because, reasons } from '@kontor/contract'
import { failureText, storedText } from './failure-text.ts'
import { problemTexts } from './problem-texts.ts'

const refused = (refusal: object) => ({
  message: 'in English',
  refusals: [{ message: 'in English', parameters: {}, ...refusal }],
})

test.each([
  [
    'a reason that the console knows',
    refused({ reason: 'noUser', parameters: { name: 'nobody' } }),
    'There is no user nobody.',
  ],
  ['a reason of a newer server', refused({ reason: 'notYetKnown', code: '1001' }), 'in English'],
  ['a refusal with a code alone, in English', refused({ code: '1002' }), 'in English'],
  ['a refused value', refused({ reason: 'required', attribute: 'title' }), 'title: Required'],
  ['an error of the console itself', new Error('offline'), 'offline'],
  ['something that is not an error', 'broken', 'broken'],
])('%s is said in plain words', (_, error, text) => {
  expect(failureText(error)).toBe(text)
})

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
