import { describe, expect, test } from 'vitest'
import { sql } from '../../adapters/postgres/sql.ts'
import {
  allows,
  allowsAt,
  filterOf,
  type Grant,
  meets,
  neededFor,
  pathsFor,
  type Permissions,
  rightsAt,
  within,
} from './permissions.ts'

const reader: Permissions = [{ kind: '*', actions: ['read'] }]
const admin: Permissions = [{ kind: '*', actions: ['*'] }]
const sea: Grant = { kind: '*', actions: ['read', 'update'], scopes: { keyword: ['/Sea'], node: ['/Boats'] } }

// prettier-ignore
test.each([
  ['nobody',          [],                                            'read',       'keyword', false],
  ['a reader',        reader,                                        'read',       'keyword', true],
  ['a reader',        reader,                                        'update',     'keyword', false],
  ['an admin',        admin,                                         'administer', 'index',   true],
  ['one for assets',  [{ kind: 'asset', actions: ['update'] }],      'update',     'asset',   true],
  ['one for assets',  [{ kind: 'asset', actions: ['update'] }],      'update',     'keyword', false],
  ['one for assets',  [{ kind: 'asset', actions: ['update'] }],      'update',     undefined, true],
  ['a role too many', [...reader, { kind: 'dir', actions: ['*'] }],  'delete',     'dir',     true],
] as const)('%s (%#) may: %s %s %s', (_, permissions, action, kind, expected) => {
  expect(allows(permissions, action, kind)).toBe(expected)
})

test('a route that needs one of several actions takes any of them', () => {
  expect(meets([sea], { kind: 'keyword', any: ['create', 'update'] })).toBe(true)
  expect(meets([sea], { kind: 'keyword', any: ['create', 'delete'] })).toBe(false)
})

test('an action is known by its type, and what is not known changes its object', () => {
  expect(['delete', 'copy', 'checkout', 'move', 'rename'].map(neededFor)).toEqual([
    'delete',
    'create',
    'checkout',
    'update',
    'update',
  ])
})

describe('subtrees', () => {
  test('add up over grants, and one below another is no more than it', () => {
    const more: Grant = { kind: 'keyword', actions: ['read'], scopes: { keyword: ['/Sea/North', '/Land'] } }
    expect(pathsFor([sea, more], 'read', 'keyword')).toEqual(['/Sea', '/Land'])
    expect(pathsFor([sea, more], 'update', 'keyword')).toEqual(['/Sea'])
    expect(pathsFor([sea, ...reader], 'read', 'keyword')).toBe('all')
    expect(pathsFor([sea], 'delete', 'keyword')).toEqual([])
  })

  test('narrow a kind by the tree it stands in, and leave the others open', () => {
    expect(pathsFor([sea], 'read', 'product')).toEqual(['/Boats'])
    expect(pathsFor([sea], 'read', 'asset')).toBe('all')
    expect(pathsFor([sea], 'read', 'glossary')).toBe('all')
  })

  test('end at whole names', () => {
    expect(
      ['/Sea', '/Sea/North', '/Seaside', '/', '/Land'].filter((path) => allowsAt([sea], 'read', 'keyword', path)),
    ).toEqual(['/Sea', '/Sea/North'])
  })

  test('are a condition on the path in SQL, without a word of it in the text', () => {
    const evil: Grant = { kind: 'keyword', actions: ['read'], scopes: { keyword: [`/x' or true --`] } }
    const { text, values } = within([evil], 'read', 'keyword', sql`k.path`)
    expect(text).toBe('(k.path = $1 or (k.path collate "C" > $2 and k.path collate "C" < $3))')
    expect(values).toEqual([`/x' or true --`, `/x' or true --/`, `/x' or true --0`])
    expect(within(reader, 'read', 'keyword', sql`k.path`).text).toBe('true')
    expect(within(reader, 'update', 'keyword', sql`k.path`).text).toBe('false')
  })

  test('are a filter of plain data for a search index', () => {
    expect(filterOf([sea], 'product')).toEqual({ any: [{ paths: ['/Boats'] }] })
    expect(filterOf([sea, ...reader], 'product')).toEqual({ any: [{}] })
    expect(filterOf([], 'product')).toEqual({ any: [] })
    const noPrice: Grant = { kind: 'product', actions: ['read'], visibleAttributes: { except: ['price'] } }
    expect(filterOf([noPrice], 'product')).toEqual({ any: [{ attributes: { except: ['price'] } }] })
  })
})

describe('attributes and locales', () => {
  const translator: Permissions = [
    {
      kind: 'product',
      actions: ['read', 'update'],
      scopes: { node: ['/Boats'] },
      visibleAttributes: { except: ['price'] },
      editableAttributes: { only: ['text'] },
      editableLocales: { only: ['de_DE'] },
    },
    { kind: 'product', actions: ['read'], scopes: { node: ['/Cars'] }, visibleAttributes: { only: ['name'] } },
  ]
  const at = (path: string, tid: string) => rightsAt(translator, 'product', [path]).attribute(tid)

  test('are visible and editable by the grants that hold where the object is', () => {
    expect(at('/Boats/Sail', 'text')).toEqual({ visible: true, editable: true })
    expect(at('/Boats/Sail', 'name')).toEqual({ visible: true, editable: false })
    expect(at('/Boats/Sail', 'price')).toEqual({ visible: false, editable: false })
    expect(at('/Cars', 'name')).toEqual({ visible: true, editable: false })
    expect(at('/Cars', 'text')).toEqual({ visible: false, editable: false })
    expect(at('/Planes', 'name')).toEqual({ visible: false, editable: false })
  })

  test('of a locale that may not be edited are still seen', () => {
    const { locale } = rightsAt(translator, 'product', ['/Boats'])
    expect(locale('de_DE')).toEqual({ visible: true, editable: true })
    expect(locale('fr_FR')).toEqual({ visible: true, editable: false })
  })

  test('are all open where nothing narrows them', () => {
    expect(rightsAt(admin, 'glossary').attribute('x')).toEqual({ visible: true, editable: true })
    expect(rightsAt(reader, 'glossary').attribute('x')).toEqual({ visible: true, editable: false })
  })
})
