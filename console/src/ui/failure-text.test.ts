import { expect, test } from 'vitest'
import { failureText } from './failure-text.ts'

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
