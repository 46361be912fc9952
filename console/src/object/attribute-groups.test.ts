import { expect, test } from 'vitest'
import { inGroups, toGroup } from './attribute-groups.ts'

const group = (tid: string, ...members: string[]) =>
  toGroup({ tid, name: { itm: [{ value: tid, loc: 'en_GB' }] }, references: { itm: members.map((value) => ({ value })) } }, 'en_GB') // prettier-ignore
const attributes = ['a', 'b', 'c', 'd'].map((key) => ({ key }))

test('attributes are listed by group, in the order of the group, and the others last', () => {
  const { grouped, others } = inGroups([group('two', 'c', 'gone', 'a'), group('empty'), group('one', 'b')], attributes)
  expect(grouped.map(([{ label }, members]) => [label, ...members.map(({ key }) => key)])).toEqual([
    ['two', 'c', 'a'],
    ['one', 'b'],
  ])
  expect(others).toEqual([{ key: 'd' }])
})
