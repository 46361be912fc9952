import { expect, test } from 'vitest'
import { grouped, toStep } from './activity.ts'

const hit = (facts: Readonly<Record<string, string>>) => ({
  attributes: Object.entries(facts).map(([name, value]) => ({ name, value })),
})
const day = '2026-11-17T10:00:00.000Z'

test('a hit becomes a change, new objects are distinguished from changed ones, and parts of products are left out', () => {
  const facts = { tid: 'J1', name: 'Jacket', creationDate: day, modificationDate: day, modificationUser: 'kim' }
  expect(toStep(hit({ ...facts, itemType: 'product' }))).toEqual([
    { user: 'kim', kind: 'product', isNew: true, tid: 'J1', name: 'Jacket', at: day },
  ])
  const [later] = toStep(hit({ ...facts, itemType: 'project', modificationDate: '2026-11-17T11:00:00.000Z' }))
  expect(later).toMatchObject({ kind: 'channel', isNew: false })
  expect(toStep(hit({ ...facts, itemType: 'article' }))).toEqual([])
})

test('changes of one kind by one person in a row are one group', () => {
  const step = (user: string, kind: 'product' | 'asset') => ({ user, kind, isNew: false, tid: 't', name: 'n', at: day })
  const groups = grouped([step('kim', 'product'), step('kim', 'product'), step('kim', 'asset'), step('ada', 'asset')])
  expect(groups.map((group) => group.length)).toEqual([2, 1, 1])
})
