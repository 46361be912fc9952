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
  seesDefinition,
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

test('a route that needs one of several actions accepts any of them', () => {
  expect(meets([sea], { kind: 'keyword', any: ['create', 'update'] })).toBe(true)
  expect(meets([sea], { kind: 'keyword', any: ['create', 'delete'] })).toBe(false)
})

test('the type of a perform action decides the right; unknown types need update', () => {
  expect(['delete', 'copy', 'checkout', 'move', 'rename'].map(neededFor)).toEqual([
    'delete',
    'create',
    'checkout',
    'update',
    'update',
  ])
})

describe('subtrees', () => {
  test('of several grants are united, and a subtree inside another adds nothing', () => {
    const more: Grant = { kind: 'keyword', actions: ['read'], scopes: { keyword: ['/Sea/North', '/Land'] } }
    expect(pathsFor([sea, more], 'read', 'keyword')).toEqual(['/Sea', '/Land'])
    expect(pathsFor([sea, more], 'update', 'keyword')).toEqual(['/Sea'])
    expect(pathsFor([sea, ...reader], 'read', 'keyword')).toBe('all')
    expect(pathsFor([sea], 'delete', 'keyword')).toEqual([])
  })

  test('narrow only the kinds of their tree', () => {
    expect(pathsFor([sea], 'read', 'product')).toEqual(['/Boats'])
    expect(pathsFor([sea], 'read', 'asset')).toBe('all')
    expect(pathsFor([sea], 'read', 'glossary')).toBe('all')
  })

  test('match whole path segments', () => {
    expect(
      ['/Sea', '/Sea/North', '/Seaside', '/', '/Land'].filter((path) => allowsAt([sea], 'read', 'keyword', path)),
    ).toEqual(['/Sea', '/Sea/North'])
  })

  test('become an SQL condition on the path, with parameters only', () => {
    const evil: Grant = { kind: 'keyword', actions: ['read'], scopes: { keyword: [`/x' or true --`] } }
    const { text, values } = within([evil], 'read', 'keyword', sql`k.path`)
    expect(text).toBe('(k.path = $1 or (k.path collate "C" > $2 and k.path collate "C" < $3))')
    expect(values).toEqual([`/x' or true --`, `/x' or true --/`, `/x' or true --0`])
    expect(within(reader, 'read', 'keyword', sql`k.path`).text).toBe('true')
    expect(within(reader, 'update', 'keyword', sql`k.path`).text).toBe('false')
  })

  test('become a plain filter for a search index', () => {
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

  test('are visible and editable by the grants that apply to the path of the object', () => {
    expect(at('/Boats/Sail', 'text')).toEqual({ visible: true, editable: true })
    expect(at('/Boats/Sail', 'name')).toEqual({ visible: true, editable: false })
    expect(at('/Boats/Sail', 'price')).toEqual({ visible: false, editable: false })
    expect(at('/Cars', 'name')).toEqual({ visible: true, editable: false })
    expect(at('/Cars', 'text')).toEqual({ visible: false, editable: false })
    expect(at('/Planes', 'name')).toEqual({ visible: false, editable: false })
  })

  test('of a locale that is not editable are still visible', () => {
    const { locale } = rightsAt(translator, 'product', ['/Boats'])
    expect(locale('de_DE')).toEqual({ visible: true, editable: true })
    expect(locale('fr_FR')).toEqual({ visible: true, editable: false })
  })

  test('of several grants do not mix: one grant must allow the attribute and the locale, to see it and to edit it', () => {
    const read = { kind: 'product', actions: ['read'] }
    const german: Grant = { ...read, visibleAttributes: { only: ['text'] }, visibleLocales: { only: ['de_DE'] } }
    const prices: Grant = { ...read, visibleAttributes: { only: ['price'] }, visibleLocales: { only: ['fr_FR'] } }
    const { attribute } = rightsAt([german, prices], 'product')
    expect([attribute('text', 'de_DE'), attribute('price', 'fr_FR')].map(({ visible }) => visible)).toEqual([
      true,
      true,
    ])
    expect([attribute('text', 'fr_FR'), attribute('price', 'de_DE')].map(({ visible }) => visible)).toEqual([
      false,
      false,
    ])
    const editor: Grant = { kind: 'product', actions: ['read', 'update'], visibleAttributes: { except: ['price'] } }
    expect(rightsAt([editor, read], 'product').attribute('price')).toEqual({ visible: true, editable: false })
  })

  test('of a table hold for its columns, and an excluded attribute is hidden as a column too', () => {
    const visible = (rule: Grant['visibleAttributes'], key: string) =>
      rightsAt([{ kind: 'product', actions: ['read'], ...(rule && { visibleAttributes: rule }) }], 'product').attribute(
        key,
      ).visible
    expect([visible({ only: ['sizes'] }, 'sizes/width'), visible({ only: ['width'] }, 'sizes/width')]).toEqual([
      true,
      false,
    ])
    expect([visible({ except: ['sizes'] }, 'sizes/width'), visible({ except: ['width'] }, 'sizes/width')]).toEqual([
      false,
      false,
    ])
    expect(visible({ except: ['width'] }, 'sizes/height')).toBe(true)
  })

  test('of a definition are hidden if no object shows the attribute, unless the caller may read no such object', () => {
    const definitions: Grant = { kind: 'attrDefinition', actions: ['read'] }
    const noPrice: Grant = {
      kind: 'product',
      actions: ['read'],
      scopes: { node: ['/Boats'] },
      visibleAttributes: { except: ['price'] },
    }
    expect(seesDefinition([definitions, noPrice], 'product', 'price')).toBe(false)
    expect(seesDefinition([definitions, noPrice, { kind: 'product', actions: ['read'] }], 'product', 'price')).toBe(
      true,
    )
    expect(seesDefinition([definitions], 'product', 'price')).toBe(true)
  })

  test('are all allowed where no grant narrows them', () => {
    expect(rightsAt(admin, 'glossary').attribute('x')).toEqual({ visible: true, editable: true })
    expect(rightsAt(reader, 'glossary').attribute('x')).toEqual({ visible: true, editable: false })
  })
})
