import { expect, test } from 'vitest'
import { faultsOf } from './outcomes.ts'
import { toPlan } from './plan.ts'

const headings = ['tid', 'name', 'node', 'TITLE@de_DE', 'TITLE@en_GB', 'TECH/TECH_VALUE', 'article:COLOUR', 'asset']
const plan = toPlan(headings, undefined, (attr) => ({ localized: attr === 'TITLE', multi: false }))

test.each([
  ['an attribute', 'attribute TITLE: is too long', 'TITLE@de_DE'],
  ['an attribute in the language at fault', 'attribute TITLE: is too long in en_GB', 'TITLE@en_GB'],
  ['a column of a table', 'attribute TECH/TECH_VALUE: is not a number', 'TECH/TECH_VALUE'],
  ['an attribute of an article', 'article A1: attribute COLOUR: is not a choice', 'article:COLOUR'],
  ['the node', 'the node N9 does not exist', 'node'],
  ['the name', 'a product needs a name', 'name'],
  ['the tid', 'the tid P1 is taken', 'tid'],
  ['the assets', 'the asset a.png is not in the zip', 'asset'],
])('a refusal because of %s names its column', (_what, reason, column) => {
  expect(faultsOf(plan, reason)).toEqual([{ column, reason }])
})

test('a refusal with several faults names the column of each', () => {
  expect(faultsOf(plan, 'attribute TITLE: is empty; attribute COLOUR: is red; or blue')).toEqual([
    { column: 'TITLE@de_DE', reason: 'attribute TITLE: is empty' },
    { column: 'article:COLOUR', reason: 'attribute COLOUR: is red; or blue' },
  ])
})

test('a refusal names no column if the table has none for it', () => {
  const small = toPlan(['tid'], undefined, () => undefined)
  for (const reason of [
    'the node N9 does not exist',
    'the asset a.png is missing',
    'attribute TITLE: is empty',
    'too late',
  ])
    expect(faultsOf(small, reason)).toEqual([{ reason }])
})

test('a refusal of a message, which has no columns, is only a reason', () => {
  expect(faultsOf(undefined, 'attribute TITLE: is empty')).toEqual([{ reason: 'attribute TITLE: is empty' }])
})
