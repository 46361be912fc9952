import { expect, test } from 'vitest'
import { breakingChanges } from './definition-changes.ts'
import type { DefinitionContent } from './definition-content.ts'

const text: DefinitionContent = { type: 'text', localized: false, multi: false, definition: {} }
const list = (...tids: string[]): DefinitionContent => ({
  ...text,
  definition: { domainVals: { domainVal: tids.map((tid) => ({ tid })) } },
})
const open = (content: DefinitionContent): DefinitionContent => ({
  ...content,
  definition: { domainVals: { ...content.definition.domainVals, allowNewValue: 'true' } },
})
const several = (cardinality?: number): DefinitionContent => ({
  ...text,
  multi: true,
  definition: { multiValued: { value: 'true', ...(cardinality !== undefined && { cardinality }) } },
})
const table = (...columns: string[]): DefinitionContent => ({
  ...text,
  type: 'table',
  definition: { references: { itm: columns.map((value) => ({ value })) } },
})

// prettier-ignore
const breaking: [string, DefinitionContent, DefinitionContent, string, object][] = [
  ['another type', text, { ...text, type: 'number' }, 'the type text would become number', {}],
  ['locales', text, { ...text, localized: true }, 'values without a locale would need one', {}],
  ['no locales', { ...text, localized: true }, text, 'values per locale would become one', {}],
  ['several values', text, several(), 'single values would become lists', {}],
  ['one value', several(), text, 'lists would become single values', {}],
  ['fewer values', several(), several(2), 'lists could have only 2 values', { most: 2 }],
  ['a first closed list', text, list('a'), 'values would have to be in the list', {}],
  ['a shorter list', list('a', 'b'), list('b'), 'the list would lose a', { keys: ['a'] }],
  ['no list', list('a'), text, 'the list would lose a', { keys: ['a'] }],
  ['fewer columns', table('w', 'h'), table('h'), 'the table would lose w', { columns: ['w'] }],
]
test.each(breaking)('%s breaks values', (_, stored, next, reason, affected) => {
  expect(breakingChanges(stored, next)).toEqual([{ reason, affected }])
})

test.each<[string, DefinitionContent, DefinitionContent]>([
  ['more values', several(2), several(3)],
  ['any number of values', several(2), several()],
  ['a first open list', text, open(list('a'))],
  ['a longer list', list('a'), list('a', 'b')],
  ['more columns', table('w'), table('w', 'h')],
])('%s breaks no values', (_, stored, next) => {
  expect(breakingChanges(stored, next)).toEqual([])
})

test('every breaking change is reported, not only the first', () => {
  const reasons = breakingChanges(list('a'), { ...text, type: 'number', localized: true }).map(({ reason }) => reason)
  expect(reasons).toHaveLength(3)
})
