import { describe, expect, test } from 'vitest'
import { listOf, numberOf, required, textOf, toNumber, UsageError } from './command.ts'

describe('the value of an option', () => {
  const call = { values: { name: 'Sea', count: '20', tid: ['a', 'b'], json: true } }

  test('is a text, a number or a list, as the command reads it', () => {
    expect(textOf(call, 'name')).toBe('Sea')
    expect(numberOf(call, 'count')).toBe(20)
    expect(listOf(call, 'tid')).toEqual(['a', 'b'])
  })

  test('is absent when the option is not given or is of another kind', () => {
    expect([textOf(call, 'other'), textOf(call, 'tid'), textOf(call, 'json')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(numberOf(call, 'other')).toBe(undefined)
    expect([listOf(call, 'other'), listOf(call, 'name')]).toEqual([[], []])
  })
})

test.each(['', 'all', '-1', '1.5', '1e3', ' 1', '0x10'])('"%s" is not accepted as a number', (text) => {
  expect(() => toNumber(text, '--count')).toThrow(new UsageError(`--count: expected a number, found ${text}`))
})

test('leading zeros do not make a number octal', () => {
  expect(toNumber('0010', '--count')).toBe(10)
})

test.each([undefined, ''])('a required argument must not be %s', (text) => {
  expect(() => required(text, '<file>')).toThrow(new UsageError('missing <file>'))
  expect(required('in.csv', '<file>')).toBe('in.csv')
})
