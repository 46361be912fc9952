import { expect, test } from 'vitest'
import { toVals } from './draft.ts'
import { afterSaving, changesByItem, compare, decide, type Edits, withEdit } from './edits.ts'

const title = { item: 'p:boat', key: 'title', locale: 'en_GB' }
const weight = { item: 'p:boat', key: 'weight', locale: '' }
const typed = (before: string, text: string, place = title): Edits => withEdit([], place, [text], [before])

test('an edit becomes a message', () => {
  const changes = changesByItem([...typed('a', 'b'), ...typed('1', '2', weight)]).get('p:boat')!
  const attributeOf = (key: string) => ({ key, localized: key === 'title', multiple: false })
  expect(toVals(changes, attributeOf)).toEqual([
    { attr: 'title', itm: [{ value: 'b', loc: 'en_GB' }] },
    { attr: 'weight', itm: [{ value: '2' }] },
  ])
})

test('a text that is changed back is no edit', () => {
  expect(withEdit(typed('a', 'b'), title, ['a', ''], ['a'])).toEqual([])
})

test('typing on keeps the value that the author saw at first', () => {
  expect(withEdit(typed('a', 'b'), title, ['bc'], ['theirs'])).toEqual([{ ...title, texts: ['bc'], before: ['a'] }])
})

test('an edit collides only with another change of the same value', () => {
  const edits = [...typed('a', 'mine'), ...typed('1', '2', weight)]
  const stored = (now: Record<string, string>) => (place: { key: string }) => [now[place.key]!]
  expect(compare(edits, stored({ title: 'a', weight: '1' }))).toEqual({ open: edits, collisions: [] })
  expect(compare(edits, stored({ title: 'theirs', weight: '1' })).collisions).toEqual([
    { edit: edits[0], theirs: ['theirs'] },
  ])
  expect(compare(edits, stored({ title: 'mine', weight: '1' }))).toEqual({ open: [edits[1]], collisions: [] })
})

test('an edit of an item that was deleted collides, and can only be given up', () => {
  const edits = typed('a', 'mine')
  const [collision] = compare(edits, () => undefined).collisions
  expect(collision).toEqual({ edit: edits[0], theirs: undefined })
  expect(decide(edits, collision!, true)).toEqual([])
})

test('after a decision nothing collides any more', () => {
  const edits = typed('a', 'mine')
  const now = () => ['theirs']
  const [collision] = compare(edits, now).collisions
  expect(compare(decide(edits, collision!, true), now)).toEqual({
    open: [{ ...title, texts: ['mine'], before: ['theirs'] }],
    collisions: [],
  })
  expect(decide(edits, collision!, false)).toEqual([])
})

test('what is typed while a save is under way stays', () => {
  const saved = typed('a', 'b')
  expect(afterSaving(withEdit(saved, title, ['bc'], ['a']), saved)).toEqual([
    { ...title, texts: ['bc'], before: ['b'] },
  ])
  expect(afterSaving(saved, saved)).toEqual([])
})
