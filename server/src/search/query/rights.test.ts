/** Grants as predicates. */
import { expect, test } from 'vitest'
import type { Caller } from '../../core/context.ts'
import type { Entry } from '../feed/catalogue.ts'
import { everything, viewOf } from './rights.ts'

const schema = { fields: [], locales: ['en_GB', 'de_DE'], defaultLocale: 'en_GB' }
const entry = { source: { kinds: ['product'] }, schema, searched: [] } as unknown as Entry
const roles = Array.from({ length: 1000 }, (_, i) => i)

test('the number of groups depends on the different rules, not on the number of roles', () => {
  const rules = [{ visibleLocales: { only: ['de_DE'] } }, { visibleLocales: { except: ['de_DE'] } }]
  const permissions = roles.map((i) => ({
    kind: 'product',
    actions: ['read'],
    scopes: { node: [`/Standard/${i}`] },
    ...rules[i % 2],
  }))
  const caller = { permissions, userName: 'kim', roles: new Set<string>() } as unknown as Caller
  const { within, parts } = viewOf(caller, entry, () => everything)
  expect(within).toMatchObject({ kind: 'field', field: '_scope', comparator: 'IN', operands: { length: 1000 } })
  expect(parts).toMatchObject([{ where: { operands: { length: 500 } } }, { where: { operands: { length: 500 } } }])
  expect(parts!.map(({ allowsLocale }) => [allowsLocale('de'), allowsLocale('en')])).toEqual([
    [true, false],
    [false, true],
  ])
})
