import { expect, test } from 'vitest'
import { fromExactJson, toExactJson } from './exact-json.ts'

test.each([
  [{ id: 7, name: 'x', none: null }],
  [{ id: 9223372036854775807n, others: [-9223372036854775808n, 9007199254740993n, 1] }],
  [{ text: '12345678901234567890', fraction: 0.1234567890123456 }],
  [[9007199254740991, 'ä "\u2028']],
])('%o comes back digit by digit', (value) => {
  expect(fromExactJson(toExactJson(value))).toEqual(value)
})
