import { expect, test } from 'vitest'
import { changedFields, withChanges } from './form-changes.ts'

test('only changed fields are kept, and an emptied one is empty again', () => {
  const stored = { tid: 'a', name: { itm: [{ value: 'Sea' }] }, note: 'old' }
  const changes = changedFields(stored, { tid: 'a', name: { itm: [{ value: 'Lake' }] } })
  expect(changes).toEqual({ name: { itm: [{ value: 'Lake' }] }, note: null })
  expect(withChanges(stored, JSON.parse(JSON.stringify(changes)) as typeof changes)).toEqual({
    tid: 'a',
    name: { itm: [{ value: 'Lake' }] },
  })
})

test('fields that somebody else has changed meanwhile are not brought back', () => {
  const changes = changedFields({ title: 'a', note: 'b' }, { title: 'mine', note: 'b' })
  expect(withChanges({ title: 'a', note: 'theirs' }, changes)).toEqual({ title: 'mine', note: 'theirs' })
})

test('a value that is the stored one again is no change', () => {
  expect(changedFields({ title: 'a' }, { title: 'a' })).toEqual({})
})
