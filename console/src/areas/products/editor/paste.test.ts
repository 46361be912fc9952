import { expect, test } from 'vitest'
import { cellsOf, textsOfCell } from './paste.ts'

test('cells of a spreadsheet are divided by tabs and lines, and quoted ones keep theirs', () => {
  expect(cellsOf('a\tb\r\nc\td\r\n')).toEqual([['a', 'b'], ['c', 'd']]) // prettier-ignore
  expect(cellsOf('"two\nlines"\t"say ""hello"""\nx\t')).toEqual([['two\nlines', 'say "hello"'], ['x', '']]) // prettier-ignore
  expect(cellsOf('5" pipe')).toEqual([['5" pipe']])
})

test('a cell becomes the value of its attribute', () => {
  const options = [{ value: 'red', label: 'Signal red' }]
  expect(textsOfCell('signal RED', { dataType: 'text', multiple: false, options })).toEqual(['red'])
  expect(textsOfCell('S | M', { dataType: 'text', multiple: true })).toEqual(['S', 'M'])
  expect(textsOfCell('Ja', { dataType: 'boolean', multiple: false })).toEqual(['true'])
  expect(textsOfCell('1,5', { dataType: 'number', multiple: false })).toEqual(['1.5'])
  expect(textsOfCell(' ', { dataType: 'text', multiple: false })).toEqual([])
})
