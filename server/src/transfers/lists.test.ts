import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinList, splitList } from './lists.ts'

test.each([
  ['S|M', '|', ['S', 'M']],
  ['S|M\\|L', '|', ['S', 'M|L']],
  ['C:\\dir|D:\\', '|', ['C:\\dir', 'D:\\']],
  ['C:\\\\|D:', '|', ['C:\\', 'D:']],
  ['\\\\server\\x', '|', ['\\\\server\\x']],
  ['red, dark; blue', '; ', ['red, dark', 'blue']],
  ['a\\; b; c', '; ', ['a; b', 'c']],
  ['\\ indented|\\  \\\\|Size \\', '|', [' indented', '  ', 'Size ']],
])('%s, separated by %j, are the values %j', (cell, separator, values) => {
  expect(splitList(cell, separator)).toEqual(values)
  expect(splitList(joinList(values, separator), separator)).toEqual(values)
})

test('any values are split as they were joined, whatever the separator', () => {
  const value = fc.oneof(fc.string(), fc.stringMatching(/^[\\|;,a ]{1,6}$/))
  const separator = fc.constantFrom('|', ';', ', ', '||', '-|-', '\n', '.', '$', '^')
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), separator, (values, sign) => {
      expect(splitList(joinList(values, sign), sign)).toEqual(values)
    }),
    { numRuns: 2000 },
  )
})
