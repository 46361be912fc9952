import { expect, test } from 'vitest'
import { groupName, textsAt } from './claims.ts'

const claims = {
  realm_access: { roles: ['admin', 'user'] },
  resource_access: { 'kontor.api': { roles: ['editor', 'user'] } },
  'https://example.com/roles': ['reader'],
  role: 'one',
  odd: ['reader', 7, null, ['admin'], { name: 'admin' }],
}

// prettier-ignore
test.each([
  ['realm_access.roles',                                             ['admin', 'user']],
  [String.raw`resource_access.kontor\.api.roles`,                    ['editor', 'user']],
  [String.raw`realm_access.roles, resource_access.kontor\.api.roles`, ['admin', 'user', 'editor']],
  [String.raw`https://example\.com/roles`,                           ['reader']],
  ['role',                                                           ['one']],
  ['odd',                                                            ['reader']],
  ['realm_access',                                                   []],
  ['nothing.at.all',                                                 []],
  ['role.length',                                                    []],
  ['constructor.name',                                               []],
])('at %s the texts are %j', (paths, texts) => {
  expect(textsAt(paths)(claims)).toEqual(texts)
})

test('the leading slash of a group is not part of its name', () => {
  expect(['/press', 'press', '/shop/texts'].map(groupName)).toEqual(['press', 'press', 'shop/texts'])
})
