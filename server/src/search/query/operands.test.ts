/** Values of a query for a date field. */
import { expect, test } from 'vitest'
import { toOperand } from './operands.ts'

const date = { name: 'launch', type: 'date', label: {} } as const
const moment = (iso: string) => Date.parse(iso)

test.each([
  ['2024-02-29', '2024-02-29', '2024-03-01'],
  ['2024-12', '2024-12-01', '2025-01-01'],
  ['9999', '9999-01-01', '+010000-01-01'],
  // Which is what many write for no date.
  ['0001-01-01', '0001-01-01', '0001-01-02'],
  ['0099', '0099-01-01', '0100-01-01'],
])('%s is from %s to %s', (written, from, to) => {
  expect(toOperand(date, written, '/value')).toEqual({ from: moment(from), to: moment(to) })
})

test.each(['2023-02-29', '2024-13', '2024-00', '2024-05-00', '24-05-01', 'soon'])('%s is no date', (written) => {
  expect(() => toOperand(date, written, '/value')).toThrow(`/value: "${written}" is not a date`)
})
